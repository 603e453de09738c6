"""The referee's API: open a match, look at it, enter events, ask what is legal."""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import Any, Final

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, FromQuery

from domain.events import Moved
from domain.match import LogEvent
from domain.tokens import legal_tokens, split
from replay import keys, playing, shelf, timeline
from replay.drawing import svg
from replay.errors import Refused, Stale, UnknownMatch
from replay.opening import open_match
from replay.recorded import Recorded
from replay.refusals import told
from service.access import Bearer, TheBook, bearer, writer
from service.bodies import Entries, Entry, Opening, decode, read
from service.problems import Problem

OPENING: Final = msgspec.json.Decoder(Opening)
ENTRIES: Final = msgspec.json.Decoder(Entries)
KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")
FOR_EVER: Final = "public, max-age=31536000, immutable"

AnyRequest = Request[Any, Any, Any]


def json_answer(value: Any, status: int = 200, **headers: str) -> Response[bytes]:
    """Answer a value as JSON."""
    return Response(
        msgspec.json.encode(value),
        status_code=status,
        media_type="application/json",
        headers={name.replace("_", "-"): text for name, text in headers.items()},
    )


def find(book: TheBook, match: FromPath[str]) -> Recorded:
    """Return a match by its whole id. Raises `UnknownMatch`: over HTTP ids are not abbreviated."""
    recorded = book.open(match)
    if recorded.id != match or recorded.stream.trashed:
        raise UnknownMatch(match)
    return recorded


@post("/matches")
async def open_one(request: AnyRequest, book: TheBook) -> Response[bytes]:
    """Open a match; answers it with a token for the host and one for each seat."""
    opening = await read(request, OPENING)
    players = {int(seat): name for seat, name in opening.players.items() if seat.isdecimal()}
    if len(players) != len(opening.players):
        raise Problem(400, "players go by seat number: {'1': 'Jet'}", path="$.players")
    options = {name: str(value) for name, value in opening.options.items()}
    game = shelf.find(opening.game)

    def create() -> tuple[Recorded, dict[str, Any]]:
        recorded = open_match(book, game, players=players, seats=opening.seats, options=options)
        seats = range(1, recorded.match.seats + 1)
        return recorded, {
            keys.HOST: keys.issue(book, recorded),
            "seats": {str(seat): keys.issue(book, recorded, keys.SEAT, seat) for seat in seats},
        }

    recorded, tokens = await asyncio.to_thread(create)
    body = _about(recorded, len(recorded.match.line), None) | {"tokens": tokens}
    return json_answer(body, 201, Location=f"/matches/{recorded.id}", Cache_Control="no-store")


@get("/matches/{match:str}")
async def show(
    request: AnyRequest,
    book: TheBook,
    match: FromPath[str],
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
) -> Response[bytes]:
    """Tell how a match stands, or stood at a ply and a version, as the caller may see it."""
    recorded = find(book, match)
    viewer = bearer(request, book, recorded).seat
    then = recorded if version is None else recorded.at_version(version)
    number = then.ply(ply)
    return json_answer(_about(then, number, viewer), ETag=_etag(recorded), Cache_Control="no-cache")


@get("/matches/{match:str}/events")
async def read_events(
    request: AnyRequest, book: TheBook, match: FromPath[str], after: FromQuery[int] = 0
) -> Response[bytes]:
    """List the log after a version, as the caller may see it."""
    recorded = find(book, match)
    if after < 0:
        raise Problem(400, "after is a version, 0 or more", path="after")
    viewer = bearer(request, book, recorded).seat
    events = list(timeline.log(recorded, viewer, after))
    return json_answer(
        {"version": recorded.match.version, "events": events},
        ETag=_etag(recorded),
        Cache_Control="no-cache",
    )


