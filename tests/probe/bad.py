"""Strategies that break the contract, each in its own way.

They are for the toy game Beacon, whose first question is `work`: three options.
"""

from __future__ import annotations

HEAD = """
import numpy as np
from simkit.strategy import Epsilon, Mixture, Never, PerGame, Random, Strategy

def zeros(view):
    return np.zeros((len(view.options), view.n), np.int64)

"""

RAISES = """
class Bad(Strategy):
    def work(self, view):
        return zeros(view)
    def clear(self, view):
        return view.fogs
"""
RETURNS_NOTHING = """
class Bad(Strategy):
    def work(self, view):
        zeros(view)
"""
WRONG_SHAPE = """
class Bad(Strategy):
    def work(self, view):
        return zeros(view)[:2]
"""
TRANSPOSED = """
class Bad(Strategy):
    def work(self, view):
        return zeros(view).T
"""
OBJECTS = """
class Bad(Strategy):
    def work(self, view):
        return zeros(view).astype(object)
"""
COMPLEX = """
class Bad(Strategy):
    def work(self, view):
        return zeros(view) * 1j
"""
TEXTS = """
class Bad(Strategy):
    def work(self, view):
        return zeros(view).astype(str)
"""
NAN = """
class Bad(Strategy):
    def clear(self, view):
        return np.where(view.fog > 1, np.nan, 1.0)
"""
ILLEGAL = """
class Bad(Strategy):
    def choose(self, view):
        return np.full(view.n, len(view.options) - 1, np.uint8)
"""
WRITES = """
class Bad(Strategy):
    def clear(self, view):
        fog = view.fog
        fog += 1
        return fog
"""
WRITES_THROUGH = """
class Bad(Strategy):
    def work(self, view):
        view._table.state.oil[view.seat] += 1
        return zeros(view)
"""
COUNTS = """
class Bad(Strategy):
    n = 0
    def work(self, view):
        self.n += 1
        scores = zeros(view)
        scores[self.n % 2] = 1
        return scores
"""
CLASS_MEMORY = """
class Bad(Strategy):
    seen = []
    def work(self, view):
        Bad.seen.append(view.n)
        scores = zeros(view)
        scores[len(Bad.seen) % 2] = 1
        return scores
"""
MODULE_MEMORY = """
LAST = {}
class Bad(Strategy):
    def work(self, view):
        LAST["oil"] = int(view.oil[view.seat][0])
        return zeros(view)
    def clear(self, view):
        scores = zeros(view)
        scores[LAST["oil"]] = 1
        return scores
"""
FIRST_IMPRESSION = """
class Bad(Strategy):
    first = None
    def work(self, view):
        if Bad.first is None:
            Bad.first = view.seats
        scores = zeros(view)
        scores[Bad.first % 3] = 1
        return scores
"""
PYTHONS_LUCK = """
import random
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[random.randrange(3)] = 1
        return scores
"""
NUMPYS_LUCK = """
class Bad(Strategy):
    def work(self, view):
        return np.random.random((3, view.n))
"""
THE_CLOCK = """
import time
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[int(time.time()) // 86_400 % 3] = 1
        return scores
"""
SET_ORDER = """
PLACES = list({"fetch", "clear", "build", "hold", "wait", "look", "rest"})
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[PLACES.index("clear") % 3] = 1
        return scores
"""
MEAN = """
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[1] = view.fog.sum(axis=0) > view.fog.sum(axis=0).mean()
        return scores
"""
RANKED = """
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[1] = np.argsort(view.oil[view.seat], kind="stable") % 2
        return scores
"""
COUNTS_GAMES = """
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[1] = view.n > 20
        return scores
"""
MANY_GAMES = """
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[1] = view.n > 120
        return scores
"""
SEEDED_LUCK = """
class Bad(Strategy):
    def work(self, view):
        return np.random.default_rng(5).random((view.n, 3)).T
"""
FILLED_COLUMNS = """
class Bad(Strategy):
    def defend(self, view):
        scores = zeros(view)
        scores[1] = np.arange(view.n) % 2
        return scores
"""
PEEKER = """
class Bad(Strategy):
    def defend(self, view):
        table = view._table
        depth = np.minimum(table.state.n_low, table.state.pile.n_bottom - 1)
        is_north = view.look(table.state.pile.from_bottom(depth, np.arange(table.n))) < 3
        return np.stack([is_north, ~is_north])
"""
KNOWS_THE_DEAL = """
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[1] = view.look(view._table.deals) % 2
        return scores
"""
READS_MINDS = """
class Bad(Strategy):
    def work(self, view):
        scores = zeros(view)
        scores[1] = view._table.strategies[(view.seat + 1) % view.seats].name == "random"
        return scores
"""
LOOPS = """
class Bad(Strategy):
    def clear(self, view):
        while True:
            pass
"""
LOOPS_AT_IMPORT = """
while True:
    pass
class Bad(Strategy):
    pass
"""
SLEEPS = """
import time
class Bad(Strategy):
    def clear(self, view):
        time.sleep(3600)
"""
EXITS = """
import sys
class Bad(Strategy):
    def clear(self, view):
        sys.exit(0)
"""
EXITS_AT_ONCE = """
import os
class Bad(Strategy):
    def clear(self, view):
        os._exit(0)
"""

