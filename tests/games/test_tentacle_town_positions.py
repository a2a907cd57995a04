"""Witness 1: the rulebook on setup, the turn, overtime and the end, each sentence as a position worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.games.tentacle_town import GAME
from simkit.results import Results
from simkit.strategy import Random
from simkit.table import Table
from simkit.tape import Tape
from tests.games.tentacle_town_position import BOARD, CARDS, DISTRICTS, Town

RICH = {"gold": 9, "food": 9, "iron": 9, "fame": 9, "harpoons": 9}


def set_up(players: int, **changes: object) -> tuple[Table, dict]:
    """A table at the start of a game, and its state in plain values."""
    rules = GAME.rules(**GAME.components.values_with(changes))
    results = Results(GAME, rules, players, 1)
    table = Table(GAME, rules, [Random()] * players, Tape(1), np.zeros(1, np.uint64), results)
    GAME.setup(table)
    return table, GAME.describe(table, np.array([0]))[0]


# What's in the Box?


def test_the_box() -> None:
    """10 tentacles, 10 buildings a player, 20 residents, 12 cards, 4 dice, 28 tokens of each kind."""
    rules = GAME.rules(**GAME.components.values_with({}))
    assert (rules.tentacles, rules.buildings, rules.residents, rules.dice, rules.tokens) == (10, 10, 20, 4, 28)
    assert GAME.players == (2, 3, 4)
    assert all(name in GAME.components for name in (*BOARD, *CARDS))


def test_no_more_than_four_dice_however_many_tentacles_attack() -> None:
    """Never more than four dice are rolled."""
    town = Town(tentacles={"docks": 8}, roll=["arrow"] * 4).turn(district="docks")
    assert town.tentacles == {"docks": 9}
    assert town.n_dice == 4


def test_the_cards_can_be_left_out() -> None:
    """A simpler game leaves the task cards in the box."""
    assert set_up(2, task_cards=0)[1]["cards"] == []
    town = Town(**RICH).turn(district="market")
    assert town.legal("work") == ["pass", "build", "sell_sushi", "calamari_caravan"]


# Game Setup


@pytest.mark.parametrize(("players", "rows"), [(2, (4, 3)), (3, (6, 4)), (4, (6, 4, 3))])
def test_setup(players: int, rows: tuple[int, ...]) -> None:
    """Everyone starts with three harpoons, three gold, ten buildings of which one stands in each outermost row.

    Two players leave the row of six out, three the row of three; the others are in use.
    """
    table, state = set_up(players)
    assert table.rules.rows_for(players) == rows
    assert state["buildings"] == [[[1, *[0] * (len(rows) - 1)]] * 3] * players
    assert state["left"] == [7] * players
    for good, number in (("gold", 3), ("harpoons", 3), ("food", 0), ("iron", 0), ("fame", 0)):
        assert state[good] == [number] * players
    assert state["residents"] == state["tentacles"] == [0, 0, 0]
    assert state["supply"] == 20


def test_three_task_cards_are_in_play_and_stay() -> None:
    """Three task cards: 220 combinations, every card among them."""
    rules = GAME.rules(**GAME.components.values_with({}))
    table = Table(GAME, rules, [Random()] * 2, Tape(1), np.arange(400, dtype=np.uint64), Results(GAME, rules, 2, 400))
    GAME.setup(table)
    dealt = [tuple(state["cards"]) for state in GAME.describe(table, np.arange(400))]
    assert {len(set(cards)) for cards in dealt} == {3}
    assert {card for cards in dealt for card in cards} == set(range(6, 18))
    assert len(set(dealt)) > 150


@pytest.mark.parametrize(("players", "spaces"), [(2, 7), (3, 10), (4, 13)])
def test_spaces_of_a_district(players: int, spaces: int) -> None:
    """Thirteen building spaces in three rows with four players; the rows left out are missing with fewer."""
    others = [{"market": spaces // players}] * (players - 1)
    own = spaces - 1 - (players - 1) * (spaces // players)
    town = Town(players, buildings=[{"market": own}, *others])
    assert "build" in town.turn(district="market", work="build").legal("work")
    town = Town(players, buildings=[{"market": own + 1}, *others])
    assert town.turn(district="market", work="sell_sushi").legal("work") == ["pass", "sell_sushi"]


# Recruit a New Resident


@pytest.mark.parametrize("district", DISTRICTS)
def test_a_resident_is_recruited_to_any_district(district: str) -> None:
    """Every turn begins with a new resident in one of the three districts."""
    town = Town().turn(district=district)
    assert town.legal("district") == list(DISTRICTS)
    assert town.residents == {district: 1}
    assert town.state["supply"] == 19


def test_a_district_has_no_limit_of_residents() -> None:
    """A resident can be placed anywhere in the district: all twenty may stand in one."""
    town = Town(residents={"foundry": 19}).turn(district="foundry")
    assert town.residents == {"foundry": 20}


@pytest.mark.parametrize(
    ("district", "tasks"),
    [
        ("docks", ["hunt_tentacles", "butcher_catch"]),
        ("market", ["sell_sushi", "calamari_caravan"]),
        ("foundry", ["forge_harpoons", "smelt_iron"]),
    ],
)
def test_tasks_printed_on_the_board_are_done_in_their_district(district: str, tasks: list[str]) -> None:
    """The new resident builds, or completes one of the district's two tasks; no other district's."""
    town = Town(buildings=[{"docks": 1, "market": 1, "foundry": 1}], tentacles={"docks": 2}, **RICH)
    assert town.turn(district=district).legal("work") == ["pass", "build", *tasks]


def test_a_building_goes_to_the_district_of_the_new_resident() -> None:
    """A building is placed where the resident is, in any row with a free space; it costs nothing."""
    town = Town(4).turn(district="market", work="build", row="second")
    assert town.legal("row") == ["outermost", "second", "third"]
    assert town.rows(0, "market") == (0, 1, 0)
    assert town.rows(0, "docks") == town.rows(0, "foundry") == (0, 0, 0)
    assert town.state["left"][0] == 9
    assert all(town.change(good) == 0 for good in RICH)


def test_a_full_row_takes_no_building() -> None:
    """A space holds one building."""
    town = Town(4, buildings=[{"market": (1, 2)}, {"market": (1, 2)}]).turn(
        district="market", work="build", row="third"
    )
    assert town.legal("row") == ["outermost", "third"]


def test_ten_buildings_and_no_more() -> None:
    """Each player has ten buildings."""
    town = Town(4, buildings=[{"docks": 6, "foundry": 4}]).turn(district="market")
    assert "build" not in town.legal("work")


# Pay Overtime


def test_each_extra_task_costs_one_gold() -> None:
    """After the first task, one gold buys one more task."""
    town = Town(gold=2, cards=["declaw_crabs", "whittle_sticks"])
    town.turn(district="foundry", work="smelt_iron", overtime=["declaw_crabs", "whittle_sticks"])
    assert town.change("gold") == -2
    assert (town.change("food"), town.change("harpoons")) == (2, 1)


def test_overtime_may_follow_a_building() -> None:
    """Overtime comes after a building as well as after a task."""
    town = Town(gold=1).turn(district="foundry", work="build", row="second", overtime="smelt_iron")
    assert town.change("iron") == 1
    assert town.change("gold") == -1


def test_overtime_needs_gold() -> None:
    """Without gold nobody works overtime, and with one gold nobody does two tasks more."""
    town = Town(cards=["declaw_crabs", "whittle_sticks"]).turn(district="foundry", work="smelt_iron")
    assert not town.asked("overtime")
    town = Town(gold=1, cards=["declaw_crabs", "whittle_sticks"])
    town.turn(district="foundry", work="smelt_iron", overtime="declaw_crabs")
    assert len(town.asked("overtime")) == 1


def test_what_a_task_costs_is_paid_besides_the_overtime() -> None:
    """A Fancy Shindig of two gold takes three by overtime."""
    for gold, possible in ((2, False), (3, True)):
        town = Town(gold=gold, cards=["fancy_shindig", "declaw_crabs"]).turn(district="docks", work="declaw_crabs")
        assert ("fancy_shindig" in town.legal("overtime")) == possible


def test_overtime_is_not_obligatory() -> None:
    """One may pay overtime; one may as well stop."""
    town = Town(gold=5, cards=["declaw_crabs"]).turn(district="docks", work="butcher_catch", overtime="stop")
    assert town.legal("overtime")[0] == "stop"
    assert town.change("gold") == 0


def test_each_task_once_a_turn() -> None:
    """No task is done twice in a turn, whether first or by overtime, on the board or on a card."""
    town = Town(gold=9, cards=["declaw_crabs"])
    town.turn(district="foundry", work="smelt_iron", overtime=["declaw_crabs"])
    assert town.legal("overtime") == ["stop", "declaw_crabs"]
    assert len(town.asked("overtime")) == 1
    assert town.change("gold") == -1


def test_a_task_may_be_done_again_in_the_next_turn() -> None:
    """Once a turn, not once a game."""
    town = Town(buildings=[{"foundry": 1}, {"foundry": 2}])
    town.turn(district="foundry", work="smelt_iron").turn(district="foundry", work="smelt_iron")
    assert town.change("iron", 1) == 2
    assert town.state["iron"] == [1, 2]


@pytest.mark.parametrize("work", ["smelt_iron", "build"])
def test_no_building_by_overtime(work: str) -> None:
    """A task first and a building for gold is ruled out; so are two buildings."""
    row = {"row": "second"} if work == "build" else {}
    town = Town(gold=9, cards=["declaw_crabs"]).turn(district="foundry", work=work, **row)
    assert town.legal("overtime") == ["stop", *({"build": ["smelt_iron"]}.get(work, [])), "declaw_crabs"]
    town = Town(gold=9, harpoons=2, tentacles={"docks": 2}).turn(district="docks", work="butcher_catch")
    assert town.legal("overtime") == ["stop", "hunt_tentacles"]


def test_only_own_buildings_count() -> None:
    """Of the buildings in a district one benefits from one's own."""
    town = Town(4, buildings=[{"foundry": 2}, {"foundry": 3}, {"foundry": 1}]).turn(
        district="foundry", work="smelt_iron"
    )
    assert town.change("iron") == 2


