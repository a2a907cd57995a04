"""What cards, characters and Great Old Ones do, as data: a small vocabulary of effects that play carries out.

Town cards and characters say what the seat may do; powers say what happens to the town. Where an effect leaves a choice
(which tentacle, which town), the seat whose turn it is chooses, one step at a time, and may stop.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

COLOURS = ("fear", "rage", "greed")
FEAR, RAGE, GREED = range(3)
KINDS = (*COLOURS, "chaos", "eldritch")
CHAOS, ELDRITCH = 3, 4
N_TOWNS, N_NUMBERS = 5, 5

PLACES = ("bag", "discard", "mat", "supply", "energy", "here", "you", "players")
"""Where tentacles lie: `mat` is the Shambler Mat, `here` the town one is in, `you` one's own player mat."""

Colour = Literal["fear", "rage", "greed"]
Few = Annotated[int, Field(ge=0, le=9)]
Some = Annotated[int, Field(ge=1, le=9)]

ROUTES = {
    "madness": (("here", "discard", "mat", "you"), ("here", "discard", "mat", "you", "bag")),
    "colour": (("discard", "mat", "players"), ("mat", "discard", "bag")),
    "chaos": (("supply", "discard"), ("you", "discard", "bag", "supply")),
    "eldritch": (("energy", "discard", "supply"), ("bag", "discard", "supply")),
}
"""From where and to where each kind of tentacle may move."""


class _Frozen(BaseModel):
    """Data of the box: nothing unknown in it, and not to be changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Move(_Frozen):
    """Up to n tentacles change places.

    Attributes
    ----------
    what
        madness: of any colour, as the seat chooses; colour: of the power's own; chaos; eldritch.
    source, target
        `from` and `to`, see `PLACES` and `ROUTES`.
    """

    do: Literal["move"]
    what: Literal["madness", "colour", "chaos", "eldritch"]
    source: Literal[PLACES] = Field(alias="from")  # type: ignore[valid-type]
    target: Literal[PLACES] = Field(alias="to")  # type: ignore[valid-type]
    n: Some = 1

    @model_validator(mode="after")
    def _has_a_route(self) -> Move:
        """Not every tentacle may lie everywhere."""
        sources, targets = ROUTES[self.what]
        if self.source not in sources or self.target not in targets or self.source == self.target:
            raise ValueError(
                f"{self.what} must move from {', '.join(sources)} to another of {', '.join(targets)}; "
                f"found from {self.source} to {self.target}"
            )
        return self


class Feed(_Frozen):
    """n Eldritch Tentacles from the supply to the Energy Track."""

    do: Literal["feed"]
    n: Some = 1


class Draw(_Frozen):
    """The seat, or every seat, draws n tentacles from the bag onto its player mat."""

    do: Literal["draw"]
    who: Literal["you", "all"] = "you"
    n: Some = 1


class Reveal(_Frozen):
    """Up to n face-down pages anywhere are turned face up."""

    do: Literal["reveal"]
    n: Some = 1


class Swap(_Frozen):
    """The page here changes places with that of another town."""

    do: Literal["swap"]


class Travel(_Frozen):
    """Go to any other town; nothing is drawn there and no page flipped."""

    do: Literal["travel"]


class Lure(_Frozen):
    """The Great Old One goes to any other town."""

    do: Literal["lure"]


class Banish(_Frozen):
    """A Banish with n dice fewer, one at least."""

    do: Literal["banish"]
    n: Few = 1


class Fill(_Frozen):
    """n towns with room, clockwise from the pointer's, get a Madness of the power's colour from the Discard Mat."""

    do: Literal["fill"]
    n: Annotated[int, Field(ge=1, le=N_TOWNS)] = 1


class Spawn(_Frozen):
    """n Shamblers of the power's colour come to the pointer's town, or to the Great Old One's."""

    do: Literal["spawn"]
    where: Literal["pointer", "great-old-one"] = "pointer"
    n: Some = 1


class Hide(_Frozen):
    """The first n face-up pages, clockwise from the pointer's town, are turned face down."""

    do: Literal["hide"]
    n: Annotated[int, Field(ge=1, le=N_TOWNS)] = 1


