"""Beacon: keepers of a foggy coast light three beacons in a row, or keep two burning until dawn.

A toy, cooperative, for tests: it has what Tentacolor has not. Fog that reaches a beacon asks the beacon's keeper,
whoever that is in this game; a squall draws cards, which may be squalls; dice are thrown in some games more often than
in others; and the coast is a board of 3 x 3 cells.

A turn: one piece of work (fetch two oil, clear a cell of fog, or build a beacon on a clear cell), then the weather, a
card from the top of the pile. A fog card rolls into its cell. A beacon there is held for an oil, or goes out and the
fog is in. Fog that is already thick endangers a ship, which is wrecked unless it sees a beacon: one chance in one
more than there are. Too many wrecks lose the game. A squall draws cards from the bottom, while there are any. Without
a card for a turn's weather it is dawn.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict
from pydantic import Field as Limits

from simkit.components import Components
from simkit.errors import UserError
from simkit.exact import LISTED, Answer, ExactProbability, Measure, Topic, Value, counted, decimal
from simkit.game import Column, Decision, Game, Key, Outcome, Tally
from simkit.state import Field
from simkit.table import Table
from simkit.view import View

CELLS = tuple(f"{row} {column}" for row in ("north", "middle", "south") for column in ("west", "centre", "east"))
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
SQUALL = 9
FETCH, CLEAR, BUILD = range(3)
MET = ("fog", "thick fog", "held beacon", "lost beacon")
ROSE, THICK, HELD, LOST = range(4)
MAX_OIL, ROUNDS_TOLD = 6, 8

Small = Annotated[int, Limits(ge=0, le=9)]


class Rules(BaseModel):
    """One value for each component."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    copies: Annotated[int, Limits(ge=1, le=9)]
    squalls: Small
    squall_cards: Small
    oil: Annotated[int, Limits(ge=0, le=MAX_OIL)]
    cost: Small
    thick: Annotated[int, Limits(ge=1, le=9)]
    wrecks: Annotated[int, Limits(ge=1, le=99)]
    dawn_beacons: Small
    max_rounds: Annotated[int, Limits(ge=1, le=1000)]

    def box(self) -> np.ndarray:
        """The weather cards before the shuffle, uint8 (cards,)."""
        return np.repeat(np.arange(10, dtype=np.uint8), [self.copies] * 9 + [self.squalls])


def fields(rules: Rules, seats: int) -> tuple[Field, ...]:
    return (
        Field("fog", "uint8", (3, 3), "", "how thick the fog is on each cell"),
        Field("keeper", "uint8", (3, 3), "seat + 1", "whose beacon burns on each cell; 0: none"),
        Field("oil", "uint8", (seats,), "oil", "what each keeper has"),
        Field("n_held", "uint8", (seats,), "beacons", "held against the fog"),
        Field("n_built", "uint8", (seats,), "beacons", "built"),
        Field("n_low", "uint8", (), "cards", "drawn from the bottom of the pile"),
        Field("n_wrecks", "uint8", (), "ships", "wrecked"),
        Field("n_squalls", "uint8", (), "cards", "squalls drawn"),
        Field("seen", "uint8", (10,), "cards", "weather cards seen, by kind"),
    )


class BeaconView(View):
    """All is open but the order of the pile. `cell`, (n,): defend only."""

    @property
    def fog(self) -> np.ndarray:
        """(9, n)"""
        return self.look(self._table.state.fog.reshape(9, -1))

    @property
    def keeper(self) -> np.ndarray:
        """Seat + 1, or 0; (9, n)."""
        return self.look(self._table.state.keeper.reshape(9, -1))

    @property
    def oil(self) -> np.ndarray:
        """(seats, n)"""
        return self.look(self._table.state.oil)

    def unseen(self) -> np.ndarray:
        """Weather cards not yet drawn, by kind, (10, n)."""
        counts = np.bincount(self.rules.box(), minlength=10).astype(np.uint8)
        return counts[:, None] - self.look(self._table.state.seen)


