"""What notebooks and scripts call: the same results as the command line, strategies of their own, tables, figures."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import simkit
from simkit import catalog
from simkit.experiment import load
from simkit.session import named
from simkit.strategy import Epsilon, Mixture, Never, Random

ASKED = {"game": "tentacolor", "players": (2, 3), "games": 600, "seed": 7, "strategies": ["longest-run", "random"]}
FILE = """
game = "tentacolor"
players = [2, 3]
games = 600
seed = 7
strategies = ["longest-run", "random"]
"""
OWN = """
import numpy as np
import simkit

{above}

class Stubborn(simkit.Strategy):
    '''Keeps what it has.'''

    def place(self, view):
        longest, total = view.after()
        return {scores}
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without anything of the user's; work this small stays in one process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("joblib.cpu_count", lambda: 1)
    return tmp_path


@pytest.fixture
def cell() -> Iterator[Callable[..., dict[str, Any]]]:
    """Runs text as a notebook runs a cell: its source can be read, but it is in no file."""
    names: list[str] = []

    def run_cell(text: str, **known: Any) -> dict[str, Any]:
        names.append(f"<cell {len(names)}>")
        linecache.cache[names[-1]] = (len(text), None, text.splitlines(keepends=True), names[-1])
        namespace = {"__name__": "__main__", **known}
        exec(compile(text, names[-1], "exec"), namespace)
        return namespace

    yield run_cell
    for name in names:
        linecache.cache.pop(name)


def own(cell: Any, scores: str = "longest * np.uint8(16) + total", above: str = "") -> type[simkit.Strategy]:
    return cell(OWN.format(scores=scores, above=above))["Stubborn"]


def digest(**changed: Any) -> str:
    return simkit.run(ASKED | {"players": 3} | changed, fresh=True).results_digest


# ---------------------------------------------------------------------------------------------------------- experiments


def test_file_mapping_and_experiment_give_the_same(elsewhere: Path) -> None:
    (elsewhere / "trial.toml").write_text(FILE)
    from_file = simkit.run("trial.toml")
    from_mapping = simkit.run(ASKED)
    from_experiment = simkit.run(load(Path("trial.toml")), runs="others")
    assert from_file.path == Path("runs/trial")
    assert from_mapping.path == Path("runs/run")
    assert from_experiment.path == Path("others/trial")
    assert len({run.results_digest for run in (from_file, from_mapping, from_experiment)}) == 1
    assert simkit.open_run("runs/trial").results_digest == from_file.results_digest
    assert simkit.run(ASKED, seed=8, fresh=True).results_digest != from_file.results_digest


def test_a_mapping_is_left_as_it_was() -> None:
    asked = ASKED | {"rules": {"sharks": 4}}
    before = repr(asked)
    run = simkit.run(asked, games=50, set={"rules.sharks": 6, "players": 2})
    assert repr(asked) == before
    assert [(cell.rules, cell.players, cell.n_games) for cell in run.cells] == [({"sharks": 6}, 2, 50)] * 2


def test_an_experiment_of_simkits_is_known_by_its_name() -> None:
    run = simkit.run("quickstart", games=20, set={"players": 2, "line_ups": "mirror"})
    assert run.path == Path("runs/quickstart")
    assert len(run.cells) == 3


def test_strategies_from_a_file(elsewhere: Path) -> None:
    (elsewhere / "mine.py").write_text(OWN.format(scores="longest + total", above=""))
    run = simkit.run(ASKED | {"strategies": ["stubborn"]}, games=20, strategies="mine.py")
    assert str(elsewhere / "mine.py") in run.manifest["source_texts"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (ASKED | {"sede": 3}, "experiment: `sede`: unknown key `sede`; did you mean `seed`"),
        (ASKED | {"rules": {"shraks": 3}}, "did you mean `sharks`"),
        ("nowhere.toml", "found no|unknown experiment"),
        (7, "an experiment must be a file, a name, a mapping .* found int"),
    ],
)
def test_a_mistake_is_one_message(asked: Any, message: str) -> None:
    with pytest.raises(simkit.UserError, match=message):
        simkit.run(asked)
    assert not Path("runs").exists()


def test_progress_is_told_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr("simkit.cli.progress.PlayProgress.start", lambda _, n_games: told.append(n_games))
    simkit.run(ASKED, games=20)
    assert told == []
    simkit.run(ASKED, games=20, progress=True, runs="others")
    assert told == [80]


# ------------------------------------------------------------------------------------------ strategies of the session


def test_a_class_plays_as_its_file_would(cell: Any, elsewhere: Path) -> None:
    (elsewhere / "mine.py").write_text(OWN.format(scores="longest * np.uint8(16) + total", above=""))
    from_file = digest(strategies=["mine.py:stubborn", "random"], line_ups="free-for-all")
    assert digest(strategies=[own(cell), "random"], line_ups="free-for-all") == from_file
    assert digest(strategies=[own(cell)(), "random"], line_ups="free-for-all") == from_file
    assert digest(strategies=[own(cell, "-total"), "random"], line_ups="free-for-all") != from_file


