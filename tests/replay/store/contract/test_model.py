"""Every backend answers any sequence of calls as the model does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from replay.errors import PlybookError
from replay.store.feed_types import Change, ChangeCursor
from replay.store.sql import position_index, tallies
from replay.store.sql.store import Store
from replay.store.stream_verification import verify_chain
from replay.store.types import (
    Creation,
    IndexedMatch,
    IndexedStep,
    ListedMatch,
    NewEvent,
    NewStream,
    Stream,
    SummaryFilter,
    Text,
)
from tests.replay.store.contract.conftest import BACKENDS
from tests.replay.store.contract.model import Model
from tests.replay.store.streams import event, summary

numbers = st.integers(1, 5)
versions = st.integers(0, 3) | st.integers(-1, 6)
names = st.sampled_from(["abca", "abcb", "abé%", "b_%c", "béca"]) | st.text("abc%_\0é", max_size=6)
fact_names = names | st.sampled_from(["Seat1", "Seat10", "fork.name"])
texts = st.text(max_size=5) | st.just("\udc80")
some_events = st.lists(
    st.builds(
        NewEvent,
        id=st.integers(0, 12).map(lambda number: number.to_bytes(16)),
        type=st.sampled_from(["moved", "resigned"]),
        actor=st.text(max_size=3),
        at=st.integers(0, 9) | st.integers(-(2**63), 2**63),
        data=st.text(max_size=5).map(lambda text: text.encode(errors="replace")),
        sealed=st.none() | st.binary(max_size=3),
    ),
    max_size=3,
    unique_by=lambda event: event.id,
)
some_steps = st.lists(
    st.builds(
        IndexedStep,
        version=st.integers(1, 4),
        key=st.sampled_from([b"a", b"b"]),
        seat=st.just(1),
        text=st.sampled_from(["x", "y"]),
    ),
    max_size=3,
    unique_by=lambda step: step.version,
)
some_facts = st.dictionaries(fact_names, texts, max_size=2)


def _answer(ask: Callable[[], Any]) -> Any:
    """Return the result of a call: a value, or the error's type and message."""
    try:
        return ask()
    except PlybookError as error:
        return type(error), str(error)


def _changes(store: Store, cursor: ChangeCursor) -> list[Change]:
    """Return the changes since a cursor, without what differs from store to store."""
    return [replace(each, number=0, at=0, feed="") for each in store.changes(cursor).found or ()]


def _listed(store: Store) -> list[ListedMatch]:
    found = store.listed(SummaryFilter("match"))
    return [replace(each, number=0, changed=0) for each in found]


