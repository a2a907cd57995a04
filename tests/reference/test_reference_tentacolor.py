"""The Tentacolor reference against hand-written traces, an independent self-player, and spoilt traces."""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from .tentacolor import CASES, Mismatch, Reference, box_cards, replay

TRIPLES = [(0, 1, 2), (0, 2, 3), (1, 3, 4), (0, 3, 4)]
BOX: dict[str, Any] = {
    "colours": 5, "copies": 6, "run": 5, "run_two_players": 6, "sharks": 4, "schools": 4, "rares": 4,
    "carriers": "spread", "expert": False, "extremities": TRIPLES, "forced_match": False, "deck_out": "longest-run",
    "rare_at_deck_out": "no-effect", "max_rounds": 100,
}  # fmt: skip
SMALL = BOX | {"colours": 3, "copies": 2, "run": 2, "run_two_players": 2, "sharks": 0, "schools": 0, "rares": 0}
A, B, C = ((0, 1), None), ((0, 2), None), ((1, 2), None)  # plain cards of the three-colour box
A_SHARK, B_SCHOOL = ((0, 1), "shark"), ((0, 2), "school")


# Hand-written traces: two seats, states written out by hand


def event(kind: str, turn: int, tips: list, hands: list, pile: int, boxed: int, seen: dict, /, **fields: Any) -> dict:
    state = {"tips": tips, "hands": hands, "pile": pile, "boxed": boxed, "seen": seen, "extremities": None}
    return {"event": kind, "seat": turn % 2, "turn": turn, **fields, "state": state}


def decision(what: str, turn: int, choice: int, cards: list | None, legal: list, *state: Any) -> dict:
    fields = {"decision": what, "choice": choice, "legal": legal} | ({} if cards is None else {"cards": cards})
    return event("decision", turn, *state, **fields)


def end(turn: int, *state: Any, **fields: Any) -> dict:
    figures = {"n_bitten": 0, "n_swapped": 0, "n_rare": 0}
    return event("end", turn, *state, **(figures | fields))


def win_trace() -> list[dict]:
    """Seat 0 places 0/1 twice: a run of two in both colours, and wins on its second turn."""
    won = [[(0, 2), (1, 2)], [(1, 1), (2, 1)]]
    return [
        event("deal", 0, [None, None], [[A, B], [C]], 3, 0, {}, hands=[A, C], passed=B, extremities=None),
        event("draw", 0, [None, None], [[A, A, B], [C]], 2, 0, {}, card=A),
        decision("place", 0, 0, [A, B, A], [True] * 3, [[(0, 1), (1, 1)], None], [[A, B], [C]], 2, 0, {(0, 1): 1}),
        decision("give", 0, 0, [B, A], [True] * 2, [[(0, 1), (1, 1)], None], [[A], [C, B]], 2, 0, {(0, 1): 1}),
        event("draw", 1, [[(0, 1), (1, 1)], None], [[A], [C, B, C]], 1, 0, {(0, 1): 1}, card=C),
        decision("place", 1, 2, [B, C, C], [True] * 3,
                 [[(0, 1), (1, 1)], [(1, 1), (2, 1)]], [[A], [C, B]], 1, 0, {(0, 1): 1, (1, 2): 1, (0, 2): 0}),
        decision("give", 1, 1, [C, B], [True] * 2,
                 [[(0, 1), (1, 1)], [(1, 1), (2, 1)]], [[A, B], [C]], 1, 0, {(0, 1): 1, (1, 2): 1}),
        event("draw", 2, [[(0, 1), (1, 1)], [(1, 1), (2, 1)]], [[A, B, B], [C]], 0, 0, {(0, 1): 1, (1, 2): 1}, card=B),
        decision("place", 2, 0, [A, B, B], [True] * 3, won, [[B, B], [C]], 0, 0, {(0, 1): 2, (1, 2): 1}),
        end(2, won, [[B, B], [C]], 0, 0, {(0, 1): 2, (1, 2): 1},
            cause="run-complete", winners=[0], n_turns=3, scores=[2, 1], ranks=[1, 2], winning_run=2),
    ]  # fmt: skip


