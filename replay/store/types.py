"""The structs of a store: streams, events, and the tables that are kept with them.

A stream is a header and a log of events, versions 1, 2, 3 … A fork shares its parent's log up to
`fork_version` (nothing is copied) and continues from there. Every event carries a hash that chains
it to the one before; the first to the hash of the header.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import Struct

CARRIER: Final = "~"
"""The first character of a carrier's public id. No match has an id that begins with it."""

Capability = tuple[bytes, str, int | None]
"""The SHA-256 of a token, and the rights of its bearer: the role, and the seat of a player."""


class Stream(Struct, frozen=True):
    """A stored stream; `head` is the version of its last event, `head_hash` its hash.

    `origin` is the hash that its own first event builds upon: that of the header, and for a fork
    of the last event it shares with its parent (of the parent's header, if it shares none).
    A carrier is the rest of a match that was deleted for good: forks share its events.
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
        """Whether the match is kept only for its forks."""
        return self.public_id.startswith(CARRIER)

    def as_new(self, parent: int | None, public_id: str = "") -> NewStream:
        """Return the same match for another store, where its parent has a different number."""
        return NewStream(
            public_id or self.public_id,
            self.header,
            parent=parent,
            fork_version=self.fork_version,
            fork_ply=self.fork_ply,
        )


class Family(Struct, frozen=True):
    """A match and all its descendants by forks, carriers and the trash included.

    `streams` are by number, a fork after its parent. `metadata` has each stream's own metadata,
    `notes` the streams of annotations by their match.
    """

    streams: Mapping[int, Stream]
    metadata: Mapping[int, Mapping[str, str]]
    notes: Mapping[int, Stream]


class NewStream(Struct, frozen=True):
    """A stream to be created. `header` is JSON and hashed byte for byte.

    `kind` is `match` or `notes` (annotations of the match `subject`). A fork names its parent and
    the address at which it leaves.
    """

    public_id: str
    header: bytes
    kind: str = "match"
    subject: int | None = None
    parent: int | None = None
    fork_version: int | None = None
    fork_ply: int | None = None


class NewEvent(Struct, frozen=True):
    """An event to be appended. `id` (16 bytes) makes a repeated append recognisable.

    `at` is milliseconds since 1970, `data` JSON. `sealed` is the part that only its owner may read
    yet: it is stored apart, and `data` holds a salted digest of it.
    """

    id: bytes
    type: str
    actor: str
    at: int
    data: bytes
    sealed: bytes | None = None

    def as_stored(self, version: int, hashed: bytes) -> StoredEvent:
        """Return the event with its place in a stream."""
        return StoredEvent(
            version, self.id, self.type, self.actor, self.at, self.data, hashed, self.sealed
        )


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

    def as_new(self) -> NewEvent:
        """Return the event without version and hash, to append it to another stream."""
        return NewEvent(self.id, self.type, self.actor, self.at, self.data, self.sealed)


class MetadataItem(Struct, frozen=True):
    """An item of the mutable metadata of a stream: its name and its value."""

    name: str
    value: str


class NotEqual(Struct, frozen=True):
    """Matches that have an item of this name with any other value than these."""

    name: str
    values: tuple[str, ...]


class Summary(Struct, frozen=True):
    """A match in short as of version `head`.

    `game` is the slug of its game, `kind` that of its header. `result` and `clause` come from
    the outcome, and are `*` and empty before it. `last` is the later of the
    times of the opening and of the last event, in milliseconds since 1970. The store passes
    the JSON of `standing` through. It is `doubtful` with an open dash, or a move that was found
    out later or whose writer was not sure.
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
    doubtful: bool = False


DOUBTFUL: Final = " doubtful"
"""The end of the kind of what is counted in doubtful matches."""


class RefusedTries(Struct, frozen=True):
    """The number of refused tries of a player, in matches of a game, that broke a clause.

    The `player` is empty if the seat has no name.
    """

    game: str
    visibility: str
    player: str
    clause: str
    times: int


