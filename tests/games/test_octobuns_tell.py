"""Octobuns in words: every event is told as the rulebook would, and the words alone follow the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from simkit.batch import play
from simkit.cli import app
from simkit.experiment import load
from simkit.games.octobuns import GAME
from simkit.games.octobuns.puzzle import cell_sets
from simkit.plan import make_plan
from simkit.replaying.course import Course, plain_row, play_course
from simkit.replaying.telling import lines
from simkit.replaying.telling import told as in_words
from simkit.results import games_columns, seats_columns
from simkit.runner import run
from simkit.strategy import Random
from simkit.trace import Scene, Trace
from tests.golden.octobuns_reader import read

SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "floating": {"grid": "floating", "used_cards": "stay"},
    "together": {"clean_up_sequence": "together", "bun_out_of_stock": "lost", "bun_copies": 2, "copies": 6},
    "at once": {"refill": "at-once", "rebuild_when": "at-once", "copies": 4, "dropped_orders": "bottom"},
    "full": {"full_bakery": "discard", "clean_up_cards": 0, "copies": 9},
    "quick": {"orders_to_end": 1, "finish_round": False, "icons": "all"},
}
N = 5
CALLED = ("john", "liz")
KELP, SHRIMP, PLUM, CRAB, KELP_BUN, PLUM_BUN = 1, 2, 3, 5, 7, 8
OPEN = ["ferryman", "harbour cat", "captain", "whaler"]
pytestmark = pytest.mark.xdist_group("octobuns_told")  # the games are told once


@pytest.fixture(scope="module")
def told() -> dict[str, list[str]]:
    """Games of all settings, as they are read."""
    texts: dict[str, list[str]] = {}
    for number, (name, changes) in enumerate(SETTINGS.items()):
        labels = ("random",) * (2 + number % 3)
        rules = GAME.rules(**GAME.components.values_with(changes | {"max_rounds": 40}))
        texts[name] = ["\n".join(lines(course)) for course in courses(rules, labels)]
    return texts


def courses(rules: Any, labels: tuple[str, ...]) -> Iterator[Course]:
    """The first games of these seats, in step, which is far quicker than one by one."""
    trace, games, seats = Trace(), games_columns(GAME), seats_columns(GAME)
    results = play(GAME, rules, [Random()] * len(labels), 7, 0, N, observer=trace)
    for deal in range(N):
        rows = (plain_row(seats, results.seats, (seat, deal)) for seat in range(len(labels)))
        events = tuple(in_words(GAME, rules, labels, trace.games[deal]))
        yield Course(GAME, rules, labels, 7, deal, events, plain_row(games, results.games, (deal,)), tuple(rows))


@pytest.mark.parametrize("name", SETTINGS)
def test_words_follow_the_rulebook(told: dict[str, list[str]], name: str) -> None:
    assert all(read(text) >= 40 for text in told[name])


def test_every_kind_of_sentence_occurs(told: dict[str, list[str]]) -> None:
    """What can happen has been told at least twice."""
    text = "\n".join(text for texts in told.values() for text in texts)
    kinds = Counter[str]()
    for words in (
        "takes the open kelp in the middle",
        "from the left stack",
        "from the discard pile",
        "and makes a crab bun",
        "but no bun is left: both are discarded",
        "has no place for",
        "slides all cards up 1",
        "from the small pile",
        "of cell 4 to the supply",
        "lifts",
        "discards shrimp",
        "discards plum bun, which goes back to the supply",
        "reserved order, which goes under its pile",
        "uses Extra Rope In",
        "uses Extra Tentacle",
        "uses Take From the Supply",
        "uses the starting card",
        "reserved order with cells",
        "which stay",
        "has completed one order: the game ends",
        "is turned up on the right",
        "go under the stacks, shuffled",
        "new among the open orders",
        "the game is given up after 40 rounds",
        "the most coins: ",
    ):
        kinds[words] = text.count(words)
    assert {words: n for words, n in kinds.items() if n < 2} == {}


# ------------------------------------------------------------------------------------------------------ word for word


def words(event: str, before: dict[str, Any] | None = None, rules: dict[str, Any] | None = None, **told: Any) -> str:
    """What is said of an event of john's turn; sentences are parted by a stroke."""
    made = GAME.rules(**GAME.components.values_with(rules or {}))
    return " / ".join(GAME.tell({"event": event, "seat": 0} | told, Scene(CALLED, made, before or {})))  # type: ignore[misc]


