"""PGN: records as other programs of chess write and read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import chess.pgn

from plybook import DrawOffered, Moved, Record, Resigned, Ruled, Stood, write_token
from plybook.game import TextFormat
from plybook_chess.moves import Claim, PieceMove

RESULTS: Final = {"+1": "1-0", "+2": "0-1", "=": "1/2-1/2", "*": "*"}
OURS: Final = {theirs.encode(): own.encode() for own, theirs in RESULTS.items()}
NAMES: Final = {"Seat1": "White", "Seat2": "Black", "Position": "FEN"}
TAGS: Final = {theirs.encode(): own.encode() for own, theirs in NAMES.items()}
LEFT_OUT: Final = frozenset(("Game", "Rules", "Option", "Result", "SetUp", "Position"))
TAG: Final = re.compile(rb'[ \t]*\[[ \t]*(\w+)[ \t]+("(?:[^"\\]|\\.)*")[ \t]*\][ \t\r\n]*')


def write(record: Record) -> str:
    """Write a record as PGN, with comments, glyphs and variations."""
    game = chess.pgn.Game()
    start = record.match.start.position
    if record.tag("Position"):
        game.setup(start.board.copy(stack=False))
    for tag in record.tags:
        if tag.name not in LEFT_OUT:
            # python-chess writes values as they are.
            name = NAMES.get(tag.name, tag.name)
            game.headers[name] = re.sub(r'(["\\])', r"\\\1", tag.value)
    game.headers["Result"] = RESULTS[record.result]
    _add(game, record.game, record.line)
    return f"{game.accept(chess.pgn.StringExporter(columns=79))}\n\n"


def _add(at: chess.pgn.GameNode, game: Any, line: Any) -> None:
    """Add a line of a record behind a node; an event that is not a move becomes a comment."""
    at.comment = " ".join(filter(None, (at.comment, *line.comments)))
    for number, node in enumerate(line.nodes):
        before, event = at, node.event
        if isinstance(event, Stood):
            at.comment = " ".join(filter(None, (at.comment, *_rest(game, line.nodes[number:]))))
            break
        move = event.move if isinstance(event, Moved) else None
        made = move.move if isinstance(move, Claim) else move
        is_plain = isinstance(move, PieceMove) or isinstance(event, Ruled)
        words = () if is_plain else (_words(game, event),)
        if made is not None:
            at = at.add_variation(made.uci)
            at.nags.update(node.glyphs)
        at.comment = " ".join(filter(None, (at.comment, *words, *node.comments)))
        if made is not None and node.left is not None:
            at.set_clock(node.left // 1000)
        for other in node.variations:
            _add(before, game, other)


def _rest(game: Any, nodes: Any) -> Iterator[str]:
    """Write the rest of a line as words: PGN has no moves against the rules."""
    for node in nodes:
        yield from (_words(game, node.event), *node.comments)
        for other in node.variations:
            yield from ("(", *other.comments, *_rest(game, other.nodes), ")")


def _words(game: Any, event: Any) -> str:
    deed = {Resigned: "resigns", DrawOffered: "offers a draw"}.get(type(event))
    if isinstance(event, Stood):
        deed = f"plays {event.token} (against {event.clause}), and it stands: {event.position}."
    return f"{('White', 'Black')[event.seat - 1]} {deed}" if deed else write_token(game, event)


def read(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Turn the tags of PGN into those of text records, line by line; the moves stay."""
    in_tags = False
    for line in lines:
        found = TAG.fullmatch(line.removeprefix(b"\xef\xbb\xbf"))
        if found is None:
            in_tags = False
            yield b"\n" if line.startswith(b"%") else _utf8(line)
            continue
        front = b"" if in_tags else b'[Game "chess"] '
        in_tags = True
        yield front + _tag(found[1], _utf8(found[2])) + b"\n"


def _tag(name: bytes, value: bytes) -> bytes:
    if name == b"SetUp":
        return b""
    if name == b"Result":
        value = b'"' + OURS.get(value.strip(b'"'), value.strip(b'"')) + b'"'
    return b"[" + TAGS.get(name, name) + b" " + value + b"]"


def _utf8(line: bytes) -> bytes:
    """Return a line as UTF-8; old files are in Latin-1."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1").encode()
    return line


PGN: Final = TextFormat("pgn", ".pgn", "application/vnd.chess-pgn", b"[Event ", write, read)
