"""Mistakes in a deck of Octobuns of one's own: in an experiment file and on the command line."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from .mistake import RUN, Mistake, check, each, written

BOX = """\
question = "Does it play?"
game = "octobuns"
players = 2
games = 8
strategies = ["random"]

[rules]
ingredients = ["flour", "salt"]
buns = [{ name = "bun", of = ["flour", "salt"] }]
small_orders = [
    { name = "gull", items = ["salt", "bun"], coins = 3, icon = "supply" },
    { name = "seal", items = ["salt", "flour"], coins = 2 },
]
large_orders = [{ name = "cat", items = ["salt", "bun", "salt"], coins = 5 }]
"""
FILE = "experiments/trial.toml"


def changed(old: str, new: str, *said: str) -> Mistake:
    """The box above with a change; the message names the file as well."""
    assert BOX.count(old) == 1
    return Mistake(RUN, (FILE, *said), written(BOX.replace(old, new)))


DECKS = {
    "unknown item": changed('"flour"], coins', '"fluor"], coins', "seal must be made of flour, salt, bun; found fluor"),
    "too short": changed(
        '["salt", "flour"], coins = 2', '["salt"], coins = 2', "`rules.small_orders[1].items`", "2 items"
    ),
    "too long": changed('["salt", "bun", "salt"]', '["salt", "bun", "salt", "bun", "salt", "bun"]', "5 items"),
    "one guest twice": changed('"cat"', '"gull"', "orders must have names of their own; found gull twice"),
    "unknown icon": changed('"supply"', '"suply"', "`rules.small_orders[0].icon`", "'supply'; found 'suply'"),
    "coins out of range": changed("coins = 5", "coins = 50", "`rules.large_orders[0].coins`", "at most 20; found 50"),
    "coins as text": changed("coins = 5", 'coins = "5"', "`rules.large_orders[0].coins`", "a whole number; found '5'"),
    "coins left out": changed(", coins = 5", "", "`rules.large_orders[0].coins`", "must be set"),
    "unknown key of an order": changed(
        "coins = 2", "coins = 2, rank = 1", "`rules.small_orders[1].rank`", "no known key"
    ),
    "more than the box has": changed("[rules]", "[rules]\ncopies = 1", "cat needs 2 cards of salt; copies is 1"),
    "bun of an unknown ingredient": changed('of = ["flour"', 'of = ["yeast"', "bun bun must be made of flour, salt"),
    "two buns of a pair": changed(
        '"salt"] }]',
        '"salt"] }, { name = "bao", of = ["salt", "flour"] }]',
        "salt and flour must make one kind of bun; found bun and bao",
    ),
    "unknown given order": changed(
        "[rules]", '[rules]\ngiven_order = "gul"', "given_order must be a name", "found gul"
    ),
    "unknown rule": changed("small_orders", "small_order", "unknown rule `small_order`; did you mean `small_orders`?"),
    "a table for a list": changed(
        '[{ name = "bun", of = ["flour", "salt"] }]', "{ bun = 1 }", "`rules.buns`", "must be a list"
    ),
}


@each(DECKS)
def test_mistake_of_a_deck(here: Path, mistake: Mistake) -> None:
    check(here, mistake)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("rules.buns=[]", "must be made of"),
        ("rules.given_order='nobody'", "given_order must be a name in small_orders or large_orders; found nobody"),
        ("rules.large_orders=[{name='cat', items=['kelp'], coins=3}]", "`rules.large_orders[0].items`"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_deck_set_by_an_option(here: Path, command: str, setting: str, said: str) -> None:
    words = f"{RUN if command == 'run' else f'check {FILE}'} --set game=octobuns --set {shlex.quote(setting)}"
    check(here, Mistake(words, (said,)))
