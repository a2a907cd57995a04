"""Tentacle Town's table in plain Python: what lies on it, and how a trace is compared with it.

The rules of play are in `tentacle_town`; here is what they act upon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn, TypeVar

Event = dict[str, Any]
T = TypeVar("T")
Script = Generator[None, Event, T]

DISTRICTS = ("docks", "market", "foundry")
TOKENS = ("gold", "food", "iron", "fame")
GOODS = (*TOKENS, "harpoons")
BOARD_TASKS = (  # two a district
    "hunt_tentacles", "butcher_catch", "sell_sushi", "calamari_caravan", "forge_harpoons", "smelt_iron",
)  # fmt: skip
CARDS = (
    "declaw_crabs", "recycle_anchors", "whittle_sticks", "research_steel", "fancy_shindig", "erect_a_statue",
    "bake_pie", "squid_bake", "plant_flowers", "can_calamari", "housing_project", "hire_movers",
)  # fmt: skip
TASKS = (*BOARD_TASKS, *CARDS)

IS_EITHER = (False, True)
RULES: dict[str, tuple[Any, ...]] = {  # every key that must be given besides TASKS, with its values where they are few
    "rows": (), "row_left_out_two_players": (), "row_left_out_three_players": (), "residents": (), "tentacles": (),
    "buildings": (), "dice": (), "tokens": (), "start_buildings": (), "start_gold": (), "start_harpoons": (),
    "start_food": (), "start_iron": (), "start_fame": (), "die": (), "hit": (), "adjacency": ("all", "line"),
    "task_cards": (), "cards": (), "card_in": ("", None, *CARDS), "card_out": ("", None, *CARDS), "defence_pays": (),
    "overtime_cost": (), "harpoons_per_result": (), "build_by_overtime": IS_EITHER,
    "overtime_limit": ("none", "residents"), "overtime_after_pass": IS_EITHER, "zero_tasks": IS_EITHER,
    "pass_work": ("always", "stuck"), "overtime_from_earnings": IS_EITHER, "trades": ("up-to", "all"),
    "hunt_firing": ("one-by-one", "volley"), "dice_order": ("chosen", "skulls-first", "arrows-first"),
    "destroyed_returns": IS_EITHER, "token_limit": IS_EITHER, "movers_same_district": IS_EITHER, "max_rounds": (),
}  # fmt: skip
WITH_ALTERNATIVES = (
    *(key for key, values in RULES.items() if values and not key.startswith("card_")), "rows", "die", "hit",
    "task_cards", "recycle_anchors", "whittle_sticks", "bake_pie", "hire_movers",
)  # fmt: skip


class Mismatch(Exception):  # noqa: N818  (the name the traces' users know)
    """The trace and the rules disagree: the event, what the rules ask for, what was found."""


class Task(NamedTuple):
    """A task as its card shows it: pay, gain; `per` multiplies the gain, `up_to` the whole trade."""

    cost: dict[str, int]
    gain: dict[str, int]
    per: str
    up_to: str


@dataclass
class Seat:
    """What lies before a player and what they have built: buildings by district and row."""

    goods: dict[str, int]
    left: int
    buildings: list[list[int]]
    cards_used: int = 0
    counts: Counter[str] = field(default_factory=Counter)


def read_task(table: dict[str, Any]) -> Task:
    """A task from its component; what is missing, None or empty means none."""
    cost, gain = ({good: n for good, n in (table.get(key) or {}).items() if n} for key in ("cost", "gain"))
    return Task(cost, gain, table.get("per") or "", table.get("up_to") or "")


def rows_in_use(players: int, rules: dict[str, Any]) -> list[int]:
    """Starting Buildings: the sizes of the rows from the water inland, without the one left out at this table."""
    left_out = {2: rules["row_left_out_two_players"], 3: rules["row_left_out_three_players"]}.get(players)
    return [size for size in rules["rows"] if size != left_out]


class Table:
    """What lies on the table, and the trace so far; `_play` is the game."""

    def __init__(self, players: int, rules: dict[str, Any]) -> None:
        check_rules(players, rules)
        self.players, self.rules, self.p_hit = players, rules, Fraction(rules["hit"])
        self.rows, self.tasks = rows_in_use(players, rules), [read_task(rules[name]) for name in TASKS]
        self.supply, self.residents = rules["residents"], [0, 0, 0]
        self.tentacles, self.dice = [0, 0, 0], [0, 0, 0, 0]
        self.seats = [self._starting_seat() for _ in range(players)]
        self.cards: list[int] = []
        self.done: set[int] = set()
        self.district: int | None = None
        self.turn = self.n_events = 0
        self.totals: Counter[str] = Counter()
        self.finished = self._is_refused = self._is_over_tokens = False
        self.coverage: Counter[tuple[Any, ...]] = Counter({("players", players): 1})
        self.coverage.update(("rule", name, rule_text(name, rules[name])) for name in WITH_ALTERNATIVES)
        self._script = self._play()
        next(self._script, None)

    def _play(self) -> Script[None]:
        """The game, a generator that waits for the events one after the other."""
        raise NotImplementedError

    @property
    def active(self) -> int:
        """The active seat: play proceeds clockwise."""
        return self.turn % self.players

    @property
    def me(self) -> Seat:
        """What the active seat has."""
        return self.seats[self.active]

    @property
    def here(self) -> int:
        """The district worked this turn, and the ocean area next to it."""
        if self.district is None:
            raise LookupError("no district has been worked yet")
        return self.district

    def apply(self, event: Event) -> None:
        """Follow one event; `Mismatch` if the rules do not allow it or its state is not the one they lead to."""
        self._event = event
        self.n_events += 1
        if self.finished or self._is_refused:
            self._refuse(f"nothing after {'the end' if self.finished else 'a mismatch'}", "one more event")
        self._is_refused = True
        try:
            self._script.send(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Mismatch(f"{self._whereabouts()}: expected an event of the agreed form; found {error!r}") from error
        self._is_refused = False

    def _starting_seat(self) -> Seat:
        """Player Buildings & Resources; one building a district in the outermost row in use (ambiguity 18)."""
        n = self.rules["start_buildings"]
        goods = {good: self.rules[f"start_{good}"] for good in GOODS}
        return Seat(goods, self.rules["buildings"] - 3 * n, [[n] + [0] * (len(self.rows) - 1) for _ in DISTRICTS])

    # Tokens

    def _pay(self, cost: dict[str, int], times: int = 1) -> None:
        """The active seat pays; what is paid can be paid, or it would not have been legal."""
        for good, n in cost.items():
            self.me.goods[good] -= n * times
        self.me.counts["spent"] += cost.get("fame", 0) * times

    def _gain(self, seat: int, gain: dict[str, int], times: int, source: str) -> None:
        """A seat takes goods, under a token limit what is left of them (ambiguity 15)."""
        for good, n in gain.items():
            amount = n * times
            if self.rules["token_limit"] and good in TOKENS:
                left = max(self.rules["tokens"] - sum(other.goods[good] for other in self.seats), 0)
                self._note("token limit binds", amount > left)
                amount = min(amount, left)
            self.seats[seat].goods[good] += amount
            self.seats[seat].counts[source] += amount * (good == "fame")

    # Comparing

    def _choose(self, decision: str, options: Iterable[int], seat: int | None = None) -> Script[int]:
        """A decision: its name, its seat, its legal options and the choice; a single option needs no event."""
        legal, seat = sorted(options), self.active if seat is None else seat
        if len(legal) == 1:
            return legal[0]
        event = yield
        self._agree("event", f"decision {decision}", kind_of(event))
        self._agree(f"{decision} of seat", seat, event["seat"])
        self._agree(f"{decision} between", legal, [i for i, is_legal in enumerate(event["legal"]) if is_legal])
        if event["choice"] not in legal:
            self._refuse(f"a choice of {decision} among {legal}", event["choice"])
        choice = int(event["choice"])
        self.coverage["decision", decision] += 1
        self.coverage["option", decision, choice] += 1
        return choice

    def _next(self, kind: str, **fields: Any) -> Script[Event]:
        """Wait for the next event: of this kind, this turn (the end: or the turn before) and with these fields."""
        event = yield
        self._agree("event", kind, kind_of(event))
        turns = {max(self.turn - (kind == "end"), 0), self.turn}
        if event["turn"] not in turns or event["seat"] != event["turn"] % self.players:
            self._refuse(f"turn {self.turn} of seat {self.active}", (event["turn"], event["seat"]))
        for name, expected in fields.items():
            found = event[name]
            if isinstance(expected, dict):
                for column, value in expected.items():
                    self._agree(f"{name} {column}", value, listed(found[column]))
            else:
                self._agree(name, expected, listed(found))
        self.coverage["event", kind] += 1
        return event

    def _next_and_check(self, kind: str, **fields: Any) -> Script[None]:
        """Wait for the event that tells what has just been done to the table."""
        event = yield from self._next(kind, **fields)
        self._check_state(event)

    def describe(self) -> dict[str, Any]:
        """The whole table, as the traces tell it."""
        return {
            "residents": list(self.residents), "supply": self.supply, "tentacles": list(self.tentacles),
            "buildings": [[list(rows) for rows in seat.buildings] for seat in self.seats],
            "left": [seat.left for seat in self.seats],
            **{good: [seat.goods[good] for seat in self.seats] for good in GOODS},
            "cards": list(self.cards), "done": sorted(self.done), "district": self.district, "dice": list(self.dice),
        }  # fmt: skip

    def _check_state(self, event: Event) -> None:
        """Compare the whole state with the table."""
        for name, expected in self.describe().items():
            self._agree(f"state {name}", expected, listed(event["state"][name]))
        self._agree("state of", sorted(self.describe()), sorted(event["state"]))

    def _agree(self, what: str, expected: Any, found: Any) -> None:
        if expected != found:
            self._refuse(f"{what} {expected!r}", found)

    def _refuse(self, expected: str, found: Any) -> NoReturn:
        raise Mismatch(f"{self._whereabouts()}: expected {expected}; found {found!r}")

    def _whereabouts(self) -> str:
        """Where the trace is: the event's number and kind, the game's turn and seat."""
        return f"event {self.n_events - 1} ({self._event.get('event')}, turn {self.turn}, seat {self.active})"

    def _note(self, case: str, is_reached: bool = True) -> None:
        if is_reached:
            self.coverage["case", case] += 1


def kind_of(event: Event) -> str:
    """The event's name, and of a decision which one."""
    return f"decision {event['decision']}" if event["event"] == "decision" else event["event"]


