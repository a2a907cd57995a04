"""What Octobuns remembers: declared arrays, the game axis last."""

from __future__ import annotations

from simkit.games.octobuns.rules import KINDS, N_CELLS, N_OPEN, N_STACKS, Rules
from simkit.state import Field

TAKE, ROPE_IN, EXCHANGE, CLEAN_UP, EXTRA_ROPE_IN, EXTRA_TENTACLE, FROM_SUPPLY, STARTING_CARD, COMPLETE, END_TURN = (
    *(0, 3, 4, 5, 6, 7, 8, 9),
    *(10, 11),
)
"""Options of the decision `act`; to take is one for each open card: TAKE + its place."""
ACTS = (
    *("take left", "take middle", "take right", "rope in", "exchange", "clean up"),
    *("extra rope in", "extra tentacle", "take from supply", "starting card", "complete", "end turn"),
)
NO_ACTION = 255

WAYS = ("open", "tentacle", "supply", "exchange")
"""How an ingredient card comes to a seat: the action, Extra Tentacle, Take From the Supply, Exchange a Bun."""
OPEN, BY_TENTACLE, BY_SUPPLY, BY_EXCHANGE = range(4)
FATES = ("placed", "stacked", "lost")
PLACED, STACKED, GONE = range(3)
"""What becomes of an ingredient that came to a seat."""
LEAVINGS = ("order", "bun", "discarded", "exchanged", "lost")
"""How an item leaves a bakery: with an order, stacked to a bun, by Clean Up, for an ingredient, without a bun."""
WITH_ORDER, TO_BUN, DISCARDED, EXCHANGED, LOST = range(5)

NOWHERE = 255
"""Of `lifted`: no cell, or one that has slid out of the frame."""

ROUNDS_TOLD, TURNS_TOLD = 24, 24
"""Rounds, and turns that an open order waits, that tallies tell apart; later ones count with the last."""

NOT_CLEANED, MOVED, THROWN = range(3)
"""What was done with the cards of this clean-up."""

COUNTS = (
    *("n_taken", "n_rope_ins", "n_blind", "n_exchanges", "n_clean_ups", "n_extra_rope_ins", "n_extra_tentacles"),
    *("n_supply_takes", "n_starting_used", "n_buns_made", "n_from_reserve", "n_dropped"),
)
"""What is counted for the rows, by seat."""


def fields(rules: Rules, seats: int) -> tuple[Field, ...]:
    """The declared state."""
    n_small, n_large = len(rules.small_orders), len(rules.large_orders)
    return (
        Field("bakery", "uint8", (seats, N_CELLS), "item code", "0 empty, ingredients, then buns; cells row by row"),
        Field("hand", "uint8", (2,), "item code", "cards about to be put down; two if both are cleaned up together"),
        Field("lifted", "uint8", (2,), "cell", "that they were lifted from; 255: none, or outside the frame by now"),
        Field("open", "uint8", (N_STACKS,), "item code", "the open ingredient cards; 0: none"),
        Field("stack", "uint8", (N_STACKS, rules.n_cards), "item code", "rings of cards, see `first`"),
        Field("first", "uint8", (N_STACKS,), "place", "in its ring of each stack's top card"),
        Field("size", "uint8", (N_STACKS,), "cards", "in each stack"),
        Field("newest", "uint8", (N_STACKS,), "cards", "at the bottom of each stack that the last shuffle put there"),
        Field("tops", "uint8", (N_STACKS,), "item code", "of each stack, 0: none; follows from the stacks"),
        Field("discards", "uint8", (rules.n_ingredients,), "cards", "of each ingredient in the discard pile"),
        Field("bun_stock", "uint8", (max(1, len(rules.buns)),), "cards", "of each bun in the supply"),
        Field("pile", "uint8", (len(KINDS), max(n_small, n_large)), "order", "rings of small and large orders"),
        Field("pile_first", "uint16", (len(KINDS),), "place", "of each pile's top card, before the ring is closed"),
        Field("pile_size", "uint8", (len(KINDS),), "cards", "in each pile"),
        Field("orders", "uint8", (N_OPEN,), "order", "open: two small, two large; 255: none"),
        Field("since", "uint16", (N_OPEN,), "turns", "started before each open order was turned up"),
        Field("reserved", "uint8", (seats, max(1, rules.n_reserved)), "order", "of each seat; 255: none"),
        Field("icons", "uint8", (seats, 3), "icons", "unused, of each kind"),
        Field("starting", "uint8", (seats,), "cards", "unused starting cards"),
        Field("n_done", "uint8", (seats, len(KINDS)), "orders", "completed, small and large"),
        Field("coins_from", "uint16", (seats, len(KINDS)), "coins", "from small and large orders"),
        Field("action", "uint8", (), "", "taken this turn, an option of `act`, 0 for all takes; 255: none"),
        Field("n_cleaned", "uint8", (), "cards", "moved or discarded in this turn's clean-up"),
        Field("cleaned_how", "uint8", (), "", "what was done with them: 0 nothing yet, 1 moved, 2 discarded"),
        Field("n_orders", "uint8", (), "orders", "completed this turn"),
        Field("fresh", "uint8", (3,), "icons", "gained this turn"),
        Field("n_rebuilds", "uint8", (), "", "times that the supply was rebuilt"),
        Field("stock_out", "bool", (), "", "some bun was out of stock at the end of a turn"),
        Field("first_done", "uint8", (), "seat", "first with all its orders; as many as there are seats: none"),
        *(Field(name, "uint16", (seats,), "", "counts for the rows") for name in COUNTS),
    )