@post("/matches/{match:str}/events")
async def enter(request: AnyRequest, book: TheBook, match: FromPath[str]) -> Response[bytes]:
    """Enter events, all or none. 409 with the clause if the rules refuse, 412 if stale."""
    recorded = find(book, match)
    author = writer(request, book, recorded)
    entries = await read(request, ENTRIES)
    ids = _ids(request, len(entries.events))
    events = [_event(recorded, author, entry, at) for at, entry in enumerate(entries.events)]
    if not events:
        raise Problem(400, "there is no event in it", path="$.events")
    expected = _expected(request, entries.expected)
    before = _written(recorded, ids)
    if before is not None:
        return _entered(recorded.at_version(before), len(events), author)
    try:
        _demand(recorded, expected)
        judged = playing.judge(recorded, events)
        done = playing.append(book, recorded, judged, actor=author.actor, ids=ids)
        appended = await asyncio.wrap_future(done)
    except Stale as stale:
        raise _stale(find(book, match), stale, author) from None
    except Refused as refused:
        raise _refused(recorded, refused, entries.events[refused.index]) from None
    return _entered(find(book, match).at_version(appended.versions[-1]), len(events), author)


@get("/matches/{match:str}/legal")
async def legal(
    request: AnyRequest, book: TheBook, match: FromPath[str], seat: FromQuery[int | None] = None
) -> Response[bytes]:
    """List the legal moves as tokens, of one seat or of all; secret ones cannot be listed."""
    recorded = find(book, match)
    bearer(request, book, recorded)
    state = recorded.state
    awaited = () if state.outcome else state.position.awaiting()
    moves = {
        str(one.seat): sorted(map(recorded.game.token, state.position.legal(one.seat)))
        for one in awaited
        if seat in (None, one.seat)
    }
    return json_answer(
        {"version": recorded.match.version, "awaiting": awaited, "legal": moves},
        ETag=_etag(recorded),
    )


@get("/matches/{match:str}/board/{version:int}/{picture:str}")
async def board(
    request: AnyRequest,
    book: TheBook,
    match: FromPath[str],
    version: FromPath[int],
    picture: FromPath[str],
) -> Response[bytes]:
    """Draw the position at an address, `{version}/{ply}.svg`, as the caller may see it."""
    recorded = find(book, match)
    number, _, ending = picture.partition(".")
    if ending != "svg" or not number.isdecimal():
        raise Problem(404, "a picture is named by its ply: 12.svg")
    viewer = bearer(request, book, recorded).seat
    then = recorded.at_version(version)
    ply = then.ply(int(number))
    drawn = svg.draw(timeline.point(then, ply, viewer).scene, title=recorded.game.name)
    # An address never changes what it shows, but each viewer may see another side of it.
    cache = "private, no-cache" if then.match.at(ply).position.sealed else FOR_EVER
    return Response(
        drawn.encode(),
        media_type="image/svg+xml",
        headers={"Cache-Control": cache, "Vary": "Authorization"},
    )


def _about(recorded: Recorded, ply: int, viewer: int | None) -> dict[str, Any]:
    here = timeline.point(recorded, ply, viewer)
    return {
        "match": recorded.id,
        "game": recorded.game.slug,
        "rules": recorded.header.rules,
        "options": recorded.header.options,
        "seats": recorded.match.seats,
        "version": recorded.match.version,
        "ply": ply,
        "plies": len(recorded.match.line),
        "turn": here.turn,
        "awaiting": here.awaiting,
        "offered": here.offered,
        "outcome": here.outcome and here.outcome.told(),
        "scene": here.scene,
        "head": recorded.stream.head_hash.hex(),
    }


def _event(recorded: Recorded, author: Bearer, entry: Entry, index: int) -> str | LogEvent:
    """Return the entry as a token or an event that its author may enter."""
    path = f"$.events[{index}]"
    if (entry.token is None) != bool(bytes(entry.move)):
        raise Problem(400, "an event has either a token or a move", path=path)
    if entry.token is not None:
        seat, body = split(entry.token)
        if entry.seat is not None:
            raise Problem(400, "a token carries its seat in front: 1:resign", path=f"{path}.seat")
        _allow(author, seat, body, path)
        return f"{author.seat}:{body}" if author.seat else entry.token
    seat = entry.seat or author.seat or recorded.state.in_turn
    _allow(author, seat, "", path)
    if seat is None:
        raise Problem(400, "say whose move it is", path=f"{path}.seat")
    return Moved(seat, _move(recorded, bytes(entry.move), path))