Action = Annotated[Move | Draw | Reveal | Swap | Travel | Lure | Banish, Field(discriminator="do")]
Power = Annotated[Move | Feed | Draw | Fill | Spawn | Hide, Field(discriminator="do")]
Actions = tuple[Action, ...]
Powers = tuple[Power, ...]


def check_actions(effects: Actions) -> Actions:
    """Refuse what only powers can do on a town card or a character."""
    for effect in effects:
        if isinstance(effect, Move) and (effect.what == "colour" or effect.source == "players"):
            raise ValueError("town cards and characters must not move `colour`: only a power has a colour of its own")
        if isinstance(effect, Draw) and effect.who == "all":
            raise ValueError('town cards and characters must draw for "you"; found who = "all"')
    return effects


class TownSide(_Frozen):
    """One side of a town card: its action, and the colours of Shamblers on its two halves of the wheel's edge."""

    name: Annotated[str, Field(min_length=1, max_length=30)]
    colours: tuple[Colour, Colour]
    effects: Actions

    @model_validator(mode="after")
    def _acts_like_a_seat(self) -> TownSide:
        """Only what a seat may do."""
        check_actions(self.effects)
        return self


class TownCard(_Frozen):
    """A town card has two sides."""

    front: TownSide
    back: TownSide


class Passive(_Frozen):
    """What a character always has: further steps, tentacles collected, dice rerolled; fewer dice, fewer draws."""

    steps: Few = 0
    collects: Few = 0
    rerolls: Few = 0
    banish_dice: Few = 0
    stop_draws: Few = 0


class Character(_Frozen):
    """A character: what it may do once a turn without an action, and what it always has."""

    name: Annotated[str, Field(min_length=1, max_length=30)]
    effects: Actions = ()
    passive: Passive = Passive()

    @model_validator(mode="after")
    def _acts_like_a_seat(self) -> Character:
        """Only what a seat may do."""
        check_actions(self.effects)
        return self


class ByColour(_Frozen):
    """A power for each colour."""

    fear: Powers
    rage: Powers
    greed: Powers

    @model_validator(mode="after")
    def _acts_like_a_power(self) -> ByColour:
        """A power leaves nobody a choice."""
        for effects in (self.fear, self.rage, self.greed):
            if any(isinstance(effect, Move) and effect.what == "madness" for effect in effects):
                raise ValueError("powers must move `colour`, `chaos` or `eldritch`; found `madness`, which is a choice")
            if any(isinstance(effect, Move) and "you" in (effect.source, effect.target) for effect in effects):
                raise ValueError("powers must not move tentacles to or from `you`; found it")
        return self

    @cached_property
    def by_colour(self) -> tuple[Powers, Powers, Powers]:
        """In the order of `COLOURS`."""
        return (self.fear, self.rage, self.greed)


Number = Annotated[int, Field(ge=0, le=9)]
Track = Annotated[tuple[Annotated[int, Field(ge=0, le=12)], ...], Field(min_length=2, max_length=30)]


class Portals(_Frozen):
    """Two portals of each colour, by the number that must be reached."""

    fear: tuple[Number, Number]
    rage: tuple[Number, Number]
    greed: tuple[Number, Number]


class GreatOldOne(_Frozen):
    """A Great Old One's mat.

    Attributes
    ----------
    front, back
        Tentacles drawn by the wheel after the Strength Token has advanced 0, 1, 2 ... spaces; one more is the last.
    portals, powers, back_powers
        `back_powers` take the place of `powers` in Phase Two, if given.
    """

    name: Annotated[str, Field(min_length=1, max_length=30)]
    front: Track
    back: Track
    portals: Portals
    powers: ByColour
    back_powers: ByColour | None = None


class Page(_Frozen):
    """A page card: its number on the Necronomicon, three colours of which the first so many are paid, its runes."""

    number: Annotated[int, Field(ge=1, le=N_NUMBERS)]
    cost: tuple[Colour, Colour, Colour]
    runes: Annotated[tuple[Colour, ...], Field(max_length=3)]
