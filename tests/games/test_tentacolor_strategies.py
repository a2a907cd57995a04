"""Tentacolor's strategies: what they do where the right answer is plain, and that each beats random play."""

from __future__ import annotations

import doctest
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.catalog import load_strategy
from simkit.errors import UserError
from simkit.experiment import StrategySpec
from simkit.games.tentacolor import GAME
from simkit.results import WIN
from simkit.strategy import Random, Strategy
from simkit.view import View
from tests.games.tentacolor_position import Position, card
from tests.games.tentacolor_replay import rules_with

SCRIPTED = ("longest-run", "spiteful", "blocker", "shark-hunter", "flexible", "objective")
MINDFUL = SCRIPTED[1:]


def made(name: str, **parameters: Any) -> Strategy:
    """A library strategy."""
    return load_strategy(StrategySpec.model_validate({"name": name, **parameters}), GAME.id, Path(__file__).parent)


def option(
    strategy: Strategy, tentacles: list[str], decision: str, cards: str = "", seen: str = "", **position: Any
) -> int:
    """The option that seat 0 takes in a position laid out by hand; cards as in "YG, OB shark"."""
    table = Position(tentacles, ["YG", "YG"], [], **position).table
    for name in seen.split(", ") if seen else ():
        table.state.seen += table.rules.seen_units.take(card(name))
    offer = {"cards": np.array([[card(name)] for name in cards.split(", ")], np.uint8)} if cards else {}
    return int(strategy.choose(GAME.view(table, decision, 0, None, None, **offer))[0])


# ------------------------------------------------------------------------------------------------- where it is plain


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_run_longer_than_a_byte_s_worth_is_still_extended(name: str) -> None:
    """Expert and long goals: the scores of 20 cards and more do not wrap around."""
    tentacle = ", ".join(["YG", "YO"] * 9)
    assert option(made(name), [tentacle, "", ""], "place", "GB, YB, GR", rules={"run": 20}) == 1
    expert = {"rules": {"expert": True}, "objectives": ["GOR", "YBR", "GYB"]}
    if name != "objective":
        assert option(made(name), [tentacle, "", ""], "place", "GB, YB, GR", **expert) == 1


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize("decision", ["place", "rare"])
def test_it_completes_its_run(name: str, decision: str) -> None:
    own = "YG, YO, YB, YR"
    for place, cards in enumerate(("YG, RB, RO shark", "RB, YG, RG rare", "RB shark, RO, YG")):
        assert option(made(name), [own, "GB, GO, GR, GY", "GB"], decision, cards) == place


@pytest.mark.parametrize("name", MINDFUL)
def test_it_does_not_pass_the_card_that_wins(name: str) -> None:
    tentacles = ["GB", "YG, YO, YB, YR", "GB"]
    assert option(made(name), tentacles, "give", "YG, GB") == 1
    assert option(made(name), tentacles, "give", "GB, YG") == 0


@pytest.mark.parametrize("name", MINDFUL)
def test_with_two_players_six_are_needed(name: str) -> None:
    """The sixth yellow card is placed, and not passed."""
    assert option(made(name), ["YG, YO, YB, YR, YG", "GB"], "place", "RO, YB, BO") == 1
    assert option(made(name), ["GB", "YG, YO, YB, YR, YG"], "give", "YG, OB") == 1


@pytest.mark.parametrize("name", SCRIPTED)
def test_the_shark_bites_the_longest_run(name: str) -> None:
    assert option(made(name), ["", "YG", "GB, GO, GR", "OB, OR"], "shark") == 1
    assert option(made(name), ["", "YG, YB", "GB, GO", "OB, OR"], "shark") == 0


@pytest.mark.parametrize("name", ["blocker", "shark-hunter", "flexible", "objective"])
def test_a_shark_stops_a_rival_who_is_about_to_win(name: str) -> None:
    cards = "YB shark, OR, OG"
    assert option(made(name), ["OG, OB", "GB, GO, GR", "BR"], "place", cards) != 0
    assert option(made(name), ["OG, OB", "BR", "GB, GO, GR, GY"], "place", cards) == 0


