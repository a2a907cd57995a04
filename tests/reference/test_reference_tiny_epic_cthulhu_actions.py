"""The Tiny Epic Cthulhu reference against traces written by hand: Step 2, dice, pages, portals, abilities."""

from __future__ import annotations

import copy
from typing import Any

from .tiny_epic_cthulhu_traces import (
    ABILITY,
    BANISH,
    BOX,
    COLLECT,
    ONE,
    ONE_BACK,
    SEAL,
    STOP,
    THREE,
    THREE_BACK,
    TOWN,
    TRANSLATE,
    TWO,
    TWO_BACK,
    Trace,
    page,
)

FEAR, RAGE, GREED, CHAOS, ELDRITCH = range(5)
NO_FLIP, NOTHING, KEEP = 4, 3, 0
PHASE_TWO: dict[str, Any] = {"side": 1, "rows": [5] * 5, "lines": 0, "pages": [-1] * 5}
EMPTY = [0, 0, 0]


def lying(**towns: list[int]) -> list[list[int]]:
    """What lies in the towns, none but those that are given: t0 = [1, 0, 0]."""
    return [towns.get(f"t{town}", EMPTY) for town in range(5)]


# Move


def test_fear_lets_one_move_further_but_not_through_the_great_old_one() -> None:
    trace = Trace(temper=[[1, 0, 0], EMPTY]).begin()
    trace.fork().act([ONE, TOWN, STOP], ONE).refused(r"action between \[0, 1, 10, 14\]")
    trace.act([ONE, TWO, TOWN, STOP], TWO).walk(2).decide("flip", [0, 1, NO_FLIP], 0, way=[1, 2, 255, 255])
    trace.tell("flip", {"face_up 1": True, "known 1": True}, town=1, card=6).stop(ONE, TWO_BACK, ONE_BACK, TOWN)
    trace.case("flipped a page moved past")
    free = Trace(temper=[[2, 0, 0], EMPTY], **PHASE_TWO).begin()
    free.act([ONE, TWO, THREE, ONE_BACK, TWO_BACK, THREE_BACK, TOWN, STOP], TWO_BACK).walk(-2)
    free.draw(FEAR, {"temper 0 0": 0, "mat 0": "+3"}, "stop", accursed=True).tell("delirium", {"brain 0": 1})
    free.case("moved past the Great Old One in Phase Two")


def test_exactly_the_distance_unless_it_is_not_open() -> None:
    trace = Trace(rules={"move_distance": "exact"}, temper=[[1, 0, 0], EMPTY]).begin()
    trace.fork().act([ONE, TWO, TOWN, STOP], TWO).refused(r"action between \[1, 10, 14\]")
    trace.act([TWO, TOWN, STOP], TWO).follow()
    blocked = Trace(rules={"move_distance": "exact"}, at=[3, 0], temper=[[2, 0, 0], EMPTY]).begin()
    blocked.act([THREE_BACK, BANISH, TOWN, STOP], STOP).follow()
    between = Trace(rules={"move_distance": "exact"}, at=[3, 0], characters=[3, 7], temper=[[2, 0, 0], EMPTY]).begin()
    between.act([ONE_BACK, TWO_BACK, THREE_BACK, BANISH, TOWN, STOP], STOP).case("the exact distance is not open")


def test_as_published_only_the_page_where_one_stops_is_flipped() -> None:
    trace = Trace(rules={"flip": "stopped"}, temper=[[1, 0, 0], EMPTY]).begin()
    trace.act([ONE, TWO, TOWN, STOP], TWO).walk(2)
    trace.fork().decide("flip", [0, 1, NO_FLIP], 0).refused(r"flip between \[1, 4\]")
    trace.decide("flip", [1, NO_FLIP], NO_FLIP).stop(ONE, TWO_BACK, ONE_BACK, TOWN).case("flip declined")


