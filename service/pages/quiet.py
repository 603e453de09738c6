"""The page of a match whose moves are taken down unjudged: a list, and a field to write in.

Nothing on it depends on whether a move is by the rules, until the scorekeeper has it judged.
"""

from __future__ import annotations

from litestar.response import Template
from msgspec import Struct

from domain.entry.tokens import shown
from replay.access import capability_tokens
from replay.book import Book
from replay.reading import timeline
from replay.record.match_summary import describe_standing
from replay.referee.quiet import first_broken
from replay.tags.names import names_of
from service.http.access import MatchAccess
from service.pages.layout import page


class TakenDown(Struct, frozen=True):
    """An event of the list: its ply, whose it is if that is known, its token, and what it did."""

    ply: int
    who: str
    token: str
    words: str


def quiet_page(book: Book, visit: MatchAccess, title: str) -> Template:
    """Show what was taken down of a match, and let those who may write go on."""
    record, names = visit.record, names_of(book, visit.record)
    judged = not record.match.start.quiet
    events = [
        TakenDown(
            entry.ply,
            names[entry.seat] if entry.seat else "",
            shown(entry.token or "(sealed)"),
            entry.words,
        )
        for entry in timeline.entries(record, visit.viewer, names=names)
    ]
    data = {
        "match": record.id,
        "game": record.game,
        "version": record.match.version,
        "players": " - ".join(names.players.values()),
        "events": events,
        "over": record.state.outcome is not None,
        "standing": describe_standing(record.state, names),
        "writing": visit.caller.may_write,
        "host": visit.caller.role == capability_tokens.HOST,
        "seats": {seat: names[seat] for seat in range(1, record.match.seats + 1)},
        "judged": judged,
        "broken": first_broken(record.match, names) if judged else None,
        "example": record.game.moves[0].example,
    }
    return page("quiet.html", title, data, styles=("quiet.css",), scripts=("quiet.js",))
