"""A Tentacolor table laid out by hand: tentacles, hands and the pile as a test wants them, one game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simkit.games.tentacolor import GAME, pile, play
from simkit.games.tentacolor.rules import ENCOUNTER_SHIFT, ENCOUNTERS
from simkit.results import Results
from simkit.strategy import Strategy
from simkit.table import Table
from simkit.tape import Tape
from simkit.view import View
from tests.games.tentacolor_replay import rules_with

COLOURS = "GYOBR"  # green, yellow, orange, blue, red, as the components number them


def card(name: str) -> int:
    """A card byte from "YG", or "YG shark" for one with an encounter."""
    pair, _, encounter = name.partition(" ")
    bits = sum(1 << COLOURS.index(letter) for letter in pair)
    return bits | (ENCOUNTERS.index(encounter) << ENCOUNTER_SHIFT if encounter else 0)


class Pile:
    """Stands in for the shuffled deck: deals the given cards, whoever draws."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = [card(name) for name in cards]
        self.size = self.n_main = 60

    def top(self, place: int) -> np.ndarray:
        return np.array([self.cards.pop(0)], np.uint8)

    def from_bottom(self, depths: np.ndarray, games: np.ndarray) -> np.ndarray:
        return self.top(0)

    def take(self, games: np.ndarray) -> None:
        pass


class Answers(Strategy):
    """Answers each decision as told, by option number, and remembers what was legal."""

    def __init__(self, **answers: list[int]) -> None:
        self.answers = answers
        self.legal: dict[str, list[bool]] = {}

    def choose(self, view: View) -> np.ndarray:
        if not view.legal.any():  # the game is over
            return np.zeros(1, np.uint8)
        self.legal[view.decision] = view.legal[:, 0].tolist()
        return np.array([self.answers[view.decision].pop(0)], np.uint8)


class Position:
    """A table of one game at the start of a turn of seat 0."""

    def __init__(
        self,
        tentacles: Sequence[str],
        hand: Sequence[str],
        pile: Sequence[str],
        held: Sequence[str] = (),
        rules: dict[str, Any] | None = None,
        objectives: Sequence[str] = (),
        drawn: int = 0,
        **answers: list[int],
    ) -> None:
        seats = len(tentacles)
        self.player = Answers(**answers)
        made = rules_with(**(rules or {}))
        self.results = Results(GAME, made, seats, 1)
        self.table = Table(GAME, made, [self.player] * seats, Tape(1), np.zeros(1, np.uint64), self.results)
        GAME.setup(self.table)
        self.table.turn = drawn // seats * seats
        self.state = self.table.state
        self.state.deck = Pile(pile)
        for seat, tentacle in enumerate(tentacles):
            for name in tentacle.split(", ") if tentacle else ():
                self.place(seat, card(name))
        names = [hand[0], *(held or ["YG"] * (seats - 1))]
        self.state.held[:, 0] = [card(name) for name in names]
        self.state.hand[:, 0] = [0, card(hand[1]), 0]
        if objectives:
            self.state.extremity[:, 0] = [sum(1 << COLOURS.index(letter) for letter in triple) for triple in objectives]

    def place(self, seat: int, placed: int) -> None:
        """Put a card on a tentacle, without its encounter."""
        tip = self.state.tip[seat]
        self.state.history.push(seat, tip)
        play.grow(tip, np.array([placed], np.uint8))

    def play(self, seat: int = 0) -> Position:
        """One turn of a seat."""
        GAME.turn(self.table, seat)
        self.results.settle()
        return self

    def runs(self, seat: int) -> dict[str, int]:
        """The run of each colour of the tentacle's last card."""
        first, second, run, short_run = self.state.tip[seat, :, 0].tolist()
        letters = {1 << i: letter for i, letter in enumerate(COLOURS)}
        return {letters[colour]: length for colour, length in ((first, run), (second, short_run)) if colour}

    @property
    def boxed(self) -> int:
        """Cards that have gone back to the box."""
        return int(pile.n_boxed(self.table, np.array([0]))[0])

    @property
    def over(self) -> str | None:
        """Why the game ended, or None."""
        return None if self.table.live[0] else GAME.all_end_causes[self.results.games["end_cause"][0]]

    @property
    def wins(self) -> list[int]:
        """Sixtieths of the win by seat."""
        return self.results.seats["win"][:, 0].tolist()