def test_stopping_beside_shamblers_draws_one_for_each() -> None:
    trace = Trace(shamblers=lying(t1=[1, 1, 0]), bag=[0, 1, 0, 0, 1], energy=2, face_up=[True] * 5, known=[True] * 5)
    trace.begin().act([ONE, STOP], ONE).walk(1)
    refilled = {"energy": 0, "bag": [3, 4, 3, 1, 3], "discard": [0] * 5}
    trace.tell("draw", refilled, kind=ELDRITCH, source="stop", accursed=True).tell("strength", {"strength": 1})
    trace.fork().act([ONE, ONE_BACK, BANISH, STOP], STOP).refused("event 'draw'; found 'decision action'")
    trace.draw(CHAOS, {"chaos 0": 1}, "stop").stop(ONE, ONE_BACK, BANISH).follow()
    passive = Trace(characters=[5, 7], face_up=[True] * 5, known=[True] * 5).begin().act([ONE, STOP], ONE).walk(1)
    passive.stop(ONE, ONE_BACK, BANISH).case("Shamblers passed by without a draw")
    empty = Trace(shamblers=lying(t1=[1, 1, 0]), bag=[0, 0, 0, 1, 0], face_up=[True] * 5, known=[True] * 5)
    empty.begin().act([ONE, STOP], ONE).walk(1).draw(CHAOS, {"chaos 0": 1}, "stop").stop(ONE, ONE_BACK, BANISH)
    empty.case("bag runs empty when stopping")


def test_a_temperament_accursed_by_a_draw_drives_towards_madness() -> None:
    def walked(**given: Any) -> Trace:
        trace = Trace(temper=[[0, 2, 0], EMPTY], face_up=[True] * 5, known=[True] * 5, **given).begin()
        trace.act([ONE, TOWN, STOP], ONE).walk(1)
        return trace.draw(RAGE, {"temper 0 1": 0, "mat 1": "+3"}, "stop", accursed=True)

    walked().stop().refused("event 'delirium'; found 'stop'")
    walked().tell("delirium", {"brain 0": 1}).stop(ONE, ONE_BACK, BANISH).follow()
    mad = walked(brain=[3, 0]).tell("delirium", {"brain 0": 4})
    mad.stop().refused("event 'end'; found 'stop'")
    there = walked(rules={"brain_at_start": True}, brain=[1, 1])
    there.events[0]["state"]["brain"] = [1, 1]
    there.fork().tell("delirium", {"brain 0": 2}).refused("state brain")
    there.tell("delirium").case("first accursed leaves the Brain Token where it is")


def test_the_great_old_one_must_be_left_with_an_action() -> None:
    beside = {"at": [4, 0], "madness": lying(t4=[1, 0, 0])}
    trace = Trace(**beside).begin(must_leave=True)
    trace.fork().act([ONE, ONE_BACK, COLLECT, BANISH, TOWN, STOP], ONE).refused("action between")
    trace.act([ONE, ONE_BACK, COLLECT, BANISH, TOWN], COLLECT)
    trace.tell("collect", {"madness 4 0": 0, "temper 0 0": 1}, colour=FEAR, chaos=False)
    trace.act([ONE, TWO, ONE_BACK, TWO_BACK, BANISH, TOWN], BANISH).roll(0).decide("banish", [FEAR, NOTHING], NOTHING)
    trace.tell("banish", colour=-1, paid=0, source="action")
    trace.fork().act([ONE, TWO, ONE_BACK, TWO_BACK, BANISH, TOWN], ONE).refused("action between")
    trace.act([ONE, TWO, ONE_BACK, TWO_BACK], ONE).case("must leave with the last action")
    first = Trace(rules={"must_leave": "first-action"}, **beside).begin(must_leave=True)
    first.act([ONE, ONE_BACK], ONE).walk(1).case("must leave with the first action")


def test_who_was_not_beside_the_great_old_one_at_the_turns_start_need_not_leave() -> None:
    trace = Trace(rules={"must_leave_checked": "turn-start"}, at=[4, 0]).begin()
    trace.act([ONE, ONE_BACK, BANISH, TOWN, STOP], STOP).case("Great Old One came in this turn, no need to leave")
    Trace(at=[2, 0]).begin().stop(ONE, ONE_BACK, TOWN).case("Great Old One was here but has gone")


