"""Short ways to write and read text records in tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.match import Match
from replay.annotations.notation import Note
from replay.formats.ply.model import Node, Record, RecordFault, RecordLine
from replay.formats.ply.reader import read_records
from replay.tags.match_tags import Tag

OPENING = "M@c1 S@c6 c1>S@c3 c6>M@a6"
"""Four legal plies of Poptrix."""


def poptrix(movetext: str, *tags: str) -> str:
    """Return a record of Poptrix with more tag lines."""
    return "\n".join(['[Game "poptrix"]', *tags, "", movetext, "", ""])


MOVES = (
    "M@e1 S@e6 e1>L@e3 e6>M@e5 e3>M@c3 e6>M@d6 e3>M@e2 d6>S@d4 c3>L@c2 d4>M@e4 e3>S@d3 d4xd3"
    " e1>L@c1 e4xe3 c3>L@c4 d4xc4"
)
GAME = MOVES.split()
"""A game of Poptrix."""
SLIP = poptrix(" ".join([*GAME[:9], "d4>M@e1", *GAME[10:], "*"]))
"""A record with a wrong move at ply 10."""
OFFER = "ply 10: with d4>M@e4 or e6>M@e4 instead of d4>M@e1 all later moves fit"
"""The advice that mends the slip."""


def accepted(text: str | bytes) -> Record:
    """Read the only record of a text, which must be in order."""
    [record] = read_records(text)
    assert isinstance(record, Record), record
    return record


def rejected(text: str | bytes) -> RecordFault:
    """Read the only record of a text, which must be rejected."""
    [fault] = read_records(text)
    assert isinstance(fault, RecordFault), "the record was accepted"
    return fault


def place(fault: RecordFault) -> tuple[int, int]:
    return fault.line, fault.column


def record_of(
    match: Match, tags: Sequence[Tag] = (), notes: Mapping[int, Note] | None = None
) -> Record:
    """Return the record of a match's line, with notes by ply (0: about the start).

    `tags` excludes Game, Rules, Option and Result, which the match itself gives; for a match that
    begins at a set position it includes `Position`. Their names are ASCII letters, digits and
    underscores, a letter first.
    """
    notes = notes or {}
    state, nodes = match.start, []
    for ply, played in enumerate(match.line, 1):
        note = notes.get(ply, Note())
        nodes.append(Node(played.event, state.position.turn, note.glyphs, note.comments))
        state = played.state
    return Record(tuple(tags), match, RecordLine(tuple(nodes), notes.get(0, Note()).comments))