def test_residents_belong_to_nobody() -> None:
    """Whoever recruited them, all residents of the district count."""
    town = (
        Town(food=5).turn(district="market").turn(district="docks").turn(district="market", work="sell_sushi", times=2)
    )
    assert town.legal("times") == [0, 1, 2]


# Ending the Game


def test_the_last_resident_is_placed_and_the_turn_played() -> None:
    """An empty supply does not end the turn that emptied it."""
    town = Town(residents={"docks": 19}, gold=1).turn(district="foundry", work="smelt_iron")
    assert town.state["supply"] == 0
    assert town.over is None
    assert town.tentacles == {"foundry": 1}


def test_the_game_ends_when_a_resident_cannot_be_placed() -> None:
    """It ends at once when the next player has none to place; that turn is not played."""
    town = Town(residents={"docks": 19}).turn(district="foundry").turn()
    assert town.over == "no-resident"
    assert town.result("n_turns") == 1
    assert town.tentacles == {"foundry": 1}


def test_a_resident_killed_in_the_last_attack_keeps_the_game_going() -> None:
    """Killed residents go back to the supply: wait for the end of the turn."""
    town = Town(residents={"docks": 19}, roll=["skull"]).turn(district="foundry")
    assert town.state["supply"] == 1
    town.turn(district="market")
    assert town.over is None
    assert town.told("recruit")