def test_the_run_says_what_played(cell: Any) -> None:
    run = simkit.run(ASKED | {"strategies": [own(cell), "random"], "line_ups": "round-robin"}, games=20)
    assert set(run.seats()["label"].cat.categories) == {"stubborn", "random"}
    (text,) = run.manifest["source_texts"].values()
    assert "longest * np.uint8(16) + total" in text
    assert list(run.manifest["sources"].values()) == ["this Python session"]


def test_its_runs_are_known_again_until_it_changes(cell: Any) -> None:
    first = simkit.run(ASKED | {"strategies": [own(cell)]})
    played = {path: path.stat().st_mtime_ns for path in first.path.rglob("*.parquet")}
    again = simkit.run(ASKED | {"strategies": [own(cell)]})
    assert {path: path.stat().st_mtime_ns for path in again.path.rglob("*.parquet")} == played
    with pytest.raises(simkit.UserError):
        simkit.run(ASKED | {"strategies": [own(cell, "-total")]})
    assert simkit.run(ASKED | {"strategies": [own(cell, "-total")]}, fresh=True).results_digest != first.results_digest


def test_several_jobs_are_refused(cell: Any) -> None:
    with pytest.raises(simkit.UserError, match=r"plays with one job.*jobs=2 and `stubborn`.*leave `jobs` out"):
        simkit.run(ASKED | {"strategies": [own(cell), "random"]}, jobs=2)
    with pytest.raises(simkit.UserError, match="one job"):
        simkit.run(ASKED | {"strategies": [{"name": "epsilon", "of": own(cell)}]}, jobs=2)
    with pytest.raises(simkit.UserError, match=r"plays with one job.*backend=dask and `stubborn`"):
        simkit.run(ASKED | {"strategies": [own(cell)]}, backend="dask", scheduler="tcp://127.0.0.1:1")
    assert len(simkit.run(ASKED | {"strategies": [own(cell)]}, games=20, jobs=1).cells) == 2


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"backend": "cloud"}, "must be loky, threading or dask; found `cloud`"),
        ({"backend": "dask"}, "must be given together"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "must be given together"),
    ],
    ids=str,
)
def test_a_backend_must_be_one_that_gives_the_same(tmp_path: Path, how: dict[str, str], said: str) -> None:
    with pytest.raises(simkit.UserError, match=said):
        simkit.run("quickstart", games=10, runs=tmp_path, **how)
    assert list(tmp_path.iterdir()) == []


@dataclass(frozen=True)
class Weighed(simkit.Strategy):
    """Weighs its longest run."""

    weight: int = 16

    def place(self, view: Any) -> Any:
        """Run, then length."""
        longest, total = view.after()
        return longest * np.uint8(self.weight) + total


def test_parameters_are_set_and_swept_as_those_of_files() -> None:
    asked = ASKED | {"strategies": [Weighed(3), {"name": Weighed, "weight": 4}, {"name": Weighed, "as": "mine"}]}
    run = simkit.run(asked | {"sweep": {"strategies.mine.weight": (1, 2)}, "players": 2}, games=20)
    labels = [(cell.labels[0], dict(cell.key["swept"])) for cell in run.cells]
    assert ("weighed(weight=3)", {}) in labels
    assert ("weighed(weight=4)", {}) in labels
    assert ("mine", {"strategies.mine.weight": 1}) in labels
    with pytest.raises(simkit.UserError, match="unknown parameter `wieght`; did you mean `weight`"):
        simkit.run(ASKED | {"strategies": [{"name": Weighed, "wieght": 4}]})


def test_wrappers_wrap_them() -> None:
    asked = [Epsilon(Weighed(3), p=0.5), Mixture((Weighed(), Random())), {"name": "epsilon", "of": Weighed}]
    forbidding = Never(Weighed(), mask=lambda view: view.legal & False)
    run = simkit.run(ASKED | {"strategies": [*asked, forbidding], "players": 2}, games=20)
    names = ["epsilon(weighed(weight=3), p=0.5)", "mixture(weighed, random, weights=[1.0, 1.0])", "epsilon(weighed)"]
    assert [cell.labels[0] for cell in run.cells] == [*names, "never"]
    assert named([Random(), Epsilon(Random())]) == [{"name": "random"}, {"name": "epsilon", "of": {"name": "random"}}]


def test_what_would_be_ignored_is_refused() -> None:
    forbidding = Never(Weighed(), mask=lambda view: view.legal & False)
    with pytest.raises(simkit.UserError, match="no parameters where it is an instance"):
        simkit.run(ASKED | {"strategies": [forbidding], "sweep": {"strategies.never.options": [{}]}})
    with pytest.raises(simkit.UserError, match="takes no `of`"):
        simkit.run(ASKED | {"strategies": [{"name": Weighed, "of": "random"}]})


