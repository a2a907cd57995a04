"""A run is read as what it was declared to be, and a damaged folder is one message."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from simkit.errors import UserError
from simkit.experiment import parse
from simkit.plan import make_plan
from simkit.runner import run
from simkit.store import Run

TEXT = """
question = "Who wins?"
game = "tentacolor"
players = [3, 2]
games = 300
seed = 4
line_ups = [["random", "slips", "random"], ["random", "random"]]
strategies = ["random", { name = "epsilon", of = "random", p = 0.5, as = "slips" }]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in chunks of 70 deals."""
    base = tmp_path_factory.mktemp("store")
    path = base / "experiments" / "trial.toml"
    path.parent.mkdir()
    path.write_text(TEXT)
    run(make_plan(parse(TEXT, path), path, chunk_deals=70), base / "runs" / "trial", jobs=1, command="simkit run trial")
    return base / "runs" / "trial"


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(folder, tmp_path / "copy"))


@pytest.fixture(scope="module")
def trial(folder: Path) -> Run:
    return Run.open(folder)


def test_says_what_was_played(trial: Run) -> None:
    assert trial.game.id == "tentacolor"
    assert trial.experiment == parse(TEXT, Path("trial.toml"))
    three, two = trial.cells
    assert (three.players, three.seats, three.rotations, three.n_deals, three.n_games) == (3, 3, 3, 100, 300)
    assert three.labels == ("random", "random", "slips")
    assert (two.players, two.labels, two.rotations, two.n_deals) == (2, ("random", "random"), 1, 300)
    assert three.key == {"players": 3, "rules": {}, "line_up": ["random", "random", "slips"], "swept": {}}


def test_manifest_tells_how_to_play_it_again(trial: Run) -> None:
    manifest = trial.manifest
    assert manifest["command"] == "simkit run trial"
    assert manifest["experiment_text"] == TEXT == (trial.path / "experiment.toml").read_text()
    assert {"simkit", "tape_version", "rules_version", "seed", "timing", "results_digest", "sources"} <= set(manifest)
    assert manifest["complete"] is True
    assert not list(trial.path.glob("*.tmp"))


def test_games_have_the_declared_types(trial: Run) -> None:
    games = trial.games()
    types = {name: str(dtype) for name, dtype in games.dtypes.items()}
    assert types == {
        "cell": "category",
        "rotation": "uint8",
        "deal": "int64",
        "winners": "uint8",
        "decided_by_tiebreak": "bool",
        "n_turns": "uint16",
        "end_cause": "category",
        "n_bitten": "uint16",
        "n_swapped": "uint16",
        "n_rare": "uint16",
    }
    assert list(games["cell"].cat.categories) == [cell.id for cell in trial.cells]
    assert list(games["end_cause"].cat.categories) == ["run-complete", "deck-out", "unfinished"]
    assert len(games) == 600


@pytest.mark.parametrize("table", ["games", "seats"])
def test_parts_one_after_the_other_are_the_whole(trial: Run, table: Literal["games", "seats"]) -> None:
    """Two cells of three rotations and of one, in chunks of 70 of 100 and of 300 deals."""
    parts = list(trial.by_part(table))
    assert len(parts) == 3 * 2 + 5
    assert max(len(part) for part in parts) == 70 * (1 if table == "games" else 3)
    assert pd.concat(parts, ignore_index=True).equals(getattr(trial, table)())
    some = list(trial.by_part(table, ["deal"], cells=[trial.cells[1].id]))
    assert [list(part.columns) for part in some] == [["deal"]] * 5
    with pytest.raises(UserError, match="unknown column `dael`"):
        next(trial.by_part(table, ["dael"]))


def test_seats_have_the_declared_types(trial: Run) -> None:
    seats = trial.seats()
    assert list(seats.columns) == ["cell", "rotation", "deal", "seat", "label", "score", "rank", "win"]
    assert {name: str(dtype) for name, dtype in seats.dtypes.items()} == {
        **dict.fromkeys(("cell", "label"), "category"),
        **dict.fromkeys(("rotation", "seat", "score", "rank", "win"), "uint8"),
        "deal": "int64",
    }
    assert list(seats["label"].cat.categories) == ["random", "slips"]
    assert len(seats) == 300 * 3 + 300 * 2
    assert set(seats.groupby(["cell", "rotation", "deal"], observed=True)["win"].sum()) <= {0, 60}


def test_tallies_have_the_declared_types(trial: Run) -> None:
    progress = trial.tallies("progress")
    assert list(progress.columns) == ["cell", "rotation", "group", "round", "seat", "run", "count"]
    assert progress["count"].dtype == np.int64
    assert progress["count"].min() > 0
    assert progress["group"].max() < 64


def test_asks_for_some_columns_and_cells(trial: Run) -> None:
    two = trial.cells[1]
    games = trial.games(["n_turns", "deal"], cells=[two.id])
    assert sorted(games.columns) == ["deal", "n_turns"]
    assert len(games) == 300
    assert set(trial.tallies("progress", cells=[two.id])["cell"]) == {two.id}


@pytest.mark.parametrize("number", [0, 1])
def test_columns_come_in_deal_order(trial: Run, number: int) -> None:
    """The arrays hold what the tables hold."""
    cell = trial.cells[number]
    games, seats = trial.games(cells=[cell.id]), trial.seats(cells=[cell.id])
    turns, scores = trial.column("games", "n_turns", cell.id), trial.column("seats", "score", cell.id)
    assert (turns.shape, turns.dtype) == ((cell.rotations, cell.n_deals), np.uint16)
    assert (scores.shape, scores.dtype) == ((cell.rotations, cell.seats, cell.n_deals), np.uint8)
    assert (turns[games["rotation"], games["deal"]] == games["n_turns"]).all()
    assert (scores[seats["rotation"], seats["seat"], seats["deal"]] == seats["score"]).all()
    causes = trial.column("games", "end_cause", cell.id)
    assert (causes[games["rotation"], games["deal"]] == games["end_cause"].cat.codes).all()
    assert (trial.column("games", "deal", cell.id) == np.arange(cell.n_deals)).all()
    assert trial.column("games", "decided_by_tiebreak", cell.id).dtype == bool


def test_unknown_names_are_told(trial: Run) -> None:
    cell = trial.cells[0].id
    for ask in (
        lambda: trial.games(["n_turn"]),
        lambda: trial.column("seats", "n_turns", cell),
        lambda: trial.column("games", "n_turns", "0123"),
        lambda: trial.seats(cells=["0123"]),
        lambda: trial.tallies("progres"),
    ):
        with pytest.raises(UserError, match="unknown"):
            ask()
    with pytest.raises(UserError, match="at least one cell"):
        trial.games(cells=[])


def test_files_are_plain_parquet(trial: Run) -> None:
    """Any program can read them: no missing values, enums with all their labels, seats one after the other."""
    part = pq.read_table(sorted((trial.path / "seats").iterdir())[0])
    assert not any(field.nullable for field in part.schema)
    n = part.num_rows // len(set(part["seat"].to_pylist()))
    assert part["seat"].to_pylist() == sorted(part["seat"].to_pylist())
    assert part["deal"].to_pylist()[:n] == list(range(n))
    causes = pq.read_table(sorted((trial.path / "games").iterdir())[0])["end_cause"].chunk(0).dictionary
    assert causes.to_pylist() == ["run-complete", "deck-out", "unfinished"]


def test_no_folder_and_no_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="found no folder"):
        Run.open(tmp_path / "nothing")
    with pytest.raises(UserError, match=r"holds none"):
        Run.open(tmp_path)


def rewrite(folder: Path, **changes: object) -> None:
    """Change entries of the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | changes))


