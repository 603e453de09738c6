"""A match of the book as a text record."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from replay.annotations import notes_by_ply
from replay.book import Book, Recorded
from replay.importing import OTHER_TAGS
from replay.records.model import Line, Record, Tag, record_of
from replay.records.writer import write_record


def export_record(book: Book, recorded: Recorded) -> str:
    """Return a match's line as a text record in canonical form, with comments and glyphs.

    Moves that are still hidden are left out: whoever reads the record may see it all.
    """
    record = record_of(recorded.match, _tags(book, recorded), notes_by_ply(book, recorded))
    if recorded.secrets:
        record = replace(record, line=_open_part(recorded, record))
    return write_record(record)


def _tags(book: Book, recorded: Recorded) -> list[Tag]:
    facts = book.store.facts(recorded.stream.id)
    others = facts.pop(OTHER_TAGS, "[]")
    tags = [Tag(name, value) for name, value in facts.items()]
    return tags + msgspec.json.decode(others, type=list[Tag])


def _open_part(recorded: Recorded, record: Record) -> Line:
    plies = zip(recorded.match.line, record.line.nodes, strict=True)
    shown = tuple(node for ply, node in plies if ply.version not in recorded.secrets)
    return replace(record.line, nodes=shown)