BAD: dict[str, tuple[str, str, str]] = {
    "raises": (RAISES, "runs", "AttributeError: 'BeaconView' object has no attribute 'fogs'"),
    "returns nothing": (RETURNS_NOTHING, "answers", "found NoneType"),
    "wrong shape": (WRONG_SHAPE, "answers", "found (2, 40)"),
    "transposed": (TRANSPOSED, "answers", "found (40, 3)"),
    "objects": (OBJECTS, "answers", "an array of object"),
    "complex numbers": (COMPLEX, "answers", "an array of complex128"),
    "texts": (TEXTS, "answers", "an array of <U21"),
    "NaN": (NAN, "answers", "found NaN"),
    "illegal options": (ILLEGAL, "answers", "must give legal options"),
    "writes": (WRITES, "view", "read-only"),
    "writes through": (WRITES_THROUGH, "view", "changed the position"),
    "counts its calls": (COUNTS, "memory", "twice in a row"),
    "class attribute": (CLASS_MEMORY, "memory", "twice in a row"),
    "module variable": (MODULE_MEMORY, "memory", "in another order"),
    "first impression": (FIRST_IMPRESSION, "memory", ""),
    "Python's luck": (PYTHONS_LUCK, "memory", "it answers"),
    "numpy's luck": (NUMPYS_LUCK, "memory", "it answers"),
    "the clock": (THE_CLOCK, "memory", "again later"),
    "order of a set": (SET_ORDER, "repeats", "in another process"),
    "mean over games": (MEAN, "columns", "instead of"),
    "ranks games": (RANKED, "columns", "instead of"),
    "counts games": (COUNTS_GAMES, "columns", "instead of"),
    "minds a larger batch": (MANY_GAMES, "repeats", "in another process and a larger batch"),
    "seeded luck": (SEEDED_LUCK, "columns", "instead of"),
    "place in the batch": (FILLED_COLUMNS, "columns", "decision `defend`"),
    "peeks": (PEEKER, "hidden", "decision `defend`"),
    "knows the deal": (KNOWS_THE_DEAL, "hidden", "decision `work`"),
    "knows the others": (READS_MINDS, "hidden", "decision `work`"),
    "never answers": (LOOPS, "time", "decision `clear`: no answer within"),
    "cannot be loaded": (LOOPS_AT_IMPORT, "time", "loading its file: no answer within"),
    "sleeps": (SLEEPS, "time", "decision `clear`: no answer within"),
    "exits": (EXITS, "runs", "SystemExit"),
    "exits at once": (EXITS_AT_ONCE, "runs", "decision `clear`: it ended the whole process (exit code 0)"),
}
"""By name: the source, the check that must fail, and words that it must say."""
