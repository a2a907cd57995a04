"""The Tiny Epic Cthulhu reference against traces written by hand: Step 1, accursed tracks, powers."""

from __future__ import annotations

from typing import Any

from .tiny_epic_cthulhu_traces import BOX, Trace, move, old_one

FEAR, RAGE, GREED, CHAOS, ELDRITCH = range(5)


# Pointer Actions


def test_the_pointer_moves_madness_of_ones_choice_from_the_shambler_mat() -> None:
    trace = Trace(mat=[3, 0, 1]).spin(0).decide("wheel_madness", [FEAR, GREED], GREED)
    trace.fork().tell("pointer", {"mat 2": "-1"}, icon="madness", colour=GREED).refused("state discard")
    trace.tell("pointer", {"mat 2": "-1", "discard 2": "+1"}, icon="madness", colour=GREED).spawn(2, GREED).follow()
    Trace(mat=[0, 0, 0]).spin(0).tell("pointer", icon="madness", colour=-1).case("no Madness on the Shambler Mat")
    only = Trace(mat=[0, 1, 0]).spin(0)
    only.fork().decide("wheel_madness", [RAGE], RAGE).refused("event 'pointer'")
    only.tell("pointer", {"mat 1": "-1", "discard 1": "+1"}, icon="madness", colour=RAGE).follow()


def test_the_pointer_puts_a_shambler_of_the_tails_colour_into_its_own_town() -> None:
    trace = Trace().spin(3)
    trace.fork().spawn(1, RAGE, "pointer").spawn(4, RAGE).follow()
    trace.fork().spawn(4, RAGE, "pointer").refused("town 1; found 4")
    trace.rules["pointer_shambler"] = "tail"
    trace.spawn(4, RAGE, "pointer").spawn(4, RAGE).follow()


def test_the_pointer_takes_chaos_from_the_supply_while_there_is_any() -> None:
    Trace(chaos_supply=0).spin(4).spawn(4, FEAR).case("no Chaos in the supply")


def test_the_pointer_draws_one_more() -> None:
    trace = Trace(draws=1).spin(2).draw(FEAR, {"madness 1 0": "+1"})
    trace.fork().spawn(3, GREED, follows=False).refused("event 'draw'; found 'spawn'")
    trace.draw(FEAR, {"madness 1 0": "+1"}).spawn(3, GREED).follow()


# Draw Tentacles


def test_madness_goes_to_the_pointers_town_and_overflows_to_the_shambler_mat() -> None:
    lying = [[0] * 3, [0] * 3, [3, 0, 0], [0] * 3, [0] * 3]
    trace = Trace(draws=2, madness=lying).spin(4)
    trace.draw(FEAR, {"madness 2 0": 0, "mat 0": "+4"}, accursed=True)
    trace.fork().tell("power", colour=RAGE, cause="madness").refused("colour 0")
    trace.fork().tell("power", colour=FEAR, cause="wheel").refused("cause 'madness'")
    after = trace.fork()
    trace.tell("power", colour=FEAR, cause="madness").draw(FEAR, {"madness 2 0": "+1"}).spawn(4, FEAR)
    trace.case("power before the last draw")
    after.rules["powers_resolve"] = "after-draws"
    after.draw(FEAR, {"madness 2 0": "+1"}).tell("power", colour=FEAR, cause="madness").spawn(4, FEAR)
    after.case("power after the draws")
    after.rules["powers"] = "none"
    after.events = after.events[:-2]
    after.refused("event 'spawn'; found 'power'")


def test_chaos_goes_onto_the_own_mat_or_is_lost_to_the_supply() -> None:
    trace = Trace(draws=1, bag=[0, 0, 0, 1, 0], chaos=[1, 0]).spin(4)
    trace.draw(CHAOS, {"chaos 0": "+1"}).spawn(4, FEAR).follow()
    full = Trace(draws=1, bag=[0, 0, 0, 1, 0], chaos=[2, 0]).spin(4)
    full.draw(CHAOS, {"chaos_supply": "+1"}).case("chaos lost to the supply")


