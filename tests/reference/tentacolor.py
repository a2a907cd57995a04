"""Tentacolor replayed in plain Python: a second, independent reading of the rulebook.

`Reference` follows one game event by event and raises `Mismatch` as soon as the trace and the rules disagree. It is
written from the rulebook (LOKI, 2022) and its numbered ambiguities (the components' sources tell them) only; it
shares no code with the engine it witnesses. The game is one generator, `_play`, that reads in the rulebook's order:
it stops where the next event is due, changes the table only once that event has come, and after the end is never
resumed.

Readings where neither text decides: a rare specimen under "play-one" with a single card left in hand has no effect
(that card must be given); the guard on rounds comes before the Expert's reveal and before the empty pile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from itertools import chain, combinations
from typing import Any, NoReturn, TypeVar

Card = tuple[tuple[int, int], str | None]
Event = dict[str, Any]
T = TypeVar("T")
Script = Generator[None, Event, T]

ENCOUNTERS = {"shark": ("sharks", 2), "school": ("schools", 7), "rare": ("rares", 11)}  # rule key, first place
KINDS = (None, *ENCOUNTERS)
SLOTS = {"place": 3, "rare": 3, "give": 2}
RULES: dict[str, tuple[Any, ...]] = {  # every key that must be given, with its values where they are few
    "colours": (3, 4, 5, 6), "copies": (), "run": (), "run_two_players": (), "sharks": (), "schools": (), "rares": (),
    "carriers": ("spread", "random"), "expert": (False, True), "extremities": (), "forced_match": (False, True),
    "deck_out": ("longest-run", "reshuffle"), "rare_at_deck_out": ("no-effect", "play-one"), "max_rounds": (),
}  # fmt: skip
CASES = (
    "first card on an empty tentacle", "card ends one run and starts another", "new series without a match",
    "match not taken", "forced match binds", "forced match binds a rare specimen's card", "forced match cannot be met",
    "single legal option", "hand of two at the placement",
    "shark with no target", "shark empties a tentacle", "shark lengthens a run",
    "school without card to draw",
    "rare chain", "rare without card to draw", "rare plays one of the two left", "rare with one card left",
    "run completed by a rare specimen's card", "run completed by an encounter card",
    "short run not enough for two players",
    "reshuffle at the draw", "reshuffle for a school", "reshuffle for a rare specimen", "deck-out with an empty box",
    "shared win", "five-run in a wrong colour", "expert run longer than needed", "expert run broken by a shark",
    "expert run restored by a shark", "expert run broken by one's own card", "expert two seats ready",
    "expert ready at deck-out", "expert ready at the round limit", "expert deck-out ignores a wrong colour",
)  # fmt: skip


class Mismatch(Exception):  # noqa: N818  (the name the traces' users know)
    """The trace and the rules disagree: the event, what the rules ask for, what was found."""


def replay(players: int, rules: dict[str, Any], events: Iterable[Event]) -> Reference:
    """Replay a whole game; `Mismatch` also if it has not ended with the last event."""
    reference = Reference(players, rules)
    for event in events:
        reference.apply(event)
    if not reference.finished:
        raise Mismatch(f"after event {reference.n_events - 1}: the game must go on to its end; found no more events")
    return reference


def box_cards(rules: dict[str, Any]) -> list[Card]:
    """Components: every pair of colours `copies` times; the encounters spread as in ambiguity 14."""
    pairs = [pair for pair in combinations(range(rules["colours"]), 2) for _ in range(rules["copies"])]
    kinds: list[str | None] = [None] * len(pairs)
    for kind, (key, first) in ENCOUNTERS.items():
        for k in range(rules[key]):
            place = (first + len(pairs) * k // rules[key]) % len(pairs)
            while kinds[place] is not None:
                place = (place + 1) % len(pairs)
            kinds[place] = kind
    return list(zip(pairs, kinds, strict=True))


def tail_run(tentacle: list[Card], colour: int) -> int:
    """How many cards, counted back from the end of the tentacle, all show the colour (ambiguity 1)."""
    n = 0
    for pair, _ in reversed(tentacle):
        if colour not in pair:
            break
        n += 1
    return n


def longest_run(tentacle: list[Card]) -> int:
    """The longest tail run in any colour, 0 for an empty tentacle."""
    return max((tail_run(tentacle, colour) for colour in tentacle[-1][0]), default=0) if tentacle else 0


def same_cards(one: list[Card], other: list[Card]) -> bool:
    """Whether two hands hold the same cards, in whatever order."""
    return len(one) == len(other) and all(one.count(card) == other.count(card) for card in one)


class Reference:
    """One game of Tentacolor, checked event by event.

    Parameters
    ----------
    players : int
        Number of seats, 2 to 4.
    rules : dict
        Every key of `RULES`.

    Raises
    ------
    ValueError
        If the rules are incomplete or the box is too small for the deal or for its encounters.
    """

    def __init__(self, players: int, rules: dict[str, Any]) -> None:
        check_rules(players, rules)
        self.players, self.rules = players, rules
        self.expert, self.need = bool(rules["expert"]), rules["run_two_players" if players == 2 else "run"]
        self._shuffle(box_cards(rules), is_exact=rules["carriers"] == "spread")
        self.hands: list[list[Card]] = [[] for _ in range(players)]
        self.tentacles: list[list[Card]] = [[] for _ in range(players)]
        self.extremities: list[tuple[int, ...]] | None = None
        self.turn = self.n_bitten = self.n_swapped = self.n_rare = self.n_events = 0
        self.finished, self._is_refused = False, False
        self.coverage: Counter[tuple[Any, ...]] = Counter({("players", players): 1})
        self.coverage.update(("rule", key, rules[key]) for key in RULES if key != "extremities")
        self._script = self._play()
        next(self._script)

    @property
    def seat(self) -> int:
        """The active seat: play proceeds clockwise."""
        return self.turn % self.players

    def apply(self, event: Event) -> None:
        """Follow one event; `Mismatch` if the rules do not allow it or its state is not the one they lead to."""
        self._event = event
        self.n_events += 1
        if self.finished or self._is_refused:
            self._refuse(f"nothing after {'the end' if self.finished else 'a mismatch'}", "one more event")
        self._is_refused = True
        try:
            self._script.send(event)
            self._check_state(event["state"])
        except (LookupError, TypeError, ValueError) as error:
            raise Mismatch(f"{self._whereabouts()}: expected an event of the agreed form; found {error!r}") from error
        self._is_refused = False

    # Playing the Game

    def _play(self) -> Script[None]:
        """Setup, then turns of draw, extend, give; wherever the game ends, `_end` does not return."""
        yield from self._deal()
        while self.turn < self.rules["max_rounds"] * self.players:
            if self._is_ready(self.seat):
                yield from self._reveal()
            yield from self._draw()
            yield from self._extend("place")
            yield from self._give()
            self.turn += 1
        self._note("expert ready at the round limit", self._is_ready(self.seat))
        yield from self._end("unfinished", [], self.turn)

    def _deal(self) -> Script[None]:
        """Setup: one card each, one more for the first player (ambiguity 10), in Expert an Extremity card each."""
        event = yield from self._next("deal")
        self._agree("number of hands", self.players, len(event["hands"]))
        for hand, card in zip(self.hands, event["hands"], strict=True):
            hand.append(self._take(card))
        self.hands[0].append(self._take(event["passed"]))
        if self.expert:
            self.extremities = [tuple(triple) for triple in event["extremities"]]
            box = Counter(tuple(sorted(triple)) for triple in self.rules["extremities"])
            if len(self.extremities) != self.players or Counter(self.extremities) - box:
                self._refuse(f"one Extremity card a seat out of {sorted(box.elements())}", self.extremities)
        else:
            self._agree("extremities", None, event["extremities"])

    def _draw(self) -> Script[None]:
        """Draw a Tentacle Card; without one to draw the game ends."""
        if not (yield from self._refill("reshuffle at the draw")):
            yield from self._deck_out()
        event = yield from self._next("draw")
        self.hands[self.seat].append(self._take(event["card"]))
        self._note("hand of two at the placement", len(self.hands[self.seat]) == 2)

    def _extend(self, what: str) -> Script[None]:
        """Extend the Tentacle; win, or else apply the card's encounter at once (ambiguity 6)."""
        card = yield from self._choose_card(what)
        tentacle, was_ready = self.tentacles[self.seat], self._is_ready(self.seat)
        tentacle.append(card)
        self.n_rare += what == "rare"
        run = longest_run(tentacle)
        self._note("short run not enough for two players", self.rules["run"] <= run < self.need)
        if not self.expert and run >= self.need:
            self._note("run completed by a rare specimen's card", what == "rare")
            self._note("run completed by an encounter card", card[1] is not None)
            yield from self._end("run-complete", [self.seat], self.turn + 1)
        is_ready = self._is_ready(self.seat)
        self._note("five-run in a wrong colour", run >= self.need and not is_ready)
        self._note("expert run broken by one's own card", was_ready and not is_ready)
        if card[1] == "shark":
            yield from self._shark()
        elif card[1] == "school":
            yield from self._school()
        elif card[1] == "rare":
            self._note("rare chain", what == "rare")
            yield from self._rare()

    def _give(self) -> Script[None]:
        """Give a Card to Your Neighbour: the player on the left; it may be the last card (play-one)."""
        card = yield from self._choose_card("give")
        self.hands[(self.seat + 1) % self.players].append(card)

    # Encounter Cards

    def _shark(self) -> Script[None]:
        """Shark: an opponent's last card goes back to the box; nothing if all opponents are empty (ambiguity 3)."""
        legal = [bool(self.tentacles[seat]) for seat in self._opponents()]
        if not any(legal):
            self._note("shark with no target")
            return
        victim = yield from self._choose_seat("shark", legal)
        tentacle = self.tentacles[victim]
        before, was_ready = longest_run(tentacle), self._is_ready(victim)
        self.box.append(tentacle.pop())
        self.n_bitten += 1
        is_ready = self._is_ready(victim)
        self._note("shark empties a tentacle", not tentacle)
        self._note("shark lengthens a run", longest_run(tentacle) > before)
        self._note("expert run broken by a shark", was_ready and not is_ready)
        self._note("expert run restored by a shark", is_ready and not was_ready)

    def _school(self) -> Script[None]:
        """School of fish: another player discards, then draws; nothing without a card to draw (ambiguity 4)."""
        if not self._can_draw():
            self._note("school without card to draw")
            return
        victim = yield from self._choose_seat("school", [True] * (self.players - 1))
        is_reshuffle, discarded = self.n_pile == 0, self.hands[victim][0]
        if is_reshuffle:
            self._note("reshuffle for a school")
            yield from self._next("reshuffle")
            self.hands[victim].remove(discarded)
            self._shuffle([*self.box, discarded])
        event = yield from self._next("school")
        self._agree("victim", victim, event["victim"])
        self._agree("discarded", discarded, self._card(event["discarded"]))
        if not is_reshuffle:
            self.hands[victim].remove(discarded)
            self.box.append(discarded)
        self.hands[victim].append(self._take(event["drawn"]))
        self.n_swapped += 1

    def _rare(self) -> Script[None]:
        """Rare specimen: draw and place another card, whose own encounter fires too (ambiguity 5)."""
        hand = self.hands[self.seat]
        if (yield from self._refill("reshuffle for a rare specimen")):
            event = yield from self._next("rare")
            hand.append(self._take(event["card"]))
        else:
            self._note("rare without card to draw")
            self._note("rare with one card left", len(hand) == 1)
            if self.rules["rare_at_deck_out"] == "no-effect" or len(hand) == 1:
                return
            self._note("rare plays one of the two left")
            event = yield from self._next("rare")
            self._agree("card drawn from nothing", None, event["card"])
        yield from self._extend("rare")

    # End of the Game

    def _reveal(self) -> Script[None]:
        """Expert Oceanographer: the Extremity card is turned over instead of a turn (ambiguities 11, 16)."""
        self._note("expert run longer than needed", self._score(self.seat) > self.need)
        self._note("expert two seats ready", sum(map(self._is_ready, range(self.players))) > 1)
        self._note("expert ready at deck-out", not self._can_draw())
        yield from self._next("reveal")
        yield from self._end("run-complete", [self.seat], self.turn + 1)

    def _deck_out(self) -> Script[None]:
        """No card at the draw step: the longest run wins, ties share (ambiguities 7, 16)."""
        scores, in_any = list(map(self._score, range(self.players))), list(map(longest_run, self.tentacles))
        winners = [seat for seat in range(self.players) if scores[seat] == max(scores)]
        self._note("deck-out with an empty box", self.rules["deck_out"] == "reshuffle")
        self._note("expert deck-out ignores a wrong colour", in_any.index(max(in_any)) not in winners)
        yield from self._end("deck-out", winners, self.turn)

    def _end(self, cause: str, winners: list[int], n_turns: int) -> Script[None]:
        """The end: its cause, its winners and the final figures."""
        scores = list(map(self._score, range(self.players)))
        standing = [(seat in winners, score) for seat, score in enumerate(scores)]
        ranks = [1 + sum(other > own for other in standing) for own in standing]
        event = yield from self._next("end", is_between=cause == "unfinished")
        figures = {"cause": cause, "winners": winners, "n_turns": n_turns, "scores": scores, "ranks": ranks}
        figures["winning_run"] = max((scores[seat] for seat in winners), default=0)
        figures |= {"n_bitten": self.n_bitten, "n_swapped": self.n_swapped, "n_rare": self.n_rare}
        for name, expected in figures.items():
            self._agree(name, expected, event[name])
        self.coverage["cause", cause] += 1
        self._note("shared win", len(winners) > 1)
        self.finished = True
        yield

    def _score(self, seat: int) -> int:
        """The seat's longest tail run [cards]; in Expert in one of its own colours."""
        tentacle = self.tentacles[seat]
        if self.extremities is None:
            return longest_run(tentacle)
        return max(tail_run(tentacle, colour) for colour in self.extremities[seat])

    def _is_ready(self, seat: int) -> bool:
        """Expert: whether the seat has a long enough run in one of its own colours."""
        return self.extremities is not None and self._score(seat) >= self.need

    # Pile and box

    def _can_draw(self) -> bool:
        """Whether there is a card to draw, after a reshuffle where the rules have one (ambiguity 7)."""
        return self.n_pile > 0 or (self.rules["deck_out"] == "reshuffle" and bool(self.box))

    def _refill(self, case: str) -> Script[bool]:
        """Reshuffle the box if the pile is empty and the rules say so; whether there is a card to draw."""
        if self.n_pile == 0 and self._can_draw():
            self._note(case)
            yield from self._next("reshuffle")
            self._shuffle(self.box)
        return self.n_pile > 0

    def _shuffle(self, cards: list[Card], is_exact: bool = True) -> None:
        """These cards become the pile: known as cards or, for carriers drawn at random, as pairs and kinds apart."""
        self.box: list[Card] = []
        self.n_pile = len(cards)
        parts: list[Iterable[Any]] = [cards] if is_exact else list(zip(*cards, strict=True))
        self.left = [Counter(part) for part in parts]

    def _take(self, value: Any) -> Card:
        """A card leaves the pile, if it can be there."""
        card = self._card(value)
        for left, part in zip(self.left, (card,) if len(self.left) == 1 else card, strict=True):
            if left[part] == 0:
                self._refuse("a card that can still be in the pile", card)
            left[part] -= 1
        self.n_pile -= 1
        return card

    # Decisions

    def _opponents(self) -> list[int]:
        """The other seats, first the one to the left."""
        return [(self.seat + i) % self.players for i in range(1, self.players)]

    def _choose_seat(self, what: str, legal: list[bool]) -> Script[int]:
        """A decision between opponents; option i is the (i+1)-th seat to the left."""
        event = yield from self._next("decision")
        return self._opponents()[self._choice(event, what, legal)]

    def _choose_card(self, what: str) -> Script[Card]:
        """A decision between the cards in hand; the chosen card leaves the hand."""
        event = yield from self._next("decision")
        self._agree("decision", what, event["decision"])
        cards = [None if card is None else self._card(card) for card in event["cards"]]
        offered = [card for card in cards if card is not None]
        hand = self.hands[self.seat]
        if len(cards) != SLOTS[what] or not same_cards(offered, hand):
            self._refuse(f"the hand {hand} in {SLOTS[what]} slots", cards)
        matches = self._matches(cards) if what != "give" else [False] * len(cards)
        is_bound = bool(self.rules["forced_match"]) and any(matches)
        legal = matches if is_bound else [card is not None for card in cards]
        card = self._card(cards[self._choice(event, what, legal)])
        if what != "give":
            self._note_placement(what, card, matches, is_bound and sum(legal) < len(offered))
        hand.remove(card)
        return card

    def _matches(self, cards: list[Card | None]) -> list[bool]:
        """Respecting the colour matching: which cards share a colour with the last one of the tentacle."""
        last = self.tentacles[self.seat][-1][0] if self.tentacles[self.seat] else ()
        return [card is not None and not set(last).isdisjoint(card[0]) for card in cards]

    def _choice(self, event: Event, what: str, legal: list[bool]) -> int:
        """Check a decision's name, its legal options and that the choice is one of them."""
        self._agree("decision", what, event["decision"])
        self._agree("legal", legal, list(event["legal"]))
        choice: int = event["choice"]
        if not (0 <= choice < len(legal) and legal[choice]):
            self._refuse(f"a choice among the legal options {legal}", choice)
        self.coverage["decision", what] += 1
        self.coverage["option", what, int(choice)] += 1
        self._note("single legal option", sum(legal) == 1)
        return choice

    def _note_placement(self, what: str, card: Card, matches: list[bool], is_bound: bool) -> None:
        """Record what the card does to the series (ambiguities 1, 2, 9); called before it is placed."""
        tentacle = self.tentacles[self.seat]
        if not tentacle:
            self._note("first card on an empty tentacle")
            return
        self._note("forced match binds", is_bound)
        self._note("forced match binds a rare specimen's card", is_bound and what == "rare")
        is_match, run = self._matches([card])[0], longest_run(tentacle)
        self._note("match not taken", any(matches) and not is_match)
        self._note("new series without a match", not any(matches))
        self._note("forced match cannot be met", self.rules["forced_match"] and not any(matches))
        is_new = all(tail_run(tentacle, colour) < run for colour in card[0])
        self._note("card ends one run and starts another", is_match and is_new)

    # Comparing

    def _next(self, kind: str, is_between: bool = False) -> Script[Event]:
        """Wait for the next event, which must be of this kind; between two turns either turn's number will do."""
        event = yield
        self._agree("event", kind, event["event"])
        turns = {max(self.turn - is_between, 0), self.turn}
        if event["turn"] not in turns or event["seat"] != event["turn"] % self.players:
            self._refuse(f"turn {self.turn} of seat {self.seat}", (event["turn"], event["seat"]))
        self.coverage["event", kind] += 1
        return event

    def _card(self, value: Any) -> Card:
        """Check the form ((a, b), kind)."""
        (a, b), kind = value
        if not 0 <= a < b < self.rules["colours"] or kind not in KINDS:
            self._refuse("a card ((a, b), kind) of the box", value)
        return ((a, b), kind)

    def _check_state(self, state: dict[str, Any]) -> None:
        """Compare everything in the state with the table."""
        for seat, (tentacle, hand) in enumerate(zip(self.tentacles, self.hands, strict=True)):
            tip = [(colour, tail_run(tentacle, colour)) for colour in tentacle[-1][0]] if tentacle else None
            found = state["tips"][seat]
            self._agree(f"state tip of seat {seat}", tip, found and [tuple(run) for run in found])
            if hand != state["hands"][seat] and not same_cards(hand, state["hands"][seat]):
                self._refuse(f"state hand of seat {seat} {hand}", state["hands"][seat])
        self._agree("state seats", (self.players,) * 2, (len(state["tips"]), len(state["hands"])))
        self._agree("state pile", self.n_pile, state["pile"])
        self._agree("state boxed", len(self.box), state["boxed"])
        seen: dict[tuple[int, int], int] = {}
        for pair, _ in chain(self.box, *self.tentacles):
            seen[pair] = seen.get(pair, 0) + 1
        self._agree("state seen", seen, {pair: n for pair, n in state["seen"].items() if n})
        found = state["extremities"]
        self._agree("state extremities", self.extremities, found and [tuple(triple) for triple in found])

    def _agree(self, what: str, expected: Any, found: Any) -> None:
        if expected != found:
            self._refuse(f"{what} {expected!r}", found)

    def _refuse(self, expected: str, found: Any) -> NoReturn:
        raise Mismatch(f"{self._whereabouts()}: expected {expected}; found {found!r}")

    def _whereabouts(self) -> str:
        """Where the trace is: the event's number, kind, turn and seat."""
        kind, turn, seat = (self._event.get(key) for key in ("event", "turn", "seat"))
        return f"event {self.n_events - 1} ({kind}, turn {turn}, seat {seat})"

    def _note(self, case: str, is_reached: bool = True) -> None:
        if is_reached:
            self.coverage["case", case] += 1


def check_rules(players: int, rules: dict[str, Any]) -> None:
    """Refuse rules under which no game can be dealt."""
    for key, values in RULES.items():
        if key not in rules or (values and rules[key] not in values):
            raise ValueError(f"rules[{key!r}] must be given {values or ''}; found {rules.get(key)!r}")
    n_cards = rules["copies"] * rules["colours"] * (rules["colours"] - 1) // 2
    if rules["expert"] and len(rules["extremities"]) < players:
        raise ValueError(f"the Expert variant needs an Extremity card a seat; found {rules['extremities']!r}")
    n_encounters = sum(rules[key] for key, _ in ENCOUNTERS.values())
    if not 2 <= players <= 4 or n_cards < max(players + 1, n_encounters):
        raise ValueError(f"2 to 4 players and a box for the deal and the encounters; found {players}, {n_cards} cards")