class Tally(Struct, frozen=True):
    """The number of matches of a game and a visibility with a value of `what`.

    `what` is `result`, `clause`, `plies` or `turns` (of ended matches), `stood` (the clause of an
    accepted illegal move), or `won`, `drawn`, `lost`, `unfinished` or `place 2` (the name of a
    player). A match counts as often as it has the value. A doubtful match counts again, with the
    end `DOUBTFUL` of `what`.
    """

    game: str
    visibility: str
    what: str
    value: str
    times: int


class Text(Struct, frozen=True):
    """A text that a match can be found by, of a `kind` such as comment or tag.

    `name` identifies it among those: the name of a tag, the id of a comment.
    """

    kind: str
    name: str
    text: str


class Hit(Struct, frozen=True):
    """A text that was found, and its match."""

    stream: Stream
    text: Text


class IndexedTexts(Struct, frozen=True):
    """The derived texts that find a match: from its first `notes` notes and from its metadata."""

    notes: int
    texts: Sequence[Text]
    metadata: Mapping[str, str] = {}


class IndexedStep(Struct, frozen=True):
    """A move of a line: its version, its seat, and the position before it, as a digest."""

    version: int
    key: bytes
    seat: int
    text: str


class WrittenMove(Struct, frozen=True):
    """A move of a line as people write it.

    `token` is null while only its seat may see it. `clause` is the rule that the move broke if it
    was accepted against the rules, else empty. A dash has the seat 0 if nobody knows it.
    `reconstructed` is the JSON of how the move was found out later, or empty.
    """

    ply: int
    version: int
    turn: int
    seat: int
    text: str | None
    clause: str = ""
    unsure: bool = False
    reconstructed: str = ""


class IndexedMatch(Struct, frozen=True):
    """The moves of a match's line at version `head`.

    `moves` are for people who query the database itself; the index of positions needs only `steps`.
    """

    head: int
    steps: Sequence[IndexedStep]
    moves: tuple[WrittenMove, ...] = ()


class Derived(Struct, frozen=True):
    """The data derived from a match, as far as it could be read."""

    summary: Summary | None = None
    moves: IndexedMatch | None = None
    texts: IndexedTexts | None = None


class MoveCount(Struct, frozen=True):
    """The number of lines of a kind, with a result, in which a seat made a move in a position."""

    seat: int
    text: str
    kind: str
    result: str
    lines: int


class Author(Struct, frozen=True):
    """The author, the time (in milliseconds since 1970) and the reason of a change of names."""

    name: str = ""
    at: int = 0
    reason: str = ""


NOBODY: Final = Author()
"""The author of a change whose author is unknown."""


class PersonEvent(Struct, frozen=True):
    """An event of the chain; the digests are empty without a name or a reason."""

    number: int
    event: str
    seat: int
    other: int
    author: str
    at: int
    after_version: int
    reason: bytes
    name: bytes
    hash: bytes


class PersonText(Struct, frozen=True):
    """The erasable part of an event: the name or the reason, with its salt."""

    number: int
    kind: str
    salt: bytes
    text: str


class PeopleHead(NamedTuple):
    """The number and the hash of the last event of a match's people."""

    number: int = 0
    hash: bytes = b""


class KeptPeople(NamedTuple):
    """The events of a match's people, their texts, the names that stand, by seat, and the head.

    A text with an empty salt is withheld: only the host's archive has former names and reasons.
    """

    events: Sequence[PersonEvent] = ()
    texts: Sequence[PersonText] = ()
    names: Mapping[int, str] = {}
    head: PeopleHead = PeopleHead()


