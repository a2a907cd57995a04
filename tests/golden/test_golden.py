"""The course of some games, told line by line, is what was read against the rulebook."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.golden.games import FOLDER, KEPT, faults
from tests.golden.octobuns_reader import read as read_octobuns
from tests.golden.reader import read
from tests.golden.tentacle_town_reader import read as read_town
from tests.golden.tiny_epic_cthulhu_reader import read as read_cthulhu

REMEDY = "read what has changed, then run `python -m tests.golden.regenerate`"


@pytest.mark.xdist_group("golden")  # all games are played once
def test_none_is_missing_stale_or_left_over() -> None:
    assert not faults(), REMEDY


@pytest.mark.xdist_group("golden")
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
    """Plain sentences without numbers of colours, codes or Python's spelling of values; rules may be tables."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    text = re.sub(r"  rules\.\S+ = .*\n", "", text)
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


CTHULHU = [name for name, kept in KEPT.items() if kept.game == "tiny-epic-cthulhu"]


@pytest.mark.parametrize("name", CTHULHU)
def test_words_of_tiny_epic_cthulhu_agree_with_the_rulebook(name: str) -> None:
    """From the words alone: where every tentacle and Shambler is, what dice cost, all clocks, and why it ends."""
    assert read_cthulhu((FOLDER / f"{name}.txt").read_text(encoding="utf-8")) >= 30


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("draws rage: the infirmary has 1 of 3", "draws rage: the museum has 1 of 3"),
        ("draws rage: the infirmary has 1 of 3", "draws greed: the infirmary has 1 of 3"),
        ("    draws fear: the infirmary has 1 of 3\n", ""),
        ("one tentacle more is drawn", "no Chaos is in the supply"),
        ("the Energy Track has 1 of 2", "the Energy Track has 2 of 2"),
        ("5 fear, 6 rage, 5 greed and 4 Chaos", "5 fear, 6 rage, 5 greed and 3 Chaos"),
        ("    the Great Old One grows stronger: strength 1 of 5, two tentacles to draw\n", ""),
        ("strength 1 of 5", "strength 2 of 5"),
        ("strength 1 of 5, two tentacles", "strength 1 of 5, three tentacles"),
        ("spawns a greed Shambler in the harbour: 1 of 3", "spawns a fear Shambler in the harbour: 1 of 3"),
        ("4 Shamblers go to the Shambler Mat", "3 Shamblers go to the Shambler Mat"),
        ("    1 Eldritch goes from the supply to the harbour\n", ""),
        ("the Great Old One stays in the harbour, where hasty (seat 1) is", "the Great Old One moves to the museum"),
        ("moves one town back to the police station", "moves one town clockwise to the police station"),
        ("moves two towns back to the museum", "moves three towns back to the museum"),
        ("at the museum: numbers 1 and 5 for 1 greed", "at the museum: numbers 1 and 2 for 1 greed"),
        ("collects 1 rage more in the harbour", "collects 1 rage in the harbour"),
        ("draws Eldritch for a Shambler", "draws Eldritch"),
        ("translates the page at the harbour for 1 rage", "translates the page at the harbour for 1 greed"),
        ("number 5 has 1 of 5, the Necronomicon 2 of 25", "number 5 has 1 of 5, the Necronomicon 1 of 25"),
        ("completes one line of the Necronomicon: 1 Chaos", "completes two lines of the Necronomicon: 2 Chaos"),
        ("takes 1 greed rune and has 1 fear and 1 greed runes", "takes 1 greed rune and has 1 greed rune"),
        ("moves its Brain Token to space 1 of 4", "moves its Brain Token to space 2 of 4"),
        ("1 greed goes from the Discard Mat to the police", "1 rage goes from the Discard Mat to the police"),
        ("2 rage, 1 greed, 6 Chaos and 2 Eldritch go", "2 rage, 1 greed and 6 Chaos go"),
        ("seals the second fear portal with 1 Chaos", "seals the second fear portal with 1 greed"),
        ("which needs 1: 0", "which needs 1: 1"),
        ("fails to seal", "seals"),
        ("pays 1 Chaos and rolls", "rolls"),
        ("5 of 6 portals are sealed", "4 of 6 portals are sealed"),
        ("n_draws 22", "n_draws 23"),
        ("n_stop_draws 13", "n_stop_draws 12"),
    ],
)  # fmt: skip
def test_a_wrong_word_of_tiny_epic_cthulhu_is_seen(there: str, instead: str) -> None:
    """Negative control: one word of a game is changed."""
    text = (FOLDER / "cthulhu-won.txt").read_text(encoding="utf-8")
    assert there in text
    with pytest.raises((AssertionError, ValueError)):
        read_cthulhu(text.replace(there, instead, 1))


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("sealed portals stop its power", "there are no powers"),
        ("power twice", "power"),
        ("fails to seal the second fear portal and loses 1 Chaos", "fails to seal the second fear portal"),
        ("has its Brain Token at space 1", "moves its Brain Token to space 1"),
        ("    1 Eldritch comes from the supply: the Energy Track has 1 of 2\n", ""),
    ],
)
def test_a_wrong_word_under_other_rules_is_seen(there: str, instead: str) -> None:
    """Negative control, where the heading changes the rules."""
    text = (FOLDER / "cthulhu-twice.txt").read_text(encoding="utf-8")
    assert there in text
    with pytest.raises((AssertionError, ValueError)):
        read_cthulhu(text.replace(there, instead, 1))


