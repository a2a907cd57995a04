"""New Arkamoore laid out by hand: tentacles, Shamblers, pages and tokens as a test wants them, one game, told luck.

town = Arkamoore(bag="fr", energy=2, shamblers={1: "rg"}, temper=["f"])
town.actions(action="1 clockwise", draws="fr")
assert town.temper[0] == "ffr"

Tentacles, Shamblers and runes are letters: f(ear), r(age), g(reed), c(haos), e(ldritch). What a box only shows in
pictures is the test's own here: cards that do nothing, a mat without powers and with portals 23 34 23.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.play_actions import player_actions
from simkit.games.tiny_epic_cthulhu.play_wheel import wheel_of_madness
from simkit.results import Results
from simkit.strategy import Strategy
from simkit.table import Table
from simkit.tape import Tape
from simkit.trace import Trace
from simkit.view import View

OTHER, MINE = 0, 1
"""Columns of the batch: a game that somehow goes on beside it, so that nothing may be mixed up, and the position."""

LETTERS = "frgce"
COLOURS = {"f": "fear", "r": "rage", "g": "greed"}
PILES = ("bag", "discard", "mat", "mat_shamblers", "madness", "shamblers", "temper", "runes")
"""Fields of the state that count tentacles, Shamblers or runes by kind."""
PORTALS = "......"
"""fear, fear, rage, rage, greed, greed: the letter of what covers it, or a dot."""
DEFAULT = {"action": "stop", "chaos_action": "stop", "flip": "none"}
"""What a seat answers that was not told anything."""
MOVES = ("1 clockwise", "1 back", "2 clockwise", "2 back", "3 clockwise", "3 back", "4 clockwise", "4 back")


def counts(letters: str, size: int = 3) -> list[int]:
    """How many there are of each kind."""
    assert set(letters) <= set(LETTERS[:size]), letters
    return [letters.count(letter) for letter in LETTERS[:size]]


def letters(numbers: Any) -> Any:
    """The letters of numbers by kind, also of several such lists."""
    if numbers and isinstance(numbers[0], list):
        return [letters(part) for part in numbers]
    return "".join(letter * number for letter, number in zip(LETTERS, numbers, strict=False))


def card(words: str, page_cost: int) -> dict[str, Any]:
    """A page card of "1 ff r": number, cost, runes."""
    number, cost, *runes = words.split(" ")
    paid = [COLOURS[letter] for letter in cost if letter != "-"]
    assert len(paid) == page_cost, "all pages of a position cost the same number"
    return {
        "number": int(number),
        "cost": [*paid, *["fear"] * (3 - len(paid))],
        "runes": [COLOURS[letter] for letter in "".join(runes)],
    }


def mat(
    powers: Mapping[str, Any] | None = None,
    back_powers: Mapping[str, Any] | None = None,
    front: Sequence[int] = (3, 3, 3, 4, 5),
    back: Sequence[int] = (3, 4, 5),
) -> dict[str, Any]:
    """A Great Old One."""
    portals = {"fear": [2, 3], "rage": [3, 4], "greed": [2, 3]}
    none: dict[str, Any] = {colour: [] for colour in COLOURS.values()}
    one = {"name": "Test", "front": [*front], "back": [*back], "portals": portals, "powers": none | dict(powers or {})}
    return one if back_powers is None else one | {"back_powers": none | dict(back_powers)}


def side(name: str, colour: str, effects: Sequence[Any] = ()) -> dict[str, Any]:
    """A side of a town card."""
    return {"name": name, "colours": [colour, colour], "effects": [*effects]}


def made(changes: Mapping[str, Any]) -> Any:
    """The game's rules with some changed."""
    return _made(json.dumps(changes))


@lru_cache(maxsize=64)
def _made(changes: str) -> Any:
    """Rules are frozen: positions may share them."""
    return GAME.rules(**GAME.components.values_with(json.loads(changes)))


