"""Octobuns, declared: what the engine, the listings and the reports need to know of it."""

from __future__ import annotations

from pathlib import Path

from simkit.components import Components
from simkit.game import Column, Decision, Game, Key, Tally
from simkit.games.octobuns import play
from simkit.games.octobuns.bakery import SHIFTS
from simkit.games.octobuns.exact import TOPICS
from simkit.games.octobuns.puzzle import cell_sets
from simkit.games.octobuns.rules import KINDS, N_CELLS, Rules
from simkit.games.octobuns.state import ACTS, FATES, LEAVINGS, ROUNDS_TOLD, TURNS_TOLD, WAYS, fields
from simkit.games.octobuns.tell import shift_name, tell
from simkit.games.octobuns.trace import describe, hidden
from simkit.games.octobuns.view import OctobunsView

CELLS = tuple(str(cell + 1) for cell in range(N_CELLS))
PLACES = ("left", "middle", "right")
OPEN_ORDERS = ("small 1", "small 2", "large 1", "large 2")


def _reserved(rules: Rules) -> tuple[str, ...]:
    """A seat's places for reserved orders."""
    return tuple(f"reserved {place + 1}" for place in range(max(1, rules.n_reserved)))


def _path_names(rules: Rules, seats: int) -> tuple[str, ...]:
    """Sets of cells that an order may take up."""
    return tuple("-".join(CELLS[cell] for cell in cells) for cells in cell_sets(rules.longest))


def _seats(rules: Rules, seats: int) -> int:
    """Keys of a seat."""
    return seats


def _orders(rules: Rules, seats: int) -> int:
    """Keys of an order."""
    return len(rules.orders)


def _items(rules: Rules, seats: int) -> int:
    """Keys of an item."""
    return len(rules.item_names) - 1


def _ingredients(rules: Rules, seats: int) -> int:
    """Keys of an ingredient."""
    return rules.n_ingredients


GAME = Game(
    id="octobuns",
    title="Octobuns",
    summary="Bake buns in a grid of cards and serve the harbour's guests in the right order: the most coins win.",
    rules_version=1,
    players=(2, 3, 4),
    cooperative=False,
    components=Components.read(Path(__file__).with_name("components.toml")),
    rules=Rules,
    decisions=(
        Decision("act", ACTS, "what to do next in one's turn"),
        Decision("cell", CELLS, "where to put a card down"),
        Decision("ingredient", PLACES, "which open ingredient the extra tentacle takes"),
        Decision("stack", PLACES, "from which stack to take a card"),
        Decision("reserve", (*OPEN_ORDERS, "small pile", "large pile"), "which order to rope in"),
        Decision("bun", CELLS, "which bun to give back"),
        Decision("discarded", lambda rules, seats: rules.ingredients, "which ingredient of the discard pile to take"),
        Decision("clean_up", lambda rules, seats: (*CELLS, *_reserved(rules)), "which card or order to clean up"),
        Decision("clean_second", (*CELLS, "none"), "which other card to lift with it"),
        Decision("clean_to", (*CELLS, "discard"), "where to put a lifted card down, or to discard it"),
        Decision("shift", tuple(shift_name(*by) for by in SHIFTS), "how all cards slide before one is put down"),
        Decision("order", lambda rules, seats: (*OPEN_ORDERS, *_reserved(rules)), "which order to complete"),
        Decision("path", _path_names, "which cells an order takes up"),
    ),
    streams=("ingredients", "small", "large", "rebuild"),
    end_causes=("orders",),
    fields=fields,
    setup=play.setup,
    turn=play.turn,
    outcome=play.outcome,
    view=OctobunsView,
    hidden=hidden,
    describe=describe,
    tell=tell,
    score=Column("coins", "uint16", "coins", "of completed orders and of buns left"),
    columns=(
        Column("n_rebuilds", "uint8", "", "times that the supply was rebuilt from the discards"),
        Column("stock_out", "bool", "", "some bun was out of stock at the end of a turn"),
        Column(
            "first_done",
            "uint8",
            "seat",
            "counted from 0, first to complete all its orders; as many as there are seats: none",
        ),
    ),
    seat_columns=(
        Column("n_small", "uint8", "orders", "small ones completed"),
        Column("n_large", "uint8", "orders", "large ones completed"),
        Column("from_small", "uint16", "coins", "from small orders"),
        Column("from_large", "uint16", "coins", "from large orders"),
        Column("buns_left", "uint8", "buns", "in the bakery at the end: the tie-break"),
        Column("cards_left", "uint8", "ingredients", "in the bakery at the end"),
        Column("icons_left", "uint8", "icons", "unused at the end"),
        Column("reserved_left", "uint8", "orders", "reserved and not completed at the end"),
        Column("n_from_reserve", "uint16", "orders", "completed that had been reserved"),
        Column("n_dropped", "uint16", "orders", "reserved and discarded"),
        Column("n_buns_made", "uint16", "buns", "made"),
        Column("n_taken", "uint16", "turns", "that took an ingredient"),
        Column("n_rope_ins", "uint16", "turns", "that roped in an order"),
        Column("n_exchanges", "uint16", "turns", "that exchanged a bun"),
        Column("n_clean_ups", "uint16", "turns", "that cleaned up"),
        Column("n_blind", "uint16", "orders", "roped in from a pile"),
        Column("n_extra_rope_ins", "uint16", "bonuses", "used to rope in an order"),
        Column("n_extra_tentacles", "uint16", "bonuses", "used to take an open ingredient"),
        Column("n_supply_takes", "uint16", "bonuses", "used to take from the supply, starting cards included"),
        Column("n_starting_used", "uint16", "cards", "starting cards used"),
    ),
    tallies=(
        Tally(
            "acts",
            (Key("round", ROUNDS_TOLD, "rounds"), Key("seat", _seats), Key("act", len(ACTS), labels=ACTS)),
            "what seats did, by round (the last for all later ones); to end a turn is not counted",
        ),
        Tally(
            "orders",
            (Key("order", _orders), Key("seat", _seats), Key("how", 2, labels=("open", "reserved"))),
            "orders completed, by whether they lay open or were reserved",
        ),
        Tally(
            "flow",
            (
                Key("item", _ingredients),
                Key("way", len(WAYS), labels=WAYS),
                Key("fate", len(FATES), labels=FATES),
            ),
            "ingredients that came to seats, how, and what became of them",
        ),
        Tally(
            "leaving",
            (Key("item", _items), Key("how", len(LEAVINGS), labels=LEAVINGS)),
            "ingredients, then buns, that left bakeries, and how",
        ),
        Tally(
            "waits",
            (
                Key("kind", len(KINDS), labels=KINDS),
                Key("how", 2, labels=("completed", "roped in")),
                Key("turns", TURNS_TOLD, "turns"),
            ),
            "open orders that were completed or roped in, by the turns of all seats that they had lain open",
        ),
    ),
    standing=play.standing,
    exact=TOPICS,
    source=Path(__file__).parent,
    turn_seconds=2e-6,
    width=1 << 17,
)
