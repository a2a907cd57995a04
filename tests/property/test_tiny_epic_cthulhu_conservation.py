"""Witness 2: whatever the rules and the strategies, every token and card is in one place after every event.

Tentacles, Shamblers, page tokens and cards are counted from the state that traces tell; and every view is compared with
it: all that lies open, and nothing of a page that nobody has seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.batch import play
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.cards import ROUTES
from simkit.strategy import Epsilon, Random, Strategy
from simkit.table import Table
from simkit.view import View
from tests.games.tiny_epic_cthulhu_likings import EASY, HUNTER, SCHOLAR, Likes, long_mat

SPACES = 25
NO_CARD = 255


def rules_with(**changes: Any) -> Any:
    """Tiny Epic Cthulhu's rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


# ------------------------------------------------------------------------------------------------------------- counting


def miscounts(rules: Any, state: Mapping[str, Any]) -> list[str]:
    """What a state has too much or too little of, and tracks that hold more than they can."""
    covered = [state["portals"].count(kind) for kind in range(4)]
    completed = sum(row == 5 for row in state["rows"]) + min(state["rows"])
    found = {
        "chaos": state["bag"][3] + state["discard"][3] + state["chaos_supply"] + state["lines"],
        "eldritch": state["bag"][4] + state["discard"][4] + state["eldritch_supply"] + state["energy"],
        "lines": state["lines"],
    }
    found["chaos"] += sum(state["chaos"]) + covered[3]
    found["eldritch"] += sum(state["town_eldritch"])
    should = {"chaos": rules.chaos, "eldritch": rules.eldritch, "lines": rules.chaos_per_line * (10 - completed)}
    for colour in range(3):
        held = [*state["madness"], *state["temper"]]
        loose = sum(state[place][colour] for place in ("bag", "discard", "mat"))
        found[f"madness {colour}"] = loose + sum(track[colour] for track in held) + covered[colour]
        found[f"shamblers {colour}"] = state["mat_shamblers"][colour] + sum(town[colour] for town in state["shamblers"])
        should |= {f"madness {colour}": rules.madness_each, f"shamblers {colour}": rules.shamblers_each}
    off = [f"{name}: {found[name]} instead of {number}" for name, number in should.items() if found[name] != number]
    return off + [
        f"{name}: {number} of {most}" for name, number, most in limits(rules, state) if not 0 <= number <= most
    ]


