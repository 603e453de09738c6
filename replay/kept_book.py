"""Read matches whose games are not installed: show their events as stored, and judge nothing.

A move is shown as its move text if an index of the book has it, otherwise as the words of its JSON.
Sealed moves stay sealed, as only the game knows which are revealed. Such a match takes no entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

import msgspec
from msgspec.structs import replace

from domain.effects import Effect
from domain.game import Concluded, Game, Options
from domain.notation import Lexeme, Notation, template
from domain.position import Awaited, Move, Outcome, Position, Violation, winners_of
from domain.position_text import TextCodec
from replay.book import Book
from replay.errors import Damaged, UnknownRuleset, naming
from replay.record.codec import is_sealed
from replay.record.match_record import Header, MatchRecord, begin_record, fold_events
from replay.store.types import StoredEvent, Stream, Summary
from replay.texts import make_visible, visible_json


class Unknown(Position, frozen=True):
    """A position that only its game knows; `text` is its text if the position was set by hand."""

    seats: tuple[int, ...]
    turn: int = 1
    text: str = ""

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not left the match of an unknown game."""
        return self.seats

    def awaiting(self) -> tuple[Awaited, ...]:
        """Return no seats, because only the game knows whose turn it is."""
        return ()

    def outcome(self) -> Outcome | None:
        """Return no outcome: only the game knows its end."""
        return None


class KeptMove(Move[Unknown], frozen=True, tag="kept"):
    """A move as text; `is_move_text` is whether it is in the notation of its game."""

    words: str
    is_move_text: bool = True

    notation: ClassVar[Notation] = template("{words}", words=Lexeme(r"\S+"))
    what: ClassVar[str] = "move"
    example: ClassVar[str] = "move"

    @classmethod
    def legal(cls, position: Unknown, seat: int) -> Iterator[KeptMove]:
        """Yield no moves, as the game is not installed."""
        return iter(())

    def check(self, position: Unknown, seat: int) -> Violation | None:
        """Refuse no move, because the game that could judge it is missing."""
        return None

    def evolve(self, position: Unknown, seat: int) -> tuple[Unknown, tuple[Effect, ...]]:
        """Count the move of a game that is not installed."""
        return replace(position, turn=position.turn + 1, text=""), ()


def _leave(position: Unknown, seat: int, how: Literal["resigned", "flagged"]) -> Concluded[Unknown]:
    """Let a seat leave a match of three or more, whatever the game would say."""
    if len(position.seats) < 3:
        return None
    return replace(position, seats=tuple(one for one in position.seats if one != seat)), ()


TEXT: Final = TextCodec(
    lambda position: position.text, lambda position, text: replace(position, text=text)
)


def missing_game(header: Header) -> Game[Any]:
    """Return a substitute for the game of a match. Raises `ValueError` for an invalid header."""
    slug, _, version = header.rules.partition("/")
    fields = [(name, Any, None) for name in header.options]
    options: Any = msgspec.defstruct("KeptOptions", fields, bases=(Options,), frozen=True)
    return Game(
        slug,
        slug,
        version=int(version),
        seats=(header.seats,),
        options=options,
        moves=(KeptMove,),
        start=lambda options, seats: Unknown(tuple(range(1, seats + 1))),
        text=TEXT,
        concluded=_leave,
    )


def is_kept(record: MatchRecord) -> bool:
    """Return whether a match was read without its game."""
    return KeptMove in record.game.moves


def needs(record: MatchRecord) -> str:
    """Name the package or ruleset without which a match is not refereed."""
    header = record.header
    package = f"{header.package}, or another package with " if header.package else ""
    return f"not refereed: needs {package}the ruleset {header.rules}"


class KeptBook(Book):
    """A book that also reads matches whose games are not installed."""

    def __init__(self, book: Book) -> None:
        super().__init__(book.store, now=book.now, new_id=book.new_id)
        self._book = book

    def read(self, stream: Stream) -> MatchRecord:
        """Return the match of a stream, judged if its game is installed. Raises `Damaged`."""
        try:
            return self._book.read(stream)
        except UnknownRuleset:
            return self._kept(stream)

    def _kept(self, stream: Stream) -> MatchRecord:
        indexed = self.store.indexed_match(stream.id)
        texts = {move.version: move.text for move in indexed.moves} if indexed else {}
        with naming(stream.public_id):
            stored = self.store.read(stream.id, 0, stream.head)
            events = [_as_text(each, texts.get(each.version)) for each in stored]
            record = fold_events(begin_record(stream, missing_game), events)
        return _with_outcome(record, self.store.summary(stream.id))


def _with_outcome(record: MatchRecord, summary: Summary | None) -> MatchRecord:
    """Return a match with the outcome in its summary: only the game could derive the outcome."""
    match = record.match
    if summary is None or summary.head != match.version or summary.result == "*" or not match.line:
        return record
    last = match.line[-1]
    outcome = last.state.outcome or Outcome(summary.clause, winners_of(summary.result))
    ended = replace(last, state=replace(last.state, outcome=outcome))
    return replace(record, match=replace(match, line=(*match.line[:-1], ended)))


def _as_text(stored: StoredEvent, text: str | None) -> StoredEvent:
    """Return an event whose move, if it is one, is text that any reader may see."""
    if stored.type not in ("moved", "amended"):
        return stored
    try:
        data = msgspec.json.decode(visible_json(stored.data))
        moved = data if stored.type == "moved" else data.get("event")
        if moved and moved.get("type") == "moved":
            moved.pop("commitment", None)
            words = make_visible(text) if text else _words(moved["move"])
            moved["move"] = msgspec.to_builtins(KeptMove(words, text is not None))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Damaged(f"event {stored.version} cannot be read: {error!r}") from None
    return replace(stored, data=msgspec.json.encode(data), sealed=None)


def _words(move: Mapping[str, Any]) -> str:
    """Return the JSON of a move as words without spaces: `move,from=e2,to=e4`."""
    texts = (
        f"{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in move.items()
        if name != "type"
    )
    return ",".join((str(move.get("type", "move")), *texts))


def hidden_versions(book: Book, stream: Stream) -> frozenset[int]:
    """Return the versions whose secrets no copy of a match may have.

    Raises `UnknownRuleset` for a match with sealed moves whose game is missing.
    """
    record = KeptBook(book).read(stream)
    own = book.store.read(stream.id, stream.fork_version or 0, stream.head)
    if is_kept(record) and any(map(is_sealed, own)):
        raise UnknownRuleset(f"{needs(record)}, to know which of its sealed moves are revealed")
    return record.secrets
