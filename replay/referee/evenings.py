"""Evenings: matches of one date that share a link, the host's key of each match.

A match belongs to an evening if it has the digest of the link among its keys, and the id of the
evening among its facts. So neither a tag nor an imported record makes a match belong to an evening.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from itertools import count
from typing import Final

from msgspec.structs import replace

from domain.names import is_role
from replay.access import capability_tokens
from replay.access.credentials import derived_id, derived_token
from replay.access.visibility import Visibility
from replay.book import Book
from replay.errors import Conflict, InvalidField, KeyReused, UnknownName, Usage
from replay.record.match_creation import new_match_id
from replay.record.match_record import MatchRecord
from replay.store.search_words import folded
from replay.store.types import Evening, ListedMatch, MetadataItem, SummaryFilter
from replay.tags.match_tags import check_date, retag, tag, tags_of
from replay.tags.names import check_name, names_in

OF: Final = "evening.of"
"""The fact of a match that names its evening."""
ASKED: Final = "evening.asked"
"""The fact of a match that names the evening which its host is asked to join."""
LINK: Final = "evening-"
"""The beginning of every token of an evening, so that a revoked one is recognised."""
MAX_MATCHES: Final = 500
"""The most matches of an evening."""
PLACING: Final = threading.RLock()
"""Held while a table is chosen and its match stored, so that two do not get the same number."""
TABLE_TAGS: Final = ("Event", "Site", "Round", "Table")
"""The tags that say where a match is played; its rematch keeps them."""
SEATS: Final = range(1, 10)


def open_evening(
    book: Book,
    title: str,
    date: str,
    shown: Visibility = "unlisted",
    token: str | None = None,
    name: bytes | None = None,
) -> tuple[Evening, str]:
    """Open an evening, of a new link or of the link with this token; return it with the token.

    A repetition under the unguessable `name` of the request returns the same. Raises `InvalidField`
    for a title or a date, `Conflict` if the link has such an evening, and `KeyReused`.
    """
    _check("title", lambda: check_name("the title", title))
    _check("date", lambda: check_date(date.replace("-", ".")))
    token = token or new_token(name)
    hashed = capability_tokens.digest(token)
    made = new_match_id() if name is None else derived_id(name)
    evening = Evening(made, hashed, title, date, shown, book.now())
    before = None if name is None else book.store.evening(made)
    if before is None:
        book.store.put_evening(evening).result()
    elif (before.digest, before.title, before.date) != (hashed, title, date):
        raise KeyReused("this Idempotency-Key belongs to another request; send a new key")
    return before or evening, token


def new_token(name: bytes | None = None) -> str:
    """Return the token of a new link; with the `name` of a request, always the same token."""
    return LINK + (secrets.token_urlsafe(24) if name is None else derived_token(name))


def _check(field: str, check: Callable[[], None]) -> None:
    try:
        check()
    except Usage as error:
        raise InvalidField(str(error), field) from None


def find_evening(book: Book, name: str) -> Evening:
    """Return an evening by its id. Raises `UnknownName`."""
    found = book.store.evening(name)
    if found is None:
        raise UnknownName(f"there is no evening {name!r}; use the id in its link")
    return found


def evening_of(book: Book, record: MatchRecord) -> Evening | None:
    """Return the evening that a match belongs to, or `None`."""
    facts = book.store.metadata(record.stream.id)
    found = book.store.evening(facts[OF]) if OF in facts else None
    belongs = found is not None and book.store.key(record.stream.id, found.digest) is not None
    return found if belongs else None


def show(book: Book, evening: Evening, shown: Visibility) -> None:
    """Set the visibility of an evening."""
    book.store.put_evening(replace(evening, shown=shown)).result()


def rename(book: Book, evening: Evening, title: str) -> Evening:
    """Rename an evening, and in the tags of its matches; an empty title becomes the id.

    Raises `InvalidField` for a title, and `Conflict` if the link has such an evening.
    """
    if title:
        _check("title", lambda: check_name("the title", title))
    renamed = replace(evening, title=title or f"Evening {evening.id}")
    book.store.put_evening(renamed).result()
    there, trash = wanted(evening), replace(wanted(evening), trashed=True)
    for each in [*book.store.listed(there), *book.store.listed(trash)]:
        if table_tags(each.metadata).get("Event") == evening.title:
            retag(book, each.stream, {"Event": renamed.title})
    return renamed


def replace_link(book: Book, evening: Evening, name: bytes | None = None) -> str:
    """Replace the link of an evening, and of all evenings and matches of it; return the token."""
    token = new_token(name)
    book.store.replace_link(evening.digest, capability_tokens.digest(token)).result()
    return token


def wanted(evening: Evening) -> SummaryFilter:
    """Return the filter for the matches of an evening."""
    return SummaryFilter("match", having=MetadataItem(OF, evening.id), opened_by=evening.digest)


def place(
    book: Book, evening: Evening, players: Mapping[int, str], tags: Mapping[str, str]
) -> dict[str, str]:
    """Return the tags of a match that joins an evening: the round and the table, given or next.

    Hold `PLACING` until the match is stored. Raises `InvalidField` for a player who is at another
    table, and `Conflict` if the evening is full.
    """
    there = list(book.store.listed(wanted(evening)))
    if len(there) >= MAX_MATCHES:
        raise Conflict(f"an evening can have at most {MAX_MATCHES} matches; open another evening")
    _check_free(there, players)
    tagged = [{each.name: each.value for each in tags_of(one.metadata)} for one in there]
    rounds = [known for each in tagged if (known := number_in(each.get("Round"))) is not None]
    number = tags.get("Round") or str(max(rounds, default=1))
    taken = {each.get("Table") for each in tagged if each.get("Round") == number}
    table = tags.get("Table") or next(str(n) for n in count(1) if str(n) not in taken)
    return {**tags, "Event": evening.title, "Round": number, "Table": table}


def number_in(text: str | None) -> int | None:
    """Return the number that the text of an evening's tag is, or `None` for any other text."""
    return int(text) if text and text.isascii() and text.isdecimal() else None