# Collect


def test_greed_collects_more_but_only_what_fits() -> None:
    trace = Trace(temper=[[0, 2, 1], EMPTY], madness=lying(t0=[1, 1, 2])).begin()
    trace.act([ONE, COLLECT, TOWN, STOP], COLLECT)
    trace.fork().decide("collect", [FEAR, RAGE, GREED], FEAR).refused(r"collect between \[0, 2\]")
    trace.decide("collect", [FEAR, GREED], GREED, n_more=2)
    trace.tell("collect", {"madness 0 2": 1, "temper 0 2": 2}, colour=GREED, chaos=False)
    trace.tell("collect", {"madness 0 0": 0, "temper 0 0": 1}, colour=FEAR, chaos=False).refused("decision collect")
    none = Trace(temper=[[2, 0, 1], EMPTY], madness=lying(t0=[0, 0, 1])).begin()
    none.act([ONE, TWO, THREE, COLLECT, TOWN, STOP], COLLECT)
    none.tell("collect", {"madness 0 2": 0, "temper 0 2": 2}, colour=GREED, chaos=False)
    none.stop(ONE, TWO, THREE, TOWN).case("collecting ends for want of room or tentacles")


def test_a_chaos_buys_a_further_action() -> None:
    trace = Trace(rules={"actions": 1}, chaos=[1, 0], madness=lying(t0=[2, 0, 0]), bag=[0] * 5).begin()
    trace.act([ONE, COLLECT, STOP], COLLECT).tell("collect", {"madness 0 0": 1, "temper 0 0": 1}, colour=0, chaos=False)
    trace.act([ONE, TWO, COLLECT, TOWN, STOP], COLLECT)
    trace.fork().tell("collect", {"madness 0 0": 0, "temper 0 0": 2}, colour=FEAR, chaos=False).refused("chaos True")
    trace.tell("collect", {"madness 0 0": 0, "temper 0 0": 2}, colour=FEAR, chaos=True).stop()
    trace.case("turn ends unasked")


def test_a_chaos_paid_for_an_action_lies_in_the_supply_and_leaves_room() -> None:
    infirmary = {"sides": [1, 2, 4, 6, 8], "chaos": [2, 0], "chaos_supply": 0, "pages": [-1] * 5}
    cards = copy.deepcopy(BOX["town_cards"])
    cards[0]["back"]["effects"][1]["from"] = "supply"
    trace = Trace(rules={"actions": 1, "wheel": ["draw"] * 10, "town_cards": cards}, **infirmary)
    trace.tell("spin", segment=4, town=2, tail=4, colour=0).tell("pointer", icon="draw", colour=-1)
    trace.draw(FEAR, {"madness 2 0": 1}).spawn(4, FEAR)
    trace.state["left"] = 1
    trace.fork().act([ONE, TOWN, STOP], ONE).refused(r"action between \[0, 14\]")
    trace.act([ONE, STOP], ONE).walk(1).draw(FEAR, {"temper 0 0": 1}, "stop")
    back = trace.act([ONE, TWO, ONE_BACK, BANISH, STOP], ONE_BACK).walk(-1, chaos=True)
    back.act([ONE, TWO, TOWN, STOP], TOWN).tell("town", side=1, chaos=True)
    back.decide("tentacle", [FEAR, NOTHING], NOTHING)
    told = {"what": "chaos", "source": "supply", "target": "you", "number": 1}
    back.tell("moved", {"chaos 0": 1, "chaos_supply": "-1"}, **told).case("two further actions in one turn")


# Banish Shamblers


