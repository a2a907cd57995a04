"""The probes of one game, run in a process of their own; all its seats play at random."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import numpy as np

from simkit import catalog
from simkit.batch import play, play_batch
from simkit.errors import UserError
from simkit.game import UNFINISHED, Game
from simkit.probe.findings import Findings
from simkit.probe.guard import OutOfTime, Trial
from simkit.probe.secrets import Secrets, SecretsTable
from simkit.probe.variants import Setting, settings_of
from simkit.probe.watched import Choices, watched
from simkit.results import Results
from simkit.sources import with_imports
from simkit.strategy import Random
from simkit.table import Observer, Table
from simkit.tape import Tape
from simkit.trace import Trace

SEED, FIRST_DEAL, N_GAMES = 11, 500, 64
"""What is played in every setting."""
PARTS, PART_WIDTH = ((0, 20), (20, 44)), 23
"""The same deals in parts, (first, number), and so many games in step."""
N_CLOSE = 16
"""Games that are looked at closely: traced, and asked about hidden things."""
TURNS = (256, 1024, 4096, 16384)
"""Games in step for the speed."""
FAR_OFF = 10
"""How many times faster or slower than `turn_seconds` a turn may be without a note."""


class GameProbes:
    """One game.

    Parameters
    ----------
    game_id, base
        As in `simkit.catalog.find_game`.
    settings
        What is played; every player count and variant if left out.
    seconds
        The time for the probes [s]; what is not played by then is left out.
    findings
        Where everything is told.
    """

    def __init__(
        self, game_id: str, base: Path, settings: Sequence[Setting], seconds: float, findings: Findings
    ) -> None:
        self.findings, self.deadline = findings, monotonic() + seconds
        findings.begin(f"loading the game `{game_id}`")
        self.loaded: Game = catalog.find_game(game_id, base)
        findings.done()
        findings.compared["loads"] = 1
        findings.so_far()
        self.game = watched(self.loaded, findings, self.deadline)
        self.files = with_imports(catalog.game_source(game_id, base).path)
        self.settings = list(settings)
        self.choices = Choices()
        self.ends: Counter[str] = Counter()
        self.counted: Counter[str] = Counter()
        self.n_changed = 0

    # ------------------------------------------------------------------------------------------------------ the probes

    def run(self) -> dict[str, str]:
        """All but speed; what each setting came to, as a digest."""
        self._look_at_components()
        digests: dict[str, str] = {}
        with Trial(self.findings, "rules", "the rules as they are", self.files) as trial:
            self.settings = self.settings or settings_of(self.game)
        try:
            for setting in self.settings if trial.is_through else ():
                digest = self._play(setting)
                self.findings.so_far()
                if digest:
                    digests[str(setting)] = digest
            self._try_alternatives()
        except OutOfTime:
            n_done, n_alternatives = len(digests), self.findings.compared["rules"]
            text = (
                f"it is slow: {n_done} of {len(self.settings)} settings and {n_alternatives} alternatives were played"
            )
            self.findings.note("time", text)
        if digests:
            self._tell_reached()
        return digests

    def again(self, digests: dict[str, str]) -> list[dict[str, Any]]:
        """The same deals in another process, the settings in another order; then the speed."""
        try:
            for setting in reversed(self.settings or settings_of(self.game)):
                if str(setting) in digests:
                    self.findings.compared["repeats"] += N_GAMES
                    if _digest(self._played(setting)) != digests[str(setting)]:
                        self.findings.fail("repeats", f"in another process the same deals end otherwise ({setting})")
            self.findings.compared["speed"] = len(digests)
            return [self._speed()] if digests else []
        except OutOfTime:
            self.findings.note("time", "it is slow: not all deals could be played again")
            return []

    # ------------------------------------------------------------------------------------------------ declared by hand

    def _look_at_components(self) -> None:
        """Every component says where it comes from; an assumption has an alternative."""
        components = self.loaded.components
        self.findings.compared["components"] += len(components)
        if "max_rounds" not in components:
            self.findings.fail("components", "every game must have the rule `max_rounds`; found none")
        for name, part in components.items():
            if not part.source.strip() or not part.meaning.strip():
                self.findings.fail("components", f"`{name}` must say its source and its meaning; found an empty text")
            if part.value in part.alternatives:
                self.findings.fail("components", f"`{name}`: alternatives must differ from the value {part.value!r}")
            if part.tag == "assumed" and part.swept and not part.alternatives:
                self.findings.note("components", f"`{name}` is assumed and has no alternative to sweep over")

    def _try_alternatives(self) -> None:
        """The rules take every alternative, and a few games with it come to an end."""
        players = self.game.players[0]
        changes: list[dict[str, Any]] = [{"max_rounds": 1}] if "max_rounds" in self.game.components else []
        for name, part in self.game.components.items():
            changes += [{name: value} for value in part.alternatives]
        for change in changes:
            setting = Setting(players, change)
            self.findings.compared["rules"] += 1
            try:
                setting.rules(self.game)
            except UserError as error:
                self.findings.fail("rules", f"an alternative of `{next(iter(change))}` is refused: {error}")
                continue
            with Trial(self.findings, "runs", str(setting), self.files) as trial:
                results = self._played(setting, N_CLOSE)
            if trial.is_through and change == {"max_rounds": 1}:
                self._count_unfinished(results)

    def _count_unfinished(self, results: Results) -> None:
        """Games given up after a round are games like others."""
        causes = self.game.all_end_causes
        if UNFINISHED in {causes[cause] for cause in results.games["end_cause"].tolist()}:
            self.ends[UNFINISHED] += 0
        if int(results.games["n_turns"].max(initial=0)) > results.n_seats:
            self.findings.fail(
                "ends", "with `max_rounds = 1` no game may have more turns than seats; found one that has"
            )

    # ----------------------------------------------------------------------------------------------------------- played

    def _play(self, setting: Setting) -> str:
        """One setting, in every way; a digest of what it came to, or nothing if play broke off."""
        with Trial(self.findings, "runs", str(setting), self.files) as trial:
            results = self._played(setting, observer=self.choices)
        if not trial.is_through:
            return ""
        self.findings.compared["runs"] += N_GAMES
        self._count(results, setting)
        with Trial(self.findings, "neighbours", str(setting), self.files):
            self._play_otherwise(setting, results)
        with Trial(self.findings, "describe", str(setting), self.files):
            self._tell(setting, results)
        with Trial(self.findings, "hidden", str(setting), self.files):
            self._keep_secrets(setting)
        return _digest(results)

    def _played(
        self,
        setting: Setting,
        n_games: int = N_GAMES,
        first: int = 0,
        width: int | None = None,
        observer: Observer | None = None,
    ) -> Results:
        """Some of the deals, everyone playing at random."""
        seats = self.game.seats_for(setting.players)
        rules = setting.rules(self.game)
        return play(self.game, rules, [Random()] * seats, SEED, FIRST_DEAL + first, n_games, observer, width)

    def _count(self, results: Results, setting: Setting) -> None:
        """How games ended, and what was tallied."""
        causes = self.game.all_end_causes
        ends = Counter(causes[cause] for cause in results.games["end_cause"].tolist())
        if ends[UNFINISHED] == N_GAMES:
            # Rules turned away from the book may be too hard for chance: that is news, not a fault of the game.
            tell = self.findings.note if setting.changes else self.findings.fail
            tell("ends", f"no game came to an end at random within `max_rounds` ({setting})")
        self.ends += ends
        self.counted.update({name: int(counts.sum()) for name, counts in results.tallies().items()})

    def _play_otherwise(self, setting: Setting, whole: Results) -> None:
        """The same deals once more, in parts and in another order: a game does not feel its neighbours."""
        self.findings.compared["neighbours"] += N_GAMES
        self.findings.compared["repeats"] += N_GAMES
        if name := _difference([whole], [self._played(setting)]):
            self.findings.fail("repeats", f"played again, the same deals differ in {name} ({setting})")
            return
        parts = [self._played(setting, n, first, PART_WIDTH) for first, n in PARTS]
        if name := _difference([whole], parts):
            self.findings.fail("neighbours", f"in smaller batches the same deals differ in {name} ({setting})")
        order = np.random.default_rng(3).permutation(N_GAMES)
        mixed = self._played_at(setting, FIRST_DEAL + order)
        if name := _difference([whole], [mixed], np.argsort(order)):
            self.findings.fail("neighbours", f"in another order the same deals differ in {name} ({setting})")

    def _played_at(self, setting: Setting, deals: Any, kind: type[Table] = Table, **more: Any) -> Results:
        """Any deals, at a table of some kind."""
        seats, rules = self.game.seats_for(setting.players), setting.rules(self.game)
        results = Results(self.game, rules, seats, len(deals))
        strategies = [Random()] * seats
        play_batch(kind(self.game, rules, strategies, Tape(SEED), deals.astype(np.uint64), results, **more))
        results.settle()
        return results

    def _tell(self, setting: Setting, whole: Results) -> None:
        """`describe` tells every event in plain values, and telling changes nothing."""
        trace = Trace()
        told = self._played(setting, N_CLOSE, observer=trace)
        self.findings.compared["describe"] += sum(map(len, trace.games.values()))
        wrong = [name for name, column in told.games.items() if not np.array_equal(column, whole.games[name][:N_CLOSE])]
        if wrong:
            self.findings.fail("describe", f"a traced game must be the game itself; found another `{wrong[0]}`")
        for event in (event for events in trace.games.values() for event in events):
            if not isinstance(event["state"], dict) or not _is_plain(event["state"]):
                self.findings.fail(
                    "describe", f"it must give a dict of plain Python values; found {event['state']!r:.200}"
                )
                return

    def _keep_secrets(self, setting: Setting) -> None:
        """What seats are told does not tell what `hidden` changes."""
        secrets = Secrets(self.findings, str(setting))
        self._played_at(setting, FIRST_DEAL + np.arange(N_CLOSE), SecretsTable, examiner=secrets)
        self.n_changed += secrets.n_changed

    def _speed(self) -> dict[str, Any]:
        """What a turn costs when everyone plays at random."""
        seats = self.loaded.seats_for(max(self.loaded.players))
        rules = self.loaded.rules(**self.loaded.components.values_with({}))
        for n_games in TURNS:
            begun = process_time()
            self.findings.begin(f"{n_games:,} games in step")
            results = play(self.loaded, rules, [Random()] * seats, 1, 0, n_games, width=n_games)
            self.findings.done()
            seconds = process_time() - begun
            if seconds > 0.2:
                break
        ns, declared = seconds * 1e9 / int(results.games["n_turns"].sum()), self.loaded.turn_seconds * 1e9
        if not declared / FAR_OFF < ns < declared * FAR_OFF:
            self.findings.note("speed", f"a turn took {ns:,.0f} ns; `turn_seconds` says {declared:,.0f} ns")
        return {"decision": "turn, random play", "ns": round(ns, 1), "ns_random": None, "games": n_games}

    def _tell_reached(self) -> None:
        """Note what random games never came to."""
        game, findings = self.game, self.findings
        findings.compared |= Counter({"ends": 1, "decisions": 1, "tallies": 1})
        n_games = sum(self.ends.values())
        if self.ends[UNFINISHED]:
            share = self.ends[UNFINISHED] / n_games
            findings.note("ends", f"{share:.1%} of {n_games:,} random games were not over after `max_rounds`")
        _note_never(findings, "ends", "never reached", [cause for cause in game.end_causes if not self.ends[cause]])
        names = [d.name for d in game.decisions]
        _note_never(findings, "decisions", "never asked", [name for name in names if name not in self.choices.options])
        for name, options in self.choices.options.items():
            never = sorted(option for option in options if not self.choices.taken[name, option])
            _note_never(findings, "decisions", f"`{name}`: never taken", never)
        _note_never(findings, "tallies", "never counted", [t.name for t in game.tallies if not self.counted[t.name]])
        if not self.n_changed:
            findings.note("hidden", "it changed nothing: right only for a game in which everything is open")


def _note_never(findings: Findings, check: str, what: str, names: Sequence[str]) -> None:
    """Note names, if there are any."""
    if names:
        findings.note(check, f"{what} in random games: {', '.join(names)}")


def _difference(whole: Sequence[Results], parts: Sequence[Results], order: Any = slice(None)) -> str:
    """The first column or tally in which the same deals differ; nothing if there is none."""
    for table in ("games", "seats"):
        for column in getattr(parts[0], table):
            mine, other = (np.concatenate([getattr(r, table)[column] for r in rs], axis=-1) for rs in (whole, parts))
            if not np.array_equal(mine, other[..., order]):
                return f"`{table}.{column}`"
    for name in parts[0].tallies():
        if not np.array_equal(*(np.sum([r.tallies()[name] for r in rs], axis=0) for rs in (whole, parts))):
            return f"tally `{name}`"
    return ""


def _digest(results: Results) -> str:
    """A hash of rows and tallies."""
    mark = hashlib.sha256()
    for values in (*results.games.values(), *results.seats.values(), *results.tallies().values()):
        mark.update(np.ascontiguousarray(values).tobytes())
    return mark.hexdigest()[:16]


def _is_plain(value: Any) -> bool:
    """Whether a value consists of Python's own kinds."""
    if isinstance(value, dict):
        return all(_is_plain(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return value is None or type(value) in (int, float, bool, str)
