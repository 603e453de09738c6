"""The move list of a tree of lines, turn by turn, for readers and the player.

It is data for the template `moves.html`. There every stop is an element whose `id` is the stop's
name in addresses and whose `data-` attributes serve `player.js`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from msgspec import Struct

from domain.events import Noted
from domain.names import UNNAMED, Names, quote_role
from domain.scene import Colour, Scene
from replay.annotations.current import Remark
from replay.annotations.events import Bookmarked, Commented, Glyphed
from replay.annotations.glyphs import glyph
from replay.branches.analysis import TreeLine
from replay.reading.stops import Stop, is_notable
from replay.tags.names import SCOREKEEPER, actor_words


class ListedComment(Struct, frozen=True):
    """A comment on an event; the author is empty for the scorekeeper."""

    text: str
    author: str


class ListedGlyph(Struct, frozen=True):
    """The sign of a glyph, and its meaning with the player's name."""

    sign: str
    title: str


class ListedStop(Struct, frozen=True):
    """A stop of a line: its name in addresses, and its texts.

    `data` are the values of its `data-` attributes by name; `aside` is for one page's template.
    """

    id: str
    link: str
    data: Mapping[str, object]
    text: str
    glyphs: Sequence[ListedGlyph]
    words: Sequence[str]
    comments: Sequence[ListedComment]
    bookmark: str
    standing: str
    aside: Any
    variations: Sequence[ListedVariation]


class ListedTurn(Struct, frozen=True):
    """A turn: its number (0 is the start), the seat, its colours, the player and the stops."""

    number: int
    seat: int | None
    colours: Sequence[Colour]
    player: str
    stops: Sequence[ListedStop]


class ListedVariation(Struct, frozen=True):
    """A variation of another line, with its heading."""

    title: str
    turns: Sequence[ListedTurn]


class MoveList(Struct, frozen=True):
    """The main line with its variations, a note if some are left out, and all pictures in order."""

    turns: Sequence[ListedTurn]
    note: str
    scenes: Sequence[Scene]


def _nothing(_line: TreeLine, _stop: Stop) -> Any:
    return None


class MoveListOptions(Struct, frozen=True):
    """The page-specific parts of a list.

    `names` are the players' names, `link` returns the address of a stop without the player (by
    default in the page itself), `data` returns more attributes, `aside` is for the page's template.
    """

    names: Names = UNNAMED
    link: Callable[[TreeLine, Stop], str | None] = _nothing
    data: Callable[[TreeLine, Stop], Mapping[str, object]] = lambda _line, _stop: {}
    aside: Callable[[TreeLine, Stop], Any] = _nothing


PLAIN: Final = MoveListOptions()


def stop_name(line: TreeLine, ply: int) -> str:
    """Return the name of a stop in an address: `12`, in a variation `k7m2c4x9q0ab@12`."""
    return str(ply) if line.leaves is None else f"{line.record.id}@{ply}"


def move_list(
    main: TreeLine, players: Mapping[int, str], manner: MoveListOptions = PLAIN
) -> MoveList:
    """Return the list of a tree of lines; a variation is in the stop of the move it replaces."""
    made = _List(players, manner)
    turns = made.line(main, {})
    return MoveList(turns, main.note() if main.left_out else "", made.scenes)


class _List:
    """A list under construction: the players, and the pictures so far."""

    def __init__(self, players: Mapping[int, str], manner: MoveListOptions) -> None:
        self.players = players
        self.manner = manner
        self.scenes: list[Scene] = []

    def line(self, line: TreeLine, before: Mapping[int, str]) -> list[ListedTurn]:
        """Return the turns of a line; `before` names the stops it shares with its parent."""
        names = dict(before) | {
            stop.point.ply: stop_name(line, stop.point.ply) for stop in line.stops
        }
        beside = dict(_beside(line))
        return [
            ListedTurn(
                number,
                seat,
                stops[0].point.scene.colours(seat),
                self._player(line, stops[0], seat),
                [self._stop(line, stop, names, beside.get(stop.point.ply, ())) for stop in stops],
            )
            for (number, seat), group in groupby(line.stops, _turn)
            for stops in [list(group)]
        ]

    def _player(self, line: TreeLine, first: Stop, seat: int | None) -> str:
        """Name the player of a turn, or the scorekeeper; empty if the seat is unknown."""
        if seat:
            return quote_role(self.players[seat], seat)
        ply = first.entry.ply if first.entry else 0
        noted = ply and isinstance(line.record.match.line[ply - 1].event, Noted)
        return "" if noted else "scorekeeper"

    def _stop(
        self, line: TreeLine, stop: Stop, names: Mapping[int, str], variations: Sequence[TreeLine]
    ) -> ListedStop:
        key, spoken = names[stop.point.ply], self.manner.names
        self.scenes += [*stop.steps, stop.point.scene]
        effects = stop.entry.effects if stop.entry else ()
        return ListedStop(
            id=key,
            link=self.manner.link(line, stop) or f"#{key}",
            data=self._data(line, stop, names),
            text=stop.entry.written if stop.entry else "Start",
            glyphs=tuple(_glyphs(stop.remarks, spoken)),
            words=[effect.words(spoken) for effect in effects],
            comments=tuple(_comments(stop.remarks, spoken)),
            bookmark=_bookmark(stop),
            standing=stop.standing,
            aside=self.manner.aside(line, stop),
            variations=[self._variation(variation, names) for variation in variations],
        )

    def _data(self, line: TreeLine, stop: Stop, names: Mapping[int, str]) -> Mapping[str, object]:
        data: dict[str, object] = {"turn": stop.point.turn, "line": _key(line)}
        if line.leaves is not None and stop is line.stops[0]:
            data["after"] = names[stop.point.ply - 1]
        if stop.point.scene.frames:
            data["steps"] = len(stop.point.scene.frames)
        if is_notable(stop):
            data["notable"] = ""
        if _bookmark(stop):
            data["bookmark"] = ""
        return {**data, **self.manner.data(line, stop)}

    def _variation(self, line: TreeLine, names: Mapping[int, str]) -> ListedVariation:
        shared = {ply: key for ply, key in names.items() if ply <= (line.leaves or 0)}
        title = f"Variation: {line.name}" if line.name else "Variation"
        return ListedVariation(title, self.line(line, shared))


def _bookmark(stop: Stop) -> str:
    """Return the words of a stop's bookmark, or nothing."""
    said = (remark.said for remark in stop.remarks)
    return next((each.words() for each in said if isinstance(each, Bookmarked)), "")


def _key(line: TreeLine) -> str:
    return "" if line.leaves is None else line.record.id


def _beside(line: TreeLine) -> Iterator[tuple[int, list[TreeLine]]]:
    """Yield the plies of a line with their variations, each at the ply that it replaces.

    A variation that leaves before the first stop or after the last stop is put at the nearest stop.
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


def _turn(stop: Stop) -> tuple[int, int | None]:
    return (stop.entry.turn, stop.entry.seat) if stop.entry else (0, None)


def _glyphs(remarks: Iterable[Remark], names: Names) -> Iterator[ListedGlyph]:
    for remark in remarks:
        if isinstance(remark.said, Glyphed):
            shown = glyph(remark.said.glyph)
            yield ListedGlyph(shown.sign, shown.title(names))


def _comments(remarks: Iterable[Remark], names: Names) -> Iterator[ListedComment]:
    for remark in remarks:
        if isinstance(remark.said, Commented):
            author = "" if remark.author == SCOREKEEPER else actor_words(remark.author, names)
            yield ListedComment(remark.said.text, author)