def banish(present: list[int], **given: Any) -> Trace:
    """Seat 0 has chosen to banish where these Shamblers stand."""
    trace = Trace(shamblers=lying(t0=present), face_up=[True] * 5, known=[True] * 5, **given).begin()
    temper = trace.state["temper"][0]
    moves = [ONE, TWO, THREE][: 1 + temper[0]]
    return trace.act([*moves, BANISH, *([TOWN] if any(temper) else []), *_affordable(trace), STOP], BANISH)


def _affordable(trace: Trace) -> list[int]:
    """Page 0 costs two fear."""
    return [TRANSLATE] if trace.state["temper"][0][0] + trace.state["chaos"][0] >= 2 else []


def test_the_highest_die_is_paid_in_the_shamblers_colour_or_chaos() -> None:
    trace = banish([0, 2, 0], temper=[[0, 1, 0], EMPTY], chaos=[1, 0])
    trace.fork().roll(1).refused("2 dice")
    trace.fork().roll(1, 3).refused("2 dice with the faces")
    trace.roll(1, 2).decide("banish", [RAGE, NOTHING], RAGE, cost=2)
    moved = {"shamblers 0 1": 1, "mat_shamblers 1": "+1", "mat 1": "-2", "discard 1": "+3", "temper 0 1": 0}
    spent = moved | {"chaos 0": 0, "chaos_supply": "+1"}
    told = {"colour": RAGE, "source": "action"}
    trace.fork().tell("banish", spent, paid=0, **told).refused("paid 1; found 0")
    trace.tell("banish", spent, paid=1, **told).case("banish paid by chaos in part")


def test_jordan_pays_the_highest_die_not_the_sum() -> None:
    """The book's example pays two: the rule and its first example say one."""
    trace = banish([0, 2, 0], temper=[[0, 1, 0], EMPTY]).roll(1, 1).decide("banish", [RAGE, NOTHING], RAGE, cost=1)
    moved = {"shamblers 0 1": 1, "mat_shamblers 1": "+1", "mat 1": "-2", "discard 1": "+3", "temper 0 1": 0}
    trace.tell("banish", moved, colour=RAGE, paid=0, source="action").follow()
    dear = banish([0, 2, 0], rules={"banish_cost": "sum"}, temper=[[0, 1, 0], EMPTY]).roll(1, 1)
    dear.tell("banish", colour=-1, paid=0, source="action")
    dear.case("sum above the highest die", "banish impossible after the roll")


def test_zeros_banish_for_nothing_unless_the_rules_say_so() -> None:
    trace = banish([1, 0, 0]).roll(0).decide("banish", [FEAR, NOTHING], FEAR, cost=0)
    moved = {"shamblers 0 0": 0, "mat_shamblers 0": "+1", "mat 0": "-1", "discard 0": "+1"}
    trace.tell("banish", moved, colour=FEAR, paid=0, source="action").case("free banish")
    dear = banish([1, 0, 0], rules={"free_banish": False}).roll(0)
    dear.tell("banish", colour=-1, paid=0, source="action").case("no banish is free")


def test_the_target_may_have_to_be_said_before_the_roll() -> None:
    trace = banish([1, 1, 0], rules={"banish_target": "before-roll"}, temper=[[0, 2, 0], EMPTY])
    trace.decide("target", [FEAR, RAGE], FEAR).roll(0, 1)
    trace.fork().decide("banish", [RAGE, NOTHING], RAGE).refused("event 'banish'")
    trace.tell("banish", colour=-1, paid=0, source="action").case("another colour than the target could be paid")


