"""Tiny Epic Cthulhu's strategies: what each promises, where the right answer is plain, and which of them is best."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.catalog import load_strategy
from simkit.experiment import StrategySpec
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.legal import OPTIONS, Situation, legal_actions
from simkit.strategy import Strategy
from tests.games.tiny_epic_cthulhu_position import MINE, Arkamoore

SCRIPTED = ("balanced", "page-rusher", "shambler-cleaner", "cautious", "scholar")
SEED = 20261130


def made(name: str, **parameters: Any) -> Strategy:
    """A library strategy."""
    return load_strategy(StrategySpec.model_validate({"name": name, **parameters}), GAME.id, Path(__file__).parent)


def chosen(name: str, left: int = 3, **position: Any) -> str:
    """What a strategy does next in a position, with so many actions left."""
    town = Arkamoore(**position)
    table, games = town.table, np.array([MINE])
    table.state.left[:] = left
    table.strategies = (made(name),) * town.players
    situation = Situation(table, 0, games)
    legal = legal_actions(situation, table.state.left.take(games))
    return OPTIONS[table.ask("action", 0, games=games, legal=legal)[0]]


def rerolled(name: str, faces: list[int], need: int, n_rerolls: int) -> str:
    """The dice that a strategy rolls again when sealing."""
    town = Arkamoore(phase=2, goo=0, runes="fff", temper="f")
    table, games = town.table, np.array([MINE])
    table.strategies = (made(name),) * town.players
    masks = np.arange(8)[:, None]
    legal = np.array([[bin(mask).count("1") <= n_rerolls] for mask in range(8)])
    offer = {"dice": np.array(faces, np.uint8)[:, None], "n_rerolls": np.array([n_rerolls], np.uint8)}
    offer |= {"portal": np.array([0], np.uint8), "need": np.array([need], np.uint8)}
    choice = table.ask("reroll_seal", 0, games=games, legal=legal & (masks >= 0), **offer)
    return table.options["reroll_seal"][choice[0]]


def wins(seated: list[str], deals: int, **rules: Any) -> int:
    """Games that a table wins."""
    made_rules = GAME.rules(**GAME.components.values_with(rules))
    games = play(GAME, made_rules, [made(name) for name in seated], SEED, 0, deals).games
    return int(games["won"].sum())


# ------------------------------------------------------------------------------------------------- where it is plain


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_page_that_is_ready_is_translated(name: str) -> None:
    assert chosen(name, pages={0: "1 fr g"}, temper="fr", bag="fffrrrggge") == "translate"


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_portal_is_tried_where_the_great_old_one_is(name: str) -> None:
    assert chosen(name, phase=2, goo=0, runes="fff", temper="f", bag="fffrrrggge") == "seal"


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_goes_to_a_page_that_it_can_pay_for(name: str) -> None:
    assert chosen(name, pages={1: "1 fr g"}, temper="fr", bag="fffrrrggge") == "1 clockwise"


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_goes_where_the_great_old_one_is_to_seal(name: str) -> None:
    assert chosen(name, phase=2, goo=4, runes="fff", temper="ff", bag="fffrrrggge") == "1 back"


def test_the_cleaner_fights_before_it_translates() -> None:
    position: dict[str, Any] = {"pages": {0: "1 fr g"}, "shamblers": {0: "f"}, "temper": "fr", "bag": "fffrrrggge"}
    assert chosen("shambler-cleaner", **position) == "banish"
    assert chosen("balanced", **position) == "translate"


def test_the_rusher_fights_only_where_the_town_is_about_to_be_overrun() -> None:
    assert chosen("page-rusher", shamblers={0: "ff"}, temper="ff", bag="fffrrrggge") != "banish"
    assert chosen("page-rusher", shamblers={0: "fff"}, temper="ff", bag="fffrrrggge") == "banish"
    assert chosen("balanced", shamblers={0: "ff"}, temper="ff", bag="fffrrrggge") == "banish"


def test_the_cautious_one_does_not_stop_where_a_track_could_overflow() -> None:
    position: dict[str, Any] = {"pages": {1: "1 fr g"}, "shamblers": {1: "g"}, "bag": "fffrrrggge"}
    assert chosen("cautious", temper="ffrrgg", **position) != "1 clockwise"
    assert chosen("cautious", temper="fr", **position) == "1 clockwise"
    assert chosen("page-rusher", temper="ffrrgg", **position) == "1 clockwise"


# ------------------------------------------------------------------------------------------------------- the scholar


def test_the_scholar_collects_where_the_colour_is() -> None:
    """On the way if the page's town has none, there if it has."""
    assert chosen("scholar", pages={1: "1 ff r"}, temper="f", madness={0: "f"}, bag="fffrrrggge") == "collect"
    assert chosen("scholar", pages={1: "1 ff r"}, temper="f", madness={1: "f"}, bag="fffrrrggge") == "1 clockwise"


