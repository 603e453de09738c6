"""A book with a match for each kind of damage that a disk or another program does to it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from domain.games import built_in
from replay.access import capability_tokens
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.forks import fork
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.opening import open_match
from replay.store import open_store
from tests.replay.store.tampering import run_unguarded

EVENT = "UPDATE events SET {} WHERE stream = {{0}} AND version = 2"

UNREADABLE = {
    "payload is no JSON": EVENT.format("data = 'x'"),
    "payload is no UTF-8": EVENT.format("data = CAST(x'ff7b' AS TEXT)"),
    "payload names no square": EVENT.format("data = replace(data, 'c6', 'z9')"),
    "payload names no seat": EVENT.format("""data = replace(data, '"seat":2', '"seat":9')"""),
    "type is unknown": EVENT.format("type = 'nonsense'"),
    "event is missing": "DELETE FROM events WHERE stream = {0} AND version = 2",
    "last event is missing": "DELETE FROM events WHERE stream = {0} AND version = 3",
    "header is no JSON": "UPDATE streams SET header = '{{' WHERE id = {0}",
    "secret is another": (
        "UPDATE sealed SET payload = x'00' WHERE event IN"
        " (SELECT pos FROM events WHERE stream = {0})"
    ),
    "parent is damaged": "UPDATE events SET data = 'x' WHERE stream = {1} AND version = 2",
}
"""Damage after which a match cannot be read, as SQL over its stream and that of its parent."""

READABLE = {
    "hash does not fit": EVENT.format("data = replace(data, 'c6', 'c5')"),
    "note is no JSON": (
        "UPDATE events SET data = 'x' WHERE stream IN (SELECT id FROM streams WHERE subject = {0})"
    ),
    "secret is missing": (
        "DELETE FROM sealed WHERE event IN (SELECT pos FROM events WHERE stream = {0})"
    ),
}
"""Damage that some readings do not meet."""


def damaged_book(path: Path) -> dict[str, tuple[str, str]]:
    """Make a book, and return the id and the host's token of the match with each kind of damage."""
    made, statements = {}, []
    with closing(open_store(path)) as store:
        book = Book(store)
        for kind, change in (UNREADABLE | READABLE).items():
            match = _match(book, kind)
            token = capability_tokens.issue(book, match, capability_tokens.HOST)
            made[kind] = match.id, token
            statements.append(change.format(match.stream.id, match.stream.parent))
    run_unguarded(path, *statements)
    return made


def _match(book: Book, kind: str) -> MatchRecord:
    if kind.startswith("secret"):
        sealed = open_match(book, built_in("pyramid-ball"))
        return entering.play(book, sealed, ["1:S=FR.,M=..F,L=LLF"])
    match = entering.play(book, open_match(book, built_in("poptrix")), ["M@c1", "S@c6", "c1>L@c3"])
    annotate(book, *book.at(Address(match.id, 1)), Wording("well done"))
    return fork(book, match, 3, "match") if kind.startswith("parent") else match
