"""Witness 1: positions worked out from the rulebook's sentences and examples, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.games.tentacolor import GAME
from simkit.results import Results
from simkit.strategy import Random
from simkit.table import Table
from simkit.tape import Tape
from tests.games.tentacolor_position import Position, card
from tests.games.tentacolor_replay import rules_with

EMPTY = ["", "", ""]


# Setup


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_is_dealt_one_card_and_the_first_player_one_more(players: int) -> None:
    rules = rules_with()
    table = Table(
        GAME, rules, [Random()] * players, Tape(1), np.arange(5, dtype=np.uint64), Results(GAME, rules, players, 5)
    )
    GAME.setup(table)
    for told in GAME.describe(table, np.arange(5)):
        assert [len(hand) for hand in told["hands"]] == [2] + [1] * (players - 1)
        assert told["pile"] == 60 - players - 1


def test_the_box_has_sixty_cards_each_pair_equally_often_and_the_encounters_asked_for() -> None:
    for colours, copies in ((5, 6), (6, 4)):
        rules = rules_with(colours=colours)
        values, counts = np.unique(rules.pair_cards(), return_counts=True)
        assert len(values) == colours * (colours - 1) // 2
        assert set(counts) == {copies}
        assert np.bincount(rules.encounters()).tolist() == [48, 4, 4, 4]


def test_the_default_carriers_are_spread_evenly_over_the_pairs() -> None:
    at = [np.flatnonzero(rules_with().encounters() == kind).tolist() for kind in (1, 2, 3)]
    assert at == [[2, 17, 32, 47], [7, 22, 37, 52], [11, 26, 41, 56]]


# Extend the Tentacle


def test_yellow_orange_after_yellow_green_is_a_run_of_two_in_yellow() -> None:
    position = Position(["YG", "", ""], ["YO", "BR"], ["BR"], place=[0], give=[0]).play()
    assert position.runs(0) == {"Y": 2, "O": 1}


def test_a_new_series_may_share_a_colour_with_the_card_before() -> None:
    position = Position(["YG, YO", "", ""], ["BR", "OB"], ["BR"], place=[1], give=[0]).play()
    assert position.runs(0) == {"O": 2, "B": 1}


def test_a_card_that_shares_no_colour_starts_anew() -> None:
    position = Position(["YG, YO, YB", "", ""], ["GR", "GR"], ["GR"], place=[2], give=[0]).play()
    assert position.runs(0) == {"G": 1, "R": 1}


def test_two_cards_of_the_same_pair_run_in_both_colours() -> None:
    position = Position(["YO, YG", "", ""], ["YG", "BR"], ["BR"], place=[0], give=[0]).play()
    assert position.runs(0) == {"Y": 3, "G": 2}


def test_any_of_the_three_cards_may_be_placed_even_without_a_match() -> None:
    position = Position(["YG", "", ""], ["YO", "BR"], ["BR"], place=[1], give=[0]).play()
    assert position.player.legal["place"] == [True, True, True]


def test_forced_match_leaves_only_cards_that_share_a_colour_unless_there_is_none() -> None:
    forced = {"forced_match": True}
    position = Position(["YG", "", ""], ["YO", "BR"], ["GO"], rules=forced, place=[0], give=[0]).play()
    assert position.player.legal["place"] == [True, False, True]
    position = Position(["YG", "", ""], ["OB", "BR"], ["OR"], rules=forced, place=[0], give=[0]).play()
    assert position.player.legal["place"] == [True, True, True]
    position = Position(EMPTY, ["OB", "BR"], ["OR"], rules=forced, place=[0], give=[0]).play()
    assert position.player.legal["place"] == [True, True, True]


# Give a Card to Your Neighbour


@pytest.mark.parametrize(("give", "given", "kept"), [(0, "BR", "OB"), (1, "OB", "BR")])
def test_one_card_goes_to_the_left_and_one_is_kept(give: int, given: str, kept: str) -> None:
    # the card drawn takes the place of the one put on the tentacle
    position = Position(EMPTY, ["YO", "OB"], ["BR"], held=["GO", "GR"], place=[0], give=[give]).play()
    assert position.state.held[:, 0].tolist() == [card(kept), card("GO"), card("GR")]
    assert position.state.hand[:, 0].tolist() == [0, card(given), 0]
    assert position.state.hand_of == 1


# Encounter Cards


def test_the_shark_removes_the_last_card_of_the_opponent_chosen() -> None:
    position = Position(["", "YG, YO, YB", "GO"], ["BR", "OB shark"], ["BR"], place=[1], shark=[0], give=[0]).play()
    assert position.runs(1) == {"Y": 2, "O": 1}
    assert position.runs(2) == {"G": 1, "O": 1}
    assert position.boxed == 1


def test_sharks_bite_through_to_an_empty_tentacle_one_card_at_a_time() -> None:
    position = Position(["", "YG, BR", "GO"], ["BR", "OB shark"], ["BR"] * 3, place=[1], shark=[0], give=[0]).play()
    assert position.runs(1) == {"G": 1, "Y": 1}
    position = Position(["", "YG", "GO"], ["BR", "OB shark"], ["BR"], place=[1], shark=[0], give=[0]).play()
    assert position.runs(1) == {}


def test_a_bite_can_lengthen_a_run() -> None:
    position = Position(["", "YG, YO, BR", "GO"], ["BR", "OB shark"], ["BR"], place=[1], shark=[0], give=[0]).play()
    assert position.runs(1) == {"Y": 2, "O": 1}


def test_the_shark_needs_an_opponent_with_a_card() -> None:
    position = Position(["", "", "GO"], ["BR", "OB shark"], ["BR"], place=[1], shark=[1], give=[0]).play()
    assert position.player.legal["shark"] == [False, True]
    assert position.runs(2) == {}
    position = Position(["YG", "", ""], ["BR", "OB shark"], ["BR"], place=[1], give=[0]).play()
    assert "shark" not in position.player.legal
    assert position.boxed == 0


def test_the_school_makes_another_player_discard_and_draw() -> None:
    position = Position(
        EMPTY, ["BR", "OB school"], ["BR", "GY"], held=["GO", "GR"], place=[1], school=[1], give=[0]
    ).play()
    assert position.state.held[1:, 0].tolist() == [card("GO"), card("GY")]
    assert position.boxed == 1


def test_the_rare_specimen_draws_and_places_a_second_card() -> None:
    position = Position(["YG", "", ""], ["YB", "YO rare"], ["BR", "YR"], place=[1], rare=[2], give=[0]).play()
    assert position.runs(0) == {"Y": 3, "R": 1}  # yellow/green, yellow/orange, yellow/red
    assert position.state.hand[1, 0] == card("YB")
    assert position.state.held[0, 0] == card("BR")


def test_the_second_card_fires_its_own_encounter_and_may_be_rare_again() -> None:
    position = Position(
        ["", "YG, YO", ""],
        ["YB shark", "YO rare"],
        ["BR", "YR rare", "GO"],
        place=[1],
        rare=[2, 0],
        shark=[0],
        give=[0],
    ).play()
    assert position.runs(0) == {"Y": 3, "B": 1}
    assert position.runs(1) == {"G": 1, "Y": 1}
    assert position.state.n_rare[0] == 2


# End of the Game


def test_the_fifth_card_of_a_series_wins_at_once() -> None:
    position = Position(["OG, OY, OB, OR", "YG", ""], ["OR", "BR"], ["BR"], place=[0], give=[0]).play()
    assert position.over == "run-complete"
    assert position.wins == [60, 0, 0]
    assert position.results.games["n_turns"][0] == 1


def test_two_players_need_six() -> None:
    position = Position(["OG, OY, OB, OR", ""], ["OR", "BR"], ["BR", "BR"], place=[0], give=[0]).play()
    assert position.over is None
    position = Position(["OG, OY, OB, OR, OG", ""], ["OR", "BR"], ["BR"], place=[0], give=[0]).play()
    assert position.over == "run-complete"


def test_the_winning_card_fires_no_encounter() -> None:
    position = Position(["OG, OY, OB, OR", "YG", ""], ["OR shark", "BR"], ["BR"], place=[0], give=[0]).play()
    assert position.over == "run-complete"
    assert position.runs(1) == {"G": 1, "Y": 1}


def test_a_rare_specimens_card_may_win() -> None:
    position = Position(["OG, OY, OB", "", ""], ["OG", "OR rare"], ["BR", "BR"], place=[1], rare=[0], give=[0]).play()
    assert position.over == "run-complete"
    assert position.wins == [60, 0, 0]


def test_losers_are_ranked_by_their_runs() -> None:
    position = Position(["OG, OY, OB, OR", "YG, YO", "BR, BG, BO"], ["OR", "BR"], ["BR"], place=[0], give=[0]).play()
    assert position.results.seats["score"][:, 0].tolist() == [5, 2, 3]
    assert position.results.seats["rank"][:, 0].tolist() == [1, 3, 2]


def test_with_no_card_to_draw_the_longest_run_wins_and_equal_runs_share() -> None:
    position = Position(["OG, OY", "YG, YO", "BR"], ["OR", "BR"], [], drawn=57, place=[0], give=[0]).play()
    assert position.over == "deck-out"
    assert position.wins == [30, 30, 0]
    assert position.results.games["n_turns"][0] == 57  # the turn that could not draw is not played


# Variant: Expert Oceanographer

EXPERT = {"expert": True}
OBJECTIVES = ["OGR", "YBR", "GYB"]


def test_expert_a_run_of_five_does_not_win_before_the_next_turn() -> None:
    position = Position(
        ["OG, OY, OB, OR", "YG", ""], ["OR", "BR"], ["BR", "GY"],
        rules=EXPERT, objectives=OBJECTIVES, place=[0], give=[0],
    ).play()  # fmt: skip
    assert position.over is None
    position.table.turn = 3
    assert position.play().over == "run-complete"
    assert position.wins == [60, 0, 0]
    assert position.results.games["n_turns"][0] == 4  # revealing takes the turn


def test_expert_a_run_in_a_wrong_colour_wins_nothing_however_long() -> None:
    position = Position(
        ["BG, BY, BO, BR, BG, BG", "", ""],
        ["YO", "YO"],
        ["YO"],
        rules=EXPERT,
        objectives=OBJECTIVES,
        place=[0],
        give=[0],
    ).play()
    assert position.over is None


def test_expert_a_longer_run_is_fine_and_the_second_colour_counts_too() -> None:
    # blue runs seven cards and is not an objective; red runs five
    position = Position(
        ["BG, BY, BR, BR, BR, BR, BR", "", ""], ["YO", "YO"], ["YO"], rules=EXPERT, objectives=OBJECTIVES
    ).play()
    assert position.over == "run-complete"


def test_expert_a_shark_may_break_the_run_before_it_is_revealed() -> None:
    position = Position(
        ["", "YG, YO, YB, YR, YG", ""], ["BR", "OB shark"], ["BR", "OB", "OB"],
        rules=EXPERT, objectives=["OGR", "YBR", "GOB"], place=[1, 0], shark=[0], give=[0, 0],
    ).play()  # fmt: skip
    assert position.runs(1) == {"Y": 4, "R": 1}
    position.table.turn = 1
    assert position.play(1).over is None


def test_expert_at_deck_out_the_longest_run_in_ones_own_colours_wins() -> None:
    position = Position(
        ["BG, BY, BO", "YG, YO", "RO"], ["OR", "BR"], [], rules=EXPERT, objectives=OBJECTIVES, drawn=57
    ).play()
    assert position.over == "deck-out"
    assert position.results.seats["score"][:, 0].tolist() == [1, 2, 0]  # orange 1; yellow 2; no blue, green or yellow
    assert position.wins == [0, 60, 0]


def test_expert_readiness_is_looked_at_before_the_empty_pile() -> None:
    position = Position(
        ["OG, OY, OB, OR, OR", "YG, YO", ""], ["OR", "BR"], [], rules=EXPERT, objectives=OBJECTIVES, drawn=57
    ).play()
    assert position.over == "run-complete"
