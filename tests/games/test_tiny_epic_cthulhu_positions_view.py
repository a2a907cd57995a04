"""Witness 1: what a seat of Tiny Epic Cthulhu sees when it is asked, and what each decision is about."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.games.tiny_epic_cthulhu.cards import PLACES
from simkit.view import View
from tests.games.tiny_epic_cthulhu_position import Arkamoore

PAGES = {0: "1 ff r", 1: "2 rr f", 2: "3 gg f", 3: "4 fr g", 4: "5 rg g"}
NO_CARD = 255


def seen(town: Arkamoore, **names: Any) -> dict[str, Any]:
    """What a view has at the first decision of the turn, in plain values: attributes, or methods with a number."""
    town.look = lambda view: {name: _plain(view, name, left) for name, left in names.items()}
    town.actions()
    return town.script.seen[0]


def _plain(view: View, name: str, left: int | None) -> Any:
    """An attribute, or what a method says of a seat so many places to the left."""
    value = getattr(view, name)
    return (value if left is None else value(left))[..., 0].tolist()


# What lies on the table is seen by all


def test_the_table() -> None:
    """Tentacles and Shamblers wherever they lie, the bag's too, which can be counted."""
    town = Arkamoore(
        bag="frrgce", discard="fce", mat="rgg", mat_shamblers="ffg", chaos_supply=4, eldritch_supply=6, energy=1,
        strength=2, madness={1: "ffg"}, shamblers={4: "rg"}, rows=[1, 0, 2, 0, 5], goo=2,
    )  # fmt: skip
    wanted: dict[str, Any] = {
        "bag": [1, 2, 1, 1, 1],
        "discard": [1, 0, 0, 1, 1],
        "mat": [0, 1, 2],
        "mat_shamblers": [2, 0, 1],
        "chaos_supply": 4,
        "eldritch_supply": 6,
        "madness": [[0, 0, 0], [2, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        "shamblers": [[0, 0, 0]] * 4 + [[0, 1, 1]],
        "n_shamblers": [0, 0, 0, 0, 2],
        "rows": [1, 0, 2, 0, 5],
        "goo": 2,
        "energy": 1,
        "energy_room": 1,
        "strength": 2,
        "strength_left": 3,  # 3, 3, 3, 4, 5 and the last space
        "n_draws": 3,
        "is_phase_two": False,
        "is_sealed": [False] * 6,
        "actions_left": 3,
        "must_leave": False,
        "ability_used": False,
    }
    assert seen(town, **dict.fromkeys(wanted)) == wanted


def test_the_table_in_phase_two() -> None:
    """The back's track and spaces count."""
    town = Arkamoore(phase=2, back=[3, 6], strength=1, portals="f..c.g", energy=2, rules={"energy_track": [2, 3]})
    wanted: dict[str, Any] = {"is_phase_two": True, "n_draws": 6, "strength_left": 1, "energy_room": 1}
    wanted["is_sealed"] = [True, False, False, True, False, True]
    assert seen(town, **dict.fromkeys(wanted)) == wanted


def test_pages_that_were_never_up_are_not_known() -> None:
    """A page turned down again stays known; where none lies there is none to know."""
    town = Arkamoore(
        pages={0: "1 ff r", 1: "2 rr f", 3: "4 fr g"}, down=[1, 3], known=[True, False, False, True, False]
    )
    wanted: dict[str, Any] = {
        "page": [0, NO_CARD, NO_CARD, 2, NO_CARD],
        "face_up": [True, False, False, False, False],
        "has_page": [True, True, False, True, False],
    }
    assert seen(town, **dict.fromkeys(wanted)) == wanted


@pytest.mark.parametrize("left", [0, 1, 2])
def test_seats_are_seen_from_where_one_sits(left: int) -> None:
    """0 is the seat that is asked, 1 the next one clockwise."""
    town = Arkamoore(
        3, whose=2, at=[1, 4, 2], temper=["f", "rr", "g"], chaos=[1, 0, 2], brain=[0, 3, 1], runes=["", "g", "ff"]
    )
    seat = (2 + left) % 3
    wanted = {
        "at": [1, 4, 2][seat],
        "temper": [[1, 0, 0], [0, 2, 0], [0, 0, 1]][seat],
        "chaos": [1, 0, 2][seat],
        "brain": [0, 3, 1][seat],
        "runes": [[0, 0, 0], [0, 0, 1], [2, 0, 0]][seat],
        "character": seat,
    }
    assert seen(town, **dict.fromkeys(wanted, left)) == wanted


def ahead(view: View) -> list[Any]:
    """Madness one and two towns clockwise, and three the other way."""
    return [view.ahead(view.madness, steps) for steps in (1, 2, -3)]


def test_here_and_ahead() -> None:
    """What an array by towns has at one's own town, and so many clockwise of it."""
    town = Arkamoore(at=3, goo=1, madness={3: "f", 4: "rr", 0: "ggg"})
    town.look = lambda view: [place[:, 0].tolist() for place in (view.here(view.madness), *ahead(view))]
    town.actions()
    assert town.script.seen[0] == [[1, 0, 0], [0, 2, 0], [0, 0, 3], [0, 0, 3]]


def test_the_pointers_town_of_this_turn() -> None:
    """The one that the spin of the turn showed."""
    town = Arkamoore(icon="madness", mat="fr")
    town.look = lambda view: view.pointer_town[0].item()
    assert town.wheel(6, wheel_madness="fear").script.seen == [3]


# What decisions are about


def test_flip_tells_the_way() -> None:
    """The town that each option means."""
    town = Arkamoore(goo=4, at=2, temper="f", pages=PAGES, down=range(5)).actions(action="2 back", flip="none")
    assert town.offer("flip")["way"] == [1, 0, NO_CARD, NO_CARD]


def test_collect_and_tentacle_tell_how_many_more() -> None:
    """This one included; a tentacle also from where to where."""
    town = Arkamoore(temper="gg", madness={0: "ffr"}).actions(
        action=["collect", "stop"], collect=["fear", "fear", "stop"]
    )
    assert [town.offer("collect", time)["n_more"] for time in range(3)] == [3, 2, 1]
    move = {"do": "move", "what": "madness", "from": "mat", "to": "bag", "n": 3}
    town = Arkamoore(mat="fffr", effects=[move]).actions(
        action=["town action", "stop"], tentacle=["fear", "rage", "stop"]
    )
    assert [town.offer("tentacle", time)["n_more"] for time in range(3)] == [3, 2, 1]
    assert [PLACES[town.offer("tentacle")[place]] for place in ("source", "target")] == ["mat", "bag"]


def test_banish_tells_dice_and_cost() -> None:
    """Also which dice may be rolled again, how many."""
    town = Arkamoore(shamblers={0: "ff"}, temper="ff", chaos=1, brain=1).actions(
        action=["banish", "stop"], dice=[2, 0, 1], reroll_banish="die 1", banish="fear", chaos_paid="1"
    )
    assert {"dice": [2, 0, NO_CARD], "n_rerolls": 1}.items() <= town.offer("reroll_banish").items()
    assert {"dice": [1, 0, NO_CARD], "cost": 1}.items() <= town.offer("banish").items()
    assert {"colour": 0, "need": 1, "purpose": 0}.items() <= town.offer("chaos_paid").items()


def test_translate_tells_what_chaos_would_stand_for() -> None:
    """A color after the other."""
    town = Arkamoore(pages={0: "1 rg f"}, temper="rg", chaos=2)
    town.actions(action=["translate", "stop"], chaos_paid=["0", "0"])
    told = [{"colour": colour, "need": 1, "purpose": 1} for colour in (1, 2)]
    assert [want.items() <= town.offer("chaos_paid", time).items() for time, want in enumerate(told)] == [True] * 2


def test_seal_tells_the_number_to_reach() -> None:
    """The portal, its number, the dice."""
    town = Arkamoore(phase=2, goo=0, runes="rr", temper="r", chaos=1, brain=2)
    town.actions(action=["seal", "stop"], portal="rage second", dice=[2, 2], reroll_seal="keep", chaos_paid="0")
    told = {"portal": 3, "need": 4, "dice": [2, 2, NO_CARD], "n_rerolls": 2}
    assert told.items() <= town.offer("reroll_seal").items()
    assert {"colour": 1, "need": 1, "purpose": 2}.items() <= town.offer("chaos_paid").items()


@pytest.mark.parametrize(
    ("effect", "decision", "purpose", "answer"),
    [("reveal", "page", 0, "stop"), ("swap", "page", 1, "stop"), ("travel", "town", 0, 2), ("lure", "town", 1, 2)],
)
def test_pages_and_towns_tell_what_for(effect: str, decision: str, purpose: int, answer: Any) -> None:
    """0 to turn up or to travel, 1 to swap or to lure."""
    town = Arkamoore(pages=PAGES, down=[1], effects=[{"do": effect}])
    town.actions(action=["town action", "stop"], **{decision: answer})
    assert town.offer(decision)["purpose"] == purpose


def test_who_must_leave_is_told() -> None:
    """Until the Great Old One is left; and whether the ability has been used."""
    calm = {"do": "move", "what": "chaos", "from": "supply", "to": "discard"}
    town = Arkamoore(goo=0, who={"effects": [calm]})
    town.look = lambda view: (view.must_leave[0].item(), view.ability_used[0].item(), view.actions_left[0].item())
    town.actions(action=["ability", "1 back", "stop"])
    assert town.script.seen == [(True, False, 3), (True, True, 3), (False, True, 2)]
