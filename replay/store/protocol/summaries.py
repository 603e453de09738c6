"""Matches in short, for lists and statistics: derived from their logs, and stored beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import Future
from typing import Literal, Protocol

from msgspec import Struct

from replay.store.protocol.facts import Fact
from replay.store.protocol.streams import Stream
from replay.store.protocol.texts import Text


class Summary(Struct, frozen=True):
    """A match in short as of version `head`.

    `game` is the slug of its game, `kind` that of its header. `result` and `clause` are those of
    the outcome, `*` and empty while there is none. `last` is the time of the opening or of the last
    event, the later one, in milliseconds since 1970. A store passes the JSON of `standing` through.
    """

    head: int
    game: str
    kind: str
    plies: int
    turns: int
    result: str
    clause: str
    last: int
    standing: bytes


class SummaryFilter(Struct, frozen=True):
    """The matches to list; `None` leaves a question open.

    `player` is the value of one of the facts `Seat1` to `Seat9`, in any case, as
    `replay.store.search_words.folded` compares names; a match of another kind than `match` has
    those of its parent too. `since` is the earliest time of the last event, `having` a fact of the
    match, `text` one that it is found by, `among` the numbers of streams, `opened_by` the digest of
    a token that opens the match. `changed` is the earliest time of the last change of any kind,
    `after` the number that it comes after; with `public` only public matches are wanted. In the
    order `changed` the match that changed last comes first.
    """

    kind: str | None = None
    game: str | None = None
    status: Literal["open", "ended"] | None = None
    player: str | None = None
    since: int | None = None
    having: Fact | None = None
    among: Collection[int] | None = None
    opened_by: bytes | None = None
    text: Text | None = None
    changed: int | None = None
    after: int | None = None
    public: bool = False
    trashed: bool = False
    order: Literal["opened", "changed"] = "opened"


class ListedMatch(Struct, frozen=True):
    """A match with its own facts and its summary; `None` as long as that is due.

    `number` is that of its last change, at the time `changed`.
    """

    stream: Stream
    facts: Mapping[str, str]
    summary: Summary | None
    number: int
    changed: int


class Summaries(Protocol):
    """Summaries of matches, which an append or a creation carries along.

    The summary of a match is due when it is missing or older than the log: events came without it.
    `summaries_due` lists these matches, so that a reader can derive their summaries.
    """

    def summaries_due(self) -> list[Stream]:
        """Return the matches whose summary is due, oldest first.

        The cost must not grow with the matches whose summary is not.
        """
        ...

    def summarise(self, stream: int, summary: Summary) -> Future[None]:
        """Replace the summary of a match by one that is not older.

        If the log has grown meanwhile, it stays due.
        """
        ...

    def listed(self, wanted: SummaryFilter, before: int | None = None) -> Iterator[ListedMatch]:
        """Return matches with their summaries in their order, newest first, read page by page.

        A match whose summary is due comes without it, and with no regard to `kind`, `game`,
        `status` and `since`: only the caller can tell. `before` leaves out the stream of that
        number and all newer ones, or in the order `changed` the changes from that number on. The
        promises of `Streams.matches` hold here; but in the order `changed` a match that changes
        between two pages goes to the top, and may be missed.
        """
        ...

    def count_listed(self, wanted: SummaryFilter) -> int:
        """Count the matches that `listed` returns with a summary."""
        ...

    def summary(self, stream: int) -> Summary | None:
        """Return the summary of a match, however old, or `None` if it has none."""
        ...
