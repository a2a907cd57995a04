"""`simkit replay` as it is typed: the games of a run, told, and held to their rows."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simkit.cli import app
from simkit.errors import UserError
from simkit.experiment import parse
from simkit.games.tentacolor import GAME
from simkit.plan import make_plan
from simkit.replay import find_place, first_match, replay
from simkit.replaying.blocks import blocks
from simkit.results import WIN
from simkit.runner import run
from simkit.store import Run
from tests.toy.planned import MIXED, planned

OWN = '''
import numpy as np
from simkit.strategy import Strategy

class Own(Strategy):
    """Places the card it holds longest."""

    def place(self, view):
        return np.zeros((len(view.options), view.n), np.uint8)
'''

PARTED = '''
import numpy as np
from simkit.strategy import Strategy

class Parted(Strategy):
    """Looks at the other games of its batch, which no strategy may."""

    def place(self, view):
        return (np.arange(3)[:, None] == np.arange(view.n) % 3).astype(np.uint8)
'''

TEXT = """
game = "tentacolor"
players = [3, 2]
games = 300
seed = 4
line_ups = [["spiteful", "own", "slips"], ["spiteful", "own"]]
strategies = [
    "spiteful",
    { name = "../own.py:Own", as = "own" },
    { name = "epsilon", of = "random", p = 0.5, as = "slips" },
]

[sweep]
"rules.expert" = [false, true]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder with a run in chunks of 70 deals, played with a strategy of their own."""
    base = tmp_path_factory.mktemp("replay")
    (base / "experiments").mkdir()
    (base / "own.py").write_text(OWN)
    path = base / "experiments" / "trial.toml"
    path.write_text(TEXT)
    run(make_plan(parse(TEXT, path), path, chunk_deals=70), base / "runs" / "trial", jobs=1, command="simkit run trial")
    return base


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """A copy of the user's folder, to be changed."""
    return Path(shutil.copytree(folder, tmp_path / "copy"))


@pytest.fixture(scope="module")
def trial(folder: Path) -> Run:
    return Run.open(folder / "runs" / "trial")


def simkit(path: Path, *words: str) -> Result:
    """The command, on the trial in that folder."""
    return CliRunner().invoke(app, ["replay", str(path / "runs" / "trial"), *words])


