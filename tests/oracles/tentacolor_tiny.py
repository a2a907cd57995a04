"""Exact enumerator for a tiny Tentacolor under uniformly random play, written from the rulebook alone.

A position is followed with its exact probability from turn to turn; equal positions reached in the same turn are merged
(a memoised recursion run forwards, so that each position carries one fraction instead of a whole outcome). The order of
the pile is never fixed: a draw is uniform over the cards still in it.

What a position keeps of a tentacle is its *tail runs*: one entry per card, bottom to top, each with the length of the
run that ended there in every colour. The shark takes the last entry off. Entries no remaining shark can lay bare are
forgotten, so without sharks only the last one stays.

Beware when using it as a witness. If no choice depends on the cards (free choice, uniform slots), the cards placed are
just a shuffled row: who holds and passes what cannot show in any number here. `forced_match` makes hands matter, and
needs at least four colours to bite, because any two pairs out of three colours share one.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations, count, permutations
from typing import Any, NamedTuple

import pytest

Card = tuple[int, int, str]  # lower colour, higher colour, encounter ("" for none)
Runs = tuple[int, ...]  # length of the tail run in each colour
OFFSETS = {"shark": 2, "school": 7, "rare": 11}  # where the first encounter of a kind lies, in order of placing


class Position(NamedTuple):
    """Everything the future depends on, between or within turns."""

    hands: tuple[tuple[Card, ...], ...]  # per seat, sorted
    tentacles: tuple[tuple[Runs, ...], ...]  # per seat, tail runs after each card, last card last
    pile: tuple[Card, ...]  # sorted: the order is unknown
    extremities: tuple[tuple[int, ...], ...]  # per seat, Expert only


Layer = dict[Position, Fraction]
Weighted = Iterator[tuple[Fraction, Position]]


@dataclass(frozen=True)
class Outcome:
    """What happens in the tiny game, exactly; `p_` and `win_share` [probability], `mean_` [cards or turns]."""

    win_share: list[Fraction]  # per seat, ties at deck-out split equally
    p_deck_out: Fraction
    turns: dict[int, Fraction]  # number of turns -> probability; the turn a deck-out cuts off does not count
    mean_turns: Fraction
    mean_bitten: Fraction  # cards removed by sharks
    mean_swapped: Fraction  # schools that took effect
    mean_rare: Fraction  # cards placed for rare specimens


@dataclass
class Game:
    """The rules in force, and the probability collected so far."""

    players: int
    colours: int
    need: int
    expert: bool
    forced_match: bool
    wins: dict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))  # by seat
    turns: dict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    events: dict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    n_turns: int = 0  # turns begun so far

    def end(self, p: Fraction, winners: list[int]) -> None:
        """The game ends here with probability p; several winners share."""
        self.turns[self.n_turns] += p
        for seat in winners:
            self.wins[seat] += p / len(winners)


# Components and Setup


def build_box(colours: int, copies: int, sharks: int = 0, schools: int = 0, rares: int = 0) -> list[Card]:
    """Components: the Tentacle cards in pair order, with their encounters spread evenly (ambiguity 14)."""
    pairs = [pair for pair in combinations(range(colours), 2) for _ in range(copies)]
    encounters = [""] * len(pairs)
    for kind, n_kind in zip(OFFSETS, (sharks, schools, rares), strict=True):
        for k in range(n_kind):
            place = (OFFSETS[kind] + len(pairs) * k // n_kind) % len(pairs)
            while encounters[place]:
                place = (place + 1) % len(pairs)
            encounters[place] = kind
    return [(*pair, encounter) for pair, encounter in zip(pairs, encounters, strict=True)]


def deal(players: int, box: list[Card], extremities: list[tuple[int, ...]] | None) -> Layer:
    """Setup: one card to each player, one more to the Expedition Leader (seat 0); in Expert one Extremity each."""
    secrets = [()] if extremities is None else list(permutations(extremities, players))
    empty = ((),) * players
    layer = merge((Fraction(1, len(secrets)), Position(empty, empty, tuple(sorted(box)), dealt)) for dealt in secrets)
    for seat in [*range(players), 0]:
        layer = merge(dealt for position, p in layer.items() for dealt in draw(p, position, seat))
    return layer


# Playing the Game


def take_turn(game: Game, p: Fraction, position: Position, seat: int) -> Weighted:
    """Playing the Game: draw, extend, give. Yields the positions in which the game goes on."""
    for p_drawn, drawn in draw(p, position, seat):
        for p_placed, placed in extend(game, p_drawn, drawn, seat):
            yield from give(p_placed, placed, seat)


def draw(p: Fraction, position: Position, seat: int) -> Weighted:
    """Draw a Tentacle Card: each card in the pile is equally likely."""
    for card, n_alike in Counter(position.pile).items():
        hand = (*position.hands[seat], card)
        drawn = position._replace(pile=without(position.pile, card), hands=put(position.hands, seat, sorted(hand)))
        yield p * n_alike / len(position.pile), drawn


def extend(game: Game, p: Fraction, position: Position, seat: int) -> Weighted:
    """Extend the Tentacle, then End of the Game, then Encounter Cards."""
    cards = legal_cards(game, position.hands[seat], position.tentacles[seat])
    for card, n_alike in Counter(cards).items():
        p_card = p * n_alike / len(cards)
        tentacle = grow(position.tentacles[seat], card, game.colours)
        hand = without(position.hands[seat], card)
        hands, tentacles = put(position.hands, seat, hand), put(position.tentacles, seat, tentacle)
        placed = position._replace(hands=hands, tentacles=tentacles)
        if not game.expert and max(tentacle[-1]) >= game.need:
            game.end(p_card, [seat])
        elif not card[2]:
            yield p_card, placed
        else:
            yield from ENCOUNTERS[card[2]](game, p_card, placed, seat)


def legal_cards(game: Game, hand: tuple[Card, ...], tentacle: tuple[Runs, ...]) -> list[Card]:
    """Extend the Tentacle: any card (ambiguity 2), one entry per slot; with forced match the matching ones if any."""
    matching = [card for card in hand if tentacle and any(tentacle[-1][colour] for colour in card[:2])]
    return matching if game.forced_match and matching else list(hand)


def grow(tentacle: tuple[Runs, ...], card: Card, colours: int) -> tuple[Runs, ...]:
    """Extend the Tentacle: the run goes on in the colours of the card and breaks in all others (ambiguity 1)."""
    before = tentacle[-1] if tentacle else (0,) * colours
    return (*tentacle, tuple(n + 1 if colour in card[:2] else 0 for colour, n in enumerate(before)))


def give(p: Fraction, position: Position, seat: int) -> Weighted:
    """Give a Card to Your Neighbour: one of those left in hand, to the left."""
    hand, to = position.hands[seat], left_of(seat, len(position.hands))
    for card in hand:
        hands = put(position.hands, seat, without(hand, card))
        yield p / len(hand), position._replace(hands=put(hands, to, sorted((*hands[to], card))))


def left_of(seat: int, players: int) -> int:
    """Playing the Game: play proceeds clockwise, to the left."""
    return (seat + 1) % players


# Encounter Cards


def shark(game: Game, p: Fraction, position: Position, seat: int) -> Weighted:
    """Shark: remove the last card of an opponent's tentacle, if any has one (ambiguity 3)."""
    victims = [other for other in others(game, seat) if position.tentacles[other]]
    for victim in victims:
        game.events["bitten"] += p / len(victims)
        bitten = put(position.tentacles, victim, position.tentacles[victim][:-1])
        yield p / len(victims), position._replace(tentacles=bitten)
    if not victims:
        yield p, position


