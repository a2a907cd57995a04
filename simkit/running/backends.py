"""How workers may run."""

from __future__ import annotations

from simkit.errors import UserError
from simkit.names import printable

BACKENDS = ("loky", "threading", "dask")


def check_backend(name: str, scheduler: str | None) -> None:
    """Refuse a backend that is not known to give the same results, and a cluster without an address."""
    if name not in BACKENDS:
        raise UserError(f"`--backend` must be {', '.join(BACKENDS[:-1])} or {BACKENDS[-1]}; found `{printable(name)}`")
    if (scheduler is not None) != (name == "dask"):
        raise UserError("`--backend dask` and `--scheduler ADDRESS` must be given together; found only one of them")
