"""Solo Game Mode: one player holds two characters; set-up, and play with one strategy, are those of two players."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import simkit
from simkit.games.tiny_epic_cthulhu import GAME


@pytest.mark.parametrize("strategy", ["random", "balanced"])
def test_solo_is_a_table_of_two_who_play_alike(tmp_path: Path, strategy: str) -> None:
    asked = {"game": GAME.id, "players": [1, 2, 3], "games": 60, "seed": 5, "strategies": [strategy], "name": "solo"}
    run = simkit.run(asked, runs=tmp_path, jobs=1)
    cells = {cell.players: cell.id for cell in run.cells}
    solo, two, three = ((_rows(run.games(), cell), _rows(run.seats(), cell)) for cell in map(cells.get, (1, 2, 3)))
    for mine, theirs in zip(solo, two, strict=True):
        pd.testing.assert_frame_equal(mine, theirs)
    assert not solo[0].equals(three[0]), "a table of three meets other games"
    assert len(three[1]) == len(two[1]) / 2 * 3


def _rows(table: pd.DataFrame, cell: str) -> pd.DataFrame:
    """The rows of a cell, without its name."""
    return table[table["cell"] == cell].drop(columns="cell").reset_index(drop=True)
