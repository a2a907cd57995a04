"""A game of Tentacle Town in the rulebook's words, event by event.

The sentences alone are enough to follow the game: whatever moves is named, with where it comes from and where it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from simkit.games.tentacle_town.rules import DISTRICTS, GOODS, ROWS, TASKS
from simkit.trace import Event, Scene

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RESULTS = (("skull", "skulls"), ("arrow", "arrows"), ("destroy", "destroys"), ("new tentacle", "new tentacles"))
_SUPPLY, _NONE_TO_MOVE = -1, -2
"""Where a new tentacle comes from, beside the ocean areas 0..2."""
_HUNT, _RESIDENT = 0, 2
"""What a harpoon is fired for, if not for a building."""


def tell(event: Event, scene: Scene) -> list[str]:
    """What happened, in sentences that begin with the name of whoever acts."""
    return [*_declined(event, scene), *_TELLERS[event["event"]](event, scene)]


# ----------------------------------------------------------------------------------------------------------- Game Setup


def _setup(event: Event, scene: Scene) -> Iterator[str]:
    """What each player receives, and the task cards in play."""
    state, rules = event["state"], scene.rules
    goods = _goods({good: state[good][0] for good in GOODS})
    first = _some(rules.start_buildings, "building", "buildings")
    yield f"each player has {goods}, and {first} in the outermost row of each district"
    cards = [task_title(task) for task in state["cards"]]
    yield f"the task cards in play are {_listed(cards)}" if cards else "no task cards are in play"


# ----------------------------------------------------------------------------------------------------- Playing the Game


def _recruit(event: Event, scene: Scene) -> Iterator[str]:
    """Recruit a New Resident."""
    state = event["state"]
    last = "" if state["supply"] else ", the last one of the supply"
    yield f"{_actor(event, scene)} recruits a resident to the {DISTRICTS[state['district']]}{last}"


def _pass(event: Event, scene: Scene) -> Iterator[str]:
    """Neither a building nor a task."""
    yield f"{_actor(event, scene)} has the new resident do nothing"


def _build(event: Event, scene: Scene) -> Iterator[str]:
    """Build a building."""
    yield f"{_works(event, scene)} builds in {_row(event['state']['district'], event['row'])}"


def _works(event: Event, scene: Scene) -> str:
    """Who works, and the gold that it takes if it is overtime."""
    paid = f" pays {scene.rules.overtime_cost} gold of overtime and" if _is_overtime(event) else ""
    return f"{_actor(event, scene)}{paid}"


def _is_overtime(event: Event) -> bool:
    """Whether a building or a task is done by overtime: the last choice of what to do was that one."""
    asked = [decided["decision"] for decided in _decided(event) if decided["decision"] in ("work", "overtime")]
    return asked[-1:] == ["overtime"]


# ---------------------------------------------------------------------------------------------------------------- Tasks


def _task(event: Event, scene: Scene) -> Iterator[str]:
    """Complete a task."""
    paid, taken = _traded(event, scene)
    name = TASKS[event["task"]]
    does = f"{_works(event, scene)} completes {task_title(event['task'])}"
    if name == "housing_project":
        pays = f"pays {_goods(paid)} and " if paid else ""
        yield f"{does}: {pays}builds in {_row(event['state']['district'], event['row'])}"
    elif name == "hire_movers":
        pays = f"pays {_goods(paid)} and " if paid else ""
        n_rows = len(event["state"]["buildings"][0][0])
        source, target = (_row(*divmod(event[end], n_rows)) for end in ("source", "target"))
        yield f"{does}: {pays}moves a building from {source} to {target}"
    elif paid:
        yield f"{does}: {_goods(paid)} for {_goods(taken) or 'nothing'}"
    else:
        yield f"{does} for {_goods(taken) or 'nothing'}"
    yield from _limited(event, scene)


def _traded(event: Event, scene: Scene) -> tuple[dict[str, int], dict[str, int]]:
    """What the seat has paid and taken for a task, overtime left out."""
    seat, before, after = event["seat"], scene.before, event["state"]
    change = {good: after[good][seat] - before[good][seat] for good in GOODS}
    change["gold"] += scene.rules.overtime_cost * _is_overtime(event)
    return {good: -n for good, n in change.items() if n < 0}, {good: n for good, n in change.items() if n > 0}


def _limited(event: Event, scene: Scene) -> Iterator[str]:
    """Goods that a task should have given, of which the box now holds no more tokens."""
    state, rules = event["state"], scene.rules
    gains = getattr(rules, TASKS[event["task"]]).gain
    for good in GOODS[:-1] if rules.token_limit else ():
        if event["times"] and getattr(gains, good) and sum(state[good]) >= rules.tokens:
            yield f"no {good} is left of the {rules.tokens} tokens"


def _hunt(event: Event, scene: Scene) -> Iterator[str]:
    """Hunt Tentacles: where."""
    hunts, area, state = f"{_works(event, scene)} hunts tentacles", event["area"], event["state"]
    if area >= 0:
        yield f"{hunts} in {_waters(area)}"
    elif not sum(state["tentacles"]):
        yield f"{hunts}, but there is none in the water"
    else:
        yield f"{hunts}, but has no harpoon"


def _shot(event: Event, scene: Scene) -> Iterator[str]:
    """Fire a harpoon: at a tentacle hunted, or to defend a building or a resident."""
    yield from _defended(event, scene)
    number = next((decided["choice"] for decided in _decided(event) if decided["decision"] == "times"), None)
    by = event["by"]
    if event["purpose"] == _HUNT and number is not None:
        yield f"{scene.names[by]} throws {_some(number, 'harpoon', 'harpoons')}"
    yield f"{scene.names[by]} fires a harpoon: {_shot_result(event, scene, by)}"


def _shot_result(event: Event, scene: Scene, by: int) -> str:
    """Hit or miss, with what comes of it."""
    before, after = scene.before, event["state"]
    if not event["hit"]:
        return "a miss"
    gone = [area for area in range(3) if after["tentacles"][area] < before["tentacles"][area]]
    if not gone:
        return "a hit, but no tentacle is left there"
    taken = {good: after[good][by] - before[good][by] for good in GOODS[:-1]}
    return f"a hit, {_goods(taken) or 'for nothing'}, and a tentacle is removed from {_waters(gone[0])}"


# ---------------------------------------------------------------------------------------------------- Tentacle Attacks!


def _tentacle(event: Event, scene: Scene) -> Iterator[str]:
    """A tentacle beside the district where the turn was spent."""
    yield from _placed("a tentacle", event, scene)


def _placed(what: str, event: Event, scene: Scene) -> Iterator[str]:
    """A tentacle is placed; TENTACLES! They're Everywhere!"""
    source, district = event["source"], event["state"]["district"]
    if source == _NONE_TO_MOVE:
        yield f"all tentacles are in {_waters(district)} already: none comes"
    elif source == _SUPPLY:
        yield f"{what} appears next to the {DISTRICTS[district]}"
    else:
        yield f"{_actor(event, scene)} moves a tentacle from {_waters(source)} to {_waters(district)}: all are in play"


