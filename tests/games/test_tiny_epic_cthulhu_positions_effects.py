"""Witness 1: town actions and abilities in Tiny Epic Cthulhu: every effect that they can have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tiny_epic_cthulhu_position import Arkamoore

COLOURS = ("fear", "rage", "greed")
PAGES = {0: "1 ff r", 1: "2 rr f", 2: "3 gg f", 3: "4 fr g", 4: "5 rg g"}
PLACES = {"here": "madness", "discard": "discard", "mat": "mat", "you": "temper", "bag": "bag"}
BOTH = pytest.mark.parametrize("by", ["town action", "ability"])


def move(what: str, source: str, target: str, n: int = 1) -> dict[str, Any]:
    """Tentacles change places."""
    return {"do": "move", "what": what, "from": source, "to": target, "n": n}


def position(*effects: dict[str, Any], by: str, **there: Any) -> Arkamoore:
    """A town whose action, or a seat whose ability, has these effects."""
    return Arkamoore(**({"effects": effects} if by == "town action" else {"who": {"effects": effects}}), **there)


def done(*effects: dict[str, Any], by: str = "town action", **there: Any) -> Arkamoore:
    """The effects carried out once, and the end of the turn."""
    names = ("tentacle", "page", "town", "banish", "reroll_banish", "target", "chaos_paid", "draws", "dice")
    told = {name: there.pop(name) for name in names if name in there}
    return position(*effects, by=by, **there).actions(action=[by, "stop"], **told)


def offered(*effects: dict[str, Any], by: str, **there: Any) -> bool:
    """Whether it may be used."""
    return (
        by
        in position(*effects, by=by, **there).actions(**({"action": "1 back"} if there.get("goo") == 0 else {})).legal()
    )


def lying(town: Arkamoore, place: str) -> str:
    """Madness at a place."""
    there = getattr(town, PLACES[place])
    return there[0] if place in ("here", "you") else there


ROUTES = [
    (source, target)
    for source in ("here", "discard", "mat", "you")
    for target in ("here", "discard", "mat", "you", "bag")
    if source != target
]


def laid(source: str, target: str, moved: str, there: str) -> dict[str, Any]:
    """Madness at the two places."""
    piles = {PLACES[source]: moved, PLACES[target]: there}
    return {name: {0: pile} if name == "madness" else pile for name, pile in piles.items()}


# move: Madness


@BOTH
@pytest.mark.parametrize(("source", "target"), ROUTES)
def test_move_madness(by: str, source: str, target: str) -> None:
    """One by one, of a color that is there; one may stop; it ends after n."""
    effect = move("madness", source, target, 2)
    town = done(effect, by=by, **laid(source, target, "frg", ""), tentacle=["greed", "fear"])
    assert (lying(town, source), lying(town, target)) == ("r", "fg")
    assert town.legal("tentacle", 0) == [*COLOURS, "stop"]
    assert town.legal("tentacle", 1) == ["fear", "rage", "stop"]
    assert town.asked("tentacle") == 2
    told = [{"what": what, "source": source, "target": target, "number": 1} for what in ("greed", "fear")]
    assert [event | want for event, want in zip(town.told("moved"), told, strict=True)] == town.told("moved")
    town = done(effect, by=by, **laid(source, target, "ff", ""), tentacle="stop")
    assert (lying(town, source), town.told("moved")) == ("ff", [])


@BOTH
@pytest.mark.parametrize(("source", "target"), [route for route in ROUTES if route[1] in ("you", "here")])
def test_move_madness_where_there_is_room(by: str, source: str, target: str) -> None:
    """Two on a Temperament Track, three on a Madness Track; nothing is accursed."""
    full = {"you": "ff", "here": "fff"}[target]
    town = done(move("madness", source, target, 3), by=by, **laid(source, target, "ffr", full), tentacle="rage")
    assert (lying(town, source), lying(town, target)) == ("ff", full + "r")
    assert town.legal("tentacle") == ["rage", "stop"]
    assert not offered(move("madness", source, target), by=by, **laid(source, target, "ff", full))


@BOTH
@pytest.mark.parametrize(("source", "target"), ROUTES)
def test_move_madness_that_is_not_there(by: str, source: str, target: str) -> None:
    """Not offered."""
    assert not offered(move("madness", source, target), by=by, **laid(source, target, "", "r"))


# move: Chaos and Eldritch


@BOTH
@pytest.mark.parametrize("source", ["supply", "discard"])
@pytest.mark.parametrize(
    ("target", "held", "there", "n", "moved"),
    [
        ("you", 0, 5, 1, 1),
        ("you", 1, 5, 2, 1),
        ("you", 0, 1, 2, 1),
        ("you", 2, 5, 1, 0),
        ("bag", 0, 5, 2, 2),
        ("bag", 0, 1, 2, 1),
        ("bag", 0, 0, 2, 0),
    ],
)
def test_move_chaos(by: str, source: str, target: str, held: int, there: int, n: int, moved: int) -> None:
    """As many as there are and fit, nobody being asked; two fit on the Chaos Track."""
    piles: dict[str, Any] = {"chaos": held, "chaos_supply": 0} | (
        {"chaos_supply": there} if source == "supply" else {"discard": "c" * there}
    )
    effect = move("chaos", source, target, n)
    assert offered(effect, by=by, **piles) is bool(moved)
    if moved:
        town = done(effect, by=by, **piles)
        assert (town.chaos_supply if source == "supply" else len(town.discard)) == there - moved
        assert (town.chaos[0] if target == "you" else len(town.bag)) == held * (target == "you") + moved
        assert {"what": "chaos", "number": moved}.items() <= town.told("moved")[0].items()


@BOTH
def test_move_chaos_between_supply_and_discard_mat(by: str) -> None:
    """Either way."""
    assert done(move("chaos", "supply", "discard", 2), by=by).discard == "cc"
    assert done(move("chaos", "discard", "supply", 2), by=by, discard="cf").chaos_supply == 8


@BOTH
@pytest.mark.parametrize(
    ("source", "target"),
    [(s, t) for s in ("energy", "discard", "supply") for t in ("bag", "discard", "supply") if s != t],
)
@pytest.mark.parametrize("n", [1, 2])
def test_move_eldritch(by: str, source: str, target: str, n: int) -> None:
    """As many as there are, up to n; the Eldritch on the towns stay."""
    piles: dict[str, Any] = {"energy": 0, "eldritch_supply": 0}
    one = {"energy": {"energy": 1}, "discard": {"discard": "e"}, "supply": {"eldritch_supply": 1}}[source]
    assert not offered(move("eldritch", source, target, n), by=by, **piles)
    town = done(move("eldritch", source, target, n), by=by, **piles | one)
    assert {"bag": town.bag, "discard": town.discard, "supply": "e" * town.eldritch_supply}[target] == "e"
    assert town.town_eldritch == [1] * 5
    assert {"what": "eldritch", "source": source, "target": target, "number": 1}.items() <= town.told("moved")[
        0
    ].items()


# draw, reveal, swap


@BOTH
def test_draw(by: str) -> None:
    """Onto one's own mat, as beside Shamblers: tracks may become accursed."""
    town = done({"do": "draw", "n": 3}, by=by, bag="fceg", draws="fce", temper="ff", energy=2)
    assert (town.temper[0], town.chaos[0], town.energy, town.strength, town.brain[0]) == ("", 1, 0, 1, 1)
    assert {event["source"] for event in town.told("draw")} == {"effect"}
    assert not offered({"do": "draw"}, by=by)


