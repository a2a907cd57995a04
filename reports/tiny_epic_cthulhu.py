"""Tiny Epic Cthulhu: what its report shows, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simkit.games.tiny_epic_cthulhu import GAME
from simkit.report import Report, sections
from simkit.report.cells import Cell
from simkit.report.per_deal import game_mean, table_rate
from simkit.report.sections import Circumstance, Clock, Features, Losses, Mark, Mix, Scale, SeatRatio
from simkit.report.words import PERCENT
from simkit.stats.intervals import SHARE

# ------------------------------------------------------------------------------------------------- words of the rules

GREAT_OLD_ONES = ("nyarlathotep", "yog_sothoth", "yig", "cthulhu")
"""In the order of difficulty that the rulebook names."""
NAMES = {name: str(GAME.components[name].value["name"]) for name in (*GREAT_OLD_ONES, "custom")}
CHARACTERS = tuple(str(character["name"]) for character in GAME.components["characters"].value)
TOWN_CARDS = tuple(
    (str(card["front"]["name"]), str(card["back"]["name"])) for card in GAME.components["town_cards"].value
)
EDITION = ("shamblers_lose", "flip", "must_leave", "page_at_great_old_one", "eldritch_returns", "colour_sealed")

UNDER_WAY = {
    "wheel draw": "of the wheel’s draws",
    "stop": "of a player’s stop beside Shamblers",
    "power by wheel": "of a power that the wheel called",
    "power by madness": "of a power that accursed Madness called",
    "town action": "of a town action",
    "ability": "of a character’s ability",
    "spin": "of the Shambler that the spin brings",
    "pointer": "of the pointer’s Shambler",
}

BY_CALIBRATION = (
    "This order is by calibration, not by finding: of the Great Old Ones the rulebook gives the order of difficulty "
    "alone. Their Strength Tracks, portals and powers are assumed values, chosen so that the win rate falls in that "
    "order (see “What is assumed”). What can be found out is whether it survives other player counts, modes, "
    "strategies and assumptions."
)


def wheel_name(wheel: Sequence[str]) -> str:
    """
    >>> wheel_name(["madness", "chaos", "madness", "fear power", "draw"])
    'a wheel of 5: 2 madness, 1 chaos, 1 fear power, 1 draw'
    """
    icons = dict.fromkeys(wheel)
    return f"a wheel of {len(wheel)}: {', '.join(f'{list(wheel).count(icon)} {icon}' for icon in icons)}"


# ------------------------------------------------------------------------------------------------ characters and towns


def characters_in(rules: Mapping[str, Any]) -> list[bool | None]:
    """Whether each character is at the table; None where the deal decides."""
    if rules["table_characters"]:
        return [None] * len(CHARACTERS)
    sits = {rules["character_in"]: True, rules["character_out"]: False}
    return [sits.get(name) for name in CHARACTERS]


def characters_dealt(run: Any, cell: Cell) -> Any:
    """The games in which each character is at the table, bool (characters, rotations, n)."""
    seats = run.column("seats", "character", cell.id)
    return np.stack([(seats == code).any(axis=1) for code in range(len(CHARACTERS))])


def fronts_up(rules: Mapping[str, Any]) -> list[bool | None]:
    """Whether each town card's front lies up; None where the deal decides."""
    return [
        True if rules["town_up"] == front else False if rules["town_up"] == back else None for front, back in TOWN_CARDS
    ]


def fronts_used(run: Any, cell: Cell) -> Any:
    """The games in which anybody used the front of each town card, bool (cards, rotations, n)."""
    used = np.bitwise_or.reduce(run.column("seats", "sides_used", cell.id), axis=1)
    return np.stack([(used >> 2 * card & 1).astype(bool) for card in range(len(TOWN_CARDS))])


# ----------------------------------------------------------------------------------------------------------- strategies

ACTIONS = (
    SeatRatio("moves", ["n_moves"]),
    SeatRatio("collects", ["n_collects"]),
    SeatRatio("banish tries", ["n_banishes"]),
    SeatRatio("town actions", ["n_towns"]),
    SeatRatio("pages", ["n_translated"]),
    SeatRatio("seal tries", ["n_seals"]),
    SeatRatio("paid with Chaos", ["n_extra"]),
    SeatRatio("abilities", ["n_abilities"]),
)
YIELD = (
    SeatRatio("Madness collected", ["n_collected"]),
    SeatRatio("drawn when stopping", ["n_stop_draws"]),
    SeatRatio("Shamblers banished, by towns too", ["n_banished"]),
    SeatRatio("runes", ["runes"]),
    SeatRatio("portals sealed", ["n_sealed"]),
    SeatRatio("tries that seal", ["n_sealed"], ["n_seals"], PERCENT, SHARE),
    SeatRatio("brain token at the end", ["brain"]),
)

# ------------------------------------------------------------------------------------------------------------ sections