def listed(value: Any) -> Any:
    """The value with every tuple in it as a list."""
    return [listed(one) for one in value] if isinstance(value, list | tuple) else value


def rule_text(name: str, value: Any) -> str:
    """How the coverage tells a rule's value: a task without its empty parts."""
    if name in TASKS:
        return repr({key: part for key, part in read_task(value)._asdict().items() if part})
    return repr(listed(value))


def check_rules(players: int, rules: dict[str, Any]) -> None:
    """Refuse rules under which no game can be set up."""
    for key in (*RULES, *TASKS):
        values = RULES.get(key)
        if key not in rules or (values and rules[key] not in values):
            raise ValueError(f"rules[{key!r}] must be given {values or ''}; found {rules.get(key)!r}")
    if not 2 <= players <= 4 or not 0 <= Fraction(rules["hit"]) <= 1 or len(rules["die"]) != 5:
        found = players, rules["hit"], rules["die"]
        raise ValueError(f"2 to 4 players, a chance and a die of five counts must be given; found {found}")
    rows, n = rows_in_use(players, rules), rules["start_buildings"]
    if not rows or n * players > rows[0] or 3 * n > rules["buildings"]:
        raise ValueError(f"the starting buildings must fit the outermost row; found {n} for {players} and rows {rows}")
    for name in ("hunt_tentacles", "housing_project", "hire_movers"):
        task = read_task(rules[name])
        is_hunt = name == "hunt_tentacles"
        if task.per or task.up_to not in ("", "residents" if is_hunt else "") or (is_hunt and task.cost):
            raise ValueError(f"{name} must keep its form, only the amounts may change; found {rules[name]}")
