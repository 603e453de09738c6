"""The texts that matches are found by: derived from their notes and facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct

from replay.store.protocol.streams import Stream


class Text(Struct, frozen=True):
    """A text that a match can be found by, of a `kind` such as comment or tag.

    `name` says which of them.
    """

    kind: str
    name: str
    text: str


class Hit(Struct, frozen=True):
    """A text that was found, and the match it belongs to."""

    stream: Stream
    text: Text


class IndexedTexts(Struct, frozen=True):
    """The derived texts that find a match: from its first `notes` notes and from its facts."""

    notes: int
    texts: Sequence[Text]
    facts: Mapping[str, str] = {}


class Texts(Protocol):
    """Full-text search. The texts are derived data: an indexer stores them after the fact.

    `replay.store.search_words` splits and folds texts and queries, the same in every backend.
    """

    def matches_to_index(self) -> list[Stream]:
        """Return the matches whose texts are missing or outdated, oldest first.

        Texts are outdated when the match has more notes than they were made from. Setting facts,
        and erasing notes, deletes them.
        """
        ...

    def index(
        self, stream: int, texts: Sequence[Text], notes: int, facts: Mapping[str, str]
    ) -> Future[None]:
        """Replace the texts of a match, made from its first `notes` notes and its facts.

        If the facts differ by now nothing happens, and the match stays outdated.
        """
        ...

    def search(self, query: str, limit: int, before: int | None = None) -> list[Hit]:
        """Return texts in which every word of the query begins a word, newest match first.

        Case and accents do not count; the trash is left out; a query without words finds nothing.
        The texts of one match come in the order they were stored in. `before` leaves out the
        stream of that number and all newer ones.
        """
        ...

    def forget_texts(self) -> Future[None]:
        """Delete all texts: every match is outdated then."""
        ...

    def indexed_texts(self, stream: int) -> IndexedTexts | None:
        """Return the texts of a match without its facts, or `None` if there are none."""
        ...
