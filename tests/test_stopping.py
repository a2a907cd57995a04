"""`[stop]`: every cell is played until it is precise enough, at fixed looks, the same however play was cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.experiment import parse
from simkit.plan import Plan, make_plan
from simkit.runner import RunSummary, run
from simkit.stats.sequential import FIRST_LOOK, half_width, looks, widest
from simkit.stats.shares import seat_shares
from simkit.store import Run
from tests.toy.planned import EXPERIMENT as TOY
from tests.toy.planned import planned as toy_plan

TEXT = """
game = "tentacolor"
players = 2
games = 20_000
seed = 8
strategies = ["random", { name = "never", of = "random", options = { place = ["card drawn"] }, as = "careful" }]
line_ups = [["random", "random"], ["random", "careful"]]
"""


def planned(tmp_path: Path, precision: float | None, chunk_deals: int | None = None, **overrides: Any) -> Plan:
    path = tmp_path / "trial.toml"
    path.write_text(TEXT)
    stop = {} if precision is None else {"stop.precision": precision}
    return make_plan(parse(TEXT, path, stop | overrides), path, chunk_deals)


def played(tmp_path: Path, name: str, precision: float | None, **how: Any) -> RunSummary:
    return run(planned(tmp_path, precision, **how), tmp_path / name, jobs=1)


def deals(tmp_path: Path, name: str) -> list[int]:
    """Deals of each cell."""
    return [cell.n_deals for cell in Run.open(tmp_path / name).cells]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All the games, without a stop; the widest interval at the first look lies between the two precisions."""
    folder = tmp_path_factory.mktemp("whole")
    played(folder, "run", None)
    return folder


def widths(run: Run, n_deals: int) -> list[float]:
    """Of every cell's widest interval over the first deals, from the columns themselves."""
    return [half_width(widest(seat_shares(run.column("seats", "win", cell.id)), n_deals)) for cell in run.cells]


def test_cells_stop_at_the_first_look_that_is_precise(whole: Path, tmp_path: Path) -> None:
    """A wide precision stops at once; one just below that of a look goes to the next."""
    at_first, at_second = (widths(Run.open(whole / "run"), n) for n in (FIRST_LOOK, 2 * FIRST_LOOK))
    assert max(at_second) < min(at_first)
    mirror, mixed = Run.open(whole / "run").cells
    assert (mirror.rotations, mixed.rotations) == (1, 2)
    played(tmp_path, "wide", max(at_first) + 1e-9)
    assert deals(tmp_path, "wide") == [FIRST_LOOK] * 2
    played(tmp_path, "narrow", min(at_first) - 1e-9)
    assert deals(tmp_path, "narrow") == [2 * FIRST_LOOK] * 2
    told = Run.open(tmp_path / "narrow").manifest["cells"][mirror.id]["stopped"]
    assert told == {"look": 2 * FIRST_LOOK, "half_width": pytest.approx(at_second[0]), "why": "precise enough"}


def test_games_are_the_ceiling(whole: Path, tmp_path: Path) -> None:
    summary = played(tmp_path, "run", 1e-6)
    assert summary.results_digest == Run.open(whole / "run").results_digest
    stopped = [cell["stopped"]["why"] for cell in Run.open(tmp_path / "run").manifest["cells"].values()]
    assert stopped == ["all games played"] * 2


def test_stopped_rows_are_the_first_rows(whole: Path, tmp_path: Path) -> None:
    played(tmp_path, "run", 0.02)
    short, long = Run.open(tmp_path / "run"), Run.open(whole / "run")
    for cell in short.cells:
        assert cell.n_deals in list(looks(20_000))
        ours, theirs = (run.column("seats", "win", cell.id) for run in (short, long))
        assert np.array_equal(ours, theirs[..., : cell.n_deals])


class Stops:
    """Progress that breaks play off after so many chunks."""

    def __init__(self, after: int) -> None:
        self.left = after

    def start(self, n_games: int) -> None:
        pass

    def advance(self, n_games: int) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt

    def stop(self) -> None:
        pass


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 2, 3, 5, 7])
def test_broken_off_anywhere_it_ends_the_same(tmp_path: Path, after: int) -> None:
    undisturbed = played(tmp_path, "whole", 0.012)
    plan = planned(tmp_path, 0.012, chunk_deals=1500)
    with pytest.raises(KeyboardInterrupt):
        run(plan, tmp_path / "run", jobs=1, progress=Stops(after))
    assert run(plan, tmp_path / "run", jobs=1).results_digest == undisturbed.results_digest


@pytest.mark.slow
def test_more_precision_plays_on_and_less_plays_nothing(tmp_path: Path) -> None:
    first = played(tmp_path, "run", 0.02)
    assert played(tmp_path, "run", 0.02).held
    assert played(tmp_path, "run", 0.03).held
    more = played(tmp_path, "run", 0.008)
    assert more.n_played == more.n_games - first.n_games > 0
    assert more.results_digest == played(tmp_path, "fresh", 0.008).results_digest
    assert deals(tmp_path, "run")[0] > FIRST_LOOK


def test_what_is_held_beyond_a_look_is_kept(whole: Path, tmp_path: Path) -> None:
    played(tmp_path, "run", None, games=10_000)
    summary = played(tmp_path, "run", 0.02)
    assert (summary.n_played, summary.n_games) == (0, 20_000)


def test_without_a_stop_a_stopped_run_is_filled_up(whole: Path, tmp_path: Path) -> None:
    played(tmp_path, "run", 0.02)
    assert played(tmp_path, "run", None).results_digest == Run.open(whole / "run").results_digest


@pytest.mark.slow
def test_a_table_that_wins_together_stops_by_its_rate(tmp_path: Path) -> None:
    overrides = {"games": 30_000, "stop": {"precision": 0.015}}
    plan = toy_plan(**overrides)
    assert plan.path == TOY
    run(plan, tmp_path / "run", jobs=1)
    held = Run.open(tmp_path / "run")
    for cell in held.cells:
        rate = held.column("games", "won", cell.id).mean(axis=0)
        error = 1.96 * rate.std() / np.sqrt(cell.n_deals)
        assert error <= 0.0155 or cell.n_deals == -(-30_000 // cell.rotations)  # 3 %: Wilson's are a little wider
    assert min(cell.n_deals for cell in held.cells) == FIRST_LOOK
