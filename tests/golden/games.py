"""The games whose course is kept here, told line by line: each shows something that the others do not.

    python -m tests.golden.regenerate

writes them anew. Read what has changed against the rulebook before you commit it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from simkit.catalog import find_game, load_strategy
from simkit.experiment import StrategySpec
from simkit.replaying.course import Course, play_course
from simkit.replaying.telling import lines
from tests.golden.cthulhu_mats import ANYWHERE, FIRST, LEAN, mat
from tests.toy.planned import TOY

FOLDER = Path(__file__).parent
SEED = 20261130


@dataclass(frozen=True)
class Kept:
    """A game, and words that must occur in it: it was chosen for them."""

    line_up: tuple[str, ...]
    deal: int
    shows: tuple[str, ...]
    rules: Mapping[str, Any] = field(default_factory=dict)
    game: str = "tentacolor"

    def course(self) -> Course:
        """The game, played."""
        base = TOY if self.game == "beacon" else Path()
        game = find_game(self.game, base)
        rules = game.rules(**game.components.values_with(self.rules))
        files = {name: str(FOLDER / f"{name}.py") for name in ("hasty", "eager")}
        specs = [StrategySpec.model_validate({"name": files.get(name, name)}) for name in self.line_up]
        strategies = [load_strategy(spec, game.id, base) for spec in specs]
        return play_course(game, rules, strategies, self.line_up, SEED, self.deal)

    def text(self) -> str:
        """The game, told."""
        return "\n".join(lines(self.course())) + "\n"


def town(players: int, deal: int, shows: tuple[str, ...], rules: Mapping[str, Any] | None = None) -> Kept:
    """A game of Tentacle Town by seats that try everything."""
    return Kept(("random",) * players, deal, shows, rules or {}, "tentacle-town")


def cthulhu(line_up: str, deal: int, shows: tuple[str, ...], rules: Mapping[str, Any]) -> Kept:
    """A game of Tiny Epic Cthulhu with a mat of its own, which no calibration changes."""
    return Kept(tuple(line_up.split()), deal, shows, {"great_old_one": "custom", **rules}, "tiny-epic-cthulhu")


def buns(line_up: str, deal: int, shows: tuple[str, ...], rules: Mapping[str, Any]) -> Kept:
    """A game of Octobuns, by seats that no change of the library's strategies touches."""
    return Kept(tuple(line_up.split()), deal, shows, rules, "octobuns")


SMALL = {"cards": 20, "sharks": 2, "schools": 4, "rares": 4}
"""Two copies of each colour pair: a game comes to the end of the pile before one is tired of reading."""

QUICK = {"page_cost": 1, "pages_per_card": "2", "actions": 5}
"""The Necronomicon is translated before one is tired of reading."""