def _move(recorded: Recorded, data: bytes, path: str) -> Any:
    try:
        return decode(recorded.game.decode, data)
    except Problem as problem:
        inner = problem.facts.get("path", "$").removeprefix("$")
        raise Problem(400, problem.detail, path=f"{path}.move{inner}") from None


def _allow(author: Bearer, seat: int | None, body: str, path: str) -> None:
    if author.role == keys.HOST:
        return
    if body.startswith("ruled="):
        raise Problem(403, "only the host may rule", path=path)
    if seat not in (None, author.seat):
        raise Problem(403, f"this token is for seat {author.seat}, not seat {seat}", path=path)


def _expected(request: AnyRequest, body: int | None) -> int | None:
    """Return the expected version, from `If-Match` or the body."""
    header = request.headers.get("if-match")
    if header is None:
        return body
    found = re.fullmatch(r'"(\d{1,9})"', header.strip())
    if found is None:
        raise Problem(400, 'If-Match holds a version in quotes, like "12"', path="If-Match")
    if body not in (None, int(found[1])):
        raise Problem(400, "If-Match and expected name different versions", path="$.expected")
    return int(found[1])


def _demand(recorded: Recorded, expected: int | None) -> None:
    if expected is not None and expected != recorded.match.version:
        raise Stale(expected, recorded.match.version)


def _ids(request: AnyRequest, count: int) -> list[bytes] | None:
    """Return the ids of the events, made from the `Idempotency-Key` if there is one."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not KEY.fullmatch(key):
        raise Problem(400, "an Idempotency-Key is 1 to 200 visible ASCII characters")
    return [hashlib.sha256(f"{number}:{key}".encode()).digest()[:16] for number in range(count)]


def _written(recorded: Recorded, ids: list[bytes] | None) -> int | None:
    """Return the version that the events with these ids led to, if they are in the log."""
    if not ids:
        return None
    versions = [stored.version for stored in reversed(recorded.log) if stored.id == ids[-1]]
    return versions[0] if versions else None


def _entered(recorded: Recorded, count: int, author: Bearer) -> Response[bytes]:
    last = recorded.ply()
    entries = list(timeline.entries(recorded, author.seat, after=last - count))
    here = timeline.point(recorded, last, author.seat)
    return json_answer(
        {
            "match": recorded.id,
            "version": recorded.match.version,
            "ply": here.ply,
            "events": entries,
            "awaiting": here.awaiting,
            "outcome": here.outcome and here.outcome.told(),
        },
        ETag=_etag(recorded),
    )


def _stale(recorded: Recorded, stale: Stale, author: Bearer) -> Problem:
    """Build the 412: what the sender has missed."""
    version = recorded.match.version
    missed = list(timeline.log(recorded, author.seat, min(stale.expected, version)))
    return Problem(412, str(stale), expected=stale.expected, version=version, missed=missed)


def _refused(recorded: Recorded, refused: Refused, entry: Entry) -> Problem:
    """Build the 409: the clause, its words, and what would be legal there."""
    refusal = told(refused, entry.token)
    return Problem(
        409,
        refusal.message,
        event=refusal.event,
        token=refusal.token,
        seat=refusal.seat,
        clause=refusal.clause,
        words=refusal.words,
        squares=refusal.squares,
        version=recorded.match.version,
        legal=legal_tokens(refused.match.game, refused.match.state),
    )


def _etag(recorded: Recorded) -> str:
    return f'"{recorded.match.version}"'


ROUTER: Final = Router("/", route_handlers=[open_one, show, read_events, enter, legal, board])
