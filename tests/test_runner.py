"""A run: the same bits however it is cut and spread, never half-written, and one message when it fails."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from simkit import runner
from simkit.errors import StrategyError, UserError
from simkit.experiment import parse
from simkit.plan import Plan, make_chunks, make_plan
from simkit.runner import run
from simkit.running import pool
from simkit.store import Run

BASE = """
game = "tentacolor"
players = [3]
games = 1_500
seed = 11
line_ups = [["random", "random", "random"], ["careful", "random", "random"]]
strategies = ["random", { name = "never", of = "random", options = { place = ["card drawn"] }, as = "careful" }]
"""


def written(tmp_path: Path, text: str = BASE) -> Path:
    """An experiment's file."""
    path = tmp_path / "trial.toml"
    path.write_text(text)
    return path


def planned(tmp_path: Path, text: str = BASE, chunk_deals: int | None = None, **overrides: Any) -> Plan:
    """The plan of an experiment."""
    path = written(tmp_path, text)
    return make_plan(parse(text, path, overrides), path, chunk_deals=chunk_deals)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run that others are compared with: one process, chunks as they come."""
    folder = tmp_path_factory.mktemp("whole")
    run(planned(folder), folder / "run", jobs=1)
    return Run.open(folder / "run")


@pytest.mark.parametrize(("jobs", "chunk_deals"), [(1, 199), (2, 199), (2, 1250)])
def test_same_bits_however_cut(
    whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, chunk_deals: int
) -> None:
    monkeypatch.setattr(runner, "SHORT", 0)  # so that two jobs are two processes
    summary = run(planned(tmp_path, chunk_deals=chunk_deals), tmp_path / "run", jobs=jobs)
    again = Run.open(tmp_path / "run")
    assert summary.results_digest == again.results_digest == whole.results_digest
    for table in ("games", "seats"):
        keys = ["cell", "rotation", "deal", *(["seat"] if table == "seats" else [])]
        mine, other = (getattr(r, table)().sort_values(keys, ignore_index=True) for r in (again, whole))
        pd.testing.assert_frame_equal(mine, other)
    pd.testing.assert_frame_equal(again.tallies("progress"), whole.tallies("progress"))


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 12},
        {"rules.sharks": 3},
        {"games": 1_501},
        {"strategies": ["random", {"name": "random", "as": "careful"}]},
    ],
    ids=["seed", "rules", "games", "strategy"],
)
def test_digest_tells_runs_apart(whole: Run, tmp_path: Path, change: dict[str, Any]) -> None:
    assert run(planned(tmp_path, **change), tmp_path / "run", jobs=1).results_digest != whole.results_digest


def test_rotations_meet_the_same_deals(whole: Run) -> None:
    mirror, mixed = sorted(whole.cells, key=lambda cell: cell.rotations)
    assert (mirror.rotations, mirror.n_deals, mixed.rotations, mixed.n_deals) == (1, 1500, 3, 500)
    seats = whole.seats(["rotation", "deal", "seat", "label"], cells=[mixed.id])
    careful = seats[seats["label"] == "careful"].groupby("rotation")["seat"].unique()
    assert careful.map(list).tolist() == [[0], [2], [1]]
    assert (seats.groupby(["rotation", "seat"])["deal"].apply(list).map(lambda deals: deals == list(range(500)))).all()


def test_tallies_count_every_game(whole: Run) -> None:
    """Each seat of each game has one entry for its first round, unless the game was over before."""
    progress = whole.tallies("progress")
    first = progress[(progress["round"] == 0) & (progress["seat"] == 0)]
    games = whole.games(["cell", "rotation"]).groupby(["cell", "rotation"], observed=True).size()
    counted = first.groupby(["cell", "rotation"], observed=True)["count"].sum()
    assert counted.sort_index().tolist() == games.sort_index().tolist()


def test_same_experiment_is_instant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(planned(tmp_path, games=100), tmp_path / "run", jobs=1)
    monkeypatch.setattr(runner, "_Session", lambda *_: pytest.fail("looked for something to play"))
    again = run(planned(tmp_path, games=100), tmp_path / "run", jobs=1)
    assert again.held
    assert not first.held
    assert again.results_digest == first.results_digest


def test_new_question_is_kept_without_playing(tmp_path: Path) -> None:
    run(planned(tmp_path, games=100), tmp_path / "run", jobs=1)
    text = 'question = "Is it fair?"' + BASE + "[verdicts]\nseat_band = 0.05\n"
    assert run(planned(tmp_path, text, games=100), tmp_path / "run", jobs=1).held
    held = Run.open(tmp_path / "run")
    assert held.experiment.question == "Is it fair?"
    assert held.experiment.verdicts.seat_band == 0.05
    assert (tmp_path / "run" / "experiment.toml").read_text() == text


def times(folder: Path) -> dict[str, int]:
    """When each part file was last written."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*-r*.parquet")}


