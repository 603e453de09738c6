"""Random matches with every feature of a record, and archives with forged hashes."""

from __future__ import annotations

import io
import json
from random import Random
from typing import Any

import msgspec
from msgspec import Raw

from domain.game import Game
from plybook.testing.subjects import random_event
from replay.annotations.current import remarks
from replay.annotations.editing import annotate, edit, retract
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections.takebacks import take_back
from replay.formats.archive.importer import ArchiveImport, import_archive
from replay.formats.archive.model import (
    EventLine,
    NoteLine,
    PersonLine,
    event_of,
    facts_hash,
    person_of,
)
from replay.formats.archive.writer import write_archive
from replay.reading.brought_in import FACT
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.opening import open_match
from replay.store.hash_chain import event_hash, header_hash
from replay.store.people_chain import beginning, person_hash


def family(book: Book, game: Game[Any], seed: int, plies: int = 14) -> MatchRecord:
    """Record a match with take-backs, annotations, a fork, and a fork of the fork."""
    rng = Random(seed)
    seats = rng.choice(game.seats)
    match = open_match(
        book, game, players={seat: f"Player {seat} ♟" for seat in range(1, seats + 1)}
    )
    match = _recorded(book, match, rng, plies)
    branch = _continued(book, match, rng, "match")
    _continued(book, branch, rng, "variation")
    return book.open(match.id)


def _continued(book: Book, left: MatchRecord, rng: Random, kind: Any) -> MatchRecord:
    plies = [n for n in range(len(left.match.line) + 1) if not left.match.at(n).position.sealed]
    forked = fork(book, *book.at(Address(left.id, rng.choice(plies))), kind, name="another way")
    return _recorded(book, forked, rng, 6)


def _recorded(book: Book, record: MatchRecord, rng: Random, plies: int) -> MatchRecord:
    for _ in range(plies):
        record = _one_more(book, record, rng)
        if rng.random() < 0.2:
            _remark(book, record, rng)
    while record.state.outcome is None and record.state.position.sealed:
        record = take_back(book, record, len(record.match.line) - 1)
    return record


def _one_more(book: Book, record: MatchRecord, rng: Random) -> MatchRecord:
    line = record.match.line
    if line and (record.state.outcome is not None or rng.random() < 0.15):
        return take_back(book, record, rng.randrange(max(len(line) - 4, 0), len(line)))
    event = random_event(record.game, record.state, rng)
    return entering.play(book, record, [event], actor=f"seat {getattr(event, 'seat', 0)}")


def _remark(book: Book, record: MatchRecord, rng: Random) -> None:
    ply = rng.randint(0, len(record.match.line))
    text = f"said {rng.random()} é"
    (made,) = annotate(book, record, ply, Wording(comment=text), author="Jet")
    if rng.random() < 0.5:
        edit(book, record, made.id, Wording(comment=text + "!"), author="Red")
    if rng.random() < 0.3:
        retract(book, record, made.id)


def archived(book: Book, record: MatchRecord) -> bytes:
    return write_archive(book, book.open(record.id))


def imported(book: Book, archive: bytes) -> list[ArchiveImport]:
    return import_archive(book, io.BytesIO(archive))


def story(book: Book) -> dict[str, Any]:
    """Return the whole content of a book, for comparison."""
    return {
        record.id: (
            record.header,
            record.stream.head_hash,
            [(ply.version, record.game.write(ply.event.move) if hasattr(ply.event, "move")
              and ply.version not in record.secrets else None) for ply in record.match.line],
            record.secrets,
            {name: value for name, value in book.store.metadata(record.stream.id).items()
             if name != FACT},
            remarks(book, record),
        )
        for record in book.matches()
    }  # fmt: skip


def unmarked(archive: bytes) -> bytes:
    """Return an archive without the facts that its events were brought in."""
    lines = archive.splitlines(keepends=True)
    for number, text in enumerate(lines):
        line = json.loads(text)
        if FACT in line.get("facts", {}):
            del line["facts"][FACT]
            origin = bytes.fromhex(json.loads(lines[number - 1])["hash"])
            line["hash"] = facts_hash(origin, _dumped(line["facts"]))
            lines[number] = _dumped(line) + b"\n"
    return b"".join(lines)


def forged(lines: list[bytes]) -> bytes:
    """Return the lines with matching hashes and counts: a forger's archive."""
    made, heads = [lines[0]], []
    before = notes = people = b""
    hashes: dict[tuple[str, int], bytes] = {}
    for text in lines[1:-1]:
        line = json.loads(text)
        match line["line"]:
            case "match":
                header = line["header"]
                left = header.get("fork")
                before = _origin(header, hashes[left["match"], left["version"]] if left else b"")
                shared = [each for each in hashes if left and each[0] == left["match"]]
                hashes |= {(header["id"], version): hashes[_, version] for _, version in shared}
                heads.append({"match": header["id"], "version": left["version"] if left else 0})
                notes, people = _origin({"notes": header["id"]}), b""
                heads[-1] |= {"hash": before.hex(), "notes": 0, "notes_hash": ""}
                hashes[header["id"], heads[-1]["version"]] = before
                line["hash"] = before.hex()
            case "facts":
                line["hash"] = facts_hash(before, _dumped(line["facts"]))
            case "person":
                event, _ = person_of(msgspec.convert(line, PersonLine))
                people = person_hash(people or beginning(before), event)
                line["hash"] = heads[-1]["people_hash"] = people.hex()
                heads[-1]["people"] = line["number"]
            case "event":
                heads[-1]["version"] += 1
                line["version"] = heads[-1]["version"]
                before = _hashed(line, before, EventLine)
                hashes[heads[-1]["match"], line["version"]] = before
                line["hash"] = heads[-1]["hash"] = before.hex()
            case "note":
                heads[-1]["notes"] += 1
                line["version"] = heads[-1]["notes"]
                notes = _hashed(line, notes, NoteLine)
                line["hash"] = heads[-1]["notes_hash"] = notes.hex()
        made.append(_dumped(line) + b"\n")
    made.append(_dumped({"line": "end", "lines": len(made) + 1, "heads": heads}) + b"\n")
    return b"".join(made)


def _origin(header: dict[str, Any], parent: bytes = b"") -> bytes:
    return header_hash(_dumped(header), parent)


def _hashed(line: dict[str, Any], before: bytes, kind: type[EventLine]) -> bytes:
    fields = {name: line[name] for name in ("version", "id", "type", "actor", "at", "hash")}
    return event_hash(before, event_of(kind(**fields, data=Raw(_dumped(line["data"])))))


def _dumped(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def former(archive: bytes) -> bytes:
    """Return an archive as Plybook wrote it before it had the events of people."""
    told = [json.loads(line) for line in archive.splitlines()]
    told = [line for line in told if line.get("line") != "person"]
    told[0]["version"] = 1
    told[-1]["lines"] = len(told)
    for head in told[-1]["heads"]:
        head.pop("people", None), head.pop("people_hash", None)
    return b"".join(_dumped(line) + b"\n" for line in told)
