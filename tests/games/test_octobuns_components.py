"""Witness 1: Octobuns' decks of orders keep their scheme; decks of one's own play, and wrong ones are told."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest

import simkit
from simkit.errors import UserError
from simkit.games.octobuns import GAME
from simkit.planning.settings import rules_with

FILE = Path(simkit.__file__).parent / "games" / "octobuns" / "components.toml"
BOX = tomllib.loads(FILE.read_text(encoding="utf-8"))
PRINTED = {name: component["value"] for name, component in BOX.items()}
INGREDIENTS = PRINTED["ingredients"]
BUNS = [bun["name"] for bun in PRINTED["buns"]]
ICONS = ["rope-in", "tentacle", "supply"]

SMALL = [PRINTED["small_orders"], *BOX["small_orders"]["alternatives"]]
LARGE = [PRINTED["large_orders"], *BOX["large_orders"]["alternatives"]]
BOTH = list(product(SMALL, LARGE))
"""Any small deck goes with any large one."""

Orders = list[dict[str, Any]]

each_deck = pytest.mark.parametrize("deck", [*SMALL, *LARGE], ids=["small", "other small", "large", "other large"])
each_small = pytest.mark.parametrize("deck", SMALL, ids=["small", "other small"])
each_large = pytest.mark.parametrize("deck", LARGE, ids=["large", "other large"])


def weight(order: dict[str, Any]) -> int:
    """An ingredient weighs 1, a bun the 2 cards that it takes."""
    return sum(2 if item in BUNS else 1 for item in order["items"])


def icon(order: dict[str, Any]) -> str:
    """The icon of an order, "" for none."""
    return str(order.get("icon", ""))


def span(counts: Counter[str], names: Sequence[str]) -> int:
    """By how much the most and the fewest of these differ."""
    return max(counts[name] for name in names) - min(counts[name] for name in names)


def items_of(orders: Iterable[dict[str, Any]]) -> Counter[str]:
    """How often each item stands in orders."""
    return Counter(chain.from_iterable(order["items"] for order in orders))


# The scheme: what orders are


@each_deck
def test_fourteen_orders(deck: Orders) -> None:
    """Components: 14 small and 14 large."""
    assert len(deck) == 14


@pytest.mark.parametrize(
    ("deck", "lengths"),
    [(SMALL[0], {2, 3}), (SMALL[1], {2, 3}), (LARGE[0], {3, 4}), (LARGE[1], {3, 4, 5})],
    ids=["small", "other small", "large", "other large"],
)
def test_items(deck: Orders, lengths: set[int]) -> None:
    """2 or 3 items on small orders, 3 or 4 on large ones; the second large deck goes up to 5."""
    assert {len(order["items"]) for order in deck} == lengths


def test_a_second_large_deck_wants_no_more_cards() -> None:
    """It is longer by its items, not by the cards they take: what is swept is the sequence's length alone."""
    assert sorted(map(weight, LARGE[0])) == sorted(map(weight, LARGE[1]))


@each_small
def test_small_orders_weigh_2_to_4(deck: Orders) -> None:
    assert {weight(order) for order in deck} == {2, 3, 4}


@each_large
def test_large_orders_weigh_4_to_6(deck: Orders) -> None:
    assert {weight(order) for order in deck} == {4, 5, 6}


@each_small
def test_small_orders_pay_their_weight(deck: Orders) -> None:
    """One less with an icon."""
    assert [order["coins"] for order in deck] == [weight(order) - bool(icon(order)) for order in deck]


@each_large
def test_large_orders_pay_their_weight_and_one(deck: Orders) -> None:
    """One less with an icon."""
    assert [order["coins"] for order in deck] == [weight(order) + 1 - bool(icon(order)) for order in deck]


@each_deck
def test_at_most_two_buns(deck: Orders) -> None:
    assert max(sum(item in BUNS for item in order["items"]) for order in deck) == 2


# The scheme: icons


@pytest.mark.parametrize(("decks", "wanted"), [(SMALL, 7), (LARGE, 5)], ids=["small", "large"])
def test_half_of_the_small_and_a_third_of_the_large_have_icons(decks: list[Orders], wanted: int) -> None:
    assert [sum(bool(icon(order)) for order in deck) for deck in decks] == [wanted] * 2


@pytest.mark.parametrize(("small", "large"), BOTH)
def test_four_of_each_icon(small: Orders, large: Orders) -> None:
    assert Counter(map(icon, small + large)) == {"": 16, **dict.fromkeys(ICONS, 4)}


@each_deck
def test_icons_are_spread_over_weights(deck: Orders) -> None:
    """As many of each weight have one as the deck's share says, rounded up or down."""
    of_weight, with_icon = Counter(map(weight, deck)), Counter(weight(order) for order in deck if icon(order))
    share = with_icon.total() / len(deck)
    assert all(abs(with_icon[w] - share * n) < 1 for w, n in of_weight.items())


