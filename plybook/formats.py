"""Readers and writers of formats of other programs, for the text formats of plug-ins."""

from __future__ import annotations

from replay.formats.import_bounds import Tally
from replay.formats.pgn.model import PgnGame, looks_like_pgn
from replay.formats.pgn.reading import read_pgn
from replay.formats.pgn.writer import write_pgn
from replay.formats.ply.lexer import LexemeKind, RecordLexeme, SourceLine
from replay.formats.ply.parser import Reading
from replay.formats.ply.reader import read_lexemes, suggest
from replay.formats.scoresheets import read_pgn_scoresheets

__all__ = [
    "LexemeKind",
    "PgnGame",
    "Reading",
    "RecordLexeme",
    "SourceLine",
    "Tally",
    "looks_like_pgn",
    "read_lexemes",
    "read_pgn",
    "read_pgn_scoresheets",
    "suggest",
    "write_pgn",
]