def test_line_ups_hold_them() -> None:
    run = simkit.run(ASKED | {"strategies": ["random"], "line_ups": [[Weighed, "random"]], "players": 2}, games=20)
    assert [cell.labels for cell in run.cells] == [("random", "weighed")]


def name_of(strategy: Any) -> str:
    return named(strategy)["name"]


SAME = {"scores": "total", "above": "CARD = 3\ndef f(x): return x"}


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        (SAME, SAME, True),
        (SAME, SAME | {"above": "CARD = 4\ndef f(x): return x"}, True),
        ({"scores": "f(total)", "above": SAME["above"]}, {"scores": "f(total)", "above": "def f(x): return x"}, True),
        ({"scores": "f(total)", "above": SAME["above"]}, {"scores": "f(total)", "above": "def f(x): return 1"}, False),
        ({"scores": "total + CARD", "above": "CARD = 3"}, {"scores": "total + CARD", "above": "CARD = 4"}, False),
        ({"scores": "A[0]", "above": "A = np.arange(3)"}, {"scores": "A[0]", "above": "A = np.arange(3)"}, True),
        ({"scores": "A[0]", "above": "A = np.arange(3)"}, {"scores": "A[0]", "above": "A = np.ones(3, int)"}, False),
        ({"scores": "A[1]", "above": "A = {1: 2}"}, {"scores": "A[1]", "above": "A = {1: 3}"}, False),
        ({"scores": "A", "above": "A = object()"}, {"scores": "A", "above": "A = object()"}, False),
    ],
)
def test_a_name_tells_whatever_play_depends_on(cell: Any, first: Any, second: Any, alike: bool) -> None:
    assert (name_of(own(cell, **first)) == name_of(own(cell, **second))) is alike


def test_what_has_no_text_is_known_in_this_session_only() -> None:
    made: dict[str, Any] = {"__name__": "__main__"}
    exec(OWN.format(scores="total", above=""), made)
    again: dict[str, Any] = {"__name__": "__main__"}
    exec(OWN.format(scores="longest", above=""), again)
    assert name_of(made["Stubborn"]) == name_of(made["Stubborn"]) != name_of(again["Stubborn"])


def test_a_name_does_not_change_by_playing() -> None:
    strategy = Weighed()
    before = name_of(strategy)
    assert strategy.name == "weighed"
    assert name_of(strategy) == before
    assert name_of(Weighed(3)) == before, "parameters stand beside the name"


def test_a_base_class_counts(cell: Any) -> None:
    lower = "class Lower(Stubborn):\n    pass\n"
    names = {name_of(cell(lower, Stubborn=own(cell, scores))["Lower"]) for scores in ("total", "longest", "total")}
    assert len(names) == 2


def test_another_session_does_not_know_it(cell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run = simkit.run(ASKED | {"strategies": [own(cell)]}, games=20)
    monkeypatch.setattr(catalog, "IN_SESSION", {})
    with pytest.raises(simkit.UserError, match=r"unknown strategy `stubborn \(this Python session"):
        simkit.run(run.experiment, fresh=True)
    assert len(simkit.open_run(run.path).games()) == 40, "its results can be read all the same"


# ------------------------------------------------------------------------------------------------- tables and figures


@pytest.mark.slow
def test_tables_and_figures_are_those_of_the_report() -> None:
    run = simkit.run(ASKED | {"strategies": ["longest-run", "random", "spiteful"], "line_ups": "round-robin"}, games=90)
    tables, pictures = simkit.tables(run), simkit.pictures(run)
    assert {"seat_shares", "strategy_shares", "length", "endings"} <= tables.keys()
    assert all(isinstance(table, pd.DataFrame) and len(table) for table in tables.values())
    shares = tables["seat_shares"]
    assert np.allclose(shares.groupby("cell")["value"].sum(), 1)
    assert {"win-shares-by-seat", "strategies", "strategies-2"} <= pictures.keys()
    assert all(isinstance(figure, Figure) for figure in pictures.values())


def test_a_figure_shows_itself_and_is_saved(elsewhere: Path) -> None:
    figure = simkit.pictures(simkit.run(ASKED, set={"players": 2}))["win-shares-by-seat"]
    assert "<svg" in figure._repr_svg_()
    with mpl.rc_context():
        figure.savefig("shares.png")
    assert (elsewhere / "shares.png").read_bytes().startswith(b"\x89PNG")


# -------------------------------------------------------------------------------------------------------- the package


def test_the_package_offers_what_it_says() -> None:
    assert all(getattr(simkit, name) is not None for name in simkit.__all__)
    assert set(simkit.__all__) <= set(dir(simkit))
    assert simkit.Run.__module__ == "simkit.store"
    with pytest.raises(AttributeError, match="no attribute `rum`"):
        _ = simkit.rum