WHY = sections.losses(
    Losses(
        by="rules.great_old_one",
        against="against",
        marks=(
            Mark("lost in Phase Two", ["phase"], lambda phase: phase == 2, "in Phase Two"),
            Mark(
                "near-wins (lost in Phase Two with at most one portal open)",
                ["phase", "portals"],
                lambda phase, portals: (phase == 2) & (portals >= 5),
                "near-wins",
            ),
        ),
        trigger="trigger",
        words=UNDER_WAY,
    ),
    "Why tables lose",
)
DIFFICULTY = sections.difficulty(
    Scale("rules.great_old_one", GREAT_OLD_ONES, "Great Old One"),
    Scale("rules.mode", ("normal", "hard", "madness"), "mode"),
    "Difficulty, by calibration",
    notes=(BY_CALIBRATION,),
)
CHARACTERS_WORTH = sections.effects(
    Features(
        names=CHARACTERS,
        has=characters_in,
        rules=("character_in", "character_out"),
        used=characters_dealt,
        one="character",
        use="was dealt",
        is_dealt=True,
        table="characters",
        note=(
            "With it: the first seat has it; without: nobody has, and whoever was dealt next takes its place. "
            "Beside that stands what dealt games seem to say: those in which it was at the table less those "
            "in which it was not. These are other deals, of any seat; the deal is fair, so that they differ "
            "from its worth by luck and by the seat alone, but they are less sure."
        ),
    ),
    "What characters are worth",
)
TOWNS_WORTH = sections.effects(
    Features(
        names=[f"{front} (not {back})" for front, back in TOWN_CARDS],
        has=fronts_up,
        rules=("town_up",),
        used=fronts_used,
        one="side",
        use="was used",
        table="towns",
    ),
    "What the sides of town cards are worth",
)
EDITIONS = sections.what_ifs(
    ["rules.edition", *(f"rules.{rule}" for rule in EDITION)],
    (
        table_rate(),
        game_mean("n_turns", "turns", "turns", 240),
        game_mean("pages", "pages translated", "pages", 25),
        game_mean("n_strength", "steps of strength", "steps", 60),
    ),
    "What the edition changes",
    lead="table wins",
    note=(
        "The rulebook’s text is an early one; the published game differs from it in six rules. Here each of "
        "them is changed by itself, and all together, on the same deals."
    ),
)
UNDER_WAY_AT_A_LOSS = sections.circumstances(
    (
        Circumstance("trigger", "what was under way"),
        Circumstance("track", "the track that was accursed"),
        Circumstance("power", "whose power was under way", is_drawn=False),
    ),
    "What was under way when tables lost",
)
CLOCKS = sections.clocks(
    (
        Clock("strength_left", "strength left"),
        Clock("brain", "highest brain token"),
        Clock("shamblers_left", "Shamblers left"),
        Clock("n_accursed", "Madness accursed"),
        Clock("pages", "pages"),
        Clock("portals", "portals"),
    ),
    "The clocks at the end",
)
SPENT = sections.mixes(
    (Mix("actions", "actions", "phase", "action", "extra", {"action": ["stop"]}),),
    "What the table spends its actions on",
)
DRAWN = sections.mixes(
    (
        Mix("draws", "tentacles drawn", "phase", "kind", "origin"),
        Mix("accursed", "tracks accursed", "phase", "track", "origin"),
    ),
    "What is drawn, and what is accursed",
)
DONE = sections.ratios(ACTIONS, "seats", "What seats do, by strategy", "Actions of a seat in a game")
YIELDED = sections.ratios(YIELD, "yields", "What comes of it, by strategy", "A seat in a game")

REPORT = Report(
    title="Tiny Epic Cthulhu: why tables lose",
    sections=(
        WHY,
        DIFFICULTY,
        CHARACTERS_WORTH,
        TOWNS_WORTH,
        EDITIONS,
        sections.verdicts,
        sections.table_rate,
        sections.strategies,
        sections.mixed_tables,
        sections.over_time,
        UNDER_WAY_AT_A_LOSS,
        CLOCKS,
        SPENT,
        DRAWN,
        DONE,
        YIELDED,
        sections.rules,
        sections.length,
    ),
    names={
        "rules.great_old_one": NAMES,
        "rules.mode": {"normal": "normal mode", "hard": "hard mode", "madness": "madness mode"},
        "rules.edition": {"rulebook": "the rulebook’s edition", "published": "the published edition"},
        "rules.shamblers_lose": {"yes": "an empty Shambler Mat loses"},
        "rules.flip": {"stopped": "pages turned up only where one stops"},
        "rules.must_leave": {"first-action": "the first action leaves the Great Old One"},
        "rules.page_at_great_old_one": {"face-up": "the page where it starts lies face up"},
        "rules.eldritch_returns": {"yes": "discarded Eldritch return to the bag"},
        "rules.character_in": lambda name: f"{name} in the first seat" if name else "characters dealt",
        "rules.character_out": lambda name: f"no {name}" if name else "nobody left out",
        "rules.town_up": lambda name: f"{name} up" if name else "towns dealt",
        "rules.wheel": wheel_name,
        "rules.colour_sealed": {"power-stops": "the power of a sealed colour stops"},
    },
)
