"""Verification finds and names any change in a file."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from replay.errors import PlybookError
from replay.store import open_store, temporary_store
from replay.store.stream_verification import StreamFault, verify_chain
from replay.store.types import StoredEvent, Stream
from tests.replay.store.streams import event, fork, match, new
from tests.replay.store.tampering import run_unguarded

AT = 0x5A5B5C5D5E5F
"""A time whose bytes occur nowhere else in the file."""


@pytest.fixture
def stored(path: Path) -> Path:
    """A database with match 1 of three events, the second recognisable, and its fork 2."""
    store = open_store(path)
    needle = event('{"data":"needle"}', type="needle-type", actor="needle-actor", at=AT)
    events = [event(), needle, event()]
    root = store.create(new("kqzw", header=b'{"header":"needle"}'), events).result()
    fork(store, root, 2, 2)
    store.close()
    return path


def _verify(path: Path, stream: int) -> StreamFault | None:
    store = open_store(path)
    try:
        return verify_chain(store, stream)
    finally:
        store.close()


def _second(path: Path) -> tuple[Stream, StoredEvent]:
    store = open_store(path)
    try:
        return store.stream(1), store.read(1)[1]
    finally:
        store.close()


def _flip(path: Path, needle: bytes, place: int) -> None:
    """Flip a bit in one byte of a needle, wherever the file has it."""
    assert needle in path.read_bytes()
    flipped = bytearray(needle)
    flipped[place] ^= 1
    path.write_bytes(path.read_bytes().replace(needle, flipped))


PLACES: dict[str, Callable[[StoredEvent], bytes]] = {
    "data": lambda second: second.data,
    "type": lambda second: second.type.encode(),
    "actor": lambda second: second.actor.encode(),
    "at": lambda second: second.at.to_bytes(6),
    "id": lambda second: second.id,
    "hash": lambda second: second.hash,
}


@pytest.mark.parametrize("place", [0, 3, -1])
@pytest.mark.parametrize("field", PLACES)
def test_flipped_bit_of_an_event_is_found(stored, field, place):
    _, second = _second(stored)
    _flip(stored, PLACES[field](second), place)
    for stream in (1, 2):
        fault = _verify(stored, stream)
        assert fault is not None
        assert (fault.stream, fault.version) == (1, 2)
        assert "hash" in fault.what


@pytest.mark.parametrize("bits", [0x80, 0xFF])
def test_invalid_text_is_found(stored, bits):
    whole = stored.read_bytes()
    for needle in (b"needle-type", b"needle-actor", b'{"data":"needle"}'):
        broken = bytes([needle[0] ^ bits]) + needle[1:]
        stored.write_bytes(whole.replace(needle, broken))
        fault = _verify(stored, 1)
        assert fault is not None
        assert (fault.stream, fault.version) == (1, 2)


def test_flipped_bit_of_a_header_is_found(stored):
    _flip(stored, b'{"header":"needle"}', 5)
    fault = _verify(stored, 1)
    assert fault is not None
    assert (fault.stream, fault.version) == (1, None)
    assert "header" in fault.what


INSERT = (
    "INSERT INTO events (stream, version, event_id, type, actor, at, data, hash) "
    "SELECT stream, {}, randomblob(16), type, actor, at, data, randomblob(32) "
    "FROM events WHERE stream = {} AND version = {}"
)

TAMPERED: dict[str, tuple[tuple[str, ...], int, tuple[int, int | None]]] = {
    "an event is gone": (("DELETE FROM events WHERE stream = 1 AND version = 1",), 1, (1, 1)),
    "the last event is gone": (("DELETE FROM events WHERE stream = 1 AND version = 3",), 1, (1, 3)),
    "all events are gone": (("DELETE FROM events",), 1, (1, 1)),
    "two events changed places": (
        (
            "UPDATE events SET version = 9 WHERE stream = 1 AND version = 1",
            "UPDATE events SET version = 1 WHERE stream = 1 AND version = 2",
            "UPDATE events SET version = 2 WHERE stream = 1 AND version = 9",
        ),
        1,
        (1, 1),
    ),
    "an event is beyond the head": ((INSERT.format(4, 1, 3),), 1, (1, 4)),
    "the head is too far on": (("UPDATE streams SET head = 9 WHERE id = 1",), 1, (1, 4)),
    "the head is cut": (("UPDATE streams SET head = 2 WHERE id = 1",), 1, (1, 3)),
    "the head has another hash": (
        ("UPDATE streams SET head_hash = zeroblob(32) WHERE id = 1",),
        1,
        (1, 3),
    ),
    "another origin": (("UPDATE streams SET origin = zeroblob(32) WHERE id = 1",), 1, (1, None)),
    "another fork version": (("UPDATE streams SET fork_version = 1 WHERE id = 2",), 2, (2, None)),
    "a fork beyond its parent": (
        ("UPDATE streams SET fork_version = 7 WHERE id = 2",),
        2,
        (2, None),
    ),
    "no fork any more": (
        ("UPDATE streams SET fork_version = NULL, parent_id = NULL WHERE id = 2",),
        2,
        (2, None),
    ),
    "its own parent": (("UPDATE streams SET parent_id = 2 WHERE id = 2",), 2, (2, None)),
    "a parent that is gone": (("DELETE FROM streams WHERE id = 1",), 2, (2, None)),
    "a segment is gone": (("DELETE FROM segments WHERE stream = 2 AND lo = 1",), 2, (2, 1)),
    "a segment is short": (("UPDATE segments SET hi = 1 WHERE stream = 2 AND lo = 1",), 2, (2, 2)),
    "its own segment is gone": (("DELETE FROM segments WHERE stream = 2 AND src = 2",), 2, (2, 3)),
    "a segment of another stream": (
        (
            "UPDATE segments SET src = 3 WHERE stream = 2 AND lo = 1",
            "INSERT INTO streams SELECT 3, 'zzzz', kind, header, NULL, NULL, NULL, NULL, "
            "origin, 0, origin, 0 FROM streams WHERE id = 1",
            INSERT.format(1, 1, 1).replace("SELECT stream", "SELECT 3"),
            INSERT.format(2, 1, 1).replace("SELECT stream", "SELECT 3"),
        ),
        2,
        (2, 1),
    ),
    "an event under another's name": (
        ("UPDATE events SET actor = 'seat 2' WHERE stream = 2 AND version = 4",),
        2,
        (2, 4),
    ),
}


@pytest.mark.parametrize(("statements", "stream", "place"), TAMPERED.values(), ids=TAMPERED)
def test_tampering_is_found_at_its_place(stored, statements, stream, place):
    assert _verify(stored, stream) is None
    run_unguarded(stored, *statements)
    fault = _verify(stored, stream)
    assert fault is not None
    assert (fault.stream, fault.version) == place


def test_swapped_streams_are_found(stored):
    run_unguarded(
        stored,
        "UPDATE streams SET public_id = 'temporary' WHERE id = 1",
        'UPDATE streams SET header = \'{"header":"of another"}\' WHERE id = 1',
    )
    fault = _verify(stored, 1)
    assert fault is not None
    assert fault.version is None


def test_value_of_the_wrong_type_is_named(stored):
    run_unguarded(
        stored,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '') "
        "WHERE name = 'events'",
    )
    run_unguarded(stored, "UPDATE events SET at = 'noon' WHERE stream = 1 AND version = 2")
    fault = _verify(stored, 1)
    assert fault is not None
    assert (fault.stream, fault.version) == (1, 2)
    assert "instead of int" in fault.what


def test_flipped_byte_is_found_or_harmless(stored, tmp_path):
    """Flip bytes all over the file: the log reads as before or verification reports it."""
    chance = random.Random(7)
    whole = stored.read_bytes()
    true = _everything(stored)
    flipped = tmp_path / "flipped.db"
    told = 0
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(3):
            damaged[chance.randrange(len(whole))] ^= chance.randrange(1, 256)
        flipped.write_bytes(damaged)
        try:
            faults = [_verify(flipped, stream) for stream in (1, 2)]
            assert any(faults) or _everything(flipped) == true
        except PlybookError:
            told += 1
        for leftover in tmp_path.glob("flipped.db-*"):
            leftover.unlink()
    assert told


def _everything(path: Path) -> list[object]:
    store = open_store(path)
    try:
        return [store.read(stream) for stream in (1, 2)]
    finally:
        store.close()


def test_chain_verification_finds_faults_of_any_store(monkeypatch):
    store = temporary_store()
    stream = match(store, 3)
    first, _, third = store.read(stream.id)
    damaged = [first, third, third]
    monkeypatch.setattr(store, "read", lambda _, after=0, until=None: damaged[after:until])
    fault = verify_chain(store, stream.id)
    assert fault is not None
    assert (fault.stream, fault.version) == (stream.id, 2)
