"""Traces of Tentacle Town for the reference's own tests: written by hand, or told by the reference itself."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from .tentacle_town import CASES, Mismatch, Reference
from .tentacle_town_table import CARDS, GOODS, TASKS

BOX: dict[str, Any] = {  # the box as it is sold, except that no task cards are dealt
    "rows": [6, 4, 3], "row_left_out_two_players": 6, "row_left_out_three_players": 3,
    "residents": 20, "tentacles": 10, "buildings": 10, "dice": 4, "tokens": 28, "start_buildings": 1,
    "start_gold": 3, "start_harpoons": 3, "start_food": 0, "start_iron": 0, "start_fame": 0,
    "die": [1, 2, 2, 1, 0], "hit": "1/2", "adjacency": "all", "task_cards": 0, "cards": [],
    "card_in": "", "card_out": "",
    "hunt_tentacles": {"gain": {"food": 1, "fame": 1}, "up_to": "residents"},
    "butcher_catch": {"gain": {"food": 1}, "per": "buildings"},
    "sell_sushi": {"cost": {"food": 1}, "gain": {"gold": 1}, "up_to": "residents"},
    "calamari_caravan": {"cost": {"iron": 1, "food": 1, "gold": 1}, "gain": {"fame": 1}, "per": "buildings"},
    "forge_harpoons": {"cost": {"iron": 2, "food": 1}, "gain": {"harpoons": 1}, "per": "residents"},
    "smelt_iron": {"gain": {"iron": 1}, "per": "buildings"},
    "declaw_crabs": {"gain": {"food": 2}}, "recycle_anchors": {"gain": {"iron": 2}},
    "whittle_sticks": {"gain": {"harpoons": 1}}, "research_steel": {"cost": {"iron": 1}, "gain": {"fame": 1}},
    "fancy_shindig": {"cost": {"gold": 2}, "gain": {"fame": 2}},
    "erect_a_statue": {"cost": {"iron": 1, "gold": 1}, "gain": {"fame": 2}},
    "bake_pie": {"cost": {"food": 2}, "gain": {"fame": 2}},
    "squid_bake": {"cost": {"food": 2}, "gain": {"fame": 1}, "up_to": "buildings"},
    "plant_flowers": {"cost": {"gold": 1}, "gain": {"fame": 1}, "up_to": "buildings"},
    "can_calamari": {"cost": {"food": 2, "iron": 1}, "gain": {"gold": 1}, "per": "buildings"},
    "housing_project": {"cost": {"gold": 1, "fame": 1}, "per": None}, "hire_movers": {},
    "defence_pays": {"food": 1, "fame": 1}, "overtime_cost": 1, "harpoons_per_result": 1,
    "build_by_overtime": False, "overtime_limit": "none", "overtime_after_pass": False, "zero_tasks": True,
    "pass_work": "always", "overtime_from_earnings": True, "trades": "up-to", "hunt_firing": "one-by-one",
    "dice_order": "chosen", "destroyed_returns": True, "token_limit": False, "movers_same_district": True,
    "max_rounds": 100,
}  # fmt: skip
DOCKS, MARKET, FOUNDRY = range(3)
PASS, BUILD, HUNT, BUTCHER, SUSHI, CARAVAN, FORGE, SMELT = range(8)  # options of work; the cards follow
SKULL, ARROW, DESTROY, NEW = range(4)


def option(card: str) -> int:
    return TASKS.index(card) + 2


def fresh(value: Any) -> Any:
    """A copy without lists that are the same list, as [[1, 0]] * 3 has them."""
    return json.loads(json.dumps(value))


class Trace:
    """Events by hand, each with what has changed since the one before; `position` may begin in mid-game."""

    def __init__(self, players: int = 2, cards: tuple[str, ...] = (), rules: dict | None = None, **position: Any):
        self.rules, self.players = BOX | {"cards": list(cards)} | (rules or {}), players
        self.position, self.turn = position, 0
        self.events: list[dict[str, Any]] = []
        n_rows = {2: 2, 3: 2, 4: 3}[players]
        self.state: dict[str, Any] = {
            "residents": [0, 0, 0], "supply": self.rules["residents"], "tentacles": [0, 0, 0],
            "buildings": [[[1] + [0] * (n_rows - 1) for _ in range(3)] for _ in range(players)], "left": [7] * players,
            **{good: [self.rules[f"start_{good}"]] * players for good in GOODS},
            "cards": [TASKS.index(c) for c in cards], "done": [], "district": None, "dice": [0, 0, 0, 0],
        } | fresh(position)  # fmt: skip
        self.tell("setup")

    def tell(self, kind: str, changes: dict[str, Any] | None = None, /, **fields: Any) -> Trace:
        """An event; changes are given by place, as {"residents 0": 1}."""
        for place, value in (changes or {}).items():
            *way, last = [int(step) if step.isdigit() else step for step in place.split()]
            part: Any = self.state
            for step in way:
                part = part[step]
            part[last] = value
        event = {"event": kind, "turn": self.turn, "seat": self.turn % self.players, "state": copy.deepcopy(self.state)}
        self.events.append(event | fields)
        return self

    def decide(self, decision: str, legal: list[int], choice: int, seat: int | None = None) -> Trace:
        flags = [i in legal for i in range(max(20, *legal, choice))]
        seat = self.turn % self.players if seat is None else seat
        self.events.append({"event": "decision", "decision": decision, "seat": seat, "legal": flags, "choice": choice})
        return self

    def recruit(self, district: int) -> Trace:
        self.decide("district", [0, 1, 2], district)
        self.state["residents"][district] += 1
        self.state["supply"] -= 1
        return self.tell("recruit", {"district": district, "done": []})

    def attack(self, *roll: int) -> Trace:
        self.state["tentacles"][self.state["district"]] += 1
        return self.tell("tentacle", source=-1).tell("roll", {"dice": list(roll)}, dice=list(roll))

    def quiet_turn(self, district: int, legal: list[int]) -> Trace:
        """A turn of passing under dice with blank faces only."""
        self.recruit(district).decide("work", legal, PASS).tell("pass").attack(0, 0, 0, 0)
        self.turn += 1
        return self

    def fork(self) -> Trace:
        return copy.deepcopy(self)

    def follow(self) -> Reference:
        reference = Reference(self.players, self.rules)
        for name, value in fresh(self.position).items():
            if name in ("residents", "supply", "tentacles"):
                setattr(reference, name, value)
            for seat, own in zip(reference.seats, value if isinstance(value, list) else [], strict=False):
                if name in GOODS:
                    seat.goods[name] = own
                elif name in ("left", "buildings"):
                    setattr(seat, name, own)
        for event in self.events:
            reference.apply(event)
        return reference

    def case(self, case: str) -> None:
        """Accepted, and the case has been met."""
        assert case in CASES
        assert self.follow().coverage["case", case] > 0

    def refused(self, match: str) -> None:
        """All but the last event accepted, the last one refused."""
        last = self.events.pop()
        reference = self.follow()
        with pytest.raises(Mismatch, match=match):
            reference.apply(last)


QUIET = {"die": [0, 0, 0, 0, 6]}  # blank faces only
NOTHING: dict[str, dict[str, Any]] = {
    "games": dict.fromkeys(
        ("n_killed", "n_fled", "n_destroyed", "n_saved", "cards", "majority_lost", "majority_unheld"), 0
    ) | {"over_tokens": False},
    "seats": {name: [0, 0] for name in (
        "fame", "from_hunting", "from_defence", "from_board", "from_cards", "from_majority", "spent", "n_built",
        "n_lost", "n_fired", "n_hit", "n_overtime", "cards_used",
    )} | {"gold": [3, 3], "n_buildings": [3, 3]},
}  # fmt: skip


def end(trace: Trace, games: dict, seats: dict, **fields: Any) -> Trace:
    trace.turn = fields.get("n_turns", 1)
    columns = {"games": NOTHING["games"] | games, "seats": NOTHING["seats"] | seats}
    return trace.tell("end", **({"cause": "no-resident", "n_turns": 1} | fields | columns))


class Teller(Reference):
    """The same rules, but where the reference would wait for an event it makes one up; `events` is the trace."""

    def __init__(self, players: int, rules: dict[str, Any], rng: random.Random) -> None:
        self.rng = rng
        self.events: list[dict[str, Any]] = []
        super().__init__(players, rules)

    def _choose(self, decision: str, options: Any, seat: int | None = None) -> Any:
        legal = sorted(options)
        choice = self.rng.choice(legal)
        if len(legal) > 1:
            flags = [i in legal for i in range(20)]
            seat = self.active if seat is None else seat
            event = {"event": "decision", "decision": decision, "seat": seat, "legal": flags, "choice": choice}
            self.events.append(event)
        return choice
        yield

    def _next(self, kind: str, **fields: Any) -> Any:
        event = {"event": kind, "turn": self.turn, "seat": self.active, **fields}
        if kind == "setup":
            event["state"] = {"cards": self._deal()}
        elif kind == "roll":
            n_dice, faces = min(self.rules["dice"], self.tentacles[self.here]), self.rules["die"]
            shown = Counter(self.rng.choices(range(5), faces, k=n_dice))
            event["dice"] = [shown[face] for face in range(4)]
        elif kind == "shot":
            event["hit"] = self.rng.random() < self.p_hit
        return event
        yield

    def _check_state(self, event: dict[str, Any]) -> None:
        self.events.append(event | {"state": self.describe()})

    def _deal(self) -> list[int]:
        if self.rules["cards"]:
            return sorted(TASKS.index(name) for name in self.rules["cards"])
        cards = self.rng.sample(CARDS, len(CARDS))
        cards.sort(key=lambda card: (card != self.rules["card_in"]) + (card == self.rules["card_out"]))
        return sorted(TASKS.index(name) for name in cards[: self.rules["task_cards"]])


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Rules at random, from games of three residents to the box as it is sold."""
    rules: dict[str, Any] = {
        "rows": [[6, 4, 3], [4, 6, 3], [4, 1, 1]], "residents": [3, 8, 20], "tentacles": [2, 5, 10],
        "buildings": [3, 5, 10], "tokens": [6, 28], "start_gold": [0, 3, 6], "start_food": [0, 2], "start_iron": [0, 2],
        "start_fame": [0, 1], "start_harpoons": [0, 3, 9],
        "die": [[1, 2, 2, 1, 0], [1, 2, 1, 1, 1], [1, 1, 3, 1, 0], [1, 1, 5, 0, 0]], "hit": ["1/2", "2/3", 0.4, 1],
        "adjacency": ["all", "line"], "task_cards": [0, 3, 12], "cards": [[], [], ["bake_pie", "housing_project"]],
        "card_in": ["", "hire_movers"], "card_out": ["", "squid_bake"],
        "hire_movers": [{}, {"cost": {"gold": 1}}], "recycle_anchors": [{"gain": {"iron": n}} for n in (1, 2)],
        "harpoons_per_result": [1, 1, 2], "overtime_limit": ["none", "residents"], "pass_work": ["always", "stuck"],
        "trades": ["up-to", "all"], "hunt_firing": ["one-by-one", "volley"],
        "dice_order": ["chosen", "skulls-first", "arrows-first"], "max_rounds": [3, 100],
    }  # fmt: skip
    switches = (
        "build_by_overtime", "overtime_after_pass", "zero_tasks", "overtime_from_earnings", "destroyed_returns",
        "token_limit", "movers_same_district",
    )  # fmt: skip
    return BOX | {
        key: rng.choice(values) for key, values in {**rules, **{key: [False, True] for key in switches}}.items()
    }


def told(seed: int) -> tuple[int, dict[str, Any], list[dict]]:
    rng = random.Random(seed)
    players, rules = rng.choice([2, 3, 4]), random_rules(rng)
    return players, rules, Teller(players, rules, rng).events
