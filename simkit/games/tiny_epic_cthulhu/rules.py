"""Tiny Epic Cthulhu's parameters, validated, and the tables that play looks things up in."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, model_validator

from simkit.games.tiny_epic_cthulhu.cards import (
    COLOURS,
    N_NUMBERS,
    N_TOWNS,
    Character,
    Few,
    GreatOldOne,
    Page,
    Powers,
    Some,
    TownCard,
    TownSide,
)

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]

ICONS = ("madness", "shambler", "chaos", "fear power", "rage power", "greed power", "draw")
MODES = ("normal", "hard", "madness")
GREAT_OLD_ONES = ("nyarlathotep", "yog_sothoth", "yig", "cthulhu", "custom")
MOST_SEATS, MOST_STEPS, MOST_TENTACLES = 4, 4, 250

Edition = Literal["edition", "yes", "no"]
Count = Annotated[int, Field(ge=0, le=60)]
Length = Annotated[int, Field(ge=1, le=9)]
Shift = Annotated[int, Field(ge=-3, le=3)]


class Rules(BaseModel):
    """One value for each component of `components.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    edition: Literal["rulebook", "published"]
    shamblers_lose: Edition
    flip: Literal["edition", "passed", "stopped"]
    must_leave: Literal["edition", "an-action", "first-action"]
    page_at_great_old_one: Literal["edition", "face-down", "face-up"]
    eldritch_returns: Edition
    colour_sealed: Literal["edition", "nothing", "power-stops"]

    great_old_one: Literal[GREAT_OLD_ONES]  # type: ignore[valid-type]
    mode: Literal[MODES]  # type: ignore[valid-type]

    madness_each: Count
    bag_each: Count
    mat_each: Count
    discard_each: Count
    chaos: Count
    eldritch: Count
    start_eldritch: Few
    shamblers_each: Annotated[int, Field(ge=1, le=60)]
    chaos_per_line: Few
    actions: Some
    temperament_track: Length
    chaos_track: Few
    madness_track: Length
    shambler_track: Length
    energy_track: tuple[Length, Length]
    delirium: Annotated[int, Field(ge=1, le=99)]
    brain_at_start: bool

    wheel: Annotated[tuple[Literal[ICONS], ...], Field(min_length=5, max_length=60)]  # type: ignore[valid-type]
    wheel_tail: Literal["opposite", "independent"]
    pointer_shambler: Literal["pointer", "tail"]
    follows_accursed: bool
    powers_resolve: Literal["at-once", "after-draws"]

    n_dice: Annotated[int, Field(ge=1, le=3)]
    die: Annotated[tuple[Annotated[int, Field(ge=0, le=9)], ...], Field(min_length=3, max_length=3)]
    rerolls: Literal["once", "total"]
    banish_cost: Literal["highest", "sum"]
    banish_target: Literal["after-roll", "before-roll"]
    free_banish: bool

    move_distance: Literal["up-to", "exact"]
    must_leave_checked: Literal["actions", "turn-start"]

    pages: Annotated[tuple[Page, ...], Field(min_length=5, max_length=60)]
    page_cost: Annotated[int, Field(ge=0, le=3)]
    pages_per_card: Literal["1", "1-2", "2"]

    portals_harder: Shift
    failed_seal: Literal["nothing", "tentacle"]
    extra_strength: Shift
    energy_at_flip: Literal["kept", "bag"]
    powers: Literal["printed", "none", "twice"]
    town_actions: Literal["printed", "none"]
    abilities: Literal["printed", "none"]

    nyarlathotep: GreatOldOne
    yog_sothoth: GreatOldOne
    yig: GreatOldOne
    cthulhu: GreatOldOne
    custom: GreatOldOne

    town_cards: Annotated[tuple[TownCard, ...], Field(min_length=N_TOWNS, max_length=N_TOWNS)]
    towns: tuple[str, ...]
    town_up: str
    characters: Annotated[tuple[Character, ...], Field(min_length=MOST_SEATS, max_length=12)]
    table_characters: tuple[str, ...]
    character_in: str
    character_out: str
    max_actions: Annotated[int, Field(ge=10, le=1000)]
    max_rounds: Annotated[int, Field(ge=1, le=1000)]

    @model_validator(mode="after")
    def _fits(self) -> Rules:
        """The box is enough for the set-up; what is named exists."""
        if not sum(self.die):
            raise ValueError("die must have a face; found none")
        if len(self.wheel) % N_TOWNS:
            raise ValueError(f"wheel must have a multiple of {N_TOWNS} segments; found {len(self.wheel)}")
        self._check_counts()
        self._check_towns()
        self._check_characters()
        for side in range(2):
            if not len(self.draws(side)):
                raise ValueError("extra_strength must leave the strength track a space; found none")
        return self

    def _check_counts(self) -> None:
        """Tentacles are enough, and their number fits into a byte."""
        if (placed := self.bag_each + self.mat_each + self.discard_each) != self.madness_each:
            raise ValueError(
                f"bag_each + mat_each + discard_each must be madness_each ({self.madness_each}); found {placed}"
            )
        if self.chaos < 2 * N_NUMBERS * self.chaos_per_line:
            raise ValueError(f"chaos must be enough for ten lines of {self.chaos_per_line}; found {self.chaos}")
        if self.eldritch < self.n_eldritch + N_TOWNS:
            raise ValueError(f"eldritch must be at least {self.n_eldritch + N_TOWNS} for set-up; found {self.eldritch}")
        if (total := 3 * self.madness_each + self.chaos + self.eldritch) > MOST_TENTACLES:
            raise ValueError(f"at most {MOST_TENTACLES} tentacles can be counted; found {total}")

    def _check_towns(self) -> None:
        """Each card lies somewhere, once."""
        names = self.side_names
        if len(set(names)) < len(names):
            raise ValueError(f"sides of town cards must have names of their own; found {', '.join(names)}")
        for rule, named in (("towns", self.towns), ("town_up", (self.town_up,) if self.town_up else ())):
            for name in named:
                if name not in names:
                    raise ValueError(f"{rule} must name sides of town cards: {', '.join(names)}; found {name}")
        if self.towns and sorted(names.index(name) // 2 for name in self.towns) != list(range(N_TOWNS)):
            raise ValueError(f"towns must name one side of each of the {N_TOWNS} cards; found {', '.join(self.towns)}")
        if self.towns and self.town_up:
            raise ValueError("town_up changes the deal: it cannot go with a fixed list of towns")

    def _check_characters(self) -> None:
        """Characters exist, each once."""
        names = self.character_names
        if len(set(names)) < len(names):
            raise ValueError(f"characters must have names of their own; found {', '.join(names)}")
        given = [(name, "table_characters") for name in self.table_characters]
        given += [(getattr(self, rule), rule) for rule in ("character_in", "character_out") if getattr(self, rule)]
        for name, rule in given:
            if name not in names:
                raise ValueError(f"{rule} must name characters: {', '.join(names)}; found {name}")
        if len(set(self.table_characters)) < len(self.table_characters):
            raise ValueError(f"table_characters must be different; found {', '.join(self.table_characters)}")
        if 0 < len(self.table_characters) < MOST_SEATS:
            raise ValueError(f"table_characters must name one for each of {MOST_SEATS} seats, used or not")
        if self.table_characters and (self.character_in or self.character_out):
            raise ValueError("character_in and character_out change the deal: they cannot go with table_characters")
        if self.character_in and self.character_in == self.character_out:
            raise ValueError(f"character_in and character_out must differ; found {self.character_in} for both")

    # ------------------------------------------------------------------------------------------------ the edition

    def _says(self, rule: str, rulebook: str, published: str) -> str:
        """What a rule says that follows the edition unless set by itself."""
        value = str(getattr(self, rule))
        return (published if self.edition == "published" else rulebook) if value == "edition" else value

    @cached_property
    def loses_without_shamblers(self) -> bool:
        """Whether the table loses when no Shambler is left on the Shambler Mat."""
        return self._says("shamblers_lose", "no", "yes") == "yes"

    @cached_property
    def flips_passed(self) -> bool:
        """Whether a move may flip a page that was only passed."""
        return self._says("flip", "passed", "stopped") == "passed"

    @cached_property
    def leaves_first(self) -> bool:
        """Whether the first action must be to leave the Great Old One."""
        return self._says("must_leave", "an-action", "first-action") == "first-action"

    @cached_property
    def starts_face_up(self) -> bool:
        """Whether the page at the Great Old One's first town lies face up."""
        return self._says("page_at_great_old_one", "face-down", "face-up") == "face-up"

    @cached_property
    def eldritch_comes_back(self) -> bool:
        """Whether Eldritch on the Discard Mat return to the bag when energy is accursed."""
        return self._says("eldritch_returns", "no", "yes") == "yes"

    @cached_property
    def sealing_stops_power(self) -> bool:
        """Whether a colour's power stops once both its portals are sealed."""
        return self._says("colour_sealed", "nothing", "power-stops") == "power-stops"

    # ------------------------------------------------------------------------------------------ the Great Old One

    @cached_property
    def mat(self) -> GreatOldOne:
        """The mat of the Great Old One that is played."""
        chosen: GreatOldOne = getattr(self, self.great_old_one)
        return chosen

    @cached_property
    def n_eldritch(self) -> int:
        """Eldritch Tentacles in the bag at the start."""
        return self.start_eldritch + MODES.index(self.mode)

    def draws(self, side: int) -> tuple[int, ...]:
        """Tentacles drawn by the wheel at each strength, on the front (0) or the back (1)."""
        printed = self.mat.back if side else self.mat.front
        more = self.extra_strength
        return (printed[0],) * more + tuple(printed) if more >= 0 else tuple(printed[-more:])

    @cached_property
    def draw_table(self) -> Bytes:
        """Tentacles drawn by side and strength, uint8 (2, spaces); 0 beyond the track."""
        table = np.zeros((2, max(self.last_space) + 1), np.uint8)
        for side in range(2):
            table[side, : self.last_space[side]] = self.draws(side)
        return table

    @cached_property
    def last_space(self) -> tuple[int, int]:
        """Steps of strength at which the game is lost, by side."""
        return (len(self.draws(0)), len(self.draws(1)))

    def effects_of(self, colour: int, side: int) -> Powers:
        """What a power does, once or twice over."""
        printed = self.mat.back_powers if side and self.mat.back_powers else self.mat.powers
        return printed.by_colour[colour] * {"none": 0, "printed": 1, "twice": 2}[self.powers]

    @cached_property
    def portal_numbers(self) -> tuple[int, ...]:
        """The number to reach for each of the six portals, by colour; an impossible one stays so."""
        printed = (getattr(self.mat.portals, colour) for colour in COLOURS)
        return tuple(max(0, number + self.portals_harder) for pair in printed for number in pair)

    # ------------------------------------------------------------------------------------------ towns, characters

    @cached_property
    def sides(self) -> tuple[TownSide, ...]:
        """Sides of the town cards: front and back of the first, of the second ..."""
        return tuple(side for card in self.town_cards for side in (card.front, card.back))

    @cached_property
    def side_names(self) -> tuple[str, ...]:
        """Names of the sides."""
        return tuple(side.name for side in self.sides)

    @cached_property
    def side_colours(self) -> Bytes:
        """Shambler colours of each side's two halves, uint8 (sides, 2)."""
        return np.array([[COLOURS.index(colour) for colour in side.colours] for side in self.sides], np.uint8)

    @cached_property
    def character_names(self) -> tuple[str, ...]:
        """Names of the characters."""
        return tuple(character.name for character in self.characters)

    @cached_property
    def passives(self) -> dict[str, Bytes]:
        """What each character always has, by name, uint8 (characters,)."""
        names = ("steps", "collects", "rerolls", "banish_dice", "stop_draws")
        off = self.abilities == "none"
        return {
            name: np.array([0 if off else getattr(c.passive, name) for c in self.characters], np.uint8)
            for name in names
        }

    # ------------------------------------------------------------------------------------------------- the pages

    @cached_property
    def page_costs(self) -> Bytes:
        """Madness that each page costs by colour, uint8 (pages, 3)."""
        costs = np.zeros((len(self.pages), 3), np.uint8)
        for place, page in enumerate(self.pages):
            for colour in page.cost[: self.page_cost]:
                costs[place, COLOURS.index(colour)] += 1
        return costs

    @cached_property
    def page_numbers(self) -> npt.NDArray[np.bool_]:
        """Rows of the Necronomicon that each page shows, bool (pages, 5)."""
        shows = np.zeros((len(self.pages), N_NUMBERS), bool)
        for place, page in enumerate(self.pages):
            shows[place, page.number - 1] = True
            if self.pages_per_card == "2" or (self.pages_per_card == "1-2" and place % 2):
                shows[place, page.number % N_NUMBERS] = True
        return shows

    @cached_property
    def page_runes(self) -> Bytes:
        """Runes of each page by colour, uint8 (pages, 3)."""
        runes = np.zeros((len(self.pages), 3), np.uint8)
        for place, page in enumerate(self.pages):
            for colour in page.runes:
                runes[place, COLOURS.index(colour)] += 1
        return runes

    # ------------------------------------------------------------------------------------------------- the wheel

    @cached_property
    def spins(self) -> dict[str, Any]:
        """Equally likely ways in which the spinner may stop.

        Returns
        -------
        dict of uint8 (ways,)
            `segment` and `town` of the pointer, `tail`'s town and which `half` of it.
        """
        n = len(self.wheel)
        if self.wheel_tail == "opposite":  # half segments: with an odd number of them the tail stops at either
            way = np.arange(2 * n)
            segment, opposite = way // 2, (way + n) % (2 * n)
            tail, half = opposite * N_TOWNS // (2 * n), opposite * 2 * N_TOWNS // (2 * n) % 2
        else:
            way = np.arange(4 * n)
            segment, half = way // 4, way % 2
            tail = (segment * N_TOWNS // n + 2 + way // 2 % 2) % N_TOWNS
        told = {"segment": segment, "town": segment * N_TOWNS // n, "tail": tail, "half": half}
        return {name: array.astype(np.uint8) for name, array in told.items()}
