"""Counts the actions to every page and portal, takes the shortest way, and keeps the bag rich."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView
from simkit.strategy import Strategy

from .outlook import ACTION, Outlook, banish_chance, seal_chance, sum_chance_table, unseen_lack
from .prospects import (
    ABILITY,
    BANISH,
    COLLECT,
    MOVES,
    NO_MORE,
    SEAL,
    STOP,
    TOWN,
    TOWNS_AHEAD,
    TRANSLATE,
    effect_key,
    open_portals,
    sum_of,
)

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]

_ONE, _TWO = np.uint8(1), np.uint8(2)
NEVER = np.int16(-9000)


@dataclass(frozen=True)
class Scholar(Strategy):
    """Takes the shortest way to the next page or portal, counted in actions, and fights where that feeds the bag. Ours.

    Every step is worth what it brings nearer: the best and the second-best page (how many moves, how many times to
    collect, for which colours, where), the colours in hand for pages not yet seen, tentacles brought back to the
    Discard Mat, which the bag lives on, less the dread of tentacles drawn beside Shamblers.

    Parameters
    ----------
    worth_page, worth_portal
        What a page translated and a portal sealed are worth [twelfths of an action, as all].
    second
        How much the second-best plan counts [eighths].
    wild
        What a Chaos Tentacle is worth.
    returned
        What a Madness is worth that comes from the Shambler Mat to the Discard Mat.
    banished
        What a Shambler less in a town is worth.
    eldritch
        What it costs to draw an Eldritch.
    mad
        What losing a space of delirium costs, the first, second, third and fourth time.
    shared
        What a page is worth less for each other seat in its town.
    unseen
        What a page not yet seen is likely to lack costs, a twelfth of a tentacle.
    seen
        What it is worth to have another town's page turned up.
    taken
        What it costs to take a tentacle off the Discard Mat.
    slowed
        How much an Eldritch taken off the Energy Track counts [eighths].
    runes
        What a rune is worth to a seat that has 0, 1, 2, 3 or more of its colour.
    greed, rage, fear
        What the first and the second tentacle of each is worth beside what it pays for.
    crowded
        What it is worth to take a tentacle off a town's track that has 1, 2, 3 or more.
    """

    worth_page: int = 72
    worth_portal: int = 120
    second: int = 4
    wild: int = 9
    returned: int = 7
    banished: int = 9
    eldritch: int = 54
    mad: tuple[int, ...] = (-15, 5, 50, 3000)
    shared: int = 6
    unseen: int = 3
    seen: int = 3
    taken: int = 8
    slowed: int = 8
    runes: tuple[int, ...] = (3, 5, 7, 0)
    greed: tuple[int, int] = (10, 5)
    rage: tuple[int, int] = (3, 3)
    fear: tuple[int, int] = (3, 2)
    crowded: tuple[int, ...] = (0, 2, 6)

    # ------------------------------------------------------------------------------------------- what is worth

    def page_worth(self, out: Outlook) -> Worth:
        """What the page in each town is worth once translated, int16 (5, n)."""
        view = out.view
        bonus = np.array((*self.runes, *[self.runes[-1]] * 60), np.int16)
        by_colour = [bonus.take(view.runes()[c]) for c in range(3)]
        worth = np.full((5, view.n), self.worth_page, np.int16)
        runes = _runes_of_cards(view.rules)
        cards = out.cards
        for colour in range(3):
            worth += runes[colour].take(cards) * by_colour[colour]
        worth += out.is_unseen * np.int16(sum(self.runes[:3]) // 3)
        worth -= out.others_here * np.int16(self.shared)
        return worth * (out.pages.is_open | out.is_unseen)

    def plan(self, out: Outlook, pages: Worth, starts: list[int], temper: Any, chaos: Bytes, arrived: Any) -> Worth:
        """What the best plans for pages are worth, from some towns with so many tentacles each, int16 (k, n)."""
        seen, madness = out.pages, out.madness
        lacks = [np.maximum(seen.cost[c], own := temper[c][:, None]) - own for c in range(3)]
        lack = sum_of(lacks)
        near = [madness[c][starts][:, None] for c in range(3)]
        there = sum_of([np.minimum(lacks[c], madness[c]) for c in range(3)])
        here = sum_of([np.minimum(lacks[c], near[c]) for c in range(3)])
        both = sum_of([np.minimum(lacks[c], madness[c] + near[c]) for c in range(3)])
        most = temper[2][:, None] + (_ONE + out.view.passive("collects"))
        collects = (lack > 0).view(np.uint8) + (lack > most) + (lack > most * _TWO)
        np.maximum(collects, (np.maximum(there, here) < lack) * _TWO, out=collects)
        collects += (both < lack) * _TWO
        collects *= np.uint8(ACTION)
        by_chaos = np.where(lack <= chaos, lack * np.uint8(self.wild), np.uint8(200))
        effort = np.minimum(collects, by_chaos)
        unseen = unseen_lack(temper) * np.uint8(self.unseen) >> _ONE
        effort = np.where(out.is_unseen, unseen[:, None], effort)
        hops = out.hops[starts]
        for place, start in enumerate(starts):
            if not arrived[place]:
                hops[place, start] += out.lies_down[start] * _TWO
        np.minimum(hops, np.uint8(4), out=hops)
        effort += (hops + _ONE) * np.uint8(ACTION)
        return self._best_two(np.maximum(pages - effort, 0).swapaxes(0, 1))

    def _best_two(self, worth: Any) -> Worth:
        """The best, and a part of the second-best, of some worths."""
        best = np.maximum(worth[0], worth[1])
        second = np.minimum(worth[0], worth[1])
        for other in worth[2:]:
            second = np.maximum(second, np.minimum(best, other))
            best = np.maximum(best, other)
        return best + (second * np.int16(self.second) >> np.int16(3))

    def portal_plan(self, out: Outlook, chance: Bytes, starts: list[int], temper: Any, chaos: Bytes) -> Worth:
        """What it is worth to be in a town in Phase Two, with so many tentacles, int16 (k, n)."""
        hops = np.zeros((len(starts), out.view.n), np.uint8)
        for town in range(5):
            hops += (out.goo == town) * out.hops[starts, town]
        gains = chance.astype(np.int16) * np.int16(self.worth_portal) // np.int16(200)
        worth = []
        for colour in range(3):
            lacks = (temper[colour] == 0) & (chaos == 0)
            worth.append(np.maximum(gains[colour] - lacks * np.int16(ACTION), 0) * (chance[colour] != 0))
        return np.maximum(self._best_two(worth) - hops.astype(np.int16) * np.int16(ACTION), 0)

    def held(self, out: Outlook, temper: Any) -> Worth:
        """What tentacles in hand are worth beside the plans, int16 (n,)."""
        worth = -(unseen_lack(temper).astype(np.int16) * np.int16(3) >> np.int16(1))
        if out.in_phase_two.any():
            wanted = open_portals(out.view)
            have = sum_of([np.minimum(temper[c], wanted[c]) for c in range(3)]).astype(np.int16)
            worth = np.where(out.in_phase_two, have * np.int16(6), worth)
        for own, (first, second) in zip(temper, (self.fear, self.rage, self.greed), strict=True):
            worth += (own >= 1) * np.int16(first) + (own >= 2) * np.int16(second)
        return worth

    def dread(self, out: Outlook) -> Worth:
        """What the tentacles drawn on stopping in each town are worth (mostly less than nothing), int16 (5, n)."""
        view = out.view
        bag, temper = view.bag.astype(np.int32), view.temper()
        size = np.maximum(sum_of(list(bag)), 1)
        mad = np.array((*self.mad, *[self.mad[-1]] * 250), np.int32)
        step = view.brain() + np.uint8(max(0, 4 - view.rules.delirium))
        overflow = -(mad.take(step) + np.int32(3 * self.returned))
        once = bag[3] * (view.chaos() < view.rules.chaos_track) * self.wild - bag[4] * self.eldritch
        twice = np.zeros(view.n, np.int32)
        for colour in range(3):
            gain = np.where(temper[colour] == 0, 8, 4)
            once += bag[colour] * np.where(temper[colour] >= out.length, overflow, gain)
            nearly = temper[colour] + _ONE == out.length
            twice += nearly * np.minimum(overflow, 0) * bag[colour] * np.maximum(bag[colour] - 1, 0)
        once, twice = once // size, twice // (size * size)
        draws = np.minimum(out.draws, np.minimum(size, 9)).astype(np.int32)
        pairs = draws * np.maximum(draws - 1, 0) // 2
        return ((draws * once + pairs * twice) * (sum_of(list(bag)) != 0)).clip(-9000, 500).astype(np.int16)

    def fight(self, out: Outlook, fewer: int = 0) -> Worth:
        """What a Banish here is worth, int16 (n,)."""
        view = out.view
        here = out.shamblers_here
        dice = np.maximum(np.minimum(out.shamblers[0], 3), fewer + 1) - np.uint8(fewer)
        off = np.minimum(view.passive("banish_dice"), dice - _ONE)
        best = np.zeros(view.n, np.int16)
        for colour in range(3):
            means = np.minimum(view.temper()[colour] + view.chaos(), _TWO)
            chance = banish_chance(view.rules).take((dice - off) * np.uint8(3) + means)
            value = self.banishing(view, colour) - np.int16(8)
            np.maximum(best, chance * value // np.int16(27) * (here[colour] != 0), out=best)
        return best

    def banishing(self, view: TinyEpicCthulhuView, colour: int) -> Worth:
        """What a Shambler of a colour off the town is worth, int16 (n,)."""
        relief = np.minimum(view.temper()[1] + _ONE, view.mat[colour]).astype(np.int16)
        return relief * np.int16(self.returned) + np.int16(self.banished)

    def gains(self, value: Any, temper: Any, chaos: Bytes, can: list[Any]) -> Worth:
        """What a tentacle more of each colour is worth, where it can be had, int16 (3, n)."""
        worth = value([0] * 4, _one_more(temper), chaos)
        return np.where(np.stack(can), worth[1:] - worth[0], NEVER)

    def slowing(self, out: Outlook, key: str, number: Any) -> Worth:
        """What it is worth to bring tentacles back to the bag, int16 (n,)."""
        view = out.view
        if key == "madness from mat":
            return np.minimum(sum_of(list(view.mat)), number).astype(np.int16) * np.int16(self.returned)
        spare = np.minimum(sum_of(list(view.bag)), 24).astype(np.int16)
        worth = np.where(view.energy_room == 0, spare * 2, np.where(view.energy != 0, spare, 0))
        return (worth * np.int16(self.slowed) >> np.int16(3)).astype(np.int16)

    def relief(self, out: Outlook) -> Worth:
        """What it is worth to take a tentacle of each colour off the own town's tracks, int16 (3, n)."""
        worth = np.array((0, *self.crowded, *[self.crowded[-1]] * 250), np.int16)
        return worth.take(out.madness[:, 0])

    def gathering(
        self, out: Outlook, value: Any, there: Any, number: Bytes, most: int, first: Any = None, relief: Any = 0
    ) -> Worth:
        """What taking up to so many tentacles is worth, one by one the best, int16 (n,)."""
        chaos, temper = out.view.chaos(), [own.copy() for own in out.view.temper()]
        there, total = [tentacles.copy() for tentacles in there], np.zeros(out.view.n, np.int16)
        for taken in range(most):
            if not (number > taken).any():
                break
            can = [(there[c] != 0) & (temper[c] < out.length) for c in range(3)]
            if taken or first is None:
                gains = self.gains(value, temper, chaos, can)
            else:
                gains = np.where(np.stack(can), first, NEVER)
            gains = gains + relief
            best = np.maximum(np.maximum(gains[0], gains[1]), gains[2])
            takes, is_done = (best > 0) & (number > taken), np.zeros(out.view.n, bool)
            total += best * takes
            for colour in range(3):
                mine = takes & ~is_done & (gains[colour] == best)
                is_done |= mine
                temper[colour] += mine
                there[colour] -= mine
        return total

    def valuer(self, out: Outlook) -> Any:
        """The worth of being in some towns with some tentacles: a function of towns, tentacles, Chaos, arrivals."""
        pages = self.page_worth(out)
        some_in_two = bool(out.in_phase_two.any())
        chance = seal_chance(out.view, out.view.runes(), out.rerolls)[0] if some_in_two else None

        def value(starts: list[int], temper: Any, chaos: Bytes, arrived: Any = (False,) * 8) -> Worth:
            worth = self.plan(out, pages, starts, temper, chaos, arrived) + self.held(out, temper)
            if chance is not None:
                worth += self.portal_plan(out, chance, starts, temper, chaos) * out.in_phase_two
            return worth + chaos * np.int16(self.wild)

        return value

    # ------------------------------------------------------------------------------------------- its turn

    def action(self, view: TinyEpicCthulhuView) -> Worth:
        """The step that brings most; with Chaos only what is worth more than the Chaos."""
        out = Outlook(view)
        value = self.valuer(out)
        temper, chaos = view.temper(), view.chaos()
        ways = [*_one_more(temper), *(np.repeat(own[None], 4, axis=0) for own in temper)]
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
        scores[SEAL] = 800
        scores[ABILITY] = self.ability(view)
        if view.decision == "chaos_action":
            scores[STOP] = self.wild + 4
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
            own = value([0], _same(view.temper(), 1), view.chaos(), [True])[0] - now
            return np.maximum(own, 0) + others * np.int16(self.seen)
        if key == "banish":
            return self.fight(out, effect.n)
        if key == "travel":
            best = nothing
            there = value([1, 2, 3, 4], _same(view.temper(), 4), view.chaos()) - now
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
        ways = [np.concatenate([_one_more(temper)[c], _one_less(temper)[c]]) for c in range(3)]
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
        worth = value([0, 1, 2, 3, 4], _same(view.temper(), 5), view.chaos())
        lure = -out.others_here.astype(np.int16)
        lure[0] = np.where(out.in_phase_two, 9, -1)
        worth = np.where(view.purpose == 0, worth, lure)
        for town in range(5):
            step = (np.uint8(town + 5) - view.at()) % np.uint8(5)
            for way in range(5):
                scores[town] += (step == way) * worth[way]
        return scores


_HERE, _YOU = 5, 6
"""Numbers of places that tentacles move from and to."""


def _same(temper: Any, times: int) -> list[Bytes]:
    """The same tentacles for so many cases: (times, n) for each colour."""
    return [np.repeat(own[None], times, axis=0) for own in temper]


def _one_more(temper: Any) -> list[Bytes]:
    """As many as there are, then one more of each colour in turn: (4, n) for each colour."""
    ways = _same(temper, 4)
    for colour in range(3):
        ways[colour][1 + colour] += _ONE
    return ways


def _one_less(temper: Any) -> list[Bytes]:
    """As many as there are, then one less of each colour in turn, if there is one: (4, n) for each colour."""
    ways = _same(temper, 4)
    for colour in range(3):
        ways[colour][1 + colour] -= ways[colour][1 + colour] != 0
    return ways


def _runes_of_cards(rules: Any) -> npt.NDArray[np.int16]:
    """Runes of each card by colour, int16 (3, 256)."""
    runes = np.zeros((3, 256), np.int16)
    runes[:, : len(rules.page_runes)] = rules.page_runes.T
    return runes
