"""PGN of chess: its positions, its variants, and the moves that claims make."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import chess

from plybook import Moved, Record
from plybook.game import TextFormat
from plybook_chess.moves import CASTLING, SAN, Claim

if TYPE_CHECKING:
    from plybook.formats import PgnGame

USUAL: Final = frozenset(("", "standard", "chess", "normal", "fromposition"))
RANDOM: Final = frozenset(("chess960", "fischerandom", "fischerrandom", "freestyle"))
"""Names of variants, in small letters without spaces, that have the same moves from the start."""
FIRST: Final = re.compile(r"\s*1\s*\.+\s*(?:[a-h][1-8x]|[NO0])")


def refusal(tags: Mapping[str, str]) -> str:
    """Say why a record with these tags is not one of chess, or nothing."""
    variant, fen = tags.get("Variant", ""), tags.get("FEN", "")
    name = re.sub(r"[\s_-]+", "", variant.lower())
    if name in USUAL or (name in RANDOM and fen in ("", chess.STARTING_FEN)):
        return ""
    return f"{variant!r} is another game than chess and is not played here"


def made(event: Any) -> Any:
    """Return the move of a piece that an event makes, or `None`."""
    move = event.move if isinstance(event, Moved) else None
    return move.move if isinstance(move, Claim) else move


def recognises(text: str) -> bool:
    """Return whether a text begins like PGN, or with a first move."""
    from plybook.formats import looks_like_pgn

    return looks_like_pgn(text) or FIRST.match(text) is not None


def read(lines: Iterable[Any], tally: Any, first: int) -> Iterator[Any]:
    """Read the games of a text, numbered from `first`."""
    from plybook.formats import read_pgn

    return read_pgn(rules(), lines, tally, first)


def transcribe(lines: Iterable[Any], tally: Any, first: int) -> Iterator[Any]:
    """Read scoresheets, numbered from `first`."""
    from plybook.formats import read_pgn_scoresheets

    return read_pgn_scoresheets(rules(), lines, tally, first)


def write(record: Record) -> str:
    """Write a record, with comments, glyphs and variations."""
    from plybook.formats import write_pgn

    return write_pgn(rules(), record)


def position(fen: str) -> str:
    """Return a FEN with all its parts; files leave out the counts, or more."""
    parts = fen.split()
    return " ".join((*parts, *("w", "-", "-", "0", "1")[len(parts) - 1 :]) if parts else ())


@functools.cache
def rules() -> PgnGame:
    """Return what chess adds to PGN."""
    from plybook.formats import PgnGame

    form = f"{SAN.pattern}|(?:{CASTLING.pattern})|[a-h][1-8][a-h][1-8][qrbn]?"
    return PgnGame("chess", made, re.compile(form), refusal, position, lambda at: at.board.fen())


MEDIA_TYPE: Final = "application/vnd.chess-pgn"
PGN: Final = TextFormat("pgn", ".pgn", MEDIA_TYPE, recognises, read, write, transcribe)
