"""The messages of an account's stream: the news of the matches in which it has a seat.

They are read from the feed of changes. A message says what its match awaits from the account now,
so an account that answers the newest message of each match misses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, takewhile
from typing import Any, Final, Literal

from msgspec.structs import asdict

from domain.position import Awaited
from replay.access.accounts import Bearer, asked_digest
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.errors import Damaged, UnknownMatch, Usage
from replay.library import changes, match_list
from replay.library.changes import SeenChange
from replay.library.match_list import ListFilter
from replay.reading import hints
from replay.reading.hints import SecretMoves
from replay.record.match_record import MatchRecord
from replay.record.match_summary import STANDING
from replay.store.feed_types import ChangeCursor
from replay.store.types import Account, ListedMatch, SummaryFilter
from service.live.messages import Activity, activity_of
from service.models import responses
from service.models.responses import RoleInMatch

AccountEvent = Literal["invited", "turn", "taken-back", "corrected", "ended"]

EDITS: Final[dict[str, AccountEvent]] = {
    "taken back": "taken-back",
    "amended": "corrected",
    "adjusted": "corrected",
    "judged": "corrected",
    "filled": "corrected",
    "reopened": "corrected",
}
"""The messages about events that change earlier moves."""

MAX_ASKED: Final = 1000
"""The most roles that wait for an answer that are looked at."""

MAX_CHANGES: Final = 50
"""The most changes that are sent at once."""

MAX_LOOKED: Final = 200
"""The most events of a match that are looked through."""


class AccountNews(Activity, frozen=True):
    """News of a match in which the account has a role, and the state of the match.

    `awaiting` is what the match awaits from its seat. With `turn` the message has the `legal`
    moves, and samples of `secret` moves, which are too many to list. If only the player may know
    these moves, both are empty for a token that only reads.
    """

    role: responses.Role
    """The role that the account has in the match."""
    seat: responses.Seat | None
    awaiting: tuple[Awaited, ...]
    """The acts that are awaited from the seat."""
    legal: tuple[responses.EventText, ...]
    """The legal moves of the seat as texts, with `turn`."""
    secret: tuple[SecretMoves, ...]
    """The kinds of secret moves that the seat may seal, with `turn`."""


Held = tuple[str, int | None]
"""The role of an account in a match, and its seat."""

Message = tuple[AccountEvent | Literal["asked"], AccountNews | RoleInMatch, int | None]
"""The kind of a message, its content, and its id; `None` for a message without an id."""


class AccountFollower:
    """An account's place in the feed of changes, for one stream.

    Without a cursor the stream begins with the matches that await the account.
    """

    def __init__(self, book: Book, bearer: Bearer, cursor: ChangeCursor | None) -> None:
        self._book = book
        self._bearer = bearer
        self._scope = own_scope(bearer)
        self._listing = cursor is None
        self.cursor = changes.now(book) if cursor is None else cursor
        heads = book.store.heads_of(bearer.account.digest)
        self._seats = set(heads)
        self._seen = heads if self._listing else {}
        """The version of each match at its first message; unknown if the client resumes."""
        self._sent: dict[int, int] = {}
        """The version of each match at its last message about events."""
        self._before: int | None = None
        self._more = True
        self._asked: frozenset[RoleInMatch] = frozenset()
        """The roles that waited for an answer at the last look."""

    def is_concerned(self, changed: frozenset[int] | None) -> bool:
        """Return whether changes of these streams may bring news; `None` means any stream."""
        if changed is None or self._more:
            return True
        account, key = self._bearer.account.digest, self._book.store.key
        if any(each in self._seats or key(each, account) for each in changed):
            return True
        return self._asked_now() != self._asked

    def _asked_now(self) -> frozenset[RoleInMatch]:
        return frozenset(islice(asked_roles(self._book, self._bearer.account), MAX_ASKED))

    def read(self) -> tuple[list[Message], bool]:
        """Return the next messages, each with its id or `None`, and whether more are waiting.

        Raises `AnotherHistory` if the cursor belongs to another book.
        """
        before, self._asked = self._asked, self._asked_now()
        if self._asked - before:
            return [("asked", each, None) for each in self._asked - before], True
        if self._listing:
            return self._awaited(), True
        page = changes.page(self._book, self._scope, self.cursor, MAX_CHANGES)
        self.cursor, self._more = page.cursor, page.more
        return [each for change in page.changes for each in self._messages(change)], page.more

    def _awaited(self) -> list[Message]:
        """Return a message for each match of a page of the list that awaits the account."""
        wanted = ListFilter(status="open")
        page = match_list.page(self._book, wanted, self._scope, MAX_CHANGES, self._before)
        self._before, self._listing = page.next, page.next is not None
        found = (self._turn(each) for each in page.matches)
        return [("turn", news, None) for news in found if news is not None]

    def _turn(self, listed: ListedMatch) -> AccountNews | None:
        held = self._book.store.key(listed.stream.id, self._bearer.account.digest)
        newer = listed.stream.id not in self._seats  # the news of the new seat is enough
        if newer or held is None or not is_awaited(self._book, self._bearer, listed):
            return None
        with suppress(UnknownMatch, Damaged, Usage):  # deleted meanwhile, or unreadable
            stream, record = listed.stream, self._book.read(listed.stream)
            if not self._may_act(record, held[1]):
                return None
            change = SeenChange(
                listed.number, self.cursor.feed, stream.id, record.id, False, listed.changed
            )
            return self._news(change, record, held, "turn")
        return None

    def _messages(
        self, change: SeenChange
    ) -> Iterator[tuple[AccountEvent, AccountNews, int | None]]:
        """Yield the messages about a change; only the last message has its number as id."""
        held = self._book.store.key(change.stream, self._bearer.account.digest)
        if change.gone or held is None:
            return
        with suppress(UnknownMatch, Damaged, Usage):
            record = self._book.read(self._book.store.stream(change.stream))
            kinds = list(self._kinds(change, record, held[1]))
            for place, kind in enumerate(kinds, 1):
                news = self._news(change, record, held, kind)
                yield kind, news, change.number if place == len(kinds) else None

    def _kinds(
        self, change: SeenChange, record: MatchRecord, seat: int | None
    ) -> Iterator[AccountEvent]:
        """Yield the kinds of messages about a change that has just become known.

        The match may be at a later version than the change: its next change is then no news.
        """
        stream, head = change.stream, record.match.version
        seated, is_new = "seats" in change.what, change.stream not in self._seats
        if is_new and not seated:  # the news of the new seat follows
            return
        before = self._sent.get(stream, self._seen.get(stream))
        grown = "events" in change.what and self._sent.get(stream) != head
        invited = seated and (is_new or before is None)
        if invited:
            self._seats.add(stream)
            self._seen[stream] = head
            yield "invited"
        if grown:
            self._sent[stream] = head
            since = _last_own(record, seat) if before is None else before
            types = (record.entry(version).type for version in range(since + 1, head + 1))
            yield from dict.fromkeys(EDITS[each] for each in types if each in EDITS)
        if record.state.outcome is not None:
            if grown:
                yield "ended"
        elif (invited or grown) and self._may_act(record, seat):
            yield "turn"

    def _may_act(self, record: MatchRecord, seat: int | None) -> bool:
        """Return whether a seat must act, or may act and has a legal move."""
        awaiting = _awaiting(record, seat)
        if any(each.must for each in awaiting):
            return True
        return bool(awaiting) and any(self._legal(record, seat))

    def _legal(
        self, record: MatchRecord, seat: int | None
    ) -> tuple[tuple[str, ...], tuple[SecretMoves, ...]]:
        """Return the legal and the secret moves of a seat that the token may know."""
        if seat is None:
            return (), ()
        viewer = seat if self._bearer.may_play else None
        legal = hints.seat_texts(record, seat, viewer)
        return legal, tuple(hints.sealable_moves(record, seat, viewer))

    def _news(
        self, change: SeenChange, record: MatchRecord, held: Held, kind: AccountEvent
    ) -> AccountNews:
        role, seat = held
        legal, secret = self._legal(record, seat if kind == "turn" else None)
        activity: dict[str, Any] = asdict(activity_of(self._book, change, record))
        awaiting = _awaiting(record, seat)
        return AccountNews(
            **activity, role=role, seat=seat, awaiting=awaiting, legal=legal, secret=secret
        )


def own_scope(bearer: Bearer) -> ReadScope:
    """Return the scope of the messages of an account: its own matches."""
    return ReadScope(frozenset(), key=bearer.account.digest)


def asked_roles(book: Book, account: Account) -> Iterator[RoleInMatch]:
    """Yield the roles that wait for an account's answer, roles in the newest matches first."""
    digest = asked_digest(account)
    for each in book.store.listed(SummaryFilter(opened_by=digest)):
        if held := book.store.key(each.stream.id, digest):
            yield RoleInMatch(each.stream.public_id, *held)


def is_awaited(book: Book, bearer: Bearer, listed: ListedMatch) -> bool:
    """Return whether a match awaits the seat of an account, by its summary."""
    held = book.store.key(listed.stream.id, bearer.account.digest)
    if held is None or listed.summary is None:
        return False
    standing = STANDING.decode(listed.summary.standing)
    return any(each.seat == held[1] for each in standing.awaiting)


def _awaiting(record: MatchRecord, seat: int | None) -> tuple[Awaited, ...]:
    return tuple(each for each in record.state.awaiting() if each.seat == seat)


def _last_own(record: MatchRecord, seat: int | None) -> int:
    """Return the version of a seat's last event, or the last version that is not examined.

    A client that resumes has seen the match until then.
    """
    head = record.match.version
    looked = range(head, max(head - MAX_LOOKED, 0), -1)
    others = takewhile(lambda version: record.entry(version).actor != f"seat {seat}", looked)
    return head - len(list(others))