def test_shark_hunter_keeps_sharks() -> None:
    hunter, patient = made("shark-hunter"), made("shark-hunter", close=0)
    assert option(hunter, ["YG, YO", "GB", "GB"], "place", "YB shark, YR, RB") == 1
    assert option(hunter, ["YG, YO", "GB", "GB"], "give", "OR shark, GB") == 1
    assert option(made("spiteful"), ["YG, YO", "GB", "GB"], "give", "OR shark, GB") == 0
    about_to_win = ["YG, YO", "GB", "GB, GO, GR, GY"]
    assert option(hunter, about_to_win, "place", "OB, YR, RB shark") == 2
    assert option(patient, about_to_win, "place", "OB, YR, RB shark") == 1


def test_shark_hunter_in_the_expert_variant_bites_when_the_run_is_complete() -> None:
    expert = {"rules": {"expert": True}, "objectives": ["GOR", "YBR", "GYB"]}
    hunter, cards = made("shark-hunter"), "OB, YR, RB shark"
    assert option(hunter, ["YG, YO", "GB", "GB, GO, GR, GY"], "place", cards, **expert) == 1
    assert option(hunter, ["YG, YO", "GB", "GB, GO, GR, GY, GB"], "place", cards, **expert) == 2


def test_spite_weighs_the_neighbour_against_oneself() -> None:
    """One card makes three for oneself, the other makes four for the neighbour."""
    tentacles = ["GB, GR", "YB, YO, YR", "BR"]
    for spite, passed in ((0.0, "YB"), (0.25, "YB"), (1.0, "GO"), (8.0, "GO")):
        for cards in ("GO, YB", "YB, GO"):
            assert cards.split(", ")[option(made("blocker", spite=spite), tentacles, "give", cards)] == passed


def test_flexible_places_the_card_that_another_can_follow() -> None:
    """All three make a run of two; only the green ones leave a card that makes it three."""
    tentacles, cards = ["YG", "", ""], "YO, GB, GR"
    assert option(made("flexible"), tentacles, "place", cards) == 1
    assert option(made("spiteful"), tentacles, "place", cards) == 0


def test_flexible_keeps_the_card_that_goes_on() -> None:
    tentacles = ["YG, YO", "RO", "GB"]
    assert option(made("flexible"), tentacles, "give", "YB, RB") == 1
    assert option(made("flexible"), tentacles, "give", "RB, YB") == 0
    assert option(made("spiteful"), tentacles, "give", "YB, RB") == 0


def test_flexible_prefers_the_colour_of_which_more_is_unseen() -> None:
    """Yellow and green go on alike, and red-orange can follow either."""
    tentacles, cards = ["YG", "", ""], "YR, GO, RO"
    assert option(made("flexible"), tentacles, "place", cards) == 0
    assert option(made("flexible"), tentacles, "place", cards, seen="YB, YB, YB, YB") == 1
    assert option(made("flexible", unseen=False), tentacles, "place", cards, seen="YB, YB, YB, YB") == 0


def test_flexible_places_a_rare_specimen_that_extends() -> None:
    for name in ("flexible", "objective"):
        assert option(made(name), ["YG, YO", "GB", "GB"], "place", "YB, YR rare, RB") == 1
        assert option(made(name), ["YG, YO", "GB", "GB"], "place", "YB, YR, RB rare") != 2


def test_objective_plays_for_its_own_colours() -> None:
    tentacles, cards = ["YO, YR", "GB", "GB"], "YB, OB, RG"
    expert = {"rules": {"expert": True}, "objectives": ["GOR", "YBR", "GYB"]}
    assert option(made("objective"), tentacles, "place", cards) == 0
    assert option(made("objective"), tentacles, "place", cards, **expert) == 2
    assert option(made("flexible"), tentacles, "place", cards, **expert) == 0


def test_longest_run_passes_either_card() -> None:
    class Count:
        n_second, n = 0, 0

        def noted(self, *event: Any) -> None:
            """Nothing to do."""

        def decided(self, table: Any, view: View, choice: np.ndarray) -> None:
            """How often the second card is passed."""
            if view.decision == "give":
                self.n_second += int(choice[view.asked].sum())
                self.n += int(view.asked.sum())

    count = Count()
    play(GAME, rules_with(), [made("longest-run")] * 3, 1, 0, 2000, observer=count)
    assert abs(count.n_second / count.n - 0.5) < 5 * 0.5 / math.sqrt(count.n)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("blocker", {"spite": -1.0}), ("blocker", {"spite": 99.0}), ("shark-hunter", {"close": -1})],
)
def test_parameters_that_make_no_sense_are_refused(name: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=next(iter(parameters))):
        made(name, **parameters)


