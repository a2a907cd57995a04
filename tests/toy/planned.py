"""What the toy's tests play: the user's folder, its experiment, and the keepers by hand."""

from __future__ import annotations

from pathlib import Path

from simkit.experiment import load
from simkit.plan import Plan, make_plan

from . import beacon_by_hand as by_hand

TOY = Path(__file__).parent
EXPERIMENT = TOY / "experiments" / "beacon.toml"
SEED = 31
BY_HAND = {
    "watchful": by_hand.watchful(),
    "miser": by_hand.thrifty(2),
    "plain": by_hand.plain,
    "random": by_hand.any_legal,
}


def planned(chunk_deals: int | None = None, **overrides) -> Plan:
    return make_plan(load(EXPERIMENT, overrides), EXPERIMENT, chunk_deals=chunk_deals)


MIXED = {"players": 3, "games": 150, "line_ups": [["miser", "plain", "plain"], ["watchful", "plain", "miser"]]}
