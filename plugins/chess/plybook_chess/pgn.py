"""PGN of chess: its positions, its variants, and the moves that claims make."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import chess

from plybook import Moved, Record
from plybook.game import TextFormat
from plybook_chess.moves import CASTLING, SAN, Claim
from plybook_chess.position import Chess

if TYPE_CHECKING:
    from plybook.formats import PgnGame

USUAL: Final = frozenset(("", "standard", "chess", "normal", "fromposition"))
RANDOM: Final = frozenset(("chess960", "fischerandom", "fischerrandom", "freestyle"))
"""Names of variants, in small letters without spaces, that have the same moves from the start."""
LETTERS: Final = {"de": "KDTLSB", "fr": "RDTFCP", "es": "RDTACP", "nl": "KDTLP"}
"""The letters of king, queen, rook, bishop, knight and pawn; Dutch has none for the pawn."""
FIGURINES: Final = "♔♕♖♗♘♙♚♛♜♝♞♟"
FOREIGN: Final = frozenset("DTLSFCAP")
"""Letters with which a move begins in another language only; the pawn of English is rare."""
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
    """Read the games of a text, and suggest a language for the first one with foreign letters."""
    from plybook.formats import read_pgn, suggest

    lines, told = list(lines), False
    for number, game in enumerate(read_pgn(rules(), lines, tally, first)):
        foreign = isinstance(game, list) and (game[0].text or "")[:1] in FOREIGN
        fits = [each for each in LETTERS if _reads_in(each, lines, number)] if foreign else []
        yield suggest(game, f"--pieces {fits[0]}") if len(fits) == 1 and not told else game
        told |= foreign


def _reads_in(language: str, lines: Iterable[Any], number: int) -> bool:
    """Return whether the game with a number, from 0, has letters of a language."""
    from plybook.formats import Tally, read_pgn

    games = read_pgn(rules(language), lines, Tally(), 1)
    return isinstance(next(islice(games, number, None)), Record)


def read_in(language: str, lines: Iterable[Any], tally: Any, first: int) -> Iterator[Any]:
    """Read the games of a text with the letters of pieces of a language."""
    from plybook.formats import read_pgn

    return read_pgn(rules(language), lines, tally, first)


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


def passed(at: Chess) -> Chess | None:
    """Return the position after a null move, which there cannot be in check."""
    if at.board.is_check():
        return None
    board = at.board.copy(stack=False)
    board.push(chess.Move.null())
    return Chess(board.fen())


@functools.cache
def rules(language: str = "") -> PgnGame:
    """Return what chess adds to PGN, in a language."""
    from plybook.formats import PgnGame

    form = f"{SAN.pattern}|(?:{CASTLING.pattern})|[a-h][1-8][a-h][1-8][qrbn]?"
    theirs = LETTERS.get(language, "")
    letters = str.maketrans(FIGURINES + theirs, "KQRBNP" * 2 + "KQRBNP"[: len(theirs)])
    moves, fen = re.compile(form), lambda at: at.board.fen()
    return PgnGame("chess", made, moves, refusal, position, fen, letters, passed)


MEDIA_TYPE: Final = "application/vnd.chess-pgn"
LANGUAGES: Final = {each: functools.partial(read_in, each) for each in LETTERS}
PGN: Final = TextFormat("pgn", ".pgn", MEDIA_TYPE, recognises, read, write, transcribe, LANGUAGES)
