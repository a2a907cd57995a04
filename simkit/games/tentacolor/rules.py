"""Tentacolor's parameters, validated, and the box of cards they describe."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, model_validator

SHARK, SCHOOL, RARE = 1, 2, 3
ENCOUNTERS = ("none", "shark", "school", "rare")
ENCOUNTER_SHIFT = 6
"""A card is one byte: bits 0-5 its two colours, one bit each; bits 6-7 its encounter."""
COLOUR_BITS = 0b111111

_FIRST_CARRIER = {SHARK: 2, SCHOOL: 7, RARE: 11}

Triple = tuple[int, ...]


class Rules(BaseModel):
    """One value for each component of `components.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    colours: Annotated[int, Field(ge=3, le=6)]
    cards: Annotated[int, Field(ge=6, le=120)]
    run: Annotated[int, Field(ge=2, le=20)]
    run_two_players: Annotated[int, Field(ge=2, le=20)]
    sharks: Annotated[int, Field(ge=0, le=40)]
    schools: Annotated[int, Field(ge=0, le=40)]
    rares: Annotated[int, Field(ge=0, le=40)]
    carriers: Literal["spread", "random"]
    expert: bool
    extremities: Annotated[tuple[Triple, ...], Field(min_length=4, max_length=4)]
    extremities_six_colours: Annotated[tuple[Triple, ...], Field(min_length=4, max_length=4)]
    forced_match: bool
    deck_out: Literal["longest-run", "reshuffle"]
    rare_at_deck_out: Literal["no-effect", "play-one"]
    max_rounds: Annotated[int, Field(ge=1, le=1000)]

    @model_validator(mode="after")
    def _fits(self) -> Rules:
        """The box must come out even, and hold all its encounters."""
        pairs = len(self.pairs)
        if self.cards % pairs or self.cards // pairs > 15:
            raise ValueError(
                f"cards must be 1 to 15 copies of the {pairs} pairs of {self.colours} colours; found {self.cards} cards"
            )
        if sum(self.seen_bits) > 64:
            raise ValueError(f"cards and encounters must be fewer, to be counted in 64 bits; found {self.cards} cards")
        if self.sharks + self.schools + self.rares > self.cards:
            raise ValueError(f"at most {self.cards} cards can carry encounters; found more sharks + schools + rares")
        for card in self.extremity_cards:
            if not card or any(not 0 <= colour < self.colours for colour in card):
                raise ValueError(f"an extremity's colours must lie in 0..{self.colours - 1}; found {card}")
        return self

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The colour pairs, in the order in which cards are numbered."""
        return tuple(combinations(range(self.colours), 2))

    @property
    def extremity_cards(self) -> tuple[Triple, ...]:
        """The Extremity cards for this number of colours; colours a small box lacks are left out by the user."""
        if not self.expert:
            return ()
        return self.extremities if self.colours < 6 else self.extremities_six_colours

    @property
    def objectives(self) -> list[int]:
        """The colours of each Extremity card, a bit each."""
        return [sum(1 << colour for colour in card) for card in self.extremity_cards]

    def need(self, seats: int) -> int:
        """The run that wins [cards]."""
        return self.run_two_players if seats == 2 else self.run

    def need_array(self, seats: int) -> npt.NDArray[np.uint8]:
        """The same as an operand that costs no conversion, uint8 ()."""
        return np.array(self.need(seats), np.uint8)

    @cached_property
    def seen_bits(self) -> tuple[int, ...]:
        """Bits of the field `seen` that count each colour pair, then sharks, schools and rare specimens."""
        copies = self.cards // len(self.pairs)
        return tuple(
            count.bit_length() for count in (*[copies] * len(self.pairs), self.sharks, self.schools, self.rares)
        )

    @cached_property
    def seen_units(self) -> npt.NDArray[np.uint64]:
        """What a card adds to the field `seen`, by card: one for its pair, one for its encounter; uint64 (256,)."""
        starts = np.cumsum((0, *self.seen_bits))
        units = np.zeros(256, np.uint64)
        for pair, (a, b) in enumerate(self.pairs):
            for kind in range(4):
                encounter = 1 << int(starts[len(self.pairs) + kind - 1]) if kind else 0
                units[1 << a | 1 << b | kind << ENCOUNTER_SHIFT] = (1 << int(starts[pair])) + encounter
        return units

    def seen_counts(self, seen: npt.NDArray[np.uint64]) -> npt.NDArray[np.int16]:
        """The field `seen` (n,) as counts of each colour pair, then of each encounter, int16 (pairs + 3, n)."""
        counts, start = np.empty((len(self.seen_bits), len(seen)), np.int16), 0
        for row, bits in zip(counts, self.seen_bits, strict=True):
            row[:] = seen >> np.uint64(start) & np.uint64((1 << bits) - 1)
            start += bits
        return counts

    def pair_cards(self) -> npt.NDArray[np.uint8]:
        """All cards without encounters, in pair order, uint8 (cards,)."""
        pairs = np.array([1 << a | 1 << b for a, b in self.pairs], np.uint8)
        return np.repeat(pairs, self.cards // len(pairs))

    def encounters(self) -> npt.NDArray[np.uint8]:
        """The encounter of each card, spread evenly over the pairs, uint8 (cards,)."""
        carried = np.zeros(self.cards, np.uint8)
        for kind, count in ((SHARK, self.sharks), (SCHOOL, self.schools), (RARE, self.rares)):
            for k in range(count):
                place = (_FIRST_CARRIER[kind] + self.cards * k // count) % self.cards
                while carried[place]:
                    place = (place + 1) % self.cards
                carried[place] = kind
        return carried
