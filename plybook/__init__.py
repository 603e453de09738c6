"""The Python API of Plybook for scripts: play, record, read and write matches.

Games are written with `plybook.game` and pictures are made with `plybook.drawing`. Plug-ins and
scripts import only from these three modules; the modules behind them may change.
"""

from __future__ import annotations

import plybook.packages  # noqa: F401  # first: it checks the origin of the packages imported next

# isort: split

from typing import TYPE_CHECKING

from domain.entry.move_text import legal_texts
from domain.entry.move_text import read as read_text
from domain.entry.move_text import write as write_text
from domain.events import (
    Adjusted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Flagged,
    Forfeited,
    Moved,
    Noted,
    Ply,
    Resigned,
    Ruled,
    State,
    Stood,
)
from domain.log_edits import Amended, Judged, TakenBack
from domain.match import Match, fold, open_match
from plybook.packages import lazy_names
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
from replay.referee.entering import judge_texts as play_texts
from replay.referee.entering import play
from replay.referee.opening import open_match as create_match
from replay.registry import find as find_game
from replay.registry import games

if TYPE_CHECKING:
    from domain.perft import divide, perft
    from replay.formats.archive.importer import import_archive
    from replay.formats.archive.writer import write_archive
    from replay.formats.ply.importer import import_record
    from replay.formats.ply.model import Record, RecordFault, plain_record
    from replay.formats.ply.reader import read_records
    from replay.formats.ply.writer import export_record, write_record

    # isort: split
    # Earlier names of plybook.game and plybook.drawing, which still work here.
    from plybook.drawing import *  # noqa: F403
    from plybook.game import *  # noqa: F403

__all__ = [
    "Adjusted",
    "Amended",
    "Book",
    "Damaged",
    "DrawAccepted",
    "DrawDeclined",
    "DrawOffered",
    "Flagged",
    "Forfeited",
    "Judged",
    "Match",
    "MatchRecord",
    "Moved",
    "Noted",
    "Ply",
    "PlybookError",
    "Record",
    "RecordFault",
    "Refused",
    "Resigned",
    "Ruled",
    "Stale",
    "State",
    "Stood",
    "StoreError",
    "TakenBack",
    "UnknownMatch",
    "Usage",
    "create_match",
    "divide",
    "export_record",
    "find_game",
    "fold",
    "games",
    "import_archive",
    "import_record",
    "legal_texts",
    "open_book",
    "open_match",
    "perft",
    "plain_record",
    "play",
    "play_texts",
    "read_records",
    "read_text",
    "write_archive",
    "write_record",
    "write_text",
]

if not TYPE_CHECKING:  # otherwise type checkers would accept every name
    __getattr__ = lazy_names(
        __name__,
        {
            "Record": "replay.formats.ply.model:Record",
            "RecordFault": "replay.formats.ply.model:RecordFault",
            "divide": "domain.perft:divide",
            "export_record": "replay.formats.ply.writer:export_record",
            "import_archive": "replay.formats.archive.importer:import_archive",
            "import_record": "replay.formats.ply.importer:import_record",
            "perft": "domain.perft:perft",
            "plain_record": "replay.formats.ply.model:plain_record",
            "read_records": "replay.formats.ply.reader:read_records",
            "write_archive": "replay.formats.archive.writer:write_archive",
            "write_record": "replay.formats.ply.writer:write_record",
        },
        also=("plybook.game", "plybook.drawing"),
    )


def __dir__() -> list[str]:
    return __all__
