"""Exact answers on the Wheel of Madness: where pointer and tail stop, and what one says about the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from simkit.errors import UserError
from simkit.exact import Answer, Measure, Value, percent
from simkit.games.tiny_epic_cthulhu.cards import N_TOWNS
from simkit.games.tiny_epic_cthulhu.rules import ICONS

Spin: TypeAlias = tuple[int, ...]
"""The pointer's town, the icon's place in `ICONS`, towns clockwise from there to the tail, and the tail's half."""


class WheelOptions(BaseModel):
    """Which spins are looked at."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    icon: Literal["any", *ICONS] = Field(  # type: ignore[valid-type]
        "any", description="only spins that stop at this icon"
    )


def wheel_distribution(rules: Any) -> dict[Spin, Fraction]:
    """The exact joint distribution of what one spin says.

    A town card has half a fifth of the circle for either of its Shambler colours. `opposite`: the tail is half a circle
    from the pointer, which stops in either half of its segment equally often. `independent`: the tail stops in any of
    the four halves of the two towns that do not touch the pointer's, whatever the icon.
    """
    spins = [*(_opposite(rules) if rules.wheel_tail == "opposite" else _independent(rules))]
    found: dict[Spin, Fraction] = defaultdict(Fraction)
    for spin in spins:
        found[spin] += Fraction(1, len(spins))
    return dict(found)


def _opposite(rules: Any) -> Iterator[Spin]:
    """Every half segment that the pointer may stop in."""
    size = len(rules.wheel)
    for place in range(2 * size):
        segment, across = place // 2, (place + size) % (2 * size)
        town, tail = segment * N_TOWNS // size, across * N_TOWNS // (2 * size)
        half = across * 2 * N_TOWNS // (2 * size) % 2
        yield town, ICONS.index(rules.wheel[segment]), (tail - town) % N_TOWNS, half


def _independent(rules: Any) -> Iterator[Spin]:
    """Every segment for the pointer, and every place for the tail."""
    for segment, icon in enumerate(rules.wheel):
        for distance in (2, 3):
            for half in (0, 1):
                yield segment * N_TOWNS // len(rules.wheel), ICONS.index(icon), distance, half


def wheel(rules: Any, options: WheelOptions) -> Answer:
    """Where a spin stops, how often each icon comes up, and what it says about the tail."""
    spins = wheel_distribution(rules)
    icons = {name: _share(spins, place) for place, name in _all(spins)}
    if options.icon != "any" and options.icon not in icons:
        raise UserError(f"`--icon` must be on the wheel, one of {', '.join(icons)}; found {options.icon}")
    far = {name: _share(spins, place, 3) / icons[name] for place, name in _all(spins)}
    values = [Value(_name(name), p, "probability", f"the pointer stops at {name}") for name, p in icons.items()]
    values += [
        Value(f"{_name(name)}_tail_3", p, "probability", f"at {name}, that the tail is three towns on rather than two")
        for name, p in far.items()
    ]
    guessed = sum((icons[name] * max(p, 1 - p) for name, p in far.items()), Fraction(0))
    values.append(Value("guessed", guessed, "probability", "which of the two it is can be guessed right by the icon"))
    chosen = spins
    if options.icon != "any":
        place, p_icon = ICONS.index(options.icon), icons[options.icon]
        chosen = {spin: p / p_icon for spin, p in spins.items() if spin[1] == place}
    return Answer(_told(rules, options, icons, guessed), MEASURES, chosen, tuple(values), shown=("icon", "distance"))


MEASURES = (
    Measure("town", "town", "where the pointer stops, from 0 clockwise"),
    Measure("icon", "icon", ", ".join(f"{place} {name}" for place, name in enumerate(ICONS))),
    Measure("distance", "towns", "clockwise from the pointer's town to the tail's"),
    Measure("half", "half", "of the tail's town card: 0 its first Shambler colour, 1 its second"),
)


def _all(spins: dict[Spin, Fraction]) -> list[tuple[int, str]]:
    """The icons on the wheel, with their places in `ICONS`."""
    return [(place, ICONS[place]) for place in sorted({icon for _, icon, _, _ in spins})]


def _share(spins: dict[Spin, Fraction], place: int, *distances: int) -> Fraction:
    """How often the icon comes up, with the tail at one of these distances if any are named."""
    counted = distances or (2, 3)
    return sum((p for (_, icon, far, _), p in spins.items() if icon == place and far in counted), Fraction(0))


def _name(icon: str) -> str:
    """An icon as the name of a value."""
    return icon.replace(" ", "_")


def _told(rules: Any, options: WheelOptions, icons: dict[str, Fraction], guessed: Fraction) -> tuple[str, ...]:
    """The answer in words."""
    tail = "opposite the pointer" if rules.wheel_tail == "opposite" else "at either town across, whatever the icon"
    told = [
        f"A wheel of {len(rules.wheel)} segments, the tail {tail}.",
        "The pointer stops at " + ", ".join(f"{name} in {percent(p)}" for name, p in icons.items()) + " of spins.",
        "The tail is two or three towns clockwise from the pointer: never at its town or next to it.",
    ]
    if guessed > Fraction(1, 2):
        told.append(f"Who sees the icon alone can guess which of the two it is, and is right in {percent(guessed)}.")
    else:
        told.append("The icon says nothing about which of the two it is.")
    if options.icon != "any":
        told.append(f"The table is of spins that stop at {options.icon}.")
    return tuple(told)
