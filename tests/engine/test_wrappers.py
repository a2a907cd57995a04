"""`mixture`, `epsilon` and `never` do to a strategy what they say, alone and wrapped in each other.

Shares are counted on a fixed seed against binomial bounds at an error rate of one in a million each.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from simkit.errors import StrategyError, UserError
from simkit.strategy import Epsilon, Mixture, Never, Random, Strategy

from .test_ask import masks
from .tiny import Offered, OfferedByCoin, always, best_by_hand, table_of

N = 40_000
NORTH, EAST, SOUTH, WEST = range(4)


def is_plausible(count: int, n: int, p: float) -> bool:
    low, high = stats.binom(n, p).interval(1 - 1e-6)
    return bool(low <= count <= high)


def shares_are_plausible(choice: np.ndarray, shares: dict[int, float]) -> bool:
    counts = np.bincount(choice, minlength=4)
    return all(is_plausible(int(counts[option]), len(choice), shares.get(option, 0.0)) for option in range(4))


# -------------------------------------------------------------------------------------------------------------- mixture


@pytest.mark.parametrize(
    ("weights", "shares"),
    [
        ((), {NORTH: 1 / 3, EAST: 1 / 3, WEST: 1 / 3}),
        ((1, 2, 5), {NORTH: 1 / 8, EAST: 2 / 8, WEST: 5 / 8}),
        ((0.3, 0, 0), {NORTH: 1}),
        ((0, 0, 7), {WEST: 1}),
        ((0, 1, 1), {EAST: 0.5, WEST: 0.5}),
        ((1e-3, 1e3, 1e-3), {NORTH: 1e-6, EAST: 1 - 2e-6, WEST: 1e-6}),
    ],
)
def test_mixture_picks_by_weight(weights, shares):
    mixture = Mixture((always(NORTH), always(EAST), always(WEST)), weights)
    assert shares_are_plausible(table_of(mixture, n=N).ask("pick", 0), shares)


def test_mixture_keeps_its_pick_throughout_a_game():
    """Whatever is asked, of however many games, and with games dropped in between."""
    table = table_of(Strategy(), Mixture((always(EAST), always(WEST))), n=200)
    picked = table.ask("pick", 1)
    assert set(picked.tolist()) == {EAST, WEST}
    some = np.array([150, 3, 77])
    assert table.ask("pick_again", 1, games=some).tolist() == picked[some].tolist()
    assert table.ask("pick_last", np.ones(200, np.uint8)).tolist() == picked.tolist()
    kept = np.arange(1, 200, 2)
    table.take(kept)
    assert table.ask("pick", 1).tolist() == picked[kept].tolist()


def test_mixture_picks_anew_for_every_game_and_seat():
    """Two seats' picks, and two neighbouring games', agree as often as two coins do."""
    mixture = Mixture((always(EAST), always(WEST)))
    table = table_of(mixture, mixture, n=N)
    first, second = table.ask("pick", 0), table.ask("pick", 1)
    assert is_plausible(int(np.count_nonzero(first == second)), N, 0.5)
    assert is_plausible(int(np.count_nonzero(first[::2] == first[1::2])), N // 2, 0.5)


def test_mixture_takes_no_luck_from_its_members():
    class ByCoin(Strategy):
        ties = "coin"

        def pick(self, view):
            return np.zeros((4, view.n), np.uint8)

    alone, mixed = table_of(ByCoin(), n=50), table_of(Mixture((ByCoin(), ByCoin())), n=50)
    for _ in range(3):
        assert mixed.ask("pick", 0).tolist() == alone.ask("pick", 0).tolist()


@pytest.mark.parametrize(
    "between",
    [lambda s: s, lambda s: Never(s, {"pick": ("south",)}), lambda s: Epsilon(s, 0.0)],
    ids=["directly", "in never", "in epsilon"],
)
def test_mixture_in_a_mixture_picks_on_its_own(between):
    nested = Mixture((between(Mixture((always(NORTH), always(EAST)))), always(WEST)))
    table = table_of(nested, n=N)
    choice = table.ask("pick", 0)
    assert shares_are_plausible(choice, {NORTH: 0.25, EAST: 0.25, WEST: 0.5})
    assert table.ask("pick", 0, games=np.arange(100)).tolist() == choice[:100].tolist()


@pytest.mark.parametrize("weights", [(1,), (1, 2, 3), (-1, 2), (0, 0), (1, float("inf")), (float("nan"), 1)])
def test_mixture_refuses_weights_that_do_not_fit(weights):
    with pytest.raises(UserError, match="weights"):
        Mixture((Random(), Strategy()), weights)


def test_mixture_refuses_to_be_of_nothing():
    with pytest.raises(UserError, match="mixture"):
        Mixture(())


# -------------------------------------------------------------------------------------------------------------- epsilon


@pytest.mark.parametrize("p", [0.0, 0.1, 0.75, 1.0])
def test_epsilon_plays_any_option_now_and_then(p):
    """A slip may be what the strategy would have played anyway."""
    choice = table_of(Epsilon(always(SOUTH), p), n=N).ask("pick", 0)
    slip = p / 4
    assert shares_are_plausible(choice, {NORTH: slip, EAST: slip, WEST: slip, SOUTH: 1 - 3 * slip})


def test_epsilon_slips_among_legal_options_only():
    legal = np.tile(np.array([[True], [False], [True], [True]]), N)
    choice = table_of(Epsilon(always(SOUTH), 0.3), n=N).ask("pick", 0, legal=legal)
    assert shares_are_plausible(choice, {NORTH: 0.1, WEST: 0.1, SOUTH: 0.8})


def test_epsilon_slips_anew_at_every_decision():
    table = table_of(Epsilon(always(SOUTH), 0.5), n=N)
    first, second = (table.ask("pick", 0) != SOUTH for _ in range(2))
    assert is_plausible(int(np.count_nonzero(first & second)), N, (0.5 * 3 / 4) ** 2)


def test_epsilon_uses_no_luck_where_a_single_option_is_legal():
    forced, free = (table_of(Epsilon(OfferedByCoin(), 0.5), n=300) for _ in range(2))
    legal, equal = np.tile(np.array([[False], [True], [False], [False]]), 300), np.zeros((4, 300), np.uint8)
    for _ in range(3):
        assert set(forced.ask("pick", 0, legal=legal, scores=equal).tolist()) == {EAST}
    assert forced.ask("pick", 0, scores=equal).tolist() == free.ask("pick", 0, scores=equal).tolist()


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_epsilon_refuses_what_is_no_probability(p):
    with pytest.raises(UserError, match="epsilon"):
        Epsilon(Random(), p)


# ---------------------------------------------------------------------------------------------------------------- never


@given(hnp.arrays("uint8", (4, 5), elements=st.integers(0, 3)), masks(5), st.sets(st.integers(0, 3)))
def test_never_chooses_among_what_is_left_unless_nothing_is(scores, legal, barred):
    names = tuple(("north", "east", "south", "west")[option] for option in barred)
    never = Never(Offered(), {"pick": names})
    left = legal.copy()
    left[sorted(barred)] = False
    left = np.where(left.any(axis=0), left, legal)
    assert table_of(never).ask("pick", 0, legal=legal, scores=scores).tolist() == best_by_hand(scores, left)


def test_never_leaves_other_decisions_alone():
    never = Never(always(EAST), {"pick": ("east",)})
    table = table_of(never)
    assert table.ask("pick", 0).tolist() == [NORTH] * 5
    assert table.ask("pick_again", 0).tolist() == [EAST] * 5


def test_never_may_be_told_by_a_mask_of_the_view():
    """Games with an even number may not go east."""
    never = Never(always(EAST), mask=lambda view: np.array([[0], [1], [0], [0]], bool) & (view.numbers() % 2 == 0))
    table = table_of(never, n=6, over=[5])
    assert table.ask("pick", 0)[:5].tolist() == [NORTH, EAST, NORTH, EAST, NORTH]
    assert table.ask("pick", np.zeros(3, int), games=np.array([4, 1, 2])).tolist() == [NORTH, EAST, NORTH]


def test_never_spends_luck_only_on_what_is_left():
    """Two options less one barred is a single option."""
    legal = np.tile(np.array([[True], [True], [False], [False]]), 200)
    barred, free = table_of(Never(Random(), {"pick": ("north",)}), n=200), table_of(Random(), n=200)
    assert set(barred.ask("pick", 0, legal=legal).tolist()) == {EAST}
    assert barred.ask("pick_again", 0).tolist() == free.ask("pick_again", 0).tolist()


def test_never_names_an_option_that_does_not_exist():
    with pytest.raises(StrategyError, match=r"(?s)pick.*north, east, south, west.*up"):
        table_of(Never(Random(), {"pick": ("up",)})).ask("pick", 0)


# ---------------------------------------------------------------------------------------------------------- composition


def test_epsilon_of_never_slips_to_what_is_barred_and_never_of_epsilon_does_not():
    barred = {"pick": ("west",)}
    slips = Epsilon(Never(Random(), barred), 1.0)
    assert shares_are_plausible(table_of(slips, n=N).ask("pick", 0), dict.fromkeys(range(4), 0.25))
    kept = Never(Epsilon(always(WEST), 0.3), barred)
    assert shares_are_plausible(table_of(kept, n=N).ask("pick", 0), {NORTH: 0.8, EAST: 0.1, SOUTH: 0.1})


def test_mixture_of_wrappers():
    members = (Never(always(WEST), {"pick": ("west",)}), Epsilon(always(SOUTH), 0.4))
    choice = table_of(Mixture(members, (1, 3)), n=N).ask("pick", 0)
    slip = 0.75 * 0.1
    expected = {NORTH: 0.25 + slip, EAST: slip, WEST: slip, SOUTH: 0.75 - 3 * slip}
    assert shares_are_plausible(choice, expected)


@given(masks(12), st.data())
def test_wrapped_strategies_play_a_game_alike_whatever_it_is_asked_beside(legal, data):
    """The whole batch at once, or in parts of a seat each: the same choice in every game."""

    def wrapped() -> Strategy:
        inner = Mixture((Random(), Never(OfferedByCoin(), {"pick": ("south",)})), (2, 3))
        return Never(Epsilon(inner, 0.5), {"pick": ("north",)})

    scores = data.draw(hnp.arrays("int8", (4, 12), elements=st.integers(-1, 1)))
    order = np.array(data.draw(st.permutations(range(12))))
    at = data.draw(st.integers(1, 11))
    whole = table_of(wrapped(), n=12).ask("pick", 0, legal=legal, scores=scores)
    table = table_of(wrapped(), n=12)
    for part in (order[:at], order[at:]):
        choice = table.ask("pick", 0, games=part, legal=legal[:, part], scores=scores[:, part])
        assert choice.tolist() == whole[part].tolist()
