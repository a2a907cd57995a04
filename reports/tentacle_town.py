"""Tentacle Town: what its report shows, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from simkit.games.tentacle_town import GAME
from simkit.games.tentacle_town.exact import AttackOptions, attack_distribution
from simkit.games.tentacle_town.harpoons import PURPOSES
from simkit.games.tentacle_town.rules import CARDS, FACES
from simkit.games.tentacle_town.state import EFFECTS
from simkit.report import Part, Report, Study, Table, Text, sections
from simkit.report.cells import Cell
from simkit.report.per_deal import game_mean, seat_share, seats_best, seats_total
from simkit.report.pooled import counts_of, defaults
from simkit.report.sections import Features, Happenings, Known, SeatRatio, TallyRate
from simkit.report.sections.shown import HALF, wide_texts
from simkit.report.words import PERCENT, Unit, capital, estimate_of, listed, told
from simkit.stats.intervals import SHARE
from simkit.stats.rates import rates, shares
from simkit.stats.verdicts import family_level

# ------------------------------------------------------------------------------------------------- words of the rules


DIE = tuple(GAME.components["die"].value)


def die_name(die: Sequence[int]) -> str:
    """
    >>> die_name([1, 2, 2, 1, 0]), die_name([1, 1, 2, 1, 1]), die_name([1, 1, 1, 1, 2])
    ('the assumed die', 'a blank instead of an arrow', '1 skull + 1 arrow + 1 destroy + 1 new + 2 blanks')
    """
    if tuple(die) == DIE:
        return "the assumed die"
    moved = [n - usual for n, usual in zip(die, DIE, strict=False)]
    if sorted(moved) == [-1, 0, 0, 0, 1]:
        return f"{_A_FACE[moved.index(1)]} instead of {_A_FACE[moved.index(-1)]}"
    return faces(die)


_A_FACE = ("a skull", "an arrow", "a destroy", "a new tentacle", "a blank")


def faces(die: Sequence[int]) -> str:
    """All faces of a die."""
    named = zip((*FACES, "blank"), die, strict=False)
    return " + ".join(f"{n} {face}{'s' * (n > 1 and face != 'new')}" for face, n in named if n)


def cards_name(cards: Sequence[str]) -> str:
    """
    >>> cards_name(["bake_pie", "hire_movers"]), cards_name([])
    ('bake pie + hire movers', 'cards dealt')
    """
    return " + ".join(spoken(card) for card in cards) or "cards dealt"


def spoken(name: str) -> str:
    """A task's name in words."""
    return name.replace("_", " ")


def cards_in(rules: Mapping[str, Any]) -> list[bool | None]:
    """Whether each task card is in play; None where the deal decides."""
    if rules["cards"]:
        return [card in rules["cards"] for card in CARDS]
    return [True if card == rules["card_in"] else False if card == rules["card_out"] else None for card in CARDS]


# ------------------------------------------------------------------------------------- what an attack does, by its dice

TOLD = EFFECTS[:4]
"""Killed, fled, destroyed, added: what the dice do. Removed is what harpoons do."""
DEFENCE = PURPOSES[1:]
MOST_FIGURES = 3


def attack_outcomes(study: Study) -> Part:
    """Attacks on districts with plenty of targets: simulated shares beside the exact ones without defence."""
    found = [_outcomes(study, die, defence, cells) for (die, defence), cells in _kinds(study).items()]
    means, every = (pd.concat(frames, ignore_index=True) for frames in list(zip(*found, strict=True))[:2])
    several = every["die"].nunique() > 1
    every["kind"] = [f"{d}, {die}" if several else d for d, die in zip(every["defence"], every["die"], strict=True)]
    kinds = list(every.groupby("kind", sort=False))
    pictures = [_picture(str(kind), mine) for kind, mine in kinds[:MOST_FIGURES]]
    notes = [f"{kind}: {note}" for (kind, _), (*_, note) in zip(kinds, found, strict=True) if note]
    keys = {"kind": "attacks", "dice": "dice", "effect": "what", "number": "how many"}
    caption = (
        "Share of attacks with so many residents killed or fled, buildings destroyed or tentacles added, where there "
        "were enough of each for all dice. Intervals from the spread of 64 groups of deals."
    )
    shares_table = sections.exact_table("attack_outcomes", caption, every, keys, Known("exact, without defence"))
    texts = Text([HOW_TO_READ, _how_often(study), *map(capital, notes)])
    blocks = [texts, _mean_table(means), *pictures, shares_table]
    return Part("What an attack does", blocks, answer=_attack_answer(study, means))


HOW_TO_READ = (
    "Counted are attacks on districts that had residents and buildings for all dice, and in which tentacles could "
    "still come: no result was lost for want of a target. The exact value is that of dice against plenty of targets "
    "without defence. Where harpoons are fired in defence the simulated shares must differ from it: a hit saves the "
    "target."
)
WITHOUT, WITH = "nobody fires in defence", "harpoons are fired in defence"


