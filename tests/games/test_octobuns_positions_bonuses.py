"""Witness 1: the rulebook of Octobuns on Bonus Actions and starting cards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.octobuns_position import BONUSES, Harbour

TOLD = {
    "extra rope in": "extra rope in, reserve small 2",
    "extra tentacle": "extra tentacle, ingredient right, cell 6",
    "take from supply": "take from supply, stack left, cell 6",
    "starting card": "starting card, stack left, cell 6",
}
ICON = {"extra rope in": "r", "extra tentacle": "t", "take from supply": "s"}
MOMENTS = {
    "before the action": "{}, rope in, reserve large pile, complete",
    "after the action": "rope in, reserve large pile, {}, complete",
    "after the order": "rope in, reserve large pile, complete, {}",
}


def harbour_with(**position: Any) -> Harbour:
    """A seat that can complete ac, and rope in one order more."""
    return Harbour("ac. ... ..f", small=["ac", "ff"], large=["", "", "fff"], **position)


# At any moment during one's turn


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("bonus", BONUSES)
def test_at_any_moment(bonus: str, moment: str) -> None:
    """Before the action, between it and the order, after the order."""
    harbour = harbour_with(**({"starting": 1} if bonus == "starting card" else {"icons": ICON[bonus]}))
    harbour.turn(MOMENTS[moment].format(TOLD[bonus]))
    assert harbour.coins() == 2
    assert (harbour.icons(), harbour.state["starting"]) == ("", [0, 0])  # used up
    (use,) = harbour.told("use")
    assert use["kind"] == BONUSES.index(bonus)
    if bonus == "extra rope in":
        assert sorted(harbour.reserved()) == ["ff", "fff"]
    else:
        assert harbour.bakery() == f"... ..{'e' if bonus == 'extra tentacle' else 'b'} ..f"


@pytest.mark.parametrize("bonus", BONUSES)
def test_without_an_icon_no_bonus(bonus: str) -> None:
    """One must have gained it, and not used it yet."""
    others = {"icons": "rts".replace(ICON.get(bonus, "-"), "") * 2, "starting": int(bonus != "starting card")}
    acts = harbour_with(**others).acts()
    assert bonus not in acts
    assert {*BONUSES} - {bonus} <= {*acts}


def test_icons_of_others_are_theirs() -> None:
    """As are their starting cards."""
    acts = harbour_with(icons=["", "rts"], starting=[0, 1]).acts()
    assert not {*BONUSES} & {*acts}


def test_several_in_a_turn() -> None:
    """All four, in any order, before and after the action."""
    harbour = harbour_with(icons="rts", starting=1)
    harbour.turn(
        "extra tentacle, ingredient right, cell 6, take from supply, stack left, cell 3, take left, cell 4, "
        "starting card, stack left, cell 7, extra rope in, reserve small 2, complete"
    )
    assert harbour.bakery() == "..b a.e d.f"
    assert [event["kind"] for event in harbour.told("use")] == [1, 2, 3, 0]


@pytest.mark.parametrize(("n", "bakery"), [(1, "ac. a.. ..."), (2, "acc a.. ..."), (3, "acc a.c ...")])
def test_each_icon_once(n: int, bakery: str) -> None:
    """Used, it is turned over; as many may be used as one has."""
    harbour = Harbour("a.. ... ...", icons="s" * n, stacks=("cccccc", "d", "d"))
    used = ", ".join(f"take from supply, stack left, cell {cell}" for cell in (2, 3, 6)[:n])
    harbour.turn(f"{used}, take left, cell 4")
    assert "take from supply" not in harbour.legal("act", n)
    assert harbour.bakery() == bakery


def test_a_used_icon_stays_used() -> None:
    """Also in later turns."""
    harbour = Harbour(icons="s", starting=1).turns(
        "take from supply, stack left, cell 5, starting card, stack left, cell 6, take left, cell 4",
        "take left, cell 5",
    )
    assert not {*BONUSES} & {*harbour.acts()}


def test_an_unused_icon_is_kept() -> None:
    """For a later turn."""
    harbour = Harbour(icons="s").turns("take left, cell 5", "take left, cell 5")
    assert harbour.icons(0) == "s"
    assert "take from supply" in harbour.acts()


def test_the_bonus_of_the_order_just_completed() -> None:
    """12: it may be used in the same turn."""
    harbour = Harbour("ac. ... ..f", small=["ac 2 supply"], large=["", "", "fff"])
    harbour.turn("rope in, reserve large pile, complete, take from supply, stack right, cell 6")
    assert (harbour.bakery(), harbour.icons()) == ("... ..f ..f", "")


def test_a_new_icon_is_told_apart() -> None:
    """What was gained in this turn, by kind; nothing of it in the next turn."""
    harbour = Harbour("ac. ... ..f", small=["ac 2 supply"], large=["", "", "fff"])
    harbour.turn("rope in, reserve large pile, complete, end turn")
    assert (harbour.state["fresh"], harbour.icons()) == ([0, 0, 1], "s")
    assert harbour.turn("take left, cell 5").state["fresh"] == [0, 0, 0]


def test_a_bonus_that_completes_the_order() -> None:
    """The missing card comes from the supply after the action."""
    harbour = Harbour("a.. ... ...", small=["acb 4"], starting=1)
    harbour.turn("take middle, cell 2, starting card, stack left, cell 3, complete")
    assert harbour.coins() == 4


def test_a_bonus_before_the_action_helps_it() -> None:
    """A bun made by a bonus is there to be exchanged."""
    harbour = Harbour("a.. ... ...", starting=1, discards="e")
    harbour.turn("starting card, stack left, cell 1, exchange, discarded e, cell 1")
    assert harbour.bakery() == "e.. ... ..."


# Extra Rope In


def test_extra_rope_in_follows_rope_in() -> None:
    """Open orders and piles; the order comes to one's reserved places."""
    harbour = Harbour(small=["aa", "bb", "cc"], large=["aaa", "bbb", "ccc"], icons="r")
    harbour.turn("extra rope in, reserve large pile, take left, cell 5")
    assert harbour.legal("reserve") == ["small 1", "small 2", "large 1", "large 2", "small pile", "large pile"]
    assert harbour.reserved() == ["ccc", ""]


