"""The course of some games, told line by line, is what was read against the rulebook."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.golden.games import FOLDER, KEPT, faults
from tests.golden.reader import read
from tests.golden.tentacle_town_reader import read as read_town

REMEDY = "read what has changed, then run `python -m tests.golden.regenerate`"


def test_none_is_missing_stale_or_left_over() -> None:
    assert not faults(), REMEDY


@pytest.mark.parametrize("harm", ["missing", "stale", "left over"])
def test_a_fault_is_seen(tmp_path: Path, harm: str) -> None:
    """Negative control."""
    folder = Path(shutil.copytree(FOLDER, tmp_path / "golden"))
    path = folder / "expert.txt"
    if harm == "missing":
        path.unlink()
    elif harm == "stale":
        path.write_text(path.read_text(encoding="utf-8").replace("red", "green", 1), encoding="utf-8")
    else:
        path.rename(folder / "other.txt")
    assert "expert" in faults(folder)


def test_all_differ() -> None:
    texts = {name: (FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in KEPT}
    assert len(set(texts.values())) == len(texts)


@pytest.mark.parametrize("name", KEPT)
def test_shows_what_it_was_chosen_for(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert [words for words in KEPT[name].shows if words not in text] == []


@pytest.mark.parametrize("name", KEPT)
def test_is_readable(name: str) -> None:
    """Plain sentences without numbers of colours, codes or Python's spelling of values."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert text.isascii()
    assert not re.search(r"None|True|False|\{|\(\(|array", text)
    assert max(map(len, text.splitlines())) <= 240


TENTACOLOR = [name for name, kept in KEPT.items() if kept.game == "tentacolor"]


@pytest.mark.parametrize("name", TENTACOLOR)
def test_words_agree_with_the_rulebook(name: str) -> None:
    """From the words alone: who holds what, what lies on each tentacle, and what runs come of it."""
    assert read((FOLDER / f"{name}.txt").read_text(encoding="utf-8")) >= 4


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("its yellow run is now 3 and its green run 2", "its yellow run is now 4 and its green run 2"),
        ("its yellow run is now 3 and its green run 2", "its yellow run is now 3"),
        ("places yellow-blue: its blue run is now 2", "places yellow-red: its blue run is now 2"),
        ("gives green-blue to spiteful (seat 2)", "gives green-blue to objective (seat 3)"),
        ("and keeps green-yellow", "and keeps green-red"),
        ("discards orange-red", "discards orange-blue"),
        ("draws orange-blue", "draws orange-red"),
        ("whose last card, orange-red", "whose last card, blue-red"),
        ("its tentacle is now empty", "its orange and red runs are now 1"),
        (", the first card of its tentacle", ", which shares no colour with the last card: a new series begins"),
    ],
)
def test_a_wrong_word_is_seen(there: str, instead: str) -> None:
    """Negative control: one word of a game is changed."""
    text = (FOLDER / "expert.txt").read_text(encoding="utf-8")
    assert there in text
    with pytest.raises((AssertionError, ValueError)):
        read(text.replace(there, instead, 1))


TOWN = [name for name, kept in KEPT.items() if kept.game == "tentacle-town"]


@pytest.mark.parametrize("name", TOWN)
def test_words_of_tentacle_town_agree_with_the_rulebook(name: str) -> None:
    """From the words alone: what everybody has, what stands where, what the dice may do, and who wins."""
    assert read_town((FOLDER / f"{name}.txt").read_text(encoding="utf-8")) >= 50


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("recruits a resident to the docks", "recruits a resident to the market"),
        ("for 1 iron", "for 2 iron"),
        ("Can Calamari: 2 food and 1 iron for 1 gold", "Can Calamari: 2 food and 1 iron for 2 gold"),
        ("Sell Sushi: 1 food for 1 gold", "Sell Sushi: 2 food for 2 gold"),
        ("pays 1 gold of overtime and completes Butcher Catch", "completes Butcher Catch"),
        ("pays 1 gold and 1 fame and builds", "pays 1 gold and builds"),
        ("from the foundry's outermost row to the foundry's second row", "from the foundry's second row to the docks'"),
        ("rolls two dice: two destroys", "rolls three dice: three destroys"),
        ("moves a tentacle from the docks' waters to the foundry's waters: all are in play", "a tentacle appears next"),
        ("building in the foundry's outermost row is destroyed", "building in the foundry's second row is destroyed"),
        ("the building is saved", "the resident is saved"),
        ("random (seat 3) fires a harpoon", "random (seat 2) fires a harpoon"),
        ("retreats from the docks to the market", "retreats from the foundry to the market"),
        (", the last one of the supply", ""),
        ("take 5 fame each", "take 6 fame each"),
        (", 1 discarded", ""),
        ("is elected mayor with 9 fame", "is elected mayor with 8 fame"),
        ("n_buildings 2", "n_buildings 3"),
    ],
)
def test_a_wrong_word_of_tentacle_town_is_seen(there: str, instead: str) -> None:
    """Negative control: one word of a game is changed."""
    text = (FOLDER / "town-three-players.txt").read_text(encoding="utf-8")
    assert there in text
    with pytest.raises((AssertionError, ValueError)):
        read_town(text.replace(there, instead, 1))