class Script(Strategy):
    """Answers as told, in the order told; a decision that was not told of must leave no choice."""

    def __init__(self, answers: Mapping[str, Any], options: Mapping[str, Sequence[str]]) -> None:
        self.left = {name: [*answer] if isinstance(answer, list) else [answer] for name, answer in answers.items()}
        self.options = options
        self.asked: list[tuple[str, int, list[str]]] = []
        self.n_others = 0
        self.offers: list[dict[str, Any]] = []
        self.seen: list[Any] = []
        self.look: Callable[[View], Any] = lambda view: None
        self.faults: list[str] = [f"no decision {name}" for name in answers if name not in options]

    def choose(self, view: View) -> np.ndarray:
        choice = np.zeros(view.n, np.uint8)
        for column, game in enumerate(view.columns.tolist()):
            if view.asked[column]:
                choice[column] = self.told(view.only(np.array([column]))) if game == MINE else self.other(view, column)
        return choice

    def other(self, view: View, column: int) -> int:
        """What the other game of the batch does: now this, now that."""
        options = view.legal[:, column].nonzero()[0]
        self.n_others += 1
        return int(options[self.n_others * 7 % len(options)])

    def told(self, view: View) -> int:
        """The answer told."""
        options = view.legal[:, 0].nonzero()[0].tolist()
        names = [self.options[view.decision][option] for option in options]
        self.asked.append((view.decision, view.seat, names))
        self.offers.append({name: value[..., 0].tolist() for name, value in view.offer.items()})
        self.seen.append(self.look(view))
        return options[self.place(view.decision, names)]

    def place(self, decision: str, names: list[str]) -> int:
        """Where the answer is among the legal options."""
        waiting = self.left.get(decision)
        if len(names) == 1 and not (waiting and self.matching(waiting[0], names)):
            return 0
        if not waiting and DEFAULT.get(decision) in names:
            return names.index(DEFAULT[decision])
        answer = waiting.pop(0) if waiting else None
        match = self.matching(answer, names)
        if not match:
            self.faults.append(f"{decision}: {answer} is not legal, only {names}")
            return 0
        return names.index(match[0])

    @staticmethod
    def matching(answer: Any, names: list[str]) -> list[str]:
        """A number may stand for a town."""
        return [name for name in names if name in (str(answer), f"town {answer}")]


class Watch(Trace):
    """The events of the position alone."""

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        mine = np.array([MINE]) if games is None else np.flatnonzero(games == MINE)
        if len(mine) and (games is not None or table.live[MINE]):
            told = {k: v[..., mine] if isinstance(v, np.ndarray) else v for k, v in fields.items()}
            super().noted(table, event, seat, np.array([MINE]), told)

    def decided(self, table: Table, view: View, choice: np.ndarray) -> None:
        """The script has kept it."""