SHARK = SMALL | {"copies": 3, "run_two_players": 4, "sharks": 1, "carriers": "random"}


def shark_trace() -> list[dict]:
    """Seat 0 has 0/1, 0/1 (a run of two in 0 and 1); seat 1's second card is the shark that bites the last of them."""
    one, two, blue = [(0, 1), (1, 1)], [(0, 2), (1, 2)], [(1, 1), (2, 1)]
    seen = {(0, 1): 2, (1, 2): 1}
    return [
        event("deal", 0, [None, None], [[A, B], [C]], 6, 0, {}, hands=[A, C], passed=B, extremities=None),
        event("draw", 0, [None, None], [[A, A, B], [C]], 5, 0, {}, card=A),
        decision("place", 0, 0, [A, B, A], [True] * 3, [one, None], [[A, B], [C]], 5, 0, {(0, 1): 1}),
        decision("give", 0, 0, [B, A], [True] * 2, [one, None], [[A], [C, B]], 5, 0, {(0, 1): 1}),
        event("draw", 1, [one, None], [[A], [C, B, C]], 4, 0, {(0, 1): 1}, card=C),
        decision("place", 1, 2, [B, C, C], [True] * 3, [one, blue], [[A], [C, B]], 4, 0, {(0, 1): 1, (1, 2): 1}),
        decision("give", 1, 1, [C, B], [True] * 2, [one, blue], [[A, B], [C]], 4, 0, {(0, 1): 1, (1, 2): 1}),
        event("draw", 2, [one, blue], [[A, B, B], [C]], 3, 0, {(0, 1): 1, (1, 2): 1}, card=B),
        decision("place", 2, 0, [A, B, B], [True] * 3, [two, blue], [[B, B], [C]], 3, 0, seen),
        decision("give", 2, 0, [B, B], [True] * 2, [two, blue], [[B], [C, B]], 3, 0, seen),
        event("draw", 3, [two, blue], [[B], [C, B, A_SHARK]], 2, 0, seen, card=A_SHARK),
        decision("place", 3, 0, [A_SHARK, B, C], [True] * 3, [two, [(0, 1), (1, 2)]], [[B], [C, B]], 2, 0,
                 {(0, 1): 3, (1, 2): 1}),
        decision("shark", 3, 0, None, [True], [one, [(0, 1), (1, 2)]], [[B], [C, B]], 2, 1, {(0, 1): 3, (1, 2): 1}),
    ]  # fmt: skip


def apply_all(reference: Reference, events: list[dict]) -> Reference:
    for one in events:
        reference.apply(one)
    return reference


def test_a_won_game_is_followed_to_its_end() -> None:
    reference = replay(2, SMALL, win_trace())
    assert reference.finished
    assert reference.coverage["cause", "run-complete"] == 1
    assert reference.coverage["option", "place", 0] == 2
    assert reference.coverage["option", "place", 2] == 1


def test_a_shark_takes_the_last_card_and_the_run_is_counted_again() -> None:
    assert apply_all(Reference(2, SHARK), shark_trace()).n_bitten == 1


def refused(events: list[dict], match: str, rules: dict = SMALL) -> None:
    with pytest.raises(Mismatch, match=match):
        replay(2, rules, events)


def test_a_wrong_run_after_a_shark_is_refused() -> None:
    events = shark_trace()
    events[-1]["state"]["tips"][0] = [(0, 2), (1, 2)]
    refused(events, r"event 12 \(decision, turn 3, seat 1\): expected state tip of seat 0 \[\(0, 1\), ", SHARK)