def test_delirium_rerolls_some_dice_once() -> None:
    trace = banish([1, 1, 1], brain=[2, 0]).roll(2, 2, 1)
    offer = {"dice": [2, 2, 1], "n_rerolls": 2}
    trace.fork().decide("reroll_banish", list(range(8)), 7).refused("reroll_banish between")
    trace.decide("reroll_banish", [0, 1, 2, 3, 4, 5, 6], 3, **offer)
    trace.fork().tell("reroll", dice=[0, 0, 0]).refused("die 2 that is kept 1; found 0")
    trace.tell("reroll", dice=[0, 0, 1]).tell("banish", colour=-1, paid=0, source="action")
    trace.case("reroll of several dice")
    single = banish([1, 1, 1], rules={"rerolls": "total"}, brain=[2, 0]).roll(2, 2, 1)
    single.decide("reroll_banish", [0, 1, 2, 3, 4, 5, 6], 1, **offer).tell("reroll", dice=[0, 2, 1])
    single.decide("reroll_banish", [0, 1, 2, 4], 1, dice=[0, 2, 1], n_rerolls=1).tell("reroll", dice=[2, 2, 1])
    single.case("one roll rerolled more than once")
    once = banish([1, 1, 1], brain=[2, 0]).roll(2, 2, 1).decide("reroll_banish", [0, 1, 2, 3, 4, 5, 6], 1)
    once.tell("reroll", dice=[0, 2, 1]).decide("reroll_banish", [0, 1, 2, 4], 1).refused("event 'banish'")


def test_a_town_banishes_with_a_die_less() -> None:
    trace = Trace(at=[3, 0], shamblers=lying(t3=[1, 1, 0]), face_up=[True] * 5, known=[True] * 5).begin()
    trace.act([ONE_BACK, BANISH, TOWN, STOP], TOWN).tell("town", side=6, chaos=False)
    trace.fork().roll(0, 0).refused("1 dice")
    trace.roll(0).decide("banish", [FEAR, RAGE, NOTHING], NOTHING)
    trace.fork().tell("banish", colour=-1, paid=0, source="action").refused("source 'effect'")
    trace.tell("banish", colour=-1, paid=0, source="effect").case("fewer dice than Shamblers", "banish declined")


# Translate Pages


def ready(page_number: int = 0, **given: Any) -> Trace:
    """The page at town 0 lies face up: page 0 costs two fear, page 3 a fear and a rage, page 13 two rage."""
    up = [True, False, False, False, False]
    pages = [page_number, 6, 12, 18, 24]
    deck = set(range(30)) - set(pages)
    return Trace(**{"pages": pages, "face_up": up, "known": up, "deck": deck} | given).begin()


def translated(
    trace: Trace, card: int, row: int, new: int, changes: dict[str, Any], lines: int = 0, **told: Any
) -> Trace:
    changes = {f"rows {row}": "+1", "pages 0": new, "face_up 0": False, "known 0": False, "n_dealt": "+1"} | changes
    return trace.tell("translate", changes, card=card, lines=lines, **{"chaos": False} | told)


def test_a_page_is_paid_colour_by_colour_with_chaos_as_wild() -> None:
    trace = ready(3, temper=[[0, 1, 0], EMPTY], chaos=[2, 0]).act([ONE, TOWN, TRANSLATE, STOP], TRANSLATE)
    trace.decide("chaos_paid", [0, 1], 0, colour=RAGE, need=1, purpose=1)
    paid = {"temper 0 1": 0, "discard 1": "+1", "chaos 0": 1, "chaos_supply": "+1", "runes 0 2": 1}
    translated(trace.fork(), 3, 0, 1, paid, paid=[0, 1, 0]).refused(r"paid \[1, 0, 0\]")
    translated(trace.fork(), 3, 0, 6, paid, paid=[1, 0, 0]).refused("a page that is still in the deck")
    translated(trace, 3, 0, 1, paid, paid=[1, 0, 0]).case("page paid by chaos in part")
    poor = ready(3, temper=[EMPTY, EMPTY], chaos=[1, 0])
    poor.act([ONE, TRANSLATE, STOP], TRANSLATE).refused(r"action between \[0, 14\]")
    kept = ready(3, temper=[[1, 0, 0], EMPTY], chaos=[1, 0]).act([ONE, TWO, TOWN, TRANSLATE, STOP], TRANSLATE)
    kept.decide("chaos_paid", [0, 1], 1).refused("event 'translate'")


