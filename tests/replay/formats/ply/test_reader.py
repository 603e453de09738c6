"""A stream is cut into records, and reading continues after a fault."""

from __future__ import annotations

import itertools

import pytest

from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import write_record
from tests.replay.formats.ply.texts import OPENING, accepted, place, poptrix, rejected

GOOD = poptrix("1. M@c1 2. S@c6 *")


def verdicts(text: str | bytes) -> list[tuple[int, str]]:
    """Return the number and the clause of each record; the clause of a valid one is `ok`."""
    return [
        (result.record, result.clause) if isinstance(result, RecordFault) else (result.number, "ok")
        for result in read_records(text)
    ]


def test_file_holds_any_number_of_records():
    assert verdicts(GOOD * 3) == [(1, "ok"), (2, "ok"), (3, "ok")]


def test_records_need_no_empty_line_between_them():
    assert verdicts('[Game "poptrix"]\nM@c1 *\n[Game "poptrix"]\n*') == [(1, "ok"), (2, "ok")]


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff", b"\xef\xbb\xbf\r\n"])
def test_text_without_a_record_is_a_fault(text):
    assert verdicts(text) == [(1, "syntax")]


@pytest.mark.parametrize(
    ("broken", "clause"),
    [
        (poptrix("1. M@c9 2. S@c6 *"), "form"),
        (poptrix("1. M@c1 *", '[Site "unclosed]'), "tag"),
        (poptrix("1. M@c1 (1. L@c1 *"), "syntax"),
        (poptrix("1. M@c1 {left open"), "syntax"),
        (poptrix("1. M@c1"), "syntax"),
        (poptrix(""), "syntax"),
        (poptrix("1. M@c1 +1"), "result"),
        (poptrix('1. M@c9 {\n[Game "no record"]\n} *'), "form"),
        ("1. M@c1 *\n", "tag"),
    ],
)
def test_reading_continues_with_the_next_record(broken, clause):
    assert verdicts(broken + GOOD) == [(1, clause), (2, "ok")]


def test_every_record_after_an_open_brace_is_read():
    left_open = poptrix("1. M@c1 {left open *")
    expected = [clause for _ in range(10_000) for clause in ("syntax", "ok")]
    assert [clause for _, clause in verdicts((left_open + GOOD) * 10_000)] == expected


def test_tag_inside_a_comment_is_text():
    record = accepted(poptrix('1. M@c1 {like this:\n[Game "blockade"]\n} *'))
    assert record.line.nodes[0].comments == ('like this: [Game "blockade"]',)


def test_faults_have_line_and_column_in_the_file():
    faults = list(read_records(GOOD + poptrix("1. M@c1 2.\n  2:S@c5 *")))
    assert isinstance(faults[1], RecordFault)
    assert place(faults[1]) == (8, 3)
    assert (faults[1].event, faults[1].text, faults[1].seat) == (1, "2:S@c5", 2)


def test_columns_count_code_points():
    fault = rejected(poptrix("{🎲é} x *").encode())
    assert place(fault) == (3, 6)


def test_stream_is_read_no_further_than_needed():
    endless = itertools.cycle(GOOD.encode().splitlines(keepends=True))
    records = list(itertools.islice(read_records(endless), 5))
    assert [record.number for record in records if isinstance(record, Record)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_byte_order_marks_are_accepted(start, end):
    text = start + poptrix("1. M@c1 {a\nb} *", '[Seat1 "A"]', '[Seat2 "B"]').replace("\n", end)
    record = accepted(text.encode())
    assert record.players == {1: "A", 2: "B"}
    assert record.line.nodes[0].comments == ("a b",)


def test_byte_order_mark_takes_no_column():
    assert place(rejected('\ufeff[Rules "poptrix/1"]\n*')) == (1, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'[Game "poptrix"]\n[Site "Caf\xe9"]\n\n*', (2, 11)),
        ('[Game "poptrix"]\n\n{é} '.encode() + b"\xff *", (3, 5)),
        ('[Game "poptrix"]\n\n{é\né'.encode() + b"\xc3} *", (4, 2)),
        (b'\xef\xbb\xbf[Game "\xffpoptrix"]\n\n*', (1, 8)),
    ],
)
def test_invalid_utf8_is_a_fault_with_its_place(text, expected):
    fault = rejected(text)
    assert fault.clause == "syntax"
    assert "not UTF-8: byte" in fault.message
    assert place(fault) == expected


def test_tag_in_invalid_utf8_belongs_to_its_record():
    assert verdicts(GOOD.encode() + b'[Game "\xff"]\n\n*\n\n' + GOOD.encode()) == [
        (1, "ok"),
        (2, "syntax"),
        (3, "ok"),
    ]


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        (poptrix("M@c1\x00 *"), "form"),
        (poptrix("M@c1 {\x1b[2J} *"), "syntax"),
        (poptrix("*", '[Site "\x00"]'), "tag"),
        (poptrix("*", '[Site "a\rb"]'), "tag"),
        (poptrix("M@c1 {\ud800} *"), "syntax"),
    ],
)
def test_control_characters_are_refused(text, clause):
    assert rejected(text).clause == clause


def test_text_and_bytes_are_read_equally():
    text = poptrix(f"{OPENING} {{è bello}} *")
    assert write_record(accepted(text)) == write_record(accepted(text.encode()))
