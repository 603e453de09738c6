"""The stored pictures of the screen.

`python -m tests.cli.screen.snapshots` makes them anew: look at what changed before you commit them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from cli.recording_session import Session
from cli.screen.frame import Frame
from cli.screen.line import Line
from cli.screen.playback import Playback, to_ply
from cli.screen.recording import Record
from cli.screen.replaying import Replay
from replay import registry, rules_text
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.formats.ply.importer import import_record
from replay.formats.ply.model import Record as TextRecord
from replay.formats.ply.reader import read_records
from replay.referee import entering
from replay.referee.opening import open_match
from replay.store import temporary_store
from tests.cli.screen.pilot import screen
from tests.paths import ROOT

FOLDER = ROOT / "fixtures" / "screens"
Screen = Callable[[Book, str], Frame]
Case = tuple[str, Screen, str, list[str], tuple[int, int]]
SIZES = [(80, 24), (100, 30), (120, 40)]
ID = "k7m2c4x9q0ab"
PLIES = {"poptrix": 21, "blockade": 31, "power-play": 60, "pyramid-ball": 28, "cube-pyramid": 30}
"""The demonstration matches, with the ply that is shown."""


def replayed(book: Book, slug: str) -> Replay:
    """Return the replay of a demonstration match, at a ply within it."""
    record = next(iter(read_records(rules_text.demo(registry.find(slug)))))
    assert isinstance(record, TextRecord)
    line = Line(book, import_record(book, record))
    return Replay(to_ply(Playback(line), PLIES[slug]), may_write=True)


def recorded(book: Book, _: str) -> Record:
    """Return the recording of a match of three plies, with a comment."""
    record = open_match(book, registry.find("poptrix"), players={1: "Jet", 2: "Red"})
    record = entering.play(book, record, ["M@c1", "S@c6", "c1>L@c3"])
    annotate(book, record, 3, Wording("Bold", ("!?",)), author="Jet")
    return Record(Session(book, record))


def pictures() -> Iterator[Case]:
    """Yield the name of each picture, its screen and game, the keys that are pressed, its size."""
    for slug in PLIES:
        for size in SIZES if slug == "poptrix" else SIZES[1:2]:
            yield f"replay-{slug}", replayed, slug, [], size
    for size in SIZES:
        yield "record", recorded, "", [], size
        yield "record-refused", recorded, "", ["'c6>S@c5", "enter"], size


def take(make: Screen, slug: str, keys: list[str], size: tuple[int, int]) -> str:
    """Return the text of a screen, with the same id in every run."""
    store = temporary_store()
    app = make(Book(store, now=lambda: 0), slug)
    shown = screen(app, keys, size)
    store.close()
    return re.sub(re.escape(app.playback.line.record.id), ID, shown) + "\n"


def file_of(name: str, size: tuple[int, int]) -> Path:
    """Return the file of a picture."""
    return FOLDER / f"{name}-{size[0]}x{size[1]}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, make, slug, keys, size in pictures():
        file_of(name, size).write_text(take(make, slug, keys, size), encoding="utf-8")