@BOTH
def test_a_draw_that_loses_the_game(by: str) -> None:
    """What comes after it in the list is not carried out."""
    effects = [{"do": "draw"}, move("chaos", "supply", "discard")]
    town = position(*effects, by=by, bag="r", temper="rr", brain=3).actions(action=by)
    assert (town.over, town.discard) == ("delirium", "")
    assert (town.result("trigger"), town.result("track")) == (by, "rage")


@BOTH
def test_reveal(by: str) -> None:
    """Up to n face-down pages anywhere; one may stop."""
    town = done({"do": "reveal", "n": 2}, by=by, pages=PAGES, down=[0, 2, 4], page=[4, 0])
    assert town.legal("page", 0) == ["town 0", "town 2", "town 4", "stop"]
    assert town.legal("page", 1) == ["town 0", "town 2", "stop"]
    assert town.face_up == town.known == [True, True, False, True, True]
    assert [(event["town"], event["card"]) for event in town.told("reveal")] == [(4, 4), (0, 0)]
    town = done({"do": "reveal", "n": 2}, by=by, pages=PAGES, down=[1, 2], page=[1, "stop"])
    assert town.face_up == [True, True, False, True, True]
    assert not offered({"do": "reveal"}, by=by, pages=PAGES)


@BOTH
def test_swap(by: str) -> None:
    """The page here with that of another town; they keep how they lie, and who has seen them."""
    town = done({"do": "swap"}, by=by, pages=PAGES, down=[3, 4], known=[True, True, True, False, True], page=3)
    assert town.legal("page") == ["town 1", "town 2", "town 3", "town 4", "stop"]
    assert (town.pages, town.face_up) == ([3, 1, 2, 0, 4], [False, True, True, True, False])
    assert town.known == [False, True, True, True, True]
    assert {"town": 0, "other": 3}.items() <= town.told("swap")[0].items()
    assert not done({"do": "swap"}, by=by, pages=PAGES, page="stop").told("swap")
    assert not offered({"do": "swap"}, by=by, pages={0: "1 ff r"})
    assert not offered({"do": "swap"}, by=by, pages={1: "1 ff r", 2: "1 ff r"})


