"""Exact enumerator of a small Tentacle Town, written from the rulebook: every die, harpoon and free choice followed.

A turn is played by plain code that asks `Walk.branch` wherever it could go on in several ways; it is played once for
each sequence of answers, from every position that the turn before has led to. Equal positions are merged, each with
its exact probability. Seats choose by a `Plan`: a fixed liking, or any legal option with equal probability. Where one
option is legal nobody is asked.

Rules are the plain values of the game's `components.toml` by name, some of them changed. What is counted beside fame
and gold must be asked for (`counted`), for positions that differ in their counts cannot be merged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

GOODS = ("gold", "food", "iron", "fame", "harpoons")
BOARD = ("hunt_tentacles", "butcher_catch", "sell_sushi", "calamari_caravan", "forge_harpoons", "smelt_iron")
CARDS = (
    *("declaw_crabs", "recycle_anchors", "whittle_sticks", "research_steel", "fancy_shindig", "erect_a_statue"),
    *("bake_pie", "squid_bake", "plant_flowers", "can_calamari", "housing_project", "hire_movers"),
)
TASKS = (*BOARD, *CARDS)
SKULL, ARROW, DESTROY, NEW, BLANK = range(5)
PASS, BUILD, FIRST_TASK = range(3)

Rules = Mapping[str, Any]
Ways = Sequence[tuple[Any, int]]
"""What may come, with its weight."""
Key = tuple[Any, ...]

ANY = "any"
Plan = Mapping[str, Any]
"""Decision -> its options (numbers), the favourite first, or `ANY`: each equally likely. The lowest option if no
favourite is legal. The entry "" is for all decisions without one."""


class Walk:
    """One way through a turn: the first branches as the script says, after it always the first way."""

    def __init__(self, script: Sequence[int]) -> None:
        self.script = script
        self.made: list[tuple[int, int]] = []  # at each branch the way taken, of how many
        self.weight, self.total = 1, 1

    def branch(self, ways: Ways) -> Any:
        """One of the ways on."""
        at = len(self.made)
        taken = self.script[at] if at < len(self.script) else 0
        self.made.append((taken, len(ways)))
        value, weight = ways[taken]
        self.weight *= weight
        self.total *= sum(other for _, other in ways)
        return value


def every_way(play: Callable[[Walk], Any]) -> Iterator[tuple[Fraction, Any]]:
    """Probability and result of every way through a play, counted up like an odometer."""
    script: list[int] = []
    while True:
        walk = Walk(script)
        result = play(walk)
        yield Fraction(walk.weight, walk.total), result
        made = walk.made
        while made and made[-1][0] == made[-1][1] - 1:
            made.pop()
        if not made:
            return
        script = [taken for taken, _ in made]
        script[-1] += 1


class Town:
    """A position, and the rules of play that change it."""

    def __init__(self, rules: Rules, plans: Sequence[Plan], counted: Collection[str]) -> None:
        self.rules, self.plans, self.seats = rules, plans, range(len(plans))
        left_out = {2: rules["row_left_out_two_players"], 3: rules["row_left_out_three_players"]}.get(len(plans), 0)
        spaces = list(rules["rows"])
        if left_out:
            spaces.remove(left_out)
        self.spaces, p = spaces, Fraction(str(rules["hit"]))
        weights = ((True, p.numerator), (False, p.denominator - p.numerator))
        self.spinner = [(is_hit, weight) for is_hit, weight in weights if weight]
        start = rules["start_buildings"]
        self.residents, self.supply = [0, 0, 0], rules["residents"]
        self.tentacles, self.sea = [0, 0, 0], rules["tentacles"]
        self.buildings = [[[start] + [0] * (len(spaces) - 1) for _ in range(3)] for _ in self.seats]
        self.left = [rules["buildings"] - 3 * start for _ in self.seats]
        self.goods = {good: [rules[f"start_{good}"] for _ in self.seats] for good in GOODS}
        self.counts = {name: [0] * (len(plans) if name in SEAT_COUNTS else 1) for name in counted}
        self.cards: tuple[str, ...] = ()
        self.walk = Walk(())
        self.active = self.here = self.n_paid = self.gold_before = 0
        self.done: set[int] = set()

    # What a position is: all that lasts beyond a turn.

    def key(self) -> Key:
        """The position as something that can be compared."""
        buildings = tuple(tuple(map(tuple, districts)) for districts in self.buildings)
        goods = tuple(map(tuple, self.goods.values()))
        counts = tuple(map(tuple, self.counts.values()))
        places = (*self.residents, self.supply, *self.tentacles, self.sea, *self.left)
        return places, buildings, goods, counts, self.cards

    def at(self, key: Key, walk: Walk | None = None) -> Town:
        """This town, in that position."""
        places, buildings, goods, counts, self.cards = key
        self.residents, self.supply = list(places[:3]), places[3]
        self.tentacles, self.sea, self.left = list(places[4:7]), places[7], list(places[8:])
        self.buildings = [[list(rows) for rows in districts] for districts in buildings]
        self.goods = dict(zip(GOODS, map(list, goods), strict=True))
        self.counts = dict(zip(self.counts, map(list, counts), strict=True))
        self.walk = walk or Walk(())
        return self

    def count(self, name: str, seat: int = 0, number: int = 1) -> None:
        """Count, if it is asked for."""
        if name in self.counts:
            self.counts[name][seat] += number

    # Choices and luck.

    def decide(self, decision: str, options: Sequence[int], seat: int | None = None) -> int:
        """The option a seat takes; the one whose turn it is if none is named."""
        if len(options) == 1:
            return options[0]
        plan = self.plans[self.active if seat is None else seat]
        liking = plan.get(decision, plan.get("", ()))
        if liking == ANY:
            return self.walk.branch([(option, 1) for option in options])
        return next((option for option in liking if option in options), min(options))

    def spin(self) -> bool:
        """Firing Harpoons: a hit?"""
        return self.walk.branch(self.spinner)

    # Game Setup and Playing the Game.

    def deal_cards(self) -> None:
        """Task Cards: a fixed list, or a deal."""
        rules = self.rules
        self.cards = tuple(sorted(rules["cards"], key=CARDS.index))
        if not rules["cards"] and rules["task_cards"]:
            deals = [
                deal
                for deal in combinations(CARDS, rules["task_cards"])
                if rules["card_in"] in ("", *deal) and rules["card_out"] not in deal
            ]
            self.cards = self.walk.branch([(deal, 1) for deal in deals])

    def turn(self, seat: int) -> None:
        """Recruit, work, pay overtime, face the tentacles."""
        self.active, self.done, self.n_paid = seat, set(), 0
        self.gold_before = self.goods["gold"][seat]
        self.here = self.decide("district", range(3))
        self.supply -= 1
        self.residents[self.here] += 1
        work = self.possible_work()
        if self.rules["pass_work"] == "always" or not work:
            work = [PASS, *work]
        chosen = self.decide("work", work)
        self.do(chosen)
        if chosen != PASS or self.rules["overtime_after_pass"]:
            self.pay_overtime()
        self.attack()
        if any(sum(self.goods[good]) > self.rules["tokens"] for good in GOODS[:4]) and "over_tokens" in self.counts:
            self.counts["over_tokens"][0] = 1

    def possible_work(self) -> list[int]:
        """Options that may be taken, passing aside."""
        tasks = [*BOARD[2 * self.here : 2 * self.here + 2], *self.cards]
        options = [BUILD] if self.can_build() else []
        options += [FIRST_TASK + TASKS.index(task) for task in tasks if self.can_do(task)]
        return sorted(options)

    def pay_overtime(self) -> None:
        """Pay Overtime: one gold for each further task, none twice."""
        rules, cost = self.rules, self.rules["overtime_cost"]
        gold = self.goods["gold"]
        while gold[self.active] >= cost:
            if rules["overtime_limit"] == "residents" and self.n_paid >= self.residents[self.here]:
                return
            if not rules["overtime_from_earnings"] and (self.n_paid + 1) * cost > self.gold_before:
                return
            gold[self.active] -= cost
            options = [option for option in self.possible_work() if option not in self.done]
            if not rules["build_by_overtime"]:
                options = [option for option in options if option != BUILD]
            gold[self.active] += cost
            chosen = self.decide("overtime", [PASS, *options])
            if chosen == PASS:
                return
            gold[self.active] -= cost
            self.n_paid += 1
            self.count("n_overtime", self.active)
            self.do(chosen)

    def do(self, option: int) -> None:
        """Carry out an option of work."""
        self.done.add(option)
        if option == BUILD:
            self.build()
        elif option != PASS:
            self.do_task(TASKS[option - FIRST_TASK])

    # Buildings.

    def free(self, district: int) -> list[int]:
        """Rows of a district with a free space."""
        standing = [sum(self.buildings[seat][district][row] for seat in self.seats) for row in range(len(self.spaces))]
        return [row for row, space in enumerate(self.spaces) if standing[row] < space]

    def can_build(self) -> bool:
        """A building left, and a free space."""
        return self.left[self.active] > 0 and bool(self.free(self.here))

    def build(self) -> None:
        """In any row of the district."""
        row = self.decide("row", self.free(self.here))
        self.buildings[self.active][self.here][row] += 1
        self.left[self.active] -= 1
        self.count("n_built", self.active)

    def moves(self) -> list[tuple[int, int]]:
        """Hire Movers: from where to where."""
        n_rows = len(self.spaces)
        return [
            (district * n_rows + row, other * n_rows + target)
            for district, row in product(range(3), range(n_rows))
            if self.buildings[self.active][district][row]
            for other in range(3)
            if other != district or self.rules["movers_same_district"]
            for target in self.free(other)
        ]

    def move(self) -> None:
        """Hire Movers."""
        moves, n_rows, own = self.moves(), len(self.spaces), self.buildings[self.active]
        source = self.decide("movers_from", sorted({start for start, _ in moves}))
        target = self.decide("movers_to", sorted({to for start, to in moves if start == source}))
        own[source // n_rows][source % n_rows] -= 1
        own[target // n_rows][target % n_rows] += 1

    # Tasks.

    def can_do(self, task: str) -> bool:
        """Whether the rules let this task be done now."""
        told, zero = self.rules[task], self.rules["zero_tasks"]
        if task == "hunt_tentacles":
            return zero or (self.most(told) > 0 and self.goods["harpoons"][self.active] > 0 and any(self.tentacles))
        if told.get("up_to"):
            return zero or self.most_trades(told) > 0
        if not self.can_pay(told):
            return False
        if task == "housing_project":
            return self.can_build()
        if task == "hire_movers":
            return bool(self.moves())
        return zero or not told.get("per") or self.most(told) > 0

    def can_pay(self, told: Mapping[str, Any], times: int = 1) -> bool:
        """Whether the cost can be paid so often."""
        return all(self.goods[good][self.active] >= n * times for good, n in told.get("cost", {}).items())

    def most(self, told: Mapping[str, Any]) -> int:
        """Residents, or own buildings, in the district."""
        if "residents" in (told.get("per"), told.get("up_to")):
            return self.residents[self.here]
        return sum(self.buildings[self.active][self.here])

    def most_trades(self, told: Mapping[str, Any]) -> int:
        """How often a trade can be made."""
        return max(times for times in range(self.most(told) + 1) if self.can_pay(told, times))

    def do_task(self, task: str) -> None:
        """Pay, then take; or what the task says."""
        told, source = self.rules[task], "from_board" if task in BOARD else "from_cards"
        if task == "hunt_tentacles":
            self.hunt(told)
        elif told.get("up_to"):
            most = self.most_trades(told)
            least = most if self.rules["trades"] == "all" else 0 if self.rules["zero_tasks"] else 1
            times = self.decide("times", range(least, most + 1))
            self.pay(told, times)
            self.take(self.active, told.get("gain", {}), source, times)
        else:
            self.pay(told, 1)
            self.take(self.active, told.get("gain", {}), source, self.most(told) if told.get("per") else 1)
            if task == "housing_project":
                self.build()
            elif task == "hire_movers":
                self.move()

    def pay(self, told: Mapping[str, Any], times: int) -> None:
        """The cost, so often."""
        for good, n in told.get("cost", {}).items():
            self.goods[good][self.active] -= n * times
            if good == "fame":
                self.count("spent", self.active, n * times)

    def take(self, seat: int, gain: Mapping[str, int], source: str, times: int = 1) -> None:
        """The gain, so often, as far as there are tokens."""
        for good, n in gain.items():
            amount = n * times
            if self.rules["token_limit"] and good != "harpoons":
                amount = max(0, min(amount, self.rules["tokens"] - sum(self.goods[good])))
            self.goods[good][seat] += amount
            if good == "fame":
                self.count(source, seat, amount)

    # Harpoons.

    def fire(self, seat: int, area: int, gain: Mapping[str, int], source: str) -> bool:
        """One harpoon: a hit kills a tentacle of the area."""
        self.goods["harpoons"][seat] -= 1
        self.count("n_fired", seat)
        hit = self.spin()
        if hit:
            self.count("n_hit", seat)
        if hit and self.tentacles[area]:
            self.tentacles[area] -= 1
            self.sea += 1
            self.take(seat, gain, source)
        return hit

    def hunt(self, told: Mapping[str, Any]) -> None:
        """Hunt Tentacles: in one area, up to one harpoon for each resident of the district."""
        quiver, gain = self.goods["harpoons"], told["gain"]
        left = min(self.residents[self.here], quiver[self.active])
        areas = [area for area in range(3) if self.tentacles[area]]
        if not left or not areas:
            return
        area, least = self.decide("hunt_area", areas), 0 if self.rules["zero_tasks"] else 1
        if self.rules["hunt_firing"] == "volley":
            for _ in range(self.decide("times", range(least, left + 1))):
                self.fire(self.active, area, gain, "from_hunting")
            return
        while left and self.tentacles[area] and self.decide("fire", range(least, 2)):
            self.fire(self.active, area, gain, "from_hunting")
            left, least = left - 1, 0

    # Tentacle Attacks!

    def attack(self) -> None:
        """A tentacle comes, dice are rolled and applied."""
        self.place_tentacle()
        rolled = list(self.walk.branch(rolls(min(self.rules["dice"], self.tentacles[self.here]), self.rules["die"])))
        fixed = {"skulls-first": (SKULL, ARROW, DESTROY, NEW), "arrows-first": (ARROW, SKULL, DESTROY, NEW)}
        while any(rolled):
            kinds = [kind for kind in range(4) if rolled[kind]]
            if self.rules["dice_order"] == "chosen":
                kind = self.decide("die", kinds)
            else:
                kind = next(kind for kind in fixed[self.rules["dice_order"]] if kind in kinds)
            rolled[kind] -= 1
            (self.skull, self.arrow, self.destroy, self.place_tentacle)[kind]()

    def place_tentacle(self) -> None:
        """TENTACLES! They're Everywhere!: from the supply, else from another area."""
        elsewhere = [area for area in range(3) if area != self.here and self.tentacles[area]]
        if self.sea:
            self.sea -= 1
        elif elsewhere:
            self.tentacles[self.decide("tentacle_from", elsewhere)] -= 1
        else:
            return
        self.tentacles[self.here] += 1

    def skull(self) -> None:
        """Kill one resident."""
        if self.residents[self.here]:
            if self.is_repelled(self.active, "defend_resident"):
                return
            self.residents[self.here] -= 1
            self.supply += 1
            self.count("n_killed")

    def arrow(self) -> None:
        """One resident retreats."""
        if self.residents[self.here]:
            reach = (0, 1, 2) if self.rules["adjacency"] == "all" else (self.here - 1, self.here + 1)
            to = self.decide("retreat", [other for other in range(3) if other in reach and other != self.here])
            self.residents[self.here] -= 1
            self.residents[to] += 1
            self.count("n_fled")

    def destroy(self) -> None:
        """Destroy one building of the row closest to the water that has any."""
        for row in range(len(self.spaces)):
            owners = [seat for seat in self.seats if self.buildings[seat][self.here][row]]
            if owners:
                break
        else:
            return
        n = len(self.seats)
        to_the_left = self.decide("victim", sorted((seat - self.active) % n for seat in owners))
        owner = (self.active + to_the_left) % n
        if self.is_repelled(owner, "defend_building"):
            return
        self.buildings[owner][self.here][row] -= 1
        self.left[owner] += bool(self.rules["destroyed_returns"])
        self.count("n_destroyed")
        self.count("n_lost", owner)

    def is_repelled(self, seat: int, decision: str) -> bool:
        """Defending Tentacle Town: one harpoon for a result, or as many as the rules say."""
        for _ in range(self.rules["harpoons_per_result"]):
            if not self.goods["harpoons"][seat] or not self.decide(decision, (0, 1), seat):
                return False
            if self.fire(seat, self.here, self.rules["defence_pays"], "from_defence"):
                self.count("n_saved")
                return True
        return False

    # Winning the Game.

    def result(self, n_turns: int, cause: str) -> dict[str, Any]:
        """The row of a game that ends here."""
        award, lost, unheld = [0] * len(self.seats), 0, 0
        for district, fame in enumerate(self.residents):
            standing = [sum(self.buildings[seat][district]) for seat in self.seats]
            best = [seat for seat in self.seats if standing[seat] == max(standing) and standing[seat]]
            for seat in best:
                award[seat] += fame // len(best)
            lost += fame % len(best) if best else 0
            unheld += 0 if best else fame
        fame = [self.goods["fame"][seat] + award[seat] for seat in self.seats]
        merit = [(fame[seat], self.goods["gold"][seat]) for seat in self.seats]
        won = [cause != "unfinished" and mine == max(merit) for mine in merit]
        row: dict[str, Any] = {"n_turns": n_turns, "end_cause": cause, "majority_lost": lost, "majority_unheld": unheld}
        row |= {"win": [Fraction(is_winner, max(1, sum(won))) for is_winner in won], "fame": fame}
        row |= {"from_majority": award, "gold": self.goods["gold"]}
        row["n_buildings"] = [sum(map(sum, self.buildings[seat])) for seat in self.seats]
        row |= {"cards": sum(1 << CARDS.index(card) for card in self.cards)}
        return row | {name: values if name in SEAT_COUNTS else values[0] for name, values in self.counts.items()}


