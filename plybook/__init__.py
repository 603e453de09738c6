"""The Python API of Plybook: write games, play and record matches, read and draw them.

Plug-ins and scripts import only from this package; the modules behind it may change.
"""

from __future__ import annotations

import plybook.packages  # noqa: F401  # first: it checks the origin of the packages imported next

# isort: split

from importlib import import_module
from typing import TYPE_CHECKING, Any

from domain.board import Board
from domain.controls import MoveControls, Pad, PadField, PadGroup, PadRow, PadStep
from domain.editor import Editor, Location, Misplaced, Thing, occupied
from domain.edits import Amended, Judged, TakenBack
from domain.effects import Effect, Irregularity, Skipped
from domain.entry.tokens import legal_tokens
from domain.entry.tokens import read as read_token
from domain.entry.tokens import write as write_token
from domain.events import (
    Adjusted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Flagged,
    Moved,
    Noted,
    Ply,
    Resigned,
    Ruled,
    State,
    Stood,
)
from domain.game import Game, OptionError, Options
from domain.match import Match, fold, open_match
from domain.names import UNNAMED, Names, Player, Sentence
from domain.notation import Label, Lexeme, Notation, template
from domain.position import Awaited, Move, Outcome, Position, Secret, View, Violation
from domain.position_text import (
    Field,
    PositionError,
    Rows,
    TextCodec,
    board_rows,
    fields,
    read_seat,
    read_turn,
)
from domain.scene import (
    Arrow,
    Block,
    Cell,
    Colour,
    Grid,
    Mark,
    Piece,
    Pile,
    Scene,
    Score,
    Supply,
    Tray,
)
from domain.symmetry import Symmetry, board_squares, mirror, turn_squares, turned
from replay.book import Book
from replay.book_file import open_book
from replay.errors import (
    Damaged,
    PlybookError,
    Refused,
    Stale,
    StoreError,
    UnknownMatch,
    Usage,
)
from replay.record.match_record import MatchRecord
from replay.referee.entering import judge_tokens as play_tokens
from replay.referee.entering import play
from replay.referee.opening import open_match as create_match
from replay.registry import find as find_game
from replay.registry import games

if TYPE_CHECKING:
    from domain.perft import divide, perft
    from replay.drawing.svg import draw as draw_svg
    from replay.drawing.text import draw as draw_text
    from replay.formats.archive.importer import import_archive
    from replay.formats.archive.writer import write_archive
    from replay.formats.ply.exporter import export_record
    from replay.formats.ply.importer import import_record
    from replay.formats.ply.model import Record, RecordFault, plain_record
    from replay.formats.ply.reader import read_records
    from replay.formats.ply.writer import write_record

__all__ = [
    "UNNAMED",
    "Adjusted",
    "Amended",
    "Arrow",
    "Awaited",
    "Block",
    "Board",
    "Book",
    "Cell",
    "Colour",
    "Damaged",
    "DrawAccepted",
    "DrawDeclined",
    "DrawOffered",
    "Editor",
    "Effect",
    "Field",
    "Flagged",
    "Game",
    "Grid",
    "Irregularity",
    "Judged",
    "Label",
    "Lexeme",
    "Location",
    "Mark",
    "Match",
    "MatchRecord",
    "Misplaced",
    "Move",
    "MoveControls",
    "Moved",
    "Names",
    "Notation",
    "Noted",
    "OptionError",
    "Options",
    "Outcome",
    "Pad",
    "PadField",
    "PadGroup",
    "PadRow",
    "PadStep",
    "Piece",
    "Pile",
    "Player",
    "Ply",
    "PlybookError",
    "Position",
    "PositionError",
    "Record",
    "RecordFault",
    "Refused",
    "Resigned",
    "Rows",
    "Ruled",
    "Scene",
    "Score",
    "Secret",
    "Sentence",
    "Skipped",
    "Stale",
    "State",
    "Stood",
    "StoreError",
    "Supply",
    "Symmetry",
    "TakenBack",
    "TextCodec",
    "Thing",
    "Tray",
    "UnknownMatch",
    "Usage",
    "View",
    "Violation",
    "board_rows",
    "board_squares",
    "create_match",
    "divide",
    "draw_svg",
    "draw_text",
    "export_record",
    "fields",
    "find_game",
    "fold",
    "games",
    "import_archive",
    "import_record",
    "legal_tokens",
    "mirror",
    "occupied",
    "open_book",
    "open_match",
    "perft",
    "plain_record",
    "play",
    "play_tokens",
    "read_records",
    "read_seat",
    "read_token",
    "read_turn",
    "template",
    "turn_squares",
    "turned",
    "write_archive",
    "write_record",
    "write_token",
]

_LAZY = {
    "Record": "replay.formats.ply.model:Record",
    "RecordFault": "replay.formats.ply.model:RecordFault",
    "divide": "domain.perft:divide",
    "draw_svg": "replay.drawing.svg:draw",
    "draw_text": "replay.drawing.text:draw",
    "export_record": "replay.formats.ply.exporter:export_record",
    "import_archive": "replay.formats.archive.importer:import_archive",
    "import_record": "replay.formats.ply.importer:import_record",
    "perft": "domain.perft:perft",
    "plain_record": "replay.formats.ply.model:plain_record",
    "read_records": "replay.formats.ply.reader:read_records",
    "write_archive": "replay.formats.archive.writer:write_archive",
    "write_record": "replay.formats.ply.writer:write_record",
}
"""Names from modules that few commands need, imported on first use (PEP 562)."""


if not TYPE_CHECKING:  # otherwise type checkers would accept every name

    def __getattr__(name: str) -> Any:
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, attribute = _LAZY[name].partition(":")
        value = getattr(import_module(module), attribute)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return __all__
