"""The structs of news: the changes of a store, and the WebHooks that are called about them."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

What = Literal[
    "opened",
    "events",
    "names",
    "tags",
    "notes",
    "visibility",
    "details",
    "seats",
    "trash",
]
"""The kinds of changes: of the log of a match, of its metadata by their names, of its notes, …

`seats` are the seats of accounts."""

VISIBILITY: Final = "access.visibility"
"""The item of metadata that decides who may list a match and its variations."""


class ChangeCursor(Struct, frozen=True):
    """The place of a follower in the changes of a store: the number of the last change seen.

    `feed` names the history that this number belongs to. An empty name is not compared.
    """

    number: int = 0
    feed: str = ""


class Change(Struct, frozen=True):
    """A match that has changed, at the number of its last change, and what changed at `at`.

    `feed` is the history of the number, `version` the head of the match, `at` in milliseconds since
    1970. `root` is the match that a variation analyses, or the match itself, and `visibility` that
    match's item. A `withdrawn` match has stopped being public; later changes of it have a separate
    entry. Only the id of a `deleted` match is left. `public` says whether a match is public; for
    these two, whether it was.
    """

    number: int
    feed: str
    stream: int
    match: str
    root: int
    at: int
    what: tuple[What, ...]
    version: int
    state: Literal["there", "trashed", "withdrawn", "deleted"]
    public: bool
    visibility: str | None

    @property
    def cursor(self) -> ChangeCursor:
        """The place to continue from after this change."""
        return ChangeCursor(self.number, self.feed)


class Changes(Struct, frozen=True):
    """The changes after a cursor, in the order of their numbers, each match at its last change.

    `None` means that the cursor belongs to another history: its follower must start over. `cursor`
    is the place to continue from.
    """

    cursor: ChangeCursor
    found: tuple[Change, ...] | None

    @property
    def streams(self) -> frozenset[int] | None:
        """The streams of the matches that have changed; `None` if any may have changed."""
        return None if self.found is None else frozenset(each.stream for each in self.found)


class FormerSecret(Struct, frozen=True):
    """A secret that still signs deliveries until a time, together with its successor."""

    secret: str
    until: int
    rotation: str | None


class Hook(Struct, frozen=True):
    """An address that gets news, and the secret that signs the deliveries.

    It gets news of a match, or without a `stream` of the whole book. `delivered` is the last
    version, or number of a change, that arrived there. The last `failures` tries failed, the first
    of them at `since`; the next try is `due`. A `dead` hook is given up. `answer` is the result of
    the last try, at `tried`. Until `claimed` only one server calls it. Times are in milliseconds
    since 1970. `rotation` names the rotation that the secret comes from, if any; the `former`
    secrets are the newest first. `types` are the kinds of news that it gets, or empty for all;
    `site` is the address under which its owner reached the service. `named` is the number of the
    last change of who sits where that arrived.
    """

    id: str
    stream: int | None
    url: str
    secret: str
    created: int
    delivered: int
    failures: int = 0
    since: int | None = None
    due: int = 0
    dead: bool = False
    answer: str | None = None
    tried: int | None = None
    claimed: int = 0
    rotation: str | None = None
    former: tuple[FormerSecret, ...] = ()
    types: tuple[str, ...] = ()
    site: str = ""
    named: int = 0
