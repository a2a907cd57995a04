"""Finding games, strategies and reports: by name, in three places, running nothing that was not named."""

from __future__ import annotations

from textwrap import dedent

import pytest

from simkit import catalog
from simkit.errors import UserError
from simkit.experiment import StrategySpec
from simkit.game import Game

BOLD = '''
    """Strategies for tests."""

    from dataclasses import dataclass
    from typing import ClassVar

    import numpy as np

    from simkit.strategy import Strategy


    @dataclass(frozen=True)
    class Bold(Strategy):
        """Takes the first.

        More words.
        """

        ties: ClassVar = "first"
        nerve: float = 0.5
        n_tries: int = 3
        is_loud: bool = False

        def place(self, view):
            return np.zeros((len(view.options), view.n), np.uint8)


    class _Hidden(Bold):
        """Not for listings."""


    class NotAStrategy:
        """Something else."""
'''
BOLDER = '''
    from dataclasses import dataclass

    from .bold import Bold


    @dataclass(frozen=True)
    class EvenBolder(Bold):
        """Bold, and more so."""

        extra: int = 1
'''
TOY = """
    from dataclasses import replace

    from simkit.games.tentacolor import GAME as OTHER

    GAME = replace(OTHER, id="my-toy", title="My toy", summary="A game for tests.", players=(2,))
"""


@pytest.fixture
def base(tmp_path):
    """A user's folder with two strategies for Tentacolor."""
    folder = tmp_path / "strategies" / "tentacolor"
    folder.mkdir(parents=True)
    (folder / "bold.py").write_text(dedent(BOLD), encoding="utf-8")
    (folder / "bolder.py").write_text(dedent(BOLDER), encoding="utf-8")
    return tmp_path


def spec(name, **more):
    """A strategy as a config names it."""
    return StrategySpec.model_validate({"name": name, **more})


@pytest.mark.parametrize("name", ["tentacolor", "Tentacolor", " TENTACOLOR "])
def test_a_game_has_several_spellings(name):
    assert catalog.find_game(name).id == "tentacolor"


@pytest.mark.parametrize(
    ("name", "wanted"), [("Tentacle_Town", "tentacle-town"), ("cthulhu", "tiny-epic-cthulhu"), ("octobuns", "octobuns")]
)
def test_canonical_names(name, wanted):
    assert catalog.canonical(name) == wanted


@pytest.mark.parametrize("name", ["tentacolour", "", "../games/tentacolor", "tentacolor/", "os", "__init__", "\x1b[2J"])
def test_unknown_games(name, tmp_path):
    with pytest.raises(UserError, match=r"unknown game.*Allowed:.*tentacolor") as refusal:
        catalog.find_game(name, tmp_path)
    assert "\x1b" not in str(refusal.value)


@pytest.mark.parametrize("place", ["games/my_toy.py", "games/my_toy/__init__.py"])
def test_a_game_of_the_users(tmp_path, place):
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(dedent(TOY), encoding="utf-8")
    game = catalog.find_game("My_Toy", tmp_path)
    assert isinstance(game, Game)
    assert game.title == "My toy"
    assert [(g.name, g.source) for g in catalog.list_games(tmp_path)] == [
        ("my-toy", str(path)),
        ("octobuns", "library"),
        ("tentacle-town", "library"),
        ("tentacolor", "library"),
        ("tiny-epic-cthulhu", "library"),
    ]


def test_a_game_must_be_one(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "tentacolor.py").write_text("GAME = 1", encoding="utf-8")
    with pytest.raises(UserError, match=r"game `tentacolor` must be one; found 2: library, .*rename one"):
        catalog.find_game("tentacolor", tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("GAME = 1", "must set GAME to a simkit.game.Game whose id is `bad`; found 1"),
        ("", "found None"),
        (dedent(TOY), "found id `my-toy`"),
        ("1 / 0", "line 1: must run when imported; found ZeroDivisionError"),
        ("import sys; sys.exit(3)", "found SystemExit: 3"),
        ("def", "found SyntaxError"),
    ],
)
def test_a_game_that_cannot_be_used(tmp_path, text, problem):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "bad.py").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=problem):
        catalog.find_game("bad", tmp_path)


def test_listings_read_and_run_nothing(base):
    folder = base / "strategies" / "tentacolor"
    (folder / "mine.py").write_text('raise SystemExit("ran")\nclass Mine(Strategy):\n    "Mine."\n', encoding="utf-8")
    (base / "games").mkdir()
    (base / "games" / "trap.py").write_text('raise SystemExit\nGAME = Game(id="trap", title="T")', encoding="utf-8")
    names = {entry.name: entry for entry in catalog.list_strategies("tentacolor", base)}
    assert names["mine"].summary == "Mine."
    assert next(g.title for g in catalog.list_games(base) if g.name == "trap") == "T"


