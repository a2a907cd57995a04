"""From experiments to cells and chunks."""

from __future__ import annotations

import re
from itertools import product

import pytest

from simkit.catalog import find_experiment
from simkit.errors import UserError
from simkit.experiment import Experiment, load
from simkit.plan import Span, base_of, make_chunks, make_plan, named_from
from simkit.planning.line_ups import count_necklaces, count_round_robin, necklaces, round_robin, smallest_shift

MINE = """
from dataclasses import dataclass
import numpy as np
from simkit.strategy import Strategy


@dataclass(frozen=True)
class Mine(Strategy):
    "Mine."
    nerve: float = 0.5

    def place(self, view):
        return np.zeros((len(view.options), view.n), np.uint8)


@dataclass(frozen=True)
class Random(Strategy):
    "Another random."
"""


def plan(**fields):
    """The plan of an experiment in Python."""
    given = {"game": "tentacolor", "players": 3, "games": 100, "strategies": ["random"]} | fields
    return make_plan(Experiment.model_validate(given))


def line_ups(**fields):
    """The line-ups of a plan, an initial a seat."""
    return ["".join(entry.label[0] for entry in cell.line_up) for cell in plan(**fields).cells]


def named(*labels):
    """One-letter labels for as many random players."""
    return [{"name": "random", "as": label} for label in labels]


def test_mirror():
    assert line_ups(strategies=named("b", "a"), players=[2, 3]) == ["bb", "aa", "bbb", "aaa"]


def test_round_robin():
    names = named("a", "b", "c")
    assert line_ups(strategies=names, line_ups="round-robin", players=2) == ["aa", "bb", "cc", "ab", "ac", "bc"]
    four = line_ups(strategies=names[:2], line_ups="round-robin", players=4)
    assert four == ["aaaa", "bbbb", "abbb", "aaab"]


def test_free_for_all_keeps_cyclic_orders_apart():
    found = line_ups(strategies=named("c", "a", "b"), line_ups="free-for-all")
    assert {"abc", "acb"} <= set(found)
    assert sorted(found) == sorted({"".join(smallest_shift(order)) for order in product("abc", repeat=3)})


@pytest.mark.parametrize("n_labels", [1, 2, 3, 5])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_counts_of_line_ups_are_those_of_the_line_ups(n_labels, seats):
    labels = "abcde"[:n_labels]
    assert count_necklaces(n_labels, seats) == len(list(necklaces(labels, seats)))
    distinct = {smallest_shift(order) for order in round_robin(labels, seats)}
    assert count_round_robin(n_labels, seats) == len(distinct)


def test_listed_line_ups():
    listed = [["b", "a", {"name": "random", "as": "c"}], ["random", "a", "a"]]
    assert line_ups(strategies=named("a", "b"), line_ups=listed) == ["acb", "aar"]
    both = [["a", "a"], ["a", "b", "b"]]
    assert line_ups(strategies=named("a", "b"), line_ups=both, players=[2, 3]) == ["aa", "abb"]
    with pytest.raises(UserError, match="found none for 2"):
        line_ups(strategies=named("a", "b"), line_ups=both[1:], players=[2, 3])


def test_rotations_share_the_games():
    cells = plan(strategies=named("a", "b"), line_ups="round-robin", players=[2, 3], games=100).cells
    assert [(cell.rotations, cell.n_deals) for cell in cells] == [(1, 100), (1, 100), (2, 50)] + [(1, 100)] * 2 + [
        (3, 34)
    ] * 2
    alternating = plan(strategies=named("a", "b"), line_ups=[["a", "b", "a", "b"]], players=4).cells
    assert alternating[0].rotations == 2


def test_seating_moves_everyone_by_a_seat():
    cell = plan(strategies=named("a", "b", "c"), line_ups=[["a", "b", "c"]]).cells[0]
    seatings = ["".join(entry.label for entry in cell.seating(rotation)) for rotation in range(3)]
    assert seatings == ["abc", "bca", "cab"]


