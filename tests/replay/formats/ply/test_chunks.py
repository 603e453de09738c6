"""Chunks of a text hold the records that the whole text holds, at the same places."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.formats.import_bounds import UNBOUNDED, Tally
from replay.formats.ply import reader
from replay.formats.ply.lexer import Lexer
from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.reader import EMPTY, read_lexemes, read_records

GAME = '[Game "poptrix"]\n\n'
PARTS = (
    GAME, "\n", "\r\n", " \t\n", '[Site "a { b"]\n', "1. M@c1 ", "{ a ", "}", "{x}", "*\n", "*\n\n",
    "{ \n\n[Game \"poptrix\"]\n}", "[Gamey \"x\"]\n", "[Game\n", "\ufeff", "( ", ") ", "é ", "[a\n",
    "; {a} b {\n", "M@c1;{ ",
)  # fmt: skip


def in_pieces(text: bytes) -> list[Record | RecordFault]:
    """Read a text chunk by chunk, as an import does."""
    found: list[Record | RecordFault] = []
    for chunk in reader.cut(BytesIO(text)):
        before = len(found)
        lexer = Lexer(BytesIO(chunk.text), chunk.line)
        for result in read_lexemes(lexer, Tally(UNBOUNDED)):
            if isinstance(result, Record):
                found.append(replace(result, number=before + result.number))
            else:
                found.append(replace(result[0], record=before + result[0].record))
    return found or [EMPTY]


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_text_cut_at_every_record_reads_the_same(text):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reader, "SIZE", 0)
        assert in_pieces(text.encode()) == list(read_records(text.encode()))


@pytest.mark.parametrize("path", sorted(Path("fixtures").glob("*/games.ply")), ids=str)
def test_records_of_every_game_are_equal_in_chunks(path, monkeypatch):
    monkeypatch.setattr(reader, "SIZE", 2000)
    text = path.read_bytes()
    assert len(list(reader.cut(BytesIO(text)))) > 5
    assert b"".join(chunk.text for chunk in reader.cut(BytesIO(text))) == text
    assert in_pieces(text) == list(read_records(text))
