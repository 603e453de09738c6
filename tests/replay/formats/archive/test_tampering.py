"""The first wrong line of a changed archive is named, and no match is stored."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from random import Random

import pytest

from replay import registry
from replay.book import Book
from replay.errors import BadLine
from replay.formats.archive.importer import import_archive
from replay.formats.archive.model import BEGINNING
from replay.formats.archive.reader import MAX_LINE, verify_archive
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import temporary_store
from tests.replay.formats.archive.families import archived, family, forged

BOOK = Book(temporary_store())
EMPTY = Book(temporary_store())
"""It stays empty, as it refuses every archive here."""
WHOLE = archived(BOOK, family(BOOK, registry.find("poptrix"), 1)).splitlines(keepends=True)
EVENT = next(n for n, line in enumerate(WHOLE) if b'"line":"event"' in line)
SECRET = archived(BOOK, family(BOOK, registry.find("pyramid-ball"), 1)).splitlines(keepends=True)


def bad_line(content: bytes) -> int:
    """Return the line at which an archive is refused, by `verify` and by `import` alike."""
    with pytest.raises(BadLine) as verified:
        verify_archive(io.BytesIO(content))
    with pytest.raises(BadLine) as imported:
        import_archive(EMPTY, io.BytesIO(content))
    assert not list(EMPTY.store.matches())
    assert imported.value.line == verified.value.line
    return verified.value.line


def test_sample_archives_have_every_kind_of_line():
    for lines in (WHOLE, SECRET):
        kinds = [json.loads(line).get("line") for line in lines[1:]]
        assert set(kinds) == {"match", "facts", "person", "event", "note", "end"}
        assert verify_archive(io.BytesIO(b"".join(lines)))
    assert any(b'"revealed"' in line for line in SECRET)


@pytest.mark.parametrize("bytes_each", [1, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("lines", [WHOLE, SECRET], ids=["poptrix", "pyramid-ball"])
def test_changed_byte_is_found_in_its_line(lines, bytes_each):
    rng = Random(7)
    for number, line in enumerate(lines, 1):
        for _ in range(bytes_each):
            place = rng.randrange(len(line) - 1)
            byte = bytes([rng.choice([each for each in b'0a1}",X' if each != line[place]])])
            changed = line[:place] + byte + line[place + 1 :]
            assert bad_line(_with(lines, number, changed)) == number, changed


def test_missing_line_is_found():
    kinds = [json.loads(line).get("line") for line in WHOLE]
    for number in range(1, len(WHOLE)):
        found = bad_line(b"".join(WHOLE[: number - 1] + WHOLE[number:]))
        last_of_its_kind = kinds[number] != kinds[number - 1] and kinds[number - 1] != "facts"
        assert found == number or (last_of_its_kind and found == len(WHOLE) - 1)


def test_swapped_lines_are_found():
    for number in range(1, len(WHOLE)):
        swapped = [*WHOLE]
        swapped[number - 1 : number + 1] = swapped[number], swapped[number - 1]
        assert bad_line(b"".join(swapped)) in (number, number + 1)


def test_repeated_line_is_found():
    for number in range(1, len(WHOLE) + 1):
        twice = WHOLE[:number] + WHOLE[number - 1 :]
        assert bad_line(b"".join(twice)) == number + 1


def test_line_of_another_archive_is_found():
    for number, line in enumerate(SECRET[2:-1], 3):
        place = min(number, len(WHOLE) - 1)
        assert bad_line(_with(WHOLE, place, line)) in (place, place + 1)


def test_cut_archive_is_refused():
    for number in range(len(WHOLE)):
        assert bad_line(b"".join(WHOLE[:number])) == (number + 1 if number else 1)
    whole = b"".join(WHOLE)
    assert bad_line(whole[: len(whole) // 2]) <= len(WHOLE)


def test_forged_hashes_do_not_hide_illegal_moves():
    lines = archived(BOOK, _played("M@c1", "S@c6", "c1>L@c3")).splitlines(keepends=True)
    assert verify_archive(io.BytesIO(forged(lines)))[0].ok, "the forger knows the trade"
    again = lines[5].replace(b'"to":"c3"', b'"to":"e6"')
    assert again != lines[5]
    content = forged(_replaced(lines, 6, again))
    with pytest.raises(BadLine, match=r"line 6: .*POP-"):
        verify_archive(io.BytesIO(content))
    assert bad_line(content) == 6


FORGERIES: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "a ruleset that is none": (2, lambda line: line.replace(b"poptrix/1", b"../quoits")),
    "seats that the game has not": (2, lambda line: line.replace(b'"seats":2', b'"seats":7')),
    "an id that is none": (2, lambda line: line.replace(b'"id":"', b'"id":"../')),
    "an event that is none": (4, lambda line: line.replace(b'"at":"', b'"at":7,"x":"')),
    "an unknown event": (4, lambda line: line.replace(b'"moved"', b'"hummed"')),
    "a note about no event": (6, lambda line: line.replace(b'"on":1', b'"on":9')),
    "a match from before all time": (2, lambda line: line.replace(b'"created":', b'"created":-')),
    "a match opened when calendars end": (
        2,
        lambda line: line.replace(b'"created":', b'"created":1000'),
    ),
    "an event when calendars end": (4, lambda line: line.replace(b'"at":', b'"at":1000', 1)),
    "an actor of two lines": (4, lambda line: line.replace(b"scorekeeper", b"score\\nkeeper")),
    "a seat that there cannot be": (
        3,
        lambda line: line.replace(b'"facts":{', b'"facts":{"Seat0":"Jet",'),
    ),
    "a tag that no record can hold": (
        3,
        lambda line: line.replace(b'"facts":{', b'"facts":{"Tags":"[[\\"E v\\",\\"x\\"]]",'),
    ),
    "tags that are none": (3, lambda line: line.replace(b'"facts":{', b'"facts":{"Tags":"{}",')),
    "a note when calendars end": (6, lambda line: line.replace(b'"at":', b'"at":1000', 1)),
    "a glyph that there is not": (
        6,
        lambda line: line.replace(b"commented", b"glyphed").replace(b'"text":"x"', b'"glyph":256'),
    ),
    "a note that is none": (6, lambda line: line.replace(b'"type":"commented","on"', b'"on"')),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_forged_hashes_do_not_hide_invalid_lines(what):
    from replay.annotations.editing import annotate
    from replay.annotations.notation import Wording

    record = _played("M@c1", "S@c6")
    annotate(BOOK, record, 1, Wording(comment="x"))
    lines = archived(BOOK, record).splitlines(keepends=True)
    number, change = FORGERIES[what]
    changed = change(lines[number - 1])
    assert changed != lines[number - 1]
    assert bad_line(forged(_replaced(lines, number, changed))) == number


def test_duplicate_event_id_is_found():
    lines = archived(BOOK, _played("M@c1", "S@c6")).splitlines(keepends=True)
    first, second = (json.loads(line)["id"].encode() for line in lines[3:5])
    twice = forged(_replaced(lines, 5, lines[4].replace(second, first)))
    assert bad_line(twice) == 5


def test_fork_from_a_missing_position_is_found():
    lines = [json.loads(line) for line in WHOLE]
    place = next(n for n, line in enumerate(lines) if "fork" in line.get("header", {}))
    for name, value in (("match", "zzzzzzzzzzzz"), ("version", 999), ("ply", 10**30), ("ply", -1)):
        changed = json.loads(WHOLE[place])
        changed["header"]["fork"][name] = value
        text = json.dumps(changed, separators=(",", ":")).encode() + b"\n"
        assert bad_line(_with(WHOLE, place + 1, text)) == place + 1


RUBBISH = {
    "nothing": (b"", 1),
    "a blank line": (b"\n", 1),
    "no JSON": (b"hello\n", 1),
    "another JSON": (b'{"format":"zip","version":1}\n', 1),
    "a list": (b"[]\n", 1),
    "a version to come": (BEGINNING + b',"version":4}\n', 1),
    "no UTF-8": (WHOLE[0] + b'{"line":"\xff\xfe"}\n', 2),
    "zeros": (WHOLE[0] + bytes(100) + b"\n", 2),
    "deep nesting": (WHOLE[0] + b'{"line":"match","hash":"","header":' + b"[" * 500_000, 2),
    "deep nesting in a known place": (
        WHOLE[0] + b'{"line":"match","hash":"","header":' + b"[" * 9_000 + b"]" * 9_000 + b"}\n",
        2,
    ),
    "a huge number": (WHOLE[0] + b'{"line":"event","version":' + b"9" * 5000 + b"}\n", 2),
    "a line too long": (WHOLE[0] + b'"' + b"x" * MAX_LINE + b'"\n', 2),
    "half a surrogate": (
        b"".join(WHOLE[:EVENT]) + WHOLE[EVENT].replace(b'"actor":"', b'"actor":"\\ud800'),
        EVENT + 1,
    ),
    "a time that no store can hold": (
        b"".join(WHOLE[:3]) + WHOLE[3].replace(b'"at":', b'"at":9999999'),
        4,
    ),
    "an event before any match": (WHOLE[0] + WHOLE[3], 2),
    "an end at once": (WHOLE[0] + b'{"line":"end","lines":2,"heads":[]}\n', 2),
}


@pytest.mark.parametrize("what", RUBBISH)
def test_rubbish_is_refused_with_its_line(what):
    content, line = RUBBISH[what]
    assert bad_line(content) == line


class Endless(io.RawIOBase):
    """An endless file that counts the bytes read from it."""

    def __init__(self, beginning: bytes, repeated: bytes) -> None:
        self.begun = io.BytesIO(beginning)
        self.repeated = repeated
        self.taken = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert 0 < size <= MAX_LINE + 1, "nobody asks for a line of any length"
        line = self.begun.readline() or self.repeated[:size]
        self.taken += len(line)
        return line


def test_endless_line_is_abandoned_after_a_megabyte():
    endless = Endless(WHOLE[0], b"x" * (MAX_LINE + 1))
    with pytest.raises(BadLine, match=r"line 2: .*longer"):
        verify_archive(endless)
    assert endless.taken < 2 * MAX_LINE


def test_endless_valid_lines_are_abandoned(monkeypatch):
    monkeypatch.setattr("replay.formats.archive.reader.MAX_ARCHIVE", 100_000)
    facts = b'{"line":"facts","facts":{},"hash":""}' + b" " * 1000 + b"\n"
    reached = Endless(b"".join(WHOLE[:2]), facts)
    with pytest.raises(BadLine):
        verify_archive(reached)
    assert reached.taken < 200_000


def _with(lines: list[bytes], number: int, line: bytes) -> bytes:
    return b"".join(_replaced(lines, number, line))


def _replaced(lines: list[bytes], number: int, line: bytes) -> list[bytes]:
    return [*lines[: number - 1], line, *lines[number:]]


def _played(*tokens: str):
    return play(BOOK, open_match(BOOK, registry.find("poptrix")), tokens)