def test_no_replenishing_between_two() -> None:
    """The place of the first stays empty for the second."""
    harbour = Harbour(small=["aa", "bb", "cc", "dd"], icons="r")
    harbour.turn("rope in, reserve small 1, extra rope in, reserve small 2")
    assert harbour.legal("reserve", 1) == ["small 2", "small pile"]
    assert (harbour.reserved(), harbour.orders[:2]) == (["aa", "bb"], ["cc", "dd"])


@pytest.mark.parametrize(
    ("reserved", "icons", "n"), [([], "rrr", 2), (["ee"], "rr", 1), (["ee", "ff"], "r", 0), (["", "ff"], "rr", 1)]
)
def test_extra_rope_in_keeps_to_two(reserved: list[str], icons: str, n: int) -> None:
    """10: two reserved orders at most, by bonuses as well."""
    harbour = Harbour(small=["aa", "bb", "cc", "dd"], reserved=reserved, icons=icons)
    harbour.turn(", ".join(["extra rope in, reserve small pile"] * n + ["take left, cell 5"]))
    assert "extra rope in" not in harbour.legal("act", n)
    assert len(harbour.icons()) == len(icons) - n


def test_only_you_may_help_this_customer() -> None:
    """Also one that came by a bonus."""
    harbour = Harbour(["", "ac. ... ..."], small=["ac", "ff"], icons="r")
    harbour.turns("extra rope in, reserve small 1, take left, cell 5").tried("take left, cell 3")
    assert "complete" not in harbour.legal("act", 1)


def test_nothing_to_rope_in() -> None:
    """Neither open orders nor piles: the icon cannot be used."""
    assert "extra rope in" not in Harbour(icons="r").acts()


# Extra Tentacle


@pytest.mark.parametrize(
    ("first", "legal"), [("left", ["middle", "right"]), ("middle", ["left", "right"]), ("right", ["left", "middle"])]
)
def test_extra_tentacle_takes_what_is_open(first: str, legal: list[str]) -> None:
    """11: the place of the action's card is not refilled yet."""
    harbour = Harbour(icons="t").turn(f"take {first}, cell 5, extra tentacle, ingredient {legal[1]}, cell 2")
    assert harbour.legal("ingredient") == legal
    assert harbour.told("take")[1]["way"] == "tentacle"