def test_an_illegal_card_is_refused() -> None:
    rules = SMALL | {"forced_match": True, "colours": 4, "copies": 1, "run_two_players": 3}
    d, e, f = ((2, 3), None), ((0, 3), None), ((1, 3), None)
    one, two = [(0, 1), (1, 1)], [(0, 1), (2, 1)]
    events = [
        event("deal", 0, [None, None], [[A, d], [C]], 3, 0, {}, hands=[A, C], passed=d, extremities=None),
        event("draw", 0, [None, None], [[A, d, B], [C]], 2, 0, {}, card=B),
        decision("place", 0, 0, [A, d, B], [True] * 3, [one, None], [[B, d], [C]], 2, 0, {(0, 1): 1}),
        decision("give", 0, 0, [B, d], [True] * 2, [one, None], [[d], [C, B]], 2, 0, {(0, 1): 1}),
        event("draw", 1, [one, None], [[d], [C, B, e]], 1, 0, {(0, 1): 1}, card=e),
        decision("place", 1, 1, [C, B, e], [True] * 3, [one, two], [[d], [C, e]], 1, 0, {(0, 1): 1, (0, 2): 1}),
        decision("give", 1, 0, [C, e], [True] * 2, [one, two], [[d, C], [e]], 1, 0, {(0, 1): 1, (0, 2): 1}),
        event("draw", 2, [one, two], [[d, C, f], [e]], 0, 0, {(0, 1): 1, (0, 2): 1}, card=f),
    ]
    seen = {(0, 1): 1, (0, 2): 1, (2, 3): 1}
    hand, table = [d, C, f], ([[(2, 1), (3, 1)], two], [[C, f], [e]], 0, 0, seen)
    refused([*events, decision("place", 2, 0, hand, [True] * 3, *table)], r"legal \[False, True, True\]", rules)
    refused([*events, decision("place", 2, 0, hand, [False, True, True], *table)], "a choice among the legal", rules)


@pytest.mark.parametrize("rules", [BOX, BOX | {"carriers": "random", "copies": 5, "sharks": 0}])
def test_a_card_too_many_is_refused(rules: dict) -> None:
    """Of the six 0/1 cards the third carries a shark, so that there are five plain ones; five of five at random."""
    reference = Reference(4, rules)
    n_cards = len(box_cards(rules))
    table = {"tips": [None] * 4, "pile": n_cards - 5, "boxed": 0, "seen": {}, "extremities": None}
    state = table | {"hands": [[A, A], [A], [A], [A]]}
    deal = {"event": "deal", "seat": 0, "turn": 0, "hands": [A] * 4, "passed": A, "extremities": None, "state": state}
    reference.apply(deal)
    with pytest.raises(Mismatch, match="can still be in the pile"):
        reference.apply({"event": "draw", "seat": 0, "turn": 0, "card": A, "state": state})
    with pytest.raises(Mismatch, match="nothing after a mismatch"):
        reference.apply(deal)


@pytest.mark.parametrize(
    ("at", "change", "match"),
    [
        (-1, {"winners": [1]}, r"winners \[0\]; found \[1\]"),
        (-1, {"n_turns": 2}, "n_turns 3"),
        (-1, {"ranks": [1, 1]}, "ranks"),
        (-1, {"cause": "deck-out"}, "cause"),
        (-1, {"turn": 3, "seat": 1}, "turn 2 of seat 0"),
        (1, {"card": ((0, 1), "shark")}, "can still be in the pile"),
        (1, {"card": (0, 1)}, "agreed form"),
        (2, {"cards": [A, B, None]}, "the hand"),
        (2, {"choice": 3}, "a choice among"),
        (2, {"choice": -1}, "a choice among"),
        (3, {"decision": "place"}, "decision 'give'"),
        (0, {"extremities": TRIPLES[:2]}, "extremities None"),
    ],
)
def test_a_changed_field_is_refused(at: int, change: dict, match: str) -> None:
    events = win_trace()
    events[at] |= change
    refused(events, match)


def test_a_game_that_stops_short_or_goes_on_is_refused() -> None:
    refused(win_trace()[:-1], "must go on to its end")
    refused([*win_trace(), win_trace()[-1]], "nothing after the end")
    refused(win_trace()[:3] + win_trace()[4:], "event 'decision'")


