"""A game of one file with five dice, of which some are rolled again."""

from __future__ import annotations

from itertools import product

from plybook.drawing import Piece, Row, Scene
from plybook.game import Awaited, Effect, Game, Lexeme, Move, Outcome, Position, Violation, template

LEFT = (5, 2, 1)


def faces_of(counts):
    """Return the faces of so many dice, like `4,5`."""
    return (",".join(thrown) for count in counts for thrown in product("123456", repeat=count))


FACES = Lexeme("[1-6](?:,[1-6]){0,4}", texts=lambda: tuple(faces_of(LEFT)))


class Cup(Position, frozen=True):
    thrown: tuple[str, ...] = ()

    @property
    def turn(self):
        return len(self.thrown) + 1

    @property
    def playing(self):
        return (1,)

    def outcome(self):
        return Outcome("RER-2.1", (1,)) if len(self.thrown) == len(LEFT) else None

    def awaiting(self):
        return () if self.outcome() else (Awaited(1, "roll", ("throw",)),)


class Throw(Move[Cup], frozen=True):
    faces: str

    notation = template("throw={faces}", faces=FACES)
    chance = True
    listed = False
    dice_count = 5
    what = "throw"
    example = "throw=1,2,3,4,5"

    @classmethod
    def dice_at(cls, position):
        return LEFT[len(position.thrown)] if len(position.thrown) < len(LEFT) else 0

    @classmethod
    def legal(cls, position, seat):
        return iter(())

    @classmethod
    def roll(cls, position, die):
        return cls(",".join(str(die(6)) for _ in range(cls.dice_at(position))))

    def check(self, position, seat):
        count = self.dice_at(position)
        if self.faces.count(",") + 1 != count:
            return Violation("RER-1.1", f"the number of dice is {count}, not that of {self.faces}")
        return None

    def evolve(self, position, seat):
        return Cup((*position.thrown, self.faces)), (Thrown(seat, self.faces),)


class Thrown(Effect, frozen=True):
    seat: int
    faces: str

    template = "{seat} rolls {faces}"


def draw(cup, effects, names):
    last = cup.thrown[-1].split(",") if cup.thrown else ()
    return Scene((Row(tuple(Piece("letter", "clear", text=face) for face in last), "Dice"),))


RULES = """# Rerolls

## RER-1 Rolls
- RER-1.1 Five dice are rolled, then two of them, then one.

## RER-2 The end
- RER-2.1 After three rolls the game is over.
"""
DEMO = """[Game "rerolls"]
[Rules "rerolls/1"]
[Result "+1"]

1. throw=1,2,3,4,5 2. throw=6,6 3. throw=1 +1
"""
GAME = Game(
    "rerolls",
    "Rerolls",
    seats=(1,),
    moves=(Throw,),
    start=lambda options, seats: Cup(),
    scene=draw,
    rules=RULES,
    demo=DEMO,
)
