"""A strategy as experiments name it: plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import PureWindowsPath
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.names import shown
from simkit.planning.values import PLAIN, is_plain, refused

_WRAPPED = "of"


class StrategySpec(BaseModel):
    """A strategy as an experiment names it: plain data, made into a strategy where it plays.

    A bare string stands for `{name = ...}`; keys beside `name`, `as` and `of` are parameters.

    >>> StrategySpec.model_validate({"name": "epsilon", "of": "random", "p": 0.05}).default_label
    'epsilon(random, p=0.05)'
    """

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    name: Annotated[str, Field(strict=True, min_length=1, max_length=500)]
    label: Annotated[str, Field(strict=True, min_length=1)] | None = Field(default=None, alias="as")
    of: tuple[StrategySpec, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, given: Any) -> Any:
        """Accept a bare name, and a single strategy to be wrapped."""
        if isinstance(given, str):
            return {"name": given}
        if isinstance(given, Mapping) and isinstance(given.get(_WRAPPED), str | Mapping | StrategySpec):
            return dict(given) | {_WRAPPED: (given[_WRAPPED],)}
        if not isinstance(given, Mapping | StrategySpec):
            raise PydanticCustomError("strategy", "must be a strategy's name or a table with `name`")
        return given

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that are set."""
        return dict(self.model_extra or {})

    @property
    def short_name(self) -> str:
        """The name without its file: of `folder/mine.py:bold` bold, of `folder/mine.py` mine."""
        return PureWindowsPath(self.name).stem if self.name.endswith(".py") else self.name.rpartition(":")[2]

    @property
    def default_label(self) -> str:
        """`as`, or the name and the parameters that are set."""
        if self.label is not None:
            return self.label
        wrapped = [spec.default_label for spec in self.of]
        changed = [f"{key}={_spelled(value)}" for key, value in self.parameters.items()]
        name = self.short_name
        return f"{name}({', '.join(wrapped + changed)})" if wrapped or changed else name

    @model_validator(mode="after")
    def _plain_data(self) -> StrategySpec:
        """Names and parameters can be printed, stored and compared."""
        if not self.name.isprintable():
            raise PydanticCustomError("name", "must have a name of printable characters")
        for key, value in self.parameters.items():
            if not is_plain(value):
                raise refused(key, f"must be {PLAIN}; found {shown(value)}")
        return self

    def is_label(self, known: Collection[str]) -> bool:
        """Whether this is nothing but one of the known labels."""
        return self.label is None and not self.of and not self.parameters and self.name in known

    def told(self) -> dict[str, Any]:
        """What makes the strategy what it is: neither its label nor where its file lies."""
        return {"name": self.short_name, "of": [spec.told() for spec in self.of], "set": self.parameters}

    def with_parameter(self, name: str, value: Any) -> StrategySpec:
        """The same with one parameter set."""
        return self.model_copy(update={name: value})


def _spelled(value: Any) -> str:
    """A parameter's value as labels spell it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
