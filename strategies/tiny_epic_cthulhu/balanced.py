"""Weighs what presses against what helps on; the other plans of this folder weigh other things."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import PLACES
from simkit.games.tiny_epic_cthulhu.legal import (
    BANISH,
    COLLECT,
    END_TURN,
    SEAL_PORTAL,
    TOWN,
    TRANSLATE,
    USE_ABILITY,
)
from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView
from simkit.strategy import Strategy

from .prospects import (
    MOVES,
    NO_MORE,
    TOWNS_AHEAD,
    Pages,
    effect_key,
    may_overflow,
    most_of,
    n_full,
    open_portals,
    pages,
    rising,
    stop_draws,
    sum_of,
    worth_of_sides,
)

Bytes = npt.NDArray[np.uint8]
Small = npt.NDArray[np.int8]

_ONE, _TWO = np.uint8(1), np.uint8(2)


@dataclass(frozen=True)
class Balanced(Strategy):
    """Translates what it can pay for, collects what pages lack, and fights Shamblers where they crowd or press.

    A turn is a string of single steps: seal or translate what is ready, collect what completes the page here, use a
    town action that helps, banish where Shamblers crowd, go where the next page or the Great Old One is, with an eye on
    the tentacles that Shamblers would press on it. It is the play by which simkit's speed at this game is measured, and
    stays as it is: improvements go into other plans. Ours.

    Parameters
    ----------
    ready
        What going to a page is worth that can be paid; a page lacking something is worth less.
    shambler
        What fighting is worth, for each Shambler in the town.
    risk
        What a tentacle is dreaded for each track it could make accursed.
    draw
        What drawing a tentacle beside a Shambler costs, whatever comes.
    chaos
        What an action must be worth to be paid with Chaos.
    """

    ready: int = 50
    shambler: int = 7
    risk: int = 5
    draw: int = 2
    chaos: int = 65

    SIDES: ClassVar[dict[Any, int]] = {
        "madness to you": 12,
        "madness from mat": 8,
        "madness from here": 3,
        "madness from you": 2,
        "chaos to you": 20,
        "eldritch from energy": 45,
        "reveal": 13,
        "swap": 2,
        "banish": 22,
    }
    """What effects of town actions are worth, for each that they do."""

    # ------------------------------------------------------------------------------------------- what is worth

    def demand(self, view: TinyEpicCthulhuView, seen: Pages) -> Bytes:
        """Pages, and portals, that a Madness more of each colour helps with, uint8 (3, n)."""
        temper = view.temper()
        wanted = np.empty((3, view.n), np.uint8)
        for colour in range(3):
            lacking = (seen.cost[colour] > temper[colour]) & seen.is_open
            wanted[colour] = sum_of([town.view(np.uint8) for town in lacking])
        if view.is_phase_two.any():
            portals = (open_portals(view) != 0) & (view.runes() != 0) & (temper == 0) & view.is_phase_two
            wanted += portals * _TWO
        return wanted * (temper < view.rules.temperament_track)

    def town_worth(self, view: TinyEpicCthulhuView, seen: Pages) -> Small:
        """What it is worth to be in each town, int8 (5, n)."""
        temper, madness = view.temper(), view.madness
        lack = seen.lack(temper)
        here = [(seen.cost[c] > temper[c]) & (madness[:, c] != 0) for c in range(3)]
        lack = lack * _TWO - sum_of([mask.view(np.uint8) for mask in here])
        worth = np.int8(self.ready) - np.minimum(lack, _TWO * _TWO).view(np.int8) * np.int8(8)
        worth *= seen.is_ready
        worth += (~view.face_up & view.has_page) * np.int8(24)
        if view.is_phase_two.any():
            worth += self.seal_worth(view)
        worth -= self.danger(view)
        return worth

    def seal_worth(self, view: TinyEpicCthulhuView) -> Small:
        """What it is worth to be where the Great Old One is, int8 (5, n)."""
        can = (open_portals(view) != 0) & (view.runes() != 0) & ((view.temper() | view.chaos()) != 0)
        can_seal = ((can[0] | can[1] | can[2]) & view.is_phase_two) * np.int8(60)
        worth = np.empty((5, view.n), np.int8)
        for town in range(5):
            worth[town] = (view.goo == town) * can_seal
        return worth

    def danger(self, view: TinyEpicCthulhuView) -> Small:
        """What stopping in each town is dreaded, int8 (5, n)."""
        each = n_full(view) * np.uint8(self.risk) + np.uint8(self.draw)
        near = view.brain() + _ONE >= view.rules.delirium
        dreaded = np.minimum(stop_draws(view) * each, np.uint8(60)) + may_overflow(view) * near * np.uint8(60)
        return dreaded.view(np.int8)

    def fight_worth(self, view: TinyEpicCthulhuView) -> Small:
        """What a Banish is worth here, int8 (n,): Shamblers crowd, and Madness of their colour comes off the mat."""
        here = view.here(view.shamblers)
        means = most_of([(here[c] != 0) * view.temper()[c] for c in range(3)]) + view.chaos()
        relief = most_of([(here[c] != 0) * np.minimum(view.mat[c], view.temper()[1] + _ONE) for c in range(3)])
        worth = sum_of(list(here)) * np.uint8(self.shambler) + relief * _TWO
        worth *= np.minimum(means, _TWO)
        return (worth >> _ONE).view(np.int8)

    def town_action_worth(self, view: TinyEpicCthulhuView) -> Small:
        """What the town's action is worth, int8 (n,)."""
        return worth_of_sides(view.rules, self.SIDES).take(view.here(view.sides)).view(np.int8)

    def ability_worth(self, view: TinyEpicCthulhuView) -> Small:
        """What the ability is worth, int8 (n,): nothing, if it only sheds tentacles that are no danger."""
        sheds = [all(effect_key(effect) == "madness from you" for effect in c.effects) for c in view.rules.characters]
        return np.int8(66) - (np.array(sheds).take(view.character()) & (n_full(view) == 0)) * np.int8(67)

    # ------------------------------------------------------------------------------------------- its turn

    def action(self, view: TinyEpicCthulhuView) -> Small:
        """The best single step; what is paid with Chaos must be worth it."""
        seen = pages(view)
        scores = np.empty((len(view.options), view.n), np.int8)
        worth = self.town_worth(view, seen)
        ahead = [view.ahead(worth, steps) for steps in range(1, 5)]
        for move in MOVES:
            scores[move] = ahead[TOWNS_AHEAD[move] - 1]
        scores[COLLECT] = self._collect_worth(view, seen)
        scores[BANISH] = self.fight_worth(view)
        scores[TOWN] = self.town_action_worth(view)
        scores[TRANSLATE] = 100
        scores[SEAL_PORTAL] = 110
        scores[USE_ABILITY] = self.ability_worth(view)
        scores[END_TURN] = self.chaos if view.decision == "chaos_action" else 0
        return scores

    def _collect_worth(self, view: TinyEpicCthulhuView, seen: Pages) -> Small:
        """What collecting here is worth, int8 (n,): most if it completes the page here."""
        temper, madness, wanted = view.temper(), view.here(view.madness), self.demand(view, seen)
        useful = [(wanted[c] != 0) & (madness[c] != 0) for c in range(3)]
        number = sum_of([np.minimum(madness[c], wanted[c]) * useful[c] for c in range(3)])
        number = np.minimum(number, temper[2] + _ONE + view.passive("collects"))
        lacking = [view.here(np.maximum(seen.cost[c], temper[c]) - temper[c]) for c in range(3)]
        left = sum_of([np.maximum(lacking[c], madness[c]) - madness[c] for c in range(3)])
        completes = view.here(seen.is_ready) & (left == 0)
        worth = np.minimum(number, 3) * np.uint8(7) + (number != 0) * np.uint8(14) + completes * np.uint8(28)
        return worth.view(np.int8)

    def flip(self, view: TinyEpicCthulhuView) -> Bytes:
        """The page where it stops, or the last before."""
        scores = rising(view) + _ONE
        scores[-1] = 0
        return scores

    def collect(self, view: TinyEpicCthulhuView) -> Bytes:
        """What the page here lacks, then what most pages lack, then anything of which it has none."""
        seen = pages(view)
        temper, wanted = view.temper(), self.demand(view, seen)
        scores = np.empty((len(view.options), view.n), np.uint8)
        for colour in range(3):
            lacks = view.here((seen.cost[colour] > temper[colour]) & seen.is_ready)
            scores[colour] = wanted[colour] * _TWO + lacks * np.uint8(20) + (temper[colour] == 0) * _ONE
        scores[NO_MORE] = 1
        return scores

    # ------------------------------------------------------------------------------------------- dice

    def reroll_banish(self, view: TinyEpicCthulhuView) -> Small:
        """Dice that show more than it has to spend."""
        here = view.here(view.shamblers)
        means = most_of([(here[c] != 0) * view.temper()[c] for c in range(3)]) + view.chaos()
        return _by_dice(view, [np.where(die > means, np.int8(1), np.int8(-1)) for die in view.dice])

    def reroll_seal(self, view: TinyEpicCthulhuView) -> Small:
        """Noughts and ones, if the number is not reached."""
        shown = sum_of([die * (die < 3) for die in view.dice])
        short = shown < view.need
        return _by_dice(view, [np.where(short, np.int8(3) - 2 * die.view(np.int8), np.int8(-1)) for die in view.dice])

    def banish(self, view: TinyEpicCthulhuView) -> Bytes:
        """The Shambler whose Madness lies thickest on the Shambler Mat."""
        scores = np.zeros((len(view.options), view.n), np.uint8)
        scores[:3] = view.mat + _ONE
        return scores

    def target(self, view: TinyEpicCthulhuView) -> Bytes:
        """That of which it has most tentacles."""
        return view.temper()

    def portal(self, view: TinyEpicCthulhuView) -> Bytes:
        """The colour of which it has most runes, the lower number first."""
        runes = np.minimum(view.runes(), np.uint8(3))
        numbers = [np.uint8(min(number, 9)) for number in view.rules.portal_numbers]
        return np.stack([runes[p // 2] * np.uint8(10) + np.uint8(9) - numbers[p] for p in range(6)])

    # ------------------------------------------------------------------------------------------- effects

    def wheel_madness(self, view: TinyEpicCthulhuView) -> Bytes:
        """The colour of which most lies on the Shambler Mat."""
        return view.mat

    def tentacle(self, view: TinyEpicCthulhuView) -> Bytes:
        """To itself what pages lack; off itself what fills a track; else the colour of which there is most."""
        scores = np.empty((len(view.options), view.n), np.uint8)
        source, target = view.source, view.target
        here = view.here(view.madness)
        wanted = self.demand(view, pages(view)) if (target == _YOU).any() else np.zeros((3, view.n), np.uint8)
        for colour in range(3):
            own = view.temper()[colour]
            gives = (own >= view.rules.temperament_track) * _TWO
            other = np.where(source == _HERE, here[colour], view.mat[colour] + _ONE)
            scores[colour] = np.where(target == _YOU, wanted[colour], np.where(source == _YOU, gives, other))
        scores[NO_MORE] = (target == _YOU) | (source == _YOU)
        scores[NO_MORE] += source == _HERE
        return scores

    def page(self, view: TinyEpicCthulhuView) -> Bytes:
        """Turn up what lies nearest clockwise; do not swap."""
        scores = np.empty((len(view.options), view.n), np.uint8)
        for town in range(5):
            scores[town] = (np.uint8(town + 5) - view.at()) % np.uint8(5) == 0
        scores[:5] += _ONE
        scores[5] = (view.purpose != 0) * np.uint8(9)
        return scores

    def town(self, view: TinyEpicCthulhuView) -> Small:
        """To where it is best to be; the Great Old One to itself in Phase Two, and far off before."""
        worth = self.town_worth(view, pages(view))
        lure = np.empty_like(worth)
        for town in range(5):
            is_own = view.at() == town
            lure[town] = is_own == view.is_phase_two
        return np.where(view.purpose == 0, worth, lure)


_HERE, _YOU = (PLACES.index(place) for place in ("here", "you"))
"""Numbers of places that tentacles move from and to."""


def _by_dice(view: TinyEpicCthulhuView, worth: list[Small]) -> Small:
    """The sum of what rerolling each die is worth, for every set of dice, int8 (options, n)."""
    scores = np.zeros((len(view.options), view.n), np.int8)
    for mask in range(len(view.options)):
        for die, each in enumerate(worth):
            if mask >> die & 1:
                scores[mask] += each
    return scores
