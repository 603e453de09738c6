"""Any text is read as records and faults, and each record is written readably."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import write_record
from tests.replay.formats.ply.texts import OPENING, accepted, poptrix

TOKENS = [*OPENING.split(), "L@c1", "a6>S@b6", "1:resign", "2:offer-draw", "ruled=*", "1:x"]
PIECES = [
    '\n[Game "poptrix"]\n',
    '\n[Game "power-play"]\n[Option "first=2"]\n',
    '[Site "a"]\n',
    '[Seat1 "A"]\n[Seat2 "B"]\n',
    '[Result "*"]\n',
    *TOKENS,
    *("a3-b4", "a1^a3", ".", "h7^h5"),
    *("1.", "$1", "!", "?!", "{", "}", "{a  b}", "(", ")", "*", "=", "+1"),
    *("\n", "\r\n", "\t", "\x00", "\ufeff", "\ud800", "é", "["),
]
COMMENTS = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="}"))


def survey(text: str | bytes) -> list[Record]:
    """Read a text as records and faults; return the records."""
    results = list(read_records(text))
    assert results
    assert all(isinstance(result, Record | RecordFault) for result in results)
    return [result for result in results if isinstance(result, Record)]


@given(st.one_of(st.text(), st.binary()))
def test_random_text_is_read_or_refused(text):
    survey(text)


@given(st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_random_pieces_of_records_round_trip(text):
    for record in survey(text):
        written = write_record(record)
        assert write_record(accepted(written)) == written


@st.composite
def movetexts(
    draw: st.DrawFn, plies: tuple[str, ...] = tuple(OPENING.split()), depth: int = 0
) -> str:
    """A legal line with all kinds of remarks; its variations repeat the moves they replace."""
    words = [f"{{{draw(COMMENTS)}}}"] if draw(st.booleans()) else []
    for ply, token in enumerate(plies):
        words.append(token + draw(st.sampled_from(["", "!", "?!"])))
        words += [f"${draw(st.integers(0, 255))}" for _ in range(draw(st.integers(0, 2)))]
        words += [f"{{{comment}}}" for comment in draw(st.lists(COMMENTS, max_size=2))]
        if depth < 3 and draw(st.integers(0, 3)) == 0:
            words.append(f"({draw(movetexts(plies[ply:], depth + 1))})")
    return draw(st.sampled_from([" ", "\n", " \t"])).join(words)


@settings(max_examples=50)
@given(movetexts())
def test_random_remarks_on_a_line_round_trip(text):
    record = accepted(poptrix(f"{text} *"))
    written = write_record(record)
    again = accepted(written)
    assert again.line == record.line
    assert write_record(again) == written
    words = written.split("\n\n")[1].split("\n")
    assert all(len(line) <= 80 or " " not in line for line in words)
