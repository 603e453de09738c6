"""Chunks of a text hold the records that the whole text holds, at the same places."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.formats import text_formats
from replay.formats.import_bounds import UNBOUNDED, Tally
from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.reader import read_chunk
from replay.formats.text_formats import Chunk

GAME = '[Game "poptrix"]\n\n'
PARTS = (
    GAME, "\n", "\r\n", " \t\n", '[Site "a { b"]\n', "1. M@c1 ", "{ a ", "}", "{x}", "*\n", "*\n\n",
    "{ \n\n[Game \"poptrix\"]\n}", "[Gamey \"x\"]\n", "[Game\n", "\ufeff", "( ", ") ", "é ", "[a\n",
    "; {a} b {\n", "M@c1;{ ",
)  # fmt: skip


def in_pieces(text: bytes) -> list[Record | list[RecordFault]]:
    """Read a text chunk by chunk, as an import does."""
    found: list[Record | list[RecordFault]] = []
    for chunk in text_formats.cut(BytesIO(text)):
        found += read_chunk(chunk, Tally(UNBOUNDED), len(found) + 1)
    return found


def whole(text: bytes) -> list[Record | list[RecordFault]]:
    return list(read_chunk(Chunk(text, 1), Tally(UNBOUNDED)))


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_text_cut_at_every_record_reads_the_same(text):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text_formats, "SIZE", 0)
        assert in_pieces(text.encode()) == whole(text.encode())


@pytest.mark.parametrize("path", sorted(Path("fixtures").glob("*/games.ply")), ids=str)
def test_records_of_every_game_are_equal_in_chunks(path, monkeypatch):
    monkeypatch.setattr(text_formats, "SIZE", 2000)
    text = path.read_bytes()
    assert len(list(text_formats.cut(BytesIO(text)))) > 5
    assert b"".join(chunk.text for chunk in text_formats.cut(BytesIO(text))) == text
    assert in_pieces(text) == whole(text)


def test_tag_in_another_format_has_one_bracket():
    # Else the search from each of many brackets goes on to the end of the line.
    found = text_formats.FOREIGN_COMMENT.search(b"[" * 1000 + b'Site "{"]')
    assert found is not None
    assert found.start() == 999
