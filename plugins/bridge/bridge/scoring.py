"""The contract, and what it scores. The clauses are BRI-7."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Strain = Literal["C", "D", "H", "S", "NT"]
STRAINS: Final[tuple[Strain, ...]] = ("C", "D", "H", "S", "NT")
"""The strains of bids from the lowest (BRI-3.2)."""
RISKS: Final = ("", "X", "XX")
"""How a contract is written that is undoubled, doubled or redoubled."""
MINOR: Final = ("C", "D")
GAME: Final = 100
"""The points of a game (BRI-7.2)."""


class Contract(NamedTuple):
    """The last bid, the seat that declares it, and whether it was doubled (1) or redoubled (2)."""

    level: int
    strain: Strain
    declarer: int
    risk: int = 0

    @property
    def bid(self) -> str:
        """The last bid: `3NT`."""
        return f"{self.level}{self.strain}"

    @property
    def text(self) -> str:
        """The contract without its declarer: `3NTX`."""
        return self.bid + RISKS[self.risk]

    def score(self, tricks: int, vulnerable: bool) -> int:
        """Return the points for declarer's side, by its tricks; below 0 for undertricks."""
        over = tricks - 6 - self.level
        if over < 0:
            return -self._undertricks(-over, vulnerable)
        each = 20 if self.strain in MINOR else 30
        points = (each * self.level + 10 * (self.strain == "NT")) << self.risk
        game = 50 if points < GAME else 500 if vulnerable else 300
        slam = {6: 250, 7: 500}.get(self.level, 0) * (3 if vulnerable else 2)
        if self.risk:
            each = 100 * self.risk << vulnerable
        return points + game + slam + 50 * self.risk + each * over

    def _undertricks(self, number: int, vulnerable: bool) -> int:
        """BRI-7.5."""
        if not self.risk:
            return number * (100 if vulnerable else 50)
        first = (200, 300, 300) if vulnerable else (100, 200, 200)
        return (sum(first[:number]) + 300 * max(0, number - 3)) * self.risk