def test_the_grid():
    cells = plan(
        players=[2, 3], rules={"rares": 0}, sweep={"rules.sharks": [2, 4], "rules.expert": [False, True]}
    ).cells
    assert [(c.players, c.rules["sharks"], c.rules["expert"]) for c in cells] == list(
        product([2, 3], [2, 4], [False, True])
    )
    assert all(cell.key["rules"] == cell.rules and cell.rules["rares"] == 0 for cell in cells)


def test_rules_set_together():
    cells = plan(sweep={"rules.sharks, rules.rares": [[2, 3], [4, 5]], "rules.expert": [True]}).cells
    wanted = [{"sharks": 2, "rares": 3, "expert": True}, {"sharks": 4, "rares": 5, "expert": True}]
    assert [cell.rules for cell in cells] == wanted


def test_swept_parameters_make_cells_only_where_they_play():
    swept = "strategies.wild.p"
    names = ["random", {"name": "epsilon", "of": "random", "as": "wild"}]
    cells = plan(strategies=names, players=2, line_ups="round-robin", sweep={swept: [0.1, 0.2]}).cells
    found = [("".join(e.label[0] for e in cell.line_up), cell.key["swept"]) for cell in cells]
    low, high = {swept: 0.1}, {swept: 0.2}
    assert found == [("rr", {}), ("ww", low), ("rw", low), ("ww", high), ("rw", high)]
    assert [entry.spec.parameters for entry in cells[2].line_up] == [{}, {"p": 0.1}]


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("strategies.wild.of", "a parameter that 'wild' does not set"),
        ("strategies.wild.q", "unknown parameter `q`"),
        ("strategies.tame.p", "unknown label `tame`"),
    ],
)
def test_what_cannot_be_swept(key, problem):
    with pytest.raises(UserError, match=re.escape(problem)):
        plan(strategies=[{"name": "epsilon", "of": "random", "as": "wild"}], sweep={key: [0.5]})


def test_a_label_may_hold_dots():
    cells = plan(
        strategies=[{"name": "mixture", "of": ["random"], "as": "a (0.5).x"}],
        sweep={"strategies.a (0.5).x.weights": [[1.0], [2.0]]},
    ).cells
    assert [cell.line_up[0].spec.parameters["weights"] for cell in cells] == [[1.0], [2.0]]


def test_ids_are_those_of_the_keys_alone():
    one, other = plan(seed=1, games=10), plan(seed=2, games=20, question="?", title="t", rules={})
    assert [cell.id for cell in one.cells] == [cell.id for cell in other.cells]
    assert all(re.fullmatch("[0-9a-f]{12}", cell.id) for cell in one.cells)
    many = plan(players=[2, 3, 4], sweep={"rules.sharks": [2, 4]}, strategies=named("a", "b"), line_ups="round-robin")
    assert len({cell.id for cell in many.cells}) == len(many.cells)


@pytest.mark.parametrize(
    ("change", "changes_rows"),
    [
        ({"seed": 5}, True),
        ({"rules": {"sharks": 6}}, True),
        ({"rules": {"sharks": 4}}, False),  # the value it has anyway
        ({"players": 2}, True),
        ({"strategies": [{"name": "epsilon", "of": "random"}]}, True),
        ({"strategies": named("other label")}, True),  # it stands in the rows of `seats`
        ({"stop": {"precision": 0.1}}, False),
        ({"games": 5}, False),
        ({"question": "?", "title": "t", "name": "n"}, False),
        ({"verdicts": {"seat_band": 0.5}}, False),
    ],
)
def test_digests_change_with_what_changes_rows(change, changes_rows):
    assert (plan().cells[0].digest != plan(**change).cells[0].digest) == changes_rows


def test_digests_and_sources_of_a_users_files(tmp_path):
    (tmp_path / "experiments").mkdir()
    path, file = tmp_path / "experiments" / "mine.toml", tmp_path / "experiments" / "mine.py"
    path.write_text('game="tentacolor"\nplayers=2\ngames=9\nstrategies=["mine.py:mine"]', encoding="utf-8")
    file.write_text(MINE, encoding="utf-8")
    first = make_plan(load(path), path)
    assert first.base == tmp_path
    assert first.cells[0].line_up[0].label == "mine"
    assert first.cells[0].line_up[0].spec.name == "experiments/mine.py:mine"
    assert first.sources == {"strategy mine": str(file)}
    file.write_text(MINE.replace("\n", "\r\n"), encoding="utf-8", newline="")
    assert make_plan(load(path), path).cells == first.cells  # line ends are not text
    file.write_text(MINE + "# changed", encoding="utf-8")
    assert make_plan(load(path), path).cells[0].digest != first.cells[0].digest


