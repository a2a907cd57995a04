"""What a run holds is used again, extended, or refused by name; never mixed with what it was not asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from simkit.store import Run

from .folders import in_writing, manifest, place, published, rows, same_rows, snapshot
from .trials import TENTACOLOR, Said, base_with, beacon_base, edit, in_chunks_of, simkit_run

RUN = Path("runs") / "trial"


@pytest.fixture
def beacon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with a game and strategies of its own as the current one; chunks of 40 deals."""
    base = beacon_base(tmp_path / "base")
    monkeypatch.chdir(base)
    in_chunks_of(40, monkeypatch)
    return base


@pytest.fixture
def tentacolor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, with the library's game and strategies: a mirror at two players, a cell of three rotations at three."""
    base = base_with(tmp_path / "base", TENTACOLOR)
    monkeypatch.chdir(base)
    in_chunks_of(25, monkeypatch)
    return base


def fresh_digest(*words: str) -> str:
    """The results digest of a run in another, new folder."""
    return simkit_run(*words, "--runs", "elsewhere").document["results_digest"]


def cells_with(label: str, folder: Path = RUN) -> list[str]:
    """Ids of the cells in which a strategy takes part."""
    return [cell for cell, entry in manifest(folder)["cells"].items() if label in entry["labels"]]


def parts_of(cells: list[str]) -> dict[str, tuple[int, str]]:
    """Snapshot of the parts of some cells."""
    return {name: said for name, said in snapshot(RUN).items() if place(name)[0] in cells}


# ----------------------------------------------------------------------------------------------------------- more games


@pytest.mark.slow
@pytest.mark.parametrize("games", [91, 180, 500])
def test_more_games_play_new_deals_only(tentacolor: Path, games: int) -> None:
    first = simkit_run().document
    before, n_before = snapshot(RUN), first["games"]
    more = simkit_run("--games", str(games)).document
    n_wanted = games + 3 * math.ceil(games / 3)
    assert (more["games"], more["played"], more["already_played"]) == (n_wanted, n_wanted - n_before, False)
    assert {name: said for name, said in snapshot(RUN).items() if name in before} == before
    assert published(RUN) == len(Run.open(RUN).games(["deal"])) == n_wanted
    assert more["results_digest"] == Run.open(RUN).results_digest != first["results_digest"]
    assert more["results_digest"] == fresh_digest("--games", str(games))
    same_rows(rows(RUN), rows(Path("elsewhere") / "trial"))
    assert not in_writing(RUN)