# ----------------------------------------------------------------------------------------------------------------- play


def setup(table: Table) -> None:
    """The pile is shuffled; everyone has some oil."""
    state, rules = table.state, table.rules
    state.add("pile", table.deck("weather", rules.box(), rules.squalls * rules.squall_cards))
    state.oil[:] = rules.oil
    state.n_top = 0
    table.note("dusk")


def turn(table: Table, seat: int) -> None:
    """Work, then weather."""
    work(table, seat)
    lines = (_cells(table, "keeper")[LINES] != 0).all(axis=1).any(axis=0)
    lit = (lines & table.live).nonzero()[0]
    if len(lit):
        table.finish(lit, "line of light", won=True)
    weather(table, seat)


def work(table: Table, seat: int) -> None:
    """Fetch oil, clear a cell, or build a beacon."""
    state, rules = table.state, table.rules
    fogged = _cells(table, "fog") != 0
    free = ~fogged & (_cells(table, "keeper") == 0)
    can_build = free.any(axis=0) & (state.oil[seat] >= rules.cost)
    choice = table.ask("work", seat, legal=np.stack([np.ones(table.n, bool), fogged.any(axis=0), can_build]))
    state.oil[seat] = np.minimum(state.oil[seat] + 2 * (choice == FETCH), MAX_OIL)
    for option, place in ((CLEAR, fogged), (BUILD, free)):
        games = ((choice == option) & table.live).nonzero()[0]
        if len(games):
            decision = ("clear", "build")[option == BUILD]
            cell = table.ask(decision, seat, games=games, legal=place.take(games, axis=1))
            (clear, build)[option == BUILD](table, seat, games, cell)
    table.note("work", seat, work=choice)


def clear(table: Table, seat: int, games: np.ndarray, cell: np.ndarray) -> None:
    """The fog lifts."""
    _cells(table, "fog")[cell, games] = 0


def build(table: Table, seat: int, games: np.ndarray, cell: np.ndarray) -> None:
    """A beacon burns."""
    _cells(table, "keeper")[cell, games] = seat + 1
    table.state.oil[seat][games] -= np.uint8(table.rules.cost)
    table.state.n_built[seat][games] += 1


def weather(table: Table, seat: int) -> None:
    """The turn's card, from the top of the pile; without one it is dawn."""
    state = table.state
    spent = (~_left(table, table.turn, np.arange(table.n)) & table.live).nonzero()[0]
    if len(spent):
        n_beacons = np.count_nonzero(_cells(table, "keeper"), axis=0).take(spent)
        table.finish(spent, "dawn", won=n_beacons >= table.rules.dawn_beacons)
    games = table.live.nonzero()[0]
    if len(games):
        state.n_top = table.turn + 1
        face(table, seat, games, state.pile.top(table.turn).take(games))


def face(table: Table, seat: int, games: np.ndarray, cards: np.ndarray) -> None:
    """Fog rolls in, or a squall breaks."""
    table.state.seen[cards, games] += 1
    table.note("card", seat, games, card=cards)
    is_squall = cards == SQUALL
    if not is_squall.all():
        roll_in(table, games[~is_squall], cards[~is_squall])
    if is_squall.any():
        squall(table, seat, games[is_squall])


def squall(table: Table, seat: int, games: np.ndarray) -> None:
    """Some more cards, from the bottom of the pile, one after the other with all that they bring."""
    state = table.state
    state.n_squalls[games] += 1
    for _ in range(table.rules.squall_cards):
        games = games[table.live.take(games)]
        going = games[_left(table, table.turn + 1, games)]
        if len(going):
            card = state.pile.from_bottom(state.n_low.take(going), going)
            state.n_low[going] += 1
            face(table, seat, going, card)