def test_energy_accursed_refills_the_bag_and_strengthens() -> None:
    trace = Trace(draws=2, energy=2, bag=[0, 0, 0, 0, 1], discard=[1, 2, 3, 4, 5]).spin(4)
    trace.state["discard"] = [1, 2, 3, 5, 5]
    published = trace.fork()
    refilled = {"energy": 0, "bag": [1, 2, 3, 5, 3], "discard": [0, 0, 0, 0, 5]}
    trace.tell("draw", refilled, source="wheel", kind=ELDRITCH, accursed=True)
    trace.fork().draw(FEAR, {"madness 2 0": "+1"}).refused("event 'strength'; found 'draw'")
    trace.tell("strength", {"strength": 1}).draw(FEAR, {"madness 2 0": "+1"})
    trace.case("energy accursed with an empty bag", "drawn on from a bag refilled in mid-draw")
    trace.case("discarded Eldritch stays", "drawn on after the Energy Track was accursed")
    published.rules["eldritch_returns"] = "yes"
    refilled |= {"bag": [1, 2, 3, 5, 8], "discard": [0, 0, 0, 0, 0]}
    published.tell("draw", refilled, source="wheel", kind=ELDRITCH, accursed=True).case("discarded Eldritch returns")


def test_the_last_space_of_strength_loses_on_either_side() -> None:
    for side, name in enumerate(("front", "back")):
        trace = Trace(
            draws=1, energy=2, bag=[0, 0, 0, 0, 1], discard=[0] * 5, strength=5, side=side, rows=[5 * side] * 5
        )
        trace.spin(5).tell("power", colour=RAGE, cause="wheel")
        trace.tell("draw", {"energy": 0, "bag 4": 3}, source="wheel", kind=ELDRITCH, accursed=True)
        trace.tell("strength", {"strength": 6})
        trace.case(f"strength lost on the {name}")
        trace.fork().spawn(0, FEAR, follows=False).refused("event 'end'; found 'spawn'")
        wrong = trace.tell("end", cause="delirium", won=False, n_turns=1, games={}, seats={})
        wrong.refused("cause 'strength'")


def test_a_bag_that_runs_empty_ends_the_draws() -> None:
    trace = Trace(draws=3, bag=[1, 0, 0, 0, 0]).spin(4).draw(FEAR, {"madness 2 0": "+1"}).spawn(4, FEAR)
    trace.case("bag runs empty in mid-draw")
    Trace(draws=3, bag=[0] * 5).spin(4).spawn(4, FEAR).case("bag empty before the draws")


# Spawn Shambler, Move the Great Old One


def test_another_colour_comes_where_the_wanted_one_is_unavailable() -> None:
    trace = Trace(mat_shamblers=[0, 1, 1]).spin(4)
    trace.fork().spawn(4, GREED, follows=False).refused("colour 1; found 2")
    trace.spawn(4, RAGE).case("Shambler of the next colour")
    Trace(mat_shamblers=[0, 0, 1]).spin(4).spawn(4, GREED).case("Shambler of the colour after the next")
    nobody = Trace(mat_shamblers=[0, 0, 0]).spin(4).tell("spawn", town=4, colour=-1, accursed=False, source="spin")
    nobody.fork().tell("great_old_one", {"goo": 4}, town=4).case("no Shambler left to spawn")
    nobody.rules["shamblers_lose"] = "yes"
    nobody.tell("great_old_one", {"goo": 4}, town=4).refused("event 'end'")


def test_as_published_the_last_shambler_of_the_mat_loses() -> None:
    trace = Trace(rules={"edition": "rulebook", "shamblers_lose": "yes"}, mat_shamblers=[1, 0, 0]).spin(4)
    trace.tell("spawn", {"mat_shamblers 0": 0, "shamblers 4 0": 1}, town=4, colour=0, accursed=False, source="spin")
    trace.tell("great_old_one", {"goo": 4}, town=4).refused("event 'end'; found 'great_old_one'")


