"""A game of one file whose goods are lines of a table, which are tapped."""

from __future__ import annotations

from typing import Literal, get_args

from plybook.drawing import Mark, Piece, Row, Scene, Table, TableLine
from plybook.game import Awaited, Effect, Game, Lexeme, Move, Outcome, Position, Violation, template

Good = Literal["fish", "salt", "corn"]
GOODS = get_args(Good)
PRICES = {"fish": "3", "salt": "5", "corn": "2"}


class Market(Position, frozen=True):
    bought: tuple[Good, ...] = ()

    @property
    def turn(self):
        return len(self.bought) + 1

    def outcome(self):
        return Outcome("MAR-2.1") if len(self.bought) == len(GOODS) else None

    def awaiting(self):
        seat = 1 + len(self.bought) % 2
        return () if self.outcome() else (Awaited(seat, "buy goods", ("buy",)),)


class Buy(Move[Market], frozen=True):
    good: Good

    notation = template("{good}", good=Lexeme("fish|salt|corn"))
    what = "goods"
    example = "salt"

    @classmethod
    def legal(cls, position, seat):
        return (cls(good) for good in GOODS if good not in position.bought)

    def check(self, position, seat):
        if self.good in position.bought:
            return Violation("MAR-1.1", f"{self.good} is sold; buy other goods", (self.good,))
        return None

    def evolve(self, position, seat):
        return Market((*position.bought, self.good)), (Bought(seat, self.good),)


class Bought(Effect, frozen=True):
    seat: int
    good: str

    template = "{seat} buys {good}"


def draw(market, effects, names):
    owners = {good: names.title(1 + at % 2) for at, good in enumerate(market.bought)}
    lines = (TableLine(each, (PRICES[each], owners.get(each, "")), each) for each in GOODS)
    marks = tuple(Mark(effect.good, "to") for effect in effects)
    tiles = (
        Piece("tile", f"seat{1 + at % 2}", text=good, second="in a barrel", price=PRICES[good])
        for at, good in enumerate(market.bought)
    )
    sold = Row(tuple(tiles), "Bought")
    return Scene((Table(("price", "owner"), tuple(lines)), sold), marks=marks)


RULES = """# Market

## MAR-1 Goods
- MAR-1.1 The seats buy in turn what is not sold.

## MAR-2 The end
- MAR-2.1 When all is sold the game is a draw.
"""
DEMO = """[Game "market"]
[Rules "market/1"]
[Result "="]

1. salt 2. fish 3. corn =
"""
GAME = Game(
    "market",
    "Market",
    moves=(Buy,),
    start=lambda options, seats: Market(),
    scene=draw,
    rules=RULES,
    demo=DEMO,
)