def test_strategies_from_a_file_become_known_by_name(tmp_path):
    file = tmp_path / "own.py"
    file.write_text(MINE, encoding="utf-8")
    given = {"game": "tentacolor", "players": 2, "games": 9, "strategies": ["mine", {"name": "epsilon", "of": "mine"}]}
    experiment = Experiment.model_validate(given | {"line_ups": [["mine", "epsilon(mine)"], ["mine", "random"]]})
    layout = make_plan(named_from(experiment, file))
    labels = [[entry.label for entry in cell.line_up] for cell in layout.cells]
    assert labels == [["epsilon(mine)", "mine"], ["mine", "random"]]
    assert set(layout.sources) == {"strategy mine", "strategy random"}


@pytest.mark.parametrize(("place", "base"), [("experiments/a.toml", "."), ("a.toml", "."), ("x/a.toml", "x")])
def test_names_are_looked_up_beside_the_experiment(tmp_path, place, base):
    assert base_of(tmp_path / place) == (tmp_path / base).resolve()


def spans(chunks, cell, rotation):
    """First deal and end of the chunks of one cell and rotation."""
    return [(c.first_deal, c.first_deal + c.n_deals) for c in chunks if (c.cell, c.rotation) == (cell, rotation)]


@pytest.mark.parametrize("games", [1, 7, 100_000, 3_000_000])
@pytest.mark.parametrize("chunk_deals", [None, 1000])
def test_chunks_cover_every_deal_once_and_in_order(games, chunk_deals):
    layout = make_plan(
        plan(strategies=named("a", "b"), line_ups="round-robin", games=games).experiment, None, chunk_deals
    )
    chunks = list(make_chunks(layout.spans(), chunk_deals))
    assert max(chunk.n_deals for chunk in chunks) <= (chunk_deals or 262_144)
    for number, cell in enumerate(layout.cells):
        for rotation in range(cell.rotations):
            found = spans(chunks, number, rotation)
            ends = [end for _, end in found]
            assert [first for first, _ in found] == [0, *ends[:-1]]
            assert ends[-1] == cell.n_deals
    assert layout.games_total == sum(cell.n_deals * cell.rotations for cell in layout.cells)


@pytest.mark.parametrize(
    ("name", "n_cells"),
    [
        ("quickstart", 6 + 9 + 9),
        ("tentacolor-first-seat", 3 * 2 * 2),
        ("tentacolor-strategies", 28 + 49 + 49),
        ("tentacolor-encounters", 1 + 3 * 4 + 4),
    ],
)
def test_the_experiments_that_come_with_simkit(name, n_cells):
    path = find_experiment(name)
    layout = make_plan(load(path), path)
    assert len(layout.cells) == n_cells
    assert layout.games_total >= 1_000_000
    assert layout.experiment.question.endswith("?")
    assert layout.sources == {}


def test_long_work_has_enough_chunks_for_two_workers():
    assert len(list(make_chunks(plan(games=1_000_000).spans()))) >= 8
    assert len(list(make_chunks(plan(games=1000).spans()))) == 1


def test_chunks_are_made_as_they_are_needed():
    """A million million games are many chunks."""
    chunks = make_chunks(plan(games=10**12).spans())
    assert [next(chunks).first_deal for _ in range(2)] == [0, 262_144]


def test_chunks_of_an_extension_start_after_what_is_held():
    spans = [Span(0, 0, 1000, 1000), Span(1, 0, 450, 1000)]
    chunks = make_chunks(spans, 300)
    assert [(c.cell, c.first_deal, c.n_deals) for c in chunks] == [(1, 450, 300), (1, 750, 250)]
