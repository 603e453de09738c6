"""A phone that replaces another phone: a code, valid once, gives a seat to the person who scans it.

The book has a digest of the code, and until when it is good. The seat's earlier tokens may then
only read, and hand over moves that were not sent; a person decides about each of these moves.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from replay.access import capability_tokens
from replay.access.capability_tokens import SEAT, digest
from replay.access.credentials import derived_token
from replay.book import Book
from replay.errors import Conflict, UnknownName, Usage
from replay.record.match_record import MatchRecord
from replay.store.types import Author
from replay.tags.names import SCOREKEEPER
from replay.tags.people_changes import last_entered

CODE: Final = "phone.code."
USED: Final = "phone.used."
"""The prefixes of private values: of each code, and of the codes of a seat until one is used."""
LIFETIME: Final = 2 * 60 * 1000
"""Milliseconds for which a code is good."""
TIME: Final = 8
"""Bytes of the time in the value of a code; the name of the shared value follows."""


class FreshCode(NamedTuple):
    """A code, and the time until which it is good, in milliseconds since 1970."""

    code: str
    until: int


class Heard(NamedTuple):
    """The last move that a seat itself entered: its ply, and when."""

    ply: int
    at: int


def last_heard(record: MatchRecord, seat: int) -> Heard | None:
    """Return when the phone of a seat was last heard, as far as the log says."""
    found = last_entered(record, seat, record.match.version)
    return None if found is None else Heard(found[0], found[1].at)


def account_at(book: Book, record: MatchRecord, seat: int) -> str | None:
    """Return the account that has a seat, or `None`."""
    held = capability_tokens.list_issued(book, record)
    here = (each for each in held if (each.role, each.seat) == (SEAT, seat) and not each.pending)
    return next((each.account for each in here if each.account), None)


def make_code(book: Book, record: MatchRecord, seat: int) -> FreshCode:
    """Return a new code for a seat.

    Raises `Usage` for a seat that is not there and for a variation, and `Conflict` for the seat of
    an account.
    """
    if record.header.kind == "variation":
        raise Usage(f"{record.id} is a variation of a match; replace a phone in that match")
    if not 1 <= seat <= record.match.seats:
        raise Usage(f"{record.id} has seats 1 to {record.match.seats}, not {seat}")
    _check_account(book, record, seat)
    made = FreshCode(f"{seat}{secrets.token_urlsafe(24)}", book.now() + LIFETIME)

    def hold(held: Mapping[str, bytes]) -> dict[str, bytes]:
        used = sum(each.startswith(f"{USED}{seat}.") for each in held)
        value = made.until.to_bytes(TIME, "big") + f"{USED}{seat}.{used}".encode()
        return {_name(made.code): value}

    book.store.hold(record.stream.id, hold).result()
    return made


def seat_of_code(book: Book, record: MatchRecord, code: str) -> int:
    """Return the seat of a code that is good. Raises `UnknownName` and `Conflict`."""
    _use(code, book.now(), book.store.private_values(record.stream.id))
    return int(code[0])


def replace_phone(
    book: Book, record: MatchRecord, code: str, name: bytes | None = None
) -> tuple[int, str]:
    """Use a code, and return its seat with a new token. The former tokens only read.

    A repetition under the unguessable `name` of the request returns the same. Raises `UnknownName`
    and `Conflict`, also if another phone uses the code at the same time.
    """
    token = secrets.token_urlsafe(24) if name is None else derived_token(name + digest(code))
    now, seat = book.now(), int(code[0]) if code[:1] in tuple("123456789") else 0
    _check_account(book, record, seat)
    new, author = (digest(token), SEAT, seat), Author(SCOREKEEPER, now)
    book.store.replace_phone(record.stream.id, new, partial(_use, code, now), author).result()
    return seat, token


def _check_account(book: Book, record: MatchRecord, seat: int) -> None:
    account = account_at(book, record, seat)
    if account is not None:
        raise Conflict(f"seat {seat} has the account {account}, which plays on any phone")


def _use(code: str, now: int, held: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the private value of a code that was used. Raises `UnknownName` and `Conflict`."""
    value = held.get(_name(code))
    if value is None:
        raise UnknownName("this link is no longer valid; ask the scorekeeper for a new one")
    used = value[TIME:].decode()
    if used in held:
        raise Conflict("this code was used, and it is good once; ask the scorekeeper for a new one")
    if now >= int.from_bytes(value[:TIME], "big"):
        raise Conflict("this code was good for two minutes; ask the scorekeeper for a new one")
    return {used: b""}


