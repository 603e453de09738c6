"""The controls of a seat of Pyramid Ball: the pads for its program and its pick.

A program is also walked on the board: each command is a step of its pyramid.
"""

from __future__ import annotations

import functools
from typing import Final

from domain.board import OFF, SIZES
from domain.controls import NO_CONTROLS, MoveControls, Pad, PadField, PadGroup, PadRow, PadStep
from domain.entry.completion import entry
from domain.entry.taps import listed_pad
from domain.events import State
from domain.games.pyramid_ball.board import BOARD, NOBODY, SEAT, SIZE, pyramid
from domain.games.pyramid_ball.effects import SPECIAL
from domain.games.pyramid_ball.moves import Pick
from domain.games.pyramid_ball.orders import WAY
from domain.games.pyramid_ball.position import Play
from domain.games.pyramid_ball.table import Table
from domain.notation import SIZE_LABELS, Label

STILL: Final = "S=...,M=...,L=..."
"""The program without moves, which people change into their own."""

COMMANDS: Final = (
    Label("F", "forward", "↑", ("ArrowUp", "f")),
    Label("B", "back", "↓", ("ArrowDown", "b")),
    Label("L", "left", "←", ("ArrowLeft", "l")),
    Label("R", "right", "→", ("ArrowRight", "r")),
    Label(".", "stand still", "•", (".",)),
)
"""BAL-3.1."""

NO_DASH: Final = Label("", "stand still", "•", (".",))

BEATS: Final = "picks: medium beats small, large beats medium, small beats large."
"""BAL-2.2."""

PASS_ROW: Final = PadField(
    "pass-row",
    (
        Label("", "none"),
        Label(",pass=1", "step 1", needs="quick"),
        Label(",pass=2", "step 2"),
        Label(",pass=3", "step 3"),
    ),
)
"""BAL-3.2, BAL-11.4."""

PASS_TO: Final = PadField(
    "pass-to",
    tuple(Label(each.text, f"to the {each.words}", each.text) for each in SIZE_LABELS),
    None,
    needs=PASS_ROW.name,
)

PASS: Final = PadGroup(
    "Pass",
    (PASS_ROW.name, PASS_TO.name),
    "Tap who gets it; the carrier stands still.",
    "Say who receives the pass, or choose no pass.",
)


def controls(state: State, seat: int) -> MoveControls:
    """Return the pad for a seat's program or pick, if the seat is due to make one."""
    position = state.position
    assert isinstance(position, Play)
    kinds = {tag for one in state.awaiting() if one.seat == seat for tag in one.moves}
    if "pick" in kinds:
        pad = listed_pad(state, seat, Pick, BEATS)
        return MoveControls(pads=(pad,) if pad else ())
    if "program" not in kinds:
        return NO_CONTROLS
    low = position.table.low == seat
    front = f"{seat}:{STILL}"
    onward = entry(state.game, state, seat, front).continuations
    extras = {longer.removeprefix(front).partition("=")[0] for longer in onward}
    return MoveControls(turned=not low, pads=(_program_pad(position.table, seat, extras),))


def _program_pad(table: Table, seat: int, extras: set[str]) -> Pad:
    """Return the pad of a seat; `extras` are the possible suffixes: `,pass`, `,dash`, `,quick`."""
    dash = ",dash" in extras
    boxes = [
        PadField(f"{size}{row}", text=".", before=f"{',' * (size != 'S')}{size}=" * (row == 1))
        for size in SIZES
        for row in (1, 2, 3)
    ]
    dashes = [PadField("S4", (*COMMANDS[:-1], NO_DASH), before=",dash=")] if dash else []
    passes = [PASS_ROW, PASS_TO] if ",pass" in extras else []
    switches = [
        PadField(word, (Label(f",{word}", SPECIAL[size]),))
        for word, size in (("quick", "M"), ("blitz", "L"))
        if f",{word}" in extras
    ]
    own = table.carrier if table.holder == seat else NOBODY
    rows = tuple(
        PadRow(
            label.words,
            label.text,
            tuple(f"{label.text}{row}" for row in range(1, 4 + (dash and label.text == "S"))),
            BOARD.names[table.squares[pyramid(seat, size)]],
        )
        for label, size in zip(SIZE_LABELS, SIZES, strict=True)
    )
    return Pad(
        "program",
        (*boxes, *passes, *dashes, *switches),
        rows=rows,
        groups=(PASS,) if passes else (),
        title="Pyramid",
        heads=("1", "2", "3", *(["Dash"] if dash else [])),
        labels=COMMANDS,
        steps=_steps(1 if table.low == seat else -1),
        start=SIZE[own] if own != NOBODY and SEAT[own] == seat else "M",
    )


@functools.cache
def _steps(side: int) -> tuple[PadStep, ...]:
    """Return where each direction leads from each square, for a side (BAL-3.1)."""
    names = BOARD.names
    ways = {
        letter: [(names[start], names[end]) for start, end in enumerate(way) if end != OFF]
        for letter, way in WAY[side].items()
    }
    return tuple(PadStep(letter, *zip(*way, strict=True)) for letter, way in ways.items())