def test_the_scholar_goes_where_nobody_else_is() -> None:
    position: dict[str, Any] = {"pages": {1: "1 fr g", 4: "2 fr g"}, "temper": "fr", "bag": "fffrrrggge"}
    assert chosen("scholar", at=[0, 1], **position) == "1 back"
    assert chosen("scholar", at=[0, 4], **position) == "1 clockwise"
    assert chosen("scholar", at=[0, 4], goo=2, **position) == "1 clockwise"


def test_the_scholar_dreads_madness() -> None:
    """The same page in two towns, one of them with a Shambler that could be the last."""
    position: dict[str, Any] = {"pages": {1: "1 fr g", 4: "2 fr g"}, "temper": "ffrrgg", "brain": 3, "at": [0, 2]}
    assert chosen("scholar", shamblers={1: "g"}, bag="fffrrrggge", **position) == "1 back"
    assert chosen("scholar", shamblers={4: "g"}, bag="fffrrrggge", **position) == "1 clockwise"


def test_the_scholar_takes_eldritch_off_a_full_energy_track() -> None:
    towns = ["observatory", "chapel", "library", "station", "police station"]
    assert chosen("scholar", towns=towns, energy=2, bag="fffrrrggge") == "town action"


@pytest.mark.parametrize(
    ("faces", "need", "n_rerolls", "dice"),
    [
        ([0, 2, 1], 4, 1, "die 1"),
        ([2, 2, 1], 4, 2, "keep"),
        ([0, 0, 2], 4, 2, "die 1 and die 2"),
        ([0, 1, 2], 6, 1, "keep"),
    ],
)
def test_the_scholar_rerolls_what_helps_most(faces: list[int], need: int, n_rerolls: int, dice: str) -> None:
    assert rerolled("scholar", faces, need, n_rerolls) == dice


# ------------------------------------------------------------------------------------------------------ whole games


def test_tables_of_all_kinds_play_to_the_end() -> None:
    for first in range(len(SCRIPTED)):
        seated = [SCRIPTED[(first + seat) % len(SCRIPTED)] for seat in range(4)]
        assert 0 <= wins(seated, 8, great_old_one="cthulhu", mode="madness") <= 8


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_scholar_is_best(players: int) -> None:
    """By more than three standard errors of the difference, against each of the others in every seat."""
    deals = 600
    best = wins(["scholar"] * players, deals)
    for name in (*SCRIPTED[:-1], "random"):
        other = wins([name] * players, deals)
        error = (best * (deals - best) / deals + max(other, 1) * (deals - other) / deals) ** 0.5
        assert best - other > 3 * error, name


def test_the_examples_in_the_docstrings_hold() -> None:
    for part in ("prospects", "outlook"):
        module = sys.modules[type(made("scholar")).__module__.rsplit(".", 1)[0] + "." + part]
        assert doctest.testmod(module).failed == 0
