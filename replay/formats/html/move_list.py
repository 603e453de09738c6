"""The list of moves of a tree of lines, turn by turn, as a reader and the player need it.

Every stop is an element with its name in the address as `id` and, in `data-`, what `player.js`
asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from domain.names import UNNAMED, Names
from domain.scene import Scene
from replay.annotations import Commented, Glyphed, Remark
from replay.annotations.glyphs import glyph
from replay.branches.line_tree import Stop, TreeLine
from replay.drawing.svg_elements import escape
from replay.names import actor_words
from replay.reading.highlights import is_notable
from replay.reading.timeline import TimelineEntry
from replay.referee.entering import SCOREKEEPER

FEW = 3
"""How many consequences are told in one line; of more, each gets its own."""


def _nothing(_line: TreeLine, _stop: Stop) -> str:
    return ""


class Manner(Struct, frozen=True):
    """How a page tells its list: what the file does not need, and what it says otherwise.

    `names` are what players are called, `link` is where a stop is found without the
    player (by default in the page itself), `facts` are more attributes, `aside` more HTML.
    """

    names: Names = UNNAMED
    link: Callable[[TreeLine, Stop], str] = _nothing
    facts: Callable[[TreeLine, Stop], str] = _nothing
    aside: Callable[[TreeLine, Stop], str] = _nothing


PLAIN: Final = Manner()


def name(line: TreeLine, ply: int) -> str:
    """Return what a stop is called in an address: `12`, in a variation `k7m2c4x9q0ab@12`."""
    return str(ply) if line.leaves is None else f"{line.recorded.id}@{ply}"


def moves(
    main: TreeLine, players: Mapping[int, str], manner: Manner = PLAIN
) -> tuple[str, tuple[Scene, ...]]:
    """Write the list, and return it with all pictures in the order of their stops.

    A variation stands inside the move that it replaces.
    """
    told = _List(players, manner)
    written = told.line(main, {})
    if main.left_out:
        written += f'<li><p class="note">{escape(main.note())}</p></li>'
    return written, tuple(told.scenes)


class _List:
    """Who plays, and the pictures so far."""

    def __init__(self, players: Mapping[int, str], manner: Manner) -> None:
        self.players = players
        self.manner = manner
        self.scenes: list[Scene] = []

    def line(self, line: TreeLine, before: Mapping[int, str]) -> str:
        """Write a line; `before` names the stops it shares with its parent."""
        names = dict(before) | {stop.point.ply: name(line, stop.point.ply) for stop in line.stops}
        beside = dict(_beside(line))
        return "".join(
            self._turn(line, key, list(stops), names, beside)
            for key, stops in groupby(line.stops, _turn)
        )

    def _turn(
        self,
        line: TreeLine,
        key: tuple[int, int | None],
        stops: Sequence[Stop],
        names: Mapping[int, str],
        beside: Mapping[int, Sequence[TreeLine]],
    ) -> str:
        plies = "".join(
            self._stop(line, stop, names, beside.get(stop.point.ply, ())) for stop in stops
        )
        return f'<li class="turn">{self._who(*key)}<ol>{plies}</ol></li>'

    def _who(self, number: int, seat: int | None) -> str:
        if not number:
            return ""
        who = chip(seat) + escape(self.players[seat]) if seat else "scorekeeper"
        return f'<p class="who">{number}. {who}</p>'

    def _stop(
        self, line: TreeLine, stop: Stop, names: Mapping[int, str], variations: Sequence[TreeLine]
    ) -> str:
        ply = stop.point.ply
        scene = stop.point.scene
        self.scenes += [*stop.steps, scene]
        attributes = f'id="{names[ply]}" data-turn="{stop.point.turn}" data-line="{_key(line)}"'
        if line.leaves is not None and stop is line.stops[0]:
            attributes += f' data-after="{names[ply - 1]}"'
        if scene.frames:
            attributes += f' data-steps="{len(scene.frames)}"'
        if is_notable(stop):
            attributes += " data-notable"
        attributes += self.manner.facts(line, stop)
        inside = "".join(self._variation(variation, names) for variation in variations)
        return f"<li {attributes}>{self._told(line, stop, names[ply])}{inside}</li>"

    def _told(self, line: TreeLine, stop: Stop, key: str) -> str:
        names = self.manner.names
        token = token_of(stop.entry) if stop.entry else "Start"
        effects = stop.entry.effects if stop.entry else ()
        words = _words([effect.words(names) for effect in effects])
        return (
            f'<a href="{self.manner.link(line, stop) or f"#{key}"}">{escape(token)}</a>'
            f"{''.join(_glyphs(stop.remarks))}{words}"
            f"{''.join(_comments(stop.remarks, names))}"
            f"{self.manner.aside(line, stop)}"
            f'<p class="standing">{escape(stop.standing)}</p>'
        )

    def _variation(self, line: TreeLine, names: Mapping[int, str]) -> str:
        title = escape(f"Variation: {line.name}" if line.name else "Variation")
        shared = {ply: key for ply, key in names.items() if ply <= (line.leaves or 0)}
        return (
            f'<section class="variation" data-variation aria-label="{title}"><h3>{title}</h3>'
            f"<ol>{self.line(line, shared)}</ol></section>"
        )


def _key(line: TreeLine) -> str:
    return "" if line.leaves is None else line.recorded.id


def _beside(line: TreeLine) -> Iterator[tuple[int, list[TreeLine]]]:
    """Give the plies of a line beside which variations stand: those that they replace.

    What goes on after the end of the line, or left it before its own first stop, stands nearest.
    """
    if not line.stops:
        return
    first, last = line.stops[0].point.ply, line.stops[-1].point.ply
    found: dict[int, list[TreeLine]] = {}
    for variation in line.variations:
        if variation.stops and variation.leaves is not None:
            ply = max(first, min(variation.leaves + 1, last))
            found.setdefault(ply, []).append(variation)
    yield from found.items()


def chip(seat: int) -> str:
    """Write a seat's number in its colour."""
    return f'<span class="chip pb-seat{seat}">{seat}</span>'


def _turn(stop: Stop) -> tuple[int, int | None]:
    return (stop.entry.turn, stop.entry.seat) if stop.entry else (0, None)


def token_of(entry: TimelineEntry) -> str:
    """Return the token of an event, or that it is sealed."""
    return "(sealed)" if entry.token is None else entry.token


def _glyphs(remarks: Iterable[Remark]) -> Iterator[str]:
    for remark in remarks:
        if isinstance(remark.said, Glyphed):
            found = glyph(remark.said.glyph)
            yield f' <abbr title="{escape(found.name)}">{escape(found.sign)}</abbr>'


def _comments(remarks: Iterable[Remark], names: Names) -> Iterator[str]:
    for remark in remarks:
        if isinstance(remark.said, Commented):
            signed = escape(actor_words(remark.author, names))
            author = "" if remark.author == SCOREKEEPER else f" <i>{signed}</i>"
            yield f'<p class="note">{escape(remark.said.text)}{author}</p>'


def _words(effects: Sequence[str]) -> str:
    if not effects:
        return ""
    if len(effects) <= FEW:
        return f' <span class="words">{escape("; ".join(effects))}</span>'
    return f'<p class="words">{"<br>".join(map(escape, effects))}</p>'
