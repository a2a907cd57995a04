"""What features are worth, told: how to read it, the table, the figure and the answer."""

from __future__ import annotations

from typing import Any

import pandas as pd

from simkit.figures.dots import dots
from simkit.report.blocks import Picture
from simkit.report.sections.features import WINS, Features
from simkit.report.sections.shown import HALF, pool_keys, wide_texts
from simkit.report.words import POINTS, Unit, capital, estimate_of, told, whole


def reading(what: Features) -> str:
    """How to read it."""
    worth = (
        f"What a {what.one} does is the difference between games with it and games without it on the same deals, all "
        "other luck unchanged."
    )
    seats = (
        f"How the seats that used it fare is another thing, and no measure of its worth: whoever has the means to use "
        f"a {what.one} may be ahead for other reasons, and what it gives to all seats alike does not show."
    )
    table = (
        f"How often tables win where it {what.use} is another thing, and no measure of its worth: they may be ahead, "
        "or behind, for other reasons."
    )
    return f"{worth} {what.note or (seats if what.score else table)}"


def caption(what: Features, table: pd.DataFrame) -> str:
    """Of the table."""
    cells, games = (
        whole(table.drop_duplicates(["players", "setting", "line_up"])[n].sum()) for n in ("n_cells", "n_games")
    )
    return (
        f"Games with the {what.one} less games without it, on the same deals ({cells} cells, {games} games): a deal’s "
        f"value is the mean of all cells with the {what.one} less the mean of all without; t over deals. "
        f"{_of_use(what)}; by the spread of 64 groups of deals. {capital(HALF)}."
    )


def _of_use(what: Features) -> str:
    """What the columns of use hold."""
    if what.score:
        return "“Of users”: seats that used it at least once less seats of the same games that did not; not causal"
    where = "games left to luck" if what.is_dealt else "games that have it"
    causal = "" if what.is_dealt else "; not causal"
    return f"“Where it {what.use}”: of {where} those where it {what.use} less those where not{causal}"


def shown(table: pd.DataFrame, what: Features) -> dict[str, Any]:
    """A row per feature, the most valuable first, a column per measure."""
    keys = ["players", "setting", "line_up", "feature"]
    every = _by_value(table, what)[keys]
    first = every.merge(table.drop_duplicates(keys), on=keys)
    columns: dict[str, Any] = pool_keys(first) | {what.one: list(first["feature"])}
    for name in dict.fromkeys(table["measure"]):
        part = every.merge(table[table["measure"] == name], how="left", on=keys)
        is_share = name.startswith(("win share", WINS)) or name == "wins of users"
        texts = wide_texts(part, POINTS if is_share else Unit(1, "", signed=True))
        columns[f"{name}{' [points]' if is_share else ''}"] = texts
    return columns


def _by_value(table: pd.DataFrame, what: Features) -> pd.DataFrame:
    """The rows of the measure of worth: group by group, the highest first."""
    total = table[table["measure"] == what.lead]
    groups = total.groupby(["players", "setting", "line_up"], sort=False)
    return pd.concat([mine.sort_values("value", ascending=False) for _, mine in groups])


def pictures(table: pd.DataFrame, what: Features) -> list[Picture]:
    """Score and turns, feature by feature."""
    return [_picture(mine, what) for _, mine in table.groupby(["players", "setting", "line_up"], sort=False)][:3]


def _picture(mine: pd.DataFrame, what: Features) -> Picture:
    """One group's figure: what the feature does, and beside it what its use seems to say."""
    seats = int(mine["players"].iloc[0])
    total = _by_value(mine, what)
    total[["value", "low", "high"]] *= 1 / seats if what.score else 100
    use = mine[mine["measure"] == what.of_use].copy()
    use[["value", "low", "high"]] *= 1 if what.score else 100
    order = total["feature"].tolist()
    ours = f"with the {what.one} less without it"
    theirs = "those who used it less those who did not" if what.score else f"where it {what.use} less where not"
    panel = f"{what.unit} of a seat" if what.score else "win rate of the table [points]"
    parts = [
        total.assign(panel=panel, series=ours),
        use.assign(panel=panel, series=theirs),
        mine[mine["measure"] == "turns"].assign(panel="turns of a game", series=ours),
    ]
    frame = pd.concat(parts).assign(row=lambda f: f["feature"], fair=0.0)
    frame = frame.sort_values("feature", key=lambda names: names.map(order.index), kind="stable")
    where = ", ".join(filter(None, (f"{seats} players", mine["setting"].iloc[0], mine["line_up"].iloc[0])))
    unit = f"{what.unit} of a seat" if what.score else "win rate"
    told = (
        f"{where}: what each {what.one} changes, in {unit} and in turns, and how those who use it seem to fare. "
        "Dashed: no difference. Bars are intervals; they may be narrower than the dots."
    )
    frame = frame.sort_values("panel", key=lambda names: names.ne(panel), kind="stable")
    figure = dots(frame, "difference", percent=False)
    return Picture(figure, told, f"{told} The numbers are in the table below.")


def answer(table: pd.DataFrame, what: Features) -> list[str]:
    """The most and the least valuable, and whether use would have said so."""
    groups = [mine for _, mine in table.groupby(["players", "setting", "line_up"], sort=False)]
    several = len(groups) > 1
    return [_sentence(mine, what, several) for mine in groups[:3]]


def _sentence(mine: pd.DataFrame, what: Features, several: bool) -> str:
    """One group's answer."""
    total = _by_value(mine, what)
    use = mine[mine["measure"] == what.of_use].set_index("feature")
    best, worst = (told(estimate_of(row), what.lead_unit) for row in (total.iloc[0], total.iloc[-1]))
    gains = f"all seats together have {best}" if what.score else f"the table’s win rate changes by {best}"
    where = f"With {mine['players'].iloc[0]} players, {mine['line_up'].iloc[0]}, the" if several else "The"
    text = (
        f"{where} {what.one} that adds most to a game is {total.iloc[0]['feature']}: with it {gains}, against games "
        f"without it on the same deals; at the other end is {total.iloc[-1]['feature']} with {worst}"
    )
    if use.empty or what.is_dealt:
        return f"{text}."
    each = total.set_index("feature")
    each[["value", "low", "high"]] /= int(mine["players"].iloc[0]) if what.score else 1
    seeming = _most_misleading(use, each)
    used, own = (told(estimate_of(found.loc[seeming]), what.lead_unit) for found in (use, each))
    seats = (
        f"seats that used {seeming} differ from those that did not by {used}, yet putting it in changes a seat’s "
        f"{what.unit} by {own}"
    )
    table = (
        f"the win rate of games where {seeming} {what.use} differs from that of games where not by {used}, yet putting "
        f"it in changes it by {own}"
    )
    return f"{text}. Use misleads: {seats if what.score else table}."


def _most_misleading(use: pd.DataFrame, worth: pd.DataFrame) -> str:
    """Where use says the opposite of what is so, if it does anywhere, beyond the intervals; else farthest off."""
    own = worth.reindex(use.index)
    is_opposite = ((use["low"] > 0) & (own["high"] < 0)) | ((use["high"] < 0) & (own["low"] > 0))
    off = (use["value"] - own["value"]).abs()
    return str(off[is_opposite].idxmax() if is_opposite.any() else off.idxmax())