def test_what_a_listing_says(base):
    names = {entry.name: entry for entry in catalog.list_strategies("tentacolor", base)}
    assert {"random", "mixture", "epsilon", "never", "bold", "even-bolder"} <= set(names)
    assert not {"hidden", "-hidden", "not-a-strategy", "strategy", "per-game"} & set(names)
    assert names["bold"].summary == "Takes the first."
    assert names["bold"].parameters == {"nerve": 0.5, "n_tries": 3, "is_loud": False}
    assert names["even-bolder"].parameters == {"nerve": 0.5, "n_tries": 3, "is_loud": False, "extra": 1}
    assert names["bold"].source == str(base / "strategies" / "tentacolor" / "bold.py")
    assert names["random"].source == "library"
    assert names["epsilon"].parameters == {"of": "required", "p": 0.1}


def test_a_file_that_cannot_be_read_spoils_only_itself(base):
    (base / "strategies" / "tentacolor" / "half_done.py").write_text("class Half(", encoding="utf-8")
    assert catalog.load_strategy(spec("bold"), "tentacolor", base).name == "bold"
    with pytest.raises(UserError, match=r"half_done.py: must be Python that can be read; found SyntaxError: .*line 1"):
        catalog.load_strategy(spec("half-done"), "tentacolor", base)


def test_strategies_are_made_with_their_parameters(base):
    bolder = catalog.load_strategy(spec("even_bolder", nerve=1, extra=5), "tentacolor", base)
    assert (bolder.nerve, bolder.extra, bolder.n_tries) == (1.0, 5, 3)
    assert isinstance(bolder.nerve, float)
    wild = catalog.load_strategy(spec("epsilon", of="bold", p=0.5), "tentacolor", base)
    assert (wild.of.name, wild.p) == ("bold", 0.5)
    either = catalog.load_strategy(spec("mixture", of=["bold", "random"], weights=[1, 3]), "tentacolor", base)
    assert ([s.name for s in either.of], either.weights) == (["bold", "random"], (1, 3))


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"nervs": 1}, "unknown parameter `nervs`; did you mean `nerve`? Allowed: is_loud, n_tries, nerve"),
        ({"nerve": "much"}, "`nerve` must be a finite number; found 'much'"),
        ({"nerve": True}, "`nerve` must be a finite number; found true"),
        ({"n_tries": 2.5}, "`n_tries` must be a whole number; found 2.5"),
        ({"n_tries": True}, "`n_tries` must be a whole number; found true"),
        ({"is_loud": 1}, "`is_loud` must be true or false; found 1"),
        ({"ties": "coin"}, "unknown parameter `ties`"),
        ({"of": "random"}, "only mixture, epsilon and never take `of`"),
    ],
)
def test_parameters_are_checked(base, parameters, problem):
    with pytest.raises(UserError) as refusal:
        catalog.load_strategy(spec("bold", **parameters), "tentacolor", base)
    assert problem in str(refusal.value)


def test_a_name_that_exists_twice_needs_a_path(base):
    (base / "other.py").write_text(dedent(BOLD).replace("Takes the first", "Takes the other"), encoding="utf-8")
    folder = base / "strategies" / "tentacolor"
    (folder / "again.py").write_text(dedent(BOLD), encoding="utf-8")
    with pytest.raises(UserError, match=r"`bold` must be one; found 2: .*again.py, .*bold.py; rename one, or name it"):
        catalog.load_strategy(spec("bold"), "tentacolor", base)
    for name in ("other.py:bold", "other.py:Bold", "other.py"):
        assert catalog.load_strategy(spec(name), "tentacolor", base).__doc__.startswith("Takes the other.")
    with pytest.raises(UserError, match="unknown strategy `bald`; did you mean `bold`"):
        catalog.load_strategy(spec("other.py:bald"), "tentacolor", base)


def test_a_changed_file_is_read_again(base):
    file = base / "strategies" / "tentacolor" / "bold.py"
    assert catalog.load_strategy(spec("even-bolder"), "tentacolor", base).n_tries == 3
    file.write_text(file.read_text(encoding="utf-8").replace("n_tries: int = 3", "n_tries: int = 4"), encoding="utf-8")
    assert catalog.load_strategy(spec("even-bolder"), "tentacolor", base).n_tries == 4
    assert not list(base.rglob("*.pyc"))


def test_sources_of_a_strategy(base):
    folder = base / "strategies" / "tentacolor"
    assert catalog.strategy_sources(spec("bold"), "tentacolor", base) == [folder / "bold.py"]
    both = [folder / "bold.py", folder / "bolder.py"]
    assert catalog.strategy_sources(spec("even-bolder"), "tentacolor", base) == both
    wrapped = catalog.strategy_sources(spec("epsilon", of="even-bolder"), "tentacolor", base)
    assert [path.name for path in wrapped if path.parent != folder] == ["strategy.py"]
    assert set(both) < set(wrapped)


