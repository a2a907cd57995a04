"""The process in which foreign code is probed: whatever it does, the one that watches hears of it."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
import threading
import traceback
import warnings
from io import TextIOBase
from pathlib import Path
from typing import Any, TextIO

from simkit.errors import UserError
from simkit.experiment import StrategySpec
from simkit.probe.findings import Findings


class Unheard(TextIOBase):
    """A stream that counts what is written to it and keeps none of it."""

    def __init__(self) -> None:
        self.n_lines = 0

    def write(self, text: str) -> int:
        """Count the lines."""
        self.n_lines += text.count("\n")
        return len(text)

    def writable(self) -> bool:
        """Anything may be written."""
        return True


def main() -> None:
    """Do what the first line of input asks for; a JSON line for every finding, and one for the end."""
    wire, task = _set_apart()
    heard = Unheard()
    sys.stdout = sys.stderr = heard
    findings = Findings(wire)
    try:
        _warned(findings)
        done = _done(task, findings)
        if heard.n_lines:
            findings.note("prints", f"{heard.n_lines:,} lines, left out here")
        findings.tell(compared=findings.compared, done=done)
    except BaseException:  # a fault of ours: the one that watches raises it there
        findings.tell(fault=traceback.format_exc())
        raise
    finally:
        os._exit(0)  # whatever foreign code has left running


def _set_apart() -> tuple[TextIO, dict[str, Any]]:
    """Keep the two pipes from foreign code, and end with the process that watches."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders = os.fdopen(os.dup(0), encoding="utf-8")
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    task = json.loads(orders.readline())
    threading.Thread(target=_end_with, args=(orders,), daemon=True).start()
    return wire, task


def _end_with(orders: TextIO) -> None:
    """When the watching process is gone, so is this one, whatever it is doing."""
    orders.read()
    os._exit(1)


def _warned(findings: Findings) -> None:
    """Tell the warnings that foreign code causes."""

    def tell(message: Any, category: type[Warning], filename: str, lineno: int, *_: Any) -> None:
        findings.note("warnings", f"{category.__name__}: {message} ({filename}, line {lineno})")

    warnings.simplefilter("default")
    warnings.showwarning = tell  # type: ignore[assignment]


def _done(task: dict[str, Any], findings: Findings) -> Any:
    """The probes that the task names."""
    try:
        probes = _probes(task, findings)
    except UserError as error:
        findings.fail("loads", str(error))
        return {}
    if "digests" in task:
        return {"speed": probes.again(task["digests"])}
    return {"digests": probes.run()}


def _probes(task: dict[str, Any], findings: Findings) -> Any:
    """What is probed, loaded."""
    from simkit.probe.game import GameProbes
    from simkit.probe.strategy import Probes
    from simkit.probe.variants import Setting

    base, seconds = Path(task["base"]), task["seconds"]
    settings = [Setting(**setting) for setting in task["settings"]]
    if "spec" not in task:
        return GameProbes(task["game"], base, settings, seconds, findings)
    return Probes(task["game"], base, StrategySpec.model_validate(task["spec"]), settings, seconds, findings)