def test_a_full_shambler_track_is_accursed_and_eldritch_moves_to_the_discard_mat() -> None:
    standing = [[0] * 3, [0] * 3, [0] * 3, [0] * 3, [1, 2, 0]]
    trace = Trace(shamblers=standing).spin(4)
    cleared = {"shamblers 4": [0, 0, 0], "mat_shamblers 0": "+1", "mat_shamblers 1": "+2", "discard 4": "+1"}
    told = {"town": 4, "colour": 0, "accursed": True, "source": "spin"}
    trace.fork().tell("spawn", cleared, **told).refused("state eldritch_supply 14")
    trace.tell("spawn", cleared | {"eldritch_supply": "-1"}, **told)
    staying = trace.fork()
    trace.tell("great_old_one", {"goo": 4}, town=4).case("Great Old One follows an accursed spawn")
    staying.rules["follows_accursed"] = False
    staying.fork().tell("great_old_one", {"goo": 4}, town=4).refused("town 2; found 4")
    staying.tell("great_old_one", town=2).case("Great Old One does not follow an accursed spawn")


def test_no_fresh_eldritch_without_a_supply_but_later_if_there_is_one_again() -> None:
    standing = [[0] * 3, [0] * 3, [0] * 3, [0] * 3, [1, 2, 0]]
    cleared = {"shamblers 4": [0, 0, 0], "mat_shamblers 0": "+1", "mat_shamblers 1": "+2"}
    told = {"town": 4, "colour": 0, "accursed": True, "source": "spin"}
    trace = Trace(shamblers=standing, eldritch_supply=0).spin(4)
    trace.tell("spawn", cleared | {"discard 4": "+1", "town_eldritch 4": 0}, **told)
    trace.case("fresh Eldritch not available")
    trace = Trace(shamblers=standing, eldritch_supply=1, town_eldritch=[1, 1, 1, 1, 0]).spin(4)
    trace.tell("spawn", cleared | {"eldritch_supply": 0, "town_eldritch 4": 1}, **told)
    trace.case("fresh Eldritch where none lay", "accursed where no Eldritch lies")


# Powers of the Great Old One


def power(segment: int, great_old_one: str = "", rules: dict[str, Any] | None = None, **position: Any) -> Trace:
    """A power set off by the wheel: segment 1 fear, 5 rage, 7 greed; the pointer's town is 0, 2, 3."""
    rules = (rules or {}) | ({"great_old_one": great_old_one} if great_old_one else {})
    trace = Trace(rules=rules, **position).spin(segment)
    return trace.tell("power", colour={1: FEAR, 5: RAGE, 7: GREED}[segment], cause="wheel")


def test_pages_are_hidden_from_the_pointer_clockwise_and_stay_known() -> None:
    trace = power(1, face_up=[False, False, True, False, True], known=[False, False, True, False, True])
    wrong = trace.fork().tell("hide", {"face_up 4": False}, towns=[False, False, False, False, True])
    wrong.refused("towns")
    trace.tell("hide", {"face_up 2": False}, towns=[False, False, True, False, False]).spawn(3, FEAR).follow()


def test_madness_of_the_powers_colour_is_moved_as_far_as_there_is_any() -> None:
    told = {"what": "rage", "source": "discard", "target": "mat"}
    trace = power(5).tell("moved", {"discard 1": "-2", "mat 1": "+2"}, number=2, **told).spawn(0, FEAR).follow()
    assert trace.coverage["moved", "madness", "discard", "mat"] == 1
    power(5, discard=[3, 1, 3, 0, 0]).tell("moved", {"discard 1": 0, "mat 1": "+1"}, number=1, **told).follow()
    power(5, discard=[3, 0, 3, 0, 0]).spawn(0, FEAR).follow()
    twice = power(5, rules={"powers": "twice"}).tell("moved", {"discard 1": "-2", "mat 1": "+2"}, number=2, **told)
    twice.tell("moved", {"discard 1": "-1", "mat 1": "+1"}, number=1, **told).spawn(0, FEAR).follow()


def test_towns_are_filled_from_the_pointer_on_where_there_is_room() -> None:
    lying = [[0] * 3, [0] * 3, [0] * 3, [0, 0, 3], [0] * 3]
    trace = power(7, "yig", madness=lying, discard=[3, 3, 2, 0, 0])
    filled = {"madness 4 2": 1, "madness 0 2": 1, "discard 2": 0}
    trace.tell("fill", filled, towns=[True, False, False, False, True])
    trace.case("fill passes over a full track", "fill finds fewer tentacles than towns")


