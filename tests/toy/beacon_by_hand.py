"""Beacon once more in plain Python: one game at a time, from the game's description, with the scalar tape.

Nothing of the engine is used, and nothing of the lockstep game but its numbers of options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from tests.reference import tape as twin

WEATHER, SHIPS = 16, 17
SQUALL = 9
ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
LINES = [*ROWS, *zip(*ROWS, strict=True), (0, 4, 8), (2, 4, 6)]

Keeper = Callable[["Coast", str, int, list[bool], dict[str, Any]], int]


class Coast:
    """One game: its keepers play it to the end when it is made."""

    def __init__(self, seed: int, deal: int, rules: dict[str, int], keepers: Sequence[Keeper]) -> None:
        self.seed, self.deal, self.rules, self.keepers = seed, deal, SimpleNamespace(**rules), keepers
        self.seats = range(len(keepers))
        self.box = [cell for cell in range(9) for _ in range(self.rules.copies)] + [SQUALL] * self.rules.squalls
        n_bottom = self.rules.squalls * self.rules.squall_cards
        self.pile = twin.pile(seed, deal, WEATHER, self.box, n_bottom)  # the top card first
        self.fog, self.keeper = [0] * 9, [None] * 9
        self.oil = [self.rules.oil for _ in self.seats]
        self.n_held, self.n_built = [0 for _ in self.seats], [0 for _ in self.seats]
        self.n_wrecks = self.n_squalls = self.n_ships = self.turn = 0
        self.seen: Counter[int] = Counter()
        self.n_coins: Counter[int] = Counter()
        self.tally: Counter[tuple] = Counter()
        self.end: str | None = None
        self.won = False
        self.play()

    def play(self) -> None:
        """Turn by turn until it ends."""
        for turn in range(self.rules.max_rounds * len(self.seats)):
            self.turn = turn
            self.work(self.turn % len(self.seats))
            if any(all(self.keeper[cell] is not None for cell in line) for line in LINES):
                self.finish("line of light", won=True)
            elif not self.pile:
                self.finish("dawn", won=self.n_beacons >= self.rules.dawn_beacons)
            else:
                self.face(self.pile.pop(0))
            if self.end:
                return
        self.end = "unfinished"

    @property
    def n_beacons(self) -> int:
        return sum(keeper is not None for keeper in self.keeper)

    def finish(self, cause: str, *, won: bool = False) -> None:
        self.end, self.won = cause, won

    def coin(self, seat: int, bound: int) -> int:
        """The seat's next coin."""
        self.n_coins[seat] += 1
        return twin.below(twin.word(self.seed, self.deal, seat, self.n_coins[seat] - 1), bound)

    def ask(self, decision: str, seat: int, legal: list[bool], **offer: Any) -> int:
        choice = self.keepers[seat](self, decision, seat, legal, offer)
        assert legal[choice]
        return choice

    def work(self, seat: int) -> None:
        fogged = [fog > 0 for fog in self.fog]
        free = [fog == 0 and keeper is None for fog, keeper in zip(self.fog, self.keeper, strict=True)]
        can_build = any(free) and self.oil[seat] >= self.rules.cost
        match self.ask("work", seat, [True, any(fogged), can_build]):
            case 0:
                self.oil[seat] = min(6, self.oil[seat] + 2)
            case 1:
                self.fog[self.ask("clear", seat, fogged)] = 0
            case 2:
                self.keeper[self.ask("build", seat, free)] = seat
                self.oil[seat] -= self.rules.cost
                self.n_built[seat] += 1

    def face(self, card: int) -> None:
        self.seen[card] += 1
        if card != SQUALL:
            self.roll_in(card)
            return
        self.n_squalls += 1
        for _ in range(self.rules.squall_cards):
            if self.pile and not self.end:
                self.face(self.pile.pop())

    def roll_in(self, cell: int) -> None:
        keeper = self.keeper[cell]
        met = "thick fog" if self.fog[cell] >= self.rules.thick else "fog"
        if keeper is not None:
            held = self.ask("defend", keeper, [True, self.oil[keeper] > 0], cell=cell)
            met = "held beacon" if held else "lost beacon"
            self.tally["defence", keeper, held] += 1
            if held:
                self.oil[keeper] -= 1
                self.n_held[keeper] += 1
            else:
                self.keeper[cell] = None
        self.tally["weather", min(self.turn // len(self.seats), 7), cell, met] += 1
        if met in ("fog", "lost beacon"):
            self.fog[cell] += 1
        if met == "thick fog":
            self.endanger()

    def endanger(self) -> None:
        word = twin.word(self.seed, self.deal, SHIPS, self.n_ships)
        self.n_ships += 1
        if twin.below(word, 1 + self.n_beacons) == 0:
            self.n_wrecks += 1
            if self.n_wrecks >= self.rules.wrecks:
                self.finish("wrecks")


# -------------------------------------------------------------------------------------------------------------- keepers


def first(coast: Coast, decision: str, seat: int, legal: list[bool], offer: dict[str, Any]) -> int:
    """The first legal option."""
    return legal.index(True)


def any_legal(coast: Coast, decision: str, seat: int, legal: list[bool], offer: dict[str, Any]) -> int:
    """Any legal option."""
    return by_coin(coast, seat, [option for option, is_legal in enumerate(legal) if is_legal])


def by_coin(coast: Coast, seat: int, among: list[int]) -> int:
    """One of the options; a single one needs no coin."""
    return among[coast.coin(seat, len(among))] if len(among) > 1 else among[0]


def best(scores: Sequence[float], legal: list[bool]) -> list[int]:
    """The best legal options."""
    top = max(score for score, is_legal in zip(scores, legal, strict=True) if is_legal)
    return [option for option, score in enumerate(scores) if legal[option] and score == top]


def watchful_scores(coast: Coast, decision: str, fear: int) -> Sequence[float]:
    if decision == "work":
        return [2, 9 if max(coast.fog) >= fear else 1, 5]
    if decision == "clear":
        return coast.fog
    if decision == "build":
        return [
            max(sum(coast.keeper[c] is not None for c in line) for line in LINES if cell in line) for cell in range(9)
        ]
    return [0, 1]


def watchful(fear: int = 2) -> Keeper:
    """Towards a line, against thick fog; holds its beacons."""
    return lambda coast, decision, seat, legal, offer: best(watchful_scores(coast, decision, fear), legal)[0]


def thrifty(spare: int = 1) -> Keeper:
    """The same by a coin, with some oil kept back."""

    def choose(coast: Coast, decision: str, seat: int, legal: list[bool], offer: dict[str, Any]) -> int:
        rich = coast.oil[seat] > spare
        scores = [not rich, rich] if decision == "defend" else watchful_scores(coast, decision, 2)
        return by_coin(coast, seat, best(scores, legal))

    return choose


def plain(coast: Coast, decision: str, seat: int, legal: list[bool], offer: dict[str, Any]) -> int:
    """Where most fog is still to come; by a coin."""
    to_come = [coast.box.count(kind) - coast.seen[kind] for kind in range(10)]
    if decision == "work":
        scores = [coast.oil[seat] < 2, max(coast.fog) >= 2, 1]
    elif decision == "defend":
        scores = [coast.coin(seat, 3), to_come[offer["cell"]]]
    else:
        scores = [10 * coast.fog[cell] + to_come[cell] for cell in range(9)]
    return by_coin(coast, seat, best(scores, legal))
