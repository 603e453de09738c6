"""Walk through a game by the moves that were made in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from html import escape
from typing import Annotated, Any, Final
from urllib.parse import quote_plus

from litestar import Response, Router, get
from litestar.params import FromPath, QueryParameter

from domain.game import Game
from domain.match import Match, open_match
from domain.names import Names
from replay.access import visibility
from replay.book import Book
from replay.drawing import board_buttons
from replay.errors import Refused
from replay.formats.html.move_list import chip
from replay.library import explorer
from replay.library.explorer import SeenMove
from replay.referee import entering
from service.http.access import TheBook, find_game
from service.http.problems import Problem
from service.models.text_limits import MOST_TOKENS
from service.pages.layout import page

BODY: Final = """<main class="wide explore"><h1>{name}: what was played</h1>
<nav class="way" aria-label="The way here"><ol>{way}</ol></nav>
<div class="two"><div class="board">{board}</div>
<section aria-label="Moves">{moves}</section></div></main>
"""

MOVE: Final = """<li><a href="{way}">{chip}<code>{token}</code>
<span class="words">{words}</span></a>
<span class="seen">{bar}<span class="soft small">{told}</span></span></li>"""

WIDTH: Final = 100
MOST: Final = 60


@get("/library/explore/{game:str}")
async def explore(
    book: TheBook,
    game: FromPath[str],
    after: Annotated[str, QueryParameter(max_length=10_000)] = "",
) -> Response[str]:
    """Show the position after some moves, and the moves that were made there."""
    found = find_game(game)
    tokens = after.split()
    if len(tokens) > MOST_TOKENS:
        raise Problem(400, f"at most {MOST_TOKENS} moves lead to a position here", path="after")
    try:
        match = entering.judge_tokens(open_match(found, found.options()), tokens)
    except Refused as error:
        raise Problem(400, f"{tokens[error.index]}: {error.violation.message}") from None
    body = await asyncio.to_thread(lambda: _body(book, found, match, tokens))
    title = f"{found.name}: what was played · Plybook"
    return page(title, body, styles=("board.css", "start.css"), here="/library")


def _body(book: Book, game: Game[Any], match: Match, tokens: Sequence[str]) -> str:
    moves = explorer.explore(book, match, visibility.CLOSED).moves
    effects = match.line[-1].effects if match.line else ()
    scene = game.scene(match.state.position.view(None), effects)
    return BODY.format(
        name=escape(game.name),
        way="".join(_steps(game, tokens)),
        board=board_buttons.board(scene, title=f"{game.name} board"),
        moves=_moves(game, match, moves, tokens),
    )


def _steps(game: Game[Any], tokens: Sequence[str]) -> Iterable[str]:
    """Yield the moves so far, each leading back to where it was made."""
    for count, words in enumerate(("Start", *tokens)):
        here = ' aria-current="page"' if count == len(tokens) else ""
        yield f'<li><a href="{_way(game, tokens[:count])}"{here}>{escape(words)}</a></li>'


def _moves(game: Game[Any], match: Match, moves: Sequence[SeenMove], tokens: Sequence[str]) -> str:
    if not moves:
        return '<p class="notice">No match of this place has gone further from here.</p>'
    listed = "".join(_move(game, match, move, tokens) for move in moves[:MOST])
    return f'<ol class="moves-seen">{listed}</ol>'


def _move(game: Game[Any], match: Match, move: SeenMove, tokens: Sequence[str]) -> str:
    ended = sum(move.won.values()) + move.drawn
    told = "once" if move.seen == 1 else f"{move.seen} times"
    return MOVE.format(
        way=_way(game, [*tokens, _token(match, move)]),
        chip=chip(move.seat),
        token=escape(move.token),
        words=escape(_words(match, move)),
        bar=_bar(move, ended) if ended else "",
        told=f"{told}{_results(move)}",
    )


def _token(match: Match, move: SeenMove) -> str:
    """Return the token with its seat where that is not the one in turn."""
    return move.token if match.state.in_turn == move.seat else f"{move.seat}:{move.token}"


def _words(match: Match, move: SeenMove) -> str:
    """Say what the move does there; nothing for one that only an image of the place has."""
    try:
        after = entering.judge_tokens(match, [_token(match, move)])
    except Refused:
        return ""
    names = Names({seat: f"player {seat}" for seat in range(1, match.seats + 1)})
    return "; ".join(effect.words(names) for effect in after.line[-1].effects)


def _results(move: SeenMove) -> str:
    won = [f"player {seat} won {count}" for seat, count in move.won.items() if count]
    drawn = [f"{move.drawn} drawn"] if move.drawn else []
    return "".join(f", {words}" for words in (*won, *drawn))


def _bar(move: SeenMove, ended: int) -> str:
    """Draw how the matches ended as parts of one bar; the words beside it say the same."""
    parts, left = [], 0.0
    for seat, count in (*move.won.items(), (0, move.drawn)):
        width = WIDTH * count / ended
        css = f"pb-chip pb-seat{seat}" if seat else "drawn"
        parts.append(f'<rect class="{css}" x="{left:g}" width="{width:g}" height="8"/>')
        left += width
    return f'<svg class="bar-of" viewBox="0 0 {WIDTH} 8" aria-hidden="true">{"".join(parts)}</svg>'


def _way(game: Game[Any], tokens: Sequence[str]) -> str:
    after = f"?after={quote_plus(' '.join(tokens))}" if tokens else ""
    return escape(f"/library/explore/{game.slug}{after}")


ROUTER: Final = Router("/", route_handlers=[explore], include_in_schema=False)