def _kinds(study: Study) -> dict[tuple[str, str], list[Cell]]:
    """Cells by die (its name), and by whether anybody fires a harpoon in defence."""
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in study.cells:
        harpoons = counts_of(study, "harpoons", [cell])
        defence = WITH if harpoons["purpose"].isin(DEFENCE).any() else WITHOUT
        die = die_name((defaults(study) | dict(cell.info.rules))["die"])
        found.setdefault((die, defence), []).append(cell)
    return dict(sorted(found.items(), key=lambda item: item[0][1] == WITH))


def _outcomes(study: Study, die: str, defence: str, cells: Sequence[Cell]) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """Means, shares of each number, and how well they agree with the exact values."""
    counts = counts_of(study, "outcomes", cells)
    counts = counts[(counts["plenty"] == 1) & counts["effect"].isin(TOLD) & (counts["dice"] > 0)]
    counts = counts.assign(effect=counts["effect"].cat.set_categories(list(TOLD)))
    n_deals, by = max(int(cell.info.n_deals) for cell in cells), ["dice", "effect"]
    sums = counts.assign(count=counts["count"] * counts["number"].astype(int))
    means = rates(sums, _attacks(counts), by, n_deals, (0, counts["dice"].max()))
    exact = _exact(study, cells[0], sorted(counts["dice"].unique()))
    places = zip(means["dice"], means["effect"], strict=True)
    means["exact"] = [float(sum(k * p for k, p in exact[place].items())) for place in places]
    at_95, at_once = (_shares(counts, n_deals, exact, level) for level in (0.95, None))
    note = sections.agreement(at_95, at_once) if defence == WITHOUT else ""
    own = {"die": die, "defence": defence}
    return means.assign(**own), at_95.assign(**own), note


def _how_often(study: Study) -> str:
    """The share of attacks that are counted, by dice."""
    counts = counts_of(study, "outcomes", study.cells)
    counts = counts[(counts["effect"] == TOLD[0]) & (counts["dice"] > 0)]
    found = shares(counts, ["dice"], ["plenty"], max(int(cell.info.n_deals) for cell in study.cells))
    told_shares = [
        f"{told(estimate_of(row), PERCENT)} of attacks with {dice_name(row['dice'])}"
        for row in found.to_dict("records")
        if row["plenty"] == 1
    ]
    return f"That holds, all line-ups and settings together, of {listed(told_shares)}."


def dice_name(n: int) -> str:
    """
    >>> dice_name(1), dice_name(4)
    ('1 die', '4 dice')
    """
    return f"{n} di{'e' if n == 1 else 'ce'}"


def _attacks(counts: pd.DataFrame) -> pd.DataFrame:
    """Attacks by dice and effect: each is counted once for every effect."""
    return counts.groupby(["dice", "effect", "group"], observed=True)["count"].sum().reset_index()


def _shares(counts: pd.DataFrame, n_deals: int, exact: Mapping[Any, Any], level: float | None) -> pd.DataFrame:
    """Shares of attacks with each number; without a level at that at which all hold at once."""
    n_shares = sum(dice + 1 for dice, _ in exact)
    found = shares(counts, ["dice", "effect"], ["number"], n_deals, level or family_level(n_shares))
    found = found[found["number"].astype(int) <= found["dice"].astype(int)]
    keys = zip(found["dice"], found["effect"], found["number"], strict=True)
    return found.assign(exact=[float(exact[dice, effect].get(int(k), 0)) for dice, effect, k in keys])


def _exact(study: Study, cell: Cell, dice: Sequence[int]) -> dict[tuple[int, str], dict[int, Any]]:
    """The exact distribution of each effect, by dice: plenty of targets, no defence."""
    rules = study.rules_of(cell)
    found: dict[tuple[int, str], dict[int, Any]] = {}
    for n in dice:
        for outcome, p in attack_distribution(rules, AttackOptions(dice=int(n))).items():
            for effect, number in zip(TOLD, outcome, strict=False):
                own = found.setdefault((n, effect), {})
                own[number] = own.get(number, 0) + p
    return found


def _mean_table(means: pd.DataFrame) -> Table:
    """A row per dice and effect: the mean, exact and simulated."""
    keys = ["die", "dice", "effect", "exact"]
    dies = list(dict.fromkeys(means["die"]))
    rows = means[keys].drop_duplicates().sort_values("dice", kind="stable")
    rows = rows.sort_values("die", key=lambda names: names.map(dies.index), kind="stable")
    shown: dict[str, Any] = {"die": list(rows["die"])} if len(dies) > 1 else {}
    shown |= {"dice": list(rows["dice"].astype(str)), "per attack": list(rows["effect"].astype(str))}
    shown |= {"exact, without defence": [Unit(1, "").number(value, 3) for value in rows["exact"]]}
    for defence, mine in means.groupby("defence", sort=False):
        own = rows.merge(mine, how="left", on=keys)
        kind = "without" if defence == WITHOUT else "with"
        shown |= {f"simulated, {kind} defence": wide_texts(own)}
        shown |= {f"attacks {kind}": [f"{n:,.0f}" if n > 0 else "" for n in own["n"]]}
    caption = f"What an attack does on average, by the dice rolled: {HALF}."
    return sections.table_of("attack_means", caption, shown, means)


