"""Every breach of a game's contract is found, by the check that is there for it; a good game passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.probe import Report, check_game

from .bad_games import BAD, BAD_COMPONENTS, Edit


def probed(folder: Path, file: str, edits: tuple[Edit, ...], patience: float = 60.0) -> Report:
    """The toy game with some lines changed."""
    path = folder / "games" / file
    text = path.read_text()
    for old, new in edits:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    path.write_text(text)
    return check_game("beacon", folder, patience=patience)


@pytest.mark.slow
def test_a_good_game_passes(own_folder: Path) -> None:
    """Every check has looked at something."""
    report = check_game("beacon", own_folder)
    assert report.passed, report.told()
    assert {check.name for check in report.checks if check.status != "ok"} <= {"speed"}, report.told()
    assert {row["decision"] for row in report.speed} == {"turn, random play"}


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_a_breach_is_found(own_folder: Path, name: str) -> None:
    edits, check, said = BAD[name]
    report = probed(own_folder, "beacon.py", edits, 2.0 if check == "time" else 60.0)
    assert report[check].status == "FAILED", report.told()
    assert any(said in text for text in report[check].found), report.told()


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD_COMPONENTS)
def test_a_bad_component_is_found(own_folder: Path, name: str) -> None:
    edit, check, said = BAD_COMPONENTS[name]
    report = probed(own_folder, "beacon.toml", (edit,))
    assert report[check].status == "FAILED", report.told()
    assert any(said in text for text in report[check].found), report.told()


@pytest.mark.slow
def test_what_random_games_never_reach_is_noted(own_folder: Path) -> None:
    """A secret that `hidden` leaves alone, a tally that is never counted, an option never taken."""
    edits = (
        ("    for game in range(table.n):\n", "    for game in range(0):\n"),
        ('    table.tally("defence"', '    0 or table.seats > 9 and table.tally("defence"'),
        ('"spend an oil")', '"spend an oil", "sing")'),
        ("state.oil[keeper, games] > 0])", "state.oil[keeper, games] > 0, np.zeros(len(games), bool)])"),
        ('end_causes=("line of light", ', 'end_causes=("flood", "line of light", '),
    )
    report = probed(own_folder, "beacon.py", edits)
    assert report.passed
    said = {check.name: check.found for check in report.checks if check.status == "note"}
    assert "changed nothing" in said["hidden"][0]
    assert said["tallies"] == ("never counted in random games: defence",)
    assert said["decisions"] == ("`defend`: never taken in random games: sing",)
    assert said["ends"] == ("never reached in random games: flood",)


@pytest.mark.slow
def test_a_turned_rule_that_chance_cannot_master_is_noted(own_folder: Path) -> None:
    """With `calm` turned no random game ends: of the rules as they are that would be a fault, here it is news."""
    with (own_folder / "games" / "beacon.toml").open("a") as components:
        components.write('\n[calm]\nvalue = false\ntag = "rulebook"\nsource = "ours"\nmeaning = "no weather"\n')
    edits = (
        ("    copies: Annotated", "    calm: bool\n    copies: Annotated"),
        ('    """Work, then weather."""', "    if table.rules.calm:\n        return"),
    )
    report = probed(own_folder, "beacon.py", edits)
    assert report.passed, report.told()
    assert any("no game came to an end" in text and "calm = true" in text for text in report["ends"].found)
