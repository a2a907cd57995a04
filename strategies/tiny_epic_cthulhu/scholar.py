"""Counts the actions to every page and portal, takes the shortest way, and keeps the bag rich."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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

from .outlook import Outlook, seal_chance, sum_chance_table
from .plans import _Plans, one_less, one_more, same
from .prospects import (
    MOVES,
    NO_MORE,
    TOWNS_AHEAD,
    effect_key,
    sum_of,
)

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]

_ONE = np.uint8(1)


@dataclass(frozen=True)
class Scholar(_Plans):
    """Takes the shortest way to the next page or portal, counted in actions, and fights where that feeds the bag. Ours.

    Every step is worth what it brings nearer: the best and the second-best page (how many moves, how many times to
    collect, for which colours, where), the colours in hand for pages not yet seen, tentacles brought back to the
    Discard Mat, which the bag lives on, less the dread of tentacles drawn beside Shamblers.

    The weights are explained in `plans.py`.
    """

    # ------------------------------------------------------------------------------------------- its turn

    def action(self, view: TinyEpicCthulhuView) -> Worth:
        """The step that brings most; with Chaos only what is worth more than the Chaos."""
        out = Outlook(view)
        value = self.valuer(out)
        temper, chaos = view.temper(), view.chaos()
        ways = [*one_more(temper), *(np.repeat(own[None], 4, axis=0) for own in temper)]
        ways = [np.concatenate([ways[c], ways[c + 3]]) for c in range(3)]
        worth = value([0] * 4 + [1, 2, 3, 4], ways, chaos, [False] * 4 + [True] * 4)
        now, first = worth[0], worth[1:4] - worth[0]
        draws = self.dread(out)
        scores = np.zeros((len(view.options), view.n), np.int16)
        ahead = [worth[3 + town] - now + draws[town] for town in range(1, 5)]
        for move in MOVES:
            scores[move] = ahead[TOWNS_AHEAD[move] - 1]
        most = temper[2] + _ONE + view.passive("collects")
        scores[COLLECT] = self.gathering(out, value, [m[0] for m in out.madness], most, 3, first, self.relief(out))
        scores[BANISH] = self.fight(out)
        scores[TOWN] = self.town_action(out, value, now, ahead)
        scores[TRANSLATE] = 900
        scores[SEAL_PORTAL] = 800
        scores[USE_ABILITY] = self.ability(view)
        if view.decision == "chaos_action":
            scores[END_TURN] = self.wild + 4
            scores[TOWN] -= np.int16(self.wild)
        return scores

    def ability(self, view: TinyEpicCthulhuView) -> Worth:
        """Revealing comes first, all else last."""
        first = np.array([any(effect_key(e) == "reveal" for e in c.effects) for c in view.rules.characters])
        return np.where(first.take(view.character()), np.int16(1000), np.int16(1))

    def town_action(self, out: Outlook, value: Any, now: Worth, ahead: list[Worth]) -> Worth:
        """What the town's action is worth, int16 (n,)."""
        view, total = out.view, np.zeros(out.view.n, np.int16)
        side = view.here(view.sides)
        for place, town in enumerate(view.rules.sides):
            mine = side == place
            if mine.any():
                for effect in town.effects:
                    total += self.effect(out, value, now, ahead, effect) * mine
        return total

    def effect(self, out: Outlook, value: Any, now: Worth, ahead: list[Worth], effect: Any) -> Worth:
        """What an effect is worth, int16 (n,)."""
        view, key, number = out.view, effect_key(effect), np.int16(getattr(effect, "n", 1))
        nothing = np.zeros(view.n, np.int16)
        if key == "madness to you":
            pile = {"discard": view.discard[:3], "mat": view.mat, "here": [m[0] for m in out.madness]}[effect.source]
            less = np.int16(-self.taken if effect.source == "discard" else 0)
            return self.gathering(out, value, list(pile), np.full(view.n, number, np.uint8), int(number), None, less)
        if key in ("madness from mat", "eldritch from energy"):
            return self.slowing(out, key, number)
        if key == "madness from here":
            return nothing + number * np.int16(3)
        if key == "chaos to you":
            there = view.chaos_supply if effect.source == "supply" else view.discard[3]
            return (there != 0) * (view.chaos() < view.rules.chaos_track) * np.int16(self.wild)
        if key == "reveal":
            others = np.minimum(sum_of(list(out.lies_down[1:].view(np.uint8))), number).astype(np.int16)
            own = value([0], same(view.temper(), 1), view.chaos(), [True])[0] - now
            return np.maximum(own, 0) + others * np.int16(self.seen)
        if key == "banish":
            return self.fight(out, effect.n)
        if key == "travel":
            best = nothing
            there = value([1, 2, 3, 4], same(view.temper(), 4), view.chaos()) - now
            for town in range(1, 5):
                best = np.maximum(best, np.where((out.goo == town) & ~out.in_phase_two, 0, there[town - 1]))
            return best
        if key == "lure":
            chance = seal_chance(view, view.runes(), out.rerolls)[0]
            can = [(chance[c] != 0) & ((view.temper()[c] != 0) | (view.chaos() != 0)) for c in range(3)]
            return (can[0] | can[1] | can[2]) * (out.goo != 0) * out.in_phase_two * np.int16(30)
        return nothing

    def flip(self, view: TinyEpicCthulhuView) -> Worth:
        """The page that it could pay for; of unseen ones the one where it stands, then the nearest."""
        out = Outlook(view)
        lack = out.pages.lack(view.temper())
        worth = np.int16(20) - lack * np.int16(4) - out.hops[0].astype(np.int16) * np.int16(3)
        worth = np.where(out.is_unseen, np.int16(14) - out.hops[0].astype(np.int16) * np.int16(3), worth)
        worth *= out.is_unseen | out.pages.is_open
        scores = np.zeros((len(view.options), view.n), np.int16)
        for place, town in enumerate(view.way):
            step = (town + np.uint8(5) - view.at()) % np.uint8(5)
            for way in range(5):
                scores[place] += (step == way) * (worth[way] + np.int16(1))
        return scores

    def collect(self, view: TinyEpicCthulhuView) -> Worth:
        """The colour that brings most, as long as any brings something."""
        out = Outlook(view)
        scores = np.zeros((len(view.options), view.n), np.int16)
        can = [np.ones(view.n, bool)] * 3
        scores[:NO_MORE] = self.gains(self.valuer(out), view.temper(), view.chaos(), can) + self.relief(out)
        return scores

    # ------------------------------------------------------------------------------------------- dice

    def reroll_banish(self, view: TinyEpicCthulhuView) -> Worth:
        """Dice that show more than it has to spend."""
        out = Outlook(view)
        means = np.zeros(view.n, np.uint8)
        for colour in range(3):
            means = np.maximum(means, (out.shamblers_here[colour] != 0) * view.temper()[colour])
        means = means + view.chaos()
        scores = np.zeros((len(view.options), view.n), np.int16)
        for mask in range(len(view.options)):
            for die, face in enumerate(view.dice):
                if mask >> die & 1:
                    scores[mask] += np.where((face > means) & (face < 9), np.int16(1), np.int16(-1))
        return scores

    def reroll_seal(self, view: TinyEpicCthulhuView) -> Worth:
        """The dice whose reroll is likeliest to reach the number."""
        table, most = sum_chance_table(tuple(view.rules.die)), 9
        scores = np.zeros((len(view.options), view.n), np.int16)
        for mask in range(len(view.options)):
            kept, again = np.zeros((2, view.n), np.uint8)
            for die, face in enumerate(view.dice):
                if mask >> die & 1:
                    again += _ONE
                else:
                    kept += np.where(face < 9, face, np.uint8(0))
            short = np.minimum(np.maximum(view.need, kept) - kept, np.uint8(most))
            scores[mask] = table.take(again * np.uint8(most + 1) + short)
        return scores

    def banish(self, view: TinyEpicCthulhuView) -> Worth:
        """The Shambler that brings most, if it is worth what it costs."""
        scores = np.zeros((len(view.options), view.n), np.int16)
        for colour in range(3):
            scores[colour] = (
                self.banishing(view, colour) - view.cost * np.int16(6) + np.minimum(view.temper()[colour], 2)
            )
        return scores

    def target(self, view: TinyEpicCthulhuView) -> Bytes:
        """That of which it has most tentacles."""
        return view.temper()

    def portal(self, view: TinyEpicCthulhuView) -> Bytes:
        """The likeliest to be sealed; rather with a tentacle of the colour than with Chaos."""
        easy, hard = seal_chance(view, view.runes(), Outlook(view).rerolls)
        scores = np.zeros((len(view.options), view.n), np.uint8)
        numbers = view.rules.portal_numbers
        for portal in range(6):
            colour, other = portal // 2, portal ^ 1
            is_harder = np.where(view.is_sealed[other], False, numbers[portal] > numbers[other])
            scores[portal] = np.where(is_harder, hard[colour], easy[colour]) + (view.temper()[colour] != 0) * _ONE
        return scores

    # ------------------------------------------------------------------------------------------- effects

    def wheel_madness(self, view: TinyEpicCthulhuView) -> Bytes:
        """The colour of which most lies on the Shambler Mat."""
        return view.mat

    def tentacle(self, view: TinyEpicCthulhuView) -> Worth:
        """To itself what brings most; off itself what is of least use; off towns what is about to be accursed."""
        out, scores = Outlook(view), np.zeros((len(view.options), view.n), np.int16)
        value, temper = self.valuer(out), view.temper()
        ways = [np.concatenate([one_more(temper)[c], one_less(temper)[c]]) for c in range(3)]
        worth = value([0] * 8, ways, view.chaos())
        gains = worth[1:4] - worth[0]
        for colour in range(3):
            loss = worth[0] - worth[5 + colour]
            here, mat = out.madness[colour][0].astype(np.int16), view.mat[colour].astype(np.int16)
            other = np.where(view.source == _HERE, here * 3 - 1, mat + 1)
            scores[colour] = np.where(view.source == _YOU, np.int16(4) - loss, other)
            scores[colour] = np.where(view.target == _YOU, gains[colour], scores[colour])
        return scores

    def page(self, view: TinyEpicCthulhuView) -> Worth:
        """Turn up the page that it reaches soonest; do not swap."""
        out, scores = Outlook(view), np.zeros((len(view.options), view.n), np.int16)
        worth = np.int16(20) - out.hops[0] * np.int16(2) + (out.is_unseen * np.int16(2))
        worth[0] += np.int16(3)
        for town in range(5):
            step = (np.uint8(town + 5) - view.at()) % np.uint8(5)
            for way in range(5):
                scores[town] += (step == way) * worth[way]
        scores[5] = (view.purpose != 0) * np.int16(90)
        return scores

    def town(self, view: TinyEpicCthulhuView) -> Worth:
        """To where it is best to be; the Great Old One to itself in Phase Two, and away from all before."""
        out, scores = Outlook(view), np.zeros((len(view.options), view.n), np.int16)
        value = self.valuer(out)
        worth = value([0, 1, 2, 3, 4], same(view.temper(), 5), view.chaos())
        lure = -out.others_here.astype(np.int16)
        lure[0] = np.where(out.in_phase_two, 9, -1)
        worth = np.where(view.purpose == 0, worth, lure)
        for town in range(5):
            step = (np.uint8(town + 5) - view.at()) % np.uint8(5)
            for way in range(5):
                scores[town] += (step == way) * worth[way]
        return scores


_HERE, _YOU = (PLACES.index(place) for place in ("here", "you"))
"""Numbers of places that tentacles move from and to."""