def _name(code: str) -> str:
    return CODE + digest(code).hex()


UNSENT: Final = "phone.unsent."
DECIDED: Final = "phone.decided."
"""The prefixes of the private values of moves: handed over, and decided."""
WAITS: Final = "phone.waits"
"""The fact of a match in which such a move waits for a decision."""
MAX_UNSENT: Final = 200
"""The most moves that are handed over in a match."""


class UnsentMove(Struct, frozen=True, omit_defaults=True):
    """A move that a phone had not sent: its `text`, the taps on it, or a `roll` of the service.

    Only its seat may see a `secret` move and decide about it; the host decides about the other
    moves.
    """

    id: str
    """The id under which the move is entered once."""
    seat: int
    text: str | None = None
    """The move in the notation of the game; missing if only its taps are known."""
    picks: tuple[str, ...] = ()
    """The texts of the tapped fields."""
    roll: bool = False
    """Whether the service is asked to roll."""
    unsure: bool = False
    """Whether its writer was not sure of it."""
    secret: bool = False
    """Whether only its seat may read it: every move of a game with secrets."""


def hand_over(book: Book, record: MatchRecord, moves: Sequence[UnsentMove]) -> None:
    """Keep moves until somebody decides about them, each once. Raises `Conflict` for too many."""

    def keep(held: Mapping[str, bytes]) -> dict[str, bytes]:
        known = {name.rpartition(".")[2] for name in held if name.startswith(UNSENT)}
        new = {each.id: each for each in moves if each.id not in known}
        if len(known) + len(new) > MAX_UNSENT:
            raise Conflict(f"phones handed over {MAX_UNSENT} moves of this match; no more are kept")
        numbered = enumerate(new.items(), len(known))
        return {f"{UNSENT}{n:03}.{id_}": msgspec.json.encode(each) for n, (id_, each) in numbered}

    book.store.hold(record.stream.id, keep).result()
    _note_waiting(book, record)


def unsent(book: Book, record: MatchRecord, seat: int | None) -> list[UnsentMove]:
    """Return the moves that a seat decides about: its secret moves, or for the host the others."""
    found = _waiting(book, record)
    return [each for each in found if (each.seat if each.secret else None) == seat]


def decide(book: Book, record: MatchRecord, seat: int | None, name: str) -> None:
    """Note that a move was entered or discarded.

    Raises `UnknownName` for a move of another seat.
    """
    if name not in {each.id for each in unsent(book, record, seat)}:
        raise UnknownName(f"no move {name!r} waits for you; somebody may have decided about it")

    def note(held: Mapping[str, bytes]) -> dict[str, bytes]:
        return {} if DECIDED + name in held else {DECIDED + name: b""}

    book.store.hold(record.stream.id, note).result()
    _note_waiting(book, record)


def _waiting(book: Book, record: MatchRecord) -> list[UnsentMove]:
    held = book.store.private_values(record.stream.id)
    moves = (value for name, value in held.items() if name.startswith(UNSENT))
    found = (msgspec.json.decode(each, type=UnsentMove) for each in moves)
    return [each for each in found if DECIDED + each.id not in held]


def _note_waiting(book: Book, record: MatchRecord) -> None:
    waits = "yes" if _waiting(book, record) else None
    book.store.set_metadata(record.stream.id, {WAITS: waits}).result()
