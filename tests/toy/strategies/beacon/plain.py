"""A keeper written for one game at a time."""

from simkit.strategy import PerGame


class Plain(PerGame):
    """Clears and builds where most fog is still to come; a coin has a say in whether it holds a beacon."""

    ties = "coin"

    def work(self, view):
        return [view.oil[view.seat] < 2, max(view.fog) >= 2, 1]

    def clear(self, view):
        to_come = view.unseen()
        return [fog * 10 + to_come[cell] for cell, fog in enumerate(view.fog)]

    def defend(self, view):
        return [view.coin(3), view.unseen()[view.cell]]
