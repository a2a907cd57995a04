"""Tiny Epic Cthulhu's table in plain Python: what lies on it, and how a trace is compared with it.

The rules of play are in the other files `tiny_epic_cthulhu*`; here is what they act upon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from typing import Any, NamedTuple, NoReturn, TypeVar

Event = dict[str, Any]
T = TypeVar("T")
Script = Generator[None, Event, T]

COLOURS = ("fear", "rage", "greed")
FEAR, RAGE, GREED, CHAOS, ELDRITCH = range(5)
MADNESS = (FEAR, RAGE, GREED)
N_TOWNS = N_ROWS = ROW = 5  # the Necronomicon has as many columns as rows
BANISH, TRANSLATE, SEAL = range(3)  # what chaos is spent for
OPEN = NO_PAGE = NONE = NOT_ROLLED = -1
NOT_THERE = 255  # in offers: no such die, no such town

BY_EDITION = {  # the rulebook's ruling and the published one
    "shamblers_lose": ("no", "yes"), "flip": ("passed", "stopped"), "must_leave": ("an-action", "first-action"),
    "page_at_great_old_one": ("face-down", "face-up"), "eldritch_returns": ("no", "yes"),
    "colour_sealed": ("nothing", "power-stops"),
}  # fmt: skip
GREAT_OLD_ONES = ("nyarlathotep", "yog_sothoth", "yig", "cthulhu", "custom")
MODES = ("normal", "hard", "madness")
IS_EITHER = (False, True)
RULES: dict[str, tuple[Any, ...]] = {  # every key that must be given, with its values where they are few
    "edition": ("rulebook", "published"), **{name: ("edition", *both) for name, both in BY_EDITION.items()},
    "great_old_one": GREAT_OLD_ONES, **dict.fromkeys(GREAT_OLD_ONES, ()), "mode": MODES,
    "bag_each": (), "mat_each": (), "discard_each": (), "chaos": (), "eldritch": (), "start_eldritch": (),
    "shamblers_each": (), "chaos_per_line": (), "actions": (), "temperament_track": (), "chaos_track": (), "wheel": (),
    "wheel_tail": ("opposite", "independent"), "madness_track": (), "shambler_track": (), "energy_track": (),
    "delirium": (), "brain_at_start": IS_EITHER, "die": (), "n_dice": (), "pages": (), "page_cost": (),
    "pages_per_card": ("1", "1-2", "2"), "extra_strength": (), "portals_harder": (),
    "powers": ("printed", "none", "twice"), "town_actions": ("printed", "none"), "abilities": ("printed", "none"),
    "banish_cost": ("highest", "sum"), "banish_target": ("after-roll", "before-roll"), "free_banish": IS_EITHER,
    "rerolls": ("once", "total"), "move_distance": ("up-to", "exact"), "must_leave_checked": ("actions", "turn-start"),
    "pointer_shambler": ("pointer", "tail"), "follows_accursed": IS_EITHER, "energy_at_flip": ("kept", "bag"),
    "powers_resolve": ("at-once", "after-draws"), "failed_seal": ("nothing", "tentacle"),
    "town_cards": (), "characters": (), "towns": (), "town_up": (), "table_characters": (), "character_in": (),
    "character_out": (), "max_actions": (), "max_rounds": (),
}  # fmt: skip
WITH_ALTERNATIVES = (
    *(name for name, values in RULES.items() if values), "wheel", "chaos_per_line", "madness_track", "shambler_track",
    "energy_track", "delirium", "die", "page_cost", "extra_strength", "portals_harder",
)  # fmt: skip
LUCK_FIXED = ("towns", "town_up", "table_characters", "character_in", "character_out")
STATE = (
    "goo", "side", "strength", "energy", "bag", "discard", "mat", "mat_shamblers", "chaos_supply", "eldritch_supply",
    "lines", "madness", "shamblers", "town_eldritch", "sides", "pages", "face_up", "known", "n_dealt", "rows",
    "portals", "at", "temper", "chaos", "brain", "runes", "characters", "left", "must_leave", "ability_used",
)  # fmt: skip


class Mismatch(Exception):  # noqa: N818  (the name the traces' users know)
    """The trace and the rules disagree: the event, what the rules ask for, what was found."""


class Over(Exception):  # noqa: N818  (no error: the way out of whatever is under way)
    """The game ends immediately when a win or loss condition has been met."""


class Ending(NamedTuple):
    """Why the game ended, what was under way, which track was accursed, whose power it was."""

    cause: str
    trigger: str
    track: str
    power: str


class Spin(NamedTuple):
    """Where the spinner stops: the pointer's segment and town, the tail's town, and which of its two colours."""

    segment: int
    town: int
    tail: int
    half: int


class Table:
    """What lies on the table, and the trace so far; `_play` is the game."""

    def __init__(self, seats: int, rules: dict[str, Any]) -> None:
        check_rules(seats, rules)
        self.n_seats, self.rules = seats, rules
        great_old_one, extra = rules[rules["great_old_one"]], rules["extra_strength"]
        self.draws = [stretched(great_old_one[side], extra) for side in ("front", "back")]
        harder, portals = rules["portals_harder"], great_old_one["portals"]
        self.portal_numbers = [max(n + harder, 0) for colour in COLOURS for n in portals[colour]]
        self.town_sides = [card[side] for card in rules["town_cards"] for side in ("front", "back")]
        self._lay_out(rules)
        self._lay_out_seats(seats, rules)
        self.left, self.must_leave, self.ability_used = 0, False, False
        self.turn = self.n_events = 0
        self.spin: Spin | None = None
        self.was_beside = False  # the active seat with the Great Old One when the turn began
        self.trigger, self.power = "none", "none"  # what is under way
        self.ending: Ending | None = None
        self.totals: Counter[str] = Counter()
        self.tallies: Counter[tuple[Any, ...]] = Counter()  # name of the tally, then its keys, the game's own words
        self.counts: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.sides_used = [0] * seats
        self.finished = self._is_refused = False
        self.coverage: Counter[tuple[Any, ...]] = Counter({("seats", seats): 1})
        self.coverage.update(("rule", name, rule_text(rules[name])) for name in WITH_ALTERNATIVES)
        self.coverage.update(("rule", name, "given") for name in LUCK_FIXED if rules[name])
        self._script = self._play()
        next(self._script, None)

    def _play(self) -> Script[None]:
        """The game, a generator that waits for the events one after the other."""
        raise NotImplementedError

    def _lay_out(self, rules: dict[str, Any]) -> None:
        """Setup: what lies in the same place in every game."""
        n_in_bag = rules["start_eldritch"] + MODES.index(rules["mode"])
        self.bag = [rules["bag_each"]] * 3 + [0, n_in_bag]
        self.discard = [rules["discard_each"]] * 3 + [0, 0]
        self.mat, self.mat_shamblers = [rules["mat_each"]] * 3, [rules["shamblers_each"]] * 3
        self.lines = 2 * ROW * rules["chaos_per_line"]
        self.chaos_supply = rules["chaos"] - self.lines
        self.eldritch_supply = rules["eldritch"] - n_in_bag - N_TOWNS
        self.madness = [[0, 0, 0] for _ in range(N_TOWNS)]
        self.shamblers = [[0, 0, 0] for _ in range(N_TOWNS)]
        self.town_eldritch = [1] * N_TOWNS
        self.goo = self.side = self.strength = self.energy = 0
        self.sides = [0] * N_TOWNS
        self.pages, self.face_up, self.known = [NO_PAGE] * N_TOWNS, [False] * N_TOWNS, [False] * N_TOWNS
        self.deck, self.n_dealt = set(range(len(rules["pages"]))), 0
        self.rows, self.portals = [0] * N_ROWS, [OPEN] * 6

    def _lay_out_seats(self, seats: int, rules: dict[str, Any]) -> None:
        """Each player's mat; the Brain Token lies beside the Delirium Track unless a rule has it there."""
        self.at, self.chaos = [0] * seats, [0] * seats
        self.temper, self.runes = [[0, 0, 0] for _ in range(seats)], [[0, 0, 0] for _ in range(seats)]
        self.brain = [int(rules["brain_at_start"])] * seats
        self.has_been_accursed = [False] * seats
        self.characters = list(range(seats))

    @property
    def active(self) -> int:
        """The active seat: play proceeds clockwise."""
        return self.turn % self.n_seats

    @property
    def here(self) -> int:
        """The town of the active seat."""
        return self.at[self.active]

    @property
    def pointer(self) -> int:
        """The town this turn's spin points at."""
        if self.spin is None:
            raise LookupError("the wheel has not been spun yet")
        return self.spin.town

    @property
    def is_phase_two(self) -> bool:
        return self.side == 1

    def _ruling(self, name: str) -> str:
        """A rule that follows the edition unless it is set by itself."""
        own = self.rules[name]
        return BY_EDITION[name][self.rules["edition"] == "published"] if own == "edition" else own

    def _passive(self, name: str) -> int:
        """What the active seat's character always has, if abilities are in force."""
        passive = self.rules["characters"][self.characters[self.active]].get("passive") or {}
        return passive.get(name, 0) if self.rules["abilities"] == "printed" else 0

    def _colour_of(self, spin: Spin) -> int:
        """The colour at the tail of the spin, at the top of the town's side that lies up."""
        return colour_number(self.town_sides[self.sides[spin.tail]]["colours"][spin.half])

    def _end_now(self, cause: str, track: str = "none") -> NoReturn:
        """A win or loss condition has been met."""
        self.ending = Ending(cause, self.trigger, track, self.power)
        raise Over

    # Comparing

    def apply(self, event: Event) -> None:
        """Follow one event and the decisions told with it; `Mismatch` if the rules do not lead to it."""
        self._event = event
        self.n_events += 1
        for part in unfolded(event):
            self._event = part
            if self.finished or self._is_refused:
                self._refuse(f"nothing after {'the end' if self.finished else 'a mismatch'}", "one more event")
            self._is_refused = True
            try:
                self._script.send(part)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise Mismatch(
                    f"{self._whereabouts()}: expected an event of the agreed form; found {error!r}"
                ) from error
            self._is_refused = False

    def _choose(self, decision: str, options: Iterable[int], **offer: Any) -> Script[int]:
        """A decision of the active seat: name, seat, legal options, choice, offer; a single option is not asked."""
        legal = sorted(options)
        if len(legal) == 1:
            return legal[0]
        event = yield
        self._agree("event", f"decision {decision}", kind_of(event))
        self._agree(f"{decision} of seat", self.active, event["seat"])
        self._agree(f"{decision} between", legal, [i for i, is_legal in enumerate(event["legal"]) if is_legal])
        if event["choice"] not in legal:
            self._refuse(f"a choice of {decision} among {legal}", event["choice"])
        for name in offer.keys() & event.keys():
            self._agree(f"{decision} offering {name}", offer[name], listed(event[name]))
            self.coverage["offer", decision, name] += 1
        choice = int(event["choice"])
        self.coverage["decision", decision] += 1
        self.coverage["option", decision, choice] += 1
        return choice

    def _next(self, kind: str, seat: int | None = None, **fields: Any) -> Script[Event]:
        """Wait for the next event: of this kind, this turn, this seat and with these fields."""
        event = yield
        self._agree("event", kind, kind_of(event))
        turns = {max(self.turn - (kind == "end"), 0), self.turn}  # the end: or the last turn that was begun
        if event["turn"] not in turns or event["seat"] != (event["turn"] % self.n_seats if seat is None else seat):
            self._refuse(f"turn {self.turn} of seat {self.active if seat is None else seat}", found_turn(event))
        self._fit(event, **fields)
        self.coverage["event", kind] += 1
        return event

    def _fit(self, event: Event, **fields: Any) -> None:
        """The event's fields are these."""
        for name, expected in fields.items():
            found = event[name]
            if isinstance(expected, dict):
                for column, value in expected.items():
                    self._agree(f"{name} {column}", value, listed(found[column]))
            else:
                self._agree(name, expected, listed(found))

    def _next_and_check(self, kind: str, seat: int | None = None, **fields: Any) -> Script[None]:
        """Wait for the event that tells what has just been done to the table."""
        event = yield from self._next(kind, seat, **fields)
        self._check_state(event)

    def describe(self) -> dict[str, Any]:
        """The whole table, as the traces tell it."""
        return {name: getattr(self, name) for name in STATE}

    def _check_state(self, event: Event) -> None:
        """Compare the whole state with the table."""
        expected, found = self.describe(), event["state"]
        if expected == found:
            return
        for name, value in expected.items():
            self._agree(f"state {name}", value, listed(found[name]))
        self._agree("state of", sorted(expected), sorted(found))

    def _agree(self, what: str, expected: Any, found: Any) -> None:
        if expected != found:
            self._refuse(f"{what} {expected!r}", found)

    def _refuse(self, expected: str, found: Any) -> NoReturn:
        raise Mismatch(f"{self._whereabouts()}: expected {expected}; found {found!r}")

    def _whereabouts(self) -> str:
        """Where the trace is: the event's number and kind, the game's turn and seat."""
        return f"event {self.n_events - 1} ({self._event.get('event')}, turn {self.turn}, seat {self.active})"

    def _count(self, tally: str, *keys: Any) -> None:
        """One more in a tally, all of which are told by phase and by what is under way."""
        self.tallies[tally, ("one", "two")[self.side], *keys] += 1

    def _note(self, case: str, is_reached: bool = True) -> None:
        if is_reached:
            self.coverage["case", case] += 1