# Winning the Game


def ended(players: int = 3, **laid_out: object) -> Town:
    """A game that ends as it is laid out."""
    return Town(players, supply=0, **laid_out).turn()  # type: ignore[arg-type]


def test_most_buildings_in_a_district_bring_a_fame_for_each_resident() -> None:
    """The seat with most buildings takes one fame a resident; the second gets nothing."""
    town = ended(
        buildings=[{"docks": 2, "market": 1}, {"docks": 1, "market": 3}, {"foundry": 1}],
        residents={"docks": 7, "market": 8, "foundry": 5},
        fame=(1, 2, 3),
    )
    assert town.result("fame") == [8, 10, 8]
    assert town.result("win") == [0, 60, 0]
    assert town.result("from_majority") == [7, 8, 5]


def test_tied_seats_divide_evenly_and_discard_the_rest() -> None:
    """Three seats share eight residents' fame: two each, two are discarded; two share seven: three each."""
    town = ended(
        buildings=[{"docks": 2, "market": 1}, {"docks": 2, "market": 2}, {"docks": 2, "market": 2}],
        residents={"docks": 8, "market": 7, "foundry": 5},
    )
    assert town.result("fame") == [2, 5, 5]
    assert town.result("majority_lost") == 3
    assert town.result("majority_unheld") == 5


def test_nobody_has_the_most_of_no_buildings() -> None:
    """Without buildings there is no award."""
    town = ended(residents={"docks": 20}, fame=(1, 0, 0))
    assert town.result("fame") == [1, 0, 0]
    assert town.result("majority_unheld") == 20


def test_the_most_fame_wins_after_the_award() -> None:
    """Seven fame and an award of six beat twelve."""
    town = ended(buildings=[{"docks": 1}], residents={"docks": 6, "market": 14}, fame=(7, 12, 0), gold=(0, 9, 9))
    assert town.result("fame") == [13, 12, 0]
    assert town.result("win") == [60, 0, 0]
    assert town.result("rank") == [1, 2, 3]
    assert not town.result("decided_by_tiebreak")


def test_the_most_gold_decides_a_tie() -> None:
    """Of the tied, the one with most gold wins; a third seat's gold is of no matter."""
    town = ended(residents={"docks": 20}, fame=(4, 4, 3), gold=(1, 2, 9))
    assert town.result("win") == [0, 60, 0]
    assert town.result("decided_by_tiebreak")


def test_equal_gold_shares_the_win() -> None:
    """Where the rulebook has no further tie-break, the win is shared."""
    town = ended(residents={"docks": 20}, fame=(4, 4, 3), gold=(2, 2, 9))
    assert town.result("win") == [30, 30, 0]


def test_twenty_residents_at_the_end_pay_twenty_fame_or_lose_it() -> None:
    """What is awarded, rounded away and left unheld is twenty in all."""
    town = ended(buildings=[{"docks": 1}, {"docks": 1}, {}], residents={"docks": 9, "market": 6, "foundry": 5})
    lost = town.result("majority_lost") + town.result("majority_unheld")
    assert sum(town.result("from_majority")) + lost == 20
