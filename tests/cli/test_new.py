"""`simkit new`: what it writes plays at once, and it writes all or nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from simkit.batch import play, play_batch
from simkit.catalog import find_game, list_strategies, load_strategy
from simkit.cli import app
from simkit.cli.options import planned
from simkit.plan import Cell
from simkit.planning.strategy_spec import StrategySpec
from simkit.results import Results
from simkit.strategy import Random, Strategy
from simkit.tape import Tape
from simkit.trace import Trace
from tests.contract.leaks import LeakTable

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "toy"
GAMES = ("tentacolor", "beacon", "pearl-dive")


def simkit(*words: str) -> Result:
    """A command's outcome."""
    return CliRunner().invoke(app, words)


def done(*words: str) -> str:
    """What a command prints, that has to succeed."""
    outcome = simkit(*words)
    assert outcome.exit_code == 0, outcome.output
    return outcome.stdout


def checked(*words: str) -> None:
    """`simkit check`."""
    done("check", *words)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("simkit.cli.progress.PATIENCE", 600)
    return tmp_path


@pytest.fixture
def user(here: Path) -> Path:
    """The same with two games of one's own: a cooperative one, and one that was just written."""
    for kind in ("games", "strategies"):
        shutil.copytree(TOY / kind, here / kind, ignore=shutil.ignore_patterns("__pycache__"))
    done("new", "game", "pearl-dive")
    return here


