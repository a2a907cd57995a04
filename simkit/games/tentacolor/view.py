"""What a seat at Tentacolor may know: all tentacles, its own hand, every card seen so far, and its Extremity card."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacolor.pile import pile_size
from simkit.games.tentacolor.rules import ENCOUNTER_SHIFT
from simkit.games.tentacolor.state import FIRST, RUN, SECOND, SHORT_RUN
from simkit.view import View, read_only

Bytes = npt.NDArray[np.uint8]
_ONE, _TWO = np.array(1, np.uint8), np.array(2, np.uint8)


class TentacolorView(View):
    """A decision of Tentacolor.

    A card is a byte: bits 0-5 its two colours, a bit each; bits 6-7 its encounter (1 shark, 2 school, 3 rare specimen).

    Attributes
    ----------
    cards : uint8 (options, n)
        place, rare: the cards in hand. give: the two left. 0: an empty slot.
    """

    def colours(self, left: int = 0) -> Bytes:
        """The last card's colours on the tentacle `left` seats to the left, longer run first; 0: empty; (2, n)."""
        return self.look(self._tip(left)[FIRST : SECOND + 1])

    def runs(self, left: int = 0) -> Bytes:
        """The run of each of those colours [cards], (2, n)."""
        return self.look(self._tip(left)[RUN : SHORT_RUN + 1])

    def after(self, left: int = 0, cards: Bytes | None = None) -> tuple[Bytes, Bytes]:
        """The runs there would be if each card offered were placed on the tentacle `left` seats to the left.

        Parameters
        ----------
        left
            0 is the seat's own tentacle, 1 the left neighbour's.
        cards : uint8 (k, n), optional
            Other cards than those offered.

        Returns
        -------
        longest, total : uint8 (options, n)
            The longer run, and the sum of both [cards].
        """
        tip = self.look(self._tip(left))
        shared = (self.cards if cards is None else cards) & tip[FIRST : SECOND + 1, None]
        np.not_equal(shared, 0, out=shared.view(bool))
        shared *= tip[RUN : SHORT_RUN + 1, None]
        longest = np.maximum(shared[0], shared[1])
        longest += _ONE
        total = shared[0]
        total += shared[1]
        total += _TWO
        return longest, total

    def rivals(self) -> Bytes:
        """The longest run of every other seat, from the left neighbour on [cards], (seats - 1, n)."""
        if "runs" in self._offer:  # the shark's question is about them
            return self._offer["runs"]
        return np.stack([self.look(self._tip(left)[RUN]) for left in range(1, self.seats)])

    @property
    def need(self) -> int:
        """The run that wins [cards]."""
        return int(self.rules.need(self.seats))

    @property
    def encounters(self) -> Bytes:
        """The encounter of each card offered (0 none, 1 shark, 2 school, 3 rare specimen), (options, n)."""
        return self.cards >> ENCOUNTER_SHIFT

    @property
    def objective(self) -> Bytes | None:
        """Expert: the seat's own three colours, a bit each, (n,); None without the variant."""
        return self.look(self._table.state.extremity[self.seat]) if self.rules.expert else None

    @property
    def pile(self) -> npt.NDArray[np.int16]:
        """Cards left to draw before the box is reshuffled, or for good [cards], (n,)."""
        return read_only(pile_size(self._table, self.columns))

    def unseen(self) -> npt.NDArray[np.int16]:
        """Cards of each colour pair that this seat has seen nowhere yet, its hand included [cards], (pairs, n)."""
        return self._unseen_counts[:-3]

    def unseen_colours(self) -> npt.NDArray[np.int16]:
        """Cards with each colour that this seat has seen nowhere yet [cards], (colours, n)."""
        of_colour = [[colour in pair for pair in self.rules.pairs] for colour in range(self.rules.colours)]
        return np.stack([self.unseen()[mask].sum(axis=0, dtype=np.int16) for mask in np.array(of_colour)])

    def unseen_encounters(self) -> npt.NDArray[np.int16]:
        """Sharks, schools and rare specimens that this seat has seen nowhere yet [cards], (3, n)."""
        return self._unseen_counts[-3:]

    @cached_property
    def _unseen_counts(self) -> npt.NDArray[np.int16]:
        """The box less what all have seen and what is in hand, by pair and encounter, (pairs + 3, n)."""
        rules, seen = self.rules, self.look(self._table.state.seen).copy()
        for card in self.cards if "cards" in self._offer else self.look(self._table.state.hand):
            seen += rules.seen_units.take(card)
        copies = rules.cards // len(rules.pairs)
        box = np.array([copies] * len(rules.pairs) + [rules.sharks, rules.schools, rules.rares], np.int16)
        return read_only(box[:, None] - rules.seen_counts(seen))

    def _tip(self, left: int) -> Any:
        """The tip of the tentacle `left` seats to the left, whole batch."""
        return self._table.state.tip[(self.seat + left) % self.seats]
