"""Everything that was ever entered in a match, with ways to the lines as they stood."""

from __future__ import annotations

from html import escape
from typing import Final

from domain.names import Names
from replay.book import Book
from replay.match_record import MatchRecord
from replay.reading import timeline
from replay.reading.timeline import LogEntry
from service.http.access import Visit
from service.pages.frame import player_names, sentence
from service.pages.move_list import EDITS, moment, who

SECTION: Final = """<details class="log" id="log" open><summary>Everything ever entered</summary>
<p class="hint">Nothing is lost: what was taken back or corrected is kept here, struck out.</p>
<ol>{entries}</ol></details>"""


def history(book: Book, visit: Visit, *, open_: bool) -> str:
    """Write the log of a match as its viewer may know it, or the way to it."""
    if not open_:
        return '<p class="all"><a href="?all=true#log">Everything ever entered</a></p>'
    names = player_names(book, visit.recorded)
    entries = (_entry(one, names, visit) for one in timeline.log(visit.recorded, names=names))
    return SECTION.format(entries="".join(entries))


def _entry(one: LogEntry, names: Names, visit: Visit) -> str:
    stored = visit.recorded.entry(one.version)
    edits = stored.type in EDITS
    what = sentence(one.what) if edits else one.what
    said = escape(what) if one.stands else f"<s>{escape(what)}</s> <small>stands no more</small>"
    kind = ' class="edit"' if edits else ""
    return (
        f'<li{kind} value="{one.version}"><span class="what">{said}</span>'
        f' <small class="by">{who(one.actor, names)}, {moment(one.at)}</small>'
        f"{_before(visit, one.version) if edits else ''}</li>"
    )


def _before(visit: Visit, version: int) -> str:
    before = version - 1
    return (
        f' <a href="?version={before}">As it stood before</a>'
        f' <a href="/m/{visit.recorded.id}/beside?version={before}">Side by side</a>'
    )


def way_back(visit: Visit, then: MatchRecord, names: Names) -> str:
    """Say on a page of a line as it once stood what came of it, and lead to what stands."""
    after = then.match.version + 1
    logged = next(timeline.log(visit.recorded, after=after - 1, names=names))
    edit = visit.recorded.entry(after).type in EDITS
    because = f" Then: {escape(logged.what)}." if edit else ""
    match = then.id
    return (
        f'<div class="notice"><p>The line as it stood after entry {after - 1}.{because}</p>'
        f'<p class="row"><a href="/m/{match}/replay">As it stands now</a>'
        f'<a href="/m/{match}/beside?version={after - 1}">Side by side</a></p></div>'
    )