def test_a_page_face_down_or_of_a_full_row_cannot_be_translated() -> None:
    rich = {"temper": [[2, 0, 0], EMPTY], "chaos": [0, 0]}
    down = ready(0, face_up=[False] * 5, **rich)
    down.act([ONE, TWO, THREE, TOWN, TRANSLATE, STOP], TRANSLATE).refused(r"action between \[0, 1, 2, 10, 14\]")
    full = ready(0, rows=[5, 0, 0, 0, 0], **rich)
    full.act([ONE, TWO, THREE, TOWN, STOP], STOP).case("card with every row full")


def test_a_completed_row_and_column_leave_their_chaos_on_the_discard_mat() -> None:
    trace = ready(0, rows=[4, 5, 5, 5, 4], lines=7, temper=[[2, 0, 0], EMPTY])
    trace.act([ONE, TWO, THREE, TOWN, TRANSLATE, STOP], TRANSLATE)
    paid = {"temper 0 0": 0, "discard 0": "+2", "discard 3": "+1", "runes 0 2": 1, "lines": "-1"}
    translated(trace, 0, 0, 1, paid, 1, paid=[0, 0, 0]).case("row completed")
    both = ready(0, rows=[4, 5, 5, 5, 5], lines=2, temper=[[2, 0, 0], EMPTY])
    both.act([ONE, TWO, THREE, TOWN, TRANSLATE, STOP], TRANSLATE)
    both = translated(both, 0, 0, 1, paid | {"lines": "-2", "discard 3": "+2"}, 2, paid=[0, 0, 0])
    both.case("row and column completed by one card")
    both.fork().act([ONE, STOP], ONE).refused("event 'phase'")
    every = {"side": 1, "bag": [14, 12, 12, 3, 3], "discard": [0] * 5}
    both.fork().tell("phase", every | {"bag": [14, 12, 12, 2, 3]}).refused("state bag")
    both.tell("phase", every).case("phase changes in mid-turn")


def test_a_card_with_two_numbers_places_those_that_have_room() -> None:
    given = {"rules": {"pages_per_card": "2", "page_cost": 1}, "temper": [[1, 0, 0], EMPTY]}
    paid = {"temper 0 0": 0, "discard 0": "+1", "runes 0 2": 1}
    legal = [ONE, TWO, TOWN, TRANSLATE, STOP]
    both = translated(ready(0, **given).act(legal, TRANSLATE), 0, 0, 1, paid | {"rows 1": 1}, paid=[0, 0, 0])
    both.case("both of a card's pages placed")
    second = translated(ready(0, rows=[5, 0, 0, 0, 0], **given).act(legal, TRANSLATE), 0, 1, 1, paid, paid=[0, 0, 0])
    second.case("only the second of a card's pages placed")
    first = translated(ready(0, rows=[0, 5, 0, 0, 0], **given).act(legal, TRANSLATE), 0, 0, 1, paid, paid=[0, 0, 0])
    first.case("only the first of a card's pages placed")
    last = page(5, "fff", "f")
    other = {"rules": given["rules"] | {"pages": [last, *BOX["pages"][1:]]}, "temper": given["temper"]}
    after_five = ready(0, **other).act(legal, TRANSLATE)
    paid = {"temper 0 0": 0, "discard 0": "+1", "runes 0 0": 1, "rows 0": 1}
    translated(after_five, 0, 4, 1, paid, paid=[0, 0, 0]).follow()


def test_an_empty_deck_leaves_no_page() -> None:
    trace = ready(0, deck=set(), n_dealt=30, temper=[[2, 0, 0], EMPTY])
    trace.act([ONE, TWO, THREE, TOWN, TRANSLATE, STOP], TRANSLATE)
    paid = {"temper 0 0": 0, "discard 0": "+2", "runes 0 2": 1, "n_dealt": 30}
    translated(trace, 0, 0, -1, paid, paid=[0, 0, 0]).case("page deck empty")


# Seal the Portals