def ids(*names: str) -> list[int]:
    """Orders by the names of guests."""
    rules = GAME.rules(**GAME.components.values_with({}))
    return [rules.order_names.index(name) for name in names]


def path(*cells: int, **rules: Any) -> int:
    """The number of a set of cells, these counted from 1."""
    longest = GAME.rules(**GAME.components.values_with(rules)).longest
    return cell_sets(longest).index(tuple(cell - 1 for cell in cells))


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"way": "open", "place": 1, "item": CRAB}, "john takes the open crab in the middle"),
        ({"way": "tentacle", "place": 0, "item": KELP}, "john takes the open kelp on the left"),
        ({"way": "supply", "place": 2, "item": PLUM}, "john takes plum from the right stack"),
        ({"way": "exchange", "place": 0, "item": PLUM}, "john takes plum from the discard pile"),
    ],
)
def test_a_card_comes_to_hand(told: dict[str, Any], sentence: str) -> None:
    assert words("take", **told) == sentence


@pytest.mark.parametrize(
    ("under", "made", "sentence"),
    [
        (0, 0, "john puts shrimp on cell 4"),
        (KELP, KELP_BUN, "john stacks shrimp on kelp of cell 4 and makes a kelp bun"),
        (KELP, 0, "john stacks shrimp on kelp of cell 4, but no bun is left: both are discarded"),
    ],
)
def test_a_card_is_put_down(under: int, made: int, sentence: str) -> None:
    before = {"hand": [SHRIMP, 0], "bakeries": [[CRAB, 0, 0, under, 0, 0, 0, 0, 0], [0] * 9]}
    assert words("place", before, cell=3, made=made) == sentence


def test_an_eel_bun() -> None:
    """Names of one's own."""
    buns = [{"name": "eel bun", "of": ["kelp", "shrimp"]}]
    small = [{"name": "twins", "items": ["kelp", "eel bun"], "coins": 1}]
    large = [{"name": "whaler", "items": ["kelp", "kelp"], "coins": 20}]
    rules = {"buns": buns, "small_orders": small, "large_orders": large}
    before = {"hand": [SHRIMP, 0], "bakeries": [[KELP, *[0] * 8], [0] * 9]}
    assert words("place", before, rules, cell=0, made=7) == "john stacks shrimp on kelp of cell 1 and makes an eel bun"
    assert words("rope in", None, rules, source=0, order=0) == "john ropes in the twins' order of kelp and eel bun"
    done = {"n_done": [[0, 1], [0, 0]]}
    assert words("complete", None, rules, place=2, order=1, path=path(8, 9), state=done) == (
        "john completes the whaler's order with cells 8-9: 20 coins"
    )


@pytest.mark.parametrize(
    ("event", "told", "rules", "sentence"),
    [
        ("lose", {"item": PLUM}, {}, "john has no place for plum and discards it"),
        ("shift", {"shift": 1}, {}, "john slides all cards up 2 left 2"),
        ("shift", {"shift": 13}, {}, "john slides all cards right 1"),
        ("return", {"cell": 8, "bun": PLUM_BUN}, {}, "john returns the plum bun of cell 9 to the supply"),
        ("lift", {"cell": 0, "item": PLUM_BUN}, {}, "john lifts plum bun from cell 1"),
        ("discard", {"item": PLUM}, {}, "john discards plum"),
        ("discard", {"item": PLUM_BUN}, {}, "john discards plum bun, which goes back to the supply"),
        ("use", {"kind": 0}, {}, "john uses Extra Rope In"),
        ("use", {"kind": 1}, {}, "john uses Extra Tentacle"),
        ("use", {"kind": 2}, {}, "john uses Take From the Supply"),
        ("use", {"kind": 3}, {}, "john uses the starting card"),
        ("refill", {"place": 2, "item": KELP}, {}, "kelp is turned up on the right"),
        ("end", {"cause": "unfinished"}, {"max_rounds": 7}, "the game is given up after seven rounds"),
        ("end", {"cause": "unfinished"}, {"max_rounds": 1}, "the game is given up after one round"),
    ],
)
def test_what_is_said_of(event: str, told: dict[str, Any], rules: dict[str, Any], sentence: str) -> None:
    assert words(event, None, rules, **told) == sentence


