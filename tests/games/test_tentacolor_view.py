"""What a view offers to remember is what a player at the table could count."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.games.tentacolor import GAME
from simkit.games.tentacolor.trace import card_value
from simkit.games.tentacolor.view import TentacolorView
from simkit.strategy import Random
from simkit.table import Table
from tests.games.tentacolor_replay import rules_with

ENCOUNTERS = ("shark", "school", "rare")


class Counts:
    """Counts anew, game by game, at every decision that shows cards."""

    def __init__(self) -> None:
        self.n = 0

    def noted(self, *_: Any) -> None:
        """Events change nothing here."""

    def decided(self, table: Table, view: TentacolorView, choice: np.ndarray) -> None:
        """Pile, unseen pairs, colours and encounters against the state in plain values."""
        rules, copies = table.rules, table.rules.cards // len(table.rules.pairs)
        in_box = (rules.sharks, rules.schools, rules.rares)
        for column, state in enumerate(GAME.describe(table, view.columns)):
            if not view.legal[:, column].any():
                continue
            self.n += 1
            hand = [card for card in map(card_value, view.look(table.state.hand)[:, column].tolist()) if card]
            held, met = Counter(pair for pair, _ in hand), Counter(kind for _, kind in hand)
            unseen = {pair: copies - state["seen"].get(pair, 0) - held[pair] for pair in rules.pairs}
            assert view.pile[column] == state["pile"]
            assert view.unseen()[:, column].tolist() == list(unseen.values())
            assert view.unseen_colours()[:, column].tolist() == [
                sum(count for pair, count in unseen.items() if colour in pair) for colour in range(rules.colours)
            ]
            assert view.unseen_encounters()[:, column].tolist() == [
                box - seen - met[kind]
                for box, seen, kind in zip(in_box, state["seen_encounters"], ENCOUNTERS, strict=True)
            ]
            # what one seat has not seen lies in the pile and in the other hands
            others = sum(len(cards) for seat, cards in enumerate(state["hands"]) if seat != view.seat)
            assert sum(unseen.values()) == state["pile"] + others


@pytest.mark.parametrize(
    "changes",
    [{}, {"colours": 6, "carriers": "random"}, {"deck_out": "reshuffle", "cards": 20, "sharks": 5, "schools": 4}],
)
def test_a_view_counts_as_a_player_could(changes: dict[str, Any]) -> None:
    counts = Counts()
    play(GAME, rules_with(**changes), [Random()] * 3, 8, 0, 15, observer=counts)
    assert counts.n > 500