def _check_free(there: list[ListedMatch], players: Mapping[int, str]) -> None:
    """Raise `InvalidField` for a player of a match that is not over."""
    playing = {
        folded(name): each
        for each in there
        if each.summary is None or not each.summary.clause
        for name in names_in(each.metadata, SEATS).players.values()
    }
    for seat, name in players.items():
        if folded(name) in playing and not is_role(name):
            seated = playing[folded(name)]
            tags = table_tags(seated.metadata)
            raise InvalidField(
                f"{name} plays at table {tags.get('Table', '?')} of round {tags.get('Round', '?')} "
                f"already, {seated.stream.public_id}; end that match first, or name another player",
                f"players.{seat}",
            )


def ask(book: Book, evening: Evening, record: MatchRecord) -> None:
    """Ask the host of a match to let it join an evening.

    Raises `Conflict` if the match belongs to an evening.
    """
    _refuse_other(book, record)
    book.store.set_metadata(record.stream.id, {ASKED: evening.id}).result()


def join(book: Book, name: str, record: MatchRecord) -> None:
    """Let a match join the evening with this id, which has asked its host.

    Raises `Conflict` if the evening has not asked, or if the match belongs to another evening.
    """
    _refuse_other(book, record)
    facts = book.store.metadata(record.stream.id)
    if facts.get(ASKED) != name:
        raise Conflict(
            f"no evening {name!r} has asked for this match; let whoever has its link ask first"
        )
    evening = find_evening(book, name)
    with PLACING:
        tags = place(book, evening, names_in(facts, SEATS).players, table_tags(facts))
        tag(book, record, tags)
        capability_tokens.issue_to(book, record, evening.digest, capability_tokens.HOST, None)
        book.store.set_metadata(record.stream.id, {OF: evening.id, ASKED: None}).result()


def _refuse_other(book: Book, record: MatchRecord) -> None:
    there = evening_of(book, record)
    if there is not None:
        raise Conflict(f"this match belongs to {there.title!r}, {there.id}, and stays there")


def table_tags(facts: Mapping[str, str]) -> dict[str, str]:
    """Return the tags among facts that say where a match is played."""
    return {each.name: each.value for each in tags_of(facts) if each.name in TABLE_TAGS}