def seal(**given: Any) -> Trace:
    """Phase Two; seat 0 stands in town 4 and two runes of rage let it roll two dice."""
    trace = Trace(**{"at": [4, 0], "runes": [[0, 2, 0], EMPTY]} | PHASE_TWO | given).begin()
    moves = [ONE, ONE_BACK] if not trace.state["temper"][0][0] else [ONE, TWO, ONE_BACK, TWO_BACK]
    return trace.act([*moves, BANISH, TOWN, SEAL, STOP], SEAL)


def test_a_portal_is_sealed_by_the_sum_of_the_dice() -> None:
    trace = seal(temper=[[0, 1, 0], EMPTY], chaos=[1, 0])
    trace.fork().decide("portal", list(range(6)), 0).refused(r"portal between \[2, 3\]")
    trace.decide("portal", [2, 3], 2)
    trace.fork().roll(1, purpose="seal").refused("2 dice")
    failed = trace.fork().roll(1, 1, purpose="seal")
    failed.fork().decide("chaos_paid", [0, 1], 0).refused("event 'seal'")
    failed.tell("seal", portal=2, sealed=False, paid=0).case("failed seal")
    trace.roll(1, 2, purpose="seal").decide("chaos_paid", [0, 1], 1, colour=RAGE, need=1, purpose=2)
    trace.fork().tell("seal", {"portals 2": 1, "temper 0 1": 0}, portal=2, sealed=True, paid=1).refused("state portals")
    trace.tell("seal", {"portals 2": 3, "chaos 0": 0}, portal=2, sealed=True, paid=1)
    trace.case("portal sealed by chaos", "sealed with exactly the number", "no rune for an open portal")


def test_a_failed_seal_may_cost_its_tentacle() -> None:
    trace = seal(rules={"failed_seal": "tentacle"}, temper=[[0, 1, 0], EMPTY], chaos=[1, 0]).decide("portal", [2, 3], 2)
    trace.roll(0, 0, purpose="seal")
    chaos = trace.fork().decide("chaos_paid", [0, 1], 1)
    chaos.tell("seal", {"chaos 0": 0, "chaos_supply": "+1"}, portal=2, sealed=False, paid=1)
    chaos.case("failed seal spends a Chaos")
    trace.decide("chaos_paid", [0, 1], 0)
    trace.tell("seal", {"temper 0 1": 0, "discard 1": "+1"}, portal=2, sealed=False, paid=0)
    trace.case("failed seal spends a Madness")


def test_six_sealed_portals_win_at_once() -> None:
    trace = seal(temper=[[0, 1, 0], EMPTY], portals=[0, 0, -1, 1, 2, 2]).roll(2, 2, purpose="seal")
    trace.tell("seal", {"portals 2": 1, "temper 0 1": 0}, portal=2, sealed=True, paid=0)
    trace.fork().act([ONE, STOP], ONE).refused("event 'end'")
    trace.tell("end", cause="unfinished").refused("cause 'sealed'")


def test_portals_may_be_harder() -> None:
    trace = seal(rules={"portals_harder": 1}, temper=[[0, 1, 0], EMPTY]).decide("portal", [2, 3], 2)
    trace.roll(1, 2, purpose="seal").tell("seal", {"portals 2": 1}, portal=2, sealed=True, paid=0)
    trace.refused("sealed False; found True")


# Town actions, player abilities


def test_a_town_moves_madness_of_ones_choice_and_may_stop() -> None:
    trace = Trace(temper=[[1, 1, 0], EMPTY]).begin().act([ONE, TWO, TOWN, STOP], TOWN)
    trace.tell("town", side=0, chaos=False).decide(
        "tentacle", [FEAR, RAGE, NOTHING], RAGE, source=6, target=1, n_more=2
    )
    told = {"what": "rage", "source": "you", "target": "discard", "number": 1}
    trace.tell("moved", {"temper 0 1": 0, "discard 1": "+1"}, **told)
    trace.decide("tentacle", [FEAR, NOTHING], NOTHING).stop(ONE, TWO, TOWN).case("effect stopped by choice")


