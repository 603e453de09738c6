"""Boards ahead: the boards that a page shows after each move while it has no network.

They form a tree below the head of a match. Its edges are the moves that the caller may know and
enter; its nodes are the frames that the page would fetch. A page knows no rules, so without a
network it follows the tree, and sketches boards beyond the tree by itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from operator import attrgetter
from time import process_time
from typing import Final

import msgspec
from litestar import Response, get
from msgspec import Struct
from msgspec.structs import replace

from domain.entry import move_text
from domain.events import Moved
from replay.book import Book
from replay.formats.html.frame_packing import cut
from replay.reading import hints
from replay.record.match_record import MatchRecord
from replay.referee.entering import pending
from replay.store.types import StoredEvent
from replay.tags.names import player_names
from service.app_state import TheAppState
from service.http.access import AnyRequest, Caller, MatchAccess, TheMatchAccess
from service.http.addresses import at_prefix, prefix
from service.http.book_reads import read_book
from service.http.caching import ASK_AGAIN
from service.pages.frame import frame, holding
from service.pages.layout import ENVIRONMENT

MAX_BOARDS: Final = 400
"""The most frames of an answer. A frame takes up to six milliseconds of a worker."""

MAX_SECONDS: Final = 7.0
"""The most processor time of an answer, below that of a worker: a slow machine answers less."""

MAX_CHARACTERS: Final = 600_000
"""The approximate maximum size of an answer; it compresses to a twentieth."""

COST: Final = 10
"""The cost of an answer, in requests."""


class Node(Struct):
    """A frame as the numbers of its parts, and the next nodes by the moves to them.

    A move is its token with the seat in front. For a sealed move it is only the seat: all moves
    that may be sealed lead to the same boards.
    """

    frame: list[int]
    next: dict[str, int] = {}


class Tree(Struct):
    """The boards ahead of a version: the parts of all frames, and the nodes, the head first."""

    version: int
    parts: list[str]
    nodes: list[Node]


@get("/m/{match:str}/ahead")
async def boards_ahead(
    request: AnyRequest, live: TheAppState, visit: TheMatchAccess
) -> Response[bytes]:
    """Answer the boards after the moves that the caller can enter, as far as the limits allow."""
    caller, record = visit.writer(), visit.record
    names = await read_book(live.book, lambda: player_names(live.book, record))
    known = (record.id, record.match.version, caller, prefix())
    key = ("ahead", *known, tuple(names.players.items()))
    grown = await live.workers.do(request, grow, *known, cost=COST, key=key)
    return Response(grown, media_type="application/json", headers=ASK_AGAIN)


def grow(book: Book, match: str, version: int, caller: Caller, under: str) -> bytes:
    """Return the tree of the boards ahead of a version of a match as JSON, nearest first."""
    with at_prefix(under):
        return msgspec.json.encode(grow_tree(book, book.open(match).at_version(version), caller))


def grow_tree(book: Book, head: MatchRecord, caller: Caller) -> Tree:
    """Return the tree of the boards ahead of a match's head, nearest first."""
    parts: dict[str, int] = {}
    nodes, size, until = [Node([])], 0, process_time() + MAX_SECONDS
    waiting = deque([(head, nodes[0])])
    while waiting:
        record, node = waiting.popleft()
        for move, after in _moves(record, caller):
            if len(nodes) > MAX_BOARDS or size > MAX_CHARACTERS or process_time() > until:
                return Tree(head.match.version, list(parts), nodes)
            drawn = cut(_draw(book, after, caller))
            size += 4 * len(drawn) + sum(len(part) for part in drawn if part not in parts)
            found = Node([parts.setdefault(part, len(parts)) for part in drawn])
            node.next[move] = len(nodes)
            nodes.append(found)
            waiting.append((after, found))
    return Tree(head.match.version, list(parts), nodes)


def _moves(record: MatchRecord, caller: Caller) -> Iterator[tuple[str, MatchRecord]]:
    """Yield the moves that the caller can enter, and the match after each.

    Moves whose consequences depend on hidden data are left out.
    """
    state = record.state
    if state.position.guarded or any(pending(record)):
        return
    for seat in dict.fromkeys(one.seat for one in state.awaiting()):
        if caller.seat in (None, seat):
            yield from _sealed(record, seat, caller)
            if not state.position.sealed:
                yield from _open(record, seat, caller)


def _open(record: MatchRecord, seat: int, caller: Caller) -> Iterator[tuple[str, MatchRecord]]:
    choices = hints.legal_choices(record, seat, caller.seat)
    for choice in sorted(choices, key=attrgetter("text")):
        event = move_text.read(record.game, record.state, choice.text, seat)
        # A roll by the service is not a move yet, and a claim depends on the time.
        if isinstance(event, Moved) and event.move.patience is None:
            yield f"{seat}:{move_text.split(choice.text).body}", _after(record, event)


def _sealed(record: MatchRecord, seat: int, caller: Caller) -> Iterator[tuple[str, MatchRecord]]:
    """Yield the match after a sealed move of a seat, unless that reveals sealed moves.

    Any move that can be sealed will do, so no move is yielded if the caller's picture shows which
    it is.
    """
    for kind in hints.secret_moves(record.state, seat):
        for text in kind.sample[:1]:
            event = move_text.read(record.game, record.state, text, seat)
            if not isinstance(event, Moved):
                continue
            after = _after(record, event)
            sealed = seat in after.state.position.sealed
            if sealed and holding(after, after.ply(), caller.seat) != seat:
                yield f"{seat}:", replace(after, secrets=record.secrets | {after.match.version})


def _after(record: MatchRecord, event: Moved) -> MatchRecord:
    """Return a match with a further move, which is not stored and takes no time."""
    match = record.match.evolve(event)
    stored = StoredEvent(match.version, b"", "moved", "", record.at, b"", b"")
    log, events = (*record.log, stored), (*record.events, event)
    return replace(record, match=match, log=log, events=events, times=None)


def _draw(book: Book, record: MatchRecord, caller: Caller) -> str:
    shown = frame(book, MatchAccess(record, caller), record, record.ply())
    return ENVIRONMENT.get_template("frame.html").render(frame=shown)
