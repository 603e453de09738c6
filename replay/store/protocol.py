"""What a store of event streams does, whatever it is made of. It knows no game.

A stream is a header and a log of events, versions 1, 2, 3 … A fork shares its parent's log up to
`fork_version` (nothing is copied) and goes on from there. Every event carries a hash that chains
it to the one before; the first to the hash of the header.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Final, Protocol

from msgspec import Struct

Capability = tuple[bytes, str, int | None]
"""The SHA-256 of a token, and what its bearer may do: the role, and the seat of a player's."""


CARRIER: Final = "~"
"""The public id of a carrier begins so, and no other does."""


class NewStream(Struct, frozen=True):
    """A stream to be created. `header` is JSON and hashed byte for byte.

    `kind` is `match` or `notes` (annotations of the match `subject`). A fork names its parent
    and the address where it leaves it.
    """

    public_id: str
    header: bytes
    kind: str = "match"
    subject: int | None = None
    parent: int | None = None
    fork_version: int | None = None
    fork_ply: int | None = None


class Creation(Struct, frozen=True):
    """A stream to be created with its first events and facts.

    `notes` are the first events of its stream of annotations, which there will be if there are
    any. `fork_of` is the place (from 0) among those created together of the stream it forks from,
    whose number is not known yet; `stream.parent` is left out then. `held` are private values by
    name that no answer, export or archive has, `keys` capabilities that open it at once.
    """

    stream: NewStream
    events: Sequence[NewEvent] = ()
    facts: Mapping[str, str] = {}
    notes: Sequence[NewEvent] = ()
    fork_of: int | None = None
    held: Mapping[str, bytes] = {}
    keys: Sequence[Capability] = ()


class Stream(Struct, frozen=True):
    """A stored stream; `head` is the version of its last event, `head_hash` its hash.

    `origin` is the hash that its own first event builds upon: that of the header, and for a fork
    of the last event it shares with its parent (of the parent's header, if it shares none).
    A carrier is no match any more: it was deleted for good, and forks share its events.
    """

    id: int
    public_id: str
    kind: str
    header: bytes
    subject: int | None
    parent: int | None
    fork_version: int | None
    fork_ply: int | None
    origin: bytes
    head: int
    head_hash: bytes
    trashed: bool

    @property
    def is_carrier(self) -> bool:
        """Whether only its forks need it."""
        return self.public_id.startswith(CARRIER)


class NewEvent(Struct, frozen=True):
    """An event to be appended. `id` (16 bytes) makes a repeated append recognisable.

    `at` is milliseconds since 1970, `data` JSON. `sealed` is what only its owner may read yet:
    it is stored apart, and `data` holds a salted digest of it.
    """

    id: bytes
    type: str
    actor: str
    at: int
    data: bytes
    sealed: bytes | None = None


class StoredEvent(Struct, frozen=True):
    """An event of a stream, with its version and its hash."""

    version: int
    id: bytes
    type: str
    actor: str
    at: int
    data: bytes
    hash: bytes
    sealed: bytes | None = None


