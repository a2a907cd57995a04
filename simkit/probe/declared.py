"""What a strategy's source and class say, without asking it anything."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from simkit import strategy as built_in
from simkit.game import Game
from simkit.probe.findings import Findings
from simkit.strategy import Strategy

_INEXACT = {
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "power", "float_power", "pow", "cbrt", "hypot"),
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "asin", "acos", "atan", "atan2"),
    *("sinh", "cosh", "tanh", "logaddexp", "divide", "true_divide", "mean", "average", "std", "var"),
    *("dot", "matmul", "einsum", "tensordot", "inner", "vdot"),
}
"""Functions of numpy and math whose last bits may differ between machines."""
_OPERATORS = {ast.Div: "/", ast.Pow: "**", ast.MatMult: "@"}
_OUTSIDE = {"random": "luck", "secrets": "luck", "uuid": "luck", "time": "the clock", "datetime": "the clock"}
_NUMPY = {"np", "numpy", "math", "scipy"}


def look_at(strategy: Strategy, game: Game, files: Collection[Path], findings: Findings) -> None:
    """Note what the source says that may come to grief."""
    for path in sorted(files):
        findings.compared["machine"] += 1
        if path == Path(built_in.__file__).resolve():
            continue
        lines: dict[tuple[str, str], set[int]] = {}
        for node in ast.walk(ast.parse(path.read_bytes())):
            for check, what in _suspicious(node):
                lines.setdefault((check, what), set()).add(getattr(node, "lineno", 0))
        for (check, what), numbers in lines.items():
            findings.note(check, f"{path.name}: {what} (line {', '.join(map(str, sorted(numbers)))})")


def _suspicious(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What one piece of source does that a strategy should not, and the check that this belongs to."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _OPERATORS and not _is_exact(node):
        yield "machine", f"`{_OPERATORS[type(node.op)]}`"
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in _NUMPY:
        if node.attr in _INEXACT:
            yield "machine", f"`{node.value.id}.{node.attr}`"
        elif node.attr == "random":
            yield "memory", "numpy's own luck; `view.coin` is the strategy's"
    elif isinstance(node, ast.Attribute) and node.attr in ("mean", "std", "var"):
        yield "machine", f"`.{node.attr}`"
    else:
        yield from (("memory", f"{_OUTSIDE[name]} of Python's `{name}`") for name in _modules(node) if name in _OUTSIDE)


def _is_exact(node: ast.BinOp | ast.AugAssign) -> bool:
    """A constant, or a power of a whole number, that Python works out itself."""
    if isinstance(node, ast.AugAssign):
        return False
    constants = [isinstance(side, ast.Constant) for side in (node.left, node.right)]
    return all(constants) or (isinstance(node.op, ast.Pow) and any(constants) and _is_whole(node))


def _is_whole(node: ast.BinOp) -> bool:
    """Whether the constant side of a power is a whole number."""
    return any(isinstance(side, ast.Constant) and isinstance(side.value, int) for side in (node.left, node.right))


def _modules(node: ast.AST) -> list[str]:
    """The modules that an import names."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [(node.module or "").partition(".")[0]]
    return []


def tell_decisions(strategy: Strategy, game: Game, asked: Counter[str], findings: Findings) -> None:
    """Note methods that look like a decision's and are not, decisions never asked, and those left to a default."""
    names = [decision.name for decision in game.decisions]
    findings.compared["decisions"] += sum(asked.values())
    methods = _methods(type(strategy))
    for method in methods - set(names):
        near = difflib.get_close_matches(method, names, n=1, cutoff=0.75)
        if near:
            findings.note("decisions", f"method `{method}` answers no decision; did you mean `{near[0]}`?")
    if never := [name for name in names if not asked[name]]:
        findings.note("decisions", f"never asked here, and so not probed: {', '.join(never)}")
    if type(strategy).choose is Strategy.choose:
        left = [name for name in names if asked[name] and not _answers(strategy, name, game)]
        if left:
            findings.note("decisions", f"no method; the first legal option is taken: {', '.join(left)}")


def _methods(cls: type[Any]) -> set[str]:
    """The public methods that are the class's own or those of its bases, simkit's aside."""
    shared = set(dir(Strategy))
    return {name for name, _ in inspect.getmembers(cls, inspect.isfunction) if name[0] != "_" and name not in shared}


def _answers(strategy: Strategy, decision: str, game: Game) -> bool:
    """Whether a method answers a decision, its own or that of a default."""
    while decision != "first":
        if getattr(strategy, decision, None) is not None:
            return True
        decision = game.decision(decision).default
    return False