def _roll(event: Event, scene: Scene) -> Iterator[str]:
    """Tenticular Terror: a die for each tentacle, up to four."""
    state = event["state"]
    n = min(scene.rules.dice, state["tentacles"][state["district"]])
    shown = [_some(k, *words) for k, words in zip(event["dice"], _RESULTS, strict=True) if k]
    if n > sum(event["dice"]):
        shown.append(_some(n - sum(event["dice"]), "blank", "blanks"))
    results = f": {', '.join(shown)}" if shown else ""
    yield f"{_actor(event, scene)} rolls {_some(n, 'die', 'dice')}{results}"


def _skull(event: Event, scene: Scene) -> Iterator[str]:
    """Skull: kill one resident."""
    killed = f"a resident of the {DISTRICTS[event['state']['district']]} is killed and goes back to the supply"
    does = {"saved": "the resident is saved", "killed": killed, "nothing": "there is no resident"}[event["result"]]
    yield _effect("a skull", does, event, scene)


def _arrow(event: Event, scene: Scene) -> Iterator[str]:
    """Arrow: one resident retreats."""
    there = DISTRICTS[event["state"]["district"]]
    retreat = f"a resident retreats from the {there} to the {DISTRICTS[event['to']]}"
    yield _effect("an arrow", retreat if event["to"] >= 0 else "there is no resident", event, scene)


