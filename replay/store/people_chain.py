"""Who played, as events in a hash chain beside the log of a match. Pure: no database, no clock.

An event holds salted digests; the texts and their salts lie beside it, so that they can be erased.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeVar

from msgspec.structs import astuple, replace

from replay.errors import Diverged
from replay.store.hash_chain import framed
from replay.store.types import Author, KeptPeople, PeopleHead, PersonEvent, PersonText

T = TypeVar("T")
Happened = Literal["forked", "found", "seated", "renamed", "swapped", "erased", "replaced"]
"""`found` is a name from before names were events, or a name that came with an import.

`replaced` is the phone of a seat, whose player stays.
`forked` begins the chain of a fork: its name is the hash of the last event of its parent then.
"""
BEFORE_PLAY: Final = ("forked", "found")
"""The events that are no change during a match."""
NEEDS_REASON: Final = ("seated", "renamed", "swapped")
"""The events that need a reason once the match is over."""
NAME: Final = "name"
REASON: Final = "reason"
BEGINNING: Final = b"plybook/people/1"
SEAT: Final = "Seat[1-9]"
"""The names of the metadata that name players: a regular expression, and a pattern of SQLite."""
SEAT_TAG: Final = re.compile(SEAT)
UNNAMED: Final = ("", "?")


def names_among(metadata: Mapping[str, str]) -> dict[int, str]:
    """Return the names of players among metadata, by seat."""
    return {
        int(name[4:]): value
        for name, value in metadata.items()
        if SEAT_TAG.fullmatch(name) and value not in UNNAMED
    }


class Change(NamedTuple):
    """A change of who sits where: the seat, the seat that it swapped with, and the name.

    A fork cites the hash of an event of its parent.
    """

    event: Happened
    seat: int
    other: int = 0
    name: str = ""
    cited: bytes = b""


def digest(salt: bytes, text: str) -> bytes:
    """Return the salted digest of a text."""
    return hashlib.sha256(framed(salt, text.encode())).digest()


def beginning(origin: bytes) -> bytes:
    """Return the hash before the first event of a match; `origin` ties the chain to the match."""
    return hashlib.sha256(framed(BEGINNING, origin)).digest()


def person_hash(before: bytes, event: PersonEvent) -> bytes:
    """Return the hash of an event that follows the hash `before`."""
    *fields, _ = astuple(event)
    framable = [field if isinstance(field, bytes) else str(field).encode() for field in fields]
    return hashlib.sha256(framed(before, *framable)).digest()


def changes(before: Mapping[int, str], after: Mapping[int, str]) -> Iterator[Change]:
    """Yield the changes of people from one map of names to another; an exchange is a swap."""
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
            digests.get(NAME, change.cited),
            b"",
        )
        head = person_hash(head, event)
        events.append(replace(event, hash=head))
        texts += found
    return events, texts


def _texts(number: int, change: Change, author: Author, salts: Iterator[bytes]) -> list[PersonText]:
    said = {NAME: change.name, REASON: "" if change.event == "erased" else author.reason}
    return [PersonText(number, kind, next(salts), text) for kind, text in said.items() if text]


class Fold(NamedTuple):
    """The result of a chain of people: which event named each seat, and which names may be missing.

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
        elif event.event not in ("forked", "replaced"):
            people[seat] = (*people.get(seat, ()), event.number)
            named[seat] = event.number
    return Fold(people, named, frozenset(erased))


def _swap(there: dict[int, T], seat: int, other: int) -> None:
    held = {each: there.pop(each) for each in (seat, other) if each in there}
    there |= {seat + other - each: value for each, value in held.items()}


def sat(
    events: Sequence[PersonEvent], end: int, shared: int, names: Mapping[int, str]
) -> dict[int, str] | None:
    """Return who sat where when a match ended at a version, or `None` if nobody has changed since.

    A name that was withdrawn since is left out. Names from the first `shared` versions were there
    when a fork began.
    """
    late = [each for each in events if is_late(each, end, shared)]
    if not late:
        return None
    then = fold([each for each in events if not is_late(each, end, shared)])
    standing = {number: names.get(seat, "") for seat, number in fold(events).named.items()}
    return {seat: standing[number] for seat, number in then.named.items() if number in standing}