GAME_COUNTS = ("n_killed", "n_fled", "n_destroyed", "n_saved", "over_tokens")
SEAT_COUNTS = (
    *("from_hunting", "from_defence", "from_board", "from_cards", "spent"),
    *("n_built", "n_lost", "n_fired", "n_hit", "n_overtime"),
)
COUNTS = (*GAME_COUNTS, *SEAT_COUNTS)


@cache
def _rolls(n_dice: int, die: tuple[int, ...]) -> Ways:
    """What so many dice may show: skulls, arrows, destroys, new tentacles."""
    told: dict[tuple[int, ...], int] = {}
    for faces in product([face for face, n in enumerate(die) for _ in range(n)], repeat=n_dice):
        shown = tuple(faces.count(kind) for kind in range(BLANK))
        told[shown] = told.get(shown, 0) + 1
    return list(told.items())


def rolls(n_dice: int, die: Sequence[int]) -> Ways:
    """The same, remembered."""
    return _rolls(n_dice, tuple(die))


Row = tuple[tuple[str, Any], ...]


def exact(rules: Rules, plans: Sequence[Plan], counted: Collection[str] = ()) -> dict[Row, Fraction]:
    """Result rows, as tuples of (name, value or tuple of values by seat), each with its probability.

    Parameters
    ----------
    rules
        The components' values.
    plans
        One per seat.
    counted
        Which of `COUNTS` the rows are to have besides.
    """
    rows: dict[Row, Fraction] = {}
    town = Town(rules, plans, counted)
    start = town.key()

    def setup(walk: Walk) -> Key:
        town.at(start, walk).deal_cards()
        return town.key()

    def end(key: Key, p: Fraction, n_turns: int, cause: str) -> None:
        row = as_row(town.at(key).result(n_turns, cause))
        rows[row] = rows.get(row, Fraction(0)) + p

    layer = merged(every_way(setup))
    n_turns = rules["max_rounds"] * len(plans)
    for turn in range(n_turns):
        going_on: list[tuple[Fraction, Key]] = []
        for key, p in layer.items():
            if not key[0][3]:  # nobody left to recruit
                end(key, p, turn, "no-resident")
                continue

            def play(walk: Walk, key: Key = key, seat: int = turn % len(plans)) -> Key:
                town.at(key, walk).turn(seat)
                return town.key()

            going_on += [(p * p_way, after) for p_way, after in every_way(play)]
        layer = merged(iter(going_on))
    for key, p in layer.items():
        end(key, p, n_turns, "unfinished")
    return rows


def as_row(values: Mapping[str, Any]) -> Row:
    """Values by name as something that can be compared."""
    return tuple(sorted((name, tuple(value) if isinstance(value, list) else value) for name, value in values.items()))


def merged(weighted: Iterator[tuple[Fraction, Key]]) -> dict[Key, Fraction]:
    """Positions with their probabilities, equal ones added up."""
    layer: dict[Key, Fraction] = {}
    for p, key in weighted:
        layer[key] = layer.get(key, Fraction(0)) + p
    return layer