def test_a_discard_is_reshuffled_before_the_victim_draws() -> None:
    """Six different cards: the pile is empty when the school swims, and the box holds one bitten card."""
    rules = SHARK | {"colours": 4, "copies": 1, "schools": 1, "deck_out": "reshuffle"}
    d, e, f = ((0, 3), None), ((1, 3), None), ((2, 3), None)
    shark = [(0, 1), (1, 1)]
    events = [
        event("deal", 0, [None, None], [[d, e], [A_SHARK]], 3, 0, {}, hands=[d, A_SHARK], passed=e, extremities=None),
        event("draw", 0, [None, None], [[d, e, f], [A_SHARK]], 2, 0, {}, card=f),
        decision("place", 0, 0, [d, e, f], [True] * 3, [[(0, 1), (3, 1)], None], [[e, f], [A_SHARK]], 2, 0,
                 {(0, 3): 1}),
        decision("give", 0, 1, [e, f], [True] * 2, [[(0, 1), (3, 1)], None], [[e], [A_SHARK, f]], 2, 0, {(0, 3): 1}),
        event("draw", 1, [[(0, 1), (3, 1)], None], [[e], [A_SHARK, f, C]], 1, 0, {(0, 3): 1}, card=C),
        decision("place", 1, 0, [A_SHARK, f, C], [True] * 3, [[(0, 1), (3, 1)], shark], [[e], [f, C]], 1, 0,
                 {(0, 3): 1, (0, 1): 1}),
        decision("shark", 1, 0, None, [True], [None, shark], [[e], [f, C]], 1, 1, {(0, 3): 1, (0, 1): 1}),
        decision("give", 1, 0, [f, C], [True] * 2, [None, shark], [[e, f], [C]], 1, 1, {(0, 3): 1, (0, 1): 1}),
        event("draw", 2, [None, shark], [[e, f, B_SCHOOL], [C]], 0, 1, {(0, 3): 1, (0, 1): 1}, card=B_SCHOOL),
        decision("place", 2, 2, [e, f, B_SCHOOL], [True] * 3, [[(0, 1), (2, 1)], shark], [[e, f], [C]], 0, 1,
                 {(0, 3): 1, (0, 1): 1, (0, 2): 1}),
        decision("school", 2, 0, None, [True], [[(0, 1), (2, 1)], shark], [[e, f], [C]], 0, 1,
                 {(0, 3): 1, (0, 1): 1, (0, 2): 1}),
        event("reshuffle", 2, [[(0, 1), (2, 1)], shark], [[e, f], []], 2, 0, {(0, 1): 1, (0, 2): 1}),
        event("school", 2, [[(0, 1), (2, 1)], shark], [[e, f], [C]], 1, 0, {(0, 1): 1, (0, 2): 1},
              victim=1, discarded=C, drawn=C),
    ]  # fmt: skip
    assert apply_all(Reference(2, rules), events).n_swapped == 1
    refused([*events[:-2], events[-1]], "event 'reshuffle'", rules)
    events[-1]["drawn"] = e
    refused(events, "can still be in the pile", rules)


def in_expert(events: list[dict]) -> list[dict]:
    """The same trace with the only Extremity card of three colours in front of both seats."""
    for one in events:
        one["state"]["extremities"] = [(0, 1, 2)] * 2
    return [events[0] | {"extremities": [(0, 1, 2)] * 2}, *events[1:]]


EXPERT = SHARK | {"expert": True, "run_two_players": 2, "extremities": [(0, 1, 2)] * 4}


def test_in_expert_a_shark_breaks_a_ready_run_and_the_game_goes_on() -> None:
    table = [[(0, 1), (1, 1)], [(0, 1), (1, 2)]], [[B, B], [C]], 2, 1, {(0, 1): 3, (1, 2): 1}
    give = decision("give", 3, 0, [B, C], [True] * 2, *table)
    events = in_expert([*shark_trace(), give, event("reveal", 4, *table)])
    reference = apply_all(Reference(2, EXPERT), events[:-1])
    assert reference.coverage["case", "expert run broken by a shark"] == 1
    refused(events, "event 'draw'; found 'reveal'", EXPERT)


