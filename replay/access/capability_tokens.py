"""Capability tokens, which let their holder write to a match or read a private one.

A token is shown once and stored as a digest. The beginning of the digest names the token without
revealing it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from replay.access import visibility
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.store.types import Stream, SummaryFilter

HOST: Final = "host"
SEAT: Final = "seat"
VIEWER: Final = "viewer"

NAME_BYTES: Final = 6
MAX_TOKEN: Final = 200
"""The longest token that is looked up, in characters; issued tokens have 32."""


class IssuedToken(Struct, frozen=True, omit_defaults=True):
    """A token that was issued and not revoked: its name, and its holder's role.

    With an `account` the role belongs to the account, and `id` serves to revoke the token. A
    `pending` token grants no role yet: the account is asked.
    """

    id: str
    role: str
    seat: int | None
    account: str | None = None
    pending: bool = False


def issue(
    book: Book,
    record: MatchRecord,
    role: str = HOST,
    seat: int | None = None,
    token: str | None = None,
    held: Mapping[str, bytes] = MappingProxyType({}),
) -> str:
    """Issue a new token for the host, a seat or a viewer; only its digest is stored.

    A missing `token` is drawn; private values that are `held` are stored with it. Raises `Usage`
    for a seat that the match does not have, and for private values that it has already.
    """
    token = token or secrets.token_urlsafe(24)
    issue_to(book, record, digest(token), role, seat, held)
    return token


def issue_to(
    book: Book,
    record: MatchRecord,
    hashed: bytes,
    role: str,
    seat: int | None,
    held: Mapping[str, bytes] = MappingProxyType({}),
) -> None:
    """Give a role to the holder of a token with this digest, or to an account. Raises `Usage`."""
    if (role == SEAT) != (seat is not None):
        raise Usage("a token of a seat needs a seat; other tokens have none")
    if seat is not None and not 1 <= seat <= record.match.seats:
        raise Usage(f"{record.id} has seats 1 to {record.match.seats}, not {seat}")
    book.store.add_key(record.stream.id, hashed, role, seat, held).result()


def role_of(book: Book, record: MatchRecord, token: str) -> tuple[str, int | None] | None:
    """Return the role and seat that a token grants in a match, or `None`.

    Tokens of a match also work for its variations: the host's token grants the same role, all other
    tokens grant reading. The lookup is by digest, so its timing reveals nothing about valid tokens.
    """
    return None if len(token) > MAX_TOKEN else role_of_digest(book, record, digest(token))


def invites(book: Book, record: MatchRecord, token: str) -> bool:
    """Return whether a token opens a match to more devices: not if its phone was replaced."""
    role = role_of(book, record, token)
    return role is not None and (role[0] == SEAT) == (role[1] is not None)


def role_of_digest(book: Book, record: MatchRecord, hashed: bytes) -> tuple[str, int | None] | None:
    """Return the role and seat of a capability in a match or its variations, or `None`."""
    own = book.store.key(record.stream.id, hashed)
    if own is not None:
        return own
    match = visibility.analysed_match(book, record.stream)
    if match.id == record.stream.id:
        return None
    inherited = book.store.key(match.id, hashed)
    return inherited and (inherited[0] if inherited[0] == HOST else VIEWER, None)


def opened_among(book: Book, sent: Collection[tuple[str, str]]) -> list[Stream]:
    """Return the matches, outside the trash, that pairs of id and token open."""
    known = {digest(token): token for _, token in sent if len(token) <= MAX_TOKEN}
    opened = book.store.matches_for_tokens({match for match, _ in sent}, known)
    return [
        stream
        for hashed, stream in opened
        if (stream.public_id, known[hashed]) in sent and not stream.trashed
    ]


def newest_opened_by(book: Book, token: str) -> Stream | None:
    """Return the newest match that a token opens and that is not in the trash."""
    if len(token) > MAX_TOKEN:
        return None
    opened = book.store.listed(SummaryFilter(opened_by=digest(token)))
    return next((each.stream for each in opened), None)


def may_be_host_key(book: Book, token: str) -> bool:
    """Return whether a token may open matches as a host: it is new, or a host's already.

    The token of a seat or a viewer may be known to others, who would become hosts.
    """
    newest = newest_opened_by(book, token)
    known = None if newest is None else book.store.key(newest.id, digest(token))
    return known is None or known[0] == HOST


def list_issued(book: Book, record: MatchRecord) -> list[IssuedToken]:
    """Return the valid tokens of a match, ordered by role: host, seats, viewers, unknown roles."""
    order = {role: place for place, role in enumerate((HOST, SEAT, VIEWER))}
    asked = book.store.asked_in(record.stream.id)
    accounts = book.store.accounts_of(record.stream.id) | asked
    found = [
        IssuedToken(digest_name(digest), role, seat, accounts.get(digest), digest in asked)
        for digest, role, seat in book.store.keys(record.stream.id)
    ]
    return sorted(found, key=lambda key: (order.get(key.role, len(order)), key.seat or 0, key.id))


def revoke(book: Book, record: MatchRecord, name: str) -> IssuedToken:
    """Revoke a token by its name, and return its description.

    Raises `Usage` for an unknown name, and for the host's last token.
    """
    issued = list_issued(book, record)
    found = next((key for key in issued if key.id == name), None)
    if found is None:
        raise Usage(
            f"{record.id} has no token {name!r}; `plybook token {record.id} --list` lists them"
        )
    hosts = [key for key in issued if key.role == HOST and not key.pending]
    if hosts == [found]:
        raise Usage("this is the last token of the host; issue another first")
    for digest, _, _ in book.store.keys(record.stream.id):
        if digest_name(digest) == name:
            book.store.drop_key(record.stream.id, digest).result()
    return found


def token_name(token: str) -> str:
    """Return the name of a capability token."""
    return digest_name(digest(token))


def digest_name(digest: bytes) -> str:
    """Return the name of the token with a digest."""
    return digest[:NAME_BYTES].hex()


def digest(token: str) -> bytes:
    """Return the digest under which a token is stored."""
    return hashlib.sha256(token.encode(errors="replace")).digest()