@pytest.mark.parametrize(
    ("source", "where"), [(0, ""), (3, ""), (4, " from the small pile"), (5, " from the large pile")]
)
def test_an_order_is_roped_in(source: int, where: str) -> None:
    (order,) = ids("pearl trader")
    assert words("rope in", source=source, order=order) == (
        f"john ropes in the pearl trader's order of crab and crab bun{where}"
    )


@pytest.mark.parametrize(("goes", "where"), [("out", ""), ("bottom", ", which goes under its pile")])
def test_an_order_is_discarded(goes: str, where: str) -> None:
    (order,) = ids("gull")
    said = words("drop", None, {"dropped_orders": goes}, place=0, order=order)
    assert said == f"john discards the gull's reserved order{where}"


@pytest.mark.parametrize(
    ("guest", "place", "cells", "rules", "sentence"),
    [
        ("mermaid", 0, (1, 2, 5), {}, "john completes the mermaid's order with cells 1-2-5: three coins"),
        (
            "lighthouse keeper",
            4,
            (4, 7),
            {},
            "the lighthouse keeper's reserved order with cells 4-7: one coin and Extra",
        ),
        ("cabin boy", 1, (7, 8, 9), {}, "cells 7-8-9: two coins and Extra Tentacle"),
        ("seal", 1, (2, 3), {"used_cards": "stay"}, "cells 2-3, which stay: two coins and Take From the Supply"),
        ("seal", 1, (2, 3), {"icons": "none", "coins": "flat"}, "with cells 2-3: three coins"),
    ],
)
def test_an_order_is_completed(
    guest: str, place: int, cells: tuple[int, ...], rules: dict[str, Any], sentence: str
) -> None:
    (order,) = ids(guest)
    state = {"n_done": [[1, 1], [4, 0]]}
    assert sentence in words("complete", None, rules, place=place, order=order, path=path(*cells), state=state)


@pytest.mark.parametrize(
    ("done", "rules", "more"),
    [
        ([3, 2], {}, " / john has completed five orders: the round is finished"),
        ([0, 1], {"orders_to_end": 1, "finish_round": False}, " / john has completed one order: the game ends"),
        ([3, 3], {}, ""),
    ],
)
def test_the_last_order(done: list[int], rules: dict[str, Any], more: str) -> None:
    """It is told when a seat has its orders, not again for further ones."""
    (order,) = ids("ferryman")
    said = words("complete", None, rules, place=0, order=order, path=path(1, 4), state={"n_done": [done, [5, 0]]})
    assert said == f"john completes the ferryman's order with cells 1-4: two coins{more}"


@pytest.mark.parametrize(
    ("discards", "begin"),
    [
        ([0, 3, 1, 0, 8, 0], "12 cards of the discard pile go under the stacks, shuffled"),
        ([0, 0, 1, 0, 0, 0], "one card of the discard pile goes under the stacks, shuffled"),
    ],
)
def test_the_supply_is_rebuilt(discards: list[int], begin: str) -> None:
    state = {"stacks": [[PLUM, KELP], [CRAB], []]}
    assert words("rebuild", {"discards": discards}, state=state) == (
        f"{begin}; the stacks are two cards with plum on top, one card with crab on top and empty"
    )


