"""Pebbles: two take from a heap in turns, and whoever takes the last one wins."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pebble_box.box import HEAPS
from simkit.components import Components
from simkit.game import Column, Decision, Game, Outcome
from simkit.state import Field
from simkit.view import View


@dataclass(frozen=True)
class Rules:
    """One value for each component."""

    most: int
    smallest: int
    max_rounds: int


class PebblesView(View):
    """`heap`, (n,): what is left."""


def setup(table):
    """A heap of some size."""
    table.state.heap[:] = table.rules.smallest + table.draw("heap", HEAPS)
    table.note("heap")


def turn(table, seat):
    """Take one to `most`."""
    state = table.state
    legal = np.arange(1, table.rules.most + 1)[:, None] <= state.heap
    state.heap -= (table.ask("take", seat, legal=legal, heap=state.heap) + np.uint8(1)) * table.live
    table.note("take", seat)
    over = ((state.heap == 0) & table.live).nonzero()[0]
    if len(over):
        state.last[over] = seat
        table.finish(over, "last pebble", winners=seat)


def outcome(table, games):
    """The last pebble is the point."""
    return Outcome(score=(np.arange(2)[:, None] == table.state.last.take(games)).astype(np.uint8))


def describe(table, columns):
    """The heaps."""
    return [{"heap": int(table.state.heap[column])} for column in columns.tolist()]


GAME = Game(
    id="pebbles",
    title="Pebbles",
    summary="Two take pebbles in turns, and whoever takes the last one wins.",
    rules_version=1,
    players=(2,),
    cooperative=False,
    components=Components.read(Path(__file__).with_name("pebbles.toml")),
    rules=Rules,
    decisions=(
        Decision("take", lambda rules, seats: tuple(f"take {n}" for n in range(1, rules.most + 1)), "how many"),
    ),
    streams=("heap",),
    end_causes=("last pebble",),
    fields=lambda rules, seats: (
        Field("heap", "uint8", (), "pebbles", "left"),
        Field("last", "uint8", (), "seat", "who took the last one"),
    ),
    setup=setup,
    turn=turn,
    outcome=outcome,
    view=PebblesView,
    hidden=lambda table, seat, luck: None,
    describe=describe,
    score=Column("score", "uint8", "points", "1 for the last pebble"),
    source=Path(__file__),
)
