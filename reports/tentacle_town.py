"""Tentacle Town: what its report shows, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

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
from simkit.report.words import PERCENT, Unit, listed, told
from simkit.stats.intervals import SHARE, Estimate
from simkit.stats.rates import rates, shares
from simkit.stats.verdicts import family_level

# ------------------------------------------------------------------------------------------------- words of the rules


def die_name(die: Sequence[int]) -> str:
    """
    >>> die_name([1, 2, 2, 1, 0]), die_name([1, 1, 2, 1, 1])
    ('1 skull + 2 arrows + 2 destroys + 1 new', '1 skull + 1 arrow + 2 destroys + 1 new + 1 blank')
    """
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
    found = [_outcomes(study, name, cells, is_defended) for name, cells, is_defended in _kinds(study)]
    means = pd.concat([means for means, _, _ in found], ignore_index=True)
    every = pd.concat([each for _, each, _ in found], ignore_index=True)
    blocks: list[Any] = [Text(_how_to_read(found)), _mean_table(means)]
    for name, mine in list(every.groupby("kind", sort=False))[:MOST_FIGURES]:
        blocks.append(_picture(str(name), mine))
    keys = {"kind": "attacks", "dice": "dice", "effect": "what", "number": "how many"}
    caption = (
        "Share of attacks with so many residents killed or fled, buildings destroyed or tentacles added, where there were "
        "residents, buildings and tentacles enough for all dice. Intervals from the spread of 64 groups of deals."
    )
    blocks.append(sections.exact_table("attack_outcomes", caption, every, keys, Known("exact, without defence")))
    return Part("What an attack does", blocks, answer=_attack_answer(study, means))


def _kinds(study: Study) -> list[tuple[str, list[Cell], bool]]:
    """Cells by die, and by whether anybody fires a harpoon in defence."""
    found: dict[tuple[str, bool], list[Cell]] = {}
    for cell in study.cells:
        harpoons = study.run.tallies("harpoons", [cell.id])
        harpoons = counts_of(study, "harpoons", [cell]) if len(harpoons) else harpoons
        is_defended = bool(len(harpoons)) and bool(harpoons["purpose"].isin(DEFENCE).any())
        die = die_name((defaults(study) | dict(cell.info.rules))["die"])
        found.setdefault((die, is_defended), []).append(cell)
    several = len({die for die, _ in found}) > 1
    words = {False: "nobody fires in defence", True: "harpoons are fired in defence"}
    return [
        (", ".join(filter(None, (words[is_defended], die * several))), cells, is_defended)
        for (die, is_defended), cells in sorted(found.items(), key=lambda item: item[0][1])
    ]


def _outcomes(
    study: Study, name: str, cells: Sequence[Cell], is_defended: bool
) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """Means, shares of each number, and how well they agree with the exact values."""
    counts = counts_of(study, "outcomes", cells)
    counts = counts[(counts["plenty"] == 1) & counts["effect"].isin(TOLD) & (counts["dice"] > 0)]
    counts = counts.assign(effect=counts["effect"].cat.set_categories(list(TOLD)))
    n_deals = max(int(cell.info.n_deals) for cell in cells)
    by = ["dice", "effect"]
    sums = counts.assign(count=counts["count"] * counts["number"].astype(int))
    means = rates(sums, _attacks(counts), by, n_deals, (0, counts["dice"].max()))
    exact = _exact(study, cells[0], sorted(counts["dice"].unique()))
    means["exact"] = [
        float(sum(k * p for k, p in exact[dice, effect].items()))
        for dice, effect in zip(*(means[k] for k in by), strict=True)
    ]
    at_95, at_once = (_shares(counts, n_deals, exact, level) for level in (0.95, None))
    note = "" if is_defended else sections.agreement(at_95, at_once)
    own = {"kind": name, "is_defended": is_defended}
    return means.assign(**own), at_95.assign(**own), note


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
    game = study.run.game
    rules = game.rules(**game.components.values_with(cell.info.rules))
    found: dict[tuple[int, str], dict[int, Any]] = {}
    for n in dice:
        for outcome, p in attack_distribution(rules, AttackOptions(dice=int(n))).items():
            for effect, number in zip(TOLD, outcome, strict=False):
                own = found.setdefault((n, effect), {})
                own[number] = own.get(number, 0) + p
    return found


def _how_to_read(found: Sequence[tuple[pd.DataFrame, pd.DataFrame, str]]) -> list[str]:
    """What is compared, and how well it agrees."""
    text = (
        "Counted are attacks on districts that had residents and buildings for all dice, and in which tentacles could "
        "still come: no result was lost for want of a target. The exact value is that of dice against plenty of targets "
        "without defence. Where harpoons are fired in defence the simulated shares must differ from it: a hit saves the "
        "target."
    )
    notes = [f"{each['kind'].iloc[0].capitalize()}: {note}" for _, each, note in found if note]
    return [text, *notes]


def _mean_table(means: pd.DataFrame) -> Table:
    """A row per dice and effect: the mean, exact and simulated."""
    keys = ["dice", "effect", "exact"]
    index = pd.MultiIndex.from_frame(means[keys].drop_duplicates().sort_values("dice", kind="stable"))
    frame = index.to_frame(index=False)
    shown = {"dice": frame["dice"].astype(str), "per attack": frame["effect"].astype(str)}
    shown |= {"exact, without defence": [Unit(1, "").number(value, 3) for value in frame["exact"]]}
    for kind, mine in means.groupby("kind", sort=False):
        own = mine.set_index(keys).reindex(index).reset_index()
        shown |= {str(kind): wide_texts(own.astype({"few_cases": bool}))}
        shown |= {f"attacks ({kind})": [f"{n:,.0f}" if n > 0 else "" for n in own["n"]]}
    caption = f"What an attack does on average, by the dice rolled: {HALF}."
    return sections.table_of("attack_means", caption, shown, means)


def _picture(name: str, mine: pd.DataFrame) -> Any:
    """One kind's bars and dots."""
    dice = mine["dice"].astype(int)
    frame = mine.assign(
        panel=mine["effect"].astype(str), series=[f"{n} di{'e' if n == 1 else 'ce'}" for n in dice], x=mine["number"]
    )
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
    if study.contests or any(cell.setting for cell in study.cells) or means["is_defended"].nunique() < 2:
        return []
    most = int(means["dice"].max())
    mine = means[means["dice"] == most].set_index(["is_defended", "effect"])
    clauses = [
        f"{_told(mine.loc[(False, effect)], of)} without defence (exactly {mine.loc[(False, effect), 'exact']:.3f}) and "
        f"{_told(mine.loc[(True, effect)], of)} with it"
        for effect, of in (("killed", "residents killed"), ("destroyed", "buildings destroyed"))
    ]
    return [f"An attack with {most} dice does on average: {'; '.join(clauses)}."]


def _told(row: pd.Series[Any], of: str) -> str:
    """A mean in words."""
    ends = (float(row["value"]), float(row["low"]), float(row["high"]), int(row["n_deals"]), float(row["level"]))
    return told(Estimate(*ends, str(row["method"])), Unit(1, of))


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
            "The die’s faces",
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