class Alike(RuleBasedStateMachine):
    """A model and the backends, which get the same calls."""

    makers: ClassVar[list[Callable[[], Store]]] = []

    def __init__(self) -> None:
        super().__init__()
        self.backends = [make() for make in self.makers]
        self.stores = Model(), *self.backends
        self.followed: list[list[ChangeCursor]] = [[ChangeCursor()] * len(self.stores)]
        """The cursors of followers, one for each store: each numbers in its own way."""

    def teardown(self) -> None:
        for store in self.backends:
            store.close()

    def all_answer(self, ask: Callable[[Store], Any]) -> None:
        expected, *answers = (_answer(lambda one=store: ask(one)) for store in self.stores)
        assert answers == [expected] * len(answers)

    @initialize()
    def begin(self) -> None:
        """Store two matches, so that other calls find one."""
        for name in ("abcd", "abce"):
            new, said = NewStream(name, b"{}"), [event(id=bytes([n] * 16)) for n in range(3)]
            self.all_answer(lambda store, new=new, said=said: store.create(new, said).result())

    @rule(name=names, events=some_events, facts=some_facts, notes=some_events)
    def create(self, name: str, events: list, facts: dict, notes: list) -> None:
        new = NewStream(name, b"{}")
        self.all_answer(lambda store: store.create(new, events, facts, notes).result())

    @rule(name=names, parent=numbers, version=versions, events=some_events)
    def fork(self, name: str, parent: int, version: int, events: list) -> None:
        new = NewStream(name, b"{}", parent=parent, fork_version=version)
        self.all_answer(lambda store: store.create(new, events).result())

    @rule(name=names, events=some_events, version=versions, of=st.integers(-1, 2))
    def create_all(self, name: str, events: list, version: int, of: int) -> None:
        forked = NewStream(f"{name}+", b"{}", fork_version=version)
        more = [Creation(forked, events, fork_of=of), Creation(NewStream(f"{name}-", b"{}"))]
        creations = [Creation(NewStream(name, b"{}"), events, {}, events), *more]
        self.all_answer(lambda store: store.create_all(creations).result())

    @rule(name=names, subject=numbers, events=some_events)
    def annotate(self, name: str, subject: int, events: list) -> None:
        new = NewStream(name, b"{}", kind="notes", subject=subject)
        self.all_answer(lambda store: store.create(new, events).result())

    @rule(stream=numbers, expected=versions, events=some_events)
    def append(self, stream: int, expected: int, events: list) -> None:
        self.all_answer(lambda store: store.append(stream, expected, events).result())

    @rule(stream=numbers, events=some_events)
    def append_at_head(self, stream: int, events: list) -> None:
        self.all_answer(
            lambda store: store.append(stream, store.stream(stream).head, events).result()
        )

    @rule(stream=numbers, facts=st.dictionaries(fact_names, st.none() | texts, max_size=2))
    def set_metadata(self, stream: int, facts: dict) -> None:
        self.all_answer(lambda store: store.set_metadata(stream, facts).result())

    @rule(stream=numbers, notes=versions.map(abs), said=st.lists(texts, max_size=2))
    def index(self, stream: int, notes: int, said: list) -> None:
        found_by = [Text("comment", "", each) for each in said]
        self.all_answer(
            lambda store: store.index(stream, found_by, notes, store.metadata(stream)).result()
        )

    @rule(query=texts)
    def search(self, query: str) -> None:
        self.all_answer(lambda store: store.search(query, 3))

    @rule(stream=numbers, events=some_events, head=versions)
    def append_with_summary(self, stream: int, events: list, head: int) -> None:
        def append(store: Store) -> object:
            known = store.stream(stream).head
            new = summary(head if head < 0 else known + len(events))
            return store.append(stream, known, events, new).result()

        self.all_answer(append)

    @rule(stream=numbers, head=versions, result=st.sampled_from(["*", "+1"]))
    def summarise(self, stream: int, head: int, result: str) -> None:
        self.all_answer(lambda store: store.summarise(stream, summary(head, result)).result())

    @rule(stream=numbers, head=versions, steps=some_steps, after=versions)
    def index_moves(self, stream: int, head: int, steps: list, after: int) -> None:
        known = IndexedMatch(head, [step for step in steps if step.version > after])
        self.all_answer(lambda store: store.index_match(stream, known, after).result())

    @rule(key=st.sampled_from([b"a", b"b"]))
    def count_position(self, key: bytes) -> None:
        self.all_answer(lambda store: store.count_position(key).result())

    @rule(stream=numbers, trashed=st.booleans())
    def trash(self, stream: int, trashed: bool) -> None:
        self.all_answer(lambda store: store.trash(stream, trashed).result())

    def is_notes(self, stream: int) -> bool:
        """Whether a stream has the notes of a match, which are purged with it and never alone."""
        found = _answer(lambda: self.stores[0].stream(stream))
        return isinstance(found, Stream) and found.kind == "notes"

    @rule(stream=numbers)
    def purge(self, stream: int) -> None:
        if not self.is_notes(stream):
            self.all_answer(lambda store: store.purge(stream).result())

    @rule(stream=numbers, facts=st.lists(names, max_size=1), take=st.booleans())
    def purge_with_forks(self, stream: int, facts: list, take: bool) -> None:
        def purge(store: Store) -> None:
            forks = [each.id for each in store.forks(stream) if not each.is_carrier]
            taking = forks if take else ()
            leaving = [each.id for one in taking for each in store.forks(one)] if take else forks
            store.purge(stream, taking, leaving, facts).result()

        if not self.is_notes(stream):
            self.all_answer(purge)

    @rule(stream=numbers, after=versions, until=st.none() | versions)
    def read(self, stream: int, after: int, until: int | None) -> None:
        self.all_answer(lambda store: store.read(stream, after, until))

    @rule()
    def follow(self) -> None:
        pairs = zip(self.stores, self.followed[-1], strict=True)
        self.followed.append([store.changes(cursor).cursor for store, cursor in pairs])

    @rule(name=names)
    def find(self, name: str) -> None:
        self.all_answer(lambda store: store.find(name))

    @invariant()
    def all_is_alike_and_sound(self) -> None:
        self.all_answer(lambda store: list(store.matches()))
        self.all_answer(lambda store: list(store.matches(trashed=True)))
        self.all_answer(lambda store: store.texts_due())
        self.all_answer(lambda store: store.positions_due())
        self.all_answer(lambda store: store.count_positions_due())
        self.all_answer(lambda store: store.summaries_due())
        self.all_answer(_listed)
        for cursors in self.followed[-4:]:
            expected, *answers = map(_changes, self.stores, cursors)
            assert answers == [expected] * len(answers)
        self.all_answer(lambda store: [store.move_counts(key) for key in (b"a", b"b")])
        for are_right in (tallies.are_right, position_index.are_counts_right):
            assert all(store._query(are_right) for store in self.backends)
        for stream in range(1, 8):
            self.all_answer(lambda store, one=stream: store.stream(one))
            self.all_answer(lambda store, one=stream: store.read(one))
            self.all_answer(lambda store, one=stream: store.notes(one))
            self.all_answer(lambda store, one=stream: store.indexed_match(one))
            self.all_answer(lambda store, one=stream: store.forks(one))
            self.all_answer(lambda store, one=stream: list(store.metadata(one).items()))
            for store in self.stores:
                fault = _answer(lambda one=stream, two=store: verify_chain(two, one))
                assert fault is None or isinstance(fault, tuple)


class AlikeInPostgres(Alike):
    """The test of the model with PostgreSQL."""


@pytest.fixture(autouse=True)
def backends(request: pytest.FixtureRequest) -> None:
    """Name the functions that make an empty store of each backend."""
    Alike.makers = [partial(BACKENDS["sqlite"], request)]
    AlikeInPostgres.makers = [partial(make, request) for make in BACKENDS.values()]


TestAlike = Alike.TestCase
TestAlikeInPostgres = pytest.mark.postgres(AlikeInPostgres.TestCase)
TestAlikeInPostgres.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None, derandomize=True
)
TestAlike.settings = settings(TestAlikeInPostgres.settings, max_examples=20)
