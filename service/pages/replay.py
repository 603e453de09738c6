"""The replay page: board, player, moves, comments and log; and the replay without spoilers.

Answers for the replay without spoilers are built from a match cut at the requested ply, so they
cannot reveal the number of plies, the end or the winner.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromQuery
from litestar.response import Template
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.entry import move_text
from domain.events import LineEvent, outcome_words
from domain.names import Names
from replay import rules_text
from replay.access import capability_tokens
from replay.access.authors import authors
from replay.annotations.current import holds_notes
from replay.book import Book
from replay.corrections import amendments
from replay.programs.evaluations import find_obstacle
from replay.reading import timeline, unspoiled
from replay.reading.brought_in import brought_in
from replay.reading.curve import best_lines, compare, curve, swings, tries
from replay.reading.unspoiled import shorten
from replay.record.match_record import MatchRecord
from replay.tags.names import actor_words, player_names
from replay.tags.people_changes import PersonChange, corrections
from service.app_state import TheAppState
from service.http.access import (
    AnyRequest,
    Caller,
    MatchAccess,
    TheBook,
    TheMatchAccess,
)
from service.http.book_reads import in_thread, reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.http.text_limits import COMMENT, NAME
from service.live.messages import EDITS
from service.pages.cards import link_preview, seated
from service.pages.explore import is_explored
from service.pages.frame import Frame, frame
from service.pages.layout import fragment, page
from service.pages.move_list import offered_glyphs, render_moves, tools
from service.pages.variations import shown_family, variation_note
from service.pages.words import sentence


class ShownEntry(Struct, frozen=True):
    """An event of the log in words, its actor and its time in milliseconds since 1970.

    A change of who sits where has no version.
    """

    version: int | None
    what: str
    stands: bool
    is_edit: bool
    actor: str
    at: int
    brought_in: int | UnsetType


def history(book: Book, visit: MatchAccess, names: Names) -> Iterator[ShownEntry]:
    """Yield the log of a match as its viewer may see it."""
    record = visit.record
    people = deque(corrections(book, record, visit.caller.reader))
    known = authors(book, record) if visit.caller.may_write else {}
    for one in timeline.log(record, names=names, brought_in=brought_in(book, record)):
        while people and people[0].after_version < one.version:
            yield _shown_change(people.popleft())
        is_edit = visit.record.entry(one.version).type in EDITS
        what = sentence(one.what) if is_edit else one.what
        actor = ", ".join([actor_words(one.actor, names), *known.get(one.version, "").split()])
        yield ShownEntry(one.version, what, one.stands, is_edit, actor, one.at, one.brought_in)
    yield from map(_shown_change, people)


def _shown_change(change: PersonChange) -> ShownEntry:
    words = sentence(change.words)
    return ShownEntry(None, words, True, False, change.author or "", change.at, UNSET)


def edit_after(visit: MatchAccess, then: MatchRecord, names: Names) -> str:
    """Describe the edit that followed an earlier version; empty if the next event was a move."""
    version = then.match.version
    following = timeline.logged(visit.record, version + 1, names=names)
    is_edit = visit.record.entry(version + 1).type in EDITS
    return following.what if is_edit else ""


READER: Final = Caller(capability_tokens.HOST)
"""The caller for whom boards are drawn; the host may guess for every seat."""


class GuessVerdict(Struct, frozen=True):
    """The verdict on a guess; `message`, `clause`, `words` and `squares` if it is not legal.

    `analysis` says which move the analysis prefers, if there is one.
    """

    legal: bool
    played: bool | None
    message: str
    clause: str
    words: str
    squares: tuple[str, ...]
    analysis: str


@get("/m/{match:str}/unspoiled")
@reads_book
def unspoiled_page(book: TheBook, visit: TheMatchAccess, ply: FromQuery[int] = 0) -> Template:
    """Show the board after a ply, with the controls to guess the next move."""
    then = _until(visit.record, ply)
    data = {
        "match": then.id,
        "game": then.game,
        "players": seated(book, then),
        "frame": _frame(book, then, ply),
    }
    return page("unspoiled.html", title(book, then), data)


@get("/m/{match:str}/unspoiled/frame")
@reads_book
def unspoiled_frame(
    book: TheBook, visit: TheMatchAccess, ply: FromQuery[int], step: FromQuery[int | None] = None
) -> Template:
    """Answer with the board after a ply, or with an intermediate picture, as a fragment."""
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
    """Return whether the picks are a legal move after a ply, and whether it was played.

    The answer to a legal guess has the opinion of the analysis.
    """
    record = visit.record
    _until(record, ply)
    guessed = unspoiled.guess(record, ply, picks)
    wrong = guessed.violation
    verdict = GuessVerdict(
        guessed.legal,
        guessed.played,
        wrong.words(player_names(book, record)) if wrong else "",
        wrong.clause if wrong else "",
        (rules_text.words(record.game, wrong.clause) or "") if wrong else "",
        wrong.squares if wrong else (),
        _analysis_words(book, record, ply, guessed.event),
    )
    return Response(msgspec.json.encode(verdict), media_type=MediaType.JSON, headers=ASK_AGAIN)


def _analysis_words(book: Book, record: MatchRecord, ply: int, guessed: LineEvent | None) -> str:
    """Return the analysis's opinion of a guess; empty if it has none."""
    if guessed is None:
        return ""
    return compare(best_lines(book, record, ply), move_text.write(record.game, guessed))


