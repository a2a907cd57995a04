"""The toy's folder is a user's: what simkit loads, pytest leaves alone. Its experiment is played once for all tests."""

import pytest

from simkit.runner import run
from simkit.store import Run

from .planned import MIXED, planned

collect_ignore_glob = ["games/*", "strategies/*", "reports/*"]


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The experiment as it is, played in one process."""
    folder = tmp_path_factory.mktemp("toy") / "beacon"
    run(planned(), folder, jobs=1)
    return Run.open(folder)


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Keepers of several kinds at one table, who change places."""
    folder = tmp_path_factory.mktemp("toy") / "mixed"
    run(planned(**MIXED), folder, jobs=1)
    return Run.open(folder)
