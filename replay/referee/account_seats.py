"""Invite an account to a seat of a match, or remove it and its name from all matches."""

from __future__ import annotations

from replay.access import accounts
from replay.access.capability_tokens import HOST, SEAT, IssuedToken, digest_name, issue_to, revoke
from replay.book import Book
from replay.errors import Conflict, UnknownName
from replay.record.match_record import MatchRecord
from replay.store.types import Account, SummaryFilter
from replay.tags.match_tags import tag, without_origin
from replay.tags.names import names_of


def invite_account(
    book: Book, record: MatchRecord, name: str, role: str, seat: int | None
) -> IssuedToken:
    """Give an account a role in a match; the player of a seat without a name gets its name.

    A repetition changes nothing. Raises `UnknownName`, `Conflict` for an account that has
    another role in the match, and `Usage` for a seat that the match does not have.
    """
    account = accounts.find(book, name)
    has = book.store.key(record.stream.id, account.digest)
    if has not in (None, (role, seat)):
        raise Conflict(f"{name} is {described(*has)} in {record.id} already; revoke that first")
    if has is None:
        issue_to(book, record, account.digest, role, seat)
    if role == SEAT and seat is not None and seat not in names_of(book, record).players:
        tag(book, record, {f"Seat{seat}": name})
    return IssuedToken(digest_name(account.digest), role, seat)


def leave(book: Book, record: MatchRecord, account: Account) -> IssuedToken:
    """Take away an account's role in a match, and return that role.

    The name of a player stays. Raises `UnknownName` without a role, `Usage` for the last host, and
    `Conflict` for a player who could not be replaced, because an open match has no host.
    """
    had = book.store.key(record.stream.id, account.digest)
    if had is None:
        raise UnknownName(
            f"{account.name} has no role in {record.id}; use a match where it has one"
        )
    hosted = any(role == HOST for _, role, _ in book.store.keys(record.stream.id))
    if had[0] == SEAT and record.state.outcome is None and not hosted:
        raise Conflict(f"{record.id} has no host who could seat another player; resign it first")
    return revoke(book, record, digest_name(account.digest))


def described(role: str, seat: int | None) -> str:
    """Return a role in words."""
    return f"at seat {seat}" if role == SEAT else role


def remove_account(book: Book, name: str) -> None:
    """Delete an account with its tokens and seats, and its name where it plays.

    The matches stay. Raises `UnknownName`.
    """
    account = accounts.find(book, name)
    for trashed in (False, True):
        wanted = SummaryFilter(opened_by=account.digest, trashed=trashed)
        for listed in book.store.listed(wanted):
            key = book.store.key(listed.stream.id, account.digest)
            seat = f"Seat{key[1]}" if key else ""
            if listed.metadata.get(seat) == name:
                change = without_origin(listed.metadata) | {seat: None}
                book.store.set_metadata(listed.stream.id, change).result()
    book.store.drop_account(account.digest).result()
