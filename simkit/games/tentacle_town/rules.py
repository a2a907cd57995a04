"""Tentacle Town's parameters, validated, and the tasks that they describe."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

DISTRICTS = ("docks", "market", "foundry")
DOCKS, MARKET, FOUNDRY = range(3)
ROWS = ("outermost row", "second row", "third row")
GOODS = ("gold", "food", "iron", "fame", "harpoons")
BOARD_TASKS = (
    *("hunt_tentacles", "butcher_catch"),
    *("sell_sushi", "calamari_caravan"),
    *("forge_harpoons", "smelt_iron"),
)
"""Two for each district, in the districts' order."""
CARDS = (
    *("declaw_crabs", "recycle_anchors", "whittle_sticks", "research_steel", "fancy_shindig", "erect_a_statue"),
    *("bake_pie", "squid_bake", "plant_flowers", "can_calamari", "housing_project", "hire_movers"),
)
TASKS = (*BOARD_TASKS, *CARDS)
HUNT, HOUSING, MOVERS = (TASKS.index(name) for name in ("hunt_tentacles", "housing_project", "hire_movers"))
SKULL, ARROW, DESTROY, NEW = range(4)
FACES = ("skull", "arrow", "destroy", "new")

MOST_HELD = 60_000
"""What a seat may come to hold of a good, so that it fits into 16 bits."""

Count = Annotated[int, Field(ge=0, le=40)]
Some = Annotated[int, Field(ge=1, le=40)]
Few = Annotated[int, Field(ge=0, le=9)]


class Goods(BaseModel):
    """An amount of each good."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gold: Few = 0
    food: Few = 0
    iron: Few = 0
    fame: Few = 0
    harpoons: Few = 0

    @cached_property
    def some(self) -> tuple[tuple[str, int], ...]:
        """The goods that there are, with their numbers."""
        return tuple((good, getattr(self, good)) for good in GOODS if getattr(self, good))


class Task(BaseModel):
    """A task: what it costs, what it gives, and how often.

    Attributes
    ----------
    cost, gain
        Paid and taken once, or as often as `up_to` allows.
    per
        The gain is multiplied by the seat's own buildings, or by the residents, in the district; the cost is not.
    up_to
        Cost and gain up to once for each of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cost: Goods = Goods()
    gain: Goods = Goods()
    per: Literal["", "buildings", "residents"] = ""
    up_to: Literal["", "buildings", "residents"] = ""


