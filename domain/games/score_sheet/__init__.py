"""Score sheet: the points of any game, without a referee. Clauses: seeds/score-sheet/rules-1.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from msgspec.structs import replace

from domain.controls import MoveControls, NumberPad
from domain.effects import Effect
from domain.game import Concluded, Game, OptionError, Options
from domain.games.score_sheet.definition import Definition
from domain.games.score_sheet.effects import Left
from domain.games.score_sheet.moves import End, Enter, filling
from domain.games.score_sheet.position import Sheet
from domain.games.score_sheet.scene import draw

# fmt: off
Rounds = Literal[
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 24, 25, 30, 40, 50,
]
Target = Literal[
    0, 5, 7, 10, 11, 15, 20, 21, 25, 30, 31, 40, 50, 60, 75, 100, 120, 121, 150, 200, 250, 300,
    400, 500, 750, 1000, 1500, 2000, 2500, 3000, 5000, 10000,
]
First = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
# fmt: on


class OwnOptions(Options, frozen=True):
    """The option of a sheet whose definition sets its end (SHT-1.5)."""

    first: First = 0


class SheetOptions(Options, frozen=True):
    """SHT-1.2, SHT-1.3, SHT-1.5."""

    rounds: Rounds = 0
    target: Target = 0
    wins: Literal["high", "low"] = "high"
    entry: Literal["rounds", "freely"] = "rounds"
    first: First = 0


def sheet_game(definition: Definition, rules: str = "") -> Game[Sheet]:
    """Return the game of a sheet with the text of its rules."""
    fewest, most = definition.seats
    fill = (filling(definition),) if definition.rows else ()

    def start(options: Any, seats: int) -> Sheet:
        if options.first > seats:
            raise OptionError(
                f"first={options.first} is not a seat of {seats}; use 0 to {seats}", "first"
            )
        begun = Sheet(definition, ((),) * seats, (definition.total(()),) * seats)
        if not definition.has_options:
            ends = {"rounds": definition.rounds, "target": definition.target}
            return replace(begun, **ends, wins=definition.wins, first=options.first)
        freely = options.entry == "freely"
        if freely and options.first:
            raise OptionError(
                "entry=freely has no rounds to start; leave out `first` or `entry`", "first"
            )
        ends = {"rounds": options.rounds, "target": options.target}
        return replace(begun, **ends, wins=options.wins, freely=freely, first=options.first)

    return Game(
        definition.slug,
        definition.title,
        seats=tuple(range(fewest, most + 1)),
        options=SheetOptions if definition.has_options else OwnOptions,
        moves=(*((Enter,) * (definition.rounds > 0 or not fill)), *fill, End),
        start=start,
        scene=draw,
        controls=controls,
        concluded=leave,
        rules=rules,
    )


def leave(sheet: Sheet, seat: int, clause: Literal["resigned", "flagged"]) -> Concluded[Sheet]:
    """Let a seat leave a table of three or more (SHT-1.2)."""
    if len(sheet.playing) < 3:
        return None
    effects: Sequence[Effect] = (Left(seat),)
    return replace(sheet, gone=(*sheet.gone, seat)), tuple(effects)


def controls(state: Any, seat: int) -> MoveControls:
    """Return a number pad with the last numbers as chips, and a chip for each free row."""
    sheet: Sheet = state.position
    own = sheet.entries[seat - 1]
    recent = tuple(dict.fromkeys(entry.points for column in sheet.entries for entry in column))
    if sheet.kind(seat) == "enter":
        return MoveControls(numbers=(NumberPad("enter", "", "", recent[-CHIPS:]),))
    filled = {entry.row for entry in own}
    free = (row for row in sheet.rules.rows if row.name not in filled)
    return MoveControls(
        numbers=tuple(
            NumberPad("fill", f"{row.name}=", row.title or row.name, unsigned=row.least >= 0)
            for row in free
        )
    )


CHIPS: Final = 6
"""The number of last entries that are offered at a tap."""

GAME: Final = sheet_game(Definition("score-sheet", "Score sheet"))
