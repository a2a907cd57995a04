"""What Tentacle Town remembers: declared arrays, the game axis last."""

from __future__ import annotations

from simkit.games.tentacle_town.rules import CARDS, GOODS, TASKS, Rules
from simkit.state import Field

PASS, BUILD, FIRST_TASK = range(3)
"""Options of the decision `work`; task t is option FIRST_TASK + t. In overtime, option 0 is to stop."""
N_OPTIONS = FIRST_TASK + len(TASKS)
FIRST_CARD = N_OPTIONS - len(CARDS)

KILLED, FLED, DESTROYED, ADDED, REMOVED = range(5)
EFFECTS = ("killed", "fled", "destroyed", "added", "removed")
"""What an attack may do: residents killed and fled, buildings destroyed, tentacles added and removed."""

ROUNDS_TOLD = 24
"""Rounds that tallies tell apart; later ones count with the last."""


def fields(rules: Rules, seats: int) -> tuple[Field, ...]:
    """The declared state. Supplies, spaces left, and what is `here` follow from the rest and are kept for speed."""
    n_rows = len(rules.rows_for(seats))
    return (
        Field(
            "buildings", "uint8", (seats, 3, n_rows), "buildings", "of each seat, by district and row from the water"
        ),
        Field("free", "uint8", (3, n_rows), "spaces", "free in each row"),
        Field("residents", "uint8", (3,), "residents", "in each district"),
        Field("supply", "uint8", (), "residents", "yet to be recruited"),
        Field("tentacles", "uint8", (3,), "tentacles", "in each ocean area"),
        Field("tentacles_left", "uint8", (), "tentacles", "on no ocean area"),
        *(Field(good, "uint16", (seats,), good, "of each seat") for good in GOODS),
        Field("cards", "uint16", (), "bit mask", "task cards in play, a bit each in the order of `CARDS`"),
        Field("district", "uint8", (), "", "worked in this turn: 0 docks, 1 market, 2 foundry"),
        Field("residents_here", "uint8", (), "residents", "in that district when work began"),
        Field("buildings_here", "uint8", (), "buildings", "of the seat whose turn it is, in that district"),
        Field("done", "uint32", (), "bit mask", "options of `work` taken this turn, a bit each"),
        Field("n_paid", "uint8", (), "tasks", "done by overtime this turn"),
        Field("gold_before", "uint16", (), "gold", "that the seat had when its turn began"),
        Field("dice", "uint8", (4,), "dice", "results yet to be applied: skulls, arrows, destroys, new tentacles"),
        Field("effects", "uint8", (len(EFFECTS),), "", "of this turn's attack, see `EFFECTS`"),
        Field(
            "plenty", "bool", (), "", "enough residents, buildings and tentacles elsewhere for all dice of this attack"
        ),
        Field("n_killed", "uint16", (), "residents", "killed"),
        Field("n_fled", "uint16", (), "residents", "fled to another district"),
        Field("n_destroyed", "uint16", (), "buildings", "destroyed"),
        Field("n_saved", "uint16", (), "results", "of dice repelled by a harpoon"),
        Field("over_tokens", "bool", (), "", "more tokens of a kind were held at the end of a turn than the box has"),
        Field("from_hunting", "uint16", (seats,), "fame", "gained by hunting"),
        Field("from_defence", "uint16", (seats,), "fame", "gained by defence"),
        Field("from_board", "uint16", (seats,), "fame", "gained by other tasks on the board"),
        Field("spent", "uint16", (seats,), "fame", "paid for tasks"),
        Field("n_built", "uint16", (seats,), "buildings", "built"),
        Field("n_fired", "uint16", (seats,), "harpoons", "fired"),
        Field("n_hit", "uint16", (seats,), "harpoons", "that hit"),
        Field("n_overtime", "uint16", (seats,), "tasks", "done by overtime"),
        Field("cards_used", "uint16", (seats,), "bit mask", "task cards done by each seat, a bit each"),
    )
