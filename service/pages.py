"""Pages for people: what this is, and the board of a match at any ply."""

from __future__ import annotations

from html import escape
from typing import Final

from litestar import Response, Router, get
from litestar.params import FromQuery

from domain.events import awaited_words, outcome_words
from replay import shelf, timeline
from replay.recorded import Recorded
from service.access import TheBook, TheVisit
from service.layout import page
from service.matches import at


@get("/")
async def home() -> Response[str]:
    """Tell what this is and which games there are."""
    games = "\n".join(
        f"<li>{escape(game.name)} <small>{escape(game.ruleset)}</small></li>"
        for game in shelf.games().values()
    )
    return page(
        "Plybook",
        "<h1>Plybook</h1><p>The scoresheet, referee and replay desk for games played on a real"
        f" table. This service knows the rules of:</p><ul>{games}</ul>"
        "<p>Open a match with <code>plybook new</code> or over the API; its page is at"
        " <code>/m/</code> and its id.</p>",
    )


@get("/m/{match:str}")
async def board_page(
    book: TheBook,
    visit: TheVisit,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
) -> Response[str]:
    """Show the board of a match at a ply, with links back and forth."""
    recorded = at(visit, version)
    last, here = recorded.ply(), recorded.ply(ply)
    facts = book.facts(visit.recorded)
    names = [
        escape(facts.get(f"Seat{seat}", f"seat {seat}"))
        for seat in range(1, recorded.match.seats + 1)
    ]
    state = recorded.match.at(here)
    standing = outcome_words(state.outcome) if state.outcome else awaited_words(state)
    src = f"/matches/{recorded.id}/board/{recorded.match.version}/{here}.svg"
    body = (
        f"<h1>{escape(recorded.game.name)}</h1><p>{' – '.join(names)}</p>"
        f'<figure><img class="board" src="{src}" alt="the board after ply {here}">'
        f"<figcaption>{_told(recorded, here)}</figcaption></figure>"
        f'<p class="standing">{escape(standing)}</p>{_steps(recorded, here, last)}'
        f"<ol>{_moves(recorded, here)}</ol>"
    )
    return page(f"{recorded.game.name}, ply {here}", body)


def _steps(recorded: Recorded, at: int, last: int) -> str:
    """Link to the first, previous, next and last position."""
    steps = (("first", 0), ("previous", at - 1), ("next", at + 1), ("last", last))
    links = [
        f'<a href="{_href(recorded, to)}">{name}</a>'
        if 0 <= to <= last and to != at
        else f"<span>{name}</span>"
        for name, to in steps
    ]
    return f'<nav aria-label="positions">{"".join(links)}</nav>'


def _moves(recorded: Recorded, at: int) -> str:
    return "\n".join(
        f"<li{' aria-current=step' if entry.ply == at else ''}>"
        f'<a href="{_href(recorded, entry.ply)}">{escape(entry.token or "(sealed)")}</a></li>'
        for entry in timeline.entries(recorded)
    )


def _told(recorded: Recorded, at: int) -> str:
    if at == 0:
        return "the start"
    entry = next(timeline.entries(recorded, after=at - 1))
    token = escape(entry.token or "(sealed)")
    words = escape(entry.words())
    return f"{at}. <strong>{token}</strong> {words}"


def _href(recorded: Recorded, ply: int) -> str:
    """Return the address of a position; the version in it keeps the line from moving."""
    return f"/m/{recorded.id}?version={recorded.match.version}&amp;ply={ply}"


ROUTER: Final = Router("/", route_handlers=[home, board_page], include_in_schema=False)
