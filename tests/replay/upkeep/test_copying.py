"""A copied book equals its source, in each database and after interruptions."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games import built_in
from replay.access import accounts, capability_tokens
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.forks import fork
from replay.errors import Damaged, Diverged
from replay.library import indexes
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee.account_seats import invite_account, remove_account
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import open_store
from replay.store.feed_types import ChangeCursor, Hook
from replay.store.sql.store import Store
from replay.store.types import Account, AccountToken, Evening, NewStream, Stream
from replay.tags.people import name_players
from replay.upkeep import purge
from replay.upkeep.copying import Copied, copy
from tests.paths import ROOT
from tests.replay.store.contract.conftest import BACKENDS
from tests.replay.store.streams import events, match, new
from tests.replay.store.tampering import run_unguarded
from tests.verification import verify_all

Make = Callable[[str], Store]
AT = 1_700_000_000_000
EVENING = Evening("0" * 12, bytes(32), "Tuesday", "2026-11-24", "unlisted", AT)


@pytest.fixture
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    """Return a function that makes an empty store of a backend."""
    with ExitStack() as opened:

        def made(backend: str) -> Store:
            store = BACKENDS[backend](request)
            opened.callback(store.close)
            return store

        yield made


@pytest.fixture(
    params=[
        "sqlite-sqlite",
        pytest.param("sqlite-postgres", marks=pytest.mark.postgres),
        pytest.param("postgres-sqlite", marks=pytest.mark.postgres),
    ]
)
def pair(request: pytest.FixtureRequest, make: Make) -> tuple[Store, Store]:
    """Two empty stores, to copy from the first into the second."""
    first, second = request.param.split("-")
    return make(first), make(second)


def filled(store: Store) -> MatchRecord:
    """Fill a store with something of each kind, and return the first match."""
    book = Book(store, now=lambda: AT)
    opened = open_match(book, built_in("poptrix"), players={1: "Jet", 2: "Red"})
    played = play(book, opened, ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4"])
    annotate(book, played, 1, Wording("far from home"), author="Jet")
    variation = play(book, fork(book, *book.at(Address(played.id, 2))), ["c1>L@d1"])
    capability_tokens.issue(book, variation)
    capability_tokens.issue(book, played)
    store.add_hook(Hook("hook", played.stream.id, "https://a.example/", "key", AT, 2)).result()
    sealed = open_match(book, built_in("pyramid-ball"))
    play(book, sealed, ["2:S=...,M=...,L=..."])
    open_match(book, built_in("blockade"), dice="service")
    store.trash(open_match(book, built_in("poptrix")).stream.id).result()
    store.add_operator(bytes(32), AT).result()
    store.put_evening(EVENING).result()
    accounts.add(book, "ann")
    accounts.add(book, "bob", ["read"], AT + 9)
    indexes.catch_up_positions(book)
    return book.open(played.id)


def accounts_in(store: Store) -> list[tuple[Account, list[AccountToken]]]:
    """Return the accounts with their tokens."""
    return [(each, store.account_tokens(each.digest)) for each in store.accounts()]


def contents(store: Store) -> dict[str, Any]:
    """Return all that is stored of the matches, without the numbers of streams."""
    every = chain(store.matches(), store.matches(trashed=True))
    return {stream.public_id: _described(store, stream) for stream in every}


def _described(store: Store, stream: Stream) -> dict[str, Any]:
    notes = store.notes(stream.id)
    parent = None if stream.parent is None else store.stream(stream.parent)
    return {
        "stream": replace(stream, id=0, parent=None),
        "parent": parent and (parent.is_carrier, parent.origin, parent.head, parent.head_hash),
        "events": store.read(stream.id),
        "notes": notes and (replace(notes, id=0, subject=0), store.read(notes.id)),
        "facts": list(store.metadata(stream.id).items()),
        "keys": set(store.keys(stream.id)),
        "private": store.private_values(stream.id),
        "hooks": [replace(hook, stream=0, claimed=0) for hook in store.hooks(stream.id)],
        "summary": store.summary(stream.id),
        "moves": store.indexed_match(stream.id),
    }


def heads(store: Store) -> set[tuple[str, str]]:
    verdicts = list(verify_all(Book(store)))
    assert all(verdict.ok for verdict in verdicts)
    return {(verdict.match, verdict.head) for verdict in verdicts}


def interrupted(after: int) -> Callable[[Iterable[Stream]], Iterator[Stream]]:
    """Return a function that stops a copy after some matches."""

    def watched(streams: Iterable[Stream]) -> Iterator[Stream]:
        yield from islice(streams, after)
        raise KeyboardInterrupt

    return watched


def test_copy_has_everything_of_the_book(pair):
    source, target = pair
    filled(source)
    assert copy(source, target).matches == len(contents(source)) == 5
    assert contents(target) == contents(source)
    assert heads(target) == heads(source)
    assert target.operators() == source.operators() == [(bytes(32), AT)]
    assert accounts_in(target) == accounts_in(source)
    assert target.evenings() == source.evenings() == [EVENING]
    assert target.summaries_due() == target.positions_due() == []


@pytest.mark.postgres
def test_first_edition_goes_to_postgresql_and_back(opened, make, tmp_path):
    shutil.copy(ROOT / "fixtures" / "first-edition" / "book.db", tmp_path / "book.db")
    first, second, third = opened(tmp_path / "book.db"), make("postgres"), make("sqlite")
    copied = copy(first, second)
    assert copied == copy(second, third)
    assert contents(first) == contents(second) == contents(third)
    assert heads(first) == heads(second) == heads(third)


def test_copy_continues_where_it_was_interrupted(pair):
    source, target = pair
    filled(source)
    for after in range(4):
        with pytest.raises(KeyboardInterrupt):
            copy(source, target, interrupted(after))
    copy(source, target)
    assert contents(target) == contents(source)
    assert copy(source, target) == Copied(5, 0, 0)


def test_second_copy_adds_later_changes(pair):
    source, target = pair
    played = filled(source)
    copy(source, target)
    book = Book(source, now=lambda: AT)
    played = play(book, played, ["1:resign"])
    annotate(book, played, 2, Wording("closer"), author="Red")
    source.drop_key(played.stream.id, source.keys(played.stream.id)[0][0]).result()
    token = capability_tokens.issue(book, played)
    capability_tokens.issue(book, played, "viewer", held={"invitation": b"salt"})
    source.set_metadata(played.stream.id, {"Seat1": None, "Event": "Cup"}).result()
    source.set_metadata(played.stream.id, {"Seat1": "Jet the Second"}).result()
    source.revive_hook("hook", AT + 9).result()
    source.trash(played.stream.id).result()
    source.drop_operator(bytes(32)).result()
    source.add_operator(bytes(31) + b"1", AT).result()
    remove_account(book, "bob")
    accounts.add(book, "eve")
    accounts.issue(book, "ann", ["read"])
    accounts.revoke(book, "ann", next(accounts.list_issued(book, accounts.find(book, "ann"))).id)
    assert copy(source, target) == Copied(5, 0, 2)
    assert target.operators() == source.operators()
    assert accounts_in(target) == accounts_in(source)
    assert target.evenings() == source.evenings() == [EVENING]
    for book in (Book(source), Book(target)):
        indexes.catch_up_positions(book)
    assert contents(target) == contents(source)
    assert capability_tokens.role_of(Book(target), Book(target).open(played.id), token)
    assert target.private_value(target.find(played.id).id, "invitation") == b"salt"


def test_erased_notes_are_erased_in_the_copy(pair):
    source, target = pair
    said = events(3)
    source.create(new("kqzw"), events(1), {}, said).result()
    number = source.find("kqzw").id
    copy(source, target)
    source.erase_notes(number, [said[0].id]).result()
    assert copy(source, target).events == 2
    assert contents(target) == contents(source)
    source.erase_notes(number, [said[1].id, said[2].id]).result()
    copy(source, target)
    assert contents(target) == contents(source)


def test_shared_events_of_deleted_matches_are_copied(pair):
    source, target = pair
    played = filled(source)
    book = Book(source, now=lambda: AT)
    other = play(book, fork(book, *book.at(Address(played.id, 3)), "match"), ["c6>M@c4"])
    inner = play(book, fork(book, *book.at(Address(other.id, 4)), "match"), ["1:resign"])
    purge.purge(book, played.stream, variations=True)
    purge.purge(book, other.stream, variations=True)
    carriers = [source.stream(inner.stream.parent)]
    carriers.append(source.stream(carriers[0].parent))
    assert all(each.is_carrier for each in carriers)
    with pytest.raises(KeyboardInterrupt):
        copy(source, target, interrupted(3))
    copy(source, target)
    assert contents(target) == contents(source)
    assert heads(target) == heads(source)
    before = [stream.id for stream in target.matches()]
    assert copy(source, target).events == 0
    play(book, inner, [])
    assert [stream.id for stream in target.matches()] == before


def test_diverged_match_is_named_and_not_copied(pair):
    source, target = pair
    stream = match(source, 2, "kqzw")
    copy(source, target)
    there = target.find("kqzw")
    target.append(there.id, 2, events(1)).result()
    with pytest.raises(Diverged, match="kqzw has different events"):
        copy(source, target)
    source.append(stream.id, 2, events(2)).result()
    with pytest.raises(Diverged, match="kqzw has different events"):
        copy(source, target)
    assert target.stream(there.id).head == 3


def test_different_match_of_same_id_stays_unchanged(pair):
    source, target = pair
    match(source, 2, "kqzw")
    there = target.create(NewStream("kqzw", b'{"game":"y/1"}')).result()
    with pytest.raises(Diverged, match="different match kqzw"):
        copy(source, target)
    assert target.stream(there.id) == there


def test_damaged_match_is_not_copied(make, tmp_path):
    source, target = open_store(tmp_path / "book.db"), make("sqlite")
    match(source, 2, "good")
    match(source, 2, "evil")
    damage = "UPDATE events SET actor = 'x' WHERE stream = 2 AND version = 2"
    run_unguarded(tmp_path / "book.db", damage)
    with pytest.raises(Damaged, match="evil is damaged at version 2 and is not copied"):
        copy(source, target)
    source.close()
    copy_of_good = next(iter(target.matches()), None)
    assert copy_of_good is None or copy_of_good.public_id == "good"


def test_hooks_for_all_continue_in_copies(pair):
    source, target = pair
    first = match(source, 2, "kqzw")
    match(source, 3, "zwkq")
    hook = Hook("all", None, "https://a.example/", "key", AT, 0, types=("match.ended",))
    arrived = source.changes(None).cursor.number
    source.add_hook(replace(hook, delivered=arrived)).result()
    copy(source, target)
    [copied] = target.hooks()
    assert copied == replace(hook, delivered=target.changes(None).cursor.number)
    source.append(first.id, 2, events(1)).result()
    copy(source, target)
    [copied] = target.hooks()
    missed = target.changes(ChangeCursor(copied.delivered)).found or ()
    assert [each.match for each in missed] == [first.public_id]


def test_account_that_begins_to_ask_keeps_its_seats_in_the_copy(pair):
    source, target = pair
    book = Book(source)
    played, waiting = (open_match(book, built_in("poptrix")) for _ in range(2))
    accounts.add(book, "ann")
    invite_account(book, played, "ann", "seat", 1)
    copy(source, target)
    accounts.set_accept(source, accounts.find(book, "ann"), "ask")
    assert invite_account(book, waiting, "ann", "viewer", None).pending
    copy(source, target)
    ann = accounts.find(Book(target), "ann")
    held = [
        target.key(target.find(each.id).id, digest)
        for each in (played, waiting)
        for digest in (ann.digest, accounts.asked_digest(ann))
    ]
    assert (ann.asks, held) == (True, [("seat", 1), None, None, ("viewer", None)])


def test_copy_keeps_who_played_and_forgets_who_was_erased(pair):
    source, target = pair
    book = Book(source)
    played = open_match(book, built_in("poptrix"), players={1: "Ana", 2: "Red"})
    copy(source, target)
    name_players(book, played, {1: "Anna"}, reason="a slip")
    there = target.find(played.id)
    for names in ({}, {1: ""}, {1: "Bob"}):
        if names:
            name_players(book, played, names)
        copy(source, target)
        assert target.people(there.id) == source.people(played.stream.id)
    assert [each.event for each in target.people(there.id).events] == [
        *("seated", "seated", "renamed", "erased", "seated"),
    ]
    name_players(Book(target), Book(target).read(there), {2: "Ben"})
    name_players(book, played, {2: "Bo"})
    with pytest.raises(Diverged, match="other events of who played"):
        copy(source, target)