class Arkamoore:
    """One game at the start of a turn; what is left out is empty.

    The seat whose turn it is stands in town 0, the others in the next one, the Great Old One in town 3.

    Parameters
    ----------
    players
        Seats at the table.
    icon, colour
        That of every segment of the wheel, and of every Shambler colour on its edge.
    effects
        What the town action of every town does.
    who
        Printed characters by seat; or a dict: `effects` and `passive` of everybody's.
    towns
        Printed sides of town cards, clockwise.
    powers, back_powers, front, back
        Of the Great Old One.
    pages, down
        Page cards by town, as "1 ff r": number, cost, runes; towns whose page lies face down.
    whose
        The seat whose turn it is.
    rules
        Changed components.
    laid_out
        Fields of the state: piles as letters, `madness` and `shamblers` by town, the others as they are, `phase` for
        `side`, letters or a number for that of seat 0, and `at` for that of the seat whose turn it is.
    """

    def __init__(
        self,
        players: int = 2,
        *,
        icon: str = "draw",
        colour: str = "greed",
        effects: Sequence[Any] = (),
        who: Sequence[str] | Mapping[str, Any] | None = None,
        towns: Sequence[str] | None = None,
        pages: Mapping[int, str] | None = None,
        down: Sequence[int] = (),
        whose: int = 0,
        rules: Mapping[str, Any] | None = None,
        powers: Mapping[str, Any] | None = None,
        back_powers: Mapping[str, Any] | None = None,
        front: Sequence[int] = (3, 3, 3, 4, 5),
        back: Sequence[int] = (3, 4, 5),
        **laid_out: Any,
    ) -> None:
        self.players, self.whose = players, whose
        box: dict[str, Any] = {"wheel": [icon] * 10, "great_old_one": "custom"}
        box["custom"] = mat(powers, back_powers, front, back)
        box |= self._towns(towns, colour, effects) | self._characters(who) | self._pages(pages or {})
        self.rules = made(box | dict(rules or {}))
        self.results, self.trace = Results(GAME, self.rules, players, 2), Watch()
        nobody: list[Strategy] = [Script({}, {})] * players
        deals = np.array([OTHER, MINE], np.uint64)
        self.table = Table(GAME, self.rules, nobody, Tape(1), deals, self.results, observer=self.trace)
        GAME.setup(self.table)
        self.table.turn = whose
        self.look: Callable[[View], Any] = lambda view: None
        self._lay_out(pages or {}, down, laid_out)
        self.luck, self.table.draw = self.table.draw, self._luck  # type: ignore[method-assign]

    # ---------------------------------------------------------------------------------------------- what is in the box

    def _towns(self, towns: Sequence[str] | None, colour: str, effects: Sequence[Any]) -> dict[str, Any]:
        """Town cards: the printed ones, or five that are alike."""
        if towns is not None:
            return {"towns": [*towns]}
        cards = [{"front": side(f"front {n}", colour, effects), "back": side(f"back {n}", colour)} for n in range(5)]
        return {"town_cards": cards, "towns": [f"front {n}" for n in range(5)]}

    def _characters(self, who: Sequence[str] | Mapping[str, Any] | None) -> dict[str, Any]:
        """Characters: printed ones, or all alike."""
        if who is None or isinstance(who, Mapping):
            characters = [{"name": f"somebody {n}", **(who or {})} for n in range(6)]
            return {"characters": characters, "table_characters": [one["name"] for one in characters[:4]]}
        printed = [character["name"] for character in GAME.components["characters"].value]
        return {"table_characters": [*who, *(name for name in printed if name not in who)][:4]}

    def _pages(self, pages: Mapping[int, str]) -> dict[str, Any]:
        """Page cards: those told, the first ones of thirty."""
        page_cost = len(next(iter(pages.values()), "1 ff").split(" ")[1].replace("-", ""))
        cards = [card(words, page_cost) for words in pages.values()]
        rest = {"number": 5, "cost": ["greed"] * 3, "runes": ["fear"]}
        return {"pages": cards + [rest] * (30 - len(cards)), "page_cost": page_cost}

    # ------------------------------------------------------------------------------------------- how the table stands

    def _lay_out(self, pages: Mapping[int, str], down: Sequence[int], laid_out: dict[str, Any]) -> None:
        """The state as it stands before the turn."""
        there = laid_out.get("shamblers", {})
        state: dict[str, Any] = dict.fromkeys(PILES, "") | {"mat_shamblers": self._left(there)}
        state |= {"madness": {}, "shamblers": {}, "temper": [], "runes": []}
        state |= {"goo": 3, "energy": 0, "chaos_supply": 7, "eldritch_supply": 10, "portals": PORTALS}
        state["side"] = laid_out.pop("phase", 1) - 1
        at = laid_out.get("at", 0)
        elsewhere = [(at + 1) % 5] * self.players if isinstance(at, int) else []
        laid_out["at"] = [*elsewhere[: self.whose], at, *elsewhere[self.whose + 1 :]] if elsewhere else at
        up = [town in pages and town not in down for town in range(5)]
        order = list(pages)
        state |= {"pages": [order.index(town) if town in pages else 255 for town in range(5)]}
        state |= {"face_up": up, "known": up, "n_dealt": max(5, len(pages))}
        for name, value in (state | laid_out).items():
            getattr(self.table.state, name)[..., MINE] = np.array(self._numbers(name, value))
        self.table.state.strength[OTHER] = self.rules.last_space[0] - 1  # it draws more
        self.n_before = 0

    def _left(self, shamblers: Mapping[int, str]) -> str:
        """Shamblers that are not in town."""
        there = "".join(shamblers.values())
        return "".join(letter * (5 - there.count(letter)) for letter in "frg")

    def _numbers(self, name: str, value: Any) -> Any:
        """A field's value as the state has it."""
        if name in ("madness", "shamblers"):
            return [counts(value.get(town, "")) for town in range(5)]
        if name in ("temper", "runes"):
            own = [value] if isinstance(value, str) else [*value]
            return [counts(part) for part in [*own, *[""] * (self.players - len(own))]]
        if name in ("chaos", "brain"):
            return [value] + [0] * (self.players - 1) if isinstance(value, int) else value
        if name == "portals":
            return [255 if letter == "." else LETTERS.index(letter) for letter in value]
        return counts(value, 5 if name in ("bag", "discard") else 3) if name in PILES else value

    # ------------------------------------------------------------------------------------------------------------ luck

    def _luck(self, stream: str, bound: Any, games: Any = None) -> np.ndarray:
        """Luck as told: the segment, each tentacle, each die; the other game has its own."""
        drawn = self.luck(stream, bound, games)
        for place in [MINE] if games is None else np.flatnonzero(games == MINE):
            drawn[place] = {"spins": self._spin, "bag": self._tentacle, "dice": self._die}[stream]()
        return drawn

    def _spin(self) -> int:
        """A way in which the wheel stops as told."""
        spins = self.rules.spins
        ways = (spins["segment"] == self.segment).nonzero()[0]
        return int(ways[0] if self.tail is None else ways[spins["tail"][ways] == self.tail][0])

    def _tentacle(self) -> int:
        """The place in the bag, kinds one after the other, of the tentacle told."""
        held = self.table.state.bag[:, MINE].tolist()
        assert self.draws or max(held) == sum(held), f"say what is drawn from {letters(held)}"
        kind = LETTERS.index(self.draws.pop(0)) if self.draws else held.index(max(held))
        assert held[kind], f"no {LETTERS[kind]} in the bag: {letters(held)}"
        return sum(held[:kind])

    def _die(self) -> int:
        """A face as told."""
        assert self.dice, "say what the dice show"
        return sum(self.rules.die[: self.dice.pop(0)])

    # ------------------------------------------------------------------------------------------------------------ play

    def wheel(self, segment: int = 0, **told: Any) -> Arkamoore:
        """Step 1. Segment 0 is the first of town 0 (the tail at town 2), 1 its second (town 3), 2 is town 1's ..."""
        return self._play(wheel_of_madness, segment, **told)

    def actions(self, **told: Any) -> Arkamoore:
        """Step 2."""
        return self._play(player_actions, 0, **told)

    def turn(self, segment: int = 0, **told: Any) -> Arkamoore:
        """A whole turn."""
        return self._play(GAME.turn, segment, **told)

    def _play(
        self,
        step: Any,
        segment: int,
        draws: str = "",
        dice: Sequence[int] = (),
        tail: int | None = None,
        **answers: Any,
    ) -> Arkamoore:
        """A step of the turn, with tentacles and dice as told."""
        self.segment, self.tail, self.draws, self.dice = segment, tail, list(draws), list(dice)
        self.n_before, before = len(self.events), self._box()
        self.script = Script(answers, self.table.options)
        self.script.look = self.look
        self.table.strategies = (self.script,) * self.players
        step(self.table, self.whose)
        self.results.settle()
        left = {name: answers for name, answers in self.script.left.items() if answers}
        assert not self.script.faults, self.script.faults
        assert not left, f"never asked: {left}; asked: {self.script.asked}"
        assert not self.draws, f"not drawn: {self.draws}"
        assert not self.dice, f"not rolled: {self.dice}"
        drawn = "".join(LETTERS[event["kind"]] for event in self.told("draw"))
        assert drawn.startswith(draws), f"drawn {drawn}, not {draws}"
        assert self._box() == before, "tentacles or Shamblers got lost"
        return self

    def _box(self) -> list[int]:
        """All tentacles and Shamblers, by kind: their number never changes."""
        state = self.state
        total = np.array([*state["bag"], 0, 0, 0]) + np.array([*state["discard"], 0, 0, 0])
        total[:3] += np.array(state["mat"]) + np.sum(state["madness"], axis=0) + np.sum(state["temper"], axis=0)
        total[3] += state["chaos_supply"] + sum(state["chaos"]) + state["lines"]
        total[4] += state["eldritch_supply"] + state["energy"] + sum(state["town_eldritch"])
        total[5:] += np.array(state["mat_shamblers"]) + np.sum(state["shamblers"], axis=0)
        for covered in state["portals"]:
            total[covered] += covered >= 0
        return total.tolist()

    # ------------------------------------------------------------------------------------------------- what came of it

    @property
    def state(self) -> dict[str, Any]:
        """The state in plain values."""
        return GAME.describe(self.table, np.array([MINE]))[0]

    def __getattr__(self, name: str) -> Any:
        """A field of the state in the tests' words."""
        if name.startswith("_") or name not in (state := self.state):
            raise AttributeError(name)
        if name == "portals":
            return "".join("." if kind < 0 else LETTERS[kind] for kind in state[name])
        return letters(state[name]) if name in PILES else state[name]

    @property
    def events(self) -> list[dict[str, Any]]:
        """All events so far."""
        return self.trace.games.get(MINE, [])

    def told(self, event: str) -> list[dict[str, Any]]:
        """The events of that name in the last step."""
        return [noted for noted in self.events[self.n_before :] if noted["event"] == event]

    @property
    def course(self) -> list[str]:
        """What happened in the last step, in order."""
        return [event["event"] for event in self.events[self.n_before :]]

    def legal(self, decision: str = "action", time: int = 0) -> list[str]:
        """What was legal when a decision was put in the last step; nothing if it was not put."""
        asked = [names for name, _, names in self.script.asked if name == decision]
        return asked[time] if time < len(asked) else []

    def offer(self, decision: str, time: int = 0) -> dict[str, Any]:
        """What a decision was about when it was put in the last step."""
        offers = [
            offer for (name, _, _), offer in zip(self.script.asked, self.script.offers, strict=True) if name == decision
        ]
        return offers[time]

    def asked(self, decision: str) -> int:
        """How often a decision was put in the last step."""
        return [name for name, _, _ in self.script.asked].count(decision)

    @property
    def over(self) -> str | None:
        """Why the game ended, or None."""
        return None if self.table.live[MINE] else GAME.all_end_causes[self.results.games["end_cause"][MINE]]

    def result(self, column: str) -> Any:
        """A column of `games` (enums by name), or one of `seats` as a list."""
        if column not in self.results.games:
            return self.results.seats[column][:, MINE].tolist()
        value = self.results.games[column][MINE].item()
        labels = next((declared.labels for declared in GAME.columns if declared.name == column), ())
        return labels[value] if labels else value
