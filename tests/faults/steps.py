"""A program: plays one plan many times, each time stopped before another step that it takes on the file system.

Called with one JSON document; see `Work`. Every run is played by a fork of this process, which is why nothing here is
done in the tests' own process.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink"}
NEEDS_ROOM = {"os.rename", "os.mkdir", "open"}
OK, MISTAKE, INTERRUPTED, FAULT = 0, 2, 130, 1


@dataclass(frozen=True)
class Work:
    """What to play, and how it is stopped.

    Attributes
    ----------
    experiment
        File of the experiment.
    folder
        Where runs go: `NNN` as resumed, `NNN-stopped` as it was left.
    how
        `kill`, `full` (no room on the disk from this step on) or `interrupt`.
    overrides
        What the command line sets.
    begun
        Folder of a run that the runs begin with; a new folder if empty.
    fresh
        As `--fresh`.
    first, stride
        Which steps are tried.
    twice
        The resumed run is stopped at the same step as well.
    """

    experiment: str
    folder: str
    how: str
    overrides: dict[str, Any]
    begun: str = ""
    fresh: bool = False
    first: int = 1
    stride: int = 1
    twice: bool = False

    def text(self) -> str:
        """For the program's command line."""
        return json.dumps(asdict(self))


class Stopper:
    """Counts this process's steps, and stops it at one of them.

    Parameters
    ----------
    at
        Number of the step; 0: never.
    how
        As in `Work`.
    """

    def __init__(self, at: int, how: str) -> None:
        self.at, self.how, self.n_steps = at, how, 0
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Python is about to do something."""
        if not (event in CHANGES or (event == "open" and _is_for_writing(arguments))):
            return
        self.n_steps += 1
        if self.at and self.n_steps == self.at and self.how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.at and self.n_steps == self.at and self.how == "interrupt":
            raise KeyboardInterrupt
        if self.at and self.n_steps >= self.at and self.how == "full" and event in NEEDS_ROOM:
            raise OSError(errno.ENOSPC, "No space left on device")


def _is_for_writing(arguments: tuple[Any, ...]) -> bool:
    """Whether a file is opened to be changed; devices are no disk."""
    path, _, flags = arguments
    return bool(flags & (os.O_WRONLY | os.O_RDWR)) and not str(path).startswith("/dev/")


def outcome_of(play: Callable[[], Any]) -> tuple[int, str]:
    """An exit code as the command line gives it, and the digest or the message."""
    from simkit.errors import UserError

    try:
        return OK, str(play())
    except UserError as error:
        return MISTAKE, str(error)
    except KeyboardInterrupt:
        return INTERRUPTED, ""
    except BaseException as error:  # noqa: BLE001 (whatever it is, the test is told)
        return FAULT, f"{type(error).__name__}: {error}"


def in_fork(play: Callable[[], Any], at: int, how: str) -> dict[str, Any]:
    """What a process of its own came to; `killed` if it was."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        stopper = Stopper(at, how)
        code, said = outcome_of(play)
        stopper.at = 0
        os.write(writing, json.dumps({"code": code, "said": said, "steps": stopper.n_steps}).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"code": "killed", "said": "", "steps": at}


def main() -> None:
    """Play; one line of JSON for each step."""
    import joblib  # noqa: F401 (loaded here, once, and not by every fork)
    import pandas  # noqa: F401
    import pyarrow.parquet  # noqa: F401

    from simkit import plan, runner
    from simkit.experiment import load

    work = Work(**json.loads(sys.argv[1]))
    experiment = Path(work.experiment)
    plan.MIN_CHUNK = plan.MAX_CHUNK = 30
    wanted = plan.make_plan(load(experiment, work.overrides), experiment)
    in_fork(lambda: None, 0, "kill")

    def play_into(folder: Path) -> Callable[[], str]:
        def play() -> str:
            return runner.run(wanted, folder, jobs=1, fresh=work.fresh, command="simkit run trial").results_digest

        return play

    step, is_over = work.first, False
    while not is_over:
        folder = Path(work.folder) / f"{step:03}"
        if work.begun:
            shutil.copytree(work.begun, folder)
        stopped = [in_fork(play_into(folder), step, work.how) for _ in range(1 + work.twice)]
        is_over = all(outcome["code"] == OK for outcome in stopped)
        if folder.exists():
            shutil.copytree(folder, folder.with_name(f"{step:03}-stopped"))
        resumed = in_fork(play_into(folder), 0, work.how)
        print(json.dumps({"step": step, "stopped": stopped, "resumed": resumed}), flush=True)
        step += work.stride


if __name__ == "__main__":
    main()
