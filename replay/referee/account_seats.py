"""Invite an account to a seat of a match, or remove it and its name from all matches."""

from __future__ import annotations

from contextlib import suppress

from replay.access import accounts
from replay.access.capability_tokens import HOST, SEAT, IssuedToken, digest_name, issue_to
from replay.book import Book
from replay.errors import Conflict, Damaged, UnknownMatch, UnknownName, UnknownRuleset
from replay.record.match_record import MatchRecord
from replay.store.types import Account, Stream, SummaryFilter
from replay.tags.names import names_of
from replay.tags.people import erase_player, name_players


def invite_account(
    book: Book, record: MatchRecord, name: str, role: str, seat: int | None
) -> IssuedToken:
    """Give an account a role in a match; the player of a seat without a name gets its name.

    An account that wants to be asked gets no role yet, but a question. A repetition changes
    nothing. Raises `UnknownName`, `Conflict` for an account that has another role in the match, and
    `Usage` for a seat that the match does not have.
    """
    account = accounts.find(book, name)
    asked, stream = accounts.asked_digest(account), record.stream.id
    own = book.store.key(stream, account.digest)
    has = own or book.store.key(stream, asked)
    if has not in (None, (role, seat)):
        raise Conflict(f"{name} is {described(*has)} in {record.id} already; revoke that first")
    if own is None and account.asks:
        issue_to(book, record, asked, role, seat)
        return IssuedToken(digest_name(asked), role, seat, name, pending=True)
    return _seat(book, record, account, role, seat)


def _seat(
    book: Book, record: MatchRecord, account: Account, role: str, seat: int | None
) -> IssuedToken:
    """Give an account a role, whether it was asked or not."""
    name = account.name
    if book.store.key(record.stream.id, account.digest) is None:
        issue_to(book, record, account.digest, role, seat)
    book.store.drop_key(record.stream.id, accounts.asked_digest(account)).result()
    is_played = record.header.kind == "match"
    if is_played and role == SEAT and seat and seat not in names_of(book, record).players:
        name_players(book, record, {seat: name}, reason="the account has the seat")
    return IssuedToken(digest_name(account.digest), role, seat, name)


def accept(book: Book, match: str, account: Account) -> IssuedToken:
    """Take the role that an account is asked for. Raises `UnknownName` if it is not asked."""
    stream, role, seat = _held(book, match, account, accounts.asked_digest(account))
    return _seat(book, book.read(stream), account, role, seat)


def decline(book: Book, match: str, account: Account) -> IssuedToken:
    """Refuse the role that an account is asked for. Raises `UnknownName` if it is not asked."""
    digest = accounts.asked_digest(account)
    stream, role, seat = _held(book, match, account, digest)
    book.store.drop_key(stream.id, digest).result()
    return IssuedToken(digest_name(digest), role, seat, account.name)


def _held(
    book: Book, match: str, account: Account, digest: bytes
) -> tuple[Stream, str, int | None]:
    """Return a match, even a trashed one, with the role that a digest has in it.

    Raises `UnknownName` without a role; to strangers a match in the trash is an `UnknownMatch`.
    """
    stream = book.find_by_id(match)
    held = book.store.key(stream.id, digest)
    if held is None and stream.trashed:
        raise UnknownMatch(match)
    if held is None:
        raise UnknownName(f"{account.name} has no such role in {match}; use a match where it has")
    return stream, *held


def leave(book: Book, match: str, account: Account) -> IssuedToken:
    """Take away an account's role in any match, and return that role.

    The name of a player stays, and a host may seat another. Raises `UnknownName` for an account
    without a role, and `Conflict` for a player whom nobody could replace but who could resign.
    """
    stream, role, seat = _held(book, match, account, account.digest)
    if role == SEAT and not _has_host(book, stream) and _is_open(book, stream):
        raise Conflict(f"{match} has no host who could seat another player; resign it first")
    book.store.drop_key(stream.id, account.digest).result()
    return IssuedToken(digest_name(account.digest), role, seat, account.name)


def _has_host(book: Book, stream: Stream) -> bool:
    asked = book.store.asked_in(stream.id)
    keys = book.store.keys(stream.id)
    return any(role == HOST and digest not in asked for digest, role, _ in keys)


def _is_open(book: Book, stream: Stream) -> bool:
    """Return whether a match can be played on; false for an unreadable match."""
    with suppress(Damaged, UnknownRuleset):
        return not stream.trashed and book.read(stream).state.outcome is None
    return False


def described(role: str, seat: int | None) -> str:
    """Return the role of an account in words."""
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
                erase_player(book, listed.stream, seat)
    book.store.drop_account(account.digest).result()
