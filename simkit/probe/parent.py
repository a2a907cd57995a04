"""Watches the process that probes, ends it where it hangs, and makes one report of what it said."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from simkit.experiment import StrategySpec
from simkit.probe.checks import GAME_CHECKS, STRATEGY_CHECKS, Report, made_report
from simkit.probe.findings import FAILED, NOTE
from simkit.probe.speed import slow_decisions
from simkit.probe.variants import Setting

PATIENCE = 10.0
"""How long one answer may take [s]."""
SECONDS = 60.0
"""How long the probes of one strategy or game may take in each process [s]."""

_CODE = "import sys; sys.path[:] = {path!r}; from simkit.probe.child import main; main()"


def check_strategy(
    spec: StrategySpec,
    game_id: str,
    base: Path,
    settings: Sequence[Setting] = (),
    patience: float = PATIENCE,
    seconds: float = SECONDS,
) -> Report:
    """Probe a strategy.

    Parameters
    ----------
    spec, game_id, base
        As in `simkit.catalog.load_strategy`.
    settings
        What is played; every player count, with the rules as they are and turned, if left out.
    patience
        How long one answer may take [s].
    seconds
        How long the probes may take, in each of two processes [s].

    Returns
    -------
    Report
        It tells what the strategy does; nothing of the strategy's is run in this process.
    """
    task = _task(game_id, base, settings, seconds) | {"spec": spec.model_dump(mode="json", by_alias=True)}
    heard = _heard_twice(task, patience)
    rows = heard.done.get("speed", [])
    heard.found += [("speed", NOTE, text) for text in slow_decisions(rows)]
    return made_report(STRATEGY_CHECKS, heard.found, heard.compared, rows)


def check_game(
    game_id: str,
    base: Path,
    settings: Sequence[Setting] = (),
    patience: float = PATIENCE,
    seconds: float = SECONDS,
) -> Report:
    """Probe a game with random play.

    Parameters
    ----------
    game_id, base
        As in `simkit.catalog.find_game`.
    settings
        As in `check_strategy`.
    patience
        How long one turn of the games in step may take [s].
    seconds
        How long the probes may take, in each of two processes [s].

    Returns
    -------
    Report
        It tells what the game does; nothing of the game's is run in this process.
    """
    heard = _heard_twice(_task(game_id, base, settings, seconds), patience)
    return made_report(GAME_CHECKS, heard.found, heard.compared, heard.done.get("speed", []))


def _task(game_id: str, base: Path, settings: Sequence[Setting], seconds: float) -> dict[str, Any]:
    """What every probing process is told."""
    played = [{"players": s.players, "changes": dict(s.changes)} for s in settings]
    return {"game": game_id, "base": str(base), "settings": played, "seconds": seconds}


def _heard_twice(task: dict[str, Any], patience: float) -> Heard:
    """What two processes say: the second one has other orders of sets, and is spared what broke the first."""
    heard = Heard()
    heard.listen(task, patience, hash_seed=1)
    if heard.done and not heard.failed("loads", "time"):
        heard.listen(task | {"digests": heard.done.get("digests", {})}, patience, hash_seed=2)
    return heard


class Heard:
    """What probing processes have said.

    Attributes
    ----------
    found : list of (check, status, text)
    compared
        How much each check has looked at.
    done
        What the processes hand over at their ends; empty if one did not get there.
    """

    def __init__(self) -> None:
        self.found: list[tuple[str, str, str]] = []
        self.compared = Counter[str]()
        self.done: dict[str, Any] = {}

    def failed(self, *checks: str) -> bool:
        """Whether one of the checks has failed."""
        return any(check in checks and status == FAILED for check, status, _ in self.found)

    def listen(self, task: dict[str, Any], patience: float, hash_seed: int) -> None:
        """Let a process do its task, to the end or until it hangs."""
        so_far = Counter[str]()
        for message in messages(task, patience, hash_seed):
            if "fault" in message:
                raise RuntimeError(f"the probes broke down, which is a fault of ours\n{message['fault']}")
            if "found" in message and tuple(message["found"]) not in self.found:
                self.found.append(tuple(message["found"]))
            if "compared" in message:
                so_far = Counter(message["compared"])
            if "done" in message:
                self.done |= message["done"]
        self.compared += so_far


def messages(task: dict[str, Any], patience: float, hash_seed: int) -> Iterator[dict[str, Any]]:
    """What a probing process says, and last of all how it ended if it did not end well."""
    with tempfile.TemporaryFile() as noise, _process(noise, hash_seed) as process:
        try:
            yield from _listened(process, task, patience, noise)
        finally:
            process.kill()


def _process(noise: IO[bytes], hash_seed: int) -> subprocess.Popen[str]:
    """A process with our paths, and an order of sets that is another in each."""
    code = _CODE.format(path=[str(Path(place).resolve()) for place in sys.path if place])
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=noise,
        encoding="utf-8",
        env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
    )


def _listened(
    process: subprocess.Popen[str], task: dict[str, Any], patience: float, noise: IO[bytes]
) -> Iterator[dict[str, Any]]:
    """Messages while there are any; `?what` says that foreign code is running, which must not be for long."""
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_read, args=(process, lines), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        _order(process, task)
    what, is_done = "", False
    while True:
        try:
            line = lines.get(timeout=patience if what else None)
        except queue.Empty:
            at = _where_it_hangs(process, noise)
            yield {"found": ["time", FAILED, f"{what}: no answer within {patience:g} s{at}"]}
            return
        if line is None:
            break
        if line.startswith("?"):
            what = line[1:].strip()
            continue
        message = json.loads(line)
        is_done = is_done or "done" in message or "fault" in message
        yield message
    if not is_done:
        yield _ended(process, what, noise)


def _order(process: subprocess.Popen[str], task: dict[str, Any]) -> None:
    """Say what to do; the pipe stays open, and its end is ours."""
    if process.stdin is not None:
        process.stdin.write(json.dumps(task) + "\n")
        process.stdin.flush()


def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    """Pass on what the process says, and that it says no more."""
    if process.stdout is not None:
        for line in process.stdout:
            lines.put(line)
    lines.put(None)


def _ended(process: subprocess.Popen[str], what: str, noise: IO[bytes]) -> dict[str, Any]:
    """A process that ended before its time, by the strategy's doing or by ours."""
    code = process.wait()
    if not what:
        noise.seek(0)
        said = noise.read().decode(errors="replace")
        return {"fault": f"the probing process ended with code {code}\n{said[-4000:]}"}
    return {"found": ["runs", FAILED, f"{what}: it ended the whole process (exit code {code})"]}


def _where_it_hangs(process: subprocess.Popen[str], noise: IO[bytes]) -> str:
    """The line that is being run, where the system can tell."""
    if not hasattr(signal, "SIGUSR1"):
        return ""
    process.send_signal(signal.SIGUSR1)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(0.3)
    noise.seek(0)
    frames = re.findall(r'File "(.+)", line (\d+)', noise.read().decode(errors="replace"))
    return f" ({frames[0][0]}, line {frames[0][1]})" if frames else ""
