"""A cooperative game from a user's own folder goes through plan and run, as Tentacolor does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simkit import runner
from simkit.batch import play
from simkit.catalog import find_game, list_games, list_strategies, load_strategy
from simkit.errors import UserError
from simkit.runner import run
from simkit.store import Run
from simkit.strategy import Never

from . import beacon_by_hand as by_hand
from .planned import BY_HAND, MIXED, SEED, TOY, planned

# ----------------------------------------------------------------------------------------------------------------- plan


def test_game_and_strategies_are_found_in_the_users_folder():
    assert ("beacon", str(TOY / "games" / "beacon.py")) in [(game.name, game.source) for game in list_games(TOY)]
    listed = {listing.name: listing for listing in list_strategies("beacon", TOY)}
    assert {"watchful", "thrifty", "plain", "random", "mixture", "epsilon", "never"} <= set(listed)
    assert listed["thrifty"].parameters == {"fear": 2, "spare": 1}


def test_cells_are_players_by_rules_by_keepers():
    plan = planned()
    assert len(plan.cells) == 2 * 2 * 4
    assert {(cell.players, cell.rules["wrecks"]) for cell in plan.cells} == {(2, 2), (2, 3), (3, 2), (3, 3)}
    assert all(cell.rotations == 1 and cell.n_deals == 80 and cell.rules["thick"] == 1 for cell in plan.cells)
    assert plan.games_total == 16 * 80


def test_keepers_of_several_kinds_change_places():
    plan = planned(**MIXED)
    assert [(cell.rotations, cell.n_deals) for cell in plan.cells] == [(3, 50)] * 4


@pytest.mark.parametrize("line_ups", ["round-robin", "free-for-all"])
def test_keepers_do_not_compete(line_ups):
    with pytest.raises(UserError, match="cooperative"):
        planned(line_ups=line_ups)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"players": 5}, "2, 3, 4"),
        ({"rules.wreck": 3}, "wrecks"),
        ({"rules.wrecks": 0}, "wrecks"),
        ({"strategies": ["watchfull"]}, "watchful"),
        ({"strategies": [{"name": "thrifty", "spar": 1}]}, "spare"),
        ({"strategies": [{"name": "never", "of": "plain", "options": {"defend": ["wait"]}}]}, "let it go out"),
    ],
    ids=str,
)
def test_mistakes_are_refused_in_the_toys_own_words(change, named):
    if "rules.wrecks" in change:
        change = change | {"sweep": {}}
    with pytest.raises(UserError, match=named):
        planned(**change)


# ------------------------------------------------------------------------------------------------------------------ run


def test_rows_are_those_of_the_games_by_hand(kept: Run):
    """Every row of four cells against the plain-Python game; all cells are in the tables."""
    games, seats = kept.games(), kept.seats()
    assert list(games.columns[3:]) == ["won", "n_turns", "end_cause", "n_wrecks", "n_squalls", "n_beacons"]
    assert list(seats.columns[3:]) == ["seat", "label", "n_held", "n_built", "oil"]
    assert (len(games), len(seats)) == (16 * 80, 8 * 80 * (2 + 3))
    for cell in kept.cells[::5]:
        values = kept.game.components.values_with(cell.rules)
        keepers = [BY_HAND[label] for label in cell.labels]
        played = [by_hand.Coast(SEED, deal, values, keepers) for deal in range(60)]
        rows = games[(games["cell"] == cell.id) & (games["deal"] < 60)].sort_values("deal")
        for name in ("won", "n_wrecks", "n_squalls", "n_beacons"):
            assert rows[name].tolist() == [getattr(game, name) for game in played]
        assert rows["end_cause"].tolist() == [game.end for game in played]
        assert list(rows["end_cause"].cat.categories) == list(kept.game.all_end_causes)
        rows = seats[(seats["cell"] == cell.id) & (seats["deal"] < 60)].sort_values(["deal", "seat"])
        assert rows["n_held"].tolist() == [n for game in played for n in game.n_held]
        assert rows["label"].tolist() == list(cell.labels) * 60


def test_cells_differ_as_their_rules_do(kept: Run):
    """A third wreck more or less is felt, so that a row in the wrong cell would be noticed."""
    lost = kept.games()[["cell", "end_cause", "n_wrecks"]].query("end_cause == 'wrecks'")
    fatal = {cell.id: cell.rules["wrecks"] for cell in kept.cells}
    assert {(fatal[row.cell], row.n_wrecks) for row in lost.itertuples()} == {(2, 2), (3, 3)}


def test_every_seat_is_labelled_with_who_sat_there(mixed: Run):
    """Rotations are played on the same deals; each is the game by hand of those keepers in those seats."""
    seats = mixed.seats()
    cell = mixed.cells[0]
    values = mixed.game.components.values_with(cell.rules)
    for rotation in range(3):
        labels = [cell.labels[(seat + rotation) % 3] for seat in range(3)]
        rows = seats[(seats["cell"] == cell.id) & (seats["rotation"] == rotation) & (seats["deal"] < 40)]
        rows = rows.sort_values(["deal", "seat"])
        played = [by_hand.Coast(SEED, deal, values, [BY_HAND[label] for label in labels]) for deal in range(40)]
        assert rows["label"].tolist() == labels * 40
        assert rows["oil"].tolist() == [oil for game in played for oil in game.oil]


def test_tallies_are_those_of_the_games_by_hand(kept: Run):
    cell = kept.cells[5]
    values = kept.game.components.values_with(cell.rules)
    played = [by_hand.Coast(SEED, deal, values, [BY_HAND[label] for label in cell.labels]) for deal in range(80)]
    expected: Counter = Counter()
    for game in played:
        for (name, *keys), count in game.tally.items():
            if name == "defence":
                expected[(*keys, game.deal % 64)] += count
    table = kept.tallies("defence", [cell.id])
    found = {(row.seat, row.held, row.group): row.count for row in table.itertuples(index=False)}
    assert found == expected
    assert kept.tallies("weather")["count"].sum() > 0
    assert set(kept.tallies("weather")["met"].cat.categories) == {"fog", "thick fog", "held beacon", "lost beacon"}


@pytest.mark.parametrize(("jobs", "chunk_deals"), [(1, 37), (2, 50)])
def test_results_do_not_depend_on_jobs_and_chunks(kept: Run, tmp_path, monkeypatch, jobs, chunk_deals):
    """Workers find the user's game by its folder: nothing of it is pickled."""
    monkeypatch.setattr(runner, "SHORT", 0)
    summary = run(planned(chunk_deals), tmp_path / "again", jobs=jobs)
    again = Run.open(tmp_path / "again")
    assert summary.results_digest == kept.results_digest
    keys = ["cell", "rotation", "deal"]
    mine, other = (each.games().sort_values(keys, ignore_index=True) for each in (again, kept))
    pd.testing.assert_frame_equal(mine, other)