def _until(record: MatchRecord, ply: int) -> MatchRecord:
    """Return the match up to a ply. Raises `Problem` 404, without revealing the length."""
    if not 0 <= ply <= len(record.match.line):
        raise Problem(404, "nothing is recorded here, at least not yet")
    return unspoiled.unspoil(record, ply)


def _frame(book: Book, then: MatchRecord, ply: int, step: int | None = None) -> Frame:
    """Return the frame of the last ply of a match, with the moves that can be guessed."""
    shown = frame(book, MatchAccess(then, READER), then, ply, step)
    shown = replace(shown, corrected="")
    if shown.controls is None:
        return shown
    seats = tuple(
        replace(each, choices=unspoiled.guessable(then.game, each.choices))
        for each in shown.controls.seats
    )
    return replace(shown, controls=replace(shown.controls, seats=seats))


@get("/m/{match:str}/replay")
@in_thread
def replay_page(
    request: AnyRequest,
    live: TheAppState,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
    amend: FromQuery[int | None] = None,
    all: FromQuery[bool] = False,  # noqa: A002  # the name of the query parameter
) -> Template:
    """Show a match at a ply of a version; `all` shows its whole log.

    `amend` is the ply of an event to correct.
    """
    book, then = live.book, visit.at(version)
    here = then.ply(ply if amend is None else amend)
    stands = then.match.version == visit.record.match.version
    names = player_names(book, then)
    moves = render_moves(book, then, visit.caller.reader, stands=stands)
    analysable = stands and visit.may_analyse and find_obstacle(then.match) is None
    offered = tools(visit, analysable=analysable) if stands else None
    points = curve(book, then, whole=visit.whole)
    shown, name = frame(book, visit, then, here), title(book, then)
    data = {
        "match": then.id,
        "game": then.game,
        "version": then.match.version,
        "stands": stands,
        "role": visit.caller.role or "",
        "longest_name": NAME.longest(live.settings),
        "holds": visit.whole and holds_notes(book, visit.record.stream),
        "longest_comment": COMMENT.longest(live.settings),
        "result": outcome_words(then.state.outcome, names) if then.state.outcome else "",
        "variation": variation_note(book, then),
        "edit": "" if stands else edit_after(visit, then, names),
        "frame": shown,
        "preview": link_preview(request, book, visit, shown, name),
        "tools": offered,
        "glyphs": offered_glyphs(names) if offered and visit.caller.may_write else (),
        "moves": moves,
        "curve": points,
        "last": then.ply(),
        "swings": swings(points),
        "tries": tries(then, swings(points)),
        "analysable": analysable,
        "first": names[1],
        "explored": is_explored(then.match),
        "family": shown_family(request, book, visit) if stands else (),
        "log": [*history(book, visit, player_names(book, visit.record))] if all else None,
    }
    return page("replay.html", name, data)


@get("/m/{match:str}/replay/moves")
@in_thread
def replay_moves(
    book: TheBook, visit: TheMatchAccess, version: FromQuery[int | None] = None
) -> Response[str]:
    """Answer only the list of moves, for an open page whose match has changed."""
    then = visit.at(version)
    stands = then.match.version == visit.record.match.version
    moves = render_moves(book, then, visit.caller.reader, stands=stands)
    return Response(moves, media_type=MediaType.HTML, headers=ASK_AGAIN)


@get("/m/{match:str}/entry")
@in_thread
def entry_frame(
    book: TheBook, visit: TheMatchAccess, ply: FromQuery[int], then: FromQuery[str] = ""
) -> Template:
    """Answer the board after a ply to the host as if it were the head, with its legal moves.

    `then` are the texts entered since, separated by spaces.
    """
    visit.host("amend")
    before, written = shorten(visit.record, ply), then.split()
    if written:
        before = amendments.preview(book, visit.record, ply + 1, *written)
    shown = frame(book, MatchAccess(before, visit.caller), before, ply + len(written))
    return fragment("frame.html", {"frame": shown}, ASK_AGAIN)


def title(book: Book, record: MatchRecord) -> str:
    """Name a match by its game, its players and its outcome."""
    players = " – ".join(player_names(book, record).players.values())
    ended = "" if record.state.outcome is None else " (ended)"
    return ": ".join(filter(None, (record.game.name, players))) + ended
