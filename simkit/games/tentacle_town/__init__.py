"""Tentacle Town, declared: what the engine, the listings and the reports need to know of it."""

from __future__ import annotations

from pathlib import Path

from simkit.components import Components
from simkit.game import Column, Decision, Game, Key, Tally
from simkit.games.tentacle_town import play
from simkit.games.tentacle_town.exact import TOPICS
from simkit.games.tentacle_town.harpoons import PURPOSES
from simkit.games.tentacle_town.play_attack import EVENTS
from simkit.games.tentacle_town.rules import DISTRICTS, FACES, ROWS, TASKS, Rules
from simkit.games.tentacle_town.state import EFFECTS, N_OPTIONS, ROUNDS_TOLD, fields
from simkit.games.tentacle_town.tell import tell
from simkit.games.tentacle_town.trace import describe, hidden
from simkit.games.tentacle_town.view import TentacleTownView

WORK = ("pass", "build", *(name.replace("_", " ") for name in TASKS))
OVERTIME = ("stop", *WORK[1:])
_OWNERS = ("own building", "left neighbour", "second to the left", "third to the left")


def _rows(rules: Rules, seats: int) -> tuple[str, ...]:
    """The rows in use."""
    return ROWS[: len(rules.rows_for(seats))]


def _places(rules: Rules, seats: int) -> tuple[str, ...]:
    """Rows of all districts."""
    return tuple(f"{district} {row}" for district in DISTRICTS for row in _rows(rules, seats))


def _numbers(rules: Rules, seats: int) -> tuple[str, ...]:
    """How often a task may be done in one go."""
    return tuple(map(str, range(rules.most_times + 1)))


def _seats(rules: Rules, seats: int) -> int:
    """Keys of a seat."""
    return seats


_round = Key("round", ROUNDS_TOLD, "rounds")
_district = Key("district", len(DISTRICTS), labels=DISTRICTS)
_dice = Key("dice", lambda rules, seats: rules.dice + 1, "dice")

GAME = Game(
    id="tentacle-town",
    title="Tentacle Town",
    summary="Recruit residents, hunt tentacles and defend the town: the most famous founder becomes mayor.",
    rules_version=1,
    players=(2, 3, 4),
    cooperative=False,
    components=Components.read(Path(__file__).with_name("components.toml")),
    rules=Rules,
    decisions=(
        Decision("district", DISTRICTS, "where to put the new resident"),
        Decision("work", WORK, "what the new resident does"),
        Decision("overtime", OVERTIME, "what else is done this turn, for gold", "work"),
        Decision("row", _rows, "in which row to build"),
        Decision("times", _numbers, "how often to trade, or how many harpoons to throw"),
        Decision("hunt_area", DISTRICTS, "whose ocean area to hunt in"),
        Decision("fire", ("stop", "fire"), "whether to fire another harpoon in a hunt"),
        Decision("movers_from", _places, "which building to move"),
        Decision("movers_to", _places, "where to move it"),
        Decision("tentacle_from", DISTRICTS, "which ocean area a tentacle leaves when none is left"),
        Decision("die", FACES, "which result of the dice comes next"),
        Decision("retreat", DISTRICTS, "where a resident flees"),
        Decision("victim", lambda rules, seats: _OWNERS[:seats], "whose building in the outermost row falls"),
        Decision("defend_building", ("let it fall", "fire"), "whether to fire a harpoon for one's building"),
        Decision("defend_resident", ("let go", "fire"), "whether to fire a harpoon for a resident", "defend_building"),
    ),
    streams=("cards", "dice", "harpoons"),
    end_causes=("no-resident",),
    fields=fields,
    setup=play.setup,
    turn=play.turn,
    outcome=play.outcome,
    view=TentacleTownView,
    hidden=hidden,
    describe=describe,
    tell=tell,
    score=Column("fame", "uint16", "fame", "at the end, with that for the most buildings"),
    columns=(
        Column("n_killed", "uint16", "residents", "killed by tentacles: the game has 20 turns and one for each"),
        Column("n_fled", "uint16", "residents", "that fled to another district"),
        Column("n_destroyed", "uint16", "buildings", "destroyed"),
        Column("n_saved", "uint16", "results", "of dice repelled by a harpoon"),
        Column("cards", "uint16", "bit mask of task cards", "in play, in the order of the rulebook's list"),
        Column("over_tokens", "bool", "", "more tokens of a kind were held at the end of a turn than the box has"),
        Column("majority_lost", "uint8", "fame", "lost to rounding when tied seats shared a district"),
        Column("majority_unheld", "uint8", "fame", "not awarded: residents of districts without buildings"),
    ),
    seat_columns=(
        Column("gold", "uint16", "gold", "left: the tie-break"),
        Column("from_hunting", "uint16", "fame", "by hunting"),
        Column("from_defence", "uint16", "fame", "by hitting tentacles in defence"),
        Column("from_board", "uint16", "fame", "by other tasks on the board: the Calamari Caravan"),
        Column("from_cards", "uint16", "fame", "by task cards"),
        Column("from_majority", "uint16", "fame", "for the most buildings in districts"),
        Column("spent", "uint16", "fame", "paid for tasks"),
        Column("n_buildings", "uint8", "buildings", "standing at the end"),
        Column("n_built", "uint16", "buildings", "built"),
        Column("n_lost", "uint16", "buildings", "destroyed"),
        Column("n_fired", "uint16", "harpoons", "fired"),
        Column("n_hit", "uint16", "harpoons", "that hit"),
        Column("n_overtime", "uint16", "tasks", "done by overtime"),
        Column("cards_used", "uint16", "bit mask of task cards", "done at least once"),
    ),
    tallies=(
        Tally("attacks", (_round, _district, _dice), "attacks by round (the last for all later ones), place and dice"),
        Tally(
            "events",
            (_round, _district, Key("event", len(EVENTS), labels=EVENTS)),
            "what attacks did, by round and district",
        ),
        Tally(
            "outcomes",
            (
                _dice,
                Key("plenty", 2),
                Key("effect", len(EFFECTS), labels=EFFECTS),
                Key("number", lambda rules, seats: rules.dice + 1),
            ),
            "attacks by dice, by whether residents, buildings and tentacles elsewhere were enough for all of them, and "
            "by how many were killed, fled, destroyed, added and removed",
        ),
        Tally(
            "tasks",
            (Key("seat", _seats), Key("option", N_OPTIONS, labels=WORK), Key("how", 2, labels=("work", "overtime"))),
            "what seats did with their turns",
        ),
        Tally(
            "harpoons",
            (Key("seat", _seats), Key("purpose", len(PURPOSES), labels=PURPOSES), Key("hit", 2)),
            "harpoons fired, by seat and purpose",
        ),
    ),
    standing=lambda table: table.state.fame,
    exact=TOPICS,
    source=Path(__file__).parent,
    turn_seconds=6e-7,
    width=1 << 17,
)