KEPT = {
    "two-players": Kept(
        ("spiteful", "longest-run"),
        177,
        ("run is now 6", "which completes its tentacle", "sends the shark", "school of fish", "rare specimen"),
    ),
    "three-players-spiteful": Kept(
        ("blocker", "spiteful", "shark-hunter"),
        367,
        ("sends the shark", "school of fish", "rare specimen", "a new series begins", "run is now 5"),
    ),
    "four-players": Kept(
        ("flexible", "spiteful", "longest-run", "random"), 23, ("sends the shark", "then places", "Round 6")
    ),
    "shark-without-prey": Kept(
        ("blocker", "spiteful", "shark-hunter"), 228, ("the shark has no effect: no opponent has a card",)
    ),
    "expert": Kept(
        ("objective", "spiteful", "objective"),
        128,
        ("is dealt the Extremity card", "is not on its Extremity card", "if it lasts", "reveals its Extremity card"),
        {"expert": True},
    ),
    "deck-out-shared": Kept(
        ("longest-run", "random", "random"),
        68,
        ("the last card of the draw pile", "the longest run wins", "share the win"),
        SMALL,
    ),
    "deck-out-expert": Kept(
        ("objective", "random", "objective", "random"),
        151,
        ("the rare specimen has no effect", "the longest run in a colour of one's own Extremity card wins"),
        SMALL | {"expert": True},
    ),
    "deck-out-reshuffled": Kept(
        ("spiteful", "spiteful"),
        20,
        ("are shuffled as a new one", "wins the game"),
        {"cards": 30, "deck_out": "reshuffle"},
    ),
    "rare-at-deck-out": Kept(
        ("random", "random", "random"),
        59,
        ("no card to draw for the rare specimen, but two left", "has no card left"),
        SMALL | {"rares": 5, "rare_at_deck_out": "play-one"},
    ),
    "unfinished": Kept(
        ("spiteful", "flexible"), 1, ("given up after 2 rounds", "nobody wins"), {"max_rounds": 2, "colours": 6}
    ),
    "town-two-players": town(
        2,
        168,
        ("the resident is saved", "and hunts tentacles", "undefended", ": all are in play", "fires no more harpoons"),
    ),
    "town-three-players": town(
        3,
        91,
        (
            "Sell Sushi: ",
            "Housing Project: pays",
            "Hire Movers: moves",
            "have the most buildings",
            "another one appears",
        ),
    ),
    "town-four-players": town(
        4, 485, ("third row", "discarded", "the building is saved", "are tied", "for the most gold")
    ),
    "town-token-limit": town(3, 201, ("is left of the 12 tokens",), {"token_limit": True, "tokens": 12}),
    "town-volley": town(
        2,
        590,
        ("throws two harpoons", "a hit, but no tentacle is left there", "for good", "the resident is saved"),
        {"hunt_firing": "volley", "harpoons_per_result": 2, "destroyed_returns": False}
        | {"start_harpoons": 8, "residents": 12},
    ),
    "town-without-cards": town(
        4,
        399,
        ("no task cards are in play", "Calamari Caravan", "Forge Harpoons"),
        {"task_cards": 0, "adjacency": "line", "dice_order": "skulls-first", "residents": 12},
    ),
    "town-unfinished": town(
        2, 50, ("given up after 3 rounds", "none comes"), {"max_rounds": 3, "task_cards": 12, "tentacles": 5}
    ),
    "cthulhu-won": cthulhu(
        "hasty hasty",
        976,
        ("Phase Two begins", "the table wins", "fails to seal", "lines of the Necronomicon", "rolls no die again"),
        QUICK | {"custom": mat([2, 2, 2, 3, 3], [2, 2, 3], (1, 3), FIRST)},
    ),
    "cthulhu-lost-on-the-front": cthulhu(
        "random hasty",
        882,
        ("its full strength", "its fear power", "its rage power", "its greed power", "swaps", "translates"),
        {"custom": mat([3, 3, 4], [3, 3, 4], (2, 3), LEAN)},
    ),
    "cthulhu-lost-on-the-back": cthulhu(
        "hasty hasty hasty",
        1432,
        ("Phase Two begins", "its full strength", "seals the", "fails to seal"),
        QUICK | {"custom": mat([1, 1, 2], [3, 4], (3, 4), FIRST)},
    ),
    "cthulhu-delirium": cthulhu(
        "hasty random",
        2131,
        ("has gone completely mad", "rolls no die again", "translates", "banishes a"),
        {"custom": mat([2, 2, 2, 3, 3], [2, 2, 3], (1, 2), FIRST)},
    ),
    "cthulhu-published": cthulhu(
        "random random random",
        1056,
        ("no Shambler is left on the Shambler Mat", "lies face up", "its rage power"),
        {"edition": "published", "shamblers_each": 3, "custom": mat([2, 3, 3], [2, 2, 3], (1, 2), ANYWHERE)},
    ),
    "cthulhu-four-players": cthulhu(
        "random random random random",
        949,
        ("its fear power", "its rage power", "its greed power", "comes from the supply", "ability of", "lures"),
        {"custom": mat([3, 3, 4], [2, 2, 3], (1, 2), ANYWHERE)},
    ),
    "cthulhu-solo-without-powers": cthulhu(
        "hasty hasty",
        82,
        ("there are no powers", "2 of 3", "collects 1 fear more", "the table wins"),
        QUICK
        | {"abilities": "none", "powers": "none", "temperament_track": 3, "page_cost": 0}
        | {"custom": mat([2, 2, 2], [2, 2, 3], (0, 1), FIRST)},
    ),
    "cthulhu-twice": cthulhu(
        "hasty hasty hasty",
        3489,
        ("power twice", "has its Brain Token at", "from the Energy Track to the bag", "sealed portals stop", "loses 1"),
        QUICK
        | {"powers": "twice", "brain_at_start": True, "delirium": 5, "failed_seal": "tentacle", "free_banish": False}
        | {"eldritch_returns": "yes", "colour_sealed": "power-stops", "energy_at_flip": "bag", "page_cost": 0}
        | {"custom": mat([1, 1, 2, 2], [1, 2], (1, 3), ANYWHERE)},
    ),
    "cthulhu-unfinished": cthulhu(
        "hasty hasty",
        36,
        ("given up after 3 rounds", "to banish a rage Shambler", "can pay for no", "its rage power"),
        {"mode": "madness", "max_rounds": 3, "wheel_tail": "independent", "must_leave": "first-action"}
        | {"powers_resolve": "after-draws", "banish_target": "before-roll", "banish_cost": "sum", "rerolls": "total"}
        | {"custom": mat([2, 2, 3], [2, 2, 3], (1, 2), LEAN)},
    ),
    "octobuns-two-players": buns(
        "eager eager",
        58,
        ("makes a", "uses Extra Rope In", "uses Extra Tentacle", "uses Take From the Supply", "for the most buns"),
        {"orders_to_end": 3},
    ),
    "octobuns-four-players": buns(
        "eager random eager random",
        290,
        ("from the large pile", "to the supply", "uses Extra", "from the discard pile", "lifts", "reserved order\n"),
        {"orders_to_end": 2},
    ),
    "octobuns-floating": buns(
        "random random",
        2,
        ("slides all cards", "reserved order, which goes under its pile"),
        {"grid": "floating", "dropped_orders": "bottom", "max_rounds": 12},
    ),
    "octobuns-together": buns(
        "random random random",
        2,
        ("but no bun is left", "given up after 16 rounds", "which goes back to the supply"),
        {"clean_up_sequence": "together", "bun_out_of_stock": "lost", "bun_copies": 2, "copies": 6, "max_rounds": 16},
    ),
    "octobuns-rebuilt": buns(
        "eager eager eager",
        179,
        ("go under the stacks, shuffled", "goes under the stacks", "which stay"),
        {"copies": 4, "used_cards": "stay", "rebuild_when": "at-once", "refill": "at-once", "orders_to_end": 3},
    ),
    "octobuns-shared": buns("eager eager", 190, ("share the win",), {"orders_to_end": 2}),
    "octobuns-unequal-turns": buns(
        "eager eager", 118, ("the game ends", "for the most buns"), {"orders_to_end": 2, "finish_round": False}
    ),
    "beacon-won": Kept(("watchful", "plain"), 73, ("card 9", "line of light", "the table wins"), game="beacon"),
    "beacon-lost": Kept(
        ("watchful", "plain", "thrifty"), 80, ("let it go out", "the table does not win"), game="beacon"
    ),
}


def faults(folder: Path = FOLDER) -> list[str]:
    """What is wrong with the files of a folder: missing, stale, or of no game."""
    files = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.txt")}
    names = sorted({*files, *texts()})
    return [name for name in names if files.get(name) != texts().get(name)]


@cache
def texts() -> dict[str, str]:
    """All games, played and told once."""
    return {name: kept.text() for name, kept in KEPT.items()}