def test_library_museum_station_and_harbour() -> None:
    library = Trace(at=[1, 0]).begin().act([ONE, ONE_BACK, BANISH, TOWN, STOP], TOWN).tell("town", side=2, chaos=False)
    library.decide("page", [0, 1, 2, 3, 4, 5], 3, purpose=0)
    library.tell("reveal", {"face_up 3": True, "known 3": True}, town=3, card=18)
    library.decide("page", [0, 1, 2, 4, 5], 5).stop(ONE, ONE_BACK, BANISH, TOWN).follow()
    up = [False, True, False, False, False]
    museum = Trace(at=[1, 0], sides=[0, 3, 4, 6, 8], face_up=up, known=up).spin(6)
    assert museum.events[-1]["colour"] == RAGE
    station = Trace(at=[2, 0]).begin().act([ONE, ONE_BACK, TOWN, STOP], TOWN).tell("town", side=4, chaos=False)
    station.fork().decide("town", [0, 1, 3, 4], 4).refused(r"town between \[0, 1, 3\]")
    station.decide("town", [0, 1, 3], 3, purpose=0).tell("travel", {"at 0": 3}, town=3)
    station.stop(ONE_BACK, BANISH, TOWN).case("travelled to a town with Shamblers")
    harbour = Trace(at=[2, 0], sides=[0, 2, 5, 6, 8]).begin().act([ONE, ONE_BACK, TOWN, STOP], TOWN)
    harbour.tell("town", side=5, chaos=False).decide("town", [0, 1, 2, 3], 2, purpose=1)
    harbour.tell("lure", {"goo": 2}, town=2).stop(ONE, ONE_BACK, TOWN).case("lured to one's own town")


def test_an_ability_is_used_once_a_turn_without_an_action() -> None:
    given = {"characters": [0, 7], "madness": lying(t0=[0, 1, 1]), "rules": {"actions": 1}}
    trace = Trace(**given).begin().act([ONE, COLLECT, ABILITY, STOP], COLLECT)
    trace.decide("collect", [RAGE, GREED], RAGE)
    trace.tell("collect", {"madness 0 1": 0, "temper 0 1": 1}, colour=RAGE, chaos=False)
    trace.act([ABILITY, STOP], ABILITY).tell("ability", character=0).decide("tentacle", [GREED, NOTHING], GREED)
    told = {"what": "greed", "source": "here", "target": "discard", "number": 1}
    trace.tell("moved", {"madness 0 2": 0, "discard 2": "+1"}, **told).stop()
    trace.case("ability after the last action")
    off = Trace(**given | {"rules": {"abilities": "none"}}).begin()
    off.act([ONE, COLLECT, ABILITY, STOP], COLLECT).refused(r"action between \[0, 8, 14\]")


def test_a_town_without_an_action_that_is_possible_offers_none() -> None:
    Trace(rules={"town_actions": "none"}, temper=[[1, 0, 0], EMPTY]).begin().stop(ONE, TWO).follow()
    Trace().begin().act([ONE, TOWN, STOP], TOWN).refused(r"action between \[0, 14\]")
    full = Trace(at=[4, 0], temper=[[2, 2, 2], EMPTY], chaos=[0, 0])
    full.begin(must_leave=True).act([ONE, TWO, THREE, ONE_BACK, TWO_BACK, THREE_BACK, BANISH], BANISH).follow()


def test_a_turn_ends_after_so_many_actions_and_abilities() -> None:
    trace = Trace(rules={"max_actions": 2}, pages=[-1] * 5, characters=[0, 7], madness=lying(t0=[0, 1, 0])).begin()
    trace.act([ONE, COLLECT, ABILITY, STOP], ABILITY).tell("ability", character=0)
    trace.decide("tentacle", [RAGE, NOTHING], NOTHING).act([ONE, COLLECT, STOP], COLLECT)
    trace.tell("collect", {"madness 0 1": 0, "temper 0 1": 1}, colour=RAGE, chaos=False).stop()
    trace.case("turn ended by the guard on actions")
