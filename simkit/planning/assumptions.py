"""A sweep over assumptions: what else everything may well be that the rulebook does not give."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from simkit.components import Component
from simkit.errors import UserError
from simkit.experiment import refusal
from simkit.game import Game
from simkit.names import printable, shown
from simkit.planning.digests import canonical_json
from simkit.planning.settings import RulesError, made_rules

ASSUMPTIONS = "sweep.assumptions"


def open_alternatives(components: Mapping[str, Component], taken: Collection[str]) -> list[tuple[str, Any]]:
    """Every alternative of every component that is not in the rulebook's text.

    Parameters
    ----------
    components
        The game's.
    taken
        Names of components that the experiment sets or varies itself; they are left out.
    """
    found = []
    for name, component in components.items():
        if component.tag != "rulebook" and component.swept and name not in taken:
            distinct = {canonical_json(value): value for value in (component.value, *component.alternatives)}
            found += [(name, value) for value in list(distinct.values())[1:]]
    return found


def clash(game: Game, name: str, changes: Mapping[str, Any], path: Path | None) -> UserError:
    """What to say if the rules refuse an alternative: it clashes with the experiment's rules, or with the game's own.

    Parameters
    ----------
    name
        Of the component.
    changes
        All that is set, the alternative among it.
    path
        The experiment's file.
    """
    alternative, others = {name: changes[name]}, {key: value for key, value in changes.items() if key != name}
    told = f"`{name} = {shown(changes[name])}`"
    problem = _problem(game, alternative)
    if problem:
        return UserError(
            f"{game.id}: components: the alternative {told} must be playable beside the defaults; "
            f"{printable(problem)}; mend the game, or set `rules.{name}` to leave it out of the sweep"
        )
    guilty = {k: v for k, v in others.items() if _problem(game, alternative | {k: v})} or others
    beside = ", ".join(f"`{key} = {shown(value)}`" for key, value in guilty.items())
    problem = _problem(game, changes)
    remedy = f"set `rules.{name}` as well, so that it is left out of the sweep"
    return refusal(path, ASSUMPTIONS, f"the alternative {told} must go with {beside}; {problem}; {remedy}")


def _problem(game: Game, changes: Mapping[str, Any]) -> str:
    """Why the rules refuse these changes; nothing if they do not."""
    try:
        made_rules(game, changes)
    except RulesError as refused:
        return refused.problem
    return ""