# travel, lure


@BOTH
def test_travel(by: str) -> None:
    """Any other town, in Phase One not the Great Old One's; nothing is drawn and no page flipped there."""
    there: dict[str, Any] = {"shamblers": {2: "rrr"}, "bag": "fff", "pages": PAGES, "down": [2]}
    town = done({"do": "travel"}, by=by, **there, town=2)
    assert town.legal("town") == ["town 1", "town 2", "town 4"]
    assert (town.at[0], town.bag, town.face_up[2]) == (2, "fff", False)
    assert town.told("travel")[0]["town"] == 2
    town = done({"do": "travel"}, by=by, phase=2, town=3)
    assert (town.legal("town"), town.at[0]) == (["town 1", "town 2", "town 3", "town 4"], 3)


@BOTH
def test_who_travels_has_left_the_great_old_one(by: str) -> None:
    """One need not leave any more."""
    town = position({"do": "travel"}, by=by, goo=0).actions(action=[by, "stop"], town=1)
    assert town.legal(time=0)[-1] == by
    assert "stop" in town.legal(time=1)


@BOTH
def test_lure(by: str) -> None:
    """The Great Old One goes to any other town, also to one's own."""
    town = done({"do": "lure"}, by=by, town=0)
    assert town.legal("town") == ["town 0", "town 1", "town 2", "town 4"]
    assert (town.goo, town.at[0]) == (0, 0)
    assert town.told("lure")[0]["town"] == 0
    assert "stop" in town.legal(time=1)


@BOTH
def test_who_lures_the_great_old_one_away_need_not_leave(by: str) -> None:
    """They are no longer in one town."""
    town = position({"do": "lure"}, by=by, goo=0).actions(action=[by, "stop"], town=4)
    assert "stop" not in town.legal(time=0)
    assert "stop" in town.legal(time=1)
    assert town.goo == 4


# banish


@BOTH
@pytest.mark.parametrize(
    ("shamblers", "n", "dice"), [("frg", 1, 2), ("frg", 2, 1), ("frg", 3, 1), ("f", 1, 1), ("ff", 0, 2)]
)
def test_banish(by: str, shamblers: str, n: int, dice: int) -> None:
    """With n dice fewer, at least one; otherwise like the action, and it takes no further one."""
    town = done(
        {"do": "banish", "n": n},
        by=by,
        shamblers={0: shamblers},
        dice=[1] * dice,
        temper="fr",
        mat="fff",
        banish="fear",
    )
    assert town.told("roll")[0]["dice"] == [1] * dice + [-1] * (3 - dice)
    assert {"colour": 0, "paid": 0, "source": "effect"}.items() <= town.told("banish")[0].items()
    assert (town.temper[0], town.discard, town.shamblers[0]) == ("r", "fff", shamblers.replace("f", "", 1))
    assert not offered({"do": "banish", "n": n}, by=by)


@BOTH
def test_banish_rerolls_and_rage(by: str) -> None:
    """Dice may be rerolled as always, and Rage moves more Madness; the target may have to be said before the roll."""
    there: dict[str, Any] = {"shamblers": {0: "fg"}, "temper": "frr", "mat": "ffff", "brain": 1}
    town = done({"do": "banish"}, by=by, **there, dice=[2, 1], reroll_banish="die 1", banish="fear")
    assert (town.temper[0], town.discard) == ("rr", "ffff")
    before = there | {"rules": {"banish_target": "before-roll"}}
    town = done({"do": "banish"}, by=by, **before, dice=[1], reroll_banish="keep", target="greed")
    assert (town.legal("target"), town.legal("banish")) == (["fear", "greed"], ["none"])


@BOTH
def test_effects_in_order(by: str) -> None:
    """Those that can do nothing are passed over; one being possible is enough."""
    effects = [{"do": "banish"}, move("chaos", "supply", "you"), move("madness", "you", "discard", 2)]
    town = done(*effects, by=by, temper="f", tentacle="fear")
    assert (town.course, town.discard, town.chaos[0]) == (
        [by.split()[0], "moved", "moved", "stop"], "f", 1
    )  # fmt: skip