def _destroy(event: Event, scene: Scene) -> Iterator[str]:
    """Destroy one building, of those closest to the water."""
    if event["result"] == "nothing":
        does = "there is no building"
    elif event["result"] == "saved":
        does = "the building is saved"
    else:
        building = f"{scene.names[event['owner']]}'s building in {_row(event['state']['district'], event['row'])}"
        does = f"{building} is destroyed{'' if scene.rules.destroyed_returns else ' for good'}"
    yield _effect("a destroy", does, event, scene)


def _new(event: Event, scene: Scene) -> Iterator[str]:
    """Another tentacle appears, without a die."""
    yield from (_effect("a new tentacle", does, event, scene) for does in _placed("another one", event, scene))


def _effect(result: str, does: str, event: Event, scene: Scene) -> str:
    """What a result does; a shot that was fired at it has been told with the result already."""
    if event["state"]["dice"] == scene.before["dice"]:
        return does
    could = ("defend_resident", "defend_building")
    undefended = any(decided["decision"] in could and decided["choice"] == 0 for decided in _decided(event))
    return f"{_actor(event, scene)} applies {result}: {does}{', undefended' if undefended else ''}"


def _defended(event: Event, scene: Scene) -> Iterator[str]:
    """The result that a harpoon is fired at, told with the first shot."""
    before, state = scene.before, event["state"]
    if state["dice"] == before["dice"]:
        return
    there = DISTRICTS[state["district"]]
    if event["purpose"] == _RESIDENT:
        yield f"{_actor(event, scene)} applies a skull to a resident of the {there}"
    else:
        row = next(row for row, n in enumerate(_standing(before, state["district"])) if n)
        building = f"{scene.names[event['by']]}'s building in {_row(state['district'], row)}"
        yield f"{_actor(event, scene)} applies a destroy to {building}"


def _standing(state: Mapping[str, Any], district: int) -> list[int]:
    """Buildings in each row of a district, all seats together."""
    return [sum(row) for row in zip(*(own[district] for own in state["buildings"]), strict=True)]


# ------------------------------------------------------------------------------------------------------ Ending the Game


def _end(event: Event, scene: Scene) -> Iterator[str]:
    """Ending the Game, and Winning the Game."""
    rules, state = scene.rules, event["state"]
    is_over = event["cause"] != "unfinished"
    if is_over:
        yield "there is no resident left to place: the game ends"
    else:
        yield f"the game is given up after {rules.max_rounds} rounds"
    fame = list(state["fame"])
    for district in range(len(DISTRICTS)):
        leaders, share = _award(state, district)
        for seat in leaders:
            fame[seat] += share
        yield _award_told(district, leaders, share, state["residents"][district], scene)
    if is_over:
        yield _mayor(fame, state["gold"], scene)


def _award(state: Mapping[str, Any], district: int) -> tuple[list[int], int]:
    """Who has most buildings in a district, and the fame that each receives."""
    buildings = [sum(own[district]) for own in state["buildings"]]
    leaders = [seat for seat, n in enumerate(buildings) if n == max(buildings) > 0]
    return leaders, state["residents"][district] // len(leaders) if leaders else 0


def _award_told(district: int, leaders: Sequence[int], share: int, residents: int, scene: Scene) -> str:
    """The award of a district; named first, for several may share it."""
    there = f"the {DISTRICTS[district]}, with {_some(residents, 'resident', 'residents')}"
    names = _listed([scene.names[seat] for seat in leaders])
    if not leaders:
        return f"{there}: nobody has a building"
    if len(leaders) == 1:
        return f"{there}: {names} has the most buildings and takes {share} fame"
    rest = residents - share * len(leaders)
    return f"{there}: {names} have the most buildings and take {share} fame each{f', {rest} discarded' if rest else ''}"


