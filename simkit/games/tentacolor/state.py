"""What Tentacolor remembers: declared arrays, the game axis last."""

from __future__ import annotations

from simkit.games.tentacolor.rules import Rules
from simkit.state import Field

FIRST, SECOND, RUN, SHORT_RUN, CARD = range(5)
"""Rows of a tip: the last card's colours (the one with the longer run first), the run of each; the card itself is kept
only where it may be reshuffled."""

ROUNDS_TOLD = 32
"""Rounds that the tally `progress` tells apart; later ones count with the last."""


def fields(rules: Rules, seats: int) -> tuple[Field, ...]:
    """The declared state; a card is one byte as in `rules`, 0 is no card."""
    reshuffled, tip_rows = (rules.cards, CARD + 1) if rules.deck_out == "reshuffle" else (0, CARD)
    return (
        Field("tip", "uint8", (seats, tip_rows), "cards", "end of each tentacle: colours, runs (and card); 0: empty"),
        Field("held", "uint8", (seats,), "card", "the card a seat keeps between its turns"),
        Field("hand", "uint8", (3,), "card", "hand of the seat whose turn it is (between turns: what it was passed)"),
        Field("boxed", "uint8", (reshuffled,), "card", "in the box, where they may be reshuffled"),
        Field("renewed", "uint8", (), "cards", "left of a pile made of the box; they are the first of `boxed`"),
        Field("n_reshuffled", "uint16", (), "cards", "that have gone from the box into a pile"),
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
        Field("n_bitten", "uint16", (), "cards", "removed by sharks"),
        Field("n_swapped", "uint16", (), "cards", "lost to schools of fish"),
        Field("n_rare", "uint16", (), "cards", "placed for rare specimens"),
    )