def test_every_seat_draws_the_active_one_first_and_anyone_may_go_mad() -> None:
    bag = [0, 2, 0, 0, 0]
    trace = power(1, "cthulhu", bag=bag, temper=[[0] * 3, [0, 2, 0]], brain=[0, 3])
    trace.draw(RAGE, {"temper 0 1": 1}, "power")
    event = {"kind": RAGE, "source": "power", "accursed": True}
    trace.fork().tell("draw", {"bag 1": 0, "temper 1 1": 0, "mat 1": "+3"}, **event).refused("seat 1")
    trace.tell("draw", {"bag 1": 0, "temper 1 1": 0, "mat 1": "+3"}, **event)
    trace.events[-1]["seat"] = 1
    trace.tell("delirium", {"brain 1": 4}).events[-1]["seat"] = 1
    trace.case("a seat goes mad in another's turn", "chain: wheel, power, temperament, loss")
    trace.spawn(3, FEAR, follows=False).refused("event 'end'")


def test_a_power_feeds_energy_from_the_supply() -> None:
    trace = power(7, "cthulhu", energy=2, discard=[0, 0, 1, 0, 0])
    fed = {"eldritch_supply": "-1", "energy": 0, "bag 4": "+3", "bag 2": "+1", "discard 2": 0}
    trace.fork().tell("fed", {"eldritch_supply": "-1", "energy": 3}, accursed=False).refused("accursed True")
    trace.tell("fed", fed, accursed=True).tell("strength", {"strength": 1}).spawn(1, GREED)
    trace.case("Energy Track accursed by feeding")
    power(7, "cthulhu", eldritch_supply=0).spawn(1, GREED).case("no Eldritch left to feed")


def test_a_power_spawns_without_moving_the_great_old_one() -> None:
    power(5, "cthulhu").spawn(2, RAGE, "power").spawn(0, FEAR).follow()
    power(5, "yog_sothoth").spawn(2, RAGE, "power").spawn(0, FEAR).follow()
    twice = power(5, "yig").spawn(2, RAGE, "power").spawn(2, RAGE, "power").spawn(0, FEAR)
    twice.follow()
    told = {"what": "eldritch", "source": "supply", "target": "discard", "number": 1}
    power(7, "yog_sothoth").tell("moved", {"eldritch_supply": "-1", "discard 4": 1}, **told).spawn(1, GREED).follow()


def test_powers_of_the_back_and_of_sealed_colours() -> None:
    back = {"side": 1, "rows": [5] * 5}
    nothing = power(1, "custom", **back).spawn(3, FEAR)
    nothing.case("power without effects")
    sealed = {"portals": [0, 3, -1, -1, -1, -1]} | back
    power(1, **sealed).spawn(3, FEAR).case("power of a sealed colour: nothing")
    stopped = Trace(rules={"colour_sealed": "power-stops"}, **sealed).spin(1)
    stopped.fork().tell("power", colour=FEAR, cause="wheel").refused("event 'spawn'")
    stopped.spawn(3, FEAR).case("power of a sealed colour: power-stops")


def test_players_lose_madness_of_the_powers_colour() -> None:
    trace = power(1, "custom", temper=[[2, 0, 0], [1, 0, 0]])
    told = {"what": "fear", "source": "players", "target": "mat", "number": 2}
    trace.tell("moved", {"temper 0 0": 1, "temper 1 0": 0, "mat 0": "+2"}, **told)
    trace.case("power takes Madness of several seats")


def test_one_more_space_of_strength_repeats_the_first_number() -> None:
    given = old_one("N", {"do": "hide"}, move("colour", "discard", "mat"), {"do": "fill"}, front=[1, 2], back=[0, 0])
    for extra, draws in ((0, [1, 2]), (1, [1, 1, 2]), (-1, [2])):
        trace = Trace(rules={"nyarlathotep": given, "extra_strength": extra})
        assert trace.follow().draws[0] == draws
    assert BOX["nyarlathotep"]["front"] == [3, 3, 3, 4, 4, 5]