def roll_in(table: Table, games: np.ndarray, cell: np.ndarray) -> None:
    """Fog reaches a cell in each of the games."""
    fog, keeper = _cells(table, "fog"), _cells(table, "keeper")[cell, games]
    met = np.where(fog[cell, games] >= table.rules.thick, THICK, ROSE)
    burning = (keeper != 0).nonzero()[0]
    if len(burning):
        met[burning] = defend(table, games[burning], cell[burning], keeper[burning].astype(np.intp) - 1)
    table.tally("weather", games, round=min(table.round, ROUNDS_TOLD - 1), place=cell, met=met)
    rising = (met == ROSE) | (met == LOST)
    fog[cell[rising], games[rising]] += 1
    table.note("fog", None, games, met=met)
    if (met == THICK).any():
        endanger(table, games[met == THICK])


def defend(table: Table, games: np.ndarray, cell: np.ndarray, keeper: np.ndarray) -> np.ndarray:
    """The beacon's keeper, whoever's turn it is, spends an oil or lets it go out."""
    state = table.state
    legal = np.stack([np.ones(len(games), bool), state.oil[keeper, games] > 0])
    held = table.ask("defend", keeper, games=games, legal=legal, cell=cell) == 1
    table.tally("defence", games, seat=keeper, held=held.astype(np.uint8))
    state.oil[keeper[held], games[held]] -= 1
    state.n_held[keeper[held], games[held]] += 1
    _cells(table, "keeper")[cell[~held], games[~held]] = 0
    return np.where(held, HELD, LOST)


def endanger(table: Table, games: np.ndarray) -> None:
    """A ship in thick fog: it sees a beacon, or not."""
    state = table.state
    n_beacons = np.count_nonzero(_cells(table, "keeper"), axis=0).take(games)
    wrecked = games[table.draw("ships", n_beacons + 1, games) == 0]
    state.n_wrecks[wrecked] += 1
    lost = wrecked[state.n_wrecks.take(wrecked) >= table.rules.wrecks]
    if len(lost):
        table.finish(lost, "wrecks")


def outcome(table: Table, games: np.ndarray) -> Outcome:
    """What rows tell beside the verdict."""
    state = table.state
    return Outcome(
        games={
            "n_wrecks": state.n_wrecks.take(games),
            "n_squalls": state.n_squalls.take(games),
            "n_beacons": np.count_nonzero(_cells(table, "keeper"), axis=0).take(games),
        },
        seats={name: getattr(state, name).take(games, axis=1) for name in ("n_held", "n_built", "oil")},
    )


def _cells(table: Table, name: str) -> np.ndarray:
    """A board as nine cells, (9, n): the same memory."""
    return getattr(table.state, name).reshape(9, -1)


def _left(table: Table, n_top: int, games: np.ndarray) -> np.ndarray:
    """Whether a card is left after n_top from the top and what squalls have drawn."""
    return n_top + table.state.n_low.take(games).astype(np.int16) < table.state.pile.size


# ------------------------------------------------------------------------------------------------------ told and hidden


def describe(table: Table, columns: np.ndarray) -> list[dict[str, Any]]:
    """The boards, everyone's oil, and what is left of the pile."""
    state = table.state
    return [
        {
            "fog": state.fog[..., column].tolist(),
            "keeper": state.keeper[..., column].tolist(),
            "oil": state.oil[:, column].tolist(),
            "wrecks": int(state.n_wrecks[column]),
            "pile": int(state.pile.size - state.seen[:, column].sum()),
        }
        for column in columns.tolist()
    ]


def hidden(table: Table, seat: int, luck: np.random.Generator) -> None:
    """Nobody knows the order of the pile."""
    state = table.state
    for game in range(table.n):
        slots = state.pile.undrawn(game, state.n_top, int(state.n_low[game]))
        cards = luck.permutation(np.array([array[place] for array, place in slots], np.uint8))
        for (array, place), card in zip(slots, cards, strict=True):
            array[place] = card


# --------------------------------------------------------------------------------------------------------------- exact