def school(game: Game, p: Fraction, position: Position, seat: int) -> Weighted:
    """School of fish: another player discards their only card and draws; no effect on an empty pile (ambiguity 4)."""
    if not position.pile:
        yield p, position
        return
    game.events["swapped"] += p
    for victim in others(game, seat):
        discarded = position._replace(hands=put(position.hands, victim, ()))
        yield from draw(p / (game.players - 1), discarded, victim)


def rare(game: Game, p: Fraction, position: Position, seat: int) -> Weighted:
    """Rare specimen: draw, then place another card; no effect on an empty pile (ambiguity 5)."""
    if not position.pile:
        yield p, position
        return
    game.events["rare"] += p
    for p_drawn, drawn in draw(p, position, seat):
        yield from extend(game, p_drawn, drawn, seat)


ENCOUNTERS = {"shark": shark, "school": school, "rare": rare}


def others(game: Game, seat: int) -> list[int]:
    """Every seat but this one."""
    return [other for other in range(game.players) if other != seat]


# End of the Game, and the Expert Oceanographer variant


def run_length(game: Game, position: Position, seat: int) -> int:
    """The tail run that counts for this seat: of any colour, in Expert of a colour on its Extremity card."""
    if not position.tentacles[seat]:
        return 0
    runs = position.tentacles[seat][-1]
    return max(runs[colour] for colour in position.extremities[seat]) if game.expert else max(runs)