def test_new_orders() -> None:
    """Those alone that were not there before."""
    old, cat, captain, whaler = ids(*OPEN)
    before = {"open_orders": [None, cat, captain, None]}
    assert words("orders", before, state={"open_orders": [old, cat, captain, whaler]}) == (
        "new among the open orders: the ferryman's order of sesame and plum; "
        "the whaler's order of shrimp, leek, plum and crab"
    )


def test_the_setup() -> None:
    """With gifts for an experiment."""
    rules = {"given_order": "gull", "given_icon": "tentacle", "starting_cards": 2}
    state = {
        "open": [KELP, PLUM, CRAB],
        "stacks": [[PLUM] * 19, [CRAB] * 19, [KELP] * 19],
        "open_orders": [*ids(*OPEN)[:2], None, None],
        "reserved": [[None, *ids("gull")], [None, None]],
        "icons": [[0, 1, 0], [0, 0, 0]],
    }
    assert words("setup", None, rules, seat=None, state=state).split(" / ") == [
        "the open ingredients are kelp, plum and crab",
        "the stacks are 19 cards with plum on top, 19 cards with crab on top and 19 cards with kelp on top",
        "the open orders are the ferryman's order of sesame and plum; the harbour cat's order of kelp and leek",
        "john has reserved the gull's order of leek and plum bun",
        "john may use Extra Tentacle once",
        "each player has two starting cards",
    ]


@pytest.mark.parametrize(
    ("coins", "buns", "rules", "sentences"),
    [
        ((9, 11), (1, 0), {}, "ten coins for john, with one bun left / 11 coins for liz, with no buns left / liz wins"),
        (
            (0, 0),
            (2, 1),
            {"coins_per_bun": 0},
            "no coins for john, with two buns left / * / john wins for the most buns",
        ),
        ((3, 2), (0, 1), {}, "three coins for john, with no buns left / * / liz wins for the most buns"),
        ((2, 2), (1, 1), {}, "* / * / john and liz share the win"),
    ],
)
def test_the_end(coins: tuple[int, int], buns: tuple[int, int], rules: dict[str, Any], sentences: str) -> None:
    """Coins, then buns; then the win is shared."""
    bakeries = [[PLUM_BUN] * n + [CRAB] * 3 + [0] * (6 - n) for n in buns]
    said = words("end", None, rules, seat=None, cause="orders", state={"bakeries": bakeries, "coins": coins}).split(
        " / "
    )
    *told, wins = sentences.split(" / ")
    assert said[-1] == f"the most coins: {wins}"
    assert all(sentence in ("*", own) for sentence, own in zip(told, said[:-1], strict=True))


def test_gifts_are_told_in_a_game() -> None:
    """As they are when one is played."""
    rules = GAME.rules(**GAME.components.values_with({"given_order": "gull", "given_icon": "supply", "max_rounds": 1}))
    course = play_course(GAME, rules, [Random()] * 2, ("random", "random"), 1, 0)
    said = [
        sentence for event in course.events for sentence in event["words"] if sentence.startswith("random (seat 1)")
    ]
    assert said[:2] == [
        "random (seat 1) has reserved the gull's order of leek and plum bun",
        "random (seat 1) may use Take From the Supply once",
    ]


def test_a_run_is_replayed_in_words(tmp_path: Path) -> None:
    """What `simkit replay` shows is held to the rulebook, too."""
    path = tmp_path / "few.toml"
    head = 'game = "octobuns"\nplayers = [3]\ngames = 60\nline_ups = [["random", "random", "random"]]'
    path.write_text(f"{head}\n[rules]\norders_to_end = 1\n", encoding="utf-8")
    run(make_plan(load(path), path), tmp_path / "few", jobs=1, command="simkit run few")
    for deal in ("0", "17", "19"):
        shown = CliRunner().invoke(app, ["replay", str(tmp_path / "few"), deal])
        assert shown.exit_code == 0
        assert read(shown.stdout) >= 40
