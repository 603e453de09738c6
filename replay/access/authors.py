"""The accounts behind pseudonyms: who entered an event as the host, for those at the table.

A pseudonym is a digest of the random id of an account and of something of the event. The name is
looked up among the accounts of the match, so it goes with the account.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from replay.book import Book
from replay.record.codec import PSEUDONYM, author_of, pseudonym
from replay.record.match_record import MatchRecord

SIGNED: Final = re.compile(f"(.*) ([0-9a-f]{{{PSEUDONYM}}})")


def sign(actor: str, account: bytes | None, match: str, at: int) -> str:
    """Return an actor with the pseudonym of its account for a time of a match."""
    return f"{actor} {pseudonym(account, _salt(match, at))}" if account else actor


def with_name(actor: str, accounts: Mapping[bytes, str], match: str, at: int) -> str:
    """Return an actor without a pseudonym, with the name of its account if that is among these."""
    found = SIGNED.fullmatch(actor)
    if found is None:
        return actor
    name = _name(found[2], accounts, _salt(match, at))
    return f"{found[1]}, {name}" if name else found[1]


def authors(book: Book, record: MatchRecord) -> dict[int, str]:
    """Return the names of the accounts that entered events of a match, by version."""
    signed = [(each, author) for each in record.log if (author := author_of(each))]
    accounts = book.store.accounts_of(record.stream.id) if signed else {}
    names = ((each.version, _name(author, accounts, each.id)) for each, author in signed)
    return {version: name for version, name in names if name}


def _name(author: str, accounts: Mapping[bytes, str], salt: bytes) -> str | None:
    found = (name for account, name in accounts.items() if pseudonym(account, salt) == author)
    return next(found, None)


def _salt(match: str, at: int) -> bytes:
    return f"{match} {at}".encode()
