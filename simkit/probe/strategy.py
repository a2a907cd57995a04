"""The probes of one strategy, run in a process of their own."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from simkit import catalog
from simkit.batch import play, play_batch
from simkit.experiment import StrategySpec
from simkit.game import Game
from simkit.probe import declared, speed
from simkit.probe.findings import Findings
from simkit.probe.guard import Guarded, OutOfTime, Trial
from simkit.probe.interview import Interview
from simkit.probe.questions import ExaminedTable
from simkit.probe.variants import Setting, settings_of
from simkit.results import Results
from simkit.strategy import Epsilon, Random, Strategy
from simkit.tape import Tape

SEED, FIRST_DEAL, N_GAMES = 11, 500, 40
"""What is played in every setting."""
N_WIDE = 200
"""Games in the batch in which the same deals are played again."""

BESIDE_RANDOM, MIRROR, ASTRAY = "beside random", "in every seat", "in every seat, half of the choices at random"
"""How the strategy is seated. Astray it meets the decisions that its own play would not lead it to."""


class Probes:
    """One strategy at one game.

    Parameters
    ----------
    game_id, base, spec
        As in `simkit.catalog.load_strategy`.
    settings
        What is played; every player count and variant if left out.
    seconds
        The time for the probes [s]; what is not played by then is left out.
    findings
        Where everything is told.
    """

    def __init__(
        self,
        game_id: str,
        base: Path,
        spec: StrategySpec,
        settings: Sequence[Setting] | None,
        seconds: float,
        findings: Findings,
    ) -> None:
        self.base, self.spec, self.findings = base, spec, findings
        self.deadline = monotonic() + seconds
        findings.begin(f"loading the game `{game_id}`")
        self.game: Game = catalog.find_game(game_id, base)
        self.settings = list(settings or settings_of(self.game))
        self.files = set(catalog.strategy_sources(spec, self.game.id, base))
        findings.begin("loading its file")
        self.loaded = self._load()
        findings.done()
        findings.compared["loads"] = 1
        findings.so_far()
        self.asked: Counter[str] = Counter()

    def _load(self) -> Strategy:
        """The strategy, from its file."""
        return catalog.load_strategy(self.spec, self.game.id, self.base)

    def make(self) -> Guarded:
        """A new instance."""
        return Guarded(self._load(), self.files, self.findings, self.deadline)

    def make_from_scratch(self) -> Guarded:
        """A new instance, its file run anew."""
        for name in [name for name in sys.modules if name.startswith("simkit_local_")]:
            del sys.modules[name]
        self.findings.begin("loading its file once more")
        made = self.make()
        self.findings.done()
        return made

    # ------------------------------------------------------------------------------------------------------ the probes

    def run(self) -> dict[str, str]:
        """All but speed; what each setting came to, as a digest."""
        declared.look_at(self.loaded, self.game, self.files, self.findings)
        digests: dict[str, str] = {}
        n_played = 0
        line_ups = self._line_ups()
        try:
            for number, (setting, line_up) in enumerate(line_ups):
                digest = self._looked_into(setting, line_up, number)
                n_played += 1
                self.findings.so_far()
                if digest:
                    digests[f"{setting}, {line_up}"] = digest
        except OutOfTime:
            self.findings.note("time", f"it is slow: {n_played} of {len(line_ups)} settings could be played to the end")
        declared.tell_decisions(self.loaded, self.game, self.asked, self.findings)
        return digests

    def again(self, digests: dict[str, str]) -> list[dict[str, Any]]:
        """In another process the same deals, in larger batches and the settings in another order; then the speed."""
        try:
            for number, (setting, line_up) in reversed(list(enumerate(self._line_ups()))):
                where = f"{setting}, {line_up}"
                if where in digests:
                    self._compare_wide(setting, line_up, number, digests[where])
            self.findings.compared["speed"] = len(digests)
            return speed.by_decision(self.game, self.make) if digests else []
        except OutOfTime:
            self.findings.note("time", "it is slow: not all deals could be played again")
            return []

    def _line_ups(self) -> list[tuple[Setting, str]]:
        """Every setting; beside players at random with the first rules only."""
        first = self.settings[0].changes
        company = [s for s in self.settings if s.changes == first and self.game.seats_for(s.players) > 1]
        by_line_up = {ASTRAY: self.settings, BESIDE_RANDOM: company, MIRROR: self.settings}
        return [(setting, line_up) for line_up, settings in by_line_up.items() for setting in settings]

    def _looked_into(self, setting: Setting, line_up: str, number: int) -> str:
        """Play one setting with the strategy under questions; a digest of what it came to, or nothing."""
        where = f"{setting}, {line_up}"
        guards = []

        def made() -> Strategy:
            guards.append(self.make())
            return _seated(guards[-1], line_up)

        interview = Interview(made, self.findings, where)
        seats = self.game.seats_for(setting.players)
        examined = _examined(line_up, seats, number)
        results = Results(self.game, rules := setting.rules(self.game), seats, N_GAMES)
        strategies = [interview.used if seat in examined else Random() for seat in range(seats)]
        deals = np.arange(FIRST_DEAL, FIRST_DEAL + N_GAMES, dtype=np.uint64)
        table = ExaminedTable(
            self.game, rules, strategies, Tape(SEED), deals, results, examiner=interview, examined=examined
        )
        with Trial(self.findings, "game", where) as trial:
            play_batch(table)
            results.settle()
        with Trial(self.findings, "memory", f"its file run once more; {where}", self.files):
            interview.in_another_order(lambda: _seated(self.make_from_scratch(), line_up))
        self.asked += interview.asked
        self.findings.compared["runs"] += sum(sum(guard.n_answers.values()) for guard in guards)
        return digest_of(results, 0) if trial.is_through else ""

    def _compare_wide(self, setting: Setting, line_up: str, number: int, digest: str) -> None:
        """The same deals in the middle of a larger batch must come to the same."""
        where, seats = f"{setting}, {line_up}", self.game.seats_for(setting.players)
        examined = _examined(line_up, seats, number)
        strategies = [_seated(self.make(), line_up) if seat in examined else Random() for seat in range(seats)]
        before = (N_WIDE - N_GAMES) // 2
        with Trial(self.findings, "repeats", where, self.files) as trial:
            results = play(self.game, setting.rules(self.game), strategies, SEED, FIRST_DEAL - before, N_WIDE)
        self.findings.compared["repeats"] += N_GAMES
        if trial.is_through and digest_of(results, before) != digest:
            self.findings.fail(
                "repeats", f"in another process and a larger batch the same deals end otherwise ({where})"
            )


def _examined(line_up: str, seats: int, number: int) -> tuple[int, ...]:
    """The seats of the strategy: all, or one that is another in each setting."""
    return (number % seats,) if line_up == BESIDE_RANDOM else tuple(range(seats))


def _seated(strategy: Strategy, line_up: str) -> Strategy:
    """The strategy, or one that goes astray."""
    return Epsilon(strategy, 0.5) if line_up == ASTRAY else strategy


def digest_of(results: Results, first: int) -> str:
    """A hash of the rows of the deals that are compared."""
    mark = hashlib.sha256()
    for table in (results.games, results.seats):
        for values in table.values():
            mark.update(np.ascontiguousarray(values[..., first : first + N_GAMES]).tobytes())
    return mark.hexdigest()[:16]