@pytest.mark.parametrize(("small", "large"), BOTH)
def test_icons_favour_no_item(small: Orders, large: Orders) -> None:
    """On orders with icons, too, each ingredient and each bun stands equally often, as nearly as may be."""
    found = items_of(order for order in small + large if icon(order))
    assert span(found, INGREDIENTS) <= 1
    assert span(found, BUNS) <= 1


# The scheme: balance


@pytest.mark.parametrize(
    ("deck", "of_each"),
    [(SMALL[0], (4, 3)), (SMALL[1], (4, 3)), (LARGE[0], (6, 5)), (LARGE[1], (7, 4))],
    ids=["small", "other small", "large", "other large"],
)
def test_each_item_stands_equally_often(deck: Orders, of_each: tuple[int, int]) -> None:
    """Exactly; and as the recipes share out the ingredients evenly, those within buns are equal as well."""
    ingredient, bun = of_each
    assert items_of(deck) == dict.fromkeys(INGREDIENTS, ingredient) | dict.fromkeys(BUNS, bun)


@each_deck
def test_no_item_has_a_place_of_its_own(deck: Orders) -> None:
    """Ends and middles are shared out: ingredients differ by one at most, buns not at all."""
    middle: Counter[str] = Counter(chain.from_iterable(order["items"][1:-1] for order in deck))
    for found in (middle, items_of(deck) - middle):
        assert span(found, INGREDIENTS) <= 1
        assert span(found, BUNS) == 0


@each_deck
def test_items_repeat(deck: Orders) -> None:
    """On four orders of each deck an item stands twice, never three times, and no item twice on two of them."""
    often = [(item, n) for order in deck for item, n in items_of([order]).items() if n > 1]
    assert len({item for item, _ in often}) == len(often) == 4
    assert {n for _, n in often} == {2}


@each_deck
def test_some_read_the_same_from_both_ends(deck: Orders) -> None:
    assert [order for order in deck if order["items"] == order["items"][::-1]]


def test_no_two_orders_want_the_same() -> None:
    """Nor the same from the other end; over all decks, so that the second ones are other decks."""
    sequences = [tuple(order["items"]) for deck in SMALL + LARGE for order in deck]
    assert len({min(sequence, sequence[::-1]) for sequence in sequences}) == 56


def test_guests_have_short_names_of_their_own() -> None:
    """Over all decks: a name in a report is one order."""
    names = [order["name"] for deck in SMALL + LARGE for order in deck]
    assert len(set(names)) == 56
    assert max(map(len, names)) <= 20


# The scheme: buns


def test_each_ingredient_is_in_one_bun() -> None:
    """A perfect matching of six."""
    assert sorted(chain.from_iterable(bun["of"] for bun in PRINTED["buns"])) == sorted(INGREDIENTS)
    assert len(INGREDIENTS) == 6


def test_other_buns() -> None:
    """One set has a doubled ingredient, one a shared ingredient; names stay, so that orders do."""
    doubled, shared = BOX["buns"]["alternatives"]
    assert [[bun["name"] for bun in buns] for buns in (doubled, shared)] == [BUNS] * 2
    assert [len(set(bun["of"])) for bun in doubled] == [1, 2, 2]
    assert [len(set(bun["of"])) for bun in shared] == [2, 2, 2]
    assert max(Counter(chain.from_iterable(bun["of"] for bun in shared)).values()) == 2


@pytest.mark.parametrize("name", ["ingredients", "buns", "small_orders", "large_orders"])
def test_what_is_only_pictured_is_said_to_be_assumed(name: str) -> None:
    assert BOX[name]["tag"] == "assumed"


# Decks of one's own

OWN: dict[str, Any] = {
    "ingredients": ["flour", "salt"],
    "buns": [{"name": "bun", "of": ["salt", "flour"]}],
    "small_orders": [{"name": "gull", "items": ["salt", "bun"], "coins": 3, "icon": "supply"}],
    "large_orders": [{"name": "cat", "items": ["salt", "bun", "flour", "bun", "salt"], "coins": 9}],
}


def document(**rules: Any) -> dict[str, Any]:
    """A short experiment with these rules."""
    return {"name": "own", "game": GAME.id, "players": 2, "games": 8, "seed": 1, "strategies": ["random"]} | {
        "rules": {"max_rounds": 12, **rules}
    }


def test_decks_are_what_is_played(tmp_path: Path) -> None:
    """All that is done in games of one's own box are its two orders."""
    run = simkit.run(document(**OWN, orders_to_end=1, max_rounds=24), runs=tmp_path, jobs=1)
    seats = run.seats()
    assert seats["n_small"].sum() + seats["n_large"].sum() > 0
    assert set(seats["from_small"]) <= {0, 3}
    assert set(seats["from_large"]) <= {0, 9}