def document(path: Path, *words: str) -> dict[str, Any]:
    result = simkit(path, *words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


# ------------------------------------------------------------------------------------------------- the same as the run


def test_every_deal_comes_to_its_rows(trial: Run) -> None:
    """In every cell and rotation, deals at the ends of parts, against the tables."""
    games = trial.games().set_index(["cell", "rotation", "deal"])
    seats = trial.seats().set_index(["cell", "rotation", "deal", "seat"])
    rotations = [(cell, rotation) for cell in trial.cells for rotation in range(cell.rotations)]
    assert len(rotations) == 2 * (3 + 2)
    for number, (cell, rotation) in enumerate(rotations):
        deal = (0, 69, 70, cell.n_deals - 1)[number % 4]
        course = replay(trial, find_place(trial, cell.id, rotation, deal))
        row = games.loc[(cell.id, rotation, deal)]
        assert course.games == {name: row[name] for name in course.games}
        for seat, told in enumerate(course.seats):
            row = seats.loc[(cell.id, rotation, deal, seat)]
            assert told | {"label": course.labels[seat]} == {name: row[name] for name in row.index}


def test_words_agree_with_the_rows(trial: Run) -> None:
    """What is told of sharks, schools and rare specimens is what the rows count; the winner is the one who wins."""
    for text in ("n_bitten > 1 and n_rare > 1", "n_swapped > 2", "end_cause = deck-out", "n_rare > 2 and rotation = 1"):
        course = replay(trial, first_match(trial, text))
        words = [sentence for event in course.events for sentence in event["words"]]
        assert sum("sends the shark" in sentence for sentence in words) == course.games["n_bitten"]
        assert sum("discards" in sentence for sentence in words) == course.games["n_swapped"]
        assert sum("for the rare specimen" in sentence for sentence in words) == course.games["n_rare"]
        assert sum(" gives " in sentence for sentence in words) <= course.games["n_turns"]
        winners = [seat for seat, row in enumerate(course.seats, start=1) if row["win"] == WIN]
        if course.games["end_cause"] == "run-complete":
            assert words[-1].endswith(f"(seat {winners[0]}) wins the game")


def test_a_toy_without_words_of_its_own_is_told(tmp_path: Path) -> None:
    run(planned(**MIXED), tmp_path / "runs" / "trial", jobs=1)
    result = simkit(tmp_path, "7", "--rotation", "1")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Beacon: cell ")
    for said in (
        "rotation 1, deal 7, seed 31",
        "rules.thick = 1",
        "Setup\n  dusk",
        "decides what to do before the weather",
    ):
        assert said in result.stdout
    opened = Run.open(tmp_path / "runs" / "trial")
    course = replay(opened, find_place(opened, None, 1, 7))
    asked = [event for event in course.events if "earlier" in event]
    assert asked
    assert {choice["decision"] for event in asked for choice in event["earlier"]} == {"work"}
    assert {event["decision"]["decision"] for event in asked} <= {"clear", "build"}


def test_moved_run_whose_experiment_is_gone(copy: Path) -> None:
    before = simkit(copy, "3").stdout
    (copy / "experiments" / "trial.toml").unlink()
    shutil.move(copy, copy.with_name("moved"))
    assert simkit(copy.with_name("moved"), "3").stdout == before


def test_strategies_named_from_beside_the_experiment(tmp_path: Path) -> None:
    """An experiment that lies in the user's folder itself, not in `experiments/`."""
    (tmp_path / "own.py").write_text(OWN)
    path = tmp_path / "trial.toml"
    path.write_text('game = "tentacolor"\nplayers = 2\ngames = 20\nstrategies = ["own.py:Own"]\n')
    run(make_plan(parse(path.read_text(), path), path), tmp_path / "runs" / "trial", jobs=1)
    assert simkit(tmp_path, "19").exit_code == 0


# ------------------------------------------------------------------------------------------------ what has been changed


def refused(path: Path, *words: str) -> str:
    """The one message."""
    result = simkit(path, *words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr


def test_changed_strategy_is_named(folder: Path, tmp_path: Path) -> None:
    """The folder itself, since the manifest knows the file by its path; it is put back."""
    file = folder / "own.py"
    try:
        file.write_text(OWN.replace("zeros", "ones"))
        message = refused(folder)
        assert "own.py" in message
        assert "changed since" in message
    finally:
        file.write_text(OWN)
    assert simkit(folder).exit_code == 0


def test_strategy_that_is_gone_is_named(copy: Path) -> None:
    (copy / "own.py").unlink()
    assert "own.py" in refused(copy)


def rewrite(path: Path, change: Any) -> None:
    """Change the manifest."""
    file = path / "runs" / "trial" / "manifest.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))


def test_what_a_cell_is_made_of_is_named(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the manifest keeps it: the ingredient that differs, and none else."""

    def change(manifest: dict[str, Any]) -> None:
        for entry in manifest["cells"].values():
            entry["digest"] = "0" * 64
            entry["made_of"] = {"seed": 4, "rules version": 0}

    monkeypatch.setattr("simkit.planning.layout.Cell.made_of", {"seed": 4, "rules version": 1}, raising=False)
    rewrite(copy, change)
    message = refused(copy)
    assert "rules version" in message
    assert "seed" not in message


def test_cell_that_is_not_of_the_experiment(copy: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["experiment"]["sweep"] = {}

    rewrite(copy, change)
    assert "none of the run's newest experiment" in refused(copy)


def test_rows_that_differ_are_told(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose code has changed without a new version: here, a run with another end."""
    monkeypatch.setattr("simkit.games.tentacolor.rules.Rules.need", lambda self, seats: 3)
    message = refused(copy, "--where", "n_turns > 12")
    assert "must come to the rows" in message
    assert "the run holds" in message


def test_strategy_that_looks_at_other_games_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "parted.py").write_text(PARTED)
    path = tmp_path / "trial.toml"
    path.write_text('game = "tentacolor"\nplayers = 2\ngames = 20\nstrategies = ["parted.py:Parted"]\n')
    run(make_plan(parse(path.read_text(), path), path), tmp_path / "runs" / "trial", jobs=1)
    opened, messages = Run.open(tmp_path / "runs" / "trial"), []
    for deal in range(20):
        try:
            replay(opened, find_place(opened, deal=deal))
        except UserError as error:
            messages.append(str(error))
    assert messages
    assert all("looks at other games of its batch" in message for message in messages)


def test_damaged_part_is_one_message(copy: Path) -> None:
    part = min((copy / "runs" / "trial" / "seats").iterdir())
    part.write_bytes(b"\0" * part.stat().st_size)
    assert part.name in refused(copy, "--cell", part.name[:12], "--where", "score[1] > 0")


# ------------------------------------------------------------------------------------------------------------ choosing


def test_first_cell_and_deal_unless_told_otherwise(folder: Path, trial: Run) -> None:
    told = document(folder)
    assert (told["cell"], told["rotation"], told["deal"], told["seed"]) == (trial.cells[0].id, 0, 0, 4)
    third = trial.cells[2].id
    told = document(folder, "41", "--cell", third[:6], "--rotation", "1")
    assert (told["cell"], told["rotation"], told["deal"]) == (third, 1, 41)
    assert told["seats"] == [trial.cells[2].labels[(seat + 1) % 2] for seat in range(2)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("100",), "must be 0 to 99"),
        (("0", "--rotation", "3"), "must be 0 to 2"),
        (("0", "--rotation", "-1"), "must be 0 to 2"),
        (("0", "--cell", "xyz"), "fits 0"),
        (("0", "--cell", ""), "fits 4"),
        (("0", "--where", "n_turns > 3"), "leave one out"),
        (("--list", "3"), "no `--where`"),
        (("--where", "n_turns > 60000"), "found none"),
        (("--where", "n_turn > 6"), "did you mean `n_turns`"),
        (("--where", "score[4] > 6"), "1 to 3"),
        (("--where", "n_turns > 6", "--rotation", "3"), "0 to 2"),
        (("--where", "label[1] = blocker"), "own, slips, spiteful"),
        (("--where", "__import__('os').system('touch here')"), "condition on columns"),
    ],
    ids=str,
)
def test_mistakes_are_told(folder: Path, words: tuple[str, ...], said: str) -> None:
    assert said in refused(folder, *words)