OCTOBUNS = [name for name, kept in KEPT.items() if kept.game == "octobuns"]


@pytest.mark.parametrize("name", OCTOBUNS)
def test_words_of_octobuns_agree_with_the_rulebook(name: str) -> None:
    """From the words alone: where every card and bun is, which paths orders take, and who wins with how many coins."""
    assert read_octobuns((FOLDER / f"{name}.txt").read_text(encoding="utf-8")) >= 50


@pytest.mark.parametrize(
    ("name", "there", "instead"),
    [
        ("two-players", "takes sesame from the left stack", "takes kelp from the left stack"),
        ("two-players", "takes the open crab on the left", "takes the open crab on the right"),
        ("two-players", "puts leek on cell 4", "puts crab on cell 4"),
        ("two-players", "puts leek on cell 4", "puts leek on cell 9"),
        ("two-players", "plum is turned up on the left", "leek is turned up on the left"),
        ("two-players", "of cell 1 and makes a plum bun", "of cell 1 and makes a crab bun"),
        ("two-players", "stacks plum on sesame of cell 1", "stacks plum on sesame of cell 2"),
        ("two-players", "the mermaid's order of sesame, sesame and leek", "the mermaid's order of sesame and leek"),
        ("two-players", "order of plum bun, crab and plum\n    new", "order of plum bun, crab\n    new"),
        ("two-players", "reserved order with cells 8-9", "reserved order with cells 6-9"),
        ("two-players", "reserved order with cells 8-9", "order with cells 8-9"),
        ("two-players", "cells 1-4-7: two coins", "cells 1-4-7: three coins"),
        ("two-players", "two coins and Extra Tentacle", "two coins"),
        ("two-players", "uses Extra Tentacle", "uses Extra Rope In"),
        ("two-players", "has completed three orders", "has completed two orders"),
        ("two-players", "three orders: the round is finished", "three orders: the game ends"),
        ("two-players", "each player has one starting card", "each player has two starting cards"),
        ("two-players", "(seat 2), with one bun left", "(seat 2), with two buns left"),
        ("two-players", "the most coins: eager (seat 2)", "the most coins: eager (seat 1)"),
        ("two-players", "eager (seat 2) wins for the most buns", "eager (seat 2) wins"),
        ("two-players", "n_extra_tentacles 1", "n_extra_tentacles 0"),
        ("two-players", "rank 2", "rank 1"),
        ("shared", "share the win\n\n", "share the win for the most buns\n\n"),
        ("unequal-turns", "two orders: the game ends", "two orders: the round is finished"),
        ("four-players", "and shrimp from the large pile", "and shrimp from the small pile"),
        ("four-players", "plum, kelp, crab and leek from the large pile", "plum, kelp, crab and leek"),
        ("four-players", "takes leek from the discard pile", "takes plum bun from the discard pile"),
        ("four-players", "returns the kelp bun of cell 3", "returns the kelp bun of cell 6"),
        ("four-players", "puts crab on cell 6", "puts crab on cell 7"),
        ("floating", "slides all cards down 1 left 1", "slides all cards down 2 left 1"),
        ("floating", "takes crab from the discard pile", "takes plum from the discard pile"),
        ("floating", ", which goes under its pile", ""),
        ("together", "puts leek on cell 8", "puts leek on cell 5"),
        ("together", "nine cards of the discard pile go", "ten cards of the discard pile go"),
        ("together", "seven cards with kelp on top and six cards", "six cards with kelp on top and seven cards"),
        ("together", "but no bun is left: both are discarded", "and makes a kelp bun"),
        ("together", "discards crab bun, which goes back to the supply", "discards crab bun"),
        ("together", "given up after 16 rounds", "given up after 15 rounds"),
        ("together", "stock_out yes", "stock_out no"),
        ("rebuilt", ", which stay", ""),
        ("rebuilt", "four cards with plum on top, seven cards", "seven cards with plum on top, four cards"),
    ],
)  # fmt: skip
def test_a_wrong_word_of_octobuns_is_seen(name: str, there: str, instead: str) -> None:
    """Negative control: one word of a game is changed."""
    text = (FOLDER / f"octobuns-{name}.txt").read_text(encoding="utf-8")
    assert there in text
    with pytest.raises((AssertionError, ValueError)):
        read_octobuns(text.replace(there, instead, 1))


@pytest.mark.parametrize("name", ["octobuns-two-players", "octobuns-floating", "octobuns-rebuilt"])
def test_a_line_of_octobuns_left_out_is_missed(name: str) -> None:
    """Negative control: whatever a sentence says, others hang on it."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for place, line in enumerate(lines):
        if line.startswith("  "):
            with pytest.raises((AssertionError, ValueError)):
                read_octobuns("\n".join(lines[:place] + lines[place + 1 :]))
