"""The replay without spoilers: a ply is sent when it is asked for, and nothing of later ones.

No answer tells how many plies there are, who won, or that the match has ended: each is made from a
match that ends at the ply that was asked for.
"""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.params import FromQuery
from litestar.response import Template
from msgspec import Struct
from msgspec.structs import replace

from replay import rules_text
from replay.access import capability_tokens
from replay.book import Book
from replay.reading import unspoiled
from replay.record.match_record import MatchRecord
from replay.tags.names import names_of
from service.http.access import Caller, MatchAccess, TheBook, TheMatchAccess
from service.http.book_reads import in_thread, reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.pages.frame import Frame, frame
from service.pages.layout import fragment, page
from service.pages.replay import title
from service.pages.words import player_names

READER: Final = Caller(capability_tokens.HOST)
"""The caller for whom boards are made: one who may guess for every seat."""


class GuessVerdict(Struct, frozen=True):
    """The verdict on a guess; `message`, `clause`, `words` and `squares` if it is not legal."""

    legal: bool
    played: bool | None
    message: str
    clause: str
    words: str
    squares: tuple[str, ...]


@get("/m/{match:str}/unspoiled")
@reads_book
def unspoiled_page(book: TheBook, visit: TheMatchAccess, ply: FromQuery[int] = 0) -> Template:
    """Show the board after a ply, the way to the next, and the controls to guess it."""
    then = _until(visit.record, ply)
    data = {
        "match": then.id,
        "game": then.game,
        "players": player_names(book, then).players,
        "frame": _frame(book, then, ply),
    }
    return page(
        "unspoiled.html",
        title(book, then),
        data,
        kind="at-table",
        styles=("board.css", "match.css"),
        scripts=("unspoiled.js",),
    )


@get("/m/{match:str}/unspoiled/frame")
@reads_book
def unspoiled_frame(
    book: TheBook, visit: TheMatchAccess, ply: FromQuery[int], step: FromQuery[int | None] = None
) -> Template:
    """Answer the board after a ply, or one of the pictures on the way to it, as a fragment."""
    then = _until(visit.record, ply)
    steps = _frame(book, then, ply).steps
    if step is not None and not 0 <= step < steps:
        raise Problem(404, f"ply {ply} has no step {step}")
    return fragment("frame.html", {"frame": _frame(book, then, ply, step)}, ASK_AGAIN)


@get("/m/{match:str}/unspoiled/guess")
@in_thread
def judge_guess(
    book: TheBook, visit: TheMatchAccess, ply: FromQuery[int], picks: FromQuery[str]
) -> Response[bytes]:
    """Return whether picks are a legal move after a ply, and the one that was played."""
    record = visit.record
    _until(record, ply)
    guessed = unspoiled.guess(record, ply, picks)
    wrong = guessed.violation
    verdict = GuessVerdict(
        guessed.legal,
        guessed.played,
        wrong.words(names_of(book, record)) if wrong else "",
        wrong.clause if wrong else "",
        (rules_text.words(record.game, wrong.clause) or "") if wrong else "",
        wrong.squares if wrong else (),
    )
    return Response(msgspec.json.encode(verdict), media_type=MediaType.JSON, headers=ASK_AGAIN)


def _until(record: MatchRecord, ply: int) -> MatchRecord:
    """Return the match up to a ply. Raises `Problem` 404 that does not tell how long it is."""
    if not 0 <= ply <= len(record.match.line):
        raise Problem(404, "nothing is recorded here, at least not yet")
    return unspoiled.unspoil(record, ply)


def _frame(book: Book, then: MatchRecord, ply: int, step: int | None = None) -> Frame:
    """Return the frame of the last ply of a match, with the moves that can be guessed."""
    shown = frame(book, MatchAccess(then, READER), then, ply, step)
    if shown.controls is None:
        return shown
    seats = tuple(
        replace(each, choices=unspoiled.guessable(then.game, each.choices))
        for each in shown.controls.seats
    )
    return replace(shown, controls=replace(shown.controls, seats=seats))


ROUTER: Final = Router(
    "/",
    route_handlers=[unspoiled_page, unspoiled_frame, judge_guess],
    include_in_schema=False,
)
