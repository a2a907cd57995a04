"""What an experiment sets in a game: rules and options, checked against what the game declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simkit.errors import in_words
from simkit.experiment import StrategySpec, refusal
from simkit.game import Game
from simkit.names import canonical, shown, unknown
from simkit.planning.values import fits

MOST_KNOWN = 60
"""Messages name no longer defaults and alternatives."""


def check_rule_name(game: Game, name: str, key: str, path: Path | None) -> None:
    """Refuse a rule that the game does not have."""
    if name not in game.components:
        raise refusal(path, key, unknown("rule", name, game.components))


class RulesError(ValueError):
    """The game cannot be played with these rules.

    Attributes
    ----------
    name
        The rule to blame, empty if they do not fit together.
    inside
        Where in the rule's value, if it is a table or a list: ".portals.greed".
    """

    def __init__(self, name: str, problem: str, inside: str = "") -> None:
        super().__init__(problem)
        self.name, self.problem, self.inside = name, problem, inside


def rules_with(
    game: Game, changes: Mapping[str, Any], path: Path | None = None, places: Mapping[str, str] | None = None
) -> Any:
    """The game's rules with some component values changed.

    Parameters
    ----------
    path
        The experiment's file.
    places
        Where in the file a rule is set, by its name, if not in `[rules]`.

    Raises
    ------
    UserError
        If a value is not what the game takes; the message names the rule, its default and alternatives.
    """
    for name in changes:
        check_rule_name(game, name, f"rules.{name}", path)
    try:
        return made_rules(game, changes)
    except RulesError as refused:
        place = (places or {}).get(refused.name, f"rules.{refused.name}".rstrip("."))
        raise refusal(path, place + refused.inside, refused.problem) from None


def made_rules(game: Game, changes: Mapping[str, Any]) -> Any:
    """The game's rules with some component values changed; `RulesError` if the game does not take them."""
    for name, value in changes.items():
        component = game.components[name]
        wanted = [fits(value, kind) for kind in (component.value, *component.alternatives)]
        if all(wanted):
            raise RulesError(name, f"must be {wanted[0]}; found {shown(value)}{_known_values(game, name)}")
    try:
        return game.rules(**game.components.values_with(changes))
    except ValidationError as error:
        first = error.errors()[0]
        problem = in_words(first["msg"])
        if not first["loc"]:
            raise RulesError("", f"{problem}; set here: {shown(dict(changes))}") from None
        rule, *inside = first["loc"]
        name = str(rule)
        if inside:
            raise RulesError(name, f"{problem}; found {shown(first['input'])}", _inside(inside)) from None
        found = shown(changes.get(name, first["input"]))
        raise RulesError(name, f"{problem}; found {found}{_known_values(game, name)}") from None
    except (ValueError, TypeError) as error:
        raise RulesError("", f"{error}; set here: {shown(dict(changes))}") from None


def _inside(steps: Iterable[int | str]) -> str:
    """
    >>> _inside(["powers", "fear", 0, "n"])
    '.powers.fear[0].n'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def _known_values(game: Game, name: str) -> str:
    """The default of a rule and its alternatives, or where they are told if they are too long for a message."""
    component = game.components.get(name)
    if component is None:
        return ""
    told = [shown(value) for value in (component.value, *component.alternatives)]
    if max(map(len, told)) > MOST_KNOWN:
        others = " and its alternatives" if component.alternatives else ""
        return f" (the default{others}: `simkit games {game.id} --json`)"
    others = f", alternatives {', '.join(told[1:])}" if component.alternatives else ""
    return f" (default {told[0]}{others})"


def check_options(game: Game, spec: StrategySpec, label: str, rules: Any, seats: int, path: Path | None) -> None:
    """Refuse a `never` that forbids what the game does not offer."""
    for inner in with_wrapped(spec):
        forbidden = inner.parameters.get("options", {}) if canonical(inner.name) == "never" else {}
        known = {decision.name: decision.options_for(rules, seats) for decision in game.decisions} if forbidden else {}
        for decision, options in forbidden.items():
            key = f"strategies.{label}.options"
            if decision not in known:
                raise refusal(path, key, unknown("decision", decision, known))
            for option in set(options) - set(known[decision]):
                problem = unknown("option", option, known[decision])
                raise refusal(path, f"{key}.{decision}", f"{problem} (with {seats} seats)")


def with_wrapped(spec: StrategySpec) -> Iterator[StrategySpec]:
    """A strategy and all that it wraps."""
    yield spec
    for inner in spec.of:
        yield from with_wrapped(inner)
