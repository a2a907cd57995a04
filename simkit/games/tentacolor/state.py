"""What Tentacolor remembers: declared arrays, the game axis last."""

from __future__ import annotations

from simkit.games.tentacolor.rules import Rules
from simkit.state import Field

CARD, FIRST, SECOND, RUN, SHORT_RUN = range(5)
"""Rows of a tip: the last card, its colours (the one with the longer run first), and the run of each."""
TIP_ROWS = 5

ROUNDS_TOLD = 32
"""Rounds that the tally `progress` tells apart; later ones count with the last."""


def fields(rules: Rules, seats: int) -> tuple[Field, ...]:
    """The declared state; a card is one byte as in `rules`, 0 is no card."""
    reshuffled = rules.cards if rules.deck_out == "reshuffle" else 0
    return (
        Field(
            "tip", "uint8", (seats, TIP_ROWS), "cards", "end of each tentacle: card, colours, runs; 0 where it is empty"
        ),
        Field("under", "int32", (seats,), "", "where the history holds the tip under each tip"),
        Field("held", "uint8", (seats,), "card", "the card a seat keeps between its turns"),
        Field("hand", "uint8", (3,), "card", "hand of the seat whose turn it is (between turns: what it was passed)"),
        Field("n_low", "uint8", (), "cards", "drawn from the bottom of the pile, for encounters"),
        Field("n_boxed", "uint8", (), "cards", "returned to the box and not reshuffled"),
        Field("boxed", "uint8", (reshuffled,), "card", "those cards, where they may be reshuffled"),
        Field("renewed", "uint8", (), "cards", "left of a pile made of the box; they are the first of `boxed`"),
        Field(
            "seen",
            "uint64",
            (),
            "cards",
            "seen by all: counts of pairs and encounters side by side, see `Rules.seen_bits`",
        ),
        Field(
            "extremity",
            "uint8",
            (seats if rules.expert else 0,),
            "colours",
            "Expert: the seat's three colours, a bit each",
        ),
        Field("n_bitten", "uint8", (), "cards", "removed by sharks"),
        Field("n_swapped", "uint8", (), "cards", "lost to schools of fish"),
        Field("n_rare", "uint8", (), "cards", "placed for rare specimens"),
    )