def is_late(event: PersonEvent, end: int, shared: int) -> bool:
    """Return whether an event came after the end of its match at a version."""
    return event.event not in BEFORE_PLAY and event.after_version >= max(end, shared + 1)


def head_of(events: Sequence[PersonEvent]) -> PeopleHead:
    """Return the number and the hash of the last event of people."""
    return PeopleHead(events[-1].number, events[-1].hash) if events else PeopleHead()


def merged(match: str, kept: KeptPeople, other: KeptPeople) -> KeptPeople:
    """Merge the people of two copies of a `match`, the longer of which continues the shorter.

    A text that either copy has erased is erased. Raises `Diverged`.
    """
    ahead = other if len(other.events) > len(kept.events) else kept
    both = zip(kept.events, other.events, strict=False)
    apart = next((one.number for one, another in both if one != another), None)
    found = {each.seat for each in other.events if each.event == "found"}
    if other.events and not kept.events and kept.names.keys() != found and kept.names:
        apart = 1  # names from before names were events, and later events
    if apart is not None:
        raise Diverged(
            f"{match} has diverged: the book and the archive have different changes of who played,"
            f" from number {apart}"
        )
    said = fold(ahead.events)
    there = {(each.number, each.kind): each for each in other.texts}
    there |= {(each.number, each.kind): each for each in kept.texts if each.salt}
    texts = [there[place] for place in sorted(there) if place[0] not in said.erased]
    return ahead._replace(texts=texts)


def with_names(metadata: Mapping[str, str], names: Mapping[int, str]) -> dict[str, str]:
    """Return metadata with other names of players; a seat that loses its name is unknown."""
    tags = {f"Seat{seat}": name for seat, name in names.items()}
    return {name: "?" if SEAT_TAG.fullmatch(name) else metadata[name] for name in metadata} | tags


def withheld(people: KeptPeople) -> KeptPeople:
    """Return people without former names and reasons, for readers who may not see these."""
    standing = {(number, NAME) for number in fold(people.events).named.values()}
    texts = [
        each if (each.number, each.kind) in standing else replace(each, salt=b"", text="")
        for each in people.texts
    ]
    return people._replace(texts=texts)


def cited(events: Sequence[PersonEvent]) -> bytes | None:
    """Return the hash of an event of its parent that a fork cites, or `None`."""
    return events[0].name if events and events[0].event == "forked" else None


def fault_of(origin: bytes, people: KeptPeople) -> str | None:
    """Return the fault of a chain, its texts, or the names derived from it, or `None`."""
    hash_ = beginning(origin)
    for number, event in enumerate(people.events, 1):
        hash_ = person_hash(hash_, event)
        if event.number != number or event.hash != hash_:
            return f"person event {number} does not match its hash"
    if people.head != head_of(people.events):
        return f"the last person event is not number {people.head.number}, the head"
    there = {(each.number, each.kind): each for each in people.texts}
    said = fold(people.events)
    for event in people.events[cited(people.events) is not None :]:
        for kind, known in ((NAME, event.name), (REASON, event.reason)):
            fault = _text_fault(event.number, known, there.pop((event.number, kind), None), said)
            if fault:
                return f"the {kind} of person event {event.number} {fault}"
    if there:
        return f"there is a text of person event {min(there)[0]}, which has none"
    text = {each.number: each.text for each in people.texts if each.kind == NAME}
    if {seat: text.get(number) for seat, number in said.named.items()} != dict(people.names):
        return "the names of the players are not those of the person events"
    return None


def _text_fault(number: int, known: bytes, text: PersonText | None, said: Fold) -> str | None:
    if text is None:
        return "is missing, and nobody erased it" if known and number not in said.erased else None
    if not known or not fits(text, known):
        return "does not match its digest"
    return "was erased, and is there again" if number in said.erased else None


def fits(text: PersonText, known: bytes) -> bool:
    """Return whether a text has this digest, or is withheld."""
    return not (text.salt or text.text) or digest(text.salt, text.text) == known
