"""Settings of Tiny Epic Cthulhu under which every rule alternative and every rare case comes about."""

from __future__ import annotations

from typing import Any

from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.cards import ROUTES
from tests.games.tiny_epic_cthulhu_replay import reference_rules, rules_with
from tests.reference.tiny_epic_cthulhu_table import COLOURS, WITH_ALTERNATIVES, rule_text

Effect = dict[str, Any]


def move(what: str, source: str, target: str, n: int = 1) -> Effect:
    """The effect that moves tentacles."""
    return {"do": "move", "what": what, "from": source, "to": target, "n": n}


def old_one(name: str = "nyarlathotep", **changes: Any) -> dict[str, Any]:
    """A Great Old One's mat, changed."""
    value = reference_rules(rules_with())[name]
    return {name: {part: told for part, told in value.items() if told is not None} | changes}


def powers(*effects: list[Effect]) -> dict[str, list[Effect]]:
    """Effects for each colour."""
    return dict(zip(COLOURS, effects, strict=True))


def every(what: str) -> list[Effect]:
    """Every way in which such tentacles may move."""
    sources, targets = ROUTES[what]
    return [move(what, source, target, 2) for source in sources for target in targets if source != target]


def towns(effects: list[Effect]) -> dict[str, Any]:
    """Ten sides that share these effects out."""
    given = reference_rules(rules_with())["town_cards"]
    names = [(card, side) for card in range(5) for side in ("front", "back")]
    for i, (card, side) in enumerate(names):
        given[card][side]["effects"] = effects[i::10]
    return {"town_cards": given}


def characters(effects: list[Effect], **passive: int) -> dict[str, Any]:
    """Twelve characters that share these effects out; every other one always has something besides."""
    return {
        "characters": [
            {"name": f"{i}", "effects": effects[i::12], "passive": passive if i % 2 else {}} for i in range(12)
        ]
    }


