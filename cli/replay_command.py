"""The command that replays a match: on a screen, or frame after frame."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
import time
from typing import Annotated

import typer

from cli.annotation import describe_briefly
from cli.books import LATEST, may_write, read_book
from cli.match_text import describe_entry
from cli.output import Db, MatchId, Plain, has_screen, in_colour
from replay.annotations.current import annotated, by_ply
from replay.book import Book
from replay.errors import UnknownPly
from replay.reading import timeline
from replay.record.addresses import parse
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.tags.names import names_of


def replay(
    match: MatchId = LATEST,
    start: Annotated[int, typer.Option("--from", min=0, help="The ply to begin at.")] = 0,
    speed: Annotated[float, typer.Option(min=0.1, max=100, help="Events a second.")] = 1.0,
    plain: Plain = False,
    db: Db = None,
) -> None:
    """Replay a match on a screen.

    Its keys step, play, search, comment and fork. Into a pipe, and with --plain, it prints frame
    after frame.

    Examples:
        plybook replay
        plybook replay k7m2 --from 2 --plain
    """
    with read_book(db) as book:
        record, last = book.at(parse(match))
        if start > last:
            raise UnknownPly(start, record.id, last)
        if has_screen(plain):
            _show(book, record, start, speed, may_write(db))
        else:
            _print_all(book, record, start, speed)
        print(describe_standing(record.match.at(last), names_of(book, record)))


def _show(book: Book, record: MatchRecord, start: int, speed: float, writable: bool) -> None:
    # Textual takes longer to load than other commands to run.
    from cli.screen.line import Line
    from cli.screen.playback import Playback
    from cli.screen.replaying import Replay

    playback = Playback(Line(book, record), start, speed=speed, running=True)
    Replay(playback, may_write=writable).run()


def _print_all(book: Book, record: MatchRecord, start: int, speed: float) -> None:
    """Print every picture from a ply on: at once into a pipe, in time on a terminal."""
    from replay.drawing import text

    names, remarks = names_of(book, record), by_ply(book, record, whole=True)
    entries = list(timeline.entries(record, names=names))
    captions = ["the start", *(describe_entry(each, names) for each in entries)]
    for ply in range(start, len(captions)):
        scene = timeline.point(record, ply, names=names).scene
        last = annotated(scene, remarks.get(ply, ()))
        for picture in (last,) if ply == start else (*scene.frames, last):
            drawing = text.draw(picture, colour=in_colour())
            said = describe_briefly(remarks.get(ply, ())) if picture is last else ""
            print(f"{record.id}@{ply}  {captions[ply]}{said}\n{drawing}", flush=True)
            if sys.stdout.isatty():
                time.sleep(1 / speed)
