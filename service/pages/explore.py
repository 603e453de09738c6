"""Walk through a game by the moves played in recorded matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from litestar import get
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect, Template
from msgspec import Struct
from msgspec.structs import replace

from domain.entry import move_text
from domain.events import Adjusted, Noted, Stood
from domain.game import Game
from domain.match import Match, open_match
from domain.names import Names
from replay.access import visibility
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.errors import Refused
from replay.games import game_info
from replay.library import explorer, indexes
from replay.library.explorer import SeenMove
from replay.referee import entering
from replay.tags.names import MAX_NAME
from service.http.access import AnyRequest, TheBook, TheMatchAccess, find_game, read_scope
from service.http.addresses import prefix
from service.http.book_reads import in_thread
from service.http.caching import NO_STORE
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.http.text_limits import MAX_MOVES
from service.pages.layout import page

WIDTH: Final = 100
MOST: Final = 60


class BarPart(Struct, frozen=True):
    """A part of a bar: the seat that won these matches (0: drawn), its start and its width."""

    seat: int
    x: str
    width: str


class ShownMove(Struct, frozen=True):
    """A played move: its link, its effect, its frequency and its results."""

    address: str
    seat: int
    text: str
    words: str
    bar: list[BarPart]
    seen: str


@get("/library/explore/{game:str}", guards=[ANYBODY])
@in_thread
def explore(
    request: AnyRequest,
    book: TheBook,
    game: FromPath[str],
    after: Annotated[str, QueryParameter(max_length=10_000)] = "",
    player: Annotated[str, QueryParameter(max_length=MAX_NAME)] = "",
    sure: FromQuery[Literal["", "true"]] = "",
) -> Template:
    """Show the position after some moves, and the moves played there, by all or by a player."""
    found = find_game(game)
    texts = after.split()
    if len(texts) > MAX_MOVES:
        raise Problem(400, f"give at most {MAX_MOVES} moves", path="after")
    try:
        match = entering.judge_texts(open_match(found, game_info.usual_options(found)), texts)
    except Refused as error:
        raise Problem(400, f"{texts[error.index]}: {error.violation.words()}") from None
    asked = {"player": player, "sure": sure}
    data = _data(book, found, match, texts, asked, read_scope(request))
    title = f"{found.name}: played moves · Plybook"
    return page("explore.html", title, data)


@get("/m/{match:str}/explored")
@in_thread
def explore_from(visit: TheMatchAccess, ply: FromQuery[int | None] = None) -> Redirect:
    """Lead to the moves that were played in the position after a ply of a match."""
    record = visit.record
    if not is_explored(record.match):
        raise Problem(404, "this match began differently, so nothing is counted for it")
    then = explorer.unsealed(replace(record.match, line=record.match.line[: record.ply(ply)]))
    texts = [move_text.write(record.game, each.event) for each in then.line]
    return Redirect(_address(record.game, texts, {}), status_code=303, headers=NO_STORE)


def is_explored(match: Match) -> bool:
    """Return whether moves lead from the start that the explorer shows to a position of a match."""
    game = match.game
    given = any(isinstance(each.event, (Adjusted, Noted, Stood)) for each in match.line)
    if not game.compares or given or match.state.unjudged or len(match.line) > MAX_MOVES:
        return False
    return open_match(game, game_info.usual_options(game)).start == match.start


def _data(
    book: Book,
    game: Game[Any],
    match: Match,
    texts: Sequence[str],
    asked: Mapping[str, str],
    scope: ReadScope,
) -> dict[str, Any]:
    indexes.refresh(book)
    player, sure = asked["player"], bool(asked["sure"])
    explored = explorer.explore(book, match, visibility.CLOSED, player or None, scope, sure=sure)
    idle = bool(player) and not explored.moves
    if idle:  # moves of other players, which lead to the next move of this player
        explored = explorer.explore(book, match, visibility.CLOSED, sure=sure)
    effects = match.line[-1].effects if match.line else ()
    return {
        "game": game,
        "player": player,
        "sure": sure,
        "surely": _address(game, texts, {"player": player, "sure": "" if sure else "true"}),
        "idle": idle,
        "after": " ".join(texts),
        "steps": [
            (_address(game, texts[:count], asked), words)
            for count, words in enumerate(("Start", *texts))
        ],
        "scene": game.scene(match.state.position.view(None), effects),
        "moves": [
            _move(game, match, move, texts, asked, idle=idle) for move in explored.moves[:MOST]
        ],
        "uncounted": explored.uncounted,
    }


def _move(
    game: Game[Any],
    match: Match,
    move: SeenMove,
    texts: Sequence[str],
    asked: Mapping[str, str],
    *,
    idle: bool,
) -> ShownMove:
    often = "once" if move.seen == 1 else f"{move.seen} times"
    return ShownMove(
        address=_address(game, [*texts, _text(match, move)], asked),
        seat=move.seat,
        text=move.text,
        words=_words(match, move),
        bar=list(_bar(move)),
        seen=f"{often}{_results(move, '' if idle else asked['player'])}",
    )


def _text(match: Match, move: SeenMove) -> str:
    """Return the move text, with its seat if another seat is in turn."""
    return move.text if match.state.in_turn == move.seat else f"{move.seat}:{move.text}"


def _words(match: Match, move: SeenMove) -> str:
    """Describe the move's effect; empty for a move that only a symmetric image allows."""
    try:
        after = entering.judge_texts(match, [_text(match, move)])
    except Refused:
        return ""
    names = Names({seat: f"player {seat}" for seat in range(1, match.seats + 1)})
    return "; ".join(effect.words(names) for effect in after.line[-1].effects)


def _results(move: SeenMove, player: str) -> str:
    who = {move.seat: player} if player else {}
    won = [
        f"{who.get(seat, f'player {seat}')} won {count}"
        for seat, count in move.won.items()
        if count
    ]
    drawn = [f"{move.drawn} drawn"] if move.drawn else []
    return "".join(f", {words}" for words in (*won, *drawn))


def _bar(move: SeenMove) -> Iterator[BarPart]:
    """Yield the match results as parts of one bar; the text next to it gives the same numbers."""
    ended = sum(move.won.values()) + move.drawn
    left = 0.0
    for seat, count in (*move.won.items(), (0, move.drawn)) if ended else ():
        width = WIDTH * count / ended
        yield BarPart(seat, f"{left:g}", f"{width:g}")
        left += width


def _address(game: Game[Any], texts: Sequence[str], asked: Mapping[str, str]) -> str:
    wishes = {"after": " ".join(texts), **asked}
    query = urlencode({name: value for name, value in wishes.items() if value})
    return f"{prefix()}/library/explore/{game.slug}{query and '?'}{query}"
