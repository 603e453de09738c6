"""A board frame: the position at an address, as anybody may see it, and what a caller may do there.

It is a fragment of HTML that pages swap. What can be entered rides along as data, so that no
page needs rules of its own. Frames are drawn for spectators, also for a seat: what it has sealed
is on no screen that others could glance at.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

from msgspec.structs import replace

from domain.events import Adjusted, State
from domain.names import Names
from domain.position import Outcome
from domain.scene import Scene
from replay import rules_text
from replay.book import Book
from replay.branches.line_tree import describe_standing_briefly
from replay.drawing import board_buttons, tray_buttons
from replay.match_record import MatchRecord
from replay.names import names_of
from replay.reading import timeline
from service.http.access import Visit
from service.pages.frame_data import frame_data

FRAME: Final = (
    '<article class="frame" data-match="{match}" data-version="{version}" data-ply="{ply}"'
    ' data-turn="{turn}" data-steps="{steps}" data-awaited="{awaited}"{over}>'
    '<div class="said"><p class="told">{told}</p><p class="standing">{standing}</p>{why}</div>'
    '<div class="board">{board}</div>'
    '<div class="beside">{trays}{more}</div>'
    "{data}</article>"
)

ENDED: Final = {
    "resigned": "By resignation.",
    "agreed": "By agreement.",
    "flagged": "On time.",
    "ruled": "As the scorekeeper ruled.",
}
"""What ends a match beside the rules of its game."""

PLACE: Final = re.compile(r"[a-z]\d")


def frame(book: Book, visit: Visit, then: MatchRecord, ply: int, step: int | None = None) -> str:
    """Return the fragment for a ply of a match as it stood at a version.

    `step` is one of the pictures on the way there, from 0, where an event has several.
    """
    names = player_names(book, then)
    here = timeline.point(then, ply, names=names)
    scene = here.scene if step is None else _step(here.scene, step)
    state = then.match.at(ply)
    # On the way there nothing tells yet how it ends.
    ended = state.outcome if step is None else None
    said = _said(then, here, ply, names) if step is None else scene.caption
    return FRAME.format(
        match=then.id,
        version=then.match.version,
        ply=ply,
        turn=here.turn,
        steps=len(here.scene.frames),
        awaited=",".join(map(str, _awaited(state))),
        over=' data-over="yes"' if ended else "",
        board=board_buttons.board(scene, title=f"{then.game.name} board", names=names),
        told=escape(sentence(said)),
        standing=escape(sentence(describe_standing_briefly(state, names))) if step is None else "",
        why=explain_ending(then, ended) if ended else "",
        trays=tray_buttons.trays(scene, names),
        more=board_buttons.more(scene, names),
        data=frame_data(visit, then, ply, names.players) if step is None else "",
    )


def describe_ply(recorded: MatchRecord, ply: int, viewer: int | None, names: Names) -> str:
    """Tell in words what the event at a ply did; nothing at the start."""
    if ply == 0:
        return ""
    event = recorded.match.line[ply - 1].event
    if isinstance(event, Adjusted):
        # The board shows the position that the record writes out.
        return f"the position was adjusted: {event.reason}"
    entry = next(timeline.entries(recorded, viewer, after=ply - 1))
    return entry.words(names, amended="corrected")


def describe_briefly(then: MatchRecord, ply: int, names: Names) -> str:
    """Tell what the event at a ply did, as briefly as beside its board; nothing at the start."""
    return _said(then, timeline.point(then, ply, names=names), ply, names) if ply else ""


def _said(then: MatchRecord, here: timeline.LinePoint, ply: int, names: Names) -> str:
    """Tell what happened; of what was played in several pictures only what they do not show."""
    if not here.scene.frames:
        return describe_ply(then, ply, None, names)
    captions = [picture.caption for picture in here.scene.frames]
    return "; ".join(caption for caption in captions if ":" in caption) or then.game.uneventful


def player_names(book: Book, recorded: MatchRecord) -> Names:
    """Return what the players are called on pages: their names where those are known."""
    known = names_of(book, recorded).players
    seats = range(1, recorded.match.seats + 1)
    return Names({seat: known.get(seat, f"Player {seat}") for seat in seats})


def sentence(words: str) -> str:
    """Begin a sentence with a capital, unless it begins with a place."""
    return words if PLACE.match(words) else words[:1].upper() + words[1:]


def explain_ending(recorded: MatchRecord, outcome: Outcome) -> str:
    """Tell what ended a match: the clause, as a link to the rules, and its words."""
    words = rules_text.words(recorded.game, outcome.clause)
    if words is None:
        return f'<p class="why">{escape(ENDED.get(outcome.clause, outcome.clause))}</p>'
    at = f"/rules/{recorded.game.slug}#{outcome.clause}"
    return f'<p class="why"><a class="clause" href="{at}">{outcome.clause}</a> {escape(words)}</p>'


def _step(scene: Scene, step: int) -> Scene:
    """Return a picture on the way, with what lies beside the board as it is afterwards."""
    picture = scene.frames[step]
    return picture if picture.trays else replace(picture, trays=scene.trays)


def _awaited(state: State) -> list[int]:
    awaited = () if state.outcome else state.position.awaiting()
    return list(dict.fromkeys(one.seat for one in awaited if one.must))


def chips(book: Book, recorded: MatchRecord) -> str:
    """Write who plays, as items of a list; a script says there whose turn it is."""
    names = player_names(book, recorded)
    awaited = _awaited(recorded.state)
    return "".join(
        f'<li data-seat="{seat}"{" class=is-awaited" if seat in awaited else ""}>'
        f'<b class="chip pb-seat{seat}" aria-hidden="true">{seat}</b>'
        f'<span class="name">{escape(names[seat])}</span>'
        '<span class="time" hidden></span></li>'
        for seat in names.players
    )