def test_no_run(tmp_path: Path) -> None:
    assert "no folder" in refused(tmp_path)
    assert CliRunner().invoke(app, ["replay"]).exit_code == 2


CONDITIONS = [
    "n_turns > 30",
    "end_cause = deck-out and score[any] >= 4",
    "n_bitten >= 2 and not win[1] > 0 and rotation = 1",
    "label[1] = slips and win[1] = 60",
    "score[3] = 5",
    "deal >= 75 and deal < 80 and decided_by_tiebreak = false",
]


def matching(trial: Run, text: str) -> list[tuple[str, int, int]]:
    """The same with pandas, written out by hand."""
    games = trial.games().set_index(["cell", "rotation", "deal"])
    seats = trial.seats().set_index(["cell", "rotation", "deal", "seat"]).unstack("seat")
    rotation, deal = (games.index.get_level_values(name) for name in ("rotation", "deal"))
    score, win, label = (seats[name].loc[games.index] for name in ("score", "win", "label"))
    mask = {
        CONDITIONS[0]: games.n_turns > 30,
        CONDITIONS[1]: (games.end_cause == "deck-out") & (score >= 4).any(axis=1),
        CONDITIONS[2]: (games.n_bitten >= 2) & (win[0] == 0) & (rotation == 1),
        CONDITIONS[3]: (label[0] == "slips") & (win[0] == 60),
        CONDITIONS[4]: score[2] == 5,
        CONDITIONS[5]: (deal >= 75) & (deal < 80) & ~games.decided_by_tiebreak,
    }[text]
    found = set(games.index[mask.to_numpy()])
    order = [(c.id, r, d) for c in trial.cells for r in range(c.rotations) for d in range(c.n_deals)]
    return [place for place in order if place in found]


@pytest.mark.parametrize("text", CONDITIONS)
def test_finds_what_pandas_finds(folder: Path, trial: Run, text: str) -> None:
    wanted = matching(trial, text)
    assert wanted
    told = document(folder, "--where", text, "--list", "1000")
    assert [(row["cell"], row["rotation"], row["deal"]) for row in told["listed"]] == wanted
    assert told["matches"] == len(wanted)
    assert told["games"] == sum(cell.n_games for cell in trial.cells if cell.seats == 3 or "score[3]" not in text)
    first = document(folder, "--where", text)
    assert (first["cell"], first["rotation"], first["deal"]) == wanted[0]


