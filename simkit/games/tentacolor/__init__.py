"""Tentacolor, declared: what the engine, the listings and the reports need to know of it."""

from __future__ import annotations

from pathlib import Path

from simkit.components import Components
from simkit.game import Column, Decision, Game, Key, Tally
from simkit.games.tentacolor import play
from simkit.games.tentacolor.rules import Rules
from simkit.games.tentacolor.state import ROUNDS_TOLD, RUN, fields
from simkit.games.tentacolor.tell import tell
from simkit.games.tentacolor.trace import describe, hidden
from simkit.games.tentacolor.view import TentacolorView

_LEFT = ("left neighbour", "second to the left", "third to the left")


def _opponents(rules: Rules, seats: int) -> tuple[str, ...]:
    """The other seats, from the left neighbour on."""
    return _LEFT[: seats - 1]


GAME = Game(
    id="tentacolor",
    title="Tentacolor",
    summary="Grow your tentacle card by card: five in a row that share a colour win (six with two players).",
    rules_version=1,
    players=(2, 3, 4),
    cooperative=False,
    components=Components.read(Path(__file__).with_name("components.toml")),
    rules=Rules,
    decisions=(
        Decision("place", ("kept card", "card passed to me", "card drawn"), "which card to put on the tentacle"),
        Decision("give", ("first card left", "second card left"), "which card to pass to the left"),
        Decision("shark", _opponents, "whose tentacle the shark bites"),
        Decision("school", _opponents, "who loses a card to the school of fish"),
        Decision(
            "rare",
            ("first card left", "second card left", "card drawn"),
            "what to place for the rare specimen",
            "place",
        ),
    ),
    streams=("pile", "carriers", "extremities", "reshuffle"),
    end_causes=("run-complete", "deck-out"),
    fields=fields,
    setup=play.setup,
    turn=play.turn,
    outcome=play.outcome,
    view=TentacolorView,
    hidden=hidden,
    describe=describe,
    score=Column("score", "uint8", "cards", "longest run at the end of the tentacle (Expert: in one's own colours)"),
    columns=(
        Column("n_bitten", "uint16", "cards", "removed by sharks"),
        Column("n_swapped", "uint16", "cards", "lost to schools of fish"),
        Column("n_rare", "uint16", "cards", "placed for rare specimens"),
    ),
    tallies=(
        Tally(
            "progress",
            (
                Key("round", ROUNDS_TOLD, "rounds"),
                Key("seat", lambda rules, seats: seats),
                Key("run", lambda rules, seats: rules.need(seats) + 1, "cards"),
            ),
            "longest run right after a seat has placed its card of a round (the last round stands for all later ones, "
            "the longest run for all longer ones)",
        ),
    ),
    standing=lambda table: table.state.tip[:, RUN],
    tell=tell,
    source=Path(__file__).parent,
    turn_seconds=5e-8,
    width=1 << 18,
)