# --------------------------------------------------------------------------------------------- column by column


class Permuted:
    """Watches play and puts each view to a strategy again: permuted and thinned."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.luck, self.n_views, self.different = strategy, np.random.default_rng(1), 0, 0

    def noted(self, *event: Any) -> None:
        """Nothing to do."""

    def decided(self, table: Any, view: View, choice: np.ndarray) -> None:
        """Compare with the choice that was made."""
        if self.strategy.name == "longest-run" and view.decision == "give":
            return  # a coin: it would be another throw
        asked = self.luck.permutation(view.asked.nonzero()[0])
        for columns in (asked, asked[: max(1, len(asked) // 3)]):
            if len(columns):
                again = self.strategy.choose(view.only(columns))
                self.different += np.count_nonzero(again != choice[columns])
                self.n_views += 1


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        pytest.param({"expert": True, "colours": 6}, marks=pytest.mark.slow),
        pytest.param({"rare_at_deck_out": "play-one", "rares": 20}, marks=pytest.mark.slow),
    ],
)
def test_games_are_played_column_by_column(name: str, changes: dict[str, Any]) -> None:
    rules, strategy = rules_with(**changes), made(name)
    permuted = Permuted(strategy)
    whole = play(GAME, rules, [strategy] * 3, 2, 0, 50, observer=permuted, width=1000)
    assert permuted.different == 0
    assert permuted.n_views > 50
    narrow = play(GAME, rules, [strategy] * 3, 2, 0, 50, width=7)
    for column, values in {**whole.games, **whole.seats}.items():
        assert np.array_equal(values, {**narrow.games, **narrow.seats}[column]), column


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize(
    "changes",
    [
        {"colours": 3, "run": 20, "run_two_players": 20, "cards": 45},
        {"colours": 4, "run": 2, "run_two_players": 2, "forced_match": True},
        {"colours": 6, "cards": 90, "deck_out": "reshuffle", "expert": True, "sharks": 40, "max_rounds": 60},
    ],
)
def test_odd_rules_are_played_to_the_end(name: str, changes: dict[str, Any]) -> None:
    for players in (2, 3, 4):
        results = play(GAME, rules_with(**changes), [made(name)] * players, 3, 0, 50)
        assert results.games["n_turns"].min() >= 1


# ------------------------------------------------------------------------------------------------- against random


def lead_over_fair(strategy: Strategy, players: int, n: int, **changes: Any) -> tuple[float, float]:
    """Points of win share above fair of one such strategy among random ones, and the 95 % half-width.

    A deal's share is the mean over the rotations, which are played on the same deals; deals are independent.
    """
    share = np.zeros(n)
    for seat in range(players):
        line_up = [Random()] * players
        line_up[seat] = strategy
        results = play(GAME, rules_with(**changes), line_up, 20261130, 0, n)
        share += results.seats["win"][seat] / WIN / players
    return 100 * (share.mean() - 1 / players), 196 * share.std(ddof=1) / math.sqrt(n)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", SCRIPTED)
def test_it_beats_random_play_by_five_points(name: str, players: int) -> None:
    lead, half_width = lead_over_fair(made(name), players, 1500, expert=name == "objective")
    assert lead - half_width > 5


def test_random_play_does_not_beat_itself() -> None:
    """Negative control."""
    lead, half_width = lead_over_fair(Random(), 3, 1500)
    assert abs(lead) < half_width + 1
    assert lead - half_width < 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_flexible_beats_spiteful(players: int) -> None:
    """The top of the ladder in docs/strategies-tentacolor.md, and under Expert `objective`."""
    for top, changes in (("flexible", {}), ("objective", {"expert": True})):
        share = np.zeros(1500)
        for seat in range(players):
            line_up = [made("spiteful")] * players
            line_up[seat] = made(top)
            share += play(GAME, rules_with(**changes), line_up, 7, 0, 1500).seats["win"][seat] / WIN / players
        assert share.mean() - 1 / players > 5 * share.std(ddof=1) / math.sqrt(1500)


def test_examples_in_docstrings_are_true() -> None:
    package = type(made("flexible")).__module__.rpartition(".")[0]
    result = doctest.testmod(sys.modules[f"{package}.prospects"])
    assert result.attempted >= 3
    assert result.failed == 0
