"""Matches as cards, for lists: the board, who plays, how it stands, what happened last and when."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from html import escape
from typing import Final

from replay.book import Book
from replay.branches.line_tree import describe_standing_briefly
from replay.formats.html.move_list import chip
from replay.match_record import MatchRecord
from service.pages import frame
from service.pages.frame import player_names, sentence
from service.pages.relative_time import ago, dated
from service.pages.thumbnails import thumbnail

CARD: Final = """<li><a class="card match-card" href="{way}">
<img class="thumb" src="{picture}" alt="" loading="lazy" width="96" height="96">
<span class="about"><strong>{title}</strong><span class="how">{standing}</span>{last}
<span class="soft small"><b>{game}</b> · {moves} · <time datetime="{day}">{when}</time></span>
</span></a></li>
"""

LAST: Final = '<span class="lately soft">{words}</span>'


def cards(book: Book, matches: Iterable[MatchRecord]) -> str:
    """Return a list of matches; those that have ended lead to their replay."""
    return f'<ul class="cards">{"".join(_card(book, each) for each in matches)}</ul>'


def versus(book: Book, recorded: MatchRecord) -> str:
    """Return who plays as HTML, each with the number of the seat in its colour."""
    names = player_names(book, recorded)
    return " ".join(
        f'<span class="side">{chip(seat)} {escape(names[seat])}</span>' for seat in names.players
    )


def describe_with_names(book: Book, recorded: MatchRecord) -> str:
    """Say how a match stands with the names of its players; not escaped."""
    words = describe_standing_briefly(recorded.state, player_names(book, recorded))
    return words[:1].upper() + words[1:]


def _elsewhere(book: Book, recorded: MatchRecord) -> date | None:
    """Return the day that the record of a match names; `None` for one recorded as it was played."""
    opened = datetime.fromtimestamp(recorded.header.created / 1000).date()
    try:
        day = datetime.strptime(book.facts(recorded).get("Date", ""), "%Y.%m.%d").date()
    except ValueError:  # a record may leave parts of it open: 2026.??.??
        return None
    return day if abs(day - opened) > timedelta(days=1) else None


def _last(book: Book, recorded: MatchRecord) -> str:
    """Say what happened last, so that matches of people without names can be told apart."""
    names = player_names(book, recorded)
    said = sentence(frame.describe_briefly(recorded, len(recorded.match.line), names))
    return LAST.format(words=escape(said)) if said else ""


def _moves(count: int) -> str:
    return f"{count} move{'' if count == 1 else 's'}" if count else "not begun"


def _card(book: Book, recorded: MatchRecord) -> str:
    day = _elsewhere(book, recorded)
    at = recorded.log[-1].at if recorded.log else recorded.header.created
    over = recorded.state.outcome is not None
    return CARD.format(
        way=f"/m/{recorded.id}/replay" if over else f"/m/{recorded.id}",
        picture=thumbnail(recorded),
        title=versus(book, recorded),
        game=escape(recorded.game.name),
        standing=escape(describe_with_names(book, recorded)),
        last=_last(book, recorded),
        moves=_moves(len(recorded.match.line)),
        day=day.isoformat() if day else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%dT%H:%MZ}",
        when=dated(day) if day else ago(at, time.time_ns() // 1_000_000),
    )