def _mayor(fame: Sequence[int], gold: Sequence[int], scene: Scene) -> str:
    """The most fame, then the most gold."""
    best = [seat for seat, n in enumerate(fame) if n == max(fame)]
    if len(best) == 1:
        return f"{scene.names[best[0]]} is elected mayor with {max(fame)} fame"
    most = max(gold[seat] for seat in best)
    richest = [scene.names[seat] for seat in best if gold[seat] == most]
    tie = f"with {max(fame)} fame {_listed([scene.names[seat] for seat in best])} are tied"
    if len(richest) == 1:
        return f"{tie}: {richest[0]} is elected mayor for the most gold, {most}"
    return f"{tie}: {_listed(richest)} share the win for the most gold, {most}"


_TELLERS: dict[str, Callable[[Event, Scene], Iterator[str]]] = {
    "setup": _setup,
    "recruit": _recruit,
    "pass": _pass,
    "build": _build,
    "task": _task,
    "hunt": _hunt,
    "shot": _shot,
    "tentacle": _tentacle,
    "roll": _roll,
    "skull": _skull,
    "arrow": _arrow,
    "destroy": _destroy,
    "new": _new,
    "end": _end,
}


# ------------------------------------------------------------------------------------------------------------ decisions


def _decided(event: Event) -> list[dict[str, Any]]:
    """The choices since the event before."""
    return [*event.get("earlier", ()), *([event["decision"]] if "decision" in event else [])]


def _declined(event: Event, scene: Scene) -> Iterator[str]:
    """What a seat could have gone on with, and has not: they move nothing, and so have no event of their own."""
    for decided in _decided(event):
        if decided["choice"] == 0 and sum(decided["legal"]) > 1 and decided["decision"] in _DECLINED:
            yield f"{scene.names[decided['seat']]} {_DECLINED[decided['decision']]}"


_DECLINED = {"fire": "fires no more harpoons", "overtime": "pays for no more overtime"}


def _actor(event: Event, scene: Scene) -> str:
    """Whose turn it is."""
    return scene.names[event["turn"] % len(scene.names)]


# ---------------------------------------------------------------------------------------------------------------- words


def task_title(task: int) -> str:
    """A task as the rulebook writes it.

    >>> task_title(5), task_title(11)
    ('Smelt Iron', 'Erect a Statue')
    """
    return TASKS[task].replace("_", " ").title().replace(" A ", " a ")


def _goods(amounts: Mapping[str, int]) -> str:
    """
    >>> _goods({"gold": 2, "food": 0, "iron": 1})
    '2 gold and 1 iron'
    """
    return _listed([f"{n} {_unit(good, n)}" for good, n in amounts.items() if n])


def _unit(good: str, n: int) -> str:
    """Harpoons are counted, the others are not."""
    return good.removesuffix("s") if n == 1 else good


def _listed(items: Sequence[str]) -> str:
    """
    >>> _listed(["a"]), _listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _some(n: int, one: str, more: str) -> str:
    """
    >>> _some(1, "die", "dice"), _some(4, "die", "dice"), _some(20, "die", "dice")
    ('one die', 'four dice', '20 dice')
    """
    return f"{_WORDS[n] if n < len(_WORDS) else n} {one if n == 1 else more}"


def _of(district: int) -> str:
    """
    >>> _of(0), _of(1)
    ("the docks'", "the market's")
    """
    name = DISTRICTS[district]
    return f"the {name}'" if name.endswith("s") else f"the {name}'s"


def _waters(district: int) -> str:
    """A district's ocean area."""
    return f"{_of(district)} waters"


def _row(district: int, row: int) -> str:
    """A row of a district's building spaces."""
    return f"{_of(district)} {ROWS[row]}"