class Creation(Struct, frozen=True):
    """A stream to be created with its first events and metadata.

    `notes` are the first events of its stream of annotations, which is created if there are any.
    `fork_of` is the index, among the streams created together, of a parent whose number is not
    known yet; `stream.parent` is `None` then. `held` are private values by name, which no answer,
    export or archive contains; `keys` are capabilities that open it at once. `summary` is that of a
    match after its events; a copy brings its moves by position (`steps`), and as people write them
    (`moves`). `texts` are the texts by which searches find it; an indexer derives missing texts.
    The `author` is noted with the names of players among the metadata, unless `people` tells of
    them.
    """

    stream: NewStream
    events: Sequence[NewEvent] = ()
    metadata: Mapping[str, str] = {}
    notes: Sequence[NewEvent] = ()
    fork_of: int | None = None
    held: Mapping[str, bytes] = {}
    keys: Sequence[Capability] = ()
    summary: Summary | None = None
    steps: Sequence[IndexedStep] | None = None
    moves: tuple[WrittenMove, ...] = ()
    texts: Sequence[Text] | None = None
    author: Author = NOBODY
    people: KeptPeople | None = None


class Append(Struct, frozen=True):
    """Events to append to a stream at the `expected` version, while an epoch lasts if one is given.

    `summary` is that of the match after the events.
    """

    stream: int
    expected: int
    events: Sequence[NewEvent]
    summary: Summary | None = None
    epoch: int | None = None


class Appended(Struct, frozen=True):
    """The answer to an append: its stored events, and the hash of the last.

    `repeated` means that the events were there already (same ids), and nothing was written.
    """

    events: tuple[StoredEvent, ...]
    head_hash: bytes
    repeated: bool = False

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the events."""
        return tuple(event.version for event in self.events)


class MatchFilter(Struct, frozen=True):
    """The conditions for a list of matches; `None` excludes no match.

    `player` is the value of an item `Seat1` to `Seat9`, in any case, as
    `replay.store.search_words.folded` compares names; a match of another kind than `match` also has
    the players of its parent. `sure` leaves out doubtful matches. `since` is the earliest time of
    the last event, `changed` of the last change of any kind, both in milliseconds since 1970; the
    number of this change must be above `after`. In the order `changed` the match that changed last
    comes first.
    """

    kind: str | None = None
    game: str | None = None
    player: str | None = None
    status: Literal["open", "ended"] | None = None
    since: int | None = None
    sure: bool = False
    trashed: bool = False
    changed: int | None = None
    after: int | None = None
    order: Literal["opened", "changed"] = "opened"


class SummaryFilter(MatchFilter, frozen=True):
    """The matches to list by their summaries.

    `having` is an item of the match, `text` one that it is found by, `among` the numbers of
    streams, `opened_by` the digest of a token that opens the match; with `public` only public
    matches are listed.
    """

    having: MetadataItem | None = None
    among: Collection[int] | None = None
    opened_by: bytes | None = None
    text: Text | None = None
    public: bool = False


class ListedMatch(Struct, frozen=True):
    """A match with its own metadata and its summary, or `None` while that is due.

    `number` is that of its last change, at the time `changed`.
    """

    stream: Stream
    metadata: Mapping[str, str]
    summary: Summary | None
    number: int
    changed: int


class Condition(Struct, frozen=True):
    """The condition of a store: bytes in its write-ahead log, and bytes free on its disk.

    `None` is unknown: the disk of a database server cannot be seen from here.
    """

    log: int | None
    free: int | None


class Account(Struct, frozen=True):
    """An account, made at a time in milliseconds since 1970.

    Its `digest` has its seats among the capabilities of matches. It is drawn at random: no token
    has it. An account that `asks` is asked before it takes a role in a match.
    """

    name: str
    digest: bytes
    created: int
    asks: bool = False


class Evening(Struct, frozen=True):
    """An evening of several matches, made at a time in milliseconds since 1970.

    The `digest` is the SHA-256 of the token in its link, which may belong to other evenings, too.
    `shown` is its visibility.
    """

    id: str
    digest: bytes
    title: str
    date: str
    shown: str
    created: int


class AccountToken(Struct, frozen=True):
    """A token of an account: its SHA-256, the words of its scopes with commas, and two times.

    They are in milliseconds since 1970; a token without `expires` is valid until it is revoked.
    """

    digest: bytes
    account: bytes
    scopes: str
    created: int
    expires: int | None = None
