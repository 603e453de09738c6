"""Matches as cards, for lists: the board, who plays, how it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from html import escape
from typing import Final

from replay.book import Book
from replay.html.moves import chip
from replay.lines import standing
from replay.recorded import Recorded
from service.api.answering import seats
from service.pages.frame import named, with_names
from service.pages.pictures import thumbnail

CARD: Final = """<li><a class="card match-card" href="{way}">
<img class="thumb" src="{picture}" alt="" loading="lazy" width="96" height="96">
<span class="about"><strong>{title}</strong><span class="how">{standing}</span>
<span class="soft small"><b>{game}</b> · <time datetime="{day}">{date}</time></span></span></a></li>
"""

CLAUSE: Final = re.compile(r" \([A-Z]{3}-[0-9.]+\)$")
"""By what a match ended is told where there is room for it."""


def cards(book: Book, matches: Iterable[Recorded]) -> str:
    """Return a list of matches; those that have ended lead to their replay."""
    return f'<ul class="cards">{"".join(_card(book, each) for each in matches)}</ul>'


def versus(book: Book, recorded: Recorded) -> str:
    """Return who plays as HTML, each with the number of the seat in its colour."""
    names = named(book, recorded)
    return " ".join(
        f'<span class="side">{chip(seat)} {escape(names[seat])}</span>' for seat in seats(recorded)
    )


def told(book: Book, recorded: Recorded) -> str:
    """Say how a match stands with the names of its players; not escaped."""
    words = CLAUSE.sub("", with_names(standing(recorded.state), named(book, recorded)))
    return words[:1].upper() + words[1:]


def played(book: Book, recorded: Recorded) -> date:
    """Return the day of a match: that of its record, or else the one it was opened on."""
    try:
        return datetime.strptime(book.facts(recorded).get("Date", ""), "%Y.%m.%d").date()
    except ValueError:  # a record may leave parts of it open: 2026.??.??
        return datetime.fromtimestamp(recorded.header.created / 1000).date()


def _card(book: Book, recorded: Recorded) -> str:
    day = played(book, recorded)
    over = recorded.state.outcome is not None
    return CARD.format(
        way=f"/m/{recorded.id}/replay" if over else f"/m/{recorded.id}",
        picture=thumbnail(recorded),
        title=versus(book, recorded),
        game=escape(recorded.game.name),
        standing=escape(told(book, recorded)),
        day=day.isoformat(),
        date=f"{day.day} {day:%b %Y}",
    )