def files(folder: Path) -> set[str]:
    """Every file and folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def made(game: str, name: str, base: Path, **parameters: object) -> Strategy:
    """A strategy as an experiment would have it."""
    return load_strategy(StrategySpec.model_validate({"name": name, **parameters}), game, base)


# ----------------------------------------------------------------------------------------------------------- strategies


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_strategy_has_a_method_for_each_decision_and_plays(user: Path, game: str) -> None:
    told = done("new", "strategy", "LongShot", "--game", game)
    file = f"strategies/{game.replace('-', '_')}/long_shot.py"
    assert told.splitlines()[0] == f"wrote {file}"
    assert f"simkit check {file}" in told
    assert f"simkit compare {game} long-shot random" in told
    listed = next(entry for entry in list_strategies(game, user) if entry.name == "long-shot")
    assert listed.summary.startswith("Takes the option listed first")
    assert listed.parameters == {"lean": 1}
    strategy, played = made(game, "long-shot", user), find_game(game, user)
    assert {decision.name for decision in played.decisions} <= set(vars(type(strategy)))
    text = (user / file).read_text(encoding="utf-8")
    rules = played.rules(**played.components.values_with({}))
    for decision in played.decisions:
        assert all(option in text for option in decision.options_for(rules, max(played.players))[:2])
    checked(file)


@pytest.mark.parametrize("game", GAMES)
def test_a_strategy_keeps_to_the_contract(user: Path, game: str) -> None:
    """It looks at nothing hidden, and its games do not see each other."""
    done("new", "strategy", "bold", "--game", game)
    played = find_game(game, user)
    rules, seats = played.rules(**played.components.values_with({})), max(played.players)
    for strategy in (made(game, "bold", user), made(game, "bold", user, lean=0)):
        line_up, deals = [strategy, *[Random()] * (seats - 1)], np.arange(12, dtype=np.uint64)
        table = LeakTable(played, rules, line_up, Tape(3), deals, Results(played, rules, seats, 12))
        play_batch(table)
        assert table.n_compared > 50
        assert table.leaks == []
        whole, thin = (play(played, rules, line_up, 3, 0, 60, width=width) for width in (None, 7))
        assert all(np.array_equal(whole.games[name], thin.games[name]) for name in whole.games)


def test_the_parameter_of_a_strategy_changes_play(here: Path) -> None:
    done("new", "strategy", "bold", "--game", "tentacolor")
    game = find_game("tentacolor")
    rules = game.rules(**game.components.values_with({}))
    scores = [
        play(game, rules, [made("tentacolor", "bold", here, lean=lean)] * 2, 3, 0, 50).games["n_turns"]
        for lean in (0, 1, 2)
    ]
    assert not np.array_equal(scores[0], scores[1])
    assert np.array_equal(scores[1], scores[2])
    outcome = simkit("run", "quickstart", "--set", 'strategies=[{name="bold", lean=-1}]', "--games", "10")
    assert outcome.exit_code == 2


def test_out_names_the_file(here: Path) -> None:
    told = json.loads(done("new", "strategy", "bold", "--game", "tentacolor", "--out", "ideas/b.py", "--json"))
    assert told["wrote"] == ["ideas/b.py"]
    assert told["next"] == ["simkit check ideas/b.py", "simkit compare tentacolor ideas/b.py:bold random"]
    assert files(here) == {"ideas", "ideas/b.py"}
    done("new", "experiment", "trial", "--game", "tentacolor")
    words = ("--set", 'strategies=["bold"]', "--set", "line_ups=mirror", "--games", "20", "--jobs", "1")
    assert "b.py" in done("run", "trial", "--strategies", "ideas/b.py", *words)


# ---------------------------------------------------------------------------------------------------------- experiments


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_experiment_is_played(user: Path, game: str) -> None:
    done("new", "strategy", "bold", "--game", game)
    told = json.loads(done("new", "experiment", "My_Trial", "--game", game, "--json"))
    assert told["wrote"] == ["experiments/my-trial.toml"]
    assert told["next"][-1] == "simkit run experiments/my-trial.toml --report"
    document = tomllib.loads((user / "experiments" / "my-trial.toml").read_text(encoding="utf-8"))
    assert document["strategies"][0] == "bold"
    assert document["strategies"][-1] == "random"
    checked("experiments/my-trial.toml")
    words = ("--games", "12", "--jobs", "1", "--set", "players=2")
    assert "results digest" in done("run", "experiments/my-trial.toml", *words)


@pytest.mark.parametrize("game", GAMES)
def test_what_an_experiment_shows_in_comments_works(user: Path, game: str) -> None:
    done("new", "experiment", "trial", "--game", game)
    path = user / "experiments" / "trial.toml"
    text = path.read_text(encoding="utf-8")
    plain = len(cells_of("trial"))
    example = next(line[2:] for line in text.splitlines() if line.startswith("# { name"))
    text = text.replace('strategies = ["', f'strategies = [{example}, "')
    path.write_text(text.replace("# [sweep]", "[sweep]").replace('# "rules.', '"rules.'), encoding="utf-8")
    swept = cells_of("trial")
    assert len(swept) > 2 * plain
    assert {bool(cell.rules) for cell in swept} == {True}
    assert any(entry.label == "other" for cell in swept for entry in cell.line_up)
    lines = text.splitlines()
    at = lines.index("# [rules]")
    lines[at : at + 2] = [line.removeprefix("# ") for line in lines[at : at + 2]]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert all(len(cell.rules) == 1 for cell in cells_of("trial"))


def cells_of(experiment: str) -> tuple[Cell, ...]:
    """What an experiment comes to."""
    return planned(experiment, 2, None, None, None).cells


# ---------------------------------------------------------------------------------------------------------------- games


@pytest.fixture
def pearl(here: Path) -> Path:
    """A folder with a game that was just written."""
    done("new", "game", "Pearl_Dive")
    return here


@pytest.mark.slow
def test_a_game_is_listed_and_described(pearl: Path) -> None:
    listed = next(entry for entry in json.loads(done("games", "--json")) if entry["id"] == "pearl-dive")
    assert (listed["title"], listed["players"]) == ("Pearl Dive", [2, 3, 4])
    told = json.loads(done("games", "pearl-dive", "--json"))
    assert {"keep", "press"} == {decision["name"] for decision in told["decisions"]}
    assert files(pearl) >= {"games/pearl_dive/play.py", "strategies/pearl_dive/first.py", "reports/pearl_dive.py"}
    checked("pearl-dive")


@pytest.mark.slow
def test_a_game_is_played_and_reported(pearl: Path) -> None:
    told = done("run", "experiments/pearl-dive.toml", "--games", "60", "--set", "players=3", "--jobs", "1", "--report")
    assert "game pearl-dive: " in told
    page = (pearl / "runs" / "pearl-dive" / "report" / "report.html").read_text(encoding="utf-8")
    assert "How far divers go" in page
    assert "Pearl Dive" in page


def pearl_rules(pearl: Path, **changes: object):
    game = find_game("pearl-dive", pearl)
    return game, game.rules(**game.components.values_with(changes))


@pytest.mark.parametrize("changes", [{}, {"finish_round": False}, {"goal": 100, "rounds": 3}, {"throws": 1}], ids=str)
def test_every_game_is_that_told_by_its_events(pearl: Path, changes: dict[str, object]) -> None:
    """Points, cards, ends and winners, added up again in plain Python from throws and choices."""
    game, rules = pearl_rules(pearl, **changes)
    trace, seats = Trace(), 3
    results = play(game, rules, [made("pearl-dive", "hold-at", pearl), Random(), Random()], 8, 0, 80, observer=trace)
    for deal, events in trace.games.items():
        points, pot, n_sharks = [0] * seats, 0, 0
        for event in events:
            if event["event"] == "throw":
                is_shark = event["face"] == 1
                pot, n_sharks = 0 if is_shark else pot + event["face"], n_sharks + is_shark
            elif event["event"] == "surface":
                points[event["seat"]] += pot
                pot = 0
                assert event["state"]["points"] == points
        cards = events[-1]["state"]["held"]
        totals = [(mine + card, card) for mine, card in zip(points, cards, strict=True)]
        best = sum(1 << seat for seat, total in enumerate(totals) if total == max(totals))
        cause = game.all_end_causes[results.games["end_cause"][deal]]
        n_turns = int(results.games["n_turns"][deal])
        assert results.games["winners"][deal] == best
        assert results.seats["score"][:, deal].tolist() == [total for total, _ in totals]
        assert results.games["n_sharks"][deal] == n_sharks
        assert cause == ("goal reached" if max(points) >= rules.goal else "rounds over")
        assert n_turns == rules.rounds * seats if cause == "rounds over" else n_turns <= rules.rounds * seats
        assert n_turns % seats == 0 or not rules.finish_round
    causes = {game.all_end_causes[code] for code in results.games["end_cause"].tolist()}
    assert causes == {"rounds over"} if changes.get("rounds") else "goal reached" in causes


def test_the_die_is_fair_and_every_card_is_in_the_box(pearl: Path) -> None:
    """A shark in one throw of six, with a control that must fail; cards kept are in the box as often as it says."""
    game, rules = pearl_rules(pearl)
    results = play(game, rules, [Random()] * 4, 8, 0, 4000)
    by_shark = results.tallies()["throws"].sum(axis=(0, 2))
    share, n = by_shark[1] / by_shark.sum(), by_shark.sum()
    assert abs(share - 1 / 6) < 4.5 * (5 / 36 / n) ** 0.5
    assert abs(share - 1 / 5) > 4.5 * (5 / 36 / n) ** 0.5
    counts = np.bincount(results.seats["card"][0], minlength=7)
    assert counts[0] == 0
    assert (abs(counts[1:] / 4000 - 1 / 6) < 4.5 * (5 / 36 / 4000) ** 0.5).all()


class Peeker(Strategy):
    """Looks at the next seat's card."""

    def press(self, view):
        other = view.look(view._table.state.held[(view.seat + 1) % view.seats]) > 3
        return np.stack([other, ~other])