def test_in_expert_the_first_ready_seat_reveals_on_its_next_turn() -> None:
    """Without the shark both seats have a run of two when seat 0 is on turn again."""
    tips, seen = [[(0, 2), (1, 2)], [(0, 1), (2, 2)]], {(0, 1): 2, (1, 2): 1, (0, 2): 1}
    table = tips, [[B, C], [A_SHARK]], 2, 0, seen
    events = [
        *shark_trace()[:-2],
        decision("place", 3, 1, [A_SHARK, B, C], [True] * 3, tips, [[B], [A_SHARK, C]], 2, 0, seen),
        decision("give", 3, 1, [A_SHARK, C], [True] * 2, *table),
        event("reveal", 4, *table),
        end(4, *table, cause="run-complete", winners=[0], n_turns=5, scores=[2, 2], ranks=[1, 2], winning_run=2),
    ]
    assert replay(2, EXPERT, in_expert(events)).coverage["case", "expert two seats ready"] == 1
    refused(in_expert([*events[:-2], events[-1]]), "event 'reveal'; found 'end'", EXPERT)


def test_an_extremity_card_dealt_twice_is_refused() -> None:
    rules = EXPERT | {"colours": 5, "extremities": TRIPLES}
    refused([shark_trace()[0] | {"extremities": [(0, 1, 2)] * 2}], "one Extremity card a seat", rules)
    refused([shark_trace()[0] | {"extremities": TRIPLES[:1]}], "one Extremity card a seat", rules)


def test_at_deck_out_the_longest_run_wins_and_ties_share() -> None:
    """Six different cards, three turns: both tentacles end with a run of one."""
    rules = SMALL | {"colours": 4, "copies": 1}
    d, e, f = ((0, 3), None), ((1, 3), None), ((2, 3), None)
    one, two, three = [(0, 1), (1, 1)], [(0, 1), (2, 1)], [(2, 1), (3, 1)]
    seen = {(0, 1): 1, (0, 2): 1}
    table = [three, two], [[d], [C, e]], 0, 0, seen | {(2, 3): 1}
    events = [
        event("deal", 0, [None, None], [[A, d], [B]], 3, 0, {}, hands=[A, B], passed=d, extremities=None),
        event("draw", 0, [None, None], [[A, d, C], [B]], 2, 0, {}, card=C),
        decision("place", 0, 0, [A, d, C], [True] * 3, [one, None], [[d, C], [B]], 2, 0, {(0, 1): 1}),
        decision("give", 0, 1, [d, C], [True] * 2, [one, None], [[d], [B, C]], 2, 0, {(0, 1): 1}),
        event("draw", 1, [one, None], [[d], [B, C, f]], 1, 0, {(0, 1): 1}, card=f),
        decision("place", 1, 0, [B, C, f], [True] * 3, [one, two], [[d], [C, f]], 1, 0, seen),
        decision("give", 1, 1, [C, f], [True] * 2, [one, two], [[d, f], [C]], 1, 0, seen),
        event("draw", 2, [one, two], [[d, f, e], [C]], 0, 0, seen, card=e),
        decision("place", 2, 1, [d, f, e], [True] * 3, [three, two], [[d, e], [C]], 0, 0, table[-1]),
        decision("give", 2, 1, [d, e], [True] * 2, *table),
        end(3, *table, cause="deck-out", winners=[0, 1], n_turns=3, scores=[1, 1], ranks=[1, 1], winning_run=1),
    ]
    assert replay(2, rules, events).coverage["case", "shared win"] == 1
    events[-1] |= {"winners": [0], "ranks": [1, 2]}
    refused(events, r"winners \[0, 1\]; found \[0\]", rules)


def test_the_encounters_lie_where_ambiguity_14_puts_them() -> None:
    at = {kind: [i for i, card in enumerate(box_cards(BOX)) if card[1] == kind] for kind in ("shark", "school", "rare")}
    assert at == {"shark": [2, 17, 32, 47], "school": [7, 22, 37, 52], "rare": [11, 26, 41, 56]}
    kinds = [kind for _, kind in box_cards(SMALL | {"sharks": 2, "schools": 1, "rares": 1})]
    assert kinds == ["rare", "school", "shark", None, None, "shark"]  # the rare's place 11 mod 6 = 5 is taken: on to 0


