"""Judge random deals by a solver, once: `python -m tests.plugins.z3_deals` writes the fixture.

It needs `z3-solver` from the package index, which no lock has. Each line is a game, the seat that
leads, the cards as they fell, the number of the first card at which no deal fits (`-` if one always
fits), and the seats that may have broken a rule then, if as few rules as possible were broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import z3

from tests.paths import ROOT
from tests.plugins.random_deals import GAMES, PACK, Fallen, deal, rules

SAMPLE = ROOT / "fixtures" / "judged-deals.txt"
DEALS = 300
SEATS = (1, 2, 3, 4)


HOLDS = {(card, seat): z3.Bool(f"{card}{seat}") for card in PACK for seat in SEATS}
"""Whether a seat was dealt a card."""


class Solver:
    """The deals that fit the cards that have fallen, with a variable for each rule of a card."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.fallen: list[Fallen] = []
        self.broken: list[tuple[int, Any]] = []
        self.solver = z3.Solver()
        for card in PACK:
            self.solver.add(z3.PbEq([(HOLDS[card, seat], 1) for seat in SEATS], 1))
        for seat in SEATS:
            self.solver.add(z3.PbEq([(HOLDS[card, seat], 1) for card in PACK], 13))

    def add(self, one: Fallen) -> None:
        """Let a card fall: its seat held it, and nothing that its rules exclude, unless broken."""
        self.solver.add(HOLDS[one.card, one.seat])
        gone = {one.card, *(each.card for each in self.fallen)}
        for rule in rules(self.game, self.fallen, one.card):
            broken = z3.Bool(f"{len(self.fallen)} {rule.clause}")
            held = [HOLDS[card, one.seat] for card in rule.cards - gone]
            self.solver.add(z3.Or(broken, z3.Not(z3.Or(held))))
            self.broken.append((one.seat, broken))
        self.fallen.append(one)

    def fits(self, most: int, seat: int | None = None) -> bool:
        """Return whether a deal fits with so many broken rules, one of them by a seat."""
        if not most:
            return bool(self.solver.check([z3.Not(each) for _, each in self.broken]) == z3.sat)
        self.solver.push()
        self.solver.add(z3.PbLe([(each, 1) for _, each in self.broken], most))
        if seat is not None:
            self.solver.add(z3.Or([each for who, each in self.broken if who == seat]))
        found = self.solver.check()
        self.solver.pop()
        return bool(found == z3.sat)


def judge(game: str, cards: Sequence[Fallen]) -> str:
    """Return the number of the first card at which no deal fits, and the seats that may be why."""
    solver = Solver(game)
    for number, one in enumerate(cards):
        solver.add(one)
        if not solver.fits(0):
            fewest = next(most for most in range(1, 53) if solver.fits(most))
            return f"{number} {''.join(str(seat) for seat in SEATS if solver.fits(fewest, seat))}"
    return "- -"


def lines() -> Iterator[str]:
    """Yield the judged deals."""
    for game in GAMES:
        for seed in range(DEALS):
            cards = [*deal(game, Random(f"judged {seed}"))]
            fell = "".join(one.card for one in cards)
            yield f"{game} {cards[0].seat} {fell} {judge(game, cards)}\n"


if __name__ == "__main__":
    SAMPLE.write_text("".join(lines()))
