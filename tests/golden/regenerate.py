"""Write the goldens anew: `python -m tests.golden.regenerate`."""

from tests.golden.games import FOLDER, KEPT


def main() -> None:
    """One file a game; files of games that are no longer kept go."""
    for path in FOLDER.glob("*.txt"):
        if path.stem not in KEPT:
            path.unlink()
    for name, kept in KEPT.items():
        (FOLDER / f"{name}.txt").write_text(kept.text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
