"""Tiny Epic Cthulhu in plain Python: Step 2, the actions that a player takes."""

from __future__ import annotations

from typing import Any

from .tiny_epic_cthulhu_table import (
    CHAOS,
    ELDRITCH,
    FEAR,
    GREED,
    MADNESS,
    N_ROWS,
    N_TOWNS,
    NO_PAGE,
    NOT_THERE,
    ROW,
    TRANSLATE,
    Script,
    colour_number,
)
from .tiny_epic_cthulhu_wheel import Wheel

CLOCKWISE, BACK = range(4), range(4, 8)  # options of an action: one to four towns either way, then these
COLLECT, BANISH, TOWN, TRANSLATE_PAGE, SEAL, ABILITY, STOP = range(8, 15)
STOP_COLLECTING, NO_FLIP = 3, 4
DEEDS = {
    COLLECT: "collect", BANISH: "banish", TOWN: "town action", TRANSLATE_PAGE: "translate", SEAL: "seal",
    ABILITY: "ability",
}  # fmt: skip
MOST_STEPS = 4


class Actions(Wheel):
    """The chapter Step 2: Take Player Actions, and Player Abilities."""

    def _take_actions(self) -> Script[None]:
        """Actions until none is left or wanted, or the guard on actions and abilities."""
        self._begin_actions()
        n_taken = 0
        while n_taken < self.rules["max_actions"]:
            is_chaos = self.left == 0
            legal = self._legal_actions(is_chaos)
            self._note("turn ends unasked", legal == [STOP])
            if legal == [STOP]:
                break
            option = yield from self._choose("chaos_action" if is_chaos else "action", legal)
            if option == STOP:
                break
            n_taken += 1
            self._count("actions", self.active, DEEDS.get(option, "move"), is_chaos and option != ABILITY)
            if option == ABILITY:
                yield from self._use_ability()
                continue
            self._pay_for_action(is_chaos)
            yield from self._act(option, is_chaos)
        self.left, self.must_leave, self.ability_used = 0, False, False
        is_cut_short = n_taken == self.rules["max_actions"]
        self._note("turn ended by the guard on actions", is_cut_short)
        if not is_cut_short:
            self._count("actions", self.active, "stop", False)
        yield from self._next_and_check("stop")

    def _begin_actions(self) -> None:
        """A player beside the Great Old One in Phase One must use an action to move away (ambiguity 18)."""
        self.left, self.ability_used, self.n_extra = self.rules["actions"], False, 0
        is_beside = not self.is_phase_two and self.here == self.goo
        is_checked_early = self.rules["must_leave_checked"] == "turn-start"
        self.must_leave = is_beside and (self.was_beside or not is_checked_early)
        self._note("must leave the Great Old One", self.must_leave)
        self._note("Great Old One came in this turn, no need to leave", is_beside and not self.must_leave)
        self._note("Great Old One was here but has gone", self.was_beside and not is_beside)

    def _legal_actions(self, is_chaos: bool) -> list[int]:
        """What is legal; a further action costs a Chaos, and is legal if it is once the Chaos has been paid."""
        actions: list[int] = []
        if not is_chaos:
            actions = self._open_actions()
        elif self.chaos[self.active]:
            self._spend_chaos(1)
            actions = self._open_actions()
            self._spend_chaos(-1)
        if self.must_leave and (self.left <= 1 or self._ruling("must_leave") == "first-action"):
            self._note("must leave with the last action", self.left == 1)
            self._note("must leave with the first action", self.left == self.rules["actions"] > 1)
            actions = [option for option in actions if option in (*CLOCKWISE, *BACK)]
        if self._is_ability_open():
            actions.append(ABILITY)
        return actions if self.must_leave and actions else [*actions, STOP]

    def _open_actions(self) -> list[int]:
        """The actions that could be carried out."""
        return self._open_moves() + [
            option
            for option, is_open in (
                (COLLECT, bool(self._collectable())),
                (BANISH, any(self.shamblers[self.here])),
                (TOWN, self._is_town_action_open()),
                (TRANSLATE_PAGE, self._is_translatable()),
                (SEAL, bool(self._sealable())),
            )
            if is_open
        ]

    def _pay_for_action(self, is_chaos: bool) -> None:
        if not is_chaos:
            self.left -= 1
            return
        self._spend_chaos(1)
        self.counts[self.active]["n_extra"] += 1
        self.n_extra += 1
        self._note("two further actions in one turn", self.n_extra == 2)

    def _act(self, option: int, is_chaos: bool) -> Script[None]:
        """Carry out an action that has been paid for."""
        ways = {
            COLLECT: self._collect, TOWN: self._use_town_action, TRANSLATE_PAGE: self._translate, SEAL: self._seal,
        }  # fmt: skip
        if option == BANISH:
            yield from self._banish(0, "action", is_chaos)
        elif option in ways:
            yield from ways[option](is_chaos)
        else:
            yield from self._move(option + 1 if option in CLOCKWISE else -(option - 3), is_chaos)

    # Move

    def _way(self, steps: int) -> list[int]:
        """The towns moved past and stopped at; a negative number of steps is back."""
        sign = 1 if steps > 0 else -1
        return [(self.here + sign * k) % N_TOWNS for k in range(1, abs(steps) + 1)]

    def _open_moves(self) -> list[int]:
        """Up to 1 + Fear towns in either direction, not past or onto the Great Old One in Phase One (12, 19)."""
        distance = min(1 + self.temper[self.active][FEAR] + self._passive("steps"), MOST_STEPS)
        both_ways = (*range(1, distance + 1), *range(-1, -distance - 1, -1))
        open_moves = [steps for steps in both_ways if self.is_phase_two or self.goo not in self._way(steps)]
        if self.rules["move_distance"] == "exact":
            exact = [steps for steps in open_moves if abs(steps) == distance]
            self._note("the exact distance is not open", not exact)
            open_moves = exact or open_moves
        return [steps - 1 if steps > 0 else 3 - steps for steps in open_moves]

    def _move(self, steps: int, is_chaos: bool) -> Script[None]:
        """Move, flip a page, draw for the Shamblers where one stops (ambiguity 10)."""
        seat, way = self.active, self._way(steps)
        self._note("moved past the Great Old One in Phase Two", self.is_phase_two and self.goo in way[:-1])
        self._note("stopped beside the Great Old One in Phase Two", self.is_phase_two and self.goo == way[-1])
        self.at[seat] = way[-1]
        self.must_leave = False
        self.counts[seat]["n_moves"] += 1
        self.coverage["steps", steps] += 1
        yield from self._next_and_check("move", steps=steps, town=self.here, chaos=is_chaos)
        yield from self._flip(way)
        n_draws = sum(self.shamblers[self.here]) - self._passive("stop_draws")
        self._note("Shamblers passed by without a draw", n_draws <= 0 < sum(self.shamblers[self.here]))
        for n_drawn in range(n_draws):
            self._note("bag empty when stopping", n_drawn == 0 and not any(self.bag))
            self._note("bag runs empty when stopping", n_drawn > 0 and not any(self.bag))
            if any(self.bag):
                with self._under_way("stop"):
                    yield from self._draw_onto_mat(seat, "stop")

    def _flip(self, way: list[int]) -> Script[None]:
        """One page moved past or stopped next to may be revealed; as published only the one stopped next to."""
        at_stop_only = self._ruling("flip") == "stopped"
        down = self._face_down()
        flippable = [k for k, town in enumerate(way) if town in down and (k == len(way) - 1 or not at_stop_only)]
        told = way + [NOT_THERE] * (MOST_STEPS - len(way))
        k = yield from self._choose("flip", [*flippable, NO_FLIP], way=told)
        self._note("flip declined", k == NO_FLIP and bool(flippable))
        if k == NO_FLIP:
            return
        self._note("flipped a page moved past", k < len(way) - 1)
        self.face_up[way[k]] = self.known[way[k]] = True
        yield from self._next_and_check("flip", town=way[k], card=self.pages[way[k]])

    # Collect Tentacles

    def _collectable(self) -> list[int]:
        """Colours that lie here and fit; collecting cannot make a Temperament Track accursed."""
        temper, length = self.temper[self.active], self.rules["temperament_track"]
        return [c for c in MADNESS if self.madness[self.here][c] and temper[c] < length]

    def _collect(self, is_chaos: bool) -> Script[None]:
        """1 + Greed Madness Tentacles from here; how much Greed there is when the action begins."""
        seat = self.active
        self.counts[seat]["n_collects"] += 1
        most = 1 + self.temper[seat][GREED] + self._passive("collects")
        for n in range(most):
            colours = self._collectable()
            self._note("collecting ends for want of room or tentacles", n > 0 and not colours)
            offer = {"n_more": most - n}
            colour = yield from self._choose("collect", [*colours, *([STOP_COLLECTING] if n else [])], **offer)
            self._note("collecting stopped by choice", colour == STOP_COLLECTING and bool(colours))
            if colour == STOP_COLLECTING:
                return
            self.madness[self.here][colour] -= 1
            self.temper[seat][colour] += 1
            self.counts[seat]["n_collected"] += 1
            self._note("collected three or more", n == 2)
            yield from self._next_and_check("collect", colour=colour, chaos=is_chaos and n == 0)

    # Use a Town Action

    def _is_town_action_open(self) -> bool:
        effects = self.town_sides[self.sides[self.here]]["effects"]
        return self.rules["town_actions"] == "printed" and any(map(self._is_possible, effects))

    def _use_town_action(self, is_chaos: bool) -> Script[None]:
        """What is printed at the top of the town's side."""
        side = self.sides[self.here]
        self.counts[self.active]["n_towns"] += 1
        self.sides_used[self.active] |= 1 << side
        self.coverage["side", side] += 1
        with self._under_way("town action"):
            yield from self._next_and_check("town", side=side, chaos=is_chaos)
            yield from self._carry_out(self.town_sides[side]["effects"], "town")

    # Translate Pages

    def _numbers(self, card: int) -> list[int]:
        """The Necronomicon's rows that a card has a page for."""
        own, many = self.rules["pages"][card]["number"] - 1, self.rules["pages_per_card"]
        return [own, (own + 1) % N_ROWS] if many == "2" or (many == "1-2" and card % 2) else [own]

    def _cost(self, card: int) -> list[int]:
        """What a card costs, by colour."""
        paid = [colour_number(c) for c in self.rules["pages"][card]["cost"]][: self.rules["page_cost"]]
        return [paid.count(colour) for colour in MADNESS]

    def _lacks(self, cost: list[int]) -> list[int]:
        """How many tentacles of each colour the active seat lacks for a cost."""
        return [max(n - own, 0) for n, own in zip(cost, self.temper[self.active], strict=True)]

    def _is_translatable(self) -> bool:
        """A page here face up, one of its rows with a free space, payable with Chaos as wild (20, 21)."""
        card = self.pages[self.here]
        if card == NO_PAGE or not self.face_up[self.here]:
            return False
        has_space = any(self.rows[row] < ROW for row in self._numbers(card))
        self._note("card with every row full", not has_space)
        return has_space and sum(self._lacks(self._cost(card))) <= self.chaos[self.active]

    def _translate(self, is_chaos: bool) -> Script[None]:
        """Steps A to D, a new page, and the next phase after the last page of the Necronomicon."""
        seat, card = self.active, self.pages[self.here]
        paid = yield from self._pay_for_page(self._cost(card))
        n_lines = self._place_page_tokens(card)
        n_chaos = n_lines * self.rules["chaos_per_line"]
        self.lines -= n_chaos
        self.discard[CHAOS] += n_chaos
        for colour in self.rules["pages"][card]["runes"]:
            self.runes[seat][colour_number(colour)] += 1
        self.counts[seat]["n_translated"] += 1
        event = yield from self._next("translate", card=card, paid=paid, lines=n_lines, chaos=is_chaos)
        self._deal_page(self.here, event["state"]["pages"][self.here])
        self._check_state(event)
        if sum(self.rows) == N_ROWS * ROW:
            yield from self._begin_phase_two()

    def _pay_for_page(self, cost: list[int]) -> Script[list[int]]:
        """A. Madness to the Discard Mat; Chaos as wild to the supply, as much as is wanted, colour by colour."""
        paid, seat = [0, 0, 0], self.active
        for colour in MADNESS:
            if cost[colour]:
                still_lacking = sum(self._lacks(cost)[colour + 1 :])
                most = self.chaos[seat] - still_lacking
                paid[colour] = yield from self._choose_chaos(colour, cost[colour], most, TRANSLATE)
                self._note("chaos kept for a later colour", still_lacking > 0)
                self._spend(colour, cost[colour], paid[colour])
        self._note("page paid by chaos in part", 0 < sum(paid) < sum(cost))
        self._note("page paid by chaos only", 0 < sum(paid) == sum(cost))
        return paid

    def _place_page_tokens(self, card: int) -> int:
        """B. Left-most spaces of the card's rows that have space. C. The number of lines completed."""
        n_columns, rows = min(self.rows), self._numbers(card)
        open_rows = [row for row in rows if self.rows[row] < ROW]
        self._note("only the first of a card's pages placed", len(rows) == 2 and open_rows == rows[:1])
        self._note("only the second of a card's pages placed", len(rows) == 2 and open_rows == rows[1:])
        self._note("both of a card's pages placed", len(open_rows) == 2)
        for row in open_rows:
            self.rows[row] += 1
        n_rows_done = sum(self.rows[row] == ROW for row in open_rows)
        n_columns_done = min(self.rows) - n_columns
        self._note("row completed", n_rows_done > 0)
        self._note("two rows completed by one card", n_rows_done == 2)
        self._note("column completed", n_columns_done > 0)
        self._note("row and column completed by one card", n_rows_done > 0 and n_columns_done > 0)
        return n_rows_done + n_columns_done

    def _deal_page(self, town: int, card: int) -> None:
        """A page of the deck, face down; none if there is none (ambiguity 14)."""
        self._note("page deck empty", not self.deck)
        if not self.deck:
            card = NO_PAGE
        elif card not in self.deck:
            self._refuse(f"a page that is still in the deck, {sorted(self.deck)}", card)
        else:
            self.deck.remove(card)
            self.n_dealt += 1
        self.pages[town], self.face_up[town], self.known[town] = card, False, False

    def _begin_phase_two(self) -> Script[None]:
        """Flip the Great Old One Mat; all on the Discard Mat goes to the bag (ambiguity 6)."""
        self._note("phase changes in mid-turn", self.left > 0)
        self._note("must leave ended by the phase", self.must_leave)
        self._note("Eldritch of the Discard Mat goes to the bag at the flip", self.discard[ELDRITCH] > 0)
        self._note(f"Energy at the flip: {self.rules['energy_at_flip']}", self.energy > 0)
        self.coverage["phase", 2] += 1
        self.side, self.strength, self.must_leave = 1, 0, False
        self._empty_discard((*MADNESS, CHAOS, ELDRITCH))
        if self.rules["energy_at_flip"] == "bag":
            self._empty_energy()
        yield from self._next_and_check("phase")

    # Player Abilities

    def _own_effects(self) -> list[dict[str, Any]]:
        return list(self.rules["characters"][self.characters[self.active]].get("effects") or ())

    def _is_ability_open(self) -> bool:
        is_usable = self.rules["abilities"] == "printed" and not self.ability_used
        return is_usable and any(map(self._is_possible, self._own_effects()))

    def _use_ability(self) -> Script[None]:
        """Once a turn, without an action."""
        self.ability_used = True
        self._note("ability after the last action", self.left == 0)
        self._note("ability before leaving the Great Old One", self.must_leave)
        self.counts[self.active]["n_abilities"] += 1
        character = self.characters[self.active]
        self.coverage["character", character] += 1
        with self._under_way("ability"):
            yield from self._next_and_check("ability", character=character)
            yield from self._carry_out(self._own_effects(), "ability")