class WeatherOptions(BaseModel):
    """Cards from the top of the pile."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cards: Annotated[int, Limits(ge=0, le=90)] = Limits(description="cards drawn", examples=["5"])
    seen: Annotated[tuple[Small, ...], LISTED, Limits(min_length=2, max_length=2)] = Limits(
        (0, 0), description="fog cards and squalls drawn before", examples=["3,1"]
    )
    wet: ExactProbability = Limits(Fraction(1, 2), description="chance that a squall brings rain")
    kind: Literal["fog", "squall"] = Limits("squall", description="what is counted")


def next_cards(rules: Rules, options: WeatherOptions) -> Answer:
    """How many of the next cards are squalls, or fog: a draw without replacement."""
    fog, squalls = 9 * rules.copies - options.seen[0], rules.squalls - options.seen[1]
    if squalls < 0 or not 0 <= options.cards <= fog + squalls:
        raise UserError(f"`--cards` must be at most {fog + squalls}, what is left; found {options.cards}")
    these, others = (squalls, fog) if options.kind == "squall" else (fog, squalls)
    n = options.cards
    spread = {(k,): Fraction(comb(these, k) * comb(others, n - k), comb(fog + squalls, n)) for k in range(n + 1)}
    answer = Answer((), (Measure("drawn", "cards", f"of {options.kind}"),), spread)
    mean = answer.mean("drawn")
    return Answer(
        (f"{counted(n, 'card')} of {fog + squalls}.", f"On average {decimal(mean)} are of {options.kind}."),
        answer.measures,
        spread,
        (
            Value("none", spread[(0,)], "probability", f"no card is of {options.kind}"),
            Value("rain", mean * options.wet, "squalls", "expected to bring rain"),
        ),
    )


class LinesOptions(BaseModel):
    """Nothing to choose."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def count_lines(rules: Rules, options: LinesOptions) -> Answer:
    """A count: numbers, and no distribution."""
    return Answer(
        ("There are eight lines.",), values=(Value("lines", Fraction(len(LINES)), "lines", "of three cells"),)
    )


GAME = Game(
    id="beacon",
    title="Beacon",
    summary="Keepers of a foggy coast light three beacons in a row, or keep two burning until dawn.",
    rules_version=1,
    players=(2, 3, 4),
    cooperative=True,
    components=Components.read(Path(__file__).with_name("beacon.toml")),
    rules=Rules,
    decisions=(
        Decision("work", ("fetch oil", "clear a cell", "build a beacon"), "what to do before the weather"),
        Decision("clear", CELLS, "which cell to clear of fog"),
        Decision("build", CELLS, "where to build", default="clear"),
        Decision("defend", ("let it go out", "spend an oil"), "whether to hold one's beacon, in anyone's turn"),
    ),
    streams=("weather", "ships"),
    end_causes=("line of light", "dawn", "wrecks"),
    fields=fields,
    setup=setup,
    turn=turn,
    outcome=outcome,
    view=BeaconView,
    hidden=hidden,
    describe=describe,
    columns=(
        Column("n_wrecks", "uint8", "ships", "wrecked"),
        Column("n_squalls", "uint8", "cards", "squalls drawn"),
        Column("n_beacons", "uint8", "beacons", "burning at the end"),
    ),
    seat_columns=(
        Column("n_held", "uint8", "beacons", "held against the fog, by their keeper"),
        Column("n_built", "uint8", "beacons", "built"),
        Column("oil", "uint8", "oil", "left"),
    ),
    tallies=(
        Tally(
            "weather",
            (Key("round", ROUNDS_TOLD, "rounds"), Key("place", 9, labels=CELLS), Key("met", 4, labels=MET)),
            "what fog meets, by round and cell",
        ),
        Tally("defence", (Key("seat", lambda rules, seats: seats), Key("held", 2)), "beacons in the fog, by keeper"),
    ),
    exact=(
        Topic("weather", "what the next cards bring", WeatherOptions, next_cards),
        Topic("lines", "how many lines of three cells there are", LinesOptions, count_lines),
    ),
    source=Path(__file__),
)