def longest(game: Game, position: Position) -> list[int]:
    """The seats that win at deck-out (ambiguity 7)."""
    lengths = [run_length(game, position, seat) for seat in range(game.players)]
    return [seat for seat, length in enumerate(lengths) if length == max(lengths)]


def play_out(game: Game, layer: Layer) -> None:
    """Play turn after turn until every position has ended."""
    for turn in count():
        seat = turn % game.players
        going_on: Layer = {}
        for position, p in layer.items():
            is_ready = game.expert and run_length(game, position, seat) >= game.need
            is_over = not is_ready and not position.pile
            game.n_turns = turn if is_over else turn + 1
            if is_ready:
                game.end(p, [seat])
            elif is_over:
                game.events["deck_out"] += p
                game.end(p, longest(game, position))
            else:
                merge(take_turn(game, p, position, seat), going_on)
        if not going_on:
            return
        layer = merge((p, relabel(forget(position), game.colours)) for position, p in going_on.items())


def exact(
    players: int,
    *,
    colours: int,
    copies: int,
    need: int,
    sharks: int = 0,
    schools: int = 0,
    rares: int = 0,
    expert: bool = False,
    extremities: list[tuple[int, ...]] | None = None,
    forced_match: bool = False,
) -> Outcome:
    """The exact outcome when every player picks uniformly among the legal options of each decision.

    Seat 0 starts. The box has every pair of `colours` in `copies` copies; `sharks`, `schools` and `rares` of its cards
    carry that encounter. In Expert each seat gets a different one of `extremities` (tuples of colours) at random.
    Raises ValueError if the box cannot be dealt or marked, or there are too few extremities.
    """
    box_size = copies * colours * (colours - 1) // 2
    if players < 2 or box_size <= players or sharks + schools + rares > box_size:
        raise ValueError(f"the box must hold players + 1 cards and every encounter; found {box_size}; add copies")
    if expert and len(extremities or []) < players:
        raise ValueError(f"Expert needs an extremity per player; found {extremities}; give at least {players}")
    box = build_box(colours, copies, sharks, schools, rares)
    game = Game(players, colours, need, expert, forced_match)
    play_out(game, deal(players, box, extremities if expert else None))
    return Outcome(
        win_share=[game.wins[seat] for seat in range(players)],
        p_deck_out=game.events["deck_out"],
        turns=dict(sorted(game.turns.items())),
        mean_turns=sum((n * p for n, p in game.turns.items()), Fraction(0)),
        mean_bitten=game.events["bitten"],
        mean_swapped=game.events["swapped"],
        mean_rare=game.events["rare"],
    )


# Bookkeeping on immutable positions


def forget(position: Position) -> Position:
    """Drop the tail runs that the sharks still to be placed cannot lay bare again."""
    unplaced = (*position.pile, *(card for hand in position.hands for card in hand))
    depth = 1 + sum(encounter == "shark" for _, _, encounter in unplaced)
    return position._replace(tentacles=tuple(tentacle[-depth:] for tentacle in position.tentacles))


