"""Witness 2: whatever the rules and the strategies, cards are conserved and only legal moves are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.batch import play
from simkit.games.tentacolor import GAME
from simkit.strategy import Epsilon, Random
from simkit.table import Table
from simkit.view import View
from tests.games.tentacolor_replay import rules_with, scripted

Games = npt.NDArray[np.intp]


class Conservation:
    """Counts every card after every event."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.n_events = rules, 0
        self.copies = rules.cards // len(rules.pairs)
        self.encounters = (rules.sharks, rules.schools, rules.rares)

    def noted(self, table: Table, event: str, seat: int | None, games: Games | None, fields: Mapping[str, Any]) -> None:
        """Pile, hands and what has been seen (tentacles and box) are the whole box, and hands have their sizes."""
        for state in GAME.describe(table, table.live.nonzero()[0] if games is None else games):
            self.n_events += 1
            in_hand = Counter(pair for hand in state["hands"] for pair, _ in hand)
            known = in_hand + Counter(state["seen"])
            assert known.total() + state["pile"] == self.rules.cards
            assert max(known.values()) <= self.copies
            met = Counter(kind for hand in state["hands"] for _, kind in hand)
            held = (met["shark"], met["school"], met["rare"])
            seen = state["seen_encounters"]
            assert all(s + h <= box for s, h, box in zip(seen, held, self.encounters, strict=True))
            if event in ("deal", "give") and self.rules.rare_at_deck_out == "no-effect":
                assert sorted(len(hand) for hand in state["hands"]) == [1] * (table.seats - 1) + [2]
            for tip in state["tips"]:
                assert tip is None or min(run for _, run in tip) >= 1

    def decided(self, table: Table, view: View, choice: npt.NDArray[np.uint8]) -> None:
        """Every choice is a legal one, where the game is asked."""
        asked = view.legal.any(axis=0).nonzero()[0]
        assert view.legal[choice[asked], asked].all()


@st.composite
def any_rules(draw: st.DrawFn) -> Any:
    """Boxes of all sizes with any of the rules' alternatives."""
    colours = draw(st.integers(3, 6))
    pairs = colours * (colours - 1) // 2
    copies = draw(st.integers(-(-6 // pairs), min(7, 120 // pairs)))
    return rules_with(
        colours=colours,
        cards=pairs * copies,
        run=draw(st.integers(2, 6)),
        run_two_players=draw(st.integers(2, 7)),
        **{kind: draw(st.integers(0, pairs * copies // 3)) for kind in ("sharks", "schools", "rares")},
        carriers=draw(st.sampled_from(["spread", "random"])),
        expert=draw(st.booleans()),
        extremities=[[0, 1, 2], [0, 2], [1], [1, 2]],
        forced_match=draw(st.booleans()),
        deck_out=draw(st.sampled_from(["longest-run", "reshuffle"])),
        rare_at_deck_out=draw(st.sampled_from(["no-effect", "play-one"])),
        max_rounds=draw(st.integers(1, 40)),
    )


@settings(max_examples=60, deadline=None)
@given(any_rules(), st.integers(2, 4), st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 1.0]))
def test_cards_are_conserved_and_moves_legal(rules: Any, players: int, seed: int, slips: float) -> None:
    watch = Conservation(rules)
    results = play(GAME, rules, [Epsilon(scripted("spiteful"), slips)] * players, seed, 0, 12, observer=watch)
    assert watch.n_events > 12
    shares = results.seats["win"].sum(axis=0)
    unfinished = results.games["end_cause"] == GAME.all_end_causes.index("unfinished")
    assert (shares == np.where(unfinished, 0, 60)).all()


def test_a_lost_card_is_noticed() -> None:
    """Negative control: a game that forgets one card in the box fails the count."""
    rules = rules_with()

    class Leaky(Conservation):
        def noted(self, table: Table, event: str, seat: Any, games: Any, fields: Any) -> None:
            table.state.held[1] = 0 if event == "draw" else table.state.held[1]
            super().noted(table, event, seat, games, fields)

    with pytest.raises(AssertionError):
        play(GAME, rules, [Random()] * 3, 1, 0, 5, observer=Leaky(rules))
