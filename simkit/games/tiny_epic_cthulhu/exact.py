"""Exact answers on Tiny Epic Cthulhu: the bag, the dice, the wheel.

Probabilities are fractions; nothing is drawn and nothing rounded. How the whole game goes depends on what players do,
and is for simulation.
"""

from __future__ import annotations

from simkit.exact import Topic
from simkit.games.tiny_epic_cthulhu.exact_bag import DrawsOptions, StrengthOptions, draws, strength
from simkit.games.tiny_epic_cthulhu.exact_dice import BanishOptions, SealOptions, banish, seal
from simkit.games.tiny_epic_cthulhu.exact_wheel import WheelOptions, wheel

TOPICS = (
    Topic("strength", "draws until the Great Old One first grows stronger", StrengthOptions, strength),
    Topic("draws", "what the next tentacles drawn from the bag are", DrawsOptions, draws),
    Topic("banish", "what banishing a Shambler costs, and how often it can be paid", BanishOptions, banish),
    Topic("seal", "how often the dice seal a portal", SealOptions, seal),
    Topic("wheel", "where the Wheel of Madness stops, and what its icon says about its tail", WheelOptions, wheel),
)
