"""Reads a game of Tentacolor from its words alone and holds them to the rulebook: hands, gifts, tentacles, runs."""

from __future__ import annotations

import re

PLAYER = r"(.+ \(seat \d\))"
CARD = r"(\w+-\w+(?: with a (?:shark|school of fish|rare specimen))?)"


def read(text: str) -> int:
    """Follow a game; how many placed or bitten cards were checked.

    Raises
    ------
    AssertionError, ValueError
        If the words contradict each other or the rulebook.
    """
    reader = Reader()
    for line in text.splitlines():
        reader.line(line)
    return reader.n_checked


class Reader:
    """A table without rules or strategies: cards go where the words say."""

    def __init__(self) -> None:
        self.tentacles: dict[str, list[str]] = {}
        self.hands: dict[str, list[str]] = {}
        self.seats: list[str] = []
        self.whose, self.n_checked = "", 0

    def line(self, line: str) -> None:
        """One line; those that move no card are passed over."""
        if heading := re.fullmatch(rf"Setup|  {PLAYER}", line):
            self.whose = heading[1] or ""
        for pattern, method in (
            (rf"{PLAYER} is dealt {CARD}", self.dealt),
            (rf"{PLAYER} receives the Expedition Leader card and draws {CARD}", self.drawn_by),
            (rf"draws {CARD}(?:, the last card of the draw pile,)? and has (.*) in hand", self.turn_begins),
            (rf"draws {CARD}(?:, the last card of the draw pile,)? for the rare specimen", self.drawn),
            (rf"(?:then )?places {CARD}(.*)", self.places),
            (rf"gives {CARD} to {PLAYER} and (?:keeps {CARD}|has no card left)", self.gives),
            (
                rf"sends the shark to {PLAYER}, whose last card, (\S+), is removed and returned to the box: (.*)",
                self.bites,
            ),
            (rf"{PLAYER} discards {CARD}, which is returned to the box", self.discards),
            (rf"{PLAYER} draws {CARD}(?:, the last card of the draw pile,)?", self.drawn_by),
        ):
            if found := re.fullmatch(pattern, line.strip()):
                method(*found.groups())
                return

    def dealt(self, player: str, card: str) -> None:
        """Setup."""
        self.seats.append(player)
        self.hands[player] = [card]

    def drawn_by(self, player: str, card: str) -> None:
        """A card for someone whose hand is then one, or at the start two."""
        self.hands[player].append(card)
        assert len(self.hands[player]) == (1 if self.whose else 2)

    def drawn(self, card: str) -> None:
        """A card for whose turn it is."""
        self.hands[self.whose].append(card)

    def turn_begins(self, card: str, hand: str) -> None:
        """ "Choose 1 card from the 3 you have in hand"."""
        self.drawn(card)
        assert len(self.hands[self.whose]) == 3
        assert sorted(self.hands[self.whose]) == sorted(hand.split(", "))

    def places(self, card: str, said: str) -> None:
        """Extend the Tentacle."""
        self.hands[self.whose].remove(card)
        tentacle = self.tentacles.setdefault(self.whose, [])
        tentacle.append(card.partition(" ")[0])
        self.n_checked += 1
        if len(tentacle) == 1:
            assert said == ", the first card of its tentacle"
        elif not set(tentacle[-1].split("-")) & set(tentacle[-2].split("-")):
            assert said == ", which shares no colour with the last card: a new series begins"
        else:
            assert told_runs(said) == {colour: run for colour, run in runs(tentacle).items() if run > 1}

    def gives(self, card: str, to: str, kept: str | None) -> None:
        """ "Give it to the player on your left. You must have exactly one card left"."""
        assert to == self.seats[(self.seats.index(self.whose) + 1) % len(self.seats)]
        self.hands[self.whose].remove(card)
        assert self.hands[self.whose] == ([kept] if kept else [])
        self.hands[to].append(card)

    def bites(self, player: str, card: str, said: str) -> None:
        """ "Remove the last card of an opponent's tentacle"."""
        assert player != self.whose
        assert self.tentacles[player].pop() == card
        self.n_checked += 1
        found, left = told_runs(f": {said}"), runs(self.tentacles[player])
        assert found == ({c: r for c, r in left.items() if r > 1} or left) or (not left and said == EMPTY)

    def discards(self, player: str, card: str) -> None:
        """ "That player discards their card and returns it to the box"."""
        assert player != self.whose
        self.hands[player].remove(card)
        assert not self.hands[player]


EMPTY = "its tentacle is now empty"


def runs(tentacle: list[str]) -> dict[str, int]:
    """Cards at the end that share each of the last card's colours."""
    found = {}
    for colour in tentacle[-1].split("-") if tentacle else ():
        others = (place for place, card in enumerate(reversed(tentacle)) if colour not in card.split("-"))
        found[colour] = next(others, len(tentacle))
    return found


def told_runs(said: str) -> dict[str, int]:
    """The runs that a sentence tells."""
    if both := re.match(r": its (\w+) and (\w+) runs are now (\d+)", said):
        return dict.fromkeys(both.groups()[:2], int(both[3]))
    long = re.match(r": its (\w+) run is now (\d+)(?: and its (\w+) run (\d+))?", said)
    if long is None:
        return {}
    return {long[1]: int(long[2])} | ({long[3]: int(long[4])} if long[3] else {})
