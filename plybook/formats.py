"""Readers and writers of formats of other programs, for the text formats of plug-ins."""

from replay.formats.import_bounds import Tally as Tally
from replay.formats.pgn.model import PgnGame as PgnGame
from replay.formats.pgn.model import looks_like_pgn as looks_like_pgn
from replay.formats.pgn.reading import read_pgn as read_pgn
from replay.formats.pgn.writer import write_pgn as write_pgn
from replay.formats.ply.lexer import LexemeKind as LexemeKind
from replay.formats.ply.lexer import RecordLexeme as RecordLexeme
from replay.formats.ply.lexer import SourceLine as SourceLine
from replay.formats.ply.parser import Reading as Reading
from replay.formats.ply.reader import read_lexemes as read_lexemes
from replay.formats.ply.reader import suggest as suggest
from replay.formats.scoresheets import read_pgn_scoresheets as read_pgn_scoresheets
