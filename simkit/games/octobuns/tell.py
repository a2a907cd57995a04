"""A game of Octobuns in the rulebook's words, event by event.

The sentences alone are enough to follow the game: every card that comes, goes or is turned up is named, with its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simkit.games.octobuns.bakery import SHIFTS
from simkit.games.octobuns.puzzle import cell_sets
from simkit.games.octobuns.rules import KINDS, N_OPEN
from simkit.trace import Event, Scene

STACKS = ("left", "middle", "right")
PLACES = ("on the left", "in the middle", "on the right")
BONUSES = ("Extra Rope In", "Extra Tentacle", "Take From the Supply", "the starting card")
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def tell(event: Event, scene: Scene) -> list[str]:
    """What happened, in sentences that begin with the name of whoever acts."""
    return [*_TELLERS[event["event"]](event, scene)]


# ----------------------------------------------------------------------------------------------------------- Game Setup


def _setup(event: Event, scene: Scene) -> Iterator[str]:
    """What lies open, and what everybody has."""
    state, n_starting = event["state"], scene.rules.starting_cards
    yield f"the open ingredients are {_listed([_item(item, scene) for item in state['open'] if item])}"
    yield _tops(state, scene)
    yield f"the open orders are {_orders([order for order in state['open_orders'] if order is not None], scene)}"
    for orders, name in zip(state["reserved"], scene.names, strict=True):
        for order in orders:
            if order is not None:
                yield f"{name} has reserved {_order(order, scene)}"
    for icons, name in zip(state["icons"], scene.names, strict=True):
        for bonus, n in zip(BONUSES, icons, strict=False):
            if n:
                yield f"{name} may use {bonus} once"
    yield f"each player has {_some(n_starting, 'starting card', 'starting cards')}"


def _tops(state: dict[str, Any], scene: Scene) -> str:
    """The stacks and their known backs."""
    stacks = [
        f"{_some(len(cards), 'card', 'cards')} with {_item(cards[0], scene)} on top" if len(cards) else "empty"
        for cards in state["stacks"]
    ]
    return f"the stacks are {_listed(stacks)}"


# -------------------------------------------------------------------------------------------------- the four actions


def _take(event: Event, scene: Scene) -> Iterator[str]:
    """An ingredient comes to hand."""
    item = _item(event["item"], scene)
    if event["way"] == "exchange":
        yield f"{_actor(event, scene)} takes {item} from the discard pile"
    elif event["way"] == "supply":
        yield f"{_actor(event, scene)} takes {item} from the {STACKS[event['place']]} stack"
    else:
        yield f"{_actor(event, scene)} takes the open {item} {PLACES[event['place']]}"


def _place(event: Event, scene: Scene) -> Iterator[str]:
    """A card is put down."""
    seat, cell = event["seat"], event["cell"]
    item = _item(scene.before["hand"][0], scene)
    under = scene.before["bakeries"][seat][cell]
    if not under:
        yield f"{_actor(event, scene)} puts {item} on cell {cell + 1}"
    elif event["made"]:
        made = _item(event["made"], scene)
        yield f"{_actor(event, scene)} stacks {item} on {_item(under, scene)} of cell {cell + 1} and makes {_a(made)}"
    else:
        on = f"{_item(under, scene)} of cell {cell + 1}"
        yield f"{_actor(event, scene)} stacks {item} on {on}, but no bun is left: both are discarded"


def _lose(event: Event, scene: Scene) -> Iterator[str]:
    """There is no place for a card."""
    yield f"{_actor(event, scene)} has no place for {_item(event['item'], scene)} and discards it"


def _shift(event: Event, scene: Scene) -> Iterator[str]:
    """The bakery floats."""
    yield f"{_actor(event, scene)} slides all cards {shift_name(*SHIFTS[event['shift']])}"


def shift_name(down: int, right: int) -> str:
    """
    >>> shift_name(-1, 2), shift_name(0, 0)
    ('up 1 right 2', 'stay')
    """
    steps = (f"{'down' if down > 0 else 'up'} {abs(down)}", f"{'right' if right > 0 else 'left'} {abs(right)}")
    return " ".join(step for step, by in zip(steps, (down, right), strict=True) if by) or "stay"


def _rope_in(event: Event, scene: Scene) -> Iterator[str]:
    """An order is reserved."""
    source = event["source"]
    from_pile = f" from the {KINDS[source - N_OPEN]} pile" if source >= N_OPEN else ""
    yield f"{_actor(event, scene)} ropes in {_order(event['order'], scene)}{from_pile}"


def _return(event: Event, scene: Scene) -> Iterator[str]:
    """A bun goes back."""
    yield f"{_actor(event, scene)} returns the {_item(event['bun'], scene)} of cell {event['cell'] + 1} to the supply"


def _lift(event: Event, scene: Scene) -> Iterator[str]:
    """A card is about to be moved or discarded."""
    yield f"{_actor(event, scene)} lifts {_item(event['item'], scene)} from cell {event['cell'] + 1}"


def _discard(event: Event, scene: Scene) -> Iterator[str]:
    """A card is thrown away."""
    goes = ", which goes back to the supply" if event["item"] > scene.rules.n_ingredients else ""
    yield f"{_actor(event, scene)} discards {_item(event['item'], scene)}{goes}"


def _drop(event: Event, scene: Scene) -> Iterator[str]:
    """A reserved order is discarded."""
    goes = ", which goes under its pile" if scene.rules.dropped_orders == "bottom" else ""
    yield f"{_actor(event, scene)} discards {_guests(event['order'], scene)} reserved order{goes}"


# ------------------------------------------------------------------------------------------------- bonuses and orders


def _use(event: Event, scene: Scene) -> Iterator[str]:
    """A bonus action."""
    yield f"{_actor(event, scene)} uses {BONUSES[event['kind']]}"


def _complete(event: Event, scene: Scene) -> Iterator[str]:
    """An order is completed."""
    rules, order, seat = scene.rules, event["order"], event["seat"]
    cells = "-".join(str(cell + 1) for cell in cell_sets(rules.longest)[event["path"]])
    lies = "reserved order" if event["place"] >= N_OPEN else "order"
    stays = ", which stay" if rules.used_cards == "stay" else ""
    coins = _some(int(rules.coins_of[order]), "coin", "coins")
    icon = int(rules.icon_of[order])
    bonus = f" and {BONUSES[icon - 1]}" if icon else ""
    yield (f"{_actor(event, scene)} completes {_guests(order, scene)} {lies} with cells {cells}{stays}: {coins}{bonus}")
    done = sum(event["state"]["n_done"][seat])
    if done == rules.orders_to_end:
        ends = "the round is finished" if rules.finish_round else "the game ends"
        yield f"{_actor(event, scene)} has completed {_some(done, 'order', 'orders')}: {ends}"


# ------------------------------------------------------------------------------------------------ Ending Your Turn


def _refill(event: Event, scene: Scene) -> Iterator[str]:
    """An open ingredient comes."""
    yield f"{_item(event['item'], scene)} is turned up {PLACES[event['place']]}"


def _rebuild(event: Event, scene: Scene) -> Iterator[str]:
    """The supply is rebuilt."""
    n = sum(scene.before["discards"])
    go = f"{_some(n, 'card', 'cards')} of the discard pile {'goes' if n == 1 else 'go'} under the stacks, shuffled"
    yield f"{go}; {_tops(event['state'], scene)}"


def _new_orders(event: Event, scene: Scene) -> Iterator[str]:
    """Open orders come."""
    before, after = scene.before["open_orders"], event["state"]["open_orders"]
    come = [order for order, earlier in zip(after, before, strict=True) if order != earlier]
    yield f"new among the open orders: {_orders(come, scene)}"


# ------------------------------------------------------------------------------------------------- End of the Game


def _end(event: Event, scene: Scene) -> Iterator[str]:
    """Coins of orders and of buns left, and who wins."""
    if event["cause"] == "unfinished":
        yield f"the game is given up after {_some(scene.rules.max_rounds, 'round', 'rounds')}"
        return
    state, rules = event["state"], scene.rules
    buns = [sum(item > rules.n_ingredients for item in bakery) for bakery in state["bakeries"]]
    coins = [earned + n * rules.coins_per_bun for earned, n in zip(state["coins"], buns, strict=True)]
    for name, total, n in zip(scene.names, coins, buns, strict=True):
        yield f"{_some(total, 'coin', 'coins')} for {name}, with {_some(n, 'bun', 'buns')} left"
    best = max(zip(coins, buns, strict=True))
    winners = [name for name, *both in zip(scene.names, coins, buns, strict=True) if tuple(both) == best]
    tie = " for the most buns" if coins.count(best[0]) > len(winners) else ""
    yield f"the most coins: {_listed(winners)} {'share the win' if len(winners) > 1 else 'wins'}{tie}"


_TELLERS: dict[str, Callable[[Event, Scene], Iterator[str]]] = {
    "setup": _setup,
    "take": _take,
    "place": _place,
    "lose": _lose,
    "shift": _shift,
    "rope in": _rope_in,
    "return": _return,
    "lift": _lift,
    "discard": _discard,
    "drop": _drop,
    "use": _use,
    "complete": _complete,
    "refill": _refill,
    "rebuild": _rebuild,
    "orders": _new_orders,
    "end": _end,
}


# ---------------------------------------------------------------------------------------------------------------- words


def _actor(event: Event, scene: Scene) -> str:
    """Whose turn it is."""
    return scene.names[event["seat"]]


def _item(item: int, scene: Scene) -> str:
    """An ingredient or a bun."""
    name: str = scene.rules.item_names[item]
    return name


def _guests(order: int, scene: Scene) -> str:
    """Of a harbour guest."""
    return f"the {_of(scene.rules.order_names[order])}"


def _order(order: int, scene: Scene) -> str:
    """An order by its guest and its items."""
    return f"{_guests(order, scene)} order of {_listed(scene.rules.orders[order].items)}"


def _orders(orders: Sequence[int], scene: Scene) -> str:
    """Several orders."""
    return "; ".join(_order(order, scene) for order in orders) or "none"


def _listed(items: Sequence[str]) -> str:
    """
    >>> _listed(["a"]), _listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _some(n: int, one: str, more: str) -> str:
    """
    >>> _some(1, "coin", "coins"), _some(4, "coin", "coins"), _some(20, "coin", "coins")
    ('one coin', 'four coins', '20 coins')
    """
    return f"{_WORDS[n] if n < len(_WORDS) else n} {one if n == 1 else more}"


def _a(name: str) -> str:
    """
    >>> _a("plum bun"), _a("eel bun")
    ('a plum bun', 'an eel bun')
    """
    return f"an {name}" if name[0].lower() in "aeiou" else f"a {name}"


def _of(name: str) -> str:
    """
    >>> _of("gull"), _of("twins")
    ("gull's", "twins'")
    """
    return f"{name}'" if name.endswith("s") else f"{name}'s"