def test_reports(base):
    assert catalog.find_report("my-toy", base) is None
    (base / "reports").mkdir()
    (base / "reports" / "my_toy.py").write_text("SECTIONS = ['a']", encoding="utf-8")
    assert catalog.find_report("my-toy", base).SECTIONS == ["a"]


def test_installed_packages(base, tmp_path, monkeypatch):
    package, info = tmp_path / "lib" / "toybox", tmp_path / "lib" / "toybox-1.dist-info"
    (package / "moves").mkdir(parents=True)
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toybox\nVersion: 1\n", encoding="utf-8")
    points = "[simkit.games]\nmy-toy = toybox.game\n[simkit.strategies]\nmy-toy = toybox.moves\n"
    points += "[simkit.reports]\nmy-toy = toybox.report\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    for name, text in (("__init__", ""), ("game", TOY), ("report", "SECTIONS = 1"), ("moves/__init__", BOLD)):
        (package / f"{name}.py").write_text(dedent(text), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    monkeypatch.setattr(catalog, "_installed", catalog._installed.__wrapped__)
    assert catalog.find_game("my-toy", base).title == "My toy"
    bold = {entry.name: entry.source for entry in catalog.list_strategies("my-toy", base)}["bold"]
    assert bold == "package toybox"
    assert catalog.load_strategy(spec("bold"), "my-toy", base).nerve == 0.5
    assert catalog.find_report("my-toy", base).SECTIONS == 1


@pytest.fixture
def box(tmp_path, monkeypatch):
    """An installed package in whose modules running leaves a mark; where the mark would be, and the package."""
    package, info, mark = tmp_path / "lib" / "toybox", tmp_path / "lib" / "toybox-1.dist-info", tmp_path / "mark"
    (package / "inner" / "moves").mkdir(parents=True)
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toybox\nVersion: 1\n", encoding="utf-8")
    points = "[simkit.games]\nmy-toy = toybox.inner.game:GAME\nlost = toybox.gone\n"
    points += "[simkit.strategies]\nmy-toy = toybox.inner.moves\ntentacolor = toybox.inner.single\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    left = f"open({str(mark)!r}, 'w').close()\n"
    above = "from ..scores import EVEN\n" + dedent(BOLD)
    absolute = "from toybox.inner.scores import EVEN\n" + dedent(BOLD).replace("Bold", "Lone")
    texts = {"inner/game": dedent(TOY), "inner/scores": "EVEN = 0", "inner/moves/mine": above, "inner/single": absolute}
    for name, text in ({"__init__": "", "inner/__init__": "", "inner/moves/__init__": ""} | texts).items():
        (package / f"{name}.py").write_text(left + text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    monkeypatch.setattr(catalog, "_installed", catalog._installed.__wrapped__)
    return mark, package


def test_listings_run_nothing_of_an_installed_package(box, base):
    mark, _ = box
    listed = {entry.name: entry for entry in catalog.list_games(base)}
    assert (listed["my-toy"].summary, listed["my-toy"].source) == ("A game for tests.", "package toybox")
    assert listed["lost"].summary.startswith("(cannot be read: ")
    assert "bold" in {entry.name for entry in catalog.list_strategies("my-toy", base)}
    lone = {entry.name: entry.source for entry in catalog.list_strategies("tentacolor", base)}
    assert lone["lone"] == "package toybox"
    assert "even-bolder" in lone
    assert not mark.exists()
    assert catalog.load_strategy(spec("bold"), "my-toy", base).nerve == 0.5
    assert mark.exists()


def test_what_a_packages_strategies_import_belongs_to_their_sources(box, base):
    _, package = box
    for name, game in (("bold", "my-toy"), ("lone", "tentacolor")):
        sources = catalog.strategy_sources(spec(name), game, base)
        assert package / "inner" / "scores.py" in sources
        assert catalog.load_strategy(spec(name), game, base).name == name


def test_a_package_without_its_module_is_told(box, base):
    with pytest.raises(UserError, match=r"game `lost` must be in a file; found no module toybox.gone \(package toybox"):
        catalog.find_game("lost", base)


def test_a_name_that_a_package_and_the_user_have_is_refused(box, base):
    mark, _ = box
    (base / "games").mkdir()
    (base / "games" / "my_toy.py").write_text("raise SystemExit", encoding="utf-8")
    with pytest.raises(UserError, match=r"game `my-toy` must be one; found 2: .*my_toy.py, package toybox; rename"):
        catalog.find_game("my-toy", base)
    (base / "strategies" / "my_toy").mkdir()
    (base / "strategies" / "my_toy" / "own.py").write_text(dedent(BOLD), encoding="utf-8")
    with pytest.raises(UserError, match=r"`bold` must be one; found 2: .*own.py, .*mine.py"):
        catalog.load_strategy(spec("bold"), "my-toy", base)
    own = spec(f"{base}/strategies/my_toy/own.py:bold")
    assert catalog.find_strategy(own, "my-toy", base).path == base / "strategies" / "my_toy" / "own.py"
    assert not mark.exists()


@pytest.mark.parametrize("text", ["class Random(Strategy):\n    'Mine.'", "class LongestRun(Strategy):\n    'Mine.'"])
def test_a_strategy_with_a_name_of_the_librarys_is_refused(base, text):
    (base / "strategies" / "tentacolor" / "mine.py").write_text(text, encoding="utf-8")
    name = catalog.spelled("random" if "Random" in text else "longest-run")
    with pytest.raises(UserError, match=rf"`{name}` must be one; found 2: .*mine.py.*; rename one, or name it by its"):
        catalog.find_strategy(spec(name), "tentacolor", base)


def test_a_report_with_a_name_of_the_librarys_is_refused(base):
    (base / "reports").mkdir()
    (base / "reports" / "tentacolor.py").write_text("raise SystemExit", encoding="utf-8")
    with pytest.raises(UserError, match=r"report `tentacolor` must be one; found 2: .*; rename one"):
        catalog.find_report("tentacolor", base)


def test_experiments_by_path_or_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert catalog.find_experiment("quickstart").parent == catalog.library("experiments")
    assert catalog.find_experiment("experiments/quickstart.toml").parent == catalog.library("experiments")
    (tmp_path / "quickstart.toml").write_text("", encoding="utf-8")
    assert catalog.find_experiment("quickstart.toml").resolve() == tmp_path / "quickstart.toml"
    with pytest.raises(UserError, match="unknown experiment `quikstart`; did you mean `quickstart`"):
        catalog.find_experiment("quikstart")


def test_a_file_beside_a_strategy_is_imported_with_a_dot(tmp_path, monkeypatch):
    (tmp_path / "other.py").write_text("X = 1\n")
    (tmp_path / "random.py").write_text("X = 1\n")  # of the same name as a module of Python's own
    file = tmp_path / "bold.py"
    spec = StrategySpec(name=f"{file}:bold")
    monkeypatch.syspath_prepend(tmp_path)  # as `python -m simkit` does in the file's folder
    file.write_text("import random\nfrom .other import X\n" + dedent(BOLD))
    assert catalog.load_strategy(spec, "toy").nerve == 0.5
    assert tmp_path / "other.py" in catalog.strategy_sources(spec, "toy")
    for line in ("import other", "from other import X", "import other.deep as deep"):
        file.write_text(f"{line}\n" + dedent(BOLD))
        with pytest.raises(UserError, match=r"bold.py, line 1: must import a file beside it as in `from .other import"):
            catalog.load_strategy(spec, "toy")


def test_names_that_were_found_before_are_not_looked_up_again(tmp_path, monkeypatch):
    (tmp_path / "bold.py").write_text(dedent(BOLD))
    known: catalog.Known = {}
    specs = [StrategySpec.model_validate({"name": "bold.py:bold", "nerve": nerve}) for nerve in (0.1, 0.2)]
    first = catalog.load_strategy(specs[0], "toy", tmp_path, known)
    monkeypatch.setattr(catalog, "find_strategy", lambda *_: pytest.fail("looked up again"))
    second = catalog.load_strategy(specs[1], "toy", tmp_path, known)
    assert type(first) is type(second)
    assert (first.nerve, second.nerve) == (0.1, 0.2)


def test_an_experiment_of_ones_own_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "experiments" / "mine.toml"
    own.parent.mkdir()
    own.write_text("", encoding="utf-8")
    for name in ("mine", "mine.toml", "experiments/mine", "experiments/mine.toml"):
        assert catalog.find_experiment(name).resolve() == own
    with pytest.raises(UserError, match="unknown experiment `elsewhere/mine`"):
        catalog.find_experiment("elsewhere/mine")


def test_an_experiment_with_a_name_of_the_librarys_needs_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "experiments" / "quickstart.toml"
    own.parent.mkdir()
    own.write_text("", encoding="utf-8")
    with pytest.raises(
        UserError, match=r"`quickstart` must be one; found 2: .*quickstart.toml, .*; rename one, or name"
    ):
        catalog.find_experiment("quickstart")
    assert catalog.find_experiment("experiments/quickstart.toml").resolve() == own
    shipped = catalog.library("experiments") / "quickstart.toml"
    assert catalog.find_experiment(shipped) == shipped
    monkeypatch.chdir(shipped.parent.parent)  # a checkout: the library's folder is the user's own
    assert catalog.find_experiment("quickstart").samefile(shipped)
