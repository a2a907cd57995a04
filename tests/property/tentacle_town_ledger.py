"""Keeps the books of games of Tentacle Town from their events alone, and compares them with the state at every event.

Whatever an event says is entered by the rulebook: who pays what, where residents, tentacles and buildings go.
The state must be what the books say, to the last token; nothing may be owed, lost, or made from nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town import GAME
from simkit.games.tentacle_town.rules import CARDS, GOODS, TASKS
from simkit.results import Results
from simkit.table import Table
from simkit.view import View

Games = npt.NDArray[np.intp]
Array = npt.NDArray[Any]

N_BOARD = 6
MOVERS, HOUSING = TASKS.index("hire_movers"), TASKS.index("housing_project")
TOKENS = ("gold", "food", "iron", "fame")
SEAT_COUNTS = (
    *("from_hunting", "from_defence", "from_board", "from_cards", "spent"),
    *("n_built", "n_lost", "n_fired", "n_hit", "n_overtime", "cards_used"),
)
GAME_COUNTS = ("n_killed", "n_fled", "n_destroyed", "n_saved")


class Ledger:
    """An observer; its arrays have a column for each deal, from 0.

    Attributes
    ----------
    n_events
        Events entered, a game's each counted.
    """

    def __init__(self, rules: Any, seats: int, n_deals: int) -> None:
        self.rules, self.seats, self.n_events = rules, seats, 0
        self.spaces = np.array(rules.rows_for(seats))
        shape = (seats, 3, len(self.spaces), n_deals)
        self.buildings, self.left = np.zeros(shape, int), np.full((seats, n_deals), rules.buildings)
        self.residents, self.tentacles = np.zeros((2, 3, n_deals), int)
        self.supply, self.sea = np.full(n_deals, rules.residents), np.full(n_deals, rules.tentacles)
        self.goods = {good: np.full((seats, n_deals), getattr(rules, f"start_{good}")) for good in GOODS}
        self.counts = {name: np.zeros((seats, n_deals), int) for name in SEAT_COUNTS}
        self.counts |= {name: np.zeros(n_deals, int) for name in GAME_COUNTS}
        self.dice, self.done = np.zeros((4, n_deals), int), np.zeros((20, n_deals), bool)
        self.district, self.area, self.shots, self.n_paid, self.gold_before = np.zeros((5, n_deals), int)
        self.said: dict[str, Array] = {decision.name: np.zeros(n_deals, int) for decision in GAME.decisions}
        self.over_tokens = np.zeros(n_deals, bool)
        self.is_over = np.zeros(n_deals, bool)
        self.buildings[:, :, 0] = rules.start_buildings
        self.left -= 3 * rules.start_buildings

    # -------------------------------------------------------------------------------------------------- the observer

    def noted(self, table: Table, event: str, seat: int | None, games: Games | None, fields: Mapping[str, Any]) -> None:
        """Enter the event, and compare."""
        columns = table.live.nonzero()[0] if games is None else games
        if not len(columns):
            return
        told = {
            name: value[..., columns] if games is None and isinstance(value, np.ndarray) else value
            for name, value in fields.items()
        }
        told = {name: value.astype(int) if isinstance(value, np.ndarray) else value for name, value in told.items()}
        deals = table.deals[columns].astype(int)
        assert not self.is_over[deals].any()
        getattr(self, f"_{event}")(table, seat, deals, **told)
        self.n_events += len(deals)
        self._compare(table, columns, deals)

    def decided(self, table: Table, view: View, choice: npt.NDArray[np.uint8]) -> None:
        """Every choice is legal; work is done once a turn, and overtime is paid."""
        asked = view.legal.any(axis=0).nonzero()[0]
        option, deals = choice[asked].astype(int), table.deals[view.columns[asked]].astype(int)
        assert view.legal[option, asked].all()
        self.said[view.decision][deals] = option
        if view.decision == "district":
            self.district[deals] = option
        if view.decision in ("work", "overtime"):
            self._work(view, deals, option)

    def _work(self, view: View, deals: Array, option: Array) -> None:
        """An option of work is taken, in overtime for gold."""
        if view.decision == "overtime":
            deals, option = deals[option != 0], option[option != 0]
            assert not self.done[option, deals].any()
            assert (self.rules.build_by_overtime | (option != 1)).all()
            assert (self.rules.overtime_after_pass | ~self.done[0, deals]).all()
            self.n_paid[deals] += 1
            self._count("n_overtime", view.seat, deals)
            self._give("gold", view.seat, deals, -self.rules.overtime_cost)
            if self.rules.overtime_limit == "residents":
                assert (self.n_paid <= self.residents[self.district, np.arange(len(self.n_paid))])[deals].all()
            if not self.rules.overtime_from_earnings:
                assert (self.n_paid * self.rules.overtime_cost <= self.gold_before)[deals].all()
        self.done[option, deals] = True
        card = option - 2 - N_BOARD
        np.bitwise_or.at(self.counts["cards_used"], (view.seat, deals[card >= 0]), 1 << card[card >= 0])
        board = (option >= 2) & (card < 0)
        assert ((option[board] - 2) // 2 == self.district[deals[board]]).all()

    # ---------------------------------------------------------------------------------------------------- the events

    def _setup(self, table: Table, seat: None, deals: Array) -> None:
        """Nothing has moved."""

    def _recruit(self, table: Table, seat: int, deals: Array) -> None:
        """From the supply to the district chosen."""
        if table.turn:
            self._turn_is_over(deals)
        self.done[:, deals], self.n_paid[deals] = False, 0
        self.gold_before[deals] = self.goods["gold"][seat, deals]
        self.supply[deals] -= 1
        self.residents[self.district[deals], deals] += 1

    def _pass(self, table: Table, seat: int, deals: Array) -> None:
        """Nothing has moved."""

    def _build(self, table: Table, seat: int, deals: Array, row: Array) -> None:
        """From the seat's supply to a space of the row."""
        assert (row == self.said["row"][deals]).all()
        self.buildings[seat, self.district[deals], row, deals] += 1
        self.left[seat, deals] -= 1
        self._count("n_built", seat, deals)

    def _task(self, table: Table, seat: int, deals: Array, task: int, times: Any, **moved: Array) -> None:
        """The cost is paid, then the gain is taken."""
        told = self.rules.tasks[task]
        by = {"residents": self.residents, "buildings": self.buildings[seat].sum(axis=1)}
        most = by[told.per or told.up_to or "buildings"][self.district[deals], deals]
        times = np.broadcast_to(times, deals.shape)
        if told.per:
            assert (times == most).all()
        elif told.up_to:
            assert (times <= most).all()
        else:
            assert (times == 1).all()
        for good, n in told.cost.some:
            self._give(good, seat, deals, -n * (times if told.up_to else 1))
            if good == "fame":
                self._count("spent", seat, deals, n * (times if told.up_to else 1))
        source = "from_board" if task < N_BOARD else "from_cards"
        self._take(told.gain, seat, deals, times, source)
        if task == HOUSING:
            self._build(table, seat, deals, moved["row"])
        elif task == MOVERS:
            for end, place, change in (("from", moved["source"], -1), ("to", moved["target"], 1)):
                assert (place == self.said[f"movers_{end}"][deals]).all()
                district, row = np.divmod(place, len(self.spaces))
                self.buildings[seat, district, row, deals] += change

    def _hunt(self, table: Table, seat: int, deals: Array, area: Array) -> None:
        """Where the harpoons of this hunt go."""
        assert ((area == -1) | (area == self.said["hunt_area"][deals])).all()
        self.area[deals], self.shots[deals] = area, 0

    def _shot(self, table: Table, seat: int, deals: Array, purpose: int, hit: Array, by: Array) -> None:
        """A harpoon is spent; a hit takes a tentacle away and pays."""
        self._give("harpoons", by, deals, -1)
        self._count("n_fired", by, deals)
        self._count("n_hit", by, deals, hit)
        area = self.area[deals] if purpose == 0 else self.district[deals]
        killed = (hit == 1) & (self.tentacles[area, deals] > 0)
        if purpose == 0:
            self.shots[deals] += 1
            assert (self.shots[deals] <= self.residents[0, deals]).all()
            assert self.rules.hunt_firing == "volley" or (killed == (hit == 1)).all()
        else:
            assert (killed == (hit == 1)).all()  # dice are no more than tentacles
            self._count("n_saved", None, deals, hit)
        assert purpose == 1 or (by == seat).all()
        area, by, deals = area[killed], by[killed], deals[killed]
        self.tentacles[area, deals] -= 1
        self.sea[deals] += 1
        pay = self.rules.hunt_tentacles.gain if purpose == 0 else self.rules.defence_pays
        self._take(pay, by, deals, np.ones_like(deals), "from_defence" if purpose else "from_hunting")

    def _tentacle(self, table: Table, seat: int, deals: Array, source: Array) -> None:
        """From the supply, another area if there is none, or nowhere if all are here."""
        here = self.district[deals]
        assert (self.sea[deals[source == -1]] > 0).all()
        assert (self.sea[deals[source != -1]] == 0).all()
        assert (self.tentacles[here, deals][source == -2] == self.rules.tentacles).all()
        self.sea[deals[source == -1]] -= 1
        assert (source != here).all()
        assert ((source < 0) | (source == self.said["tentacle_from"][deals])).all()
        self.tentacles[source[source >= 0], deals[source >= 0]] -= 1
        self.tentacles[here[source != -2], deals[source != -2]] += 1

    def _roll(self, table: Table, seat: int, deals: Array, dice: Array) -> None:
        """A die for each tentacle, up to the most."""
        self.dice[:, deals] = dice
        n_dice = np.minimum(self.tentacles[self.district[deals], deals], self.rules.dice)
        blank = self.rules.die[4] > 0
        assert (dice.sum(axis=0) <= n_dice).all()
        assert blank or (dice.sum(axis=0) == n_dice).all()
        assert all(n or not seen.any() for n, seen in zip(self.rules.die, dice, strict=False))

    def _skull(self, table: Table, seat: int, deals: Array, result: str) -> None:
        """Killed, saved, or nobody there."""
        self.dice[0, deals] -= 1
        here = self.district[deals]
        assert ((self.residents[here, deals] == 0) == (result == "nothing")).all()
        if result == "killed":
            self.residents[here, deals] -= 1
            self.supply[deals] += 1
            self._count("n_killed", None, deals)

    def _arrow(self, table: Table, seat: int, deals: Array, to: Any) -> None:
        """To an adjacent district, or nobody there."""
        self.dice[1, deals] -= 1
        to = np.broadcast_to(to, deals.shape)
        here = self.district[deals]
        assert ((self.residents[here, deals] == 0) == (to == -1)).all()
        here, to, deals = here[to >= 0], to[to >= 0], deals[to >= 0]
        assert (to == self.said["retreat"][deals]).all()
        assert ((np.abs(to - here) == 1) | ((self.rules.adjacency == "all") & (to != here))).all()
        self.residents[here, deals] -= 1
        self.residents[to, deals] += 1
        self._count("n_fled", None, deals)

    def _destroy(self, table: Table, seat: int, deals: Array, owner: Any, result: str, row: Any = 0) -> None:
        """A building of the outermost row that has any; or none there."""
        self.dice[2, deals] -= 1
        here = self.district[deals]
        standing = self.buildings.sum(axis=0)[here, :, deals]
        assert (standing.any(axis=1) == (result != "nothing")).all()
        if result == "nothing":
            return
        assert ((standing > 0).argmax(axis=1) == row).all()
        assert (owner == (seat + self.said["victim"][deals]) % self.seats).all()  # so many seats to the left
        if result == "destroyed":
            self.buildings[owner, here, row, deals] -= 1
            self.left[owner, deals] += self.rules.destroyed_returns
            self._count("n_lost", owner, deals)
            self._count("n_destroyed", None, deals)

    def _new(self, table: Table, seat: int, deals: Array, source: Array) -> None:
        """As at the start of the attack."""
        self.dice[3, deals] -= 1
        self._tentacle(table, seat, deals, source)

    def _end(self, table: Table, seat: None, deals: Array, cause: str) -> None:
        """Over because nobody can be recruited, or because it was long enough."""
        if table.turn:
            self._turn_is_over(deals)
        assert cause == "unfinished" or (self.supply[deals] == 0).all()
        self.is_over[deals] = True

    # -------------------------------------------------------------------------------------------------------- entries

    def _turn_is_over(self, deals: Array) -> None:
        """All results have been applied; tokens are looked at."""
        assert not self.dice[:, deals].any()
        for good in TOKENS:
            self.over_tokens[deals] |= self.goods[good][:, deals].sum(axis=0) > self.rules.tokens

    def _count(self, name: str, seat: Any, deals: Array, number: Any = 1) -> None:
        """Count for a seat, or for the game."""
        place = (deals,) if seat is None else (seat, deals)
        self.counts[name][place] += number

    def _give(self, good: str, seat: Any, deals: Array, number: Any) -> None:
        """Nobody owes anything."""
        self.goods[good][seat, deals] += number
        assert (self.goods[good][seat, deals] >= 0).all(), good

    def _take(self, gain: Any, seat: Any, deals: Array, times: Array, source: str) -> None:
        """A gain, as far as there are tokens."""
        for good, n in gain.some:
            amount = n * times
            if self.rules.token_limit and good in TOKENS:
                in_box = self.rules.tokens - self.goods[good][:, deals].sum(axis=0)
                amount = np.minimum(amount, np.maximum(in_box, 0))
            self._give(good, seat, deals, amount)
            if good == "fame":
                self._count(source, seat, deals, amount)

    # ---------------------------------------------------------------------------------------------------- comparisons

    def _compare(self, table: Table, columns: Games, deals: Array) -> None:
        """The state is what the books say, and nothing is lost."""
        state, rules = table.state, self.rules
        for name in ("residents", "supply", "tentacles", "buildings"):
            assert np.array_equal(getattr(state, name)[..., columns], getattr(self, name)[..., deals]), name
        for good in GOODS:
            assert np.array_equal(getattr(state, good)[:, columns], self.goods[good][:, deals]), good
        assert np.array_equal(state.tentacles_left[columns], self.sea[deals])
        assert (state.residents[:, columns].sum(axis=0, dtype=int) + state.supply[columns] == rules.residents).all()
        assert (state.tentacles[:, columns].sum(axis=0, dtype=int) + self.sea[deals] == rules.tentacles).all()
        assert (self.left[:, deals] >= 0).all()
        standing = state.buildings[..., columns].astype(int)
        gone = 0 if rules.destroyed_returns else self.counts["n_lost"][:, deals]
        assert (standing.sum(axis=(1, 2)) + self.left[:, deals] + gone == rules.buildings).all()
        free = state.free[..., columns]
        assert (standing.sum(axis=0) + free == self.spaces[:, None]).all()
        if rules.token_limit:
            for good in TOKENS:
                most = max(rules.tokens, self.seats * getattr(rules, f"start_{good}"))
                assert (self.goods[good][:, deals].sum(axis=0) <= most).all()

    def close(self, results: Results) -> None:
        """The rows of all games are what the books say."""
        games, seats, rules = results.games, results.seats, self.rules
        assert self.is_over.all()
        for name, values in self.counts.items():
            found = seats[name] if name in SEAT_COUNTS else games[name]
            assert np.array_equal(found, values), name
        assert np.array_equal(games["over_tokens"], self.over_tokens)
        assert np.array_equal(seats["n_buildings"], self.buildings.sum(axis=(1, 2)))
        assert np.array_equal(seats["gold"], self.goods["gold"])
        award = seats["from_majority"].astype(int)
        assert np.array_equal(seats["fame"], self.goods["fame"] + award)
        sources = sum(seats[name].astype(int) for name in ("from_hunting", "from_defence", "from_board", "from_cards"))
        assert (seats["fame"] == rules.start_fame + sources + award - seats["spent"]).all()
        assert np.array_equal(award, self._majorities())
        harpoons = self.goods["harpoons"]
        assert (harpoons >= 0).all()
        on_board = rules.residents - self.supply
        lost, unheld = games["majority_lost"].astype(int), games["majority_unheld"]
        assert (award.sum(axis=0) + lost + unheld == on_board).all()
        finished = games["end_cause"] == GAME.all_end_causes.index("no-resident")
        assert (on_board[finished] == rules.residents).all()
        assert (games["n_turns"][finished] == rules.residents + games["n_killed"][finished].astype(int)).all()
        assert (games["n_turns"][~finished] == rules.max_rounds * self.seats).all()
        assert (seats["win"].sum(axis=0)[finished] == 60).all()
        assert not seats["win"][:, ~finished].any()
        self._close_tallies(results)

    def _majorities(self) -> Array:
        """Fame for the most buildings in each district, (seats, n)."""
        award = np.zeros_like(self.left)
        standing = self.buildings.sum(axis=2)
        for district in range(3):
            most = standing[:, district].max(axis=0)
            holds = (standing[:, district] == most) & (most > 0)
            award += np.where(holds, self.residents[district] // np.maximum(holds.sum(axis=0), 1), 0)
        return award

    def _close_tallies(self, results: Results) -> None:
        """The counts of all games together are the sums of their rows."""
        told = {name: counts.sum(axis=-1) for name, counts in results.tallies().items()}
        games = {name: int(values.sum(dtype=int)) for name, values in results.games.items()}
        n_turns = games["n_turns"]
        assert told["attacks"].sum() == n_turns
        assert told["tasks"][:, :, 0].sum() == n_turns
        assert np.array_equal(told["tasks"][:, :, 1].sum(axis=1), results.seats["n_overtime"].sum(axis=1))
        killed, fled, destroyed, saved_resident, saved_building, _ = told["events"].sum(axis=(0, 1))
        assert (killed, fled, destroyed) == (games["n_killed"], games["n_fled"], games["n_destroyed"])
        assert saved_resident + saved_building == games["n_saved"]
        assert np.array_equal(told["harpoons"].sum(axis=(1, 2)), results.seats["n_fired"].sum(axis=1))
        assert np.array_equal(told["harpoons"][:, :, 1].sum(axis=1), results.seats["n_hit"].sum(axis=1))
        by_effect = told["outcomes"].sum(axis=(0, 1))
        assert (by_effect.sum(axis=1) == n_turns).all()
        numbers = by_effect @ np.arange(by_effect.shape[1])
        assert numbers[:3].tolist() == [killed, fled, destroyed]
        assert numbers[4] == games["n_saved"]
        assert np.array_equal(told["outcomes"].sum(axis=(1, 2, 3)) / 5, told["attacks"].sum(axis=(0, 1)))
        used = results.seats["cards_used"].astype(int)
        assert not (used & ~results.games["cards"].astype(int)).any()
        assert (results.games["cards"] < 1 << len(CARDS)).all()