def _picture(name: str, mine: pd.DataFrame) -> Any:
    """One kind's bars and dots."""
    dice = mine["dice"].astype(int)
    frame = mine.assign(panel=mine["effect"].astype(str), series=dice.map(dice_name), x=mine["number"])
    frame = frame.sort_values("panel", key=lambda names: names.map(TOLD.index), kind="stable")
    frame.loc[frame["few_cases"] | (frame["n_events"] == 0), ["low", "high"]] = float("nan")
    return sections.exact_picture(
        frame,
        f"Attacks where {name}, by dice rolled; shares that rest on fewer than 100 cases have no dot.",
        "number in one attack",
        "share of attacks [%]",
        Known("exact"),
    )


def _attack_answer(study: Study, means: pd.DataFrame) -> list[str]:
    """For a run that has attacks with and without defence, and nothing else to tell apart."""
    if study.contests or any(cell.setting for cell in study.cells) or means["defence"].nunique() < 2:
        return []
    most = int(means.groupby("defence")["dice"].max().min())
    exact = means.drop_duplicates("effect").set_index("effect")
    each = {effect: f"{exact.loc[effect, 'exact'] / exact.loc[effect, 'dice']:.3f}" for effect in TOLD}
    mine = means[means["dice"] == most].set_index(["defence", "effect"])
    without, having = (
        [_told(mine.loc[(kind, effect)], of) for effect, of in (("killed", "residents"), ("destroyed", "buildings"))]
        for kind in (WITHOUT, WITH)
    )
    return [
        f"With plenty of targets and without defence each die kills {each['killed']} residents, puts {each['fled']} to "
        f"flight, destroys {each['destroyed']} buildings and adds {each['added']} tentacles on average, exactly; in "
        f"simulated games {dice_name(most)} kill {without[0]} and destroy {without[1]}. Where harpoons are fired in "
        f"defence {dice_name(most)} kill {having[0]} and destroy {having[1]}."
    ]


def _told(row: Any, of: str) -> str:
    """A mean in words."""
    return told(estimate_of(row), Unit(1, of))


# ------------------------------------------------------------------------------------------------------------ harpoons


def _chance(study: Study) -> list[str]:
    """The rule's chance of a hit."""
    values = dict.fromkeys(str((defaults(study) | dict(cell.info.rules))["hit"]) for cell in study.cells)
    return [
        f"By the rules a harpoon hits with a chance of {listed(list(values))}. A hit in a hunt or in defence pays; a "
        "result of the dice that is repelled harms nobody."
    ]


HARPOONS = (
    SeatRatio("fired per game", ["n_fired"]),
    SeatRatio("hits", ["n_hit"], ["n_fired"], PERCENT, SHARE),
    SeatRatio("fame per harpoon", ["from_hunting", "from_defence"], ["n_fired"], bounds=(0, 9)),
    *(
        TallyRate(name, "harpoons", {"purpose": [purpose], "hit": [1]}, most=40)
        for name, purpose in zip(("buildings saved per game", "residents saved per game"), DEFENCE, strict=True)
    ),
)

REPORT = Report(
    title="Tentacle Town: who becomes mayor, and what the tentacles do",
    sections=(
        sections.verdicts,
        sections.seats,
        sections.effects(
            Features(
                names=[spoken(card) for card in CARDS],
                has=cards_in,
                rules=("cards", "card_in", "card_out"),
                used="cards_used",
                score="fame",
                unit="fame",
                one="card",
            ),
            "What task cards are worth",
        ),
        sections.what_ifs(
            "rules.die",
            (
                game_mean("n_turns", "turns", "turns"),
                game_mean("n_killed", "residents killed", "residents"),
                game_mean("n_fled", "residents fled", "residents"),
                game_mean("n_destroyed", "buildings destroyed", "buildings"),
                seats_best("fame", "winning fame", "fame"),
                seats_total("fame", "fame of all seats", "fame"),
                seat_share(0),
            ),
            "Other faces on the die",
            lead="fame of all seats",
            note=f"The assumed die has {faces(DIE)}.",
        ),
        sections.strategies,
        sections.rules,
        attack_outcomes,
        sections.happenings(
            Happenings("events", "event", "attacks", "attack", place="district", along="round", most=4),
            "Danger, by district and round",
            drawn=("killed", "destroyed"),
        ),
        sections.sources(
            {
                "from_hunting": "hunting",
                "from_defence": "defence",
                "from_board": "caravan",
                "from_cards": "task cards",
                "from_majority": "majorities",
                "spent": "spent",
            },
            total="fame",
            heading="Where fame comes from",
            unit="fame",
            minus=("spent",),
        ),
        sections.ratios(HARPOONS, "harpoons", "What harpoons yield", "Harpoons of a seat, by strategy", notes=_chance),
        sections.choices("tasks", "option", "how", "work", "What seats do with their turns", "Tasks"),
        sections.length,
        sections.endings,
    ),
    names={"rules.die": die_name, "rules.cards": cards_name},
)
