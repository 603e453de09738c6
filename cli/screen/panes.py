"""The texts of the panes around the board: the head line, the moves, the sentences, the players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

from msgspec.structs import replace
from rich.style import Style
from rich.text import Text

from cli.output import duration
from cli.screen.cells import BALL
from cli.screen.line import Line
from cli.screen.palette import ACCENT, FAINT, INK, PAPER, STRONG, body, chip
from cli.screen.playback import Playback
from domain.names import UNNAMED
from domain.scene import Scene, Supply, Tray
from replay.annotations.current import Remark
from replay.annotations.events import Bookmarked, Commented, Glyphed
from replay.annotations.glyphs import glyph
from replay.drawing import text
from replay.drawing.colours import seat_colour
from replay.drawing.descriptions import BADGE, piece_code
from replay.drawing.svg_elements import printable
from replay.reading import timeline
from replay.tags.names import actor_words, seats

NOW: Final = Style(color=PAPER, bgcolor=ACCENT, bold=True)
"""The current move."""
SPOKEN: Final = Style(color=ACCENT, italic=True)
SHOWN_MARKS: Final = ("to", "from")
"""The marks that backgrounds show, so that a legend leaves them out."""


class Span(NamedTuple):
    """A move in a list: its ply, its row of text, and its columns there."""

    ply: int
    line: int
    start: int
    end: int


class MoveList(NamedTuple):
    """The moves of a line, turn by turn, with the place of each."""

    text: Text
    spans: tuple[Span, ...]

    def ply_at(self, line: int, column: int) -> int | None:
        """Return the ply of the move at a place in the list."""
        for span in self.spans:
            if span.line == line and span.start <= column < span.end:
                return span.ply
        return None

    def line_of(self, ply: int) -> int:
        """Return the line of a move; 0 for the start."""
        return next((span.line for span in self.spans if span.ply == ply), 0)


def head(line: Line, ply: int, columns: int) -> Text:
    """Return the game, the players with their colours, scores and clocks, and who is awaited.

    At the end of the line the clock of a player in turn runs.
    """
    stop = line.stop(ply)
    awaited = {one.seat for one in stop.point.awaiting if one.must}
    times = dict(_times(line)) if ply == len(line.record.match.line) else {}
    parts = [Text(f" {line.record.game.name} ", NOW)]
    for tray in seated(line, ply).trays:
        if tray.seat:
            parts.append(_player(tray, tray.seat in awaited, times.get(tray.seat)))
    line_text = Text("  ").join(parts)
    standing = Text(f"{stop.standing} ", STRONG if stop.point.outcome else FAINT)
    room = columns - line_text.cell_len - 2
    standing.truncate(max(0, room), overflow="ellipsis")
    line_text.append(" " * max(1, columns - line_text.cell_len - standing.cell_len))
    line_text.append_text(standing)
    line_text.truncate(columns, overflow="ellipsis")
    return line_text


def _times(line: Line) -> Iterator[tuple[int, str]]:
    """Yield the display of each seat's clock now: "9:55", "0:25 (3×0:30)"."""
    clocks = timeline.clocks(line.record)
    if clocks is None:
        return
    passed = 0 if clocks.since is None else max(0, line.book.now() - clocks.since)
    for each in clocks.seats:
        shown = each.shown(passed)
        if shown is not None:
            words = f" ({shown.note})" if shown.note else ""
            yield each.seat, f"{duration(shown.left)}{words}"


def _player(tray: Tray, awaited: bool, time: str | None) -> Text:
    chips = [("■", body(colour)) for colour in tray.colours]
    name = Text(printable(tray.title), STRONG if awaited else FAINT)
    name.truncate(20, overflow="ellipsis")
    score = f" {tray.score.text}" if tray.score else ""
    clock = f" {time}" if time else ""
    pointer = ("▸", Style(color=ACCENT, bold=True)) if awaited else " "
    return Text.assemble(pointer, *chips, " ", name, (f"{score}{clock}", FAINT))