def test_the_action_takes_what_the_tentacle_left() -> None:
    """The bonus first."""
    harbour = Harbour(icons="t").turn("extra tentacle, ingredient middle, cell 5, take left, cell 2")
    assert [act for act in harbour.legal("act", 1) if act.startswith("take")] == ["take left", "take right"]


def test_three_cards_in_a_turn() -> None:
    """By two tentacles; then no open card is left."""
    harbour = Harbour(icons="ttt", stacks=("b", "d", "f"))
    harbour.turn("take left, cell 5, extra tentacle, ingredient middle, cell 2, extra tentacle, cell 8")
    assert (harbour.bakery(), harbour.icons(), harbour.open) == (".c. .a. .e.", "t", "bdf")


def test_extra_tentacle_makes_buns() -> None:
    """An ingredient card is placed by the rules of A."""
    harbour = Harbour("... .f. ...", icons="t").turn("extra tentacle, ingredient right, cell 5, take left, cell 2")
    assert (harbour.bakery(), harbour.discards) == (".a. .Z. ...", "ef")


@pytest.mark.parametrize(("open_cards", "may"), [("ccc", False), ("cbc", True), ("...", False), ("..b", True)])
def test_extra_tentacle_needs_a_place(open_cards: str, may: bool) -> None:
    """7: a full bakery: only a card that can be stacked."""
    assert ("extra tentacle" in Harbour("aaa aaa aaa", open=open_cards, icons="t").acts()) == may


# Take From the Supply, Starting Card


@pytest.mark.parametrize("bonus", ["take from supply", "starting card"])
@pytest.mark.parametrize(("stack", "item", "top"), [("left", "b", "d"), ("middle", "d", "f"), ("right", "f", "b")])
def test_the_top_card_of_a_stack(bonus: str, stack: str, item: str, top: str) -> None:
    """Face down, but known by its back; the next card is the new top; the open cards stay."""
    harbour = Harbour(icons="s", starting=1, small=["aa"])
    harbour.turn(f"{bonus}, stack {stack}, cell 5, rope in")
    assert harbour.legal("stack") == ["left", "middle", "right"]
    assert harbour.bakery() == f"... .{item}. ..."
    place = ["left", "middle", "right"].index(stack)
    assert (harbour.stacks[place][0], len(harbour.stacks[place]), harbour.open) == (top, 3, "ace")
    assert (harbour.told("take")[0]["way"], harbour.told("take")[0]["place"]) == ("supply", place)


@pytest.mark.parametrize("bonus", ["take from supply", "starting card"])
@pytest.mark.parametrize(
    ("bakery", "stacks", "legal"),
    [
        ("", ("b", "", "d"), ["left", "right"]),
        ("aaa aaa aaa", ("b", "d", "b"), ["left", "right"]),
        ("aaa aac caa", ("d", "b", "c"), ["left", "middle"]),
        ("", ("", "", ""), []),
        ("aaa aaa aaa", ("c", "d", "a"), []),
    ],
)
def test_stacks_to_take_from(bonus: str, bakery: str, stacks: tuple[str, ...], legal: list[str]) -> None:
    """Any that has a card which can be placed."""
    harbour = Harbour(bakery, stacks=stacks, icons="s", starting=1)
    harbour.tried(bonus if legal else "")
    assert (bonus in harbour.legal("act")) == bool(legal)
    assert harbour.legal("stack") == legal


def test_the_starting_card_is_a_take_from_the_supply() -> None:
    """Free, once; it is no icon, and icons are not used up by it."""
    harbour = Harbour(icons="s", starting=1).turn("starting card, stack left, cell 5, take left, cell 6")
    assert (harbour.icons(), harbour.state["starting"]) == ("s", [0, 0])
    assert "starting card" not in harbour.legal("act", 1)


def test_the_starting_card_in_any_turn() -> None:
    """It is kept until used."""
    harbour = Harbour(starting=[1, 1]).turns(
        "take left, cell 5", "starting card, stack left, cell 5, take left, cell 4"
    )
    assert harbour.state["starting"] == [1, 0]


def test_bonuses_follow_the_placement_rules() -> None:
    """Next to a card; 6: no stacking without a bun in stock."""
    harbour = Harbour("a.. ... ...", starting=1, stock=[0, 6, 6]).tried("starting card, stack left")
    assert harbour.cells() == "24"
