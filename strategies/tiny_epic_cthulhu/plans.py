"""What a step is worth to the scholar: how far it brings the next page or portal, and what it does to the bag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView
from simkit.strategy import Strategy

from .outlook import ACTION, Outlook, banish_chance, seal_chance, unseen_lack
from .prospects import open_portals, sum_of

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]

_ONE, _TWO = np.uint8(1), np.uint8(2)
NEVER = np.int16(-9000)


@dataclass(frozen=True)
class _Plans(Strategy):
    """The worth of places, tentacles and deeds, for strategies to weigh; no strategy by itself, and not listed.

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
        worth = value([0] * 4, one_more(temper), chaos)
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


def same(temper: Any, times: int) -> list[Bytes]:
    """The same tentacles for so many cases: (times, n) for each colour."""
    return [np.repeat(own[None], times, axis=0) for own in temper]


def one_more(temper: Any) -> list[Bytes]:
    """As many as there are, then one more of each colour in turn: (4, n) for each colour."""
    ways = same(temper, 4)
    for colour in range(3):
        ways[colour][1 + colour] += _ONE
    return ways


def one_less(temper: Any) -> list[Bytes]:
    """As many as there are, then one less of each colour in turn, if there is one: (4, n) for each colour."""
    ways = same(temper, 4)
    for colour in range(3):
        ways[colour][1 + colour] -= ways[colour][1 + colour] != 0
    return ways


def _runes_of_cards(rules: Any) -> npt.NDArray[np.int16]:
    """Runes of each card by colour, int16 (3, 256)."""
    runes = np.zeros((3, 256), np.int16)
    runes[:, : len(rules.page_runes)] = rules.page_runes.T
    return runes
