"""Traces of Tiny Epic Cthulhu for the reference's own tests: written by hand, or told by the reference itself."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from .tiny_epic_cthulhu import CASES, Mismatch, Reference
from .tiny_epic_cthulhu_table import N_TOWNS, STATE, spins

COLOUR_OF = {"f": "fear", "r": "rage", "g": "greed"}


def page(number: int, cost: str, rune: str) -> dict[str, Any]:
    """A page card, colours by their first letters."""
    return {"number": number, "cost": [COLOUR_OF[c] for c in cost], "runes": [COLOUR_OF[c] for c in rune]}


def side(name: str, colours: str, *effects: dict[str, Any]) -> dict[str, Any]:
    """A side of a town card."""
    return {"name": name, "colours": [COLOUR_OF[c] for c in colours], "effects": list(effects)}


def move(what: str, source: str, target: str, n: int = 1) -> dict[str, Any]:
    """The effect that moves tentacles."""
    return {"do": "move", "what": what, "from": source, "to": target, "n": n}


def old_one(name: str, fear: dict, rage: dict, greed: dict, **changes: Any) -> dict[str, Any]:
    """A Great Old One with a power of one effect for each colour."""
    portals = {"fear": [2, 3], "rage": [3, 4], "greed": [2, 3]}
    powers = {"fear": [fear], "rage": [rage], "greed": [greed]}
    tracks = {"front": [3, 3, 3, 4, 4, 5], "back": [3, 3, 4, 4, 5]}
    return {"name": name, **tracks, "portals": portals, "powers": powers} | changes


COSTS = ("ffr rrg ggf frr rgg gff", "ffg rrf ggr frg rgf gfr", "fff rrr ggg frf rgr gfg", "ffr rrg ggf frr rgg gff",
         "ffg rrf ggr frg rgf gfr")  # fmt: skip
RUNES = ("gfrgfr", "rgfrgf", "frgfrg", "gfrgfr", "rgfrgf")
BOX: dict[str, Any] = {  # the components as they are assumed
    "edition": "rulebook", "shamblers_lose": "edition", "flip": "edition", "must_leave": "edition",
    "page_at_great_old_one": "edition", "eldritch_returns": "edition", "colour_sealed": "edition",
    "great_old_one": "nyarlathotep", "mode": "normal", "bag_each": 9, "mat_each": 3, "discard_each": 3, "chaos": 17,
    "eldritch": 23, "start_eldritch": 3, "shamblers_each": 5, "chaos_per_line": 1, "actions": 3,
    "temperament_track": 2, "chaos_track": 2, "madness_track": 3, "shambler_track": 3, "energy_track": [2, 2],
    "delirium": 4, "brain_at_start": False, "wheel_tail": "opposite", "die": [2, 2, 2], "n_dice": 3,
    "wheel": ["madness", "fear power", "draw", "shambler", "chaos", "rage power", "madness", "greed power", "shambler",
              "draw"],
    "pages": [
        page(n + 1, cost, rune) for n in range(5) for cost, rune in zip(COSTS[n].split(), RUNES[n], strict=True)
    ],
    "page_cost": 2, "pages_per_card": "1", "extra_strength": 0, "portals_harder": 0, "powers": "printed",
    "town_actions": "printed", "abilities": "printed", "banish_cost": "highest", "banish_target": "after-roll",
    "free_banish": True, "rerolls": "once", "move_distance": "up-to", "must_leave_checked": "actions",
    "pointer_shambler": "pointer", "follows_accursed": True, "energy_at_flip": "kept", "powers_resolve": "at-once",
    "failed_seal": "nothing", "towns": [], "town_up": "", "table_characters": [], "character_in": "",
    "character_out": "", "max_actions": 30, "max_rounds": 60,
    "nyarlathotep": old_one(
        "Nyarlathotep", {"do": "hide"}, move("colour", "discard", "mat", 2), {"do": "fill"}),
    "yog_sothoth": old_one(
        "Yog-Sothoth", {"do": "hide", "n": 3}, {"do": "spawn", "where": "pointer"},
        move("eldritch", "supply", "discard")),
    "yig": old_one(
        "Yig", {"do": "draw", "who": "you"}, {"do": "spawn", "where": "pointer", "n": 2}, {"do": "fill", "n": 3}),
    "cthulhu": old_one(
        "Cthulhu", {"do": "draw", "who": "all"}, {"do": "spawn", "where": "great-old-one"}, {"do": "feed"}),
    "custom": old_one(
        "Custom", move("colour", "players", "mat"), move("chaos", "discard", "supply", 2), {"do": "feed", "n": 3},
        back_powers={"fear": [], "rage": [{"do": "hide", "n": 2}, {"do": "draw", "who": "all", "n": 2}],
                     "greed": [move("colour", "mat", "bag"), move("eldritch", "energy", "discard")]}),
    "town_cards": [
        {"front": side("chapel", "fr", move("madness", "you", "discard", 2)),
         "back": side("infirmary", "gr", move("madness", "you", "discard"), move("chaos", "discard", "you"))},
        {"front": side("library", "gf", {"do": "reveal", "n": 2}),
         "back": side("museum", "rf", {"do": "reveal"}, {"do": "swap"})},
        {"front": side("station", "rg", {"do": "travel"}), "back": side("harbour", "fg", {"do": "lure"})},
        {"front": side("police station", "fg", {"do": "banish"}),
         "back": side("hunting lodge", "rg", move("madness", "mat", "discard", 3))},
        {"front": side("market", "rf", move("madness", "discard", "you", 2)),
         "back": side("observatory", "gf", move("eldritch", "energy", "bag"))},
    ],
    "characters": [
        {"name": "scientist", "effects": [move("madness", "here", "discard")]},
        {"name": "priest", "effects": [move("madness", "you", "discard")]},
        {"name": "historian", "effects": [{"do": "reveal"}]},
        {"name": "investigator", "passive": {"steps": 1}},
        {"name": "sailor", "passive": {"rerolls": 1}},
        {"name": "medium", "passive": {"stop_draws": 1}},
        {"name": "clerk"},
        {"name": "guard", "effects": [], "passive": {}},
    ],
}  # fmt: skip
# options
ONE, TWO, THREE = range(3)  # clockwise
ONE_BACK, TWO_BACK, THREE_BACK = range(4, 7)
COLLECT, BANISH, TOWN, TRANSLATE, SEAL, ABILITY, STOP = range(8, 15)
SIZES = {
    "wheel_madness": 3, "action": 15, "chaos_action": 15, "flip": 5, "collect": 4, "target": 3, "reroll_banish": 8,
    "reroll_seal": 8, "banish": 4, "chaos_paid": 3, "portal": 6, "tentacle": 4, "page": 6, "town": 5,
}  # fmt: skip
MOVES = [ONE, ONE_BACK]
SPINS = {  # by segment, with the fronts of the town cards in order: the tail's town and its colour
    0: (2, 2), 1: (3, 0), 2: (3, 2), 3: (4, 1), 4: (4, 0), 5: (0, 0), 6: (0, 1), 7: (1, 2), 8: (1, 0), 9: (2, 1),
}  # fmt: skip
# the fronts of the town cards in order; two characters without abilities, both in town 0; the Great Old One far away
CALM: dict[str, Any] = {
    "goo": 2, "side": 0, "strength": 0, "energy": 0, "bag": [9, 9, 9, 0, 3], "discard": [3, 3, 3, 0, 0],
    "mat": [3, 3, 3], "mat_shamblers": [5, 4, 4], "chaos_supply": 7, "eldritch_supply": 15, "lines": 10,
    "madness": [[0] * 3] * 5, "shamblers": [[0] * 3, [0, 1, 0], [0] * 3, [0, 0, 1], [0] * 3],
    "town_eldritch": [1] * 5, "sides": [0, 2, 4, 6, 8], "pages": [0, 6, 12, 18, 24], "face_up": [False] * 5,
    "known": [False] * 5, "n_dealt": 5, "rows": [0] * 5, "portals": [-1] * 6, "at": [0, 0], "temper": [[0] * 3] * 2,
    "chaos": [0, 0], "brain": [0, 0], "runes": [[0] * 3] * 2, "characters": [6, 7], "left": 0, "must_leave": False,
    "ability_used": False,
}  # fmt: skip
NOT_SEEN = ("deck", "has_been_accursed")  # what a position may tell besides the state


def fresh(value: Any) -> Any:
    """A copy without lists that are the same list, as [[0]] * 3 has them."""
    return [fresh(one) for one in value] if isinstance(value, list) else value


class Trace:
    """Events by hand, each with what has changed since the one before; `position` may begin in mid-game.

    The wheel draws nothing unless the rules say so: most positions need no draws.
    """

    def __init__(self, rules: dict[str, Any] | None = None, draws: int = 0, **position: Any):
        silent = {"front": [draws] * 6, "back": [draws] * 6}
        rules = rules or {}
        names = ("nyarlathotep", "yog_sothoth", "yig", "cthulhu", "custom")
        self.rules = fresh_rules(BOX | {name: BOX[name] | silent for name in names} | rules)
        self.turn, self.position = 0, fresh_rules(position)
        self.state: dict[str, Any] = {name: fresh(CALM[name]) for name in STATE}
        self.events: list[dict[str, Any]] = []
        self.tell("setup")
        self.state |= {name: value for name, value in fresh_rules(position).items() if name not in NOT_SEEN}

    @property
    def seat(self) -> int:
        return self.turn % 2

    def tell(self, kind: str, changes: dict[str, Any] | None = None, /, **fields: Any) -> Trace:
        """An event; changes are given by place, as {"madness 0 1": 1}, numbers to add as "+1" or "-1"."""
        for place, value in (changes or {}).items():
            *way, last = [int(step) if step.isdigit() else step for step in place.split()]
            part: Any = self.state
            for step in way:
                part = part[step]
            part[last] = part[last] + int(value) if isinstance(value, str) else value
        event = {"event": kind, "turn": self.turn, "seat": self.seat, "state": copy.deepcopy(self.state)}
        self.events.append(event | fields)
        return self

    def decide(self, decision: str, legal: list[int], choice: int, **offer: Any) -> Trace:
        flags = [i in legal for i in range(SIZES[decision])]
        chosen = {"decision": decision, "seat": self.seat, "legal": flags, "choice": choice}
        self.events.append({"event": "decision", **chosen, **offer})
        return self

    def spin(self, segment: int = 4, **fields: Any) -> Trace:
        """The spin, and the pointer's icon as far as it needs no more than its event."""
        icon, (tail, colour) = self.rules["wheel"][segment], SPINS[segment]
        told = {"segment": segment, "town": segment // 2, "tail": tail, "colour": colour} | fields
        self.tell("spin", **told)
        if icon == "madness":
            return self
        changes = {"chaos_supply": "-1", "discard 3": "+1"} if icon == "chaos" and self.state["chaos_supply"] else {}
        return self.tell("pointer", changes, icon=icon, colour=-1)

    def spawn(self, town: int, colour: int, source: str = "spin", follows: bool = True) -> Trace:
        """A Shambler placed; after the spin the Great Old One follows."""
        placed = {f"mat_shamblers {colour}": "-1", f"shamblers {town} {colour}": "+1"}
        self.tell("spawn", placed, town=town, colour=colour, accursed=False, source=source)
        return self.tell("great_old_one", {"goo": town}, town=town) if source == "spin" and follows else self

    def begin(self, **changes: Any) -> Trace:
        """A turn up to its actions: a Chaos to the Discard Mat, a fear Shambler and the Great Old One to town 4."""
        self.spin(4).spawn(4, 0)
        self.state |= {"left": self.rules["actions"]} | changes
        return self

    def act(self, legal: list[int], option: int) -> Trace:
        """Choose an action, and pay for it."""
        is_chaos = not self.state["left"]
        self.decide("chaos_action" if is_chaos else "action", legal, option)
        if option == ABILITY:
            self.state["ability_used"] = True
        elif option != STOP and is_chaos:
            self.state["chaos"][self.seat] -= 1
            self.state["chaos_supply"] += 1
        elif option != STOP:
            self.state["left"] -= 1
        return self

    def walk(self, steps: int, chaos: bool = False) -> Trace:
        town = (self.state["at"][self.seat] + steps) % 5
        return self.tell("move", {f"at {self.seat}": town, "must_leave": False}, steps=steps, town=town, chaos=chaos)

    def roll(self, *dice: int, purpose: str = "banish", chaos: bool = False) -> Trace:
        return self.tell("roll", dice=[*dice, *[-1] * (3 - len(dice))], purpose=purpose, chaos=chaos)

    def stop(self, *others: int) -> Trace:
        """The end of the turn, asked for if there is something else to do."""
        if others:
            self.act([*others, STOP], STOP)
        self.tell("stop", {"left": 0, "must_leave": False, "ability_used": False})
        self.turn += 1
        return self

    def draw(self, kind: int, changes: dict[str, Any], source: str = "wheel", **fields: Any) -> Trace:
        told = {"accursed": False, "kind": kind, "source": source} | fields
        return self.tell("draw", {f"bag {kind}": "-1"} | changes, **told)

    def fork(self) -> Trace:
        return copy.deepcopy(self)

    def follow(self) -> Reference:
        reference = Reference(2, self.rules)
        for event in self.events[:1]:
            reference.apply(event)
        for name, value in fresh_rules(self.position).items():
            setattr(reference, name, value)
        for event in self.events[1:]:
            reference.apply(event)
        return reference

    def case(self, *cases: str) -> Trace:
        """Accepted, and the cases have been met."""
        coverage = self.follow().coverage
        for case in cases:
            assert case in CASES
            assert coverage["case", case] > 0, case
        return self

    def refused(self, match: str) -> None:
        """All but the last event accepted, the last one refused."""
        last = self.events.pop()
        reference = self.follow()
        with pytest.raises(Mismatch, match=match):
            reference.apply(last)


def fresh_rules(rules: dict[str, Any]) -> dict[str, Any]:
    return copy.deepcopy({name: fresh(value) for name, value in rules.items()})


class Teller(Reference):
    """The same rules, but where the reference would wait for an event it makes one up; `events` is the trace."""

    def __init__(self, seats: int, rules: dict[str, Any], rng: random.Random) -> None:
        self.rng = rng
        self.events: list[dict[str, Any]] = []
        self._pending: list[dict[str, Any]] = []
        super().__init__(seats, rules)

    def _choose(self, decision: str, options: Any, **offer: Any) -> Any:
        legal = sorted(options)
        choice = self._liked(decision, legal)
        if len(legal) > 1:
            flags = [i in legal for i in range(max(SIZES[decision], 1 + max(legal)))]
            chosen = {"decision": decision, "seat": self.active, "legal": flags, "choice": choice}
            self._pending.append(chosen | offer)
        return choice
        yield

    def _liked(self, decision: str, legal: list[int]) -> int:
        """Rather translate, seal or go where one can seal than anything else; rather anything than nothing."""
        if decision in ("action", "chaos_action"):
            for option in (SEAL, TRANSLATE):
                if option in legal:
                    return option
            steps = {option: option + 1 if option < 4 else 3 - option for option in legal if option < 8}
            aims = [option for option in steps if self.is_phase_two and (self.here + steps[option]) % 5 == self.goo]
            if aims and any(self.temper[self.active]):
                return self.rng.choice(aims)
        busy = legal[:-1] if len(legal) > 1 and legal[-1] in (STOP, 4) and self.rng.random() < 0.8 else legal
        return self.rng.choice(busy)

    def _next(self, kind: str, seat: int | None = None, **fields: Any) -> Any:
        event = {"event": kind, "turn": self.turn, "seat": self.active if seat is None else seat, **fields}
        rng = self.rng
        if kind == "setup":
            event["state"] = self._deal_all()
        elif kind == "spin":
            spin = rng.choice(sorted(spins(self.rules)))
            event |= {"segment": spin.segment, "tail": spin.tail, "colour": self._colour_of(spin)}
        elif kind == "draw":
            event["kind"] = rng.choices(range(5), self.bag)[0]
        elif kind == "translate":
            card = rng.choice(sorted(self.deck)) if self.deck else -1
            event["state"] = {"pages": [card] * N_TOWNS}
        return event
        yield

    def _fit(self, event: dict[str, Any], **fields: Any) -> None:
        event |= fields

    def _dice_of(self, event: dict[str, Any], n: int) -> list[int]:
        kept = self._kept if event["event"] == "reroll" else [None] * n
        faces = self.rng.choices(range(3), self.rules["die"], k=n)
        dice = [new if old is None else old for old, new in zip(kept, faces, strict=True)]
        event["dice"] = dice + [-1] * (self.rules["n_dice"] - n)
        return dice

    def _reroll(self, dice: list[int], mask: int) -> Any:
        self._kept = [None if mask >> i & 1 else die for i, die in enumerate(dice)]
        return (yield from super()._reroll(dice, mask))

    def _check_state(self, event: dict[str, Any]) -> None:
        self.coverage["event", event["event"]] += 1
        told = copy.deepcopy(event | {"state": self.describe()})
        *earlier, last = self._pending or [None]
        self._pending = []
        told |= {name: value for name, value in (("decision", last), ("earlier", earlier)) if value}
        self.events.append(told)

    def _deal_all(self) -> dict[str, Any]:
        """A set-up at random: the reference's own way of placing Shamblers is used."""
        rng, rules = self.rng, self.rules
        sides = [2 * card + rng.randrange(2) for card in rng.sample(range(5), 5)]
        names = [town["name"] for town in self.town_sides]
        if rules["towns"]:
            sides = [names.index(name) for name in rules["towns"]]
        elif rules["town_up"]:
            up = names.index(rules["town_up"])
            sides = [up if town // 2 == up // 2 else town for town in sides]
        characters = rng.sample(range(len(rules["characters"])), len(rules["characters"]))
        names = [character["name"] for character in rules["characters"]]
        characters.sort(key=lambda c: (names[c] != rules["character_in"]) + (names[c] == rules["character_out"]))
        if rules["table_characters"]:
            characters = [names.index(name) for name in rules["table_characters"]]
        self.sides = sides
        before = copy.deepcopy(self.describe())
        for spin in rng.choices(sorted(spins(rules)), k=self.n_seats):
            self._put_shambler(spin.town, self._colour_of(spin))
        state = copy.deepcopy(self.describe()) | {
            "goo": rng.randrange(5), "at": [rng.randrange(5) for _ in range(self.n_seats)],
            "pages": rng.sample(sorted(self.deck), 5), "characters": characters[: self.n_seats],
        }  # fmt: skip
        for name in ("shamblers", "mat_shamblers", "town_eldritch", "discard", "eldritch_supply"):
            setattr(self, name, before[name])
        return state


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Rules at random, from games that end at once to games in which a portal needs nothing."""
    choices: dict[str, list[Any]] = {
        "edition": ["rulebook", "published"], "great_old_one": ["yog_sothoth", "yig", "cthulhu", "custom", "custom"],
        "mode": ["normal", "madness"], "shamblers_each": [1, 5, 5], "chaos_per_line": [0, 1], "actions": [1, 3, 5],
        "chaos": [10, 17], "madness_track": [2, 3], "shambler_track": [1, 2, 3],
        "energy_track": [[2, 2], [3, 2], [1, 1]],
        "delirium": [2, 4, 9], "brain_at_start": [False, True], "wheel_tail": ["opposite", "independent"],
        "die": [[2, 2, 2], [1, 3, 2]], "n_dice": [2, 3], "page_cost": [0, 0, 2], "pages_per_card": ["1", "1-2", "2"],
        "extra_strength": [-1, 0, 12], "portals_harder": [-3, 0], "powers": ["printed", "none", "twice"],
        "banish_cost": ["highest", "sum"], "banish_target": ["after-roll", "before-roll"],
        "free_banish": [False, True], "rerolls": ["once", "total"], "move_distance": ["up-to", "exact"],
        "must_leave_checked": ["actions", "turn-start"], "pointer_shambler": ["pointer", "tail"],
        "follows_accursed": [False, True], "energy_at_flip": ["kept", "bag"], "start_eldritch": [0, 3],
        "powers_resolve": ["at-once", "after-draws"], "failed_seal": ["nothing", "tentacle"],
        "town_up": ["", "museum"], "character_in": ["", "historian"], "character_out": ["", "sailor"],
        "max_rounds": [3, 40],
    }  # fmt: skip
    return BOX | {name: rng.choice(values) for name, values in choices.items()}


def told(seed: int) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """A game that the reference tells itself."""
    rng = random.Random(seed)
    seats, rules = rng.choice([2, 3, 4]), random_rules(rng)
    return seats, rules, Teller(seats, rules, rng).events