def test_a_held_cell_that_would_come_out_otherwise_is_refused(tmp_path: Path) -> None:
    run(planned(tmp_path, games=100), tmp_path / "run", jobs=1)
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file() and path.name != ".lock"]
    before = [path.stat().st_mtime_ns for path in files]
    with pytest.raises(UserError, match=r"cell \w+ \(3 players, .* seed \(11 there, 3 now\)\. .*--fresh"):
        run(planned(tmp_path, games=100, seed=3), tmp_path / "run", jobs=1)
    assert [path.stat().st_mtime_ns for path in files] == before


def test_more_games_play_new_deals_only(tmp_path: Path) -> None:
    run(planned(tmp_path, games=100), tmp_path / "run", jobs=1)
    before = times(tmp_path / "run")
    more = run(planned(tmp_path, games=120), tmp_path / "run", jobs=1)
    assert (more.n_games, more.n_played) == (120 + 3 * 40, 20 + 3 * 6)
    after = times(tmp_path / "run")
    assert {name: after[name] for name in before} == before
    assert more.results_digest == run(planned(tmp_path, games=120), tmp_path / "whole", jobs=1).results_digest


def test_fewer_games_keep_what_is_held(tmp_path: Path) -> None:
    first = run(planned(tmp_path, games=120), tmp_path / "run", jobs=1, command="simkit run it --games 120")
    again = run(planned(tmp_path, games=100), tmp_path / "run", jobs=1, command="simkit run it --games 100")
    assert again.held
    assert (again.n_games, again.n_asked) == (first.n_games, 100 + 3 * 34)
    assert again.results_digest == first.results_digest
    held = Run.open(tmp_path / "run")
    assert (held.manifest["command"], held.experiment.games) == ("simkit run it --games 120", 120)


def test_other_cells_are_played_beside_those_held(tmp_path: Path) -> None:
    """Cells that are not asked for any more stay on disk and are no part of the run."""
    run(planned(tmp_path, games=100), tmp_path / "run", jobs=1)
    before = times(tmp_path / "run")
    other = run(planned(tmp_path, games=100, **{"rules.sharks": 1}), tmp_path / "run", jobs=1)
    assert other.n_played == other.n_games == 100 + 3 * 34
    assert before.items() <= times(tmp_path / "run").items()
    assert Run.open(tmp_path / "run").games(["cell"])["cell"].nunique() == 2
    assert (
        other.results_digest
        == run(planned(tmp_path, games=100, **{"rules.sharks": 1}), tmp_path / "x", jobs=1).results_digest
    )
    assert run(planned(tmp_path, games=100), tmp_path / "run", jobs=1).n_played == 0


def test_fresh_replaces_what_is_ours_only(tmp_path: Path) -> None:
    run(planned(tmp_path, games=100), tmp_path / "run", jobs=1)
    note = tmp_path / "run" / "note.txt"
    note.write_text("mine")
    summary = run(planned(tmp_path, games=80, seed=2), tmp_path / "run", jobs=1, fresh=True)
    assert summary.n_games == summary.n_played == 80 + 3 * 27
    assert len(Run.open(tmp_path / "run").games(["deal"])) == summary.n_games
    assert note.read_text() == "mine"


@pytest.mark.parametrize("files", [{"games/a.parquet": ""}, {"manifest.json": '{"format": "other"}'}, {"a.txt": ""}])
@pytest.mark.parametrize("fresh", [False, True])
def test_foreign_folder_is_left_alone(tmp_path: Path, files: dict[str, str], fresh: bool) -> None:
    for name, text in files.items():
        path = tmp_path / "run" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with pytest.raises(UserError):
        run(planned(tmp_path), tmp_path / "run", jobs=1, fresh=fresh)
    assert {str(p.relative_to(tmp_path / "run")) for p in (tmp_path / "run").rglob("*") if p.is_file()} == set(files)


def test_link_to_elsewhere_is_not_followed(tmp_path: Path) -> None:
    run(planned(tmp_path, games=100), tmp_path / "run", jobs=1)
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "run" / "report").symlink_to(elsewhere)
    elsewhere.mkdir()
    (elsewhere / "kept.txt").write_text("kept")
    run(planned(tmp_path, games=80, seed=2), tmp_path / "run", jobs=1, fresh=True)
    assert (elsewhere / "kept.txt").read_text() == "kept"


class Stops:
    """Progress that breaks play off after so many chunks, as Ctrl-C does."""

    def __init__(self, after: int) -> None:
        self.left, self.log = after, []

    def start(self, n_games: int) -> None:
        self.log.append(("start", n_games))

    def advance(self, n_games: int) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt

    def stop(self) -> None:
        self.log.append("stop")