def _exact_share(value: Any) -> Any:
    """A number or "a/b" as text in lowest terms: 0.4 and "2/5" are the same."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return value
    if len(text := str(value)) > 24:
        raise ValueError('must be a probability such as 0.5 or "1/2" in at most 24 characters')
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f'must be a probability such as 0.5 or "1/2"; found {text}') from error
    if not 0 <= share <= 1 or share.denominator > 1_000_000:
        raise ValueError(f"must be a probability from 0 to 1, with a denominator up to 1,000,000; found {text}")
    return str(share)


Share = Annotated[str, BeforeValidator(_exact_share)]
CardName = Literal["", *CARDS]  # type: ignore[valid-type]


class Rules(BaseModel):
    """One value for each component of `components.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: Annotated[tuple[Annotated[int, Field(ge=1, le=12)], ...], Field(min_length=3, max_length=3)]
    row_left_out_two_players: Count
    row_left_out_three_players: Count
    adjacency: Literal["all", "line"]
    residents: Some
    tentacles: Some
    buildings: Some
    tokens: Annotated[int, Field(ge=1, le=MOST_HELD)]
    token_limit: bool

    start_buildings: Count
    start_gold: Count
    start_harpoons: Count
    start_food: Count
    start_iron: Count
    start_fame: Count

    pass_work: Literal["always", "stuck"]
    zero_tasks: bool
    trades: Literal["up-to", "all"]
    overtime_cost: Few
    build_by_overtime: bool
    overtime_limit: Literal["none", "residents"]
    overtime_from_earnings: bool
    overtime_after_pass: bool

    hunt_tentacles: Task
    butcher_catch: Task
    sell_sushi: Task
    calamari_caravan: Task
    forge_harpoons: Task
    smelt_iron: Task

    task_cards: Annotated[int, Field(ge=0, le=len(CARDS))]
    cards: tuple[Literal[CARDS], ...]  # type: ignore[valid-type]
    card_in: CardName
    card_out: CardName
    declaw_crabs: Task
    recycle_anchors: Task
    whittle_sticks: Task
    research_steel: Task
    fancy_shindig: Task
    erect_a_statue: Task
    bake_pie: Task
    squid_bake: Task
    plant_flowers: Task
    can_calamari: Task
    housing_project: Task
    hire_movers: Task
    movers_same_district: bool

    dice: Annotated[int, Field(ge=0, le=8)]
    die: Annotated[tuple[Count, ...], Field(min_length=5, max_length=5)]
    dice_order: Literal["chosen", "skulls-first", "arrows-first"]
    hit: Share
    hunt_firing: Literal["one-by-one", "volley"]
    defence_pays: Goods
    harpoons_per_result: Annotated[int, Field(ge=1, le=9)]
    destroyed_returns: bool
    max_rounds: Annotated[int, Field(ge=1, le=1000)]

    @model_validator(mode="after")
    def _fits(self) -> Rules:
        """The die has faces, buildings have places, cards are set in one way, tasks have the shape of theirs."""
        if not sum(self.die):
            raise ValueError("die must have a face; found none")
        self._check_rows()
        self._check_cards()
        self._check_tasks()
        for good in GOODS:
            if (most := self._most_held(good)) > MOST_HELD:
                raise ValueError(
                    f"a seat could come to hold {most:,} {good}, more than {MOST_HELD:,}; lower max_rounds"
                )
        return self

    def _check_rows(self) -> None:
        """Everyone's first buildings stand in the outermost row."""
        for seats in (2, 3, 4):
            outermost = self.rows_for(seats)[0]
            if seats * self.start_buildings > outermost:
                raise ValueError(
                    f"the outermost row must hold {self.start_buildings} buildings of each of {seats} players; "
                    f"found {outermost} spaces"
                )
        if 3 * self.start_buildings > self.buildings:
            raise ValueError(f"{self.buildings} buildings must be enough to start with 3 x {self.start_buildings}")

    def _check_cards(self) -> None:
        """A fixed list and a deal exclude each other."""
        if len(set(self.cards)) < len(self.cards):
            raise ValueError(f"cards must be different ones; found {', '.join(self.cards)}")
        if self.cards and (self.card_in or self.card_out):
            raise ValueError("card_in and card_out change the deal: they cannot go with a fixed list of cards")
        if self.card_in and self.card_in == self.card_out:
            raise ValueError(f"card_in and card_out must be different; found {self.card_in} for both")
        if self.card_out and self.task_cards == len(CARDS):
            raise ValueError(f"card_out must leave {self.task_cards} cards to deal; found {len(CARDS) - 1}")
        if self.card_in and not self.task_cards:
            raise ValueError("card_in needs task_cards of 1 or more; found 0")

    def _check_tasks(self) -> None:
        """Tasks that do something of their own have no gain, or no cost, besides."""
        for name, task in zip(TASKS, self.tasks, strict=True):
            if task.per and task.up_to:
                raise ValueError(f"{name} must have one of `per` and `up_to`; found both")
        hunt = self.hunt_tentacles
        if hunt.cost.some or hunt.up_to != "residents":
            raise ValueError('hunt_tentacles must cost nothing and have up_to = "residents"; its gain is for each hit')
        for name in ("housing_project", "hire_movers"):
            task = getattr(self, name)
            if task.gain.some or task.per or task.up_to:
                raise ValueError(f"{name} must have a cost only")

    def _most_held(self, good: str) -> int:
        """A bound on what a seat may come to hold of a good: every task done in every turn, and the last award."""
        most = max(self.residents, sum(self.rows))
        gains = sum(getattr(task.gain, good) * (most if task.per or task.up_to else 1) for task in self.tasks)
        defended = self.dice * getattr(self.defence_pays, good) * 4
        return getattr(self, f"start_{good}") + self.max_rounds * (gains + defended) + 3 * self.residents

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """All tasks, the board's first, in the order of `TASKS`."""
        return tuple(getattr(self, name) for name in TASKS)

    def rows_for(self, seats: int) -> tuple[int, ...]:
        """Spaces of the rows in use, from the water inland."""
        left_out = {2: self.row_left_out_two_players, 3: self.row_left_out_three_players}.get(seats, 0)
        rows = list(self.rows)
        if left_out:
            if rows.count(left_out) != 1:
                raise ValueError(
                    f"the row left out with {seats} players must be one of the rows {rows}; found {left_out} "
                    f"in {rows.count(left_out)} of them"
                )
            rows.remove(left_out)
        return tuple(rows)

    @cached_property
    def hit_chance(self) -> Fraction:
        """How often a harpoon hits [probability]."""
        return Fraction(self.hit)

    @cached_property
    def packed_faces(self) -> npt.NDArray[np.uint32]:
        """What each face of the die adds to the results rolled, a byte for each kind; uint32 (faces,)."""
        return np.repeat(np.array([1, 1 << 8, 1 << 16, 1 << 24, 0], np.uint32), self.die)

    @property
    def most_times(self) -> int:
        """The most that a task may be done in one go."""
        return max(self.residents, self.buildings)
