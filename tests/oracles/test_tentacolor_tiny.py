"""The Tentacolor oracle itself: worked by hand, against every order of the box, and with wrong rules that must show."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from math import sqrt
from typing import Any

import pytest

from . import tentacolor_tiny as oracle
from .tentacolor_tiny import SETTINGS, by_setting, enumerated, exact


def named(settings: dict[str, Any], *quick: str) -> list[Any]:
    """The names as test parameters, all but the quick ones marked slow."""
    return [pytest.param(name, marks=() if name in quick else pytest.mark.slow) for name in settings]


# Worked by hand. Two colours make one pair, so every card extends the run, and with one encounter in six cards the k-th
# card placed is that one with probability 1/6.


def test_same_pair_first_player_completes_first() -> None:
    # 8 cards, 3 dealt: seat 0 places in turns 1, 3, 5 and completes the run of 3 in turn 5.
    outcome = exact(2, colours=2, copies=8, need=3)
    assert (outcome.win_share, outcome.turns, outcome.p_deck_out) == ([1, 0], {5: 1}, 0)


def test_same_pair_deck_out_is_shared() -> None:
    # 7 cards, 3 dealt: four turns, then seat 0 cannot draw; 2 against 2.
    outcome = exact(2, colours=2, copies=7, need=3)
    assert (outcome.win_share, outcome.turns, outcome.p_deck_out) == ([Fraction(1, 2)] * 2, {4: 1}, 1)


def test_same_pair_shark() -> None:
    # Seat 0 wins in turn 3 unless seat 1's first card was the shark (1/6): then 1 against 1 and no card left.
    # A shark in turn 1 finds nothing; a shark in turn 3 comes too late, the win is checked before the encounter.
    outcome = exact(2, colours=2, copies=6, need=2, sharks=1)
    assert outcome.win_share == [Fraction(11, 12), Fraction(1, 12)]
    assert (outcome.p_deck_out, outcome.mean_bitten, outcome.turns) == (Fraction(1, 6), Fraction(1, 6), {3: 1})


def test_same_pair_two_sharks_and_deck_out() -> None:
    # 9 cards, 3 dealt, run of 4 out of reach: three cards each, less the bites. A shark bites seat 0 as card 2, 4 or 6,
    # seat 1 as card 3 or 5, nobody as card 1 or left over. Of the 36 pairs of places, seat 0 is bitten less in
    # 2 x 4 + 1 = 9, seat 1 in 3 x 4 + 3 = 15, and 12 are ties.
    outcome = exact(2, colours=2, copies=9, need=4, sharks=2)
    assert outcome.win_share == [Fraction(9 + 6, 36), Fraction(15 + 6, 36)]
    assert (outcome.mean_bitten, outcome.p_deck_out, outcome.turns) == (Fraction(10, 9), 1, {6: 1})


def test_same_pair_rare_specimen() -> None:
    # The rare specimen in turn 1 or 2 (1/6 each) places a second card at once and wins; else seat 0 wins in turn 3.
    outcome = exact(2, colours=2, copies=6, need=2, rares=1)
    assert outcome.win_share == [Fraction(5, 6), Fraction(1, 6)]
    assert outcome.turns == {1: Fraction(1, 6), 2: Fraction(1, 6), 3: Fraction(2, 3)}
    assert outcome.mean_rare == Fraction(1, 3)


def test_same_pair_school() -> None:
    # Seat 0 wins in turn 3 anyway; the school takes effect if it is the first or second card placed (1/7 each). It
    # takes one card of the pile of 4, which leaves enough for three turns. As the third card it wins without effect.
    outcome = exact(2, colours=2, copies=7, need=2, schools=1)
    assert (outcome.win_share, outcome.turns, outcome.mean_swapped) == ([1, 0], {3: 1}, Fraction(2, 7))


@pytest.mark.parametrize(("copies", "turns", "p_deck_out"), [(8, 5, 0), (7, 5, 0), (6, 3, 1)])
def test_same_pair_expert_reveals_a_turn_later(copies: int, turns: int, p_deck_out: int) -> None:
    # Seat 0 is ready after turn 3 and reveals instead of turn 5, drawing nothing, so 4 cards to draw are enough;
    # with 3 the pile is empty in turn 4 and seat 0's run is the longer one.
    outcome = exact(2, colours=2, copies=copies, need=2, expert=True, extremities=[(0,), (1,), (0, 1)])
    assert (outcome.win_share, outcome.turns, outcome.p_deck_out) == ([1, 0], {turns: 1}, p_deck_out)


def test_box_spreads_encounters() -> None:
    box = oracle.build_box(5, 6, sharks=4, schools=4, rares=4)
    places = {kind: [i for i, card in enumerate(box) if card[2] == kind] for kind in ("shark", "school", "rare")}
    assert places == {"shark": [2, 17, 32, 47], "school": [7, 22, 37, 52], "rare": [11, 26, 41, 56]}
    # nine cards: 11 mod 9 is the shark's place, so the rare specimen moves on
    assert [card[2] for card in oracle.build_box(3, 3, 1, 1, 1)] == ["", "", "shark", "rare", "", "", "", "school", ""]


@pytest.mark.parametrize("wrong", [{"copies": 1}, {"sharks": 7}, {"expert": True, "extremities": [(0,)]}])
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="found"):
        exact(**{**oracle.setting(3, 3, 2, 3), **wrong})


# Against a referee that knows no positions: a box in order, a list per hand, and one choice after another.


def play(box: list[Any], choose: Callable[[int], int], rules: dict[str, Any]) -> tuple[list[int], int, Counter[str]]:
    """One game with the box in this order: winners, turns, events."""
    players, events = rules["players"], Counter[str]()
    cards = list(rules.get("extremities", []))
    wanted = [cards.pop(choose(len(cards))) for _ in range(players)] if cards else [range(rules["colours"])] * players
    pile = list(box)
    hands = [[pile.pop(0)] for _ in range(players)]
    hands[0].append(pile.pop(0))
    rows: list[list[Any]] = [[] for _ in range(players)]

    def run(seat: int) -> int:
        lengths = [0]
        for colour in wanted[seat]:
            n = 0
            while n < len(rows[seat]) and colour in rows[seat][-1 - n][:2]:
                n += 1
            lengths.append(n)
        return max(lengths)

    def place(seat: int) -> bool:
        hand, row = hands[seat], rows[seat]
        slots = list(range(len(hand)))
        if rules.get("forced_match") and row:
            slots = [i for i in slots if set(hand[i][:2]) & set(row[-1][:2])] or slots
        row.append(hand.pop(slots[choose(len(slots))]))
        if run(seat) >= rules["need"] and not rules.get("expert"):
            return True
        opponents = [other for other in range(players) if other != seat]
        bitable = [other for other in opponents if rows[other]]
        if row[-1][2] == "shark" and bitable:
            events["bitten"] += 1
            rows[bitable[choose(len(bitable))]].pop()
        elif row[-1][2] == "school" and pile:
            events["swapped"] += 1
            hands[opponents[choose(len(opponents))]][:] = [pile.pop(0)]
        elif row[-1][2] == "rare" and pile:
            events["rare"] += 1
            hand.append(pile.pop(0))
            return place(seat)
        return False

    turn = 0
    while True:
        seat = turn % players
        if rules.get("expert") and run(seat) >= rules["need"]:
            return [seat], turn + 1, events
        if not pile:
            events["deck_out"] += 1
            best = max(run(each) for each in range(players))
            return [each for each in range(players) if run(each) == best], turn, events
        hands[seat].append(pile.pop(0))
        turn += 1
        if place(seat):
            return [seat], turn, events
        hands[(seat + 1) % players].append(hands[seat].pop(choose(len(hands[seat]))))


def every_play(box: list[Any], rules: dict[str, Any]) -> Iterator[tuple[Fraction, Any]]:
    """Every sequence of choices with the box in this order, like an odometer: probability and result."""
    script: list[int] = []
    while True:
        made: list[tuple[int, int]] = []

        def choose(n_options: int, script: list[int] = script, made: list[tuple[int, int]] = made) -> int:
            made.append((script[len(made)] if len(made) < len(script) else 0, n_options))
            return made[-1][0]

        result = play(box, choose, rules)
        n_ways = 1
        for _, n_options in made:
            n_ways *= n_options
        yield Fraction(1, n_ways), result
        while made and made[-1][0] == made[-1][1] - 1:
            made.pop()
        if not made:
            return
        script = [pick for pick, _ in made]
        script[-1] += 1


def box_of(rules: dict[str, Any]) -> list[Any]:
    return oracle.build_box(*(rules.get(key, 0) for key in ("colours", "copies", "sharks", "schools", "rares")))


def summary(outcome: oracle.Outcome) -> dict[Any, Fraction]:
    """All numbers of an outcome, zeros left out; with at most one encounter of a kind each is a mean of [0, 1]."""
    numbers: dict[Any, Fraction] = {("wins", seat): share for seat, share in enumerate(outcome.win_share)}
    numbers |= {("turns", n): p for n, p in outcome.turns.items()} | {"deck_out": outcome.p_deck_out}
    numbers |= {"bitten": outcome.mean_bitten, "swapped": outcome.mean_swapped, "rare": outcome.mean_rare}
    return {key: number for key, number in numbers.items() if number}


def tally(plays: Iterator[tuple[Fraction, Any]]) -> dict[Any, Fraction]:
    """The same numbers from weighted games."""
    numbers: dict[Any, Fraction] = defaultdict(Fraction)
    for p, (winners, n_turns, events) in plays:
        numbers["turns", n_turns] += p
        for seat in winners:
            numbers["wins", seat] += p / len(winners)
        for event, n in events.items():
            numbers[event] += p * n
    return dict(numbers)


LITTLE: dict[str, dict[str, Any]] = {
    **{name: SETTINGS[name] for name in ("plain_2p_6", "encounters_2p_6", "encounters_3p_6", "forced_2p_6")},
    "expert": oracle.setting(2, 3, 2, 2, sharks=1, expert=True, extremities=[(0,), (1, 2)]),
    "expert_rare": oracle.setting(2, 3, 2, 2, rares=2, expert=True, extremities=[(0, 1), (0,)]),
}


@pytest.mark.parametrize("name", named(LITTLE, "plain_2p_6", "encounters_3p_6", "forced_2p_6"))
def test_every_order_and_every_choice(name: str) -> None:
    rules = LITTLE[name]
    orders = set(permutations(box_of(rules)))  # copies are alike, so all distinct orders are equally likely
    plays = ((p / len(orders), result) for order in orders for p, result in every_play(list(order), rules))
    assert tally(plays) == summary(exact(**rules))


@pytest.mark.parametrize("name", by_setting(["plain_2p_9", "encounters_2p_6", "forced_2p_6"]))
def test_larger_settings_against_random_games(name: str) -> None:
    rules, rng, n_games = SETTINGS[name], random.Random(20240), 10_000
    outcome = enumerated(name)
    assert sum(outcome.win_share) == sum(outcome.turns.values()) == 1
    box = box_of(rules)
    plays = ((Fraction(1, n_games), play(rng.sample(box, len(box)), rng.randrange, rules)) for _ in range(n_games))
    assert far_off(tally(plays), outcome, n_games) == []


def far_off(sampled: dict[Any, Fraction], outcome: oracle.Outcome, n_games: int) -> list[Any]:
    """Numbers more than 5 standard errors away; a variable in [0, 1] of mean m has variance at most m (1 - m)."""
    expected, far = summary(outcome), []
    for key in sampled.keys() | expected.keys():
        mean = float(expected.get(key, 0))
        if abs(float(sampled.get(key, 0)) - mean) > 5 * sqrt(mean * (1 - mean) / n_games) + 1e-12:
            far.append(key)
    return far


# Under free choice no decision looks at a card, so the cards placed are a shuffled row: no hands, no giving.


def row_wins(row: tuple[Any, ...], players: int, need: int) -> int | None:
    """The turn in which this row, placed round the table, completes a run."""
    for turn, card in enumerate(row, start=1):
        own = row[(turn - 1) % players : turn : players][-need:]
        if len(own) == need and any(all(colour in other for other in own) for colour in card):
            return turn
    return None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain_2p_9", "plain_2p_12", "plain_3p_12"])
def test_free_choice_is_a_shuffled_row(name: str) -> None:
    rules = SETTINGS[name]
    pairs, n_turns = [(0, 1), (0, 2), (1, 2)], 3 * rules["copies"] - rules["players"] - 1
    won: dict[int | None, Fraction] = defaultdict(Fraction)
    for row in product(pairs, repeat=n_turns):
        p = Fraction(1)
        for i, pair in enumerate(row):
            p *= Fraction(rules["copies"] - row[:i].count(pair), 3 * rules["copies"] - i)
        won[row_wins(row, rules["players"], rules["need"])] += p
    outcome = exact(**rules)
    assert outcome.p_deck_out == won.pop(None, 0)
    assert outcome.turns.get(n_turns, 0) == won.pop(n_turns, 0) + outcome.p_deck_out
    assert {n: p for n, p in outcome.turns.items() if n < n_turns} == {n: p for n, p in won.items() if p}


# Negative controls: a wrong rule must change the numbers (or must not, where the setting is blind to it).


def test_distinct_cards_instead_of_slots_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    right = exact(**SETTINGS["plain_2p_9"])
    monkeypatch.setattr(oracle, "legal_cards", lambda game, hand, tentacle: sorted(set(hand)))
    assert summary(exact(**SETTINGS["plain_2p_9"])) != summary(right)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "shows"),
    [
        pytest.param(oracle.setting(3, 5, 1, 2, forced_match=True), True, marks=pytest.mark.slow, id="forced"),
        pytest.param(oracle.setting(3, 3, 4, 3), False, id="free"),
    ],
)
def test_giving_to_the_right_shows_only_in_forced_match(
    monkeypatch: pytest.MonkeyPatch, rules: dict[str, Any], shows: bool
) -> None:
    right = exact(**rules)
    monkeypatch.setattr(oracle, "left_of", lambda seat, players: (seat - 1) % players)
    assert (summary(exact(**rules)) != summary(right)) is shows


def test_random_games_by_other_rules_are_far_off() -> None:
    rules, rng, n_games = SETTINGS["forced_2p_6"], random.Random(7), 20_000
    box, wrong = box_of(rules), {**rules, "forced_match": False}
    plays = ((Fraction(1, n_games), play(rng.sample(box, len(box)), rng.randrange, wrong)) for _ in range(n_games))
    assert far_off(tally(plays), exact(**rules), n_games)