def test_where_within_a_cell_and_rotation(folder: Path, trial: Run) -> None:
    last = trial.cells[-1].id
    wanted = [place for place in matching(trial, "n_turns > 30") if place[:2] == (last, 1)]
    told = document(folder, "--where", "n_turns > 30", "--cell", last, "--rotation", "1", "--list", "2")
    assert [row["deal"] for row in told["listed"]] == [deal for _, _, deal in wanted[:2]]
    assert told["matches"] == len(wanted)


def test_reads_the_columns_it_needs_block_by_block(trial: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of any size: one part file at a time, nothing beyond the first match."""
    from simkit import replay as replay_module
    from simkit.replaying.blocks import Block

    read: list[tuple[str, str]] = []
    whole = Block._read

    def watched(block: Block, table: Any, name: str) -> Any:
        read.append((block.part, f"{table}.{name}"))
        return whole(block, table, name)

    monkeypatch.setattr(Block, "_read", watched)
    place = replay_module.first_match(trial, "n_turns >= 1 and score[1] >= 0")
    assert (place.rotation, place.deal) == (0, 0)
    first = next(blocks(trial, trial.cells[0]))
    assert read == [(first.part, "games.n_turns"), (first.part, "seats.score")]
    read.clear()
    replay(trial, find_place(trial, trial.cells[0].id, 2, 75))
    assert {part for part, _ in read} == {f"{trial.cells[0].id}-r02-000000000070.parquet"}


# -------------------------------------------------------------------------------------------------------------- output


def test_json_holds_the_whole_course(folder: Path, trial: Run) -> None:
    told = document(folder, "5", "--cell", trial.cells[1].id)
    assert list(told) == ["game", "cell", "key", "rotation", "deal", "seed", "rules", "seats", "events", "result"]
    assert told["rules"] == {"expert": True}
    assert all({"event", "turn", "seat", "state", "words"} <= set(event) for event in told["events"])
    assert told["events"][0]["event"] == "deal"
    assert told["events"][-1]["event"] == "end"
    assert all(event["words"] for event in told["events"])
    placed = next(event for event in told["events"] if event["event"] == "place")
    assert placed["decision"]["choice"] in (0, 1, 2)
    assert len(told["result"]["seats"]) == 3


def test_text_is_plain_where_nobody_looks(folder: Path, trial: Run) -> None:
    result = simkit(folder, "5", "--cell", trial.cells[1].id)
    assert result.stderr == ""
    assert "\x1b" not in result.stdout
    lines = result.stdout.splitlines()
    assert lines[0] == f"{GAME.title}: cell {trial.cells[1].id}, rotation 0, deal 5, seed 4"
    assert lines[1] == "  rules.expert = true"
    assert [line for line in lines if line and line[0] != " "][1:3] == ["Setup", "Round 1"]


def test_list_for_reading(folder: Path, trial: Run) -> None:
    wanted = matching(trial, "n_turns > 30")
    lines = simkit(folder, "--where", "n_turns > 30", "--list", "2").stdout.splitlines()
    assert lines[0] == f"{len(wanted)} of 1,200 games match"
    assert lines[1].split() == ["cell", "rotation", "deal", "n_turns"]
    assert [line.split()[:3] for line in lines[2:4]] == [[c, str(r), str(d)] for c, r, d in wanted[:2]]
    none = simkit(folder, "--where", "n_turns > 60000", "--list", "2")
    assert (none.exit_code, none.stdout) == (0, "0 of 1,200 games match\n")


@pytest.mark.slow
def test_the_page_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands in docs/replay.md and what they print."""
    page = (Path(__file__).parents[2] / "docs" / "replay.md").read_text(encoding="utf-8")
    shown = [
        (shlex.split(line), rest) for line, _, rest in (part.partition("\n") for part in page.split("$ simkit ")[1:])
    ]
    assert [words[0] for words, _ in shown] == ["run", "replay", "replay"]
    monkeypatch.chdir(tmp_path)
    for words, rest in shown:
        result = CliRunner().invoke(app, [*words, "--quiet"] if words[0] == "run" else words)
        assert result.exit_code == 0, result.output
        assert words[0] == "run" or result.stdout.rstrip() == rest.partition("\n```")[0].rstrip()