def limits(rules: Any, state: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    """Tracks, what lies on them, and what may."""
    side = state["side"]
    told = [
        ("side", side, 1),
        ("energy", state["energy"], max(rules.energy_track[: side + 1])),
        ("strength", state["strength"], len(rules.draws(side))),
        ("left", state["left"], rules.actions),
        ("n_dealt", state["n_dealt"], len(rules.pages)),
        ("goo", state["goo"], 4),
    ]
    for town in range(5):
        told += [(f"madness of town {town}", n, rules.madness_track) for n in state["madness"][town]]
        told.append((f"Shamblers of town {town}", sum(state["shamblers"][town]), rules.shambler_track))
        told.append((f"Eldritch of town {town}", state["town_eldritch"][town], 1))
        told.append((f"row {town}", state["rows"][town], 5))
    for seat, at in enumerate(state["at"]):
        told += [(f"temper of seat {seat}", n, rules.temperament_track) for n in state["temper"][seat]]
        told.append((f"chaos of seat {seat}", state["chaos"][seat], rules.chaos_track))
        told.append((f"brain of seat {seat}", state["brain"][seat], rules.delirium))
        told.append((f"place of seat {seat}", at, 4))
    numbers = [*state["bag"], *state["discard"], *state["mat"], state["chaos_supply"], state["eldritch_supply"]]
    return told + [("a pile", number, 250) for number in numbers]


class Inventory:
    """An observer that counts everything in every game after every event, and looks at every view.

    Attributes
    ----------
    n_events, n_looks, phases
        Events counted, views compared, events by the side of the mat.
    """

    def __init__(self, rules: Any) -> None:
        self.rules, self.n_events, self.n_looks, self.phases = rules, 0, 0, [0, 0]
        self.translated: dict[int, list[int]] = {}
        self.runes: dict[int, list[list[int]]] = {}

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        """Count."""
        columns = table.live.nonzero()[0] if games is None else games
        cards = fields["card"] if event == "translate" else None
        for place, state in enumerate(GAME.describe(table, columns)):
            deal = int(table.deals[columns[place]])
            runes = self.runes.setdefault(deal, [[0, 0, 0] for _ in range(table.seats)])
            done = self.translated.setdefault(deal, [])
            if cards is not None and seat is not None:
                done.append(int(cards[place]))
                runes[seat] = [n + int(m) for n, m in zip(runes[seat], self.rules.page_runes[done[-1]], strict=True)]
            assert miscounts(self.rules, state) == [], event
            self._count_cards(state, done)
            assert state["runes"] == runes, event
            if event == "phase":
                assert not any(state["discard"])
            elif event == "fed" or (event == "draw" and fields["kind"][place] == 4):
                assert not fields["accursed"][place] or not any([*state["discard"][:4], state["energy"]])
            self.n_events += 1
            self.phases[state["side"]] += 1

    def _count_cards(self, state: Mapping[str, Any], translated: list[int]) -> None:
        """A page is on show, translated, or still in the deck; page tokens are those of the translated ones."""
        shown = [page for page in state["pages"] if page != -1]
        assert len({*shown, *translated}) == len(shown) + len(translated) == state["n_dealt"]
        assert all(0 <= page < len(self.rules.pages) for page in shown)
        assert not any(up and page == -1 for page, up in zip(state["pages"], state["face_up"], strict=True))
        assert all(known for known, up in zip(state["known"], state["face_up"], strict=True) if up)
        tokens = np.minimum(self.rules.page_numbers[translated].sum(axis=0), 5)
        assert state["rows"] == tokens.tolist()
        assert (state["side"] == 1) == (sum(state["rows"]) == SPACES) or state["side"] == 0

    def decided(self, table: Table, view: View, choice: Any) -> None:
        """A view shows the state as it is, seen from its seat; no page that has not been seen."""
        asked = view.asked.nonzero()[0]
        assert view.legal[choice[asked], asked].all()
        for column, state in zip(asked, GAME.describe(table, view.columns[asked]), strict=True):
            assert differences(self.rules, view, column, state) == [], view.decision
            self.n_looks += 1


OPEN_TO_ALL = (
    *("goo", "strength", "energy", "bag", "discard", "mat", "mat_shamblers", "chaos_supply", "eldritch_supply"),
    *("madness", "shamblers", "sides", "face_up", "rows", "must_leave", "ability_used"),
)


def differences(rules: Any, view: View, column: int, state: Mapping[str, Any]) -> list[str]:
    """Where a view does not show what it may."""
    known = [page if is_known else NO_CARD for page, is_known in zip(state["pages"], state["known"], strict=True)]
    side = state["side"]
    should = {name: state[name] for name in OPEN_TO_ALL} | {
        "page": [NO_CARD if page == -1 else page for page in known],
        "is_phase_two": side == 1,
        "is_sealed": [cover != -1 for cover in state["portals"]],
        "n_shamblers": [sum(town) for town in state["shamblers"]],
        "actions_left": state["left"],
        "n_draws": rules.draws(side)[state["strength"]],
        "strength_left": len(rules.draws(side)) - state["strength"],
        "energy_room": max(rules.energy_track[side] - state["energy"], 0),
    }
    found = {name: getattr(view, name)[..., column].tolist() for name in should}
    for left in range(view.seats):
        seat = (view.seat + left) % view.seats
        for name in ("at", "temper", "chaos", "brain", "runes", "character"):
            key = f"{name}, {left} to the left"
            should[key] = state["characters" if name == "character" else name][seat]
            found[key] = getattr(view, name)(left)[..., column].tolist()
    here = state["at"][view.seat]
    should |= {"here": state["madness"][here], "ahead": state["shamblers"][(here + 2) % 5]}
    found |= {"here": view.here(view.madness)[..., column].tolist()}
    found |= {"ahead": view.ahead(view.shamblers, 2)[..., column].tolist()}
    return [f"{name}: {found[name]} instead of {value}" for name, value in should.items() if found[name] != value]


# ------------------------------------------------------------------------------------------------- any rules, any seats

few = st.integers(1, 3)


@st.composite
def any_move(draw: st.DrawFn, what: str, never: tuple[str, ...] = ()) -> dict[str, Any]:
    """A move of tentacles along any route."""
    sources, targets = ([place for place in places if place not in never] for places in ROUTES[what])
    source = draw(st.sampled_from(sources))
    target = draw(st.sampled_from([place for place in targets if place != source]))
    return {"do": "move", "what": what, "from": source, "to": target, "n": draw(few)}


plain = st.sampled_from(["swap", "travel", "lure"]).map(lambda do: {"do": do})
reveal = few.map(lambda n: {"do": "reveal", "n": n})
draws = few.map(lambda n: {"do": "draw", "n": n})
actions = st.lists(
    st.one_of(
        *(any_move(what) for what in ("madness", "chaos", "eldritch")),
        *(plain, reveal, draws, st.just({"do": "banish", "n": 1})),
    ),
    max_size=2,
)
powers = st.lists(
    st.one_of(
        *(any_move(what, ("you",)) for what in ("colour", "chaos", "eldritch")),
        few.map(lambda n: {"do": "feed", "n": n}),
        few.map(lambda n: {"do": "fill", "n": n}),
        few.map(lambda n: {"do": "hide", "n": n}),
        st.sampled_from(["you", "all"]).map(lambda who: {"do": "draw", "who": who}),
        st.sampled_from(["pointer", "great-old-one"]).map(lambda where: {"do": "spawn", "where": where, "n": 2}),
    ),
    max_size=2,
)
passives = st.fixed_dictionaries({}, optional=dict.fromkeys(("steps", "collects", "rerolls", "banish_dice"), few))


@st.composite
def any_cards(draw: st.DrawFn) -> dict[str, Any]:
    """Towns, characters and a Great Old One of any sort."""
    colours = ("fear", "rage", "greed")
    two = st.tuples(*[st.sampled_from(colours)] * 2).map(list)

    def side(name: str) -> dict[str, Any]:
        return {"name": name, "colours": draw(two), "effects": draw(actions)}

    towns = [{"front": side(f"front {card}"), "back": side(f"back {card}")} for card in range(5)]
    names = [f"character {number}" for number in range(5)]
    characters = [{"name": name, "effects": draw(actions), "passive": draw(passives)} for name in names]
    mat = long_mat(draw(st.integers(3, 12)), draw(st.integers(1, 4)), **{colour: draw(powers) for colour in colours})
    if draw(st.booleans()):
        mat["back_powers"] = {colour: draw(powers) for colour in colours}
    return {"town_cards": towns, "characters": characters, "custom": mat, "great_old_one": "custom"}


@st.composite
def any_rules(draw: st.DrawFn) -> Any:
    """Any of the alternatives of every rule; tracks and counts of many sizes; often cards of any sort."""
    changes = {
        name: draw(st.sampled_from([entry.value, *entry.alternatives]))
        for name, entry in GAME.components.items()
        if entry.alternatives
    }
    front = draw(st.integers(1, 3))
    changes |= {
        "madness_track": draw(st.integers(1, 3)),
        "shambler_track": draw(st.integers(1, 3)),
        "energy_track": [front, draw(st.integers(front, 3))],
        "temperament_track": draw(st.integers(1, 3)),
        "chaos_track": draw(st.integers(0, 3)),
        "delirium": draw(st.integers(2, 30)),
        "shamblers_each": draw(st.integers(2, 5)),
        "page_cost": draw(st.integers(0, 2)),
        "pages_per_card": draw(st.sampled_from(["1", "1-2", "2"])),
        "n_dice": draw(st.integers(1, 3)),
        "mode": draw(st.sampled_from(["normal", "hard", "madness"])),
        "eldritch": draw(st.integers(10, 23)),
        "great_old_one": draw(st.sampled_from(["nyarlathotep", "yog_sothoth", "yig", "cthulhu"])),
        "max_rounds": draw(st.integers(1, 12)),
    }
    changes |= draw(any_cards()) if draw(st.booleans()) else {}
    if draw(st.booleans()):
        custom = {**long_mat(20, 1), "powers": changes.get("custom", long_mat())["powers"]}
        changes |= EASY | {"custom": custom, "shamblers_each": 5, "max_rounds": 20}
    return rules_with(**changes)


liked = st.sampled_from([HUNTER, SCHOLAR, SCHOLAR]).map(Likes)
seatings = st.lists(
    st.one_of(st.just(Random()), st.builds(Epsilon, liked, st.sampled_from([0.0, 0.3]))), min_size=2, max_size=4
)


def counted(rules: Any, strategies: list[Strategy], seed: int, n: int, kind: type[Inventory] = Inventory) -> Inventory:
    """Play with everything counted."""
    inventory = kind(rules)
    play(GAME, rules, strategies, seed, 0, n, observer=inventory)
    assert inventory.n_events > n
    return inventory


@settings(max_examples=5, deadline=None)
@given(any_rules(), seatings, st.integers(0, 2**32))
def test_nothing_is_lost(rules: Any, strategies: list[Strategy], seed: int) -> None:
    counted(rules, strategies, seed, 2)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(any_rules(), seatings, st.integers(0, 2**32))
def test_nothing_is_lost_over_and_over(rules: Any, strategies: list[Strategy], seed: int) -> None:
    counted(rules, strategies, seed, 6)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_lost_by_the_rulebook(players: int) -> None:
    inventory = counted(rules_with(), [Epsilon(Likes(SCHOLAR), 0.2)] * (players - 1) + [Random()], 5, 8)
    assert inventory.n_looks > 100


@pytest.mark.parametrize("edition", ["rulebook", "published"])
def test_nothing_is_lost_in_phase_two(edition: str) -> None:
    """Cheap pages, two numbers on each, and a Great Old One in no hurry."""
    inventory = counted(rules_with(**EASY, edition=edition), [Likes(SCHOLAR)] * 2, 6, 8)
    assert min(inventory.phases) > 100


# ---------------------------------------------------------------------------------------------------- negative controls


class Thief(Inventory):
    """Takes something away, or puts something there, behind the game's back; in the second turn."""

    array, place, change = "bag", 0, 1
    is_done = False

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        columns = table.live.nonzero()[0] if games is None else games
        if table.turn == 1 and not self.is_done and len(columns):
            game = columns[0]
            cells = getattr(table.state, self.array).reshape(-1, table.n)
            cells[self.place, game] = int(cells[self.place, game]) + self.change & 255
            self.is_done = True
        super().noted(table, event, seat, games, fields)


PLACES = [
    *(("bag", kind) for kind in range(5)),
    *(("discard", kind) for kind in range(5)),
    *(("mat", 0), ("mat_shamblers", 1), ("chaos_supply", 0), ("eldritch_supply", 0), ("energy", 0)),
    *(("madness", 7), ("shamblers", 4), ("town_eldritch", 3), ("temper", 2), ("chaos", 1), ("rows", 2)),
    *(("n_dealt", 0), ("runes", 1)),
]


@pytest.mark.parametrize(("array", "place"), PLACES)
def test_one_too_many_is_noticed(array: str, place: int) -> None:
    with pytest.raises(AssertionError):
        counted(rules_with(), [Random()] * 2, 1, 3, type("Giver", (Thief,), {"array": array, "place": place}))


@pytest.mark.parametrize(("array", "place"), [("bag", 0), ("eldritch_supply", 0), ("mat_shamblers", 0), ("mat", 2)])
def test_one_too_few_is_noticed(array: str, place: int) -> None:
    with pytest.raises(AssertionError):
        counted(
            rules_with(), [Random()] * 2, 1, 3, type("Taker", (Thief,), {"array": array, "place": place, "change": -1})
        )


class Forger(Inventory):
    """Lays a copy of one page beside another town, in the second turn."""

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        if table.turn == 1:
            table.state.pages[0] = table.state.pages[1]
        super().noted(table, event, seat, games, fields)


def test_a_page_that_is_there_twice_is_noticed() -> None:
    with pytest.raises(AssertionError):
        counted(rules_with(), [Random()] * 2, 1, 3, Forger)


class Forgetful(Inventory):
    """Believes that no page has been seen, or that all have."""

    belief = False

    def decided(self, table: Table, view: View, choice: Any) -> None:
        """A view that shows a page or hides one."""
        for column, state in zip(view.asked.nonzero()[0], GAME.describe(table, view.columns[view.asked]), strict=True):
            assert differences(self.rules, view, column, {**state, "known": [self.belief] * 5}) == []


@pytest.mark.parametrize("belief", [True, False])
def test_views_that_show_other_pages_are_noticed(belief: bool) -> None:
    with pytest.raises(AssertionError):
        counted(rules_with(), [Likes(SCHOLAR)] * 2, 1, 3, type("Believer", (Forgetful,), {"belief": belief}))
