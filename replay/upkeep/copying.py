"""Copy a book into another, in any database; every hash stays the same.

An interrupted copy can be continued. Copying again adds later changes; the copy itself must not be
changed meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from replay.access.accounts import set_accept
from replay.errors import AmbiguousMatch, Damaged, Diverged, UnknownMatch
from replay.library.indexes import Watched
from replay.store.feed_types import ChangeCursor
from replay.store.sql.store import Store
from replay.store.stream_verification import StreamFault, people_fault, read_verified
from replay.store.types import (
    Account,
    AccountToken,
    Creation,
    KeptPeople,
    StoredEvent,
    Stream,
    Summary,
)
from replay.store.validation import notes_of

MAX_WAITING: Final = 100
"""The most matches that wait to be stored, so that they are committed together."""


class Copied(Struct, frozen=True):
    """The counts of a copy: matches in both books, new matches, events copied."""

    matches: int
    new: int
    events: int


def copy(source: Store, target: Store, watched: Watched = iter) -> Copied:
    """Copy all matches with their annotations, names, tags, tokens, private values and hooks.

    Operators, accounts and evenings are copied, too.

    Raises `Damaged` for a match that does not verify, and `Diverged` for one with other events in
    the target; the matches before it are copied.
    """
    copying = _Copying(source, target)
    streams = _with_ancestors(source)
    try:
        for one in watched(streams):
            copying.take(one)
    finally:
        copying.finish()
    for one in reversed(streams):
        if one.is_carrier:
            copying.reduce(one)
    copying.copy_operators()
    copying.copy_accounts()
    copying.copy_hooks_for_all()
    for evening in source.evenings():
        target.put_evening(evening).result()
    matches = sum(not one.is_carrier for one in streams)
    return Copied(matches, copying.new, copying.events)


def _with_ancestors(store: Store) -> list[Stream]:
    """Return all matches and the carriers that they need, each after its parent."""
    found = {each.id: each for each in chain(store.matches(), store.matches(trashed=True))}
    waiting = [each.parent for each in found.values()]
    while waiting:
        number = waiting.pop()
        if number is not None and number not in found:
            found[number] = store.stream(number)
            waiting.append(found[number].parent)
    return [found[number] for number in sorted(found)]


class _Copying:
    """The progress of a copy: the stream in the target for each stream of the source."""

    def __init__(self, source: Store, target: Store) -> None:
        self._source = source
        self._target = target
        self._copies: dict[int, Future[list[Stream]] | Stream] = {}
        self._waiting: deque[Stream] = deque()
        self.new = 0
        self.events = 0

    def take(self, one: Stream) -> None:
        """Copy a stream, or its missing events."""
        there = self._counterpart(one)
        if there is None:
            self._create(one)
            self._waiting.append(one)
        else:
            self._copies[one.id] = there
            self._catch_up(one, there)
        if len(self._waiting) > MAX_WAITING:
            self._complete(self._waiting.popleft())

    def finish(self) -> None:
        """Wait for all pending writes."""
        while self._waiting:
            self._complete(self._waiting.popleft())

    def reduce(self, one: Stream) -> None:
        """Turn the copy of a carrier into a carrier, now that its forks are copied."""
        there = self._copy_of(one.id)
        if there.public_id == _public_id(one):
            forks = {fork.id for fork in self._target.forks(there.id)}
            self._target.purge(there.id, (), forks, self._target.metadata(there.id)).result()

    def copy_operators(self) -> None:
        """Copy the tokens of operators, and revoke in the copy the tokens revoked in the source."""
        operators, copied = self._source.operators(), self._target.operators()
        for digest in {each[0] for each in copied} - {each[0] for each in operators}:
            self._target.drop_operator(digest).result()
        for operator in set(operators) - set(copied):
            self._target.add_operator(*operator).result()

    def copy_accounts(self) -> None:
        """Copy accounts and their tokens; drop from the copy what the source lacks."""
        accounts, copied = _accounts(self._source), _accounts(self._target)
        for account in copied.keys() - accounts.keys():
            self._target.drop_account(account.digest).result()
        for account, tokens in accounts.items():
            if account not in copied:
                self._target.add_account(account, tokens).result()
                continue
            for token in set(copied[account]) - set(tokens):
                self._target.drop_account_token(token.digest).result()
            for token in set(tokens) - set(copied[account]):
                self._target.add_account_token(token).result()
        for account in self._source.accounts():
            set_accept(self._target, account, "ask" if account.asks else "all")

    def copy_hooks_for_all(self) -> None:
        """Copy the hooks of the book.

        The copy has other numbers: each hook begins before its first undelivered change.
        """
        for hook in self._target.hooks():
            if hook.stream is None:
                self._target.drop_hook(hook.id).result()
        there = self._target.changes(ChangeCursor()).found or ()
        last = self._target.changes(None).cursor.number
        for hook in self._source.hooks():
            if hook.stream is None:
                news = self._source.changes(ChangeCursor(hook.delivered)).found or ()
                missed = {each.match for each in news}
                first = min(
                    (each.number for each in there if each.match in missed), default=last + 1
                )
                copied = replace(hook, delivered=first - 1, claimed=0)
                self._target.add_hook(copied).result()

    def _copy_of(self, number: int) -> Stream:
        """Return the copy of a stream; wait until it is stored."""
        copy = self._copies[number]
        return copy if isinstance(copy, Stream) else copy.result()[0]

    def _counterpart(self, one: Stream) -> Stream | None:
        """Return the target's copy of a stream, or `None`."""
        there = self._named(_public_id(one))
        if there is None and one.is_carrier:
            there = self._parent_of_copies(one)
        if there is not None and there.origin != one.origin:
            raise Diverged(
                f"the other book has a different match {one.public_id}; copy into a new one"
            )
        return there

    def _named(self, public_id: str) -> Stream | None:
        with suppress(UnknownMatch, AmbiguousMatch):
            there = self._target.find(public_id)
            return there if there.public_id == public_id else None
        return None

    def _parent_of_copies(self, carrier: Stream) -> Stream | None:
        """Return the stream of the target that the copies of a carrier's forks leave, or `None`."""
        waiting = self._source.forks(carrier.id)
        while waiting:
            fork = waiting.pop()
            there = self._named(_public_id(fork))
            if there is not None:
                return self._ancestor(there, carrier.origin)
            waiting += self._source.forks(fork.id) if fork.is_carrier else ()
        return None

    def _ancestor(self, there: Stream, origin: bytes) -> Stream | None:
        while there.origin != origin:
            if there.parent is None:
                return None
            there = self._target.stream(there.parent)
        return there

    def _create(self, one: Stream) -> None:
        """Send a stream and everything that is stored with it."""
        own = self._own(one)
        notes = self._notes(one)
        parent = None if one.parent is None else self._copy_of(one.parent).id
        creation = Creation(
            one.as_new(parent, _public_id(one)),
            [event.as_new() for event in own],
            self._source.metadata(one.id),
            [event.as_new() for event in notes],
            held=self._source.private_values(one.id),
            keys=self._source.keys(one.id),
            people=self._people(one),
        )
        head = own[-1].version if own else one.fork_version or 0
        creation = self._with_derived(creation, one, head)
        self._copies[one.id] = self._target.create_all([creation])
        self.new += not one.is_carrier
        self.events += len(own) + len(notes)

    def _with_derived(self, creation: Creation, one: Stream, head: int) -> Creation:
        """Add the derived data if they are of this head, to save the target from deriving them."""
        summary = self._source.summary(one.id)
        known = self._source.indexed_match(one.id)
        texts = self._source.indexed_texts(one.id)
        return replace(
            creation,
            summary=summary if summary and summary.head == head else None,
            steps=known.steps if known and known.head == head else None,
            moves=known.moves if known and known.head == head else (),
            texts=texts.texts if texts and texts.notes == len(creation.notes) else None,
        )

    def _complete(self, one: Stream) -> None:
        """Check a new copy, and add the data that are stored after it."""
        there = self._copy_of(one.id)
        if there.origin != one.origin:
            raise Damaged(f"the copy of {one.public_id} has a different hash")
        self._copies[one.id] = there
        self._copy_state(one, there)

    def _catch_up(self, one: Stream, there: Stream) -> None:
        """Append the events that an older copy lacks, and update its other data from the source."""
        if one.is_carrier:
            return
        own = self._own(one)
        base = one.fork_version or 0
        _check_prefix(one, own[: there.head - base], there)
        self._append(there, own[there.head - base :], self._source.summary(one.id))
        self._catch_up_notes(one, there)
        self._copy_facts(one, there)
        self._copy_keys(one, there)
        self._copy_state(one, there)

    def _append(
        self, there: Stream, events: Sequence[StoredEvent], known: Summary | None = None
    ) -> None:
        if events:
            summary = known if known and known.head == events[-1].version else None
            self._target.append(
                there.id, there.head, [event.as_new() for event in events], summary
            ).result()
            self.events += len(events)

    def _catch_up_notes(self, one: Stream, there: Stream) -> None:
        """Append notes; if some were erased meanwhile, write all of them again."""
        notes, copied = self._notes(one), self._target.notes(there.id)
        if copied is not None:
            with suppress(Diverged):
                _check_prefix(one, notes[: copied.head], copied)
                self._append(copied, notes[copied.head :])
                return
            erased = [note.id for note in self._target.read(copied.id)]
            self._target.erase_notes(there.id, erased).result()
        if notes:
            self._target.create(notes_of(there), [event.as_new() for event in notes]).result()
            self.events += len(notes)

    def _copy_facts(self, one: Stream, there: Stream) -> None:
        facts, copied = self._source.metadata(one.id), self._target.metadata(there.id)
        people = self._people(one)
        if people != self._target.people(there.id) or list(facts.items()) != list(copied.items()):
            self._target.copy_people(there.id, facts, people).result()

    def _copy_keys(self, one: Stream, there: Stream) -> None:
        keys, copied = set(self._source.keys(one.id)), set(self._target.keys(there.id))
        for digest in {key[0] for key in copied} - {key[0] for key in keys}:
            self._target.drop_key(there.id, digest).result()
        for key in keys - copied:
            self._target.add_key(there.id, *key).result()
        known = self._target.private_values(there.id)
        held = self._source.private_values(one.id)
        missing = {name: value for name, value in held.items() if name not in known}
        if missing and keys:  # each is stored with a key
            self._target.add_key(there.id, *min(keys), held=missing).result()

    def _copy_state(self, one: Stream, there: Stream) -> None:
        """Copy the hooks, unclaimed, and put the copy of a trashed match into the trash."""
        hooks = [replace(hook, stream=there.id, claimed=0) for hook in self._source.hooks(one.id)]
        for copied in self._target.hooks(there.id):
            if copied in hooks:
                hooks.remove(copied)
            else:
                self._target.drop_hook(copied.id).result()
        for hook in hooks:
            self._target.add_hook(hook).result()
        if there.trashed != one.trashed and not one.is_carrier:
            self._target.trash(there.id, one.trashed).result()

    def _own(self, one: Stream) -> list[StoredEvent]:
        """Return the stream's own events. Raises `Damaged` unless all of it verifies."""
        found = read_verified(self._source, one.id)
        if isinstance(found, StreamFault):
            place = "" if found.version is None else f" at version {found.version}"
            raise Damaged(f"{one.public_id} is damaged{place} and is not copied: {found.what}")
        return found[one.fork_version or 0 :]

    def _people(self, one: Stream) -> KeptPeople:
        """Return who played a match. Raises `Damaged` unless that verifies."""
        people = self._source.people(one.id)
        if fault := people_fault(one.origin, people):
            raise Damaged(f"{one.public_id} is damaged and is not copied: {fault}")
        return people

    def _notes(self, one: Stream) -> list[StoredEvent]:
        """Return the annotations of a match. Raises `Damaged` unless the notes verify."""
        notes = self._source.notes(one.id)
        if notes is None:
            return []
        if notes.header != notes_of(one).header:
            raise Damaged(f"the annotations of {one.public_id} belong to another match")
        return self._own(notes)


def _accounts(store: Store) -> dict[Account, list[AccountToken]]:
    """Return the accounts of a store with their tokens, whether they ask or not."""
    return {
        replace(each, asks=False): store.account_tokens(each.digest) for each in store.accounts()
    }


def _public_id(one: Stream) -> str:
    """Return the id of a copy; a carrier's copy has its own id until it becomes a carrier."""
    return f"carrier-{one.origin.hex()[:24]}" if one.is_carrier else one.public_id


def _check_prefix(one: Stream, events: Sequence[StoredEvent], there: Stream) -> None:
    """Raise `Diverged` unless these first events of a stream lead to the head of its copy."""
    head = events[-1].hash if events else there.origin
    if there.head_hash != head or there.head != (there.fork_version or 0) + len(events):
        raise Diverged(
            f"{one.public_id} has different events in the other book, which was changed "
            "since it was copied; copy into a new one"
        )