PORTALS = {"fear": [0, 1], "rage": [1, 2], "greed": [0, 3]}
LONG: dict[str, Any] = {"front": [2] * 28, "back": [2] * 29, "portals": PORTALS}
CHEAP = {"page_cost": 1, "pages_per_card": "2", "delirium": 30}
EASY = old_one(**LONG) | CHEAP | {"start_eldritch": 1, "energy_track": [4, 3], "max_rounds": 25}
BRISK = EASY | {"page_cost": 0, "max_rounds": 20}
TINY = {"madness_each": 4, "bag_each": 2, "mat_each": 1, "discard_each": 1, "chaos": 10}
WANDER = [{"do": "travel"}, {"do": "lure"}, {"do": "swap"}, {"do": "reveal", "n": 2}, {"do": "banish", "n": 2}]
DRAW_ONE, DRAW_TWO = {"do": "draw", "who": "you"}, {"do": "draw", "who": "you", "n": 2}
ALL_DRAW = {"do": "draw", "who": "all", "n": 2}
SPAWN, SPAWN_THERE = ({"do": "spawn", "where": where, "n": 2} for where in ("pointer", "great-old-one"))
ACTIONS = [*every("madness"), *every("chaos"), *every("eldritch"), DRAW_ONE, *WANDER]
HARSH = powers([ALL_DRAW, SPAWN], [SPAWN_THERE, ALL_DRAW], [{"do": "feed", "n": 3}, DRAW_TWO])
DRAWS = powers([ALL_DRAW], [ALL_DRAW], [ALL_DRAW])
SPAWNS = powers([SPAWN], [SPAWN], [SPAWN_THERE])
MOVES = powers(
    [move("colour", "players", "bag"), *(effect for effect in every("colour") if effect["from"] != "players")],
    [move("colour", "players", "discard"), *every("eldritch"), {"do": "fill", "n": 3}],
    [move("colour", "players", "mat"), *(effect for effect in every("chaos") if effect["to"] != "you")],
)
MAD = {"delirium": 1, "temperament_track": 1, "start_eldritch": 0, "madness_track": 1}
STRONG = {"delirium": 99, "start_eldritch": 9, "energy_track": [1, 1], "madness_track": 1, "shamblers_lose": "no"}
POWER_ICONS = [*(f"{colour} power" for colour in COLOURS), "draw", "madness"] * 2
QUIET: dict[str, Any] = {"front": [1] * 30}  # few draws by the wheel
BUSY: dict[str, Any] = {"front": [4] * 30}
SILENT: dict[str, Any] = {"front": [0, 0]}  # none

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "published": {"edition": "published"},
    "published, easy": EASY | {"edition": "published"},
    "easy": EASY,
    "easy, dear pages": EASY | {"page_cost": 2, "pages_per_card": "1", "max_rounds": 100},
    "free pages": EASY | {"page_cost": 0, "actions": 5},
    "every town action": EASY | towns(ACTIONS),
    "every ability": EASY | characters(ACTIONS, steps=1, collects=1, rerolls=1, banish_dice=1, stop_draws=1),
    "every power": EASY | {"great_old_one": "custom"} | old_one("custom", **LONG, powers=MOVES),
    "harsh powers": {"great_old_one": "custom"} | old_one("custom", powers=HARSH) | {"delirium": 3},
    "harsh powers, no shamblers": {"great_old_one": "custom", "edition": "published", "shamblers_each": 2}
    | old_one("custom", powers=HARSH),
    "mad by powers": MAD | {"great_old_one": "custom", "wheel": POWER_ICONS} | old_one("custom", **BUSY, powers=DRAWS),
    "mad by towns": MAD | old_one(**QUIET) | towns([DRAW_TWO] * 10),
    "mad by characters": MAD | old_one(**QUIET) | characters([DRAW_TWO] * 12),
    "mad by stops": MAD | old_one(**QUIET),
    "strong by powers": STRONG | {"great_old_one": "custom"} | old_one("custom", front=[1, 1], powers=DRAWS),
    "strong by towns": STRONG | old_one(**SILENT) | towns([DRAW_TWO] * 10),
    "strong by characters": STRONG | old_one(**SILENT) | characters([DRAW_TWO] * 12),
    "strong at once": STRONG | old_one(front=[9, 9]) | {"extra_strength": -1},
    "other powers of the back": EASY | old_one(**LONG, back_powers=powers([], [SPAWN, ALL_DRAW], [])),
    "few dice": EASY | {"n_dice": 1, "abilities": "none"},
    "tiny bags": EASY | TINY,
    "empty bags": EASY | TINY | {"bag_each": 0, "madness_each": 2, "start_eldritch": 0},
    "few shamblers": EASY | {"shamblers_each": 1, "shambler_track": 2, "eldritch": 6},
    "short shambler tracks": EASY | {"shambler_track": 1, "eldritch": 7, "edition": "published"},
    "eldritch comes back": EASY
    | {"shambler_track": 1, "eldritch": 6}
    | towns([move("eldritch", "discard", "supply")] * 10),
    "last shamblers": {"shamblers_each": 2, "shamblers_lose": "yes", "shambler_track": 5}
    | {"wheel": ["shambler", "madness"] * 5},
    "shamblers by powers": {"shamblers_each": 2, "shamblers_lose": "yes", "shambler_track": 5, "madness_track": 1}
    | {"great_old_one": "custom"}
    | old_one("custom", powers=SPAWNS),
    "short back": EASY | old_one(**LONG | {"back": [3, 3]}),
    "hard portals": EASY | old_one(**LONG | {"portals": {colour: [1, 5] for colour in COLOURS}}),
    "sealed colours": EASY
    | old_one(**LONG | {"portals": PORTALS | {"greed": [0, 9]}})
    | {"colour_sealed": "power-stops"},
    "failed seals": EASY
    | old_one(**LONG | {"portals": {colour: [3, 4] for colour in COLOURS}})
    | {"failed_seal": "tentacle"},
    "a small deck": EASY | {"page_cost": 0, "pages": reference_rules(rules_with())["pages"][:9]},
    "many madness": {"madness_track": 1, "start_eldritch": 0},
    "given luck": {
        "towns": ["market", "chapel", "museum", "harbour", "hunting lodge"],
        "table_characters": ["medium", "sailor", "investigator", "priest"],
    },
    "in and out": {"town_up": "observatory", "character_in": "historian", "character_out": "scientist"},
    "much chaos": EASY | {"page_cost": 3} | characters([move("chaos", "supply", "you", 2)] * 12, steps=2),
    "far moves": BRISK
    | old_one(**LONG | {"portals": {colour: [4, 6] for colour in COLOURS}})
    | characters([move("chaos", "supply", "you", 2)] * 12, steps=3),
    "rerolls one by one": EASY | {"rerolls": "total"} | characters([], rerolls=2),
    "round limit": {"max_rounds": 3},
    "endless turns": BRISK | {"max_actions": 10, "actions": 9} | towns([move("chaos", "supply", "you")] * 10),
}
for _name in ("yog_sothoth", "yig", "cthulhu", "custom"):
    SETTINGS[f"{_name}, easy"] = EASY | {"great_old_one": _name} | old_one(_name, **LONG)
for _rule in WITH_ALTERNATIVES:
    for _value in GAME.components[_rule].alternatives:
        SETTINGS[f"{_rule} {rule_text(_value)}"] = (EASY if len(SETTINGS) % 2 else BRISK) | {_rule: _value}
SETTINGS["powers after the draws"] = {"powers_resolve": "after-draws", "madness_track": 1, "start_eldritch": 0}
OFTEN = tuple(name for name in SETTINGS if name.startswith(("mad by", "strong by", "harsh", "shamblers by")))
"""Short games that end in rare ways."""
