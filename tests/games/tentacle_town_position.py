"""A town laid out by hand: buildings, residents, tentacles and goods as a test wants them, one game, told luck.

town = Town(2, buildings=[{"market": 2}], gold=2, food=1, iron=1)
town.turn(district="market", work="build", overtime="calamari_caravan")
assert town.change("fame") == 3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simkit.games.tentacle_town import GAME
from simkit.replaying.telling import told
from simkit.results import Results
from simkit.strategy import Strategy
from simkit.table import Table
from simkit.tape import Tape
from simkit.trace import Trace
from simkit.view import View

DISTRICTS = ("docks", "market", "foundry")
ROWS = ("outermost", "second", "third")
GOODS = ("gold", "food", "iron", "fame", "harpoons")
RESULTS = ("skull", "arrow", "destroy", "new")
BOARD = ("hunt_tentacles", "butcher_catch", "sell_sushi", "calamari_caravan", "forge_harpoons", "smelt_iron")
CARDS = (
    "declaw_crabs", "recycle_anchors", "whittle_sticks", "research_steel", "fancy_shindig", "erect_a_statue",
    "bake_pie", "squid_bake", "plant_flowers", "can_calamari", "housing_project", "hire_movers",
)  # fmt: skip
OPTIONS = {
    "district": DISTRICTS,
    "work": ("pass", "build", *BOARD, *CARDS),
    "overtime": ("stop", "build", *BOARD, *CARDS),
    "row": ROWS,
    "hunt_area": DISTRICTS,
    "fire": ("stop", "fire"),
    "die": RESULTS,
    "victim": ("own", "left", "second left", "third left"),
    "retreat": DISTRICTS,
    "defend_building": ("let go", "fire"),
    "defend_resident": ("let go", "fire"),
    "tentacle_from": DISTRICTS,
}
"""The options of each decision in the tests' words; `times` are numbers, and movers are told "market second"."""

Buildings = Mapping[str, int | tuple[int, ...]]
MOST_DEALS = 2000


def named(decision: str, option: int, n_rows: int) -> str | int:
    """An option in the tests' words."""
    if decision.startswith("movers"):
        return f"{DISTRICTS[option // n_rows]} {ROWS[option % n_rows]}"
    return option if decision == "times" else OPTIONS[decision][option]


class Script(Strategy):
    """Answers as told, in the order told; where nothing is told, or nothing else is legal, the first legal option."""

    def __init__(self, answers: Mapping[str, Any], n_rows: int) -> None:
        self.left = {name: [*answer] if isinstance(answer, list) else [answer] for name, answer in answers.items()}
        self.n_rows = n_rows
        self.asked: list[tuple[str, int, list[Any]]] = []
        self.faults: list[str] = []

    def choose(self, view: View) -> np.ndarray:
        if not view.n:
            return np.zeros(0, np.uint8)
        options = view.legal[:, 0].nonzero()[0].tolist()
        if not options:
            return np.zeros(1, np.uint8)
        names = [named(view.decision, option, self.n_rows) for option in options]
        if len(options) == 1:
            return np.array(options, np.uint8)
        self.asked.append((view.decision, view.seat, names))
        waiting = self.left.get(view.decision)
        if not waiting:
            return np.array(options[:1], np.uint8)
        answer = waiting.pop(0)
        if answer not in names:
            self.faults.append(f"{view.decision}: {answer} is not legal, only {names}")
            return np.array(options[:1], np.uint8)
        return np.array([options[names.index(answer)]], np.uint8)