def test_rules_that_cannot_be_played_are_refused() -> None:
    for change in ({"carriers": "even"}, {"sharks": 99}, {"expert": True, "extremities": []}, {"copies": 0}):
        with pytest.raises(ValueError, match=r"must be given|needs an Extremity|a box for the deal"):
            Reference(2, BOX | change)


# Self-play: an independent, imperative game that writes traces


class Over(Exception):  # noqa: N818
    """The self-played game has ended."""


class SelfPlay:
    """One game at random, or greedy for long runs; `events` is its trace."""

    def __init__(self, players: int, rules: dict, rng: random.Random) -> None:
        self.n, self.rules, self.rng, self.greed = players, rules, rng, rng.choice([0.0, 0.9])
        self.pile = box_cards(rules)
        if rules["carriers"] == "random":
            kinds = [kind for _, kind in self.pile]
            rng.shuffle(kinds)
            self.pile = [(pair, kind) for (pair, _), kind in zip(self.pile, kinds, strict=True)]
        rng.shuffle(self.pile)
        self.need = rules["run_two_players"] if players == 2 else rules["run"]
        self.box: list = []
        self.hands: list = [[self.pile.pop()] for _ in range(players)]
        self.tentacles: list = [[] for _ in range(players)]
        self.extremities = rng.sample(rules["extremities"], players) if rules["expert"] else None
        self.turn = 0
        self.events: list[dict] = []
        self.tally: Counter[str] = Counter()
        firsts = [hand[0] for hand in self.hands]
        self.hands[0].append(self.pile.pop())
        self.log("deal", hands=firsts, passed=self.hands[0][1], extremities=self.extremities)
        try:
            while self.turn < rules["max_rounds"] * players:
                self.one_turn(self.turn % players)
                self.turn += 1
            self.end("unfinished", [], self.turn)
        except Over:
            pass

    def run(self, seat: int, colours: Any) -> int:
        best, cards = 0, self.tentacles[seat]
        for colour in colours:
            shown = "".join("x" if colour in pair else " " for pair, _ in cards)
            best = max(best, len(shown) - len(shown.rstrip("x")))
        return best

    def score(self, seat: int) -> int:
        return self.run(seat, self.extremities[seat] if self.extremities else range(6))

    def log(self, kind: str, **fields: Any) -> None:
        tips = [[(c, self.run(s, [c])) for c in t[-1][0]] if t else None for s, t in enumerate(self.tentacles)]
        seen = Counter(card[0] for cards in [self.box, *self.tentacles] for card in cards)
        seen.update(dict.fromkeys(combinations(range(3), 2), 0))  # zero counts may be given
        state = {"tips": tips, "hands": [self.rng.sample(hand, len(hand)) for hand in self.hands]}
        state |= {"pile": len(self.pile), "boxed": len(self.box), "seen": dict(seen), "extremities": self.extremities}
        self.events.append({"event": kind, "seat": self.turn % self.n, "turn": self.turn, **fields, "state": state})

    def end(self, cause: str, winners: list, n_turns: int) -> None:
        scores = [self.score(seat) for seat in range(self.n)]
        order = sorted((seat not in winners, -scores[seat]) for seat in range(self.n))
        ranks = [1 + order.index((seat not in winners, -scores[seat])) for seat in range(self.n)]
        figures: dict = {name: self.tally[name] for name in ("n_bitten", "n_swapped", "n_rare")}
        figures |= {"scores": scores, "ranks": ranks, "winning_run": scores[winners[0]] if winners else 0}
        self.log("end", cause=cause, winners=winners, n_turns=n_turns, **figures)
        raise Over

    def refill(self) -> bool:
        if not self.pile and self.box and self.rules["deck_out"] == "reshuffle":
            self.pile, self.box = self.box, []
            self.rng.shuffle(self.pile)
            self.log("reshuffle")
        return bool(self.pile)

    def one_turn(self, me: int) -> None:
        if self.rules["expert"] and self.score(me) >= self.need:
            self.log("reveal")
            self.end("run-complete", [me], self.turn + 1)
        if not self.refill():
            best = max(self.score(seat) for seat in range(self.n))
            self.end("deck-out", [seat for seat in range(self.n) if self.score(seat) == best], self.turn)
        self.hands[me].append(self.pile.pop())
        self.log("draw", card=self.hands[me][-1])
        self.place(me, "place")
        self.pick(me, "give", 2, self.hands[(me + 1) % self.n])

    def pick(self, me: int, what: str, n_slots: int, goal: list) -> Any:
        hand = self.hands[me]
        cards = self.rng.sample(hand + [None] * (n_slots - len(hand)), n_slots)
        legal = [card is not None for card in cards]
        last = self.tentacles[me][-1][0] if self.tentacles[me] and what != "give" else None
        fits = [bool(card and last and set(card[0]) & set(last)) for card in cards]
        if self.rules["forced_match"] and True in fits:
            legal = fits
        allowed = [i for i in range(n_slots) if legal[i]]
        choice = self.rng.choice(allowed)
        if what != "give" and self.rng.random() < self.greed:
            choice = max(allowed, key=lambda i: max(self.run(me, [c]) * (c in (last or ())) for c in cards[i][0]))
        hand.remove(cards[choice])
        goal.append(cards[choice])
        self.log("decision", decision=what, cards=cards, legal=legal, choice=choice)
        return cards[choice]

    def place(self, me: int, what: str) -> None:
        self.tally["n_rare"] += what == "rare"
        _, kind = self.pick(me, what, 3, self.tentacles[me])
        if not self.rules["expert"] and self.score(me) >= self.need:
            self.end("run-complete", [me], self.turn + 1)
        others = [(me + 1 + i) % self.n for i in range(self.n - 1)]
        if kind == "shark" and any(self.tentacles[seat] for seat in others):
            legal = [len(self.tentacles[seat]) > 0 for seat in others]
            choice = self.rng.choice([i for i, is_open in enumerate(legal) if is_open])
            self.box.append(self.tentacles[others[choice]].pop())
            self.tally["n_bitten"] += 1
            self.log("decision", decision="shark", legal=legal, choice=choice)
        elif kind == "school" and (self.pile or (self.box and self.rules["deck_out"] == "reshuffle")):
            choice = self.rng.randrange(len(others))
            self.log("decision", decision="school", legal=[True] * len(others), choice=choice)
            hand = self.hands[others[choice]]
            self.box.append(hand.pop())
            discarded = self.box[-1]
            self.refill()
            hand.append(self.pile.pop())
            self.tally["n_swapped"] += 1
            self.log("school", victim=others[choice], discarded=discarded, drawn=hand[0])
        elif kind == "rare":
            self.rare(me)

    def rare(self, me: int) -> None:
        if self.refill():
            self.hands[me].append(self.pile.pop())
            self.log("rare", card=self.hands[me][-1])
        elif self.rules["rare_at_deck_out"] == "no-effect" or len(self.hands[me]) < 2:
            return
        else:
            self.log("rare", card=None)
        self.place(me, "rare")


