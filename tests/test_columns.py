"""docs/columns.md says what every column holds, and DataFrames hold it in the types that it says.

The page is made from the games' declarations: `python -m tests.test_columns` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import simkit
from simkit.catalog import LIBRARY, find_game, list_games
from simkit.game import Column, Game
from simkit.names import canonical
from simkit.results import games_columns, seats_columns

PAGE = Path(__file__).parent.parent / "docs" / "columns.md"
HEAD = """# The columns of a run's tables

`run.games()`, `run.seats()` and `run.tallies(name)` are pandas DataFrames; `run.games(["n_turns"])` reads these
columns only, and `cells=[...]` these cells only. The types below are those of the DataFrames. Whole numbers come in the
smallest type that holds them: sums and means are safe in pandas, but `a - b` of unsigned columns wraps below zero, so
write `a.astype(int) - b`. A `category` column has every value that the game declares, in the declared order, whether or
not it occurred: `observed=False` in `groupby` counts those that did not as 0. Nothing is ever missing.

This page is made from the games' declarations; `simkit games GAME` shows the same on a terminal.

## Keys

Every table has the first two, `games` and `seats` the third.

| column | type | unit | meaning |
|---|---|---|---|
| `cell` | category | | rules x players x line-up: an id that `run.cells` and the manifest explain |
| `rotation` | uint8 | | how many seats the line-up has been shifted: in seat s sits its strategy number s + rotation |
| `deal` | int64 | | all the luck of one table: the same in every cell and rotation |
| `seat` | uint8 | | in `seats`: place in turn order, 0 is whoever starts |
| `label` | category | | in `seats`: the strategy that sits there |
| `group` | uint8 | | in tallies: deal mod 64; the spread of the 64 groups gives any ratio its interval |
| `count` | int64 | | in tallies: how often; combinations that never occurred have no row |
"""


def shipped() -> list[Game]:
    """Every game that comes with simkit."""
    return [find_game(listing.name) for listing in list_games() if listing.source == LIBRARY]


def kind(column: Column) -> str:
    """The type that a column has in a DataFrame."""
    return "category" if column.labels else column.dtype


def rows(columns: Iterable[Column]) -> Iterator[str]:
    """A line for each column."""
    yield from ("| column | type | unit | meaning |", "|---|---|---|---|")
    for column in columns:
        labels = f": {', '.join(column.labels)}" if column.labels else ""
        yield f"| `{column.name}` | {kind(column)} | {column.unit} | {column.meaning}{labels} |"


def tallies_of(game: Game) -> Iterator[str]:
    """A line for each tally's key."""
    rules = game.rules(**game.components.values_with({}))
    seats = [game.seats_for(players) for players in game.players]
    for tally in game.tallies:
        yield from (f"### `tallies/{tally.name}`", "", f"{tally.meaning[:1].upper()}{tally.meaning[1:]}.", "")
        yield from ("| key | type | unit | values |", "|---|---|---|---|")
        for key in tally.keys:
            sizes = sorted({key.size_for(rules, n) for n in seats})
            values = ", ".join(key.labels) if key.labels else f"0 to {', or '.join(str(size - 1) for size in sizes)}"
            yield f"| `{key.name}` | {'category' if key.labels else 'uint16'} | {key.unit} | {values} |"
        yield ""


def page(games: Sequence[Game]) -> str:
    """The whole page."""
    lines = [HEAD]
    for game in games:
        kind_of_game = "cooperative" if game.cooperative else "rivals"
        lines += [f"## {game.title} (`{game.id}`, {kind_of_game})", ""]
        for table, columns in {"games": games_columns(game), "seats": seats_columns(game)}.items():
            lines += [f"### `{table}`", "", *rows(columns), ""]
        lines += tallies_of(game)
    return "\n".join(lines).rstrip() + "\n"


def documented(game: Game, heading: str) -> dict[str, str]:
    """Type by column as the page says it of one table of one game."""
    text = PAGE.read_text(encoding="utf-8").partition(f"(`{game.id}`")[2].partition("\n## ")[0]
    table = text.partition(f"### `{heading}`")[2].partition("\n### ")[0]
    return table_types(table)


def table_types(text: str) -> dict[str, str]:
    """Type by column of a Markdown table."""
    cells = [[cell.strip() for cell in line.split("|")[1:3]] for line in text.splitlines() if line.startswith("| `")]
    return {name.strip("`"): kind for name, kind in cells}


def types(frame: pd.DataFrame) -> dict[str, str]:
    """Type by column."""
    return {str(name): str(kind) for name, kind in frame.dtypes.items()}


def test_the_page_is_what_games_declare() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(shipped()), "write it anew: python -m tests.test_columns"


@pytest.fixture(scope="module", params=[game.id for game in shipped()])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> simkit.Run:
    """A few games of every player count, none of which comes to its end."""
    asked = {"game": request.param, "games": 40, "strategies": ["random"], "rules": {"max_rounds": 2}}
    return simkit.run(asked, runs=tmp_path_factory.mktemp("columns"), jobs=1)


def test_tables_have_the_types_that_the_page_says(run: simkit.Run) -> None:
    keys = table_types(HEAD)
    for table, frame in {"games": run.games(), "seats": run.seats()}.items():
        assert documented(run.game, table), table
        own = [*("cell", "rotation", "deal"), *(("seat", "label") if table == "seats" else ())]
        assert types(frame) == {key: keys[key] for key in own} | documented(run.game, table)
    for tally in run.game.tallies:
        own = {key: keys[key] for key in ("cell", "rotation", "group", "count")}
        assert types(run.tallies(tally.name)) == own | documented(run.game, f"tallies/{tally.name}")


def test_nothing_is_missing_and_enums_hold_every_value(run: simkit.Run) -> None:
    games, seats = run.games(), run.seats()
    assert not games.isna().any(axis=None)
    assert not seats.isna().any(axis=None)
    for table, frame in {"games": games, "seats": seats}.items():
        for column in games_columns(run.game) if table == "games" else seats_columns(run.game):
            if column.labels:
                assert tuple(frame[column.name].cat.categories) == column.labels
    assert list(games["cell"].cat.categories) == [cell.id for cell in run.cells]
    assert games["end_cause"].nunique() < len(run.game.all_end_causes), "some are told though they never occurred"


def test_a_wrong_page_is_seen(run: simkit.Run) -> None:
    """Negative control: a column left out, and one of another type."""
    said: dict[str, Any] = documented(run.game, "games")
    assert types(run.games()) != {"cell": "category", "rotation": "uint8", "deal": "int64"} | said | {
        "n_turns": "int64"
    }
    assert types(run.games(["n_turns"])) != said
    assert canonical(run.game.id) in page([run.game])


if __name__ == "__main__":
    PAGE.write_text(page(shipped()), encoding="utf-8")