def unfolded(event: Event) -> Iterator[Event]:
    """The decisions that led to the event, as events of their own, then the event."""
    if event.get("event") != "decision":
        last = event.get("decision")
        for chosen in (*event.get("earlier", ()), *([last] if last else ())):
            yield chosen | {"event": "decision"}
    yield event


def kind_of(event: Event) -> str:
    """The event's name, and of a decision which one."""
    return f"decision {event['decision']}" if event["event"] == "decision" else event["event"]


def found_turn(event: Event) -> tuple[int, int]:
    """Turn and seat of an event."""
    return event["turn"], event["seat"]


def listed(value: Any) -> Any:
    """The value with every tuple in it as a list."""
    return [listed(one) for one in value] if isinstance(value, list | tuple) else value


def rule_text(value: Any) -> str:
    """How the coverage tells a rule's value."""
    return repr(listed(value))


def colour_number(colour: int | str) -> int:
    """A colour's number, from its name too."""
    return COLOURS.index(colour) if isinstance(colour, str) else colour


def stretched(draws: Iterable[int], extra: int) -> list[int]:
    """A strength track with so many more spaces at its start, or fewer."""
    numbers = list(draws)
    return numbers[:1] * extra + numbers if extra >= 0 else numbers[-extra:]


def spins(rules: dict[str, Any]) -> set[Spin]:
    """Every way in which the spinner can stop."""
    n = len(rules["wheel"])
    found = set()
    if rules["wheel_tail"] == "opposite":
        for half_segment in range(2 * n):
            opposite = (half_segment + n) % (2 * n)
            segment, tenth = half_segment // 2, opposite * 10 // (2 * n)
            found.add(Spin(segment, segment * N_TOWNS // n, tenth // 2, tenth % 2))
    else:
        for segment in range(n):
            town = segment * N_TOWNS // n
            found |= {Spin(segment, town, (town + k) % N_TOWNS, half) for k in (2, 3) for half in (0, 1)}
    return found


def check_rules(seats: int, rules: dict[str, Any]) -> None:
    """Refuse rules under which no game can be set up."""
    for key, values in RULES.items():
        if key not in rules or (values and rules[key] not in values):
            raise ValueError(f"rules[{key!r}] must be given {values or ''}; found {rules.get(key)!r}")
    if not 2 <= seats <= 4:
        raise ValueError(f"2 to 4 seats must be given; found {seats}")
    if not rules["wheel"] or len(rules["wheel"]) % N_TOWNS:
        raise ValueError(f"the wheel must have as many segments for each town; found {len(rules['wheel'])}")
    if len(rules["die"]) != 3 or len(rules["town_cards"]) != N_TOWNS or rules["n_dice"] > 3:
        raise ValueError("a die of three counts, at most three dice and five town cards must be given")