def test_more_games_in_other_chunks(tentacolor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Grown in four steps, each with chunks of its own."""
    for games, deals in ((10, 3), (11, 7), (100, 64), (200, 11)):
        in_chunks_of(deals, monkeypatch)
        grown = simkit_run("--games", str(games)).document
    assert grown["results_digest"] == fresh_digest("--games", "200")
    assert published(RUN) == grown["games"]


def test_the_same_again_plays_nothing(tentacolor: Path) -> None:
    first, before = simkit_run().document, snapshot(RUN)
    again = simkit_run().document
    assert (first["played"], again["played"]) == (first["games"], 0)
    assert (first["already_played"], again["already_played"]) == (False, True)
    assert again["results_digest"] == first["results_digest"]
    assert snapshot(RUN) == before


@pytest.mark.parametrize("games", [1, 30, 89])
def test_fewer_games_play_nothing_and_keep_what_is_there(tentacolor: Path, games: int) -> None:
    first, before = simkit_run().document, snapshot(RUN)
    fewer = simkit_run("--games", str(games)).document
    assert fewer["played"] == 0
    assert snapshot(RUN) == before
    assert simkit_run().document["results_digest"] == first["results_digest"]
    assert simkit_run("--games", "120").document["results_digest"] == fresh_digest("--games", "120")
    assert {name: said for name, said in snapshot(RUN).items() if name in before} == before


def test_after_fewer_games_numbers_are_one_story(tentacolor: Path) -> None:
    """Whatever was asked last, digest, rows and manifest speak of the same games."""
    simkit_run()
    said = simkit_run("--games", "30").document
    held = Run.open(RUN)
    assert said["results_digest"] == held.results_digest
    games = held.games(["cell", "rotation", "deal"])
    assert len(games) == said["games"] == sum(cell.n_games for cell in held.cells)
    for cell in held.cells:
        assert held.column("games", "n_turns", cell.id).shape == (cell.rotations, cell.n_deals)
        counts = held.tallies("progress", cells=[cell.id])
        assert counts[(counts["round"] == 0) & (counts["seat"] == 0)]["count"].sum() == cell.n_games


# ---------------------------------------------------------------------------------------------------------- other cells


def test_a_wider_experiment_uses_what_is_there(beacon: Path) -> None:
    simkit_run("--set", "players=2")
    before = snapshot(RUN)
    wider = simkit_run().document
    assert (wider["cells"], wider["games"], wider["played"]) == (6, 360, 180)
    assert {name: said for name, said in snapshot(RUN).items() if name in before} == before
    assert wider["results_digest"] == fresh_digest()


def test_a_narrower_experiment_shows_what_it_asks_for(beacon: Path) -> None:
    """Cells no longer asked for stay on the disk, and are no part of the run; asked for again, they are there."""
    whole, before = simkit_run().document, snapshot(RUN)
    narrow = simkit_run("--set", "players=3").document
    assert (narrow["cells"], narrow["games"], narrow["played"]) == (3, 180, 0)
    assert snapshot(RUN) == before
    held = Run.open(RUN)
    assert [cell.players for cell in held.cells] == [3, 3, 3]
    for frame in (held.games(), held.seats(), held.tallies("defence")):
        assert set(frame["cell"]) == {cell.id for cell in held.cells}
    assert len(held.games()) == 180
    assert narrow["results_digest"] == held.results_digest == fresh_digest("--set", "players=3")
    again = simkit_run().document
    assert (again["played"], again["results_digest"]) == (0, whole["results_digest"])


def test_overlapping_experiments(beacon: Path) -> None:
    """Some cells go, some stay, some come, and all have more games."""
    simkit_run("--set", 'strategies=["watchful", "plain"]')
    other = ("--set", 'strategies=["plain", "thrifty"]', "--games", "70")
    moved = simkit_run(*other).document
    assert (moved["cells"], moved["games"], moved["played"]) == (4, 4 * 70, 2 * 70 + 2 * 10)
    assert moved["results_digest"] == fresh_digest(*other)
    assert set(Run.open(RUN).games()["cell"]) == {cell.id for cell in Run.open(RUN).cells}


def test_cells_left_out_and_changed_since_are_not_used(beacon: Path) -> None:
    """A cell that lies there from long ago must not come back as it was."""
    simkit_run()
    simkit_run("--set", 'strategies=["plain"]')
    edit(beacon / "strategies" / "beacon" / "watchful.py", "fear: int = 2", "fear: int = 1")
    assert simkit_run().is_refusal("watchful.py")
    assert simkit_run("--fresh").document["results_digest"] == fresh_digest()


def test_order_of_the_experiment_does_not_matter(beacon: Path) -> None:
    first = simkit_run().document
    turned = simkit_run("--set", 'strategies=["plain", "thrifty", "watchful"]', "--set", "players=[3, 2]").document
    assert (turned["played"], turned["results_digest"]) == (0, first["results_digest"])


# -------------------------------------------------------------------------------------------------------------- refusal


def in_strategy(base: Path, name: str, old: str, new: str) -> None:
    """Edit a strategy's file."""
    edit(base / "strategies" / "beacon" / name, old, new)


CHANGES: dict[str, tuple[Callable[[Path], object], tuple[str, ...], tuple[str, ...], int]] = {
    "seed": (lambda base: None, ("--seed", "32"), ("seed",), 6),
    "seed in the file": (
        lambda base: edit(base / "experiments" / "trial.toml", "seed = 31", "seed = 5"),
        (),
        ("seed",),
        6,
    ),
    "a strategy's file": (
        lambda base: in_strategy(base, "plain.py", "view.coin(3)", "view.coin(4)"),
        (),
        ("file plain.py of strategy plain",),
        2,
    ),
    "a comment in it": (
        lambda base: in_strategy(base, "plain.py", "import PerGame", "import PerGame  # mine"),
        (),
        ("file plain.py of strategy plain",),
        2,
    ),
    "a file that it imports": (
        lambda base: in_strategy(base, "watchful.py", "fear: int = 2", "fear: int = 1"),
        ("--set", 'strategies=["thrifty"]'),
        ("file watchful.py of strategy thrifty",),
        2,
    ),
    "the game's file": (
        lambda base: edit(base / "games" / "beacon" / "__init__.py", "n_beacons + 1, games", "n_beacons + 2, games"),
        (),
        ("file __init__.py of the game",),
        6,
    ),
    "a component's value": (
        lambda base: edit(base / "games" / "beacon" / "beacon.toml", "[oil]\nvalue = 1", "[oil]\nvalue = 2"),
        (),
        ("rules.oil",),
        6,
    ),
    "a strategy's parameter": (
        lambda base: None,
        ("--set", 'strategies=["watchful", { name = "thrifty", spare = 3, as = "thrifty" }, "plain"]'),
        ("strategy thrifty",),
        2,
    ),
    "another strategy of that label": (
        lambda base: None,
        ("--set", 'strategies=["watchful", { name = "random", as = "thrifty" }, "plain"]'),
        ("strategy thrifty",),
        2,
    ),
}


QUICK = ("seed", "a file that it imports")


@pytest.mark.parametrize(
    ("change", "words", "named", "n_changed"),
    [
        pytest.param(*values, id=name, marks=() if name in QUICK else pytest.mark.slow)
        for name, values in CHANGES.items()
    ],
)
def test_a_changed_cell_is_refused_by_name_and_replaced_alone(
    beacon: Path, change: Callable[[Path], object], words: tuple[str, ...], named: tuple[str, ...], n_changed: int
) -> None:
    """Before anything is played; `--fresh` replaces the cells that differ, and keeps the others as they are."""
    first = simkit_run().document
    before, labels = snapshot(RUN), {cell: entry["labels"] for cell, entry in manifest(RUN)["cells"].items()}
    change(beacon)
    refused = simkit_run(*words)
    assert refused.is_refusal(*named, "--fresh")
    cells = [cell for cell in labels if cell in refused.stderr]
    assert cells, refused.stderr
    assert any(label in refused.stderr for cell in cells for label in labels[cell])
    assert snapshot(RUN) == before
    assert Run.open(RUN).results_digest == first["results_digest"]
    fresh = simkit_run(*words, "--fresh").document
    assert fresh["played"] == n_changed * 60
    assert fresh["results_digest"] == fresh_digest(*words)
    kept = {name: said for name, said in snapshot(RUN).items() if before.get(name) == said}
    assert len({place(name)[0] for name in kept}) == 6 - n_changed
    assert simkit_run(*words).document["already_played"] is True


def test_a_refusal_comes_before_any_play(beacon: Path) -> None:
    """Not even the cells that could be played are."""
    simkit_run("--set", 'strategies=["plain"]')
    before = snapshot(RUN)
    in_strategy(beacon, "plain.py", "view.coin(3)", "view.coin(4)")
    assert simkit_run("--set", 'strategies=["watchful", "plain"]').is_refusal("plain.py")
    assert snapshot(RUN) == before


def test_an_edited_strategy_replays_its_own_cells_only(beacon: Path) -> None:
    """`thrifty` imports the file of `watchful`; `plain` has nothing to do with it."""
    simkit_run()
    kept, dropped = parts_of(cells_with("plain")), parts_of(cells_with("thrifty"))
    in_strategy(beacon, "watchful.py", "fear: int = 2", "fear: int = 1")
    fresh = simkit_run("--fresh").document
    assert fresh["played"] == 4 * 60
    assert parts_of(cells_with("plain")) == kept
    assert all(dropped[name] != said for name, said in parts_of(cells_with("thrifty")).items())
    assert fresh["results_digest"] == fresh_digest()


def test_fresh_with_more_games(beacon: Path) -> None:
    """Changed cells are played from the first deal, the others go on."""
    simkit_run()
    before = snapshot(RUN)
    in_strategy(beacon, "plain.py", "view.coin(3)", "view.coin(4)")
    fresh = simkit_run("--fresh", "--games", "90").document
    assert fresh["played"] == 2 * 90 + 4 * 30
    assert fresh["results_digest"] == fresh_digest("--games", "90")
    kept = {name: said for name, said in before.items() if place(name)[0] not in cells_with("plain")}
    assert {name: said for name, said in snapshot(RUN).items() if name in kept} == kept


def test_a_change_and_back_is_no_change(beacon: Path) -> None:
    first = simkit_run().document
    in_strategy(beacon, "plain.py", "view.coin(3)", "view.coin(4)")
    assert simkit_run().is_refusal()
    in_strategy(beacon, "plain.py", "view.coin(4)", "view.coin(3)")
    again = simkit_run().document
    assert (again["played"], again["results_digest"]) == (0, first["results_digest"])


@pytest.mark.parametrize(
    "change",
    [
        lambda base: edit(base / "experiments" / "trial.toml", "Who keeps", "Who holds"),
        lambda base: in_strategy(base, "thrifty.py", "import Watchful", "import Watchful  # kept"),
        lambda base: (base / "strategies" / "beacon" / "new.py").write_text("x = 1\n"),
        lambda base: edit(base / "games" / "beacon" / "beacon.toml", "oil that each", "the oil that each"),
    ],
    ids=["question", "a strategy of other cells", "a file that nobody uses", "a component's meaning"],
)
def test_what_changes_no_row_changes_nothing(beacon: Path, change: Callable[[Path], object]) -> None:
    words = ("--set", 'strategies=["watchful", "plain"]')
    first, before = simkit_run(*words).document, snapshot(RUN)
    change(beacon)
    again = simkit_run(*words).document
    assert (again["played"], again["results_digest"]) == (0, first["results_digest"])
    assert snapshot(RUN) == before


def test_another_experiment_of_that_name_adds_its_cells_only(beacon: Path) -> None:
    """A rule set in the experiment is part of a cell's key: another cell, not a changed one."""
    simkit_run()
    before = snapshot(RUN)
    words = ("--set", "rules.oil=3")
    other: Said = simkit_run(*words)
    assert (other.document["games"], other.document["played"]) == (360, 360)
    assert {name: said for name, said in snapshot(RUN).items() if name in before} == before
    assert other.document["results_digest"] == fresh_digest(*words)
    assert all(cell.rules["oil"] == 3 for cell in Run.open(RUN).cells)


def test_digests_tell_runs_apart(beacon: Path) -> None:
    """The control: what is compared above is not the same for all runs."""
    few = ("--games", "8")
    changes = [(), ("--seed", "1"), ("--games", "9"), ("--set", "rules.oil=2"), ("--set", "players=2")]
    runs = [simkit_run(*few, *words, "--runs", f"r{number}") for number, words in enumerate(changes)]
    in_strategy(beacon, "plain.py", "view.coin(3)", "view.coin(4)")
    runs.append(simkit_run(*few, "--runs", "c"))
    found = [said.document["results_digest"] for said in runs]
    assert len(set(found)) == len(found)
