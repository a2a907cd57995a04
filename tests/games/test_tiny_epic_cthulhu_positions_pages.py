"""Witness 1: Translate Pages and the change to Phase Two in Tiny Epic Cthulhu, each sentence worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.games.tiny_epic_cthulhu import GAME
from tests.games.tiny_epic_cthulhu_position import Arkamoore

TRANSLATE = {"action": ["translate", "stop"]}


def translated(page: str = "1 ff r", **position: Any) -> Arkamoore:
    """A translation in town 0 and the end of the turn."""
    told = {"chaos_paid": position.pop("chaos_paid")} if "chaos_paid" in position else {}
    return Arkamoore(pages={0: page}, **position).actions(**TRANSLATE, **told)


@pytest.mark.parametrize(
    ("position", "legal"),
    [
        ({"temper": "ff"}, True),
        ({"temper": "ff", "down": [0]}, False),
        ({"temper": "f"}, False),
        ({"temper": "rrgg"}, False),
        ({"temper": "f", "chaos": 1}, True),
        ({"chaos": 2}, True),
        ({"temper": "rr", "chaos": 1}, False),
        ({"temper": "ff", "at": 1}, False),
        ({"temper": "ff", "rows": [5, 4, 0, 0, 0]}, False),
        ({"temper": "ff", "rows": [4, 5, 5, 5, 5]}, True),
        ({"temper": ["", "ff"]}, False),
    ],
)
def test_when_a_page_can_be_translated(position: dict[str, Any], legal: bool) -> None:
    """At one's location, face up, its Madness on one's own mat with Chaos as wild, a free space for its number."""
    town = Arkamoore(pages={0: "1 ff r"}, **position).actions()
    assert ("translate" in town.legal()) is legal


# A


def test_a_the_madness_shown_goes_to_the_discard_mat() -> None:
    """Of the colors shown; the rest stays on the mat."""
    town = translated("2 rg f", temper="rrggf")
    assert (town.temper[0], town.discard) == ("frg", "rg")
    assert {"card": 0, "paid": [0, 0, 0], "chaos": False}.items() <= town.told("translate")[0].items()


@pytest.mark.parametrize(
    ("temper", "chaos", "legal"),
    [("ff", 2, ["0", "1", "2"]), ("ff", 1, ["0", "1"]), ("f", 2, ["1", "2"]), ("f", 1, []), ("", 2, [])],
)
def test_a_chaos_is_wild(temper: str, chaos: int, legal: list[str]) -> None:
    """Chaos Tentacles in place of any; they go to the general supply."""
    for answer in legal or [None]:
        told = {"chaos_paid": answer} if answer else {}
        town = translated("1 ff r", temper=temper, chaos=chaos, **told)
        paid = int(answer) if answer else 2 - len(temper)
        assert town.legal("chaos_paid") == legal
        assert (town.chaos[0], town.chaos_supply, town.discard) == (chaos - paid, 7 + paid, "f" * (2 - paid))
        assert town.told("translate")[0]["paid"] == [paid, 0, 0]


@pytest.mark.parametrize(
    ("temper", "chaos", "asked", "answers", "left"),
    [
        ("fg", 2, [["0", "1"], ["0", "1"]], ["0", "0"], ("", 2)),
        ("fg", 2, [["0", "1"], ["0", "1"]], ["1", "1"], ("fg", 0)),
        ("fg", 1, [["0", "1"], ["0", "1"]], ["0", "1"], ("g", 0)),
        ("fg", 1, [["0", "1"]], ["1"], ("f", 0)),
        ("f", 1, [], [], ("", 0)),
        ("f", 2, [["0", "1"]], ["1"], ("f", 0)),
        ("g", 2, [["0", "1"]], ["0"], ("", 1)),
    ],
)
def test_a_chaos_for_two_colours(
    temper: str, chaos: int, asked: list[list[str]], answers: list[str], left: tuple[str, int]
) -> None:
    """Color after color: Chaos that a later color lacks cannot be spent on an earlier one."""
    town = translated("1 fg r", temper=temper, chaos=chaos, **({"chaos_paid": answers} if answers else {}))
    assert [town.legal("chaos_paid", time) for time in range(town.asked("chaos_paid"))] == asked
    assert (town.temper[0], town.chaos[0]) == left


@pytest.mark.parametrize(("cost", "temper"), [("-", ""), ("g", "g"), ("ffr", "ffr"), ("frg", "frg"), ("rrr", "rr")])
def test_a_pages_of_other_costs(cost: str, temper: str) -> None:
    """None, one, or three tentacles; three of one color take a Chaos."""
    town = translated(f"1 {cost} r", temper=temper, chaos=int(cost == "rrr"))
    assert (town.temper[0], town.discard, town.rows[0]) == ("", temper, 1)


# B


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_b_a_token_for_the_number_indicated(number: int) -> None:
    """In the left-most space available."""
    town = translated(f"{number} ff r", temper="ff", rows=[1, 1, 1, 1, 0])
    rows = [1, 1, 1, 1, 0]
    rows[number - 1] += 1
    assert town.rows == rows


# C


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ([3, 0, 0, 0, 0], 0),
        ([4, 0, 0, 0, 0], 1),
        ([0, 1, 1, 1, 1], 1),
        ([4, 5, 5, 5, 5], 2),
        ([2, 3, 3, 3, 3], 1),
        ([4, 4, 4, 4, 4], 1),
        ([3, 4, 5, 5, 5], 1),
    ],
)
def test_c_chaos_of_completed_lines(rows: list[int], lines: int) -> None:
    """A column or row that is completed: its Chaos to the Discard Mat. One page may complete both."""
    town = translated("1 ff r", temper="ff", rows=rows)
    in_discard_or_bag = town.discard.count("c") + town.bag.count("c")
    assert (town.told("translate")[0]["lines"], in_discard_or_bag) == (lines, lines)
    before = sum(row == 5 for row in rows) + min(rows)
    assert town.state["lines"] == 10 - before - lines


# D


def test_d_runes_are_the_players_own() -> None:
    """The card is placed next to your Player Mat."""
    town = translated("1 ff rrg", whose=1, at=0, temper=["", "ff"], runes=["f", "g"])
    assert town.runes == ["f", "rrgg"]


# A new Page Card


def test_a_new_page_comes_face_down() -> None:
    """From the deck, in place of the one translated; nobody has seen it. It can be flipped later."""
    town = translated(temper="ff")
    assert (town.n_dealt, town.face_up[0], town.known[0]) == (6, False, False)
    assert town.pages[0] in range(30)
    assert town.pages[1:] == [-1] * 4


def test_no_new_page_from_an_empty_deck() -> None:
    """Then there is none at this town any more."""
    town = translated(temper="ffrr", n_dealt=30)
    assert (town.n_dealt, town.pages[0], town.face_up[0]) == (30, -1, False)
    assert "translate" not in town.legal(time=1)


def test_a_page_paid_with_chaos() -> None:
    """A further action may be a translation."""
    town = Arkamoore(pages={0: "1 ff r"}, temper="ff", chaos=1, rules={"actions": 1}, madness={0: "g"})
    town.actions(action="collect", chaos_action="translate")
    assert town.told("translate")[0]["chaos"] is True
    assert (town.chaos_supply, town.temper[0]) == (8, "g")


# Important: the last page

LAST: dict[str, Any] = {"rows": [4, 5, 5, 5, 5], "temper": "ff"}


def test_the_last_page_flips_the_mat() -> None:
    """The Strength Token goes to the start of the new side; all tentacles on the Discard Mat into the bag."""
    town = translated(**LAST, strength=3, discard="frrgcee", bag="r", energy=1)
    (event,) = town.told("phase")
    assert (event["state"]["side"], event["state"]["strength"]) == (1, 0)
    # two fear are paid and two lines' Chaos comes first
    assert (town.bag, town.discard) == ("fffrrrgcccee", "")
    assert (town.energy, town.rows, town.state["lines"]) == (1, [5] * 5, 0)


def test_phase_two_begins_immediately() -> None:
    """Within the turn: portals may be tried, the Great Old One's town entered, and nobody must leave any more."""
    town = Arkamoore(pages={0: "1 ff r"}, **LAST | {"temper": "ffr"}, goo=0, runes="r").actions(
        action=["translate", "seal", "stop"], portal="rage first", dice=[0, 0]
    )
    assert town.legal(time=0) == [
        *("1 clockwise", "2 clockwise", "3 clockwise", "1 back", "2 back", "3 back"),
        "translate",
    ]
    assert town.legal(time=1) == ["1 clockwise", "1 back", "seal", "stop"]


def test_the_24th_page_does_not() -> None:
    """All 25 pages are needed."""
    town = translated(rows=[4, 4, 5, 5, 5], temper="ff")
    assert (town.told("phase"), town.side) == ([], 0)


def test_the_new_side_counts_from_then_on() -> None:
    """Draws and the loss are those of the back."""
    town = translated(**LAST, strength=3, back=[4, 5], front=[1, 1, 1, 1, 1], bag="g" * 9)
    assert len(town.turn(2, draws="fgggg").told("draw")) == 4 + 1  # one for the icon


# The printed pages (assumed)


def test_printed_pages() -> None:
    """Six of each number; two tentacles each, every pair of colors five times; ten runes of each color."""
    pages = GAME.components["pages"].value
    assert [sum(page["number"] == number for page in pages) for number in range(1, 6)] == [6] * 5
    pairs = [tuple(sorted(page["cost"][:2])) for page in pages]
    assert {pairs.count(pair) for pair in set(pairs)} == {5}
    assert len(set(pairs)) == 6
    runes = [rune for page in pages for rune in page["runes"]]
    assert [runes.count(colour) for colour in ("fear", "rage", "greed")] == [10] * 3