def test_what_is_hidden_stays_so(pearl: Path) -> None:
    game, rules = pearl_rules(pearl)
    found = []
    for strategy in (made("pearl-dive", "hold-at", pearl), Random(), Peeker()):
        deals = np.arange(30, dtype=np.uint64)
        table = LeakTable(game, rules, [strategy] * 3, Tape(3), deals, Results(game, rules, 3, 30))
        play_batch(table)
        assert table.n_changed > 0
        found.append(len(table.leaks))
    assert found[:2] == [0, 0]
    assert found[2] > 0


# -------------------------------------------------------------------------------------------------- all that is written


def test_what_is_written_is_as_ruff_would_have_it(user: Path) -> None:
    pytest.importorskip("ruff", reason="ruff is among the tools for development")
    for game in GAMES:
        done("new", "strategy", "bold", "--game", game)
    written = [user / "games" / "pearl_dive", user / "strategies" / "pearl_dive", user / "reports" / "pearl_dive.py"]
    written += [user / "strategies" / game / "bold.py" for game in ("beacon", "tentacolor")]
    house = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", *map(str, written)]
    ours = ["--config", 'lint.isort.known-first-party=["simkit"]']
    for words in (["format", "--check", *house], ["check", *ours, *house]):
        outcome = subprocess.run([sys.executable, "-m", "ruff", *words], capture_output=True, text=True, check=False)
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr


REFUSED = [
    (("strategy", "../evil", "--game", "tentacolor"), "must be letters and digits"),
    (("strategy", "a/b", "--game", "tentacolor"), "must be letters and digits"),
    (("strategy", "2fast", "--game", "tentacolor"), "must be letters and digits"),
    (("strategy", "bold-", "--game", "tentacolor"), "must be letters and digits"),
    (("strategy", "", "--game", "tentacolor"), "must be letters and digits"),
    (("strategy", "b\x1b[2Jold", "--game", "tentacolor"), "must be letters and digits"),
    (("strategy", "x" * 41, "--game", "tentacolor"), "40 characters"),
    (("strategy", "bélier", "--game", "tentacolor"), "must be letters and digits"),
    (("strategy", "class", "--game", "tentacolor"), "word of Python's"),
    (("strategy", "nul", "--game", "tentacolor"), "device"),
    (("strategy", "random", "--game", "tentacolor"), "found `random` in simkit's library"),
    (("strategy", "Longest_Run", "--game", "tentacolor"), "found `longest-run` in simkit's library"),
    (("strategy", "strategy", "--game", "tentacolor"), "simkit's word"),
    (("strategy", "per-game", "--game", "tentacolor"), "simkit's word"),
    (("strategy", "any", "--game", "tentacolor"), "simkit's word"),
    (("strategy", "scores", "--game", "tentacolor"), "simkit's word"),
    (("strategy", "bold", "--game", "tentacolour"), "did you mean `tentacolor`"),
    (("strategy", "bold"), "--game"),
    (("strategy", "bold", "--game", "tentacolor", "--out", "bold.txt"), "ends in .py"),
    (("experiment", "quickstart", "--game", "tentacolor"), "found `quickstart` in simkit's library"),
    (("experiment", "../trial", "--game", "tentacolor"), "must be letters and digits"),
    (("experiment", "trial", "--game", "nothing"), "unknown game"),
    (("game", "tentacolor"), "found `tentacolor` in simkit's library"),
    (("game", "Tentacolor"), "found `tentacolor` in simkit's library"),
    (("game", "cthulhu"), "another name of tiny-epic-cthulhu"),
    (("game", "quickstart"), "found `quickstart` in simkit's library"),
    (("game", "__init__"), "must be letters and digits"),
    (("game", "lambda"), "word of Python's"),
    ((), ""),
]


@pytest.mark.parametrize(("words", "said"), REFUSED, ids=lambda value: ascii(value)[:60])
def test_refused_and_nothing_written(here: Path, words: tuple[str, ...], said: str) -> None:
    outcome = simkit("new", *words)
    assert outcome.exit_code == 2
    assert said in outcome.stderr
    assert "\x1b" not in outcome.stderr
    assert "Traceback" not in outcome.output
    assert files(here) == set()


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        (("strategy", "bold", "--game", "tentacolor"), "strategies/tentacolor/bold.py"),
        (("strategy", "bold", "--game", "tentacolor", "--out", "x.py"), "x.py"),
        (("experiment", "trial", "--game", "tentacolor"), "experiments/trial.toml"),
        (("game", "pearl-dive"), "games/pearl_dive/rules.py"),
        (("game", "pearl-dive"), "strategies/pearl_dive/first.py"),
        (("game", "pearl-dive"), "reports/pearl_dive.py"),
        (("game", "pearl-dive"), "experiments/pearl-dive.toml"),
    ],
)
def test_nothing_is_overwritten(here: Path, words: tuple[str, ...], taken: str) -> None:
    file = here / taken
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("mine", encoding="utf-8")
    before = files(here)
    outcome = simkit("new", *words)
    assert outcome.exit_code == 2
    assert "nothing is overwritten" in outcome.stderr
    assert files(here) == before
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_second_time_is_refused(here: Path) -> None:
    for words in (("strategy", "bold", "--game", "tentacolor"), ("game", "pearl-dive")):
        done("new", *words)
        before = files(here)
        outcome = simkit("new", *words)
        assert outcome.exit_code == 2
        assert "must have a name of its own" in outcome.stderr
        assert files(here) == before


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("method", ["write_text", "rename"])
def test_what_breaks_off_leaves_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch, method: str, error: BaseException
) -> None:
    """The disk is full, or Ctrl-C is pressed, at the fourth file: neither files nor folders are left."""
    real, calls = getattr(Path, method), []

    def failing(path: Path, *args: object, **kwargs: object) -> object:
        calls.append(path)
        if len(calls) == 4:
            raise error
        return real(path, *args, **kwargs)

    monkeypatch.setattr(Path, method, failing)
    outcome = simkit("new", "game", "pearl-dive")
    assert outcome.exit_code == (2 if isinstance(error, OSError) else 130)
    assert len(calls) == 4
    assert files(here) == set()


def test_a_title_and_words_of_a_game_cannot_break_a_file(here: Path) -> None:
    """Quotes, backslashes, line ends and markup in what a game says of itself."""
    nasty = 'a """ \\\\N{x} {{ 1 }} [bold]\\n\\tend"'
    (here / "games").mkdir()
    text = f"""
from dataclasses import replace
from simkit.game import Decision
from simkit.games.tentacolor import GAME as OTHER

NASTY = {nasty!r}
DECISIONS = tuple(replace(d, meaning=NASTY + " " + "long " * 60) for d in OTHER.decisions)
GAME = replace(OTHER, id="odd", title=NASTY, decisions=DECISIONS)
"""
    (here / "games" / "odd.py").write_text(text, encoding="utf-8")
    done("new", "strategy", "bold", "--game", "odd")
    done("new", "experiment", "trial", "--game", "odd")
    compile((here / "strategies" / "odd" / "bold.py").read_text(encoding="utf-8"), "bold.py", "exec")
    done("run", "trial", "--games", "10", "--jobs", "1", "--set", "players=2")
