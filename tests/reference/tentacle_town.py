"""Tentacle Town replayed in plain Python: a second, independent reading of the rulebook.

`Reference` follows one game event by event and raises `Mismatch` as soon as the trace and the rules disagree. It is
written from the rulebook, its numbered ambiguities (the components' sources tell them) and the agreed form of a trace
only; it shares no code with the engine it witnesses. The game is one generator, `_play`, that reads in the rulebook's
order: it changes the table, then waits for the event that tells the change and compares the whole table with it; only
luck (the cards dealt, the roll, a shot) is taken from the event. A decision with one legal option is no event.

Readings where no text decides:

- A task is shown as done from its first event on (a hunt: before the first shot). Passing is not shown as done.
- At the round limit no resident is to be recruited any more: the game is unfinished, even with an empty supply.
- The end tells the turn that cannot begin or the last one that did.
- `n_hit` counts hits as rolled, also those of a volley that find no tentacle left; only the others are paid.
- A fixed list of `cards` replaces the deal altogether: `task_cards`, `card_in` and `card_out` mean nothing then.
- Each payment counts towards `overtime_limit`, a building's too. "trades" says nothing about the volley.
- Up to n trades are paid for together before their gains are taken (matters under a token limit only).
- Within a district movers may put the building back into its own row, if that row has another free space.
- Housing Project and Hire Movers pay out their `gain` too, should they have one.
- Where a destroy result finds no building, the `row` of its event is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .tentacle_town_table import BOARD_TASKS, CARDS, TASKS, TOKENS, Event, Mismatch, Script, Seat, Table, Task

PASS = STOP = 0  # the options of work and of overtime: nothing, build, then the tasks
BUILD, FIRST_TASK = 1, 2
HUNT, BUILDING, RESIDENT = range(3)  # what a harpoon is fired for
SKULL, ARROW, DESTROY, NEW = range(4)
DICE_ORDERS = {
    "chosen": None,
    "skulls-first": (SKULL, ARROW, DESTROY, NEW),
    "arrows-first": (ARROW, SKULL, DESTROY, NEW),
}
NEIGHBOURS = {"all": ((1, 2), (0, 2), (0, 1)), "line": ((1,), (0, 2), (1,))}  # line: docks, market, foundry

CASES = (
    "pass", "pass because nothing else is legal", "full district, no build", "seat out of buildings, no build",
    "task done for zero", "sushi sold to every resident", "caravan with zero buildings",
    "caravan counts the building just built", "forge makes several harpoons",
    "hunt without a target", "hunt in another district's waters", "hunt stops by choice", "hunt empties the area",
    "hunt runs out of harpoons", "hunt reaches the number of residents",
    "volley of more than there are tentacles", "volley hits with no tentacle left",
    "housing illegal in a full district", "two buildings in one turn", "movers within a district", "movers across",
    "overtime after building", "overtime paid by earnings of the same turn", "overtime leaves too little for the task",
    "overtime limited by residents", "overtime limited to the gold of the turn's beginning", "overtime not after pass",
    "building by overtime", "tentacle moved from another area", "die moves a tentacle from another area",
    "all tentacles here, so nothing", "more tentacles than dice", "blank face",
    "skull without resident", "arrow without resident", "arrow before a skull empties the district",
    "resident saved", "resident killed despite a harpoon", "second harpoon at one result",
    "destroy without building", "second destroy moves inland", "own building saved", "own building missed",
    "another's building saved", "another's building missed", "owner without harpoons not asked",
    "destroyed building not returned", "killed resident keeps the game going", "token limit binds",
    "majority tie loses fame", "district held by nobody", "tie on fame decided by gold", "shared win",
)  # fmt: skip


def replay(players: int, rules: dict[str, Any], events: Iterable[Event]) -> Reference:
    """Replay a whole game; `Mismatch` also if it has not ended with the last event."""
    reference = Reference(players, rules)
    for event in events:
        reference.apply(event)
    if not reference.finished:
        raise Mismatch(f"after event {reference.n_events - 1}: the game must go on to its end; found no more events")
    return reference


class Reference(Table):
    """One game of Tentacle Town, checked event by event.

    Parameters
    ----------
    players : int
        Number of seats, 2 to 4.
    rules : dict
        Every key of `RULES` and of `TASKS`.

    Raises
    ------
    ValueError
        If the rules are incomplete or the starting buildings do not fit.
    """

    # Playing the Game

    def _play(self) -> Script[None]:
        """Setup, then turns until a resident must be placed and cannot (ambiguity 16), or the guard on rounds."""
        yield from self._set_up()
        while self.supply > 0 and self.turn < self.rules["max_rounds"] * self.players:
            yield from self._recruit()
            has_passed = yield from self._work()
            yield from self._pay_overtime(has_passed)
            yield from self._tentacle_attack()
            held = [sum(seat.goods[good] for seat in self.seats) for good in TOKENS]
            self._is_over_tokens |= max(held) > self.rules["tokens"]
            self.turn += 1
        is_given_up = self.turn == self.rules["max_rounds"] * self.players
        yield from self._end("unfinished" if is_given_up else "no-resident")

    # Game Setup

    def _set_up(self) -> Script[None]:
        """The task cards in play stay for the whole game (ambiguity 1)."""
        event = yield from self._next("setup")
        self.cards = list(event["state"]["cards"])
        rules, n_cards = self.rules, self.rules["task_cards"]
        if self.cards != sorted(set(self.cards)) or not set(self.cards) <= set(range(len(BOARD_TASKS), len(TASKS))):
            self._refuse("different task cards, in rising order", self.cards)
        names = [TASKS[task] for task in self.cards]
        if rules["cards"]:
            self._agree("cards in play", sorted(rules["cards"], key=TASKS.index), names)
        elif len(names) != n_cards:
            self._refuse(f"{n_cards} task cards", names)
        elif rules["card_in"] and n_cards > 0 and rules["card_in"] not in names:
            self._refuse(f"{rules['card_in']} among the cards", names)
        elif rules["card_out"] in names and n_cards < len(CARDS):
            self._refuse(f"no {rules['card_out']} among the cards", names)
        self._check_state(event)

    # Recruit a New Resident

    def _recruit(self) -> Script[None]:
        """Place a new resident in one of the three districts."""
        district = yield from self._choose("district", range(3))
        self.gold_at_first, self.done, self.district = self.me.goods["gold"], set(), district
        self.supply -= 1
        self.residents[district] += 1
        yield from self._next_and_check("recruit")

    def _work(self) -> Script[bool]:
        """The new resident completes a task, builds or does nothing (ambiguity 4); whether it did nothing."""
        options = self._legal_work(0)
        self._note_building()
        if self.rules["pass_work"] == "always" or not options:
            self._note("pass because nothing else is legal", not options)
            options = [PASS, *options]
        option = yield from self._choose("work", options)
        if option == PASS:
            self._note("pass")
            yield from self._next_and_check("pass")
        else:
            yield from self._carry_out(option)
        return option == PASS

    # Pay Overtime

    def _pay_overtime(self, has_passed: bool) -> Script[None]:
        """For one gold each, further tasks, none of them twice (ambiguities 2, 3, 5)."""
        cost, n_paid = self.rules["overtime_cost"], 0
        while (options := self._overtime_options()) and not self._is_overtime_barred(has_passed, n_paid):
            option = yield from self._choose("overtime", [STOP, *options])
            if option == STOP:
                return
            n_paid += 1
            self._note("overtime after building", self.done == {BUILD})
            self._note("overtime paid by earnings of the same turn", n_paid * cost > self.gold_at_first)
            self._note("building by overtime", option == BUILD)
            self.me.counts["n_overtime"] += 1
            self._pay({"gold": cost})
            yield from self._carry_out(option)

    def _overtime_options(self) -> list[int]:
        """What is legal with the gold left after paying overtime."""
        cost = self.rules["overtime_cost"]
        if self.me.goods["gold"] < cost:
            return []
        options = self._legal_work(cost)
        self._note("overtime leaves too little for the task", not set(options).issuperset(self._legal_work(0)))
        return [option for option in options if option != BUILD or self.rules["build_by_overtime"]]

    def _is_overtime_barred(self, has_passed: bool, n_paid: int) -> bool:
        """Whether a rule forbids overtime that could be paid and would have work to do."""
        rules = self.rules
        bars = {
            "overtime not after pass": has_passed and not rules["overtime_after_pass"],
            "overtime limited by residents": rules["overtime_limit"] == "residents"
            and n_paid >= self.residents[self.here],
            "overtime limited to the gold of the turn's beginning": not rules["overtime_from_earnings"]
            and (n_paid + 1) * rules["overtime_cost"] > self.gold_at_first,
        }
        for case, is_barred in bars.items():
            self._note(case, is_barred)
        return any(bars.values())

    # Task Cards: what may be done

    def _legal_work(self, overtime: int) -> list[int]:
        """A building and the tasks not yet done this turn that are legal once so much gold has been paid."""
        purse = self.me.goods | {"gold": self.me.goods["gold"] - overtime}
        options = [BUILD] if self._can_build() else []
        in_reach = [2 * self.here, 2 * self.here + 1, *self.cards]  # board tasks in their district, cards anywhere
        options += [FIRST_TASK + task for task in in_reach if self._is_legal(task, purse)]
        return [option for option in options if option not in self.done]

    def _is_legal(self, number: int, purse: dict[str, int]) -> bool:
        """Whether the task can be completed with these goods; for zero where the rules let it (ambiguity 4)."""
        task, name, is_zero_legal = self.tasks[number], TASKS[number], self.rules["zero_tasks"]
        if name == "hunt_tentacles":
            return is_zero_legal or self._has_quarry()
        if task.up_to:
            return is_zero_legal or self._most_trades(task, purse) > 0
        if any(purse[good] < n for good, n in task.cost.items()):
            return False
        if name == "housing_project":
            self._note("housing illegal in a full district", self.me.left > 0 and not self._free_rows(self.here))
            return self._can_build()
        if name == "hire_movers":
            return any(self._movable_to(place) for place in self._own_places())
        return not task.per or is_zero_legal or self._number_of(task.per) > 0

    def _number_of(self, what: str) -> int:
        """Residents or own buildings in the district worked this turn."""
        return self.residents[self.here] if what == "residents" else sum(self.me.buildings[self.here])

    def _most_trades(self, task: Task, purse: dict[str, int]) -> int:
        """How often the trade can be made with these goods."""
        return min([self._number_of(task.up_to), *(purse[good] // n for good, n in task.cost.items())])

    def _has_quarry(self) -> bool:
        """Whether there are harpoons and tentacles to fire them at (with the new one a resident is always there)."""
        return self.me.goods["harpoons"] > 0 and any(self.tentacles)

    # Tasks: carrying them out

    def _carry_out(self, option: int) -> Script[None]:
        """Building or a task; either counts as done for this turn, also for zero."""
        self.done.add(option)
        number = option - FIRST_TASK
        if option == BUILD:
            row = yield from self._build()
            yield from self._next_and_check("build", row=row)
            return
        if number in self.cards:
            self.me.cards_used |= 1 << CARDS.index(TASKS[number])
        special = {"hunt_tentacles": self._hunt, "housing_project": self._house, "hire_movers": self._move}
        yield from special.get(TASKS[number], self._trade)(number)

    def _trade(self, number: int) -> Script[None]:
        """Simple tasks, trades and tasks that improve: pay, then gain (ambiguity 6)."""
        task, times = self.tasks[number], 1
        if task.up_to:
            most = self._most_trades(task, self.me.goods)
            least = most if self.rules["trades"] == "all" else 0 if self.rules["zero_tasks"] else 1
            times = yield from self._choose("times", range(least, most + 1))
        elif task.per:
            times = self._number_of(task.per)
        self._note_trade(TASKS[number], times)
        self._pay(task.cost, times if task.up_to else 1)
        self._gain(self.active, task.gain, times, "from_board" if number < len(BOARD_TASKS) else "from_cards")
        yield from self._next_and_check("task", task=number, times=times)

    def _build(self) -> Script[int]:
        """One building from the seat's supply into a row of the district that has a free space."""
        row = yield from self._choose("row", self._free_rows(self.here))
        self.me.left -= 1
        self.me.buildings[self.here][row] += 1
        self.me.counts["n_built"] += 1
        return row

    def _house(self, number: int) -> Script[None]:
        """Housing Project: pay to build an additional building in the same district."""
        self._note("two buildings in one turn", BUILD in self.done)
        row = yield from self._build()
        self._pay(self.tasks[number].cost)
        self._gain(self.active, self.tasks[number].gain, 1, "from_cards")
        yield from self._next_and_check("task", task=number, times=1, row=row)

    def _move(self, number: int) -> Script[None]:
        """Hire Movers: one own building from any district to a free space in any district (ambiguity 19)."""
        source = yield from self._choose("movers_from", filter(self._movable_to, self._own_places()))
        target = yield from self._choose("movers_to", self._movable_to(source))
        (old, old_row), (new, new_row) = divmod(source, len(self.rows)), divmod(target, len(self.rows))
        self._note("movers within a district" if old == new else "movers across")
        self._pay(self.tasks[number].cost)
        self._gain(self.active, self.tasks[number].gain, 1, "from_cards")
        self.me.buildings[old][old_row] -= 1
        self.me.buildings[new][new_row] += 1
        yield from self._next_and_check("task", task=number, times=1, source=source, target=target)

    def _own_places(self) -> list[int]:
        """Where the active seat has buildings: district times number of rows, plus row."""
        flat = [n for rows in self.me.buildings for n in rows]
        return [place for place, n in enumerate(flat) if n > 0]

    def _movable_to(self, source: int) -> list[int]:
        """Where a building may go from there: places with a space that is free before the move."""
        n_rows, is_anywhere = len(self.rows), self.rules["movers_same_district"]
        places = [district * n_rows + row for district in range(3) for row in self._free_rows(district)]
        return [place for place in places if is_anywhere or place // n_rows != source // n_rows]

    def _free_rows(self, district: int) -> list[int]:
        """The rows of the district with a free space."""
        taken = [sum(seat.buildings[district][row] for seat in self.seats) for row in range(len(self.rows))]
        return [row for row, size in enumerate(self.rows) if taken[row] < size]

    def _can_build(self) -> bool:
        return self.me.left > 0 and bool(self._free_rows(self.here))

    # Hunt Tentacles, Firing Harpoons

    def _hunt(self, number: int) -> Script[None]:
        """As many harpoons as residents at one ocean area, one at a time or in one volley (ambiguity 6)."""
        if not self._has_quarry():
            self._note("hunt without a target")
            self._note("task done for zero")
            yield from self._next_and_check("hunt", area=-1)
            return
        area = yield from self._choose("hunt_area", (area for area in range(3) if self.tentacles[area]))
        self._note("hunt in another district's waters", area != self.here)
        yield from self._next_and_check("hunt", area=area)
        if self.rules["hunt_firing"] == "volley":
            yield from self._fire_volley(area, self.tasks[number].gain)
        else:
            yield from self._fire_one_by_one(area, self.tasks[number].gain)

    def _fire_one_by_one(self, area: int, pays: dict[str, int]) -> Script[None]:
        """Fire until stopping by choice or for want of residents, harpoons or tentacles."""
        n_fired, may_stop = 0, self.rules["zero_tasks"]
        while n_fired < self.residents[self.here] and self.me.goods["harpoons"] > 0 and self.tentacles[area] > 0:
            if not (yield from self._choose("fire", (0, 1) if may_stop or n_fired > 0 else (1,))):
                self._note("hunt stops by choice")
                self._note("task done for zero", n_fired == 0)
                return
            n_fired += 1
            yield from self._shoot(self.active, HUNT, area, pays)
        self._note("hunt reaches the number of residents", n_fired == self.residents[self.here])
        self._note("hunt runs out of harpoons", self.me.goods["harpoons"] == 0)
        self._note("hunt empties the area", self.tentacles[area] == 0)

    def _fire_volley(self, area: int, pays: dict[str, int]) -> Script[None]:
        """Say the number first; more harpoons than tentacles may be thrown, not more tentacles killed."""
        most = min(self.residents[self.here], self.me.goods["harpoons"])
        n_thrown = yield from self._choose("times", range(0 if self.rules["zero_tasks"] else 1, most + 1))
        self._note("task done for zero", n_thrown == 0)
        self._note("volley of more than there are tentacles", n_thrown > self.tentacles[area])
        for _ in range(n_thrown):
            yield from self._shoot(self.active, HUNT, area, pays)

    def _shoot(self, by: int, purpose: int, area: int, pays: dict[str, int]) -> Script[bool]:
        """One harpoon: a hit takes a tentacle out of the area and pays who fired (ambiguity 21)."""
        event = yield from self._next("shot", purpose=purpose, by=by)
        is_hit, shooter = event["hit"], self.seats[by]
        if is_hit not in (False, True) or (self.p_hit == 0 if is_hit else self.p_hit == 1):
            self._refuse(f"a shot possible with the chance {self.p_hit}", is_hit)
        shooter.goods["harpoons"] -= 1
        shooter.counts["n_fired"] += 1
        shooter.counts["n_hit"] += is_hit
        self._note("volley hits with no tentacle left", is_hit and not self.tentacles[area])
        if is_hit and self.tentacles[area] > 0:
            self.tentacles[area] -= 1
            self._gain(by, pays, 1, "from_hunting" if purpose == HUNT else "from_defence")
        self._check_state(event)
        return bool(is_hit)

    # Tentacle Attacks!

    def _tentacle_attack(self) -> Script[None]:
        """A new tentacle, a roll of the dice, then the results one by one (ambiguities 7, 14)."""
        yield from self._new_tentacle("tentacle")
        yield from self._roll()
        order = DICE_ORDERS[self.rules["dice_order"]]
        self.last_row: int | None = None
        results = {SKULL: self._skull, ARROW: self._arrow, DESTROY: self._destroy}
        while any(self.dice):
            left = [kind for kind in order or range(4) if self.dice[kind] > 0]
            kind = yield from self._choose("die", left[:1] if order else left)
            self.dice[kind] -= 1
            yield from results[kind]() if kind != NEW else self._new_tentacle("new")

    def _new_tentacle(self, kind: str) -> Script[None]:
        """TENTACLES! They're Everywhere!: from the supply, else from another area, else nothing (ambiguity 13)."""
        source = -1
        if sum(self.tentacles) == self.rules["tentacles"]:
            elsewhere = [area for area in range(3) if area != self.here and self.tentacles[area] > 0]
            source = (yield from self._choose("tentacle_from", elsewhere)) if elsewhere else -2
        if source >= 0:
            self._note(f"{'die moves a tentacle' if kind == 'new' else 'tentacle moved'} from another area")
            self.tentacles[source] -= 1
        self._note("all tentacles here, so nothing", source == -2)
        self.tentacles[self.here] += source != -2
        yield from self._next_and_check(kind, source=source)

    def _roll(self) -> Script[None]:
        """A die for each tentacle in the water, up to the maximum."""
        event = yield from self._next("roll")
        self.dice = list(event["dice"])
        n_dice = min(self.rules["dice"], self.tentacles[self.here])
        n_blank, faces = n_dice - sum(self.dice), self.rules["die"]
        shown = [*self.dice, n_blank]
        if len(shown) != 5 or any(n < 0 or (n > 0 and not face) for n, face in zip(shown, faces, strict=True)):
            self._refuse(f"a roll of {n_dice} dice with the faces {faces}", event["dice"])
        self._note("more tentacles than dice", self.tentacles[self.here] > n_dice)
        self._note("blank face", n_blank > 0)
        self._check_state(event)

    def _skull(self) -> Script[None]:
        """Skull: kill one resident, back to the supply, unless the active seat defends it."""
        result = "nothing"
        if self.residents[self.here] > 0:
            has_fired = self.me.counts["n_fired"]
            is_saved = yield from self._defend("defend_resident", self.active, RESIDENT)
            result = "saved" if is_saved else "killed"
            self._note("resident killed despite a harpoon", not is_saved and self.me.counts["n_fired"] > has_fired)
        if result == "killed":
            self._note("killed resident keeps the game going", self.supply == 0)
            self.residents[self.here] -= 1
            self.supply += 1
        self.totals["n_killed"] += result == "killed"
        self._note("skull without resident", result == "nothing")
        self._note("resident saved", result == "saved")
        yield from self._next_and_check("skull", result=result)

    def _arrow(self) -> Script[None]:
        """Arrow: a resident retreats to an adjacent district (ambiguity 9)."""
        to = -1
        if self.residents[self.here] > 0:
            to = yield from self._choose("retreat", NEIGHBOURS[self.rules["adjacency"]][self.here])
            self.residents[self.here] -= 1
            self.residents[to] += 1
            is_last = self.residents[self.here] == 0
            self._note("arrow before a skull empties the district", is_last and self.dice[SKULL] > 0)
        self.totals["n_fled"] += to >= 0
        self._note("arrow without resident", to < 0)
        yield from self._next_and_check("arrow", to=to)

    # Destroying Tentacle Town

    def _destroy(self) -> Script[None]:
        """One building of the row with buildings closest to the water, chosen by the active seat (8, 10)."""
        occupied = [row for row in range(len(self.rows)) if any(seat.buildings[self.here][row] for seat in self.seats)]
        if not occupied:
            self._note("destroy without building")
            yield from self._next_and_check("destroy", owner=-1, result="nothing")
            return
        row = occupied[0]
        to_the_left = [(self.active + i) % self.players for i in range(self.players)]
        legal = [i for i, seat in enumerate(to_the_left) if self.seats[seat].buildings[self.here][row] > 0]
        owner = to_the_left[(yield from self._choose("victim", legal))]
        is_saved = yield from self._defend_building(owner)
        if not is_saved:
            self._note("second destroy moves inland", self.last_row is not None and row > self.last_row)
            self.last_row = row
            self._tear_down(self.seats[owner], row)
        yield from self._next_and_check("destroy", owner=owner, row=row, result="saved" if is_saved else "destroyed")

    def _tear_down(self, owner: Seat, row: int) -> None:
        """A destroyed building goes back to its owner's supply, or out of the game (ambiguity 10)."""
        owner.buildings[self.here][row] -= 1
        owner.left += self.rules["destroyed_returns"]
        owner.counts["n_lost"] += 1
        self.totals["n_destroyed"] += 1
        self._note("destroyed building not returned", not self.rules["destroyed_returns"])

    # Defending Tentacle Town

    def _defend_building(self, owner: int) -> Script[bool]:
        """The owner may fire, on whoever's turn (ambiguity 11)."""
        has_fired = self.seats[owner].counts["n_fired"]
        self._note("owner without harpoons not asked", self.seats[owner].goods["harpoons"] == 0)
        is_saved = yield from self._defend("defend_building", owner, BUILDING)
        whose = "own" if owner == self.active else "another's"
        self._note(f"{whose} building saved", is_saved)
        self._note(f"{whose} building missed", not is_saved and self.seats[owner].counts["n_fired"] > has_fired)
        return is_saved

    def _defend(self, decision: str, seat: int, purpose: int) -> Script[bool]:
        """Harpoons at one result of the dice, as many as the rules allow; whether one hit."""
        for n_before in range(self.rules["harpoons_per_result"]):
            if self.seats[seat].goods["harpoons"] == 0 or not (yield from self._choose(decision, (0, 1), seat)):
                return False
            self._note("second harpoon at one result", n_before == 1)
            if (yield from self._shoot(seat, purpose, self.here, self.rules["defence_pays"])):
                self.totals["n_saved"] += 1
                return True
        return False

    # Ending the Game, Winning the Game

    def _end(self, cause: str) -> Script[None]:
        """The most buildings of each district; then the most fame wins, then gold, then both (ambiguity 17)."""
        for district in range(3):
            self._award_majority(district)
        standing = [(seat.goods["fame"] + seat.counts["from_majority"], seat.goods["gold"]) for seat in self.seats]
        ranks = [1 + sum(other > own for other in standing) for own in standing]
        winners = [seat for seat in range(self.players) if ranks[seat] == 1 and cause != "unfinished"]
        figures = {"cause": cause, "n_turns": self.turn, "winners": winners, "ranks": ranks}
        yield from self._next_and_check("end", **figures, games=self._game_columns(), seats=self._seat_columns())
        self.coverage["cause", cause] += 1
        fames = [fame for fame, _ in standing]
        self._note("shared win", len(winners) > 1)
        self._note("tie on fame decided by gold", 0 < len(winners) < fames.count(max(fames)))
        self.finished = True
        yield

    def _award_majority(self, district: int) -> None:
        """One fame per resident to the seat with the most buildings, divided in a tie, the rest discarded."""
        n_residents, held = self.residents[district], [sum(seat.buildings[district]) for seat in self.seats]
        if max(held) == 0:
            self._note("district held by nobody")
            self.totals["majority_unheld"] += n_residents
            return
        holders = [seat for seat, n in zip(self.seats, held, strict=True) if n == max(held)]
        share, rest = divmod(n_residents, len(holders))
        self._note("majority tie loses fame", rest > 0)
        self.totals["majority_lost"] += rest
        for seat in holders:
            seat.counts["from_majority"] += share

    def _game_columns(self) -> dict[str, Any]:
        names = ("n_killed", "n_fled", "n_destroyed", "n_saved", "majority_lost", "majority_unheld")
        cards = sum(1 << CARDS.index(TASKS[task]) for task in self.cards)
        return {name: self.totals[name] for name in names} | {"cards": cards, "over_tokens": self._is_over_tokens}

    def _seat_columns(self) -> dict[str, list[int]]:
        sources = ("from_hunting", "from_defence", "from_board", "from_cards", "from_majority")
        counted = (*sources, "spent", "n_built", "n_lost", "n_fired", "n_hit", "n_overtime")
        columns = {name: [seat.counts[name] for seat in self.seats] for name in counted}
        earned = [sum(seat.counts[name] for name in sources) - seat.counts["spent"] for seat in self.seats]
        return columns | {
            "fame": [self.rules["start_fame"] + fame for fame in earned],
            "gold": [seat.goods["gold"] for seat in self.seats],
            "n_buildings": [sum(map(sum, seat.buildings)) for seat in self.seats],
            "cards_used": [seat.cards_used for seat in self.seats],
        }

    # Coverage

    def _note_building(self) -> None:
        self._note("seat out of buildings, no build", self.me.left == 0)
        self._note("full district, no build", self.me.left > 0 and not self._free_rows(self.here))

    def _note_trade(self, name: str, times: int) -> None:
        is_caravan, n_residents = name == "calamari_caravan", self.residents[self.here]
        self._note("task done for zero", times == 0)
        self._note("sushi sold to every resident", name == "sell_sushi" and times == n_residents)
        self._note("caravan with zero buildings", is_caravan and times == 0)
        self._note("caravan counts the building just built", is_caravan and BUILD in self.done)
        self._note("forge makes several harpoons", name == "forge_harpoons" and times > 1)
