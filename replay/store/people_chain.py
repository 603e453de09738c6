"""Who played, as events in a hash chain beside the log of a match. Pure: no database, no clock.

An event holds salted digests; the texts and their salts lie beside it, so that they can be erased.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeVar

from msgspec.structs import astuple, replace

from replay.store.hash_chain import framed
from replay.store.types import Author, PersonEvent, PersonText

T = TypeVar("T")
Happened = Literal["found", "seated", "renamed", "swapped", "erased"]
"""`found` is a name from before names were events, or one that came with an import."""
NAME: Final = "name"
REASON: Final = "reason"
BEGINNING: Final = b"plybook/people/1"


class Change(NamedTuple):
    """A change of who sits where: the seat, the seat that it swapped with, and the name."""

    event: Happened
    seat: int
    other: int = 0
    name: str = ""


def digest(salt: bytes, text: str) -> bytes:
    """Return the salted digest of a text."""
    return hashlib.sha256(framed(salt, text.encode())).digest()


def beginning(origin: bytes) -> bytes:
    """Return the hash before the first event of a match; `origin` ties the chain to the match."""
    return hashlib.sha256(framed(BEGINNING, origin)).digest()


def event_hash(before: bytes, event: PersonEvent) -> bytes:
    """Return the hash of an event that follows the hash `before`."""
    *fields, _ = astuple(event)
    framable = [field if isinstance(field, bytes) else str(field).encode() for field in fields]
    return hashlib.sha256(framed(before, *framable)).digest()


def changes(before: Mapping[int, str], after: Mapping[int, str]) -> Iterator[Change]:
    """Yield what leads from names by seat to others; an exchange of names is a swap."""
    now = dict(before)
    for seat in sorted(before.keys() | after.keys()):
        was, name = now.get(seat), after.get(seat)
        if was == name:
            continue
        other = _swapped_with(now, after, seat)
        if other:
            now[seat], now[other] = now[other], now.get(seat, "")
            yield Change("swapped", seat, other)
        elif name is None:
            yield Change("erased", seat)
        else:
            yield Change("renamed" if was else "seated", seat, name=name)


def _swapped_with(now: Mapping[int, str], after: Mapping[int, str], seat: int) -> int:
    """Return the later seat whose player takes a seat and gives up their own, or 0."""
    taking = (
        other
        for other, name in sorted(now.items())
        if other > seat and name == after.get(seat) and now.get(seat) and after.get(other) != name
    )
    return next(taking, 0)


def chain(
    origin: bytes,
    last: PersonEvent | None,
    changed: Iterable[Change],
    author: Author,
    after_version: int,
    salts: Iterator[bytes],
) -> tuple[list[PersonEvent], list[PersonText]]:
    """Return changes as events after the `last` one, with their texts."""
    events: list[PersonEvent] = []
    texts: list[PersonText] = []
    before, head = (last.number, last.hash) if last else (0, beginning(origin))
    for number, change in enumerate(changed, before + 1):
        found = _texts(number, change, author, salts)
        digests = {each.kind: digest(each.salt, each.text) for each in found}
        event = PersonEvent(
            number,
            change.event,
            change.seat,
            change.other,
            author.name,
            author.at,
            after_version,
            digests.get(REASON, b""),
            digests.get(NAME, b""),
            b"",
        )
        head = event_hash(head, event)
        events.append(replace(event, hash=head))
        texts += found
    return events, texts


def _texts(number: int, change: Change, author: Author, salts: Iterator[bytes]) -> list[PersonText]:
    said = {NAME: change.name, REASON: "" if change.event == "erased" else author.reason}
    return [PersonText(number, kind, next(salts), text) for kind, text in said.items() if text]


class Fold(NamedTuple):
    """What a chain says: the number of the naming event of each seat, and what may be missing.

    `people` are the numbers of all events of the person at each seat.
    """

    people: Mapping[int, tuple[int, ...]]
    named: Mapping[int, int]
    erased: frozenset[int]


def fold(events: Sequence[PersonEvent]) -> Fold:
    """Return who sits where, and the numbers of the events whose texts were erased.

    A person is followed through swaps: an erasure takes all earlier texts of that person.
    """
    people: dict[int, tuple[int, ...]] = {}
    named: dict[int, int] = {}
    erased: set[int] = set()
    for event in events:
        seat, other = event.seat, event.other
        if event.event == "swapped":
            _swap(people, seat, other)
            _swap(named, seat, other)
            for each in (seat, other):
                people[each] = (*people.get(each, ()), event.number)
        elif event.event == "erased":
            erased |= {*people.pop(seat, ())}
            named.pop(seat, None)
        else:
            people[seat] = (*people.get(seat, ()), event.number)
            named[seat] = event.number
    return Fold(people, named, frozenset(erased))


def _swap(there: dict[int, T], seat: int, other: int) -> None:
    held = {each: there.pop(each) for each in (seat, other) if each in there}
    there |= {seat + other - each: value for each, value in held.items()}


def fault_of(
    origin: bytes,
    events: Sequence[PersonEvent],
    texts: Sequence[PersonText],
    names: Mapping[int, str],
) -> str | None:
    """Return what is wrong with a chain, its texts, or the names derived from it, or `None`."""
    head = beginning(origin)
    for number, event in enumerate(events, 1):
        head = event_hash(head, event)
        if event.number != number or event.hash != head:
            return f"person event {number} does not match its hash"
    there = {(each.number, each.kind): each for each in texts}
    said = fold(events)
    for event in events:
        for kind, known in ((NAME, event.name), (REASON, event.reason)):
            fault = _text_fault(event.number, known, there.pop((event.number, kind), None), said)
            if fault:
                return f"the {kind} of person event {event.number} {fault}"
    if there:
        return f"there is a text of person event {min(there)[0]}, which has none"
    text = {each.number: each.text for each in texts if each.kind == NAME}
    if {seat: text.get(number) for seat, number in said.named.items()} != dict(names):
        return "the names of the players are not those of the person events"
    return None


def _text_fault(number: int, known: bytes, text: PersonText | None, said: Fold) -> str | None:
    if text is None:
        return "is missing, and nobody erased it" if known and number not in said.erased else None
    if not known or digest(text.salt, text.text) != known:
        return "does not match its digest"
    return "was erased, and is there again" if number in said.erased else None