class Appended(Struct, frozen=True):
    """The answer to an append: its events as they are stored, and the hash of the last.

    `repeated` tells that the events were there already (same ids), and nothing was written.
    """

    events: tuple[StoredEvent, ...]
    head_hash: bytes
    repeated: bool = False

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the events."""
        return tuple(event.version for event in self.events)


class Fact(Struct, frozen=True):
    """A mutable fact beside a stream: its name and its value."""

    name: str
    value: str


class Unlike(Struct, frozen=True):
    """A fact of this name with any value but these."""

    name: str
    values: tuple[str, ...]


class Text(Struct, frozen=True):
    """A text that a match can be found by: what `kind` it is (a comment, a player, a tag …).

    `name` says which of them.
    """

    kind: str
    name: str
    text: str


class Hit(Struct, frozen=True):
    """A text that was found, and the match it belongs to."""

    stream: Stream
    text: Text


class IndexedLine(Struct, frozen=True):
    """The line of a match in short: for statistics, and to tell how what was seen in it ended.

    `game` is the ruleset, `kind` that of the header, `result` and `clause` those of the outcome
    (`*` and empty without one).
    """

    game: str
    kind: str
    plies: int
    turns: int
    result: str
    clause: str


class IndexedStep(Struct, frozen=True):
    """A move of a line: its version, who made it, and the position it was made in, as a digest."""

    version: int
    key: bytes
    seat: int
    token: str


class MoveCount(Struct, frozen=True):
    """In how many lines of a kind, and with a result, a seat made a move in some position."""

    seat: int
    token: str
    kind: str
    result: str
    lines: int


class ChangeCursor(Struct, frozen=True):
    """How far somebody has followed a whole store: the last event of all, and the newest stream.

    `event` is a position in the order in which events were stored, `stream` whose event it is;
    both are 0 where there is none.
    """

    event: int
    stream: int
    newest: int


class Changes(Struct, frozen=True):
    """What came after a cursor: the streams with new events, and those that are new.

    Where notes have new events, the match they are about is among `streams` too. `None` means
    that anything may have changed. `cursor` is where to go on from.
    """

    cursor: ChangeCursor
    streams: frozenset[int] | None


class Hook(Struct, frozen=True):
    """Where news of a match is sent: an address, and the secret that deliveries are signed with.

    `delivered` is the last version that arrived there. `failures` in a row came `since` then; the
    next try is `due`. A `dead` one is given up. `answer` is what came of the last try, at `tried`.
    Until `claimed` one server has it to itself, to call it. Times are in milliseconds since 1970.
    """

    id: str
    stream: int
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


class IndexedMatch(Struct, frozen=True):
    """The derived line of a match as it stood at version `head`, and its moves."""

    head: int
    line: IndexedLine
    steps: Sequence[IndexedStep]


class IndexedTexts(Struct, frozen=True):
    """The derived texts that find a match: from its first `notes` notes and from its facts."""

    notes: int
    texts: Sequence[Text]
    facts: Mapping[str, str] = {}


class Condition(Struct, frozen=True):
    """How a store is doing: bytes in its write-ahead log, and bytes free on its disk."""

    log: int
    free: int


class Observer(Protocol):
    """A listener to the transactions of a store. It is called in the thread that writes."""

    def committed(self, seconds: float) -> None:
        """Note that a transaction was made durable, and how long that took."""
        ...

    def failed(self) -> None:
        """Note that a transaction failed because of the disk."""
        ...


class Store(Protocol):
    """Event streams and the few mutable facts beside them.

    Writes give futures, done once the write is durable. Errors: `Stale` if the stream's head is
    not the expected version; `UnknownMatch` and `AmbiguousMatch` for ids; `StoreError` for the
    file itself; `Usage` if some but not all ids of an append exist already, or they belong to
    other events.
    """

    def create(
        self,
        stream: NewStream,
        events: Sequence[NewEvent] = (),
        facts: Mapping[str, str] | None = None,
        notes: Sequence[NewEvent] = (),
    ) -> Future[Stream]:
        """Create a stream with its first events and facts, all or nothing.

        `notes` are the first events of its stream of annotations, which there will be if there
        are any.
        """
        ...

    def create_all(self, creations: Sequence[Creation]) -> Future[list[Stream]]:
        """Create streams, and forks of those among them, all or nothing."""
        ...

    def append(self, stream: int, expected: int, events: Sequence[NewEvent]) -> Future[Appended]:
        """Append events at the expected version, all or nothing."""
        ...

    def read(self, stream: int, after: int = 0, until: int | None = None) -> list[StoredEvent]:
        """Return the events of a stream (a fork's shared part included) with after < version."""
        ...

    def find(self, public_id: str) -> Stream:
        """Return the match whose public id is this or begins so (at least 4 characters)."""
        ...

    def stream(self, stream: int) -> Stream:
        """Return a stream by its number."""
        ...

    def notes(self, subject: int) -> Stream | None:
        """Return the stream of annotations of a match, if there is one."""
        ...

    def forks(self, stream: int) -> list[Stream]:
        """Return the forks of a stream, oldest first, also those in the trash."""
        ...

    def matches(
        self, *, trashed: bool = False, before: int | None = None, having: Fact | None = None
    ) -> Iterator[Stream]:
        """Return all matches, newest first, those in the trash or those that are not.

        `before` leaves out the stream of that number and all newer ones, `having` those without
        the fact. They are read page by page, so that taking a few is cheap.
        """
        ...

    def facts(self, stream: int) -> dict[str, str]:
        """Return the mutable facts of a stream in their order: player names, tags."""
        ...

    def set_facts(self, stream: int, facts: Mapping[str, str | None]) -> Future[None]:
        """Set facts, or with `None` erase them. They are outside the hash chain."""
        ...

    def private_value(self, stream: int, name: str) -> bytes | None:
        """Return a private value that a stream was created with, if it was with one."""
        ...

    def add_key(self, stream: int, digest: bytes, role: str, seat: int | None) -> Future[None]:
        """Add a capability: the SHA-256 of a token, and what its bearer may do."""
        ...

    def key(self, stream: int, digest: bytes) -> tuple[str, int | None] | None:
        """Return role and seat of a capability of this stream, if it is one."""
        ...

    def keys(self, stream: int) -> list[Capability]:
        """Return the capabilities of a stream."""
        ...

    def matches_for_token(self, digest: bytes) -> list[Stream]:
        """Return the matches that have a capability with this digest, oldest first."""
        ...

    def drop_key(self, stream: int, digest: bytes) -> Future[None]:
        """Forget a capability, if there is such a one."""
        ...

    def add_hook(self, hook: Hook) -> Future[None]:
        """Add a hook to a stream. `Usage` if there is one of its id."""
        ...

    def hooks(self, stream: int | None = None) -> list[Hook]:
        """Return the hooks of a stream, or of all, oldest first."""
        ...

    def hooks_due(self) -> list[Hook]:
        """Return the hooks that lack events of their match, the first due first.

        Those that are dead and those of matches in the trash are left out.
        """
        ...

    def claim_hook(self, hook: str, now: int, until: int) -> Future[Hook | None]:
        """Let one server have a hook to itself until then, to call it, and return it as it stands.

        `None` if it is not to be called now: it is not `behind` or not due, or another has it.
        """
        ...

    def put_hook(self, hook: Hook) -> Future[None]:
        """Note how far a hook has come, and let go of it; its address, secret and stream stay.

        Nothing happens unless it is claimed as it was when this was found out: who comes after
        the claim has lapsed, or was taken away, must not undo what another has done.
        """
        ...

    def revive_hook(self, hook: str, due: int) -> Future[None]:
        """Let a hook, if it is there, be called from then on as if it had never failed.

        Whoever has claimed it has it no more.
        """
        ...

    def drop_hook(self, hook: str) -> Future[None]:
        """Forget a hook, if there is such a one."""
        ...

    def trash(self, stream: int, trashed: bool = True) -> Future[None]:
        """Put a match into the trash, or take it out."""
        ...

    def purge(
        self,
        stream: int,
        taking: Collection[int] = (),
        leaving: Collection[int] = (),
        facts: Collection[str] = (),
    ) -> Future[None]:
        """Delete a match and its notes for good, and the forks `taking` that descend from it.

        For the forks `leaving` a carrier stays in the place of what they fork from: its header,
        the events they share, and those of its facts that `facts` names. It goes with the last of
        them. `Usage` while any other fork needs the log.
        """
        ...

    def erase_notes(self, subject: int, ids: Collection[bytes]) -> Future[None]:
        """Delete notes of a match for good; the others get a new stream and hash chain."""
        ...

    def matches_to_index(self) -> list[Stream]:
        """Return the matches with notes or facts that search does not know yet."""
        ...

    def index(
        self, stream: int, texts: Sequence[Text], notes: int, facts: Mapping[str, str]
    ) -> Future[None]:
        """Let a match be found by these texts, made from its first `notes` notes and its facts.

        They are derived data, and replace those before. If the facts are others by now nothing
        happens, and the match stays outdated.
        """
        ...

    def search(self, query: str, limit: int, before: int | None = None) -> list[Hit]:
        """Return texts of matches, newest match first, where every word of the query begins a word.

        Case and accents do not count; the trash is left out; a query without words finds nothing.
        `before` leaves out the stream of that number and all newer ones.
        """
        ...

    def forget_texts(self) -> Future[None]:
        """Forget all texts: every match is outdated then."""
        ...

    def unindexed_matches(self) -> list[Stream]:
        """Return the matches whose line is not known, or not as it stands now, oldest first."""
        ...

    def index_match(
        self, stream: int, head: int, line: IndexedLine, steps: Sequence[IndexedStep]
    ) -> Future[None]:
        """Let the line of a match be known as it stands at a version.

        It is derived data, and replaces what was known before.
        """
        ...

    def indexed_lines(self) -> list[tuple[Stream, IndexedLine]]:
        """Return the lines that are known, oldest match first, without the trash."""
        ...

    def move_counts(self, key: bytes, without: Fact | Unlike | None = None) -> list[MoveCount]:
        """Count the moves made in the position of a key, by seat, token, kind and result.

        A line counts once. What forks share counts once: for the oldest line it stands in. The
        trash is left out, and so are the matches that have the fact `without`, with the
        variations of them.
        """
        ...

    def forget_index(self) -> Future[None]:
        """Forget all lines: every match is unsurveyed then."""
        ...

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        """Return what is known of the line of a match, if anything is."""
        ...

    def indexed_texts(self, stream: int) -> IndexedTexts | None:
        """Return the texts that a match is found by, without its facts, if there are any."""
        ...

    def rebuild_indexes(self) -> Future[None]:
        """Rebuild what reading relies on from the streams and events, all or nothing."""
        ...

    def replace_derived(
        self, surveys: Mapping[int, IndexedMatch], texts: Mapping[int, IndexedTexts]
    ) -> Future[None]:
        """Put these lines and texts of matches in place of all there are, all or nothing.

        Matches that are gone by now are left out, and so are texts whose facts have changed.
        """
        ...

    def changes(self, cursor: ChangeCursor | None) -> Changes:
        """Return which streams have new events since a cursor; without one, begin here with none.

        Whichever process wrote them, and cheap. When the last event seen was purged, anything may
        have changed. That a match is purged or trashed, and what facts and keys are set, are no
        events and not told: `touched` changes then.
        """
        ...

    def data_version(self) -> int:
        """Return a number that is another one after anything was stored, by whichever process.

        Cheaper than any question to the store, and means nothing beyond this store object. It may
        change without cause. To miss nothing ask for it before what it is to tell about.
        """
        ...

    def probe(self) -> Future[None]:
        """Write durably as a test, and leave no trace. The future raises `StoreError`."""
        ...

    def condition(self) -> Condition:
        """Return how the store is doing. Raises `StoreError` if its disk does not answer."""
        ...

    def observe(self, observer: Observer) -> None:
        """Report every transaction to an observer, which replaces the one before."""
        ...

    def close(self) -> None:
        """Finish what is queued and let go of the file."""
        ...