def first_part(folder: Path) -> Path:
    """A part file."""
    return min((folder / "games").iterdir())


DAMAGES: dict[str, Callable[[Path], object]] = {
    "manifest cut short": lambda f: (f / "manifest.json").write_text((f / "manifest.json").read_text()[:500]),
    "manifest empty": lambda f: (f / "manifest.json").write_text(""),
    "manifest a list": lambda f: (f / "manifest.json").write_text("[]"),
    "manifest binary": lambda f: (f / "manifest.json").write_bytes(b"\xff\xfe\x00"),
    "manifest of the future": lambda f: rewrite(f, format_version=99),
    "no cells": lambda f: rewrite(f, cells=None),
    "odd cells": lambda f: rewrite(f, cells={"0123": 4}),
    "empty cells": lambda f: rewrite(f, cells={"0123": {}}),
    "odd experiment": lambda f: rewrite(f, experiment={"games": -1}),
    "odd files": lambda f: rewrite(f, files=[1]),
    "file missing": lambda f: first_part(f).unlink(),
    "file added": lambda f: (f / "seats" / "more.parquet").write_bytes(b"PAR1"),
    "file cut short": lambda f: first_part(f).write_bytes(first_part(f).read_bytes()[:-1]),
    "folder missing": lambda f: shutil.rmtree(f / "tallies"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_is_one_message(copy: Path, damage: Callable[[Path], object]) -> None:
    damage(copy)
    with pytest.raises(UserError) as error:
        Run.open(copy)
    assert str(copy) in str(error.value)
    assert "\n" not in str(error.value)


def test_damage_inside_a_file_is_one_message(copy: Path) -> None:
    part = first_part(copy)
    part.write_bytes(b"\0" * part.stat().st_size)
    with pytest.raises(UserError, match=f"damaged: games/{part.name}"):
        Run.open(copy).games()


def test_a_part_that_is_not_listed_is_missed(copy: Path) -> None:
    part = first_part(copy)
    files = json.loads((copy / "manifest.json").read_text())["files"]
    for file in (name for name in files if name.endswith(part.name)):
        (copy / file).unlink()
    rewrite(copy, files={name: size for name, size in files.items() if not name.endswith(part.name)})
    with pytest.raises(UserError, match="games of a cell expected"):
        Run.open(copy).column("games", "n_turns", part.name[:12])


def test_undamaged_copy_is_fine(copy: Path, trial: Run) -> None:
    """The control."""
    assert Run.open(copy).games().equals(trial.games())
