"""The toy game Beacon, broken in many ways."""

from __future__ import annotations

Edit = tuple[str, str]

BAD: dict[str, tuple[tuple[Edit, ...], str, str]] = {
    "raises": ((("fog[cell[rising], games[rising]] += 1", "fog[cell[rising]] += 1 / 0"),), "runs", "ZeroDivisionError"),
    "tally out of place": (
        (("held=held.astype(np.uint8))", "held=held.astype(np.uint8) + 1)"),),
        "runs",
        "no place for",
    ),
    "tally without a key": (((", held=held.astype(np.uint8))", ")"),), "runs", "has the keys seat, held"),
    "no legal option": (
        (("legal = np.stack([np.ones(len(games), bool), s", "legal = np.stack([np.zeros(len(games), bool), s"),),
        "runs",
        "no legal option",
    ),
    "feels its neighbours": (
        (("2 * (choice == FETCH)", "2 * (choice == FETCH).any()"),),
        "neighbours",
        "the same deals differ in",
    ),
    "minds its place": (
        (("2 * (choice == FETCH)", "2 * (choice == FETCH) * (np.arange(table.n) % 2)"),),
        "neighbours",
        "the same deals differ in",
    ),
    "own luck": (
        (('table.draw("ships", n_beacons + 1, games)', "np.random.randint(0, n_beacons + 1)"),),
        "repeats",
        "played again",
    ),
    "texts as numbers": (
        (("2 * (choice == FETCH)", '(hash("sea") % 5) * (choice == FETCH)'),),
        "repeats",
        "in another process",
    ),
    "hidden changes what is known": (
        (('    """Nobody knows the order of the pile."""', "    table.state.oil[seat] = 6 - table.state.oil[seat]"),),
        "hidden",
        "`view.oil` tells something",
    ),
    "hidden changes a type": (
        (('    """Nobody knows the order of the pile."""', "    table.state.oil = table.state.oil + np.int64(0)"),),
        "hidden",
        "must leave `oil` uint8",
    ),
    "view tells a secret": (
        (
            (
                "    def unseen(self)",
                "    def next(self):\n        return self._table.state.pile.top(self.turn + 1)\n\n    def unseen(self)",
            ),
        ),
        "hidden",
        "`view.next` tells something",
    ),
    "offer tells a secret": (
        (
            ("choice = table.ask(", "next_card = state.pile.top(table.turn) + 0\n    choice = table.ask("),
            ("can_build]))", "can_build]), next_card=next_card)"),
        ),
        "hidden",
        "`next_card` is offered",
    ),
    "legal options tell a secret": (
        (("can_build = free.any(axis=0) & ", "can_build = free.any(axis=0) & (state.pile.top(table.turn) < 5) & "),),
        "hidden",
        "which options are legal",
    ),
    "value too large": (
        (('"n_wrecks": state.n_wrecks.take(games)', '"n_wrecks": state.n_wrecks.take(games) + np.int64(300)'),),
        "results",
        "`games.n_wrecks` must lie in 0..255",
    ),
    "fractions": (
        (('"n_wrecks": state.n_wrecks.take(games)', '"n_wrecks": state.n_wrecks.take(games) / 2'),),
        "results",
        "`games.n_wrecks` must be whole numbers",
    ),
    "column not told": (
        (('            "n_wrecks": state.n_wrecks.take(games),\n', ""),),
        "results",
        "`games.n_wrecks` is declared and must be told",
    ),
    "column not declared": (
        (('"n_wrecks": state.n_wrecks.take(games)', '"n_wreck": 1, "n_wrecks": state.n_wrecks.take(games)'),),
        "results",
        "`games.n_wreck` must be declared",
    ),
    "numpy in a description": (
        (('"wrecks": int(state.n_wrecks[column])', '"wrecks": state.n_wrecks[column]'),),
        "describe",
        "plain Python values",
    ),
    "array replaced": (
        (
            (
                "state.oil[seat] = np.minimum(",
                "state.oil = state.oil.astype(np.int64)\n    state.oil[seat] = np.minimum(",
            ),
        ),
        "state",
        "`state.oil` must stay uint8",
    ),
    "endless turn": (
        (('    """Work, then weather."""', "    while table.turn == 3:\n        pass"),),
        "time",
        "turn 3: no answer within",
    ),
    "endless game": (
        (('    """Work, then weather."""', "    return"),),
        "ends",
        "no game came to an end",
    ),
}
"""By name: changes of the source, the check that must fail, and words that it must say."""

BAD_COMPONENTS: dict[str, tuple[Edit, str, str]] = {
    "alternative refused": (("alternatives = [2, 4]", "alternatives = [2, 0]"), "rules", "`rules.wrecks`: must be"),
    "alternative is the value": (("alternatives = [2, 4]", "alternatives = [2, 3]"), "components", "must differ"),
    "no meaning": (('meaning = "oil that a beacon costs"', 'meaning = " "'), "components", "`cost` must say"),
}