def move_list(line: Line, ply: int, columns: int) -> MoveList:
    """Return the moves turn by turn, in lines of a width; the move of `ply` is reversed.

    A line has one move of each seat if all turns have one move. A score that changed in a
    line is at its right edge.
    """
    turns = [list(group) for _, group in groupby(line.entries, key=lambda entry: entry.turn)]
    short = all(len(turn) == 1 for turn in turns)
    beside = line.record.match.seats if short else 1
    score = len(line.score(line.last))
    room = columns - score - 1 if score <= columns // 3 else columns
    lines: list[Text] = []
    spans: list[Span] = []
    for number, turn in enumerate(turns):
        if number % beside == 0:
            lines.append(Text())
        lines[-1].append(" " * (number % beside * (room // beside) - lines[-1].cell_len))
        lines[-1].append(f"{turn[0].turn:>3}.", FAINT)
        for entry in turn:
            written, signs = _move(line, entry, entry.ply == ply)
            length = written.cell_len + signs.cell_len
            if lines[-1].cell_len + 1 + length > room and not short:
                lines.append(Text(" " * 4))
            start = lines[-1].cell_len + 1
            lines[-1].append(" ").append_text(written).append_text(signs)
            spans.append(Span(entry.ply, len(lines) - 1, start, start + length))
    _add_scores(line, lines, spans, columns)
    return MoveList(Text("\n", no_wrap=True).join(lines), tuple(spans))


def _add_scores(line: Line, lines: list[Text], spans: list[Span], columns: int) -> None:
    """Write changed scores at the ends of lines, where there is room."""
    written = line.score(0)
    for row, ply in {span.line: span.ply for span in spans}.items():
        score = line.score(ply)
        space = columns - lines[row].cell_len - len(score)
        if score != written and space > 0:
            lines[row].append(f"{' ' * space}{score}", FAINT)
            written = score


def _move(line: Line, entry: timeline.LineEntry, current: bool) -> tuple[Text, Text]:
    """Return a move in its seat's colour, and the signs after it."""
    said = [remark.said for remark in line.remarks.get(entry.ply, ())]
    signs = "".join(glyph(each.glyph).sign for each in said if isinstance(each, Glyphed))
    comment = "…" if any(isinstance(each, Commented | Bookmarked) for each in said) else ""
    branch = "⑂" if entry.ply - 1 in line.variations else ""
    style = NOW if current else Style(color=INK)
    return Text(entry.written, style), Text(
        f"{signs}{comment}{branch}", Style(color=ACCENT, bold=True)
    )


def told(now: Playback) -> Text:
    """Return the sentences about the picture: about a row, or about an event with its comments."""
    stop = now.line.stop(now.ply)
    if now.is_step:
        return Text("\n").join(_step_words(now.scene))
    lines = [*_event(now.line, stop.entry), *map(_remark, _spoken(stop.remarks))]
    lines += [Text(words, FAINT) for words in _extras(now.scene)]
    if stop.point.outcome is not None:
        lines.append(Text(stop.standing, Style(color=ACCENT, bold=True)))
    return Text("\n").join(lines)


def _step_words(scene: Scene) -> Iterator[Text]:
    row, _, words = scene.caption.partition(": ")
    yield Text(row, STRONG)
    for sentence in filter(None, words.split("; ")):
        yield Text(sentence)
    for arrow in scene.arrows:
        yield Text(text.arrow_words(arrow), FAINT)


def _event(line: Line, entry: timeline.LineEntry | None) -> Iterator[Text]:
    if entry is None:
        yield Text("the start", FAINT)
        return
    seat = f"{line.names[entry.seat]}: " if entry.seat else ""
    yield Text.assemble((f"{entry.turn}. ", FAINT), (seat, STRONG), entry.written)
    sentences = [effect.words(line.names) for effect in entry.effects]
    for sentence in sentences or filter(None, [entry.words]):
        yield Text(sentence, FAINT)
    if entry.amended and sentences:
        yield Text("amended", FAINT)


def _spoken(remarks: Iterable[Remark]) -> Iterator[Remark]:
    for remark in remarks:
        if isinstance(remark.said, Commented | Glyphed | Bookmarked):
            yield remark


def _remark(remark: Remark) -> Text:
    assert remark.said is not None
    if isinstance(remark.said, Commented):
        author = actor_words(remark.author, UNNAMED)
        return Text.assemble((f"“{remark.said.text}”", SPOKEN), (f" {author}", FAINT))
    return Text(remark.said.words(), SPOKEN)


def _extras(scene: Scene) -> Iterator[str]:
    """Yield the caption, the arrows that backgrounds do not show, and the legend of signs."""
    if scene.caption:
        yield scene.caption
    for arrow in scene.arrows:
        if arrow.kind != "move":
            yield text.arrow_words(arrow)
    marks = tuple(mark for mark in scene.marks if mark.kind not in SHOWN_MARKS)
    for words in text.legend(replace(scene, marks=marks), text.WIDTH):
        yield words.replace(f"{BADGE['ball']} ball", f"{BALL} ball")


def trays(scene: Scene) -> Text:
    """Return the supplies and lines of all trays."""
    return Text("\n").join(line for tray in scene.full_trays or scene.trays for line in _tray(tray))


def seated(line: Line, ply: int) -> Scene:
    """Return the scene of a ply; if no seat has a tray, each seat gets one with its name."""
    scene = line.stop(ply).point.scene
    if any(tray.seat for tray in scene.trays):
        return scene
    added = (_tray_of(line, seat) for seat in seats(line.record))
    return replace(scene, trays=(*added, *scene.trays))


def _tray_of(line: Line, seat: int) -> Tray:
    colour = seat_colour(seat)
    return Tray(line.names.title(seat), seat, colours=(colour,) if colour else ())


def _tray(tray: Tray) -> Iterator[Text]:
    chips = [("■", body(colour)) for colour in tray.colours]
    score = f"  {tray.score.words}" if tray.score else ""
    yield Text.assemble(*chips, " " * bool(chips), (printable(tray.title), STRONG), (score, FAINT))
    if tray.supplies:
        yield Text("  ") + Text("  ").join(map(_supply, tray.supplies))
    for line in tray.lines:
        yield Text(f"  {printable(line)}", FAINT)


def _supply(supply: Supply) -> Text:
    code = piece_code(supply.piece)
    return Text.assemble((f"{supply.count} ", FAINT), (code, chip(supply.piece.colour)))