def random_rules(rng: random.Random) -> tuple[int, dict]:
    """Seats and rules at random, from tiny boxes full of encounters to the box as it is sold."""
    players, colours = rng.choice([2, 3, 4]), rng.choice([3, 3, 4, 5, 6])
    copies = rng.choice([c for c in (1, 2, 4, 6) if c * colours * (colours - 1) // 2 > players])
    n_cards = copies * colours * (colours - 1) // 2
    counts = {key: rng.randint(0, n_cards // rng.choice([3, 8])) for key in ("sharks", "schools", "rares")}
    rules: dict = counts | {"colours": colours, "copies": copies, "max_rounds": rng.choice([3, 8, 100, 100])}
    rules |= {"run": rng.choice([2, 3, 4, 5]), "carriers": rng.choice(["spread", "random"])}
    rules |= {"run_two_players": rules["run"] + rng.choice([0, 1, 9]), "expert": rng.random() < 0.5}
    rules |= {"forced_match": rng.random() < 0.5, "deck_out": rng.choice(["longest-run", "reshuffle"])}
    rules["rare_at_deck_out"] = rng.choice(["no-effect", "play-one"])
    if rng.random() < 0.2:  # boxes that are dealt out again and again, so that hands run empty
        rules |= {"sharks": n_cards // 2, "rares": n_cards // 3, "schools": 0, "deck_out": "reshuffle"}
        rules |= {"rare_at_deck_out": "play-one", "run": 5, "run_two_players": 9}
    return players, rules | {"extremities": [tuple(sorted(rng.sample(range(colours), 3))) for _ in range(4)]}


@pytest.mark.slow
def test_self_played_games_are_accepted_and_reach_every_case() -> None:
    coverage: Counter = Counter()
    for seed in range(1500):
        rng = random.Random(seed)
        players, rules = random_rules(rng)
        coverage += replay(players, rules, SelfPlay(players, rules, rng).events).coverage
    wanted: set = {("case", case) for case in CASES}
    wanted |= {("cause", cause) for cause in ("run-complete", "deck-out", "unfinished")}
    wanted |= {("event", e) for e in ("deal", "reveal", "reshuffle", "draw", "decision", "school", "rare", "end")}
    for what, n_options in {"place": 3, "rare": 3, "give": 2, "shark": 3, "school": 3}.items():
        wanted |= {("decision", what), *(("option", what, i) for i in range(n_options))}
    assert wanted - set(coverage) == set()
    assert {key for key in coverage if key[0] in ("case", "cause", "event", "decision", "option")} == wanted


def more(d: dict, key: Any) -> None:
    d[key] += 1


SPOILS: dict[str, Any] = {  # one thing wrong in an event of any kind, in a decision, at the end
    "pile": (None, lambda e: more(e["state"], "pile")),
    "boxed": (None, lambda e: more(e["state"], "boxed")),
    "seen": (None, lambda e: more(e["state"]["seen"], (0, 1))),
    "hand": (None, lambda e: e["state"]["hands"][0].append(A)),
    "tip": (None, lambda e: e["state"]["tips"].__setitem__(-1, [(0, 99), (1, 99)])),
    "extremities": (None, lambda e: e["state"].update(extremities=[(0, 0, 0)])),
    "seat": (None, lambda e: more(e, "seat")),
    "event": (None, lambda e: e.update(event="pass")),
    "legal": ("decision", lambda e: e["legal"].__setitem__(0, not e["legal"][0])),
    "choice": ("decision", lambda e: e.update(choice=len(e["legal"]))),
    "drawn card": ("draw", lambda e: e.update(card=((0, 1), "whale"))),
    **{key: ("end", lambda e, key=key: more(e, key)) for key in ("n_turns", "n_bitten", "n_swapped", "n_rare")},
    **{key: ("end", lambda e, key=key: e[key].append(1)) for key in ("winners", "scores", "ranks")},
}


def test_spoilt_games_are_refused() -> None:
    for seed in range(150):
        rng = random.Random(seed)
        players, rules = random_rules(rng)
        events = SelfPlay(players, rules, rng).events
        at = rng.randrange(len(events))
        traces = {"lack": events[:at] + events[at + 1 :], "repetition": events[: at + 1] + events[at:]}
        for name, (kind, spoil) in SPOILS.items():
            places = [i for i, e in enumerate(events) if e["event"] == (kind or e["event"])]
            if places:
                at, traces[name] = rng.choice(places), list(events)
                traces[name][at] = copy.deepcopy(events[at])
                spoil(traces[name][at])
        for name, trace in traces.items():
            try:
                replay(players, rules, trace)
            except Mismatch:
                continue
            pytest.fail(f"seed {seed}: a trace with a wrong {name} was accepted")