@pytest.mark.parametrize(
    "rules",
    [
        {"small_orders": SMALL[1], "large_orders": LARGE[1]},
        {"buns": BOX["buns"]["alternatives"][0]},
        {"buns": BOX["buns"]["alternatives"][1]},
        {"buns": []}
        | {kind: [{"name": kind, "items": ["kelp"] * 2, "coins": 3}] for kind in ("small_orders", "large_orders")},
    ],
    ids=["other orders", "a doubled ingredient", "a shared ingredient", "no buns"],
)
def test_other_decks_play(tmp_path: Path, rules: dict[str, Any]) -> None:
    assert len(simkit.run(document(**rules), runs=tmp_path, jobs=1).games()) == 8


def test_tables_follow_the_deck() -> None:
    """Codes, coins and icons by id: small orders first."""
    rules = rules_with(GAME, OWN)
    assert rules.item_names == ("", "flour", "salt", "bun")
    assert rules.items[:, :2].T.tolist() == [[2, 3, 0, 0, 0], [2, 3, 1, 3, 2]]
    assert rules.coins_of[:2].tolist() == [3, 9]
    assert rules.icon_of[:2].tolist() == [3, 0]
    assert rules.bun_of.tolist() == [[0] * 4, [0, 0, 3, 0], [0, 3, 0, 0], [0] * 4]


# Wrong decks


def refused(**changes: Any) -> str:
    """What an experiment is told that sets these rules."""
    with pytest.raises(UserError) as told:
        rules_with(GAME, changes)
    message = str(told.value)
    assert message.isprintable()
    assert "experiment" in message
    return message


def order(**changes: Any) -> Orders:
    """The large orders, the second changed: without what is None."""
    deck = deepcopy(LARGE[0])
    deck[1] = {key: value for key, value in (deck[1] | changes).items() if value is not None}
    return deck


@pytest.mark.parametrize(
    ("changes", "place", "wanted"),
    [
        ({"items": ["kelp"]}, "[1].items", "at least 2 items; found ['kelp']"),
        ({"items": ["kelp"] * 6}, "[1].items", "at most 5 items"),
        ({"items": "kelp"}, "[1].items", "must be a list"),
        ({"items": ["kelp", 3]}, "[1].items[1]", "must be a text; found 3"),
        ({"items": None}, "[1].items", "must be set"),
        ({"name": None}, "[1].name", "must be set"),
        ({"name": " "}, "[1].name", "must not be empty"),
        ({"name": "x" * 41}, "[1].name", "at most 40 characters"),
        ({"name": "sea\nwolf"}, "[1].name", r"must be on one line, of characters that can be seen; found 'sea\nwolf'"),
        ({"coins": None}, "[1].coins", "must be set"),
        ({"coins": -1}, "[1].coins", "at least 0; found -1"),
        ({"coins": 21}, "[1].coins", "at most 20; found 21"),
        ({"coins": 2.5}, "[1].coins", "must be a whole number"),
        ({"coins": "5"}, "[1].coins", "must be a whole number; found '5'"),
        ({"coins": True}, "[1].coins", "must be a whole number; found true"),
        ({"icon": "anchor"}, "[1].icon", "must be '', 'rope-in', 'tentacle' or 'supply'; found 'anchor'"),
        ({"colour": "red"}, "[1].colour", "no known key"),
    ],
)
def test_a_wrong_order_is_found_by_its_place(changes: dict[str, Any], place: str, wanted: str) -> None:
    message = refused(large_orders=order(**changes))
    assert f"`rules.large_orders{place}`" in message
    assert wanted in message


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        (
            {"large_orders": order(name="wolf", items=["kelp", "fig"])},
            f"order wolf must be made of {', '.join(INGREDIENTS + BUNS)}; found fig",
        ),
        ({"large_orders": order(name="captain")}, "orders must have names of their own; found captain twice"),
        ({"large_orders": order(name="gull")}, "orders must have names of their own; found gull twice"),
        (
            {"large_orders": order(name="wolf", items=["kelp"] * 3), "copies": 2},
            "order wolf needs 3 cards of kelp; copies is 2",
        ),
        (
            {"large_orders": order(name="wolf", items=["kelp bun"] * 5), "bun_copies": 4},
            "order wolf needs 5 cards of kelp bun; bun_copies is 4",
        ),
        ({"buns": PRINTED["buns"][:2]}, "order pearl trader must be made of kelp,"),
    ],
    ids=["unknown item", "name twice", "small guest's name", "too many cards", "too many buns", "bun left out"],
)
def test_a_wrong_order_is_found_by_its_name(changes: dict[str, Any], wanted: str) -> None:
    assert wanted in refused(**changes)