def test_workers_write_where_they_are_told_to(tmp_path, monkeypatch):
    """Two runs in one process, as in a notebook that changes folders between them: workers live on."""
    monkeypatch.setattr(runner, "SHORT", 0)
    small = {"players": 2, "games": 20, "sweep": {}, "strategies": ["watchful", "random"]}
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        run(planned(**small), Path("runs"), jobs=2)


def test_columns_are_read_by_cell(mixed: Run):
    cell = mixed.cells[1]
    won, held = mixed.column("games", "won", cell.id), mixed.column("seats", "n_held", cell.id)
    assert (won.shape, held.shape) == ((3, 50), (3, 3, 50))
    rows = mixed.games(["won"], [cell.id])["won"].to_numpy()
    assert np.count_nonzero(won) == np.count_nonzero(rows)


def test_what_is_the_users_own_is_kept_with_the_run(kept: Run):
    assert set(kept.manifest["sources"]) == {"game beacon", "strategy watchful", "strategy thrifty", "strategy plain"}
    texts = {Path(path).name: text for path, text in kept.manifest["source_texts"].items()}
    for name in ("watchful.py", "thrifty.py", "plain.py"):
        assert texts[name] == (TOY / "strategies" / "beacon" / name).read_text()


def test_the_users_own_game_is_kept_with_the_run(kept: Run):
    texts = {Path(path).name: text for path, text in kept.manifest["source_texts"].items()}
    assert texts["beacon.py"] == (TOY / "games" / "beacon.py").read_text()


def test_wrapped_keepers_play_as_the_engine_plays_them(tmp_path):
    never = {"name": "never", "of": "watchful", "options": {"work": ["build a beacon"]}, "as": "dark"}
    run(planned(players=2, games=50, strategies=[never]), tmp_path / "dark", jobs=1)
    found = Run.open(tmp_path / "dark")
    game, spec = find_game("beacon", TOY), found.experiment.strategies[0].of[0]
    dark = Never(load_strategy(spec, "beacon", TOY), {"work": ("build a beacon",)})
    for cell in found.cells:
        results = play(game, game.rules(**game.components.values_with(cell.rules)), [dark] * 2, SEED, 0, 50)
        assert found.column("games", "n_turns", cell.id)[0].tolist() == results.games["n_turns"].tolist()
    assert not found.games()["n_beacons"].any()