def relabel(position: Position, colours: int) -> Position:
    """Swap colours for one another: no rule tells them apart, so any swap is right, and this one merges many."""

    def looks(colour: int) -> tuple[Any, ...]:
        runs = [runs[colour] for tentacle in position.tentacles for runs in tentacle]
        places = (*position.hands, position.pile)
        held = [sorted(encounter for *pair, encounter in cards if colour in pair) for cards in places]
        return runs, held, [colour in wanted for wanted in position.extremities]

    order = sorted(range(colours), key=looks)
    name = {old: new for new, old in enumerate(order)}

    def renamed(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        pairs = [(name[a], name[b], encounter) for a, b, encounter in cards]
        return tuple(sorted((min(a, b), max(a, b), encounter) for a, b, encounter in pairs))

    return Position(
        tuple(renamed(hand) for hand in position.hands),
        tuple(tuple(tuple(runs[old] for old in order) for runs in tentacle) for tentacle in position.tentacles),
        renamed(position.pile),
        tuple(tuple(sorted(name[colour] for colour in wanted)) for wanted in position.extremities),
    )


def merge(weighted: Iterable[tuple[Fraction, Position]], into: Layer | None = None) -> Layer:
    """Add up the probabilities of equal positions."""
    layer = {} if into is None else into
    for p, position in weighted:
        layer[position] = layer.get(position, Fraction(0)) + p
    return layer


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards less one such card."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def put(row: tuple[Any, ...], seat: int, item: Iterable[Any]) -> tuple[Any, ...]:
    """The row with this seat's entry replaced."""
    return (*row[:seat], tuple(item), *row[seat + 1 :])


# The settings to compare with [CPU seconds, on a busy core]


def setting(players: int, colours: int, copies: int, need: int, **more: Any) -> dict[str, Any]:
    """Arguments of `exact`, on one line."""
    return {"players": players, "colours": colours, "copies": copies, "need": need, **more}


EACH: dict[str, Any] = {"sharks": 1, "schools": 1, "rares": 1}
EXPERT: dict[str, Any] = {"expert": True, "extremities": [(0,), (1,), (0, 1), (1, 2)]}
FORCED: dict[str, Any] = {"forced_match": True}
SETTINGS = {
    "plain_2p_6": setting(2, 3, 2, 3),  # 0.01 s; degenerate: always a deck-out, 2 against 1
    "plain_2p_9": setting(2, 3, 3, 3),  # 0.04 s
    "plain_2p_12": setting(2, 3, 4, 4),  # 0.7 s
    "plain_3p_12": setting(3, 3, 4, 3),  # 1.3 s
    "encounters_2p_6": setting(2, 3, 2, 3, **EACH),  # 0.2 s
    "encounters_3p_6": setting(3, 3, 2, 2, **EACH),  # 0.2 s
    "encounters_2p_9": setting(2, 3, 3, 3, **EACH),  # 8 s
    "encounters_3p_9": setting(3, 3, 3, 3, **EACH),  # 13 s
    "expert_2p_9": setting(2, 3, 3, 2, **EXPERT),  # 1.5 s
    "expert_2p_9_shark": setting(2, 3, 3, 2, sharks=1, **EXPERT),  # 9 s
    "expert_3p_9": setting(3, 3, 3, 2, **EXPERT),  # 9 s; every game is a deck-out
    "forced_2p_6": setting(2, 4, 1, 2, **FORCED, **EACH),  # 0.3 s
    "forced_expert_2p_6": setting(2, 4, 1, 2, **FORCED, **EXPERT, **EACH),  # 2 s
    "forced_2p_10": setting(2, 5, 1, 3, **FORCED),  # 1.5 s; the extra card dealt to seat 1: -0.056 for seat 0
    "forced_2p_10_shark": setting(2, 5, 1, 3, sharks=1, **FORCED),  # 11 s
    "forced_2p_10_each": setting(2, 5, 1, 2, **FORCED, **EACH),  # 10 s
    "forced_3p_12": setting(3, 4, 2, 3, **FORCED),  # 35 s; giving to the right instead: +0.005 for seat 0
}


@cache
def enumerated(name: str) -> Outcome:
    """What a setting comes to; kept, as the larger ones take their time."""
    return exact(**SETTINGS[name])


def by_setting(quick: Collection[str]) -> list[Any]:
    """The settings' names as test parameters, all but the quick ones slow; tests of a setting share its outcome."""
    slow = {name: [] if name in quick else [pytest.mark.slow] for name in SETTINGS}
    return [pytest.param(name, marks=[*marks, pytest.mark.xdist_group(name)]) for name, marks in slow.items()]