@pytest.mark.parametrize("name", ["small_orders", "large_orders"])
@pytest.mark.parametrize(
    ("deck", "wanted"),
    [([], "must not be empty"), (SMALL[0] * 3, "at most 30 items"), ({}, "must be a list"), (["gull"], "of tables")],
    ids=["empty", "too many", "a table", "names only"],
)
def test_a_deck_of_another_form(name: str, deck: Any, wanted: str) -> None:
    message = refused(**{name: deck})
    assert f"`rules.{name}`" in message
    assert wanted in message


def buns(**bun: Any) -> Orders:
    """The three buns, and one more."""
    return [*PRINTED["buns"], {"name": "fig bun", "of": ["kelp", "kelp"]} | bun]


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"buns": buns(of=["kelp"])}, "`rules.buns[3].of`: must have at least 2 items"),
        ({"buns": buns(of=["kelp"] * 3)}, "`rules.buns[3].of`: must have at most 2 items"),
        ({"buns": buns(name="")}, "`rules.buns[3].name`: must not be empty"),
        ({"buns": buns(coins=2)}, "`rules.buns[3].coins`: must be left out: it is no known key"),
        ({"buns": [*buns(), *buns()]}, "`rules.buns`: must have at most 4 items"),
        ({"buns": buns(of=["fig", "kelp"])}, "bun fig bun must be made of kelp, shrimp, plum, sesame, crab, leek"),
        ({"buns": buns(of=["kelp bun", "kelp"])}, "bun fig bun must be made of kelp, shrimp, plum, sesame, crab, leek"),
        (
            {"buns": buns(of=["shrimp", "kelp"])},
            "shrimp and kelp must make one kind of bun; found kelp bun and fig bun",
        ),
        ({"buns": buns(name="leek")}, "ingredients and buns must have names of their own; found leek twice"),
        ({"buns": buns(name="kelp bun")}, "ingredients and buns must have names of their own; found kelp bun twice"),
        ({"buns": buns(), "copies": 1}, "bun fig bun needs 2 cards of kelp; copies is 1"),
        ({"ingredients": INGREDIENTS[:5]}, "bun crab bun must be made of kelp, shrimp, plum, sesame, crab; found leek"),
        (
            {"ingredients": [*INGREDIENTS, "kelp"]},
            "ingredients and buns must have names of their own; found kelp twice",
        ),
        ({"ingredients": ["kelp"]}, "`rules.ingredients`: must have at least 2 items"),
        ({"ingredients": [*INGREDIENTS, "fig", "oat", "rye"]}, "`rules.ingredients`: must have at most 8 items"),
        ({"ingredients": [*INGREDIENTS, "f\tig"]}, "`rules.ingredients[6]`: must be on one line"),
        ({"copies": 0}, "`rules.copies`: must be at least 1"),
        ({"bun_copies": 21}, "`rules.bun_copies`: must be at most 20"),
    ],
)
def test_wrong_buns_and_ingredients(changes: dict[str, Any], wanted: str) -> None:
    assert wanted in refused(**changes)


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"given_order": "nobody"}, "given_order must be a name in small_orders or large_orders; found nobody"),
        ({"given_order": SMALL[1][0]["name"]}, "given_order must be a name in small_orders or large_orders"),
        ({"given_order": "gull", "reserve_limit": 0}, "given_order needs a reserve_limit of 1 or more; found 0"),
        ({"given_order": "gu\nll"}, "`rules.given_order`: must be on one line"),
        ({"given_icon": "anchor"}, "`rules.given_icon`: must be '', 'rope-in', 'tentacle' or 'supply'"),
        ({"flat_coins": [3]}, "`rules.flat_coins`: must have at least 2 items"),
        ({"flat_coins": [3, 21]}, "`rules.flat_coins[1]`: must be at most 20"),
        ({"icons": "some"}, "`rules.icons`: must be 'printed', 'all' or 'none'"),
        ({"coins": "free"}, "`rules.coins`: must be 'printed' or 'flat'"),
        ({"smal_orders": []}, "did you mean `small_orders`?"),
    ],
)
def test_wrong_values_about_decks(changes: dict[str, Any], wanted: str) -> None:
    assert wanted in refused(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"copies": 2, "bun_copies": 2},
        {"large_orders": order(items=["kelp bun"] * 5), "bun_copies": 5},
        {"large_orders": order(coins=0), "given_order": LARGE[0][1]["name"]},
        {"large_orders": order(coins=20, icon="")},
        {"large_orders": order(name="x" * 40)},
        {"small_orders": SMALL[0][:10], "large_orders": LARGE[0][:1]},
        {"buns": buns(), "ingredients": [*INGREDIENTS, "fig", "oat"]},
    ],
)
def test_just_enough_is_enough(changes: dict[str, Any]) -> None:
    """The least that orders need, and the most that may be set."""
    assert rules_with(GAME, changes)