@pytest.mark.parametrize("jobs", [1, 2])
def test_broken_off_run_goes_on(whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(runner, "SHORT", 0)
    plan, folder, progress = planned(tmp_path, chunk_deals=250), tmp_path / "run", Stops(after=2)
    with pytest.raises(KeyboardInterrupt):
        run(plan, folder, jobs=jobs, progress=progress, command="simkit run trial.toml")
    assert progress.log[-1] == "stop"
    assert json.loads((folder / "manifest.json").read_text())["complete"] is False
    assert len(list((folder / "games").iterdir())) == 2
    assert not (folder / ".writing").exists()
    with pytest.raises(UserError, match=r"interrupted.*go on with `simkit run trial.toml`"):
        Run.open(folder)
    again = run(plan, folder, jobs=1)
    assert (again.n_games, again.n_played) == (plan.games_total, plan.games_total - 500)
    assert again.results_digest == whole.results_digest


def test_progress_adds_up(tmp_path: Path) -> None:
    progress = Stops(after=-1)
    plan = planned(tmp_path, games=100, chunk_deals=30)
    run(plan, tmp_path / "run", jobs=1, progress=progress)
    assert progress.log == [("start", plan.games_total), "stop"]
    assert -1 - progress.left == len(list(make_chunks(plan.spans(), 30)))


OWN = """
import os
import numpy as np
from simkit.strategy import Strategy

class Own(Strategy):
    '''Does what the test says.'''

    def place(self, view):
        {body}
"""


def own_plan(tmp_path: Path, body: str, **overrides: Any) -> Plan:
    """A plan with a strategy of the user's in every seat."""
    (tmp_path / "own.py").write_text(OWN.format(body=body))
    text = 'game = "tentacolor"\nplayers = 3\ngames = 3000\nstrategies = ["own.py:own"]\n'
    return planned(tmp_path, text, chunk_deals=250, **overrides)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("existed", [False, True])
def test_strategy_error_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, existed: bool
) -> None:
    monkeypatch.setattr(runner, "SHORT", 0)
    if existed:
        (tmp_path / "run").mkdir()
    plan = own_plan(tmp_path, "return np.zeros((2, view.n))")
    with pytest.raises(StrategyError, match=r"^strategy `own`, decision `place`: scores must have one row per option"):
        run(plan, tmp_path / "run", jobs=jobs)
    assert (tmp_path / "run").exists() == existed
    assert not existed or not list((tmp_path / "run").iterdir())


def test_a_failure_waits_for_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second cell fails long before the first one is played, which is published all the same."""
    monkeypatch.setattr(runner, "SHORT", 0)
    body = "__import__('time').sleep(0.02); return np.zeros((3, view.n)) if view.seats == 2 else 1 / 0"
    plan = own_plan(tmp_path, body, players=[2, 3], games=30)
    with pytest.raises(StrategyError, match="ZeroDivisionError"):
        run(plan, tmp_path / "run", jobs=2)
    assert [path.name[:12] for path in (tmp_path / "run" / "games").iterdir()] == [plan.cells[0].id]


def test_dead_worker_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SHORT", 0)
    plan = own_plan(tmp_path, f"return os.kill(os.getpid(), 9) if os.getpid() != {os.getpid()} else None")
    with pytest.raises(UserError, match="3 in a row were ended from outside"):
        run(plan, tmp_path / "run", jobs=2)
    assert not (tmp_path / "run").exists()


def test_a_strategy_that_raises_is_one_message(tmp_path: Path) -> None:
    problem = (
        r"`own`, decision `place`: it must answer; found ZeroDivisionError: division by zero \(.*own.py, line 10\)"
    )
    with pytest.raises(StrategyError, match=problem):
        run(own_plan(tmp_path, "return 1 / 0"), tmp_path / "run", jobs=1)


def test_threads_give_the_same(whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SHORT", 0)
    summary = run(planned(tmp_path, chunk_deals=500), tmp_path / "run", jobs=2, backend="threading")
    assert summary.results_digest == whole.results_digest


def test_short_work_stays_in_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "play_on_workers", lambda *_: pytest.fail("started workers"))
    run(planned(tmp_path, games=200, chunk_deals=100), tmp_path / "run", jobs=2)


def test_locked_disk_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("simkit.running.worker.write_parts", full)
    with pytest.raises(UserError, match="must be writable and have room"):
        run(planned(tmp_path, games=200), tmp_path / "run", jobs=1)
    assert not (tmp_path / "run").exists()


def test_chunks_of_one_deal(tmp_path: Path) -> None:
    """The smallest chunks there can be."""
    a = run(planned(tmp_path, games=3, chunk_deals=1), tmp_path / "a", jobs=1)
    b = run(planned(tmp_path, games=3), tmp_path / "b", jobs=1)
    assert a.results_digest == b.results_digest
    assert np.array_equal(*(Run.open(tmp_path / x).games()["n_turns"].sort_values() for x in "ab"))


class Intrudes:
    """Progress that plays into the same folder, once something has been published."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        self.refused = 0

    def start(self, n_games: int) -> None:
        pass

    def advance(self, n_games: int) -> None:
        with pytest.raises(UserError, match="by one process at a time"):
            run(self.plan, self.folder, jobs=1)
        self.refused += 1

    def stop(self) -> None:
        pass


def test_who_comes_second_is_refused_and_harms_nothing(whole: Run, tmp_path: Path) -> None:
    plan = planned(tmp_path, chunk_deals=199)
    intruder = Intrudes(plan, tmp_path / "run")
    summary = run(plan, tmp_path / "run", jobs=1, progress=intruder)
    assert intruder.refused > 2
    assert summary.results_digest == whole.results_digest
