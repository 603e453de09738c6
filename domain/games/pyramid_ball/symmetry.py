"""The symmetry of Pyramid Ball: left and right, of the board and in the programs."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from msgspec.structs import replace

from domain.games.pyramid_ball.board import BOARD
from domain.games.pyramid_ball.effects import Revealed
from domain.games.pyramid_ball.moves import Program
from domain.games.pyramid_ball.position import Play
from domain.games.pyramid_ball.table import Interrupted
from domain.position import Move
from domain.symmetry import Squares, Symmetry, goes, mirror, turn_squares

P = TypeVar("P", Program, Revealed)

SIDEWAYS: Final = str.maketrans("LR", "RL")


def _turn_program(program: P) -> P:
    return replace(
        program,
        S=program.S.translate(SIDEWAYS),
        M=program.M.translate(SIDEWAYS),
        L=program.L.translate(SIDEWAYS),
        dash=None if program.dash is None else program.dash.translate(SIDEWAYS),
    )


def _turn_move(move: Move[Any], squares: Squares) -> Move[Any]:
    return _turn_program(move) if isinstance(move, Program) else turn_squares(move, squares)


def _turn_interrupted(turn: Interrupted) -> Interrupted:
    first, second = turn.programs
    return replace(turn, programs=(_turn_program(first), _turn_program(second)))


def _turn(play: Play, squares: Squares) -> Play:
    first, second = (
        _turn_program(secret) if isinstance(secret, Program) else secret for secret in play.secrets
    )
    table, interrupted = play.table, play.table.interrupted
    turned = replace(
        table,
        squares=tuple(goes(BOARD, square, squares) for square in table.squares),
        loose=goes(BOARD, table.loose, squares),
        interrupted=None if interrupted is None else _turn_interrupted(interrupted),
    )
    return replace(play, table=turned, secrets=(first, second))


SYMMETRIES: Final = (Symmetry("left and right", mirror(BOARD), _turn, _turn_move),)


def symmetries(play: Play) -> tuple[Symmetry, ...]:
    """Return the mirror symmetry once the pyramids are set up: S and L do not start mirrored."""
    return () if play.table.stage in ("pick", "start") else SYMMETRIES
