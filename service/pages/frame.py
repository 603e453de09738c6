"""A board frame: the position at an address as one viewer sees it, with what he may do there.

It is a fragment of HTML that pages swap. What can be entered rides along as data, so that no
page needs rules of its own.
"""

from __future__ import annotations

from html import escape
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.game import Awaited, Secret
from domain.scene import Scene
from replay import keys, timeline
from replay.book import Book
from replay.drawing import live, live_trays
from replay.lines import standing
from replay.recorded import Recorded
from service.access import Visit
from service.answering import players
from service.answers import Choice
from service.hints import legal_choices

FRAME: Final = (
    '<article class="frame" data-match="{match}" data-version="{version}" data-ply="{ply}"'
    ' data-turn="{turn}" data-steps="{steps}"{over}>'
    '<div class="board">{board}</div>'
    '<div class="said"><p class="told">{told}</p><p class="standing">{standing}</p></div>'
    '<div class="beside">{trays}{more}</div>'
    "{choices}</article>"
)


class Speaking(Struct, frozen=True):
    """A seat for which this caller may enter something, and on what: its moves, where listed."""

    seat: int
    awaited: tuple[Awaited, ...]
    secret: tuple[str, ...]
    choices: tuple[Choice, ...]


class Doing(Struct, frozen=True):
    """What a caller may enter at the head of a match: the data of its recording controls."""

    match: str
    game: str
    version: int
    ply: int
    role: str
    names: dict[str, str]
    seats: tuple[Speaking, ...]
    offered: int | None
    over: bool


def frame(book: Book, visit: Visit, then: Recorded, ply: int, step: int | None = None) -> str:
    """Return the fragment for a ply of a match as it stood at a version, for the visit's viewer.

    `step` is one of the pictures on the way there, from 0, where an event has several.
    """
    here = timeline.point(then, ply, visit.viewer)
    scene: Scene = here.scene if step is None else here.scene.frames[step]
    state = then.match.at(ply)
    names = named(book, then)
    return FRAME.format(
        match=then.id,
        version=then.match.version,
        ply=ply,
        turn=here.turn,
        steps=len(here.scene.frames),
        over=' data-over="yes"' if state.outcome else "",
        board=live.board(scene, title=f"{then.game.name} board"),
        told=escape(told(then, ply, visit.viewer) if step is None else scene.caption),
        standing=escape(with_names(standing(state), names)),
        trays=live_trays.trays(scene, names),
        more=live.more(scene),
        choices=_choices(book, visit, then, ply) if step is None else "",
    )


def told(recorded: Recorded, ply: int, viewer: int | None) -> str:
    """Tell in words what the event at a ply did; nothing at the start."""
    if ply == 0:
        return ""
    entry = next(timeline.entries(recorded, viewer, after=ply - 1))
    return entry.words()


def named(book: Book, recorded: Recorded) -> dict[int, str]:
    """Return the names of the players that are known, by seat."""
    return {int(seat): name for seat, name in players(book, recorded).items()}


def with_names(words: str, names: dict[int, str]) -> str:
    """Say a sentence about seats with the names of their players."""
    for seat, name in names.items():
        words = words.replace(f"seat {seat}", name)
    return words


def may_act(visit: Visit, then: Recorded, ply: int) -> bool:
    """Tell whether the caller may enter events upon this address: it must be the head."""
    head = visit.recorded.match
    at_head = then.match.version == head.version and ply == len(head.line)
    return visit.caller.may_write and at_head


def _choices(book: Book, visit: Visit, then: Recorded, ply: int) -> str:
    if not may_act(visit, then, ply):
        return ""
    encoded = msgspec.json.encode(_doing(book, visit)).decode().replace("<", "\\u003c")
    return f'<script type="application/json" class="doing">{encoded}</script>'


def _doing(book: Book, visit: Visit) -> Doing:
    recorded = visit.recorded
    state, match = recorded.state, recorded.match
    awaited = () if state.outcome else state.position.awaiting()
    every = dict.fromkeys(one.seat for one in awaited)
    seats = [seat for seat in every if visit.viewer in (None, seat)]
    return Doing(
        recorded.id,
        recorded.game.slug,
        match.version,
        len(match.line),
        visit.caller.role or keys.VIEWER,
        {str(seat): name for seat, name in named(book, recorded).items()},
        tuple(_speaking(recorded, seat, awaited) for seat in seats),
        state.offered,
        state.outcome is not None,
    )


def _speaking(recorded: Recorded, seat: int, awaited: tuple[Awaited, ...]) -> Speaking:
    own = tuple(one for one in awaited if one.seat == seat)
    tags = {tag for one in own for tag in one.moves}
    secret = [_tag(move) for move in recorded.game.moves if issubclass(move, Secret)]
    return Speaking(
        seat,
        own,
        tuple(tag for tag in secret if tag in tags),
        tuple(legal_choices(recorded, seat)),
    )


def _tag(move: Any) -> str:
    return str(move.__struct_config__.tag)