class Town:
    """One game at the start of a turn.

    Parameters
    ----------
    players
        Seats at the table.
    buildings
        For each seat, by district: a number (they stand as far inland as they can) or one for each row from the water.
        Seats left out have none.
    residents, tentacles
        By district.
    supply
        Residents left, the box having as many as it takes; what is not on the board, if left out.
    gold, food, iron, fame, harpoons
        Of seat 0, or of every seat.
    cards
        Task cards in play.
    whose
        The seat whose turn it is.
    rules
        Changed components.
    roll
        What the dice show at the first attack; blanks, if left out.
    hits
        "hit" or "miss" of each harpoon of the first turn; whatever comes, if left out.
    """

    def __init__(
        self,
        players: int = 2,
        *,
        buildings: Sequence[Buildings] = (),
        residents: Mapping[str, int] | None = None,
        tentacles: Mapping[str, int] | None = None,
        supply: int | None = None,
        cards: Sequence[str] = (),
        whose: int = 0,
        rules: Mapping[str, Any] | None = None,
        roll: Sequence[str] = (),
        hits: Sequence[str] | None = None,
        **goods: int | Sequence[int],
    ) -> None:
        self.players, self.whose, self.roll, self.hits = players, whose, Counter(roll), hits
        luck: dict[str, Any] = {"die": [self.roll[result] for result in RESULTS] + [int(not roll)]}
        if hits is not None:
            luck["hit"] = {("hit",): "1", ("miss",): "0"}.get(tuple(set(hits)), "1/2")
        deal: dict[str, Any] = {"cards": list(cards)} if cards else {"task_cards": 0}
        deal["start_buildings"] = 0  # those that stand have been built
        if supply is not None:
            deal["residents"] = sum((residents or {}).values()) + supply
        self.rules = GAME.rules(**GAME.components.values_with(deal | luck | dict(rules or {})))
        self.n_rows = len(self.rules.rows_for(players))
        self.laid_out: dict[str, Any] = {
            "buildings": self._standing(buildings),
            "residents": [(residents or {}).get(district, 0) for district in DISTRICTS],
            "tentacles": [(tentacles or {}).get(district, 0) for district in DISTRICTS],
            **{good: self._each(goods.pop(good, 0)) for good in GOODS},
        }
        assert not goods, f"no such goods: {goods}"
        self._follow()
        self.table: Table | None = None

    def _follow(self) -> None:
        """What follows from the rest; a state need not keep it."""
        laid_out, rules = self.laid_out, self.rules
        laid_out["supply"] = rules.residents - sum(laid_out["residents"])
        laid_out["tentacles_left"] = rules.tentacles - sum(laid_out["tentacles"])
        laid_out["left"] = [rules.buildings - sum(map(sum, own)) for own in laid_out["buildings"]]
        laid_out["n_built"] = [sum(map(sum, own)) for own in laid_out["buildings"]]
        laid_out["free"] = np.array(rules.rows_for(self.players)) - np.array(laid_out["buildings"]).sum(axis=0)

    def _each(self, amount: int | Sequence[int]) -> list[int]:
        """A good of each seat."""
        return [amount] + [0] * (self.players - 1) if isinstance(amount, int) else list(amount)

    def _standing(self, buildings: Sequence[Buildings]) -> list[list[list[int]]]:
        """Buildings by seat, district and row."""
        free = {district: list(self.rules.rows_for(self.players)) for district in DISTRICTS}
        standing = []
        for seat in range(self.players):
            own = buildings[seat] if seat < len(buildings) else {}
            standing.append([self._rows(own.get(district, 0), free[district]) for district in DISTRICTS])
        return standing

    def _rows(self, number: int | tuple[int, ...], free: list[int]) -> list[int]:
        """Buildings in each row of a district, which they fill."""
        rows = [0] * self.n_rows
        if isinstance(number, tuple):
            rows[: len(number)] = number
        else:
            for row in reversed(range(self.n_rows)):
                rows[row] = min(number, free[row])
                number -= rows[row]
            assert not number, "no space for so many buildings"
        free[:] = [space - n for space, n in zip(free, rows, strict=True)]
        assert min(free) >= 0, "no space for so many buildings"
        return rows

    # ------------------------------------------------------------------------------------------------------ play

    def turn(self, **answers: Any) -> Town:
        """The turn of `whose`, then that of the next seat ... An answer is an option's name, or a list of them."""
        if self.table is not None:
            self.table.turn += 1
            self._play(answers)
            self._check()
            return self
        for deal in range(MOST_DEALS):
            self._lay_out(deal)
            self._play(answers)
            if self._is_the_luck_wanted():
                self._check()
                return self
        raise AssertionError(f"no deal rolls {dict(self.roll)} and fires {self.hits}; the last: {self.told('roll')}")

    def _lay_out(self, deal: int) -> None:
        """The table as it stands before the first turn."""
        self.results, self.trace, self.script = Results(GAME, self.rules, self.players, 1), Trace(), Script({}, 0)
        seated: list[Strategy] = [self.script] * self.players
        deals = np.array([deal], np.uint64)
        table = Table(GAME, self.rules, seated, Tape(1), deals, self.results, observer=self.trace)
        GAME.setup(table)
        table.turn = self.whose
        for field in table.state.fields:
            if field.name in self.laid_out:
                getattr(table.state, field.name)[:] = np.array(self.laid_out[field.name])[..., None]
        self.table = table

    def _play(self, answers: Mapping[str, Any]) -> None:
        """One turn of the seat whose turn it is."""
        assert self.table is not None
        self.before = self.state
        self.script = Script(answers, self.n_rows)
        self.table.strategies = (self.script,) * self.players
        self.n_before = len(self._events)
        GAME.turn(self.table, self.seat)
        self.results.settle()

    def _is_the_luck_wanted(self) -> bool:
        """Whether dice and harpoons fell as told."""
        rolls = [event["dice"] for event in self.told("roll")]
        shots = ["hit" if event["hit"] else "miss" for event in self.told("shot")]
        wanted = [[self.roll[result] for result in RESULTS]]
        return (not self.roll or not rolls or rolls == wanted) and (self.hits is None or shots == list(self.hits))

    def _check(self) -> None:
        """Every answer was legal, and was asked for."""
        left = {name: answers for name, answers in self.script.left.items() if answers}
        assert not self.script.faults, self.script.faults
        assert not left, f"never asked: {left}; asked: {self.script.asked}"

    # ------------------------------------------------------------------------------------------------- what came of it

    @property
    def seat(self) -> int:
        """Whose turn it was."""
        assert self.table is not None
        return self.table.turn % self.players

    @property
    def state(self) -> dict[str, Any]:
        """The state in plain values."""
        assert self.table is not None
        return GAME.describe(self.table, np.array([0]))[0]

    @property
    def _events(self) -> list[dict[str, Any]]:
        """All events so far."""
        return next(iter(self.trace.games.values()), [])

    def told(self, event: str) -> list[dict[str, Any]]:
        """The events of that name in the last turn."""
        return [noted for noted in self._events[self.n_before :] if noted["event"] == event]

    def words(self, *labels: str) -> list[str]:
        """The sentences of the last turn, the seats being called so."""
        events = told(GAME, self.rules, labels, self._events)[self.n_before :]
        return [sentence for event in events for sentence in event["words"]]

    def legal(self, decision: str, time: int = 0) -> list[Any]:
        """What was legal when a decision was put in the last turn; nothing if there was no choice."""
        asked = [names for name, _, names in self.script.asked if name == decision]
        return asked[time] if time < len(asked) else []

    def asked(self, decision: str) -> list[int]:
        """The seats to whom a decision was put in the last turn."""
        return [seat for name, seat, _ in self.script.asked if name == decision]

    def change(self, good: str, seat: int | None = None) -> int:
        """What a seat (whose turn it was, if left out) has gained of a good in the last turn."""
        seat = self.seat if seat is None else seat
        return self.state[good][seat] - self.before[good][seat]

    @property
    def residents(self) -> dict[str, int]:
        """By district; those without are left out."""
        return by_district(self.state["residents"])

    @property
    def tentacles(self) -> dict[str, int]:
        """By district; those without are left out."""
        return by_district(self.state["tentacles"])

    def rows(self, seat: int, district: str) -> tuple[int, ...]:
        """A seat's buildings in a district, by row from the water."""
        return tuple(self.state["buildings"][seat][DISTRICTS.index(district)])

    @property
    def n_dice(self) -> int:
        """Dice rolled in the last turn, blanks not counted."""
        return sum(sum(event["dice"]) for event in self.told("roll"))

    @property
    def over(self) -> str | None:
        """Why the game ended, or None."""
        assert self.table is not None
        return None if self.table.live[0] else GAME.all_end_causes[self.results.games["end_cause"][0]]

    def result(self, column: str) -> Any:
        """A column of `games`, or one of `seats` as a list."""
        if column in self.results.games:
            return self.results.games[column][0].item()
        return self.results.seats[column][:, 0].tolist()


def by_district(numbers: Sequence[int]) -> dict[str, int]:
    """Numbers other than zero by district."""
    return {district: number for district, number in zip(DISTRICTS, numbers, strict=True) if number}
