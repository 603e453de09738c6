"""The command that replays a match: with keys in a terminal, frame after frame when piped."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Annotated, Final, NamedTuple

import typer

from cli.books import read_book
from cli.match_text import compose, describe_entry
from cli.output import Db, MatchId, in_colour
from domain.scene import Scene
from replay.annotations import annotated, by_ply
from replay.book import Book
from replay.errors import Usage
from replay.reading import stops, timeline
from replay.record.addresses import parse
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.tags.names import names_of

SLOWEST: Final = 0.125
FASTEST: Final = 64.0
"""The highest speed, in events per second."""

HELP: Final = "space plays, arrows step, n/p turn, home/end, +/- speed"

TYPED: Final = re.compile(r"\x1b[\[O]([0-9;]*[A-Za-z~])|(.)", re.DOTALL)
KEYS: Final = {
    " ": "pause", "n": "next turn", "p": "previous turn", "q": "quit",
    "+": "faster", "=": "faster", "-": "slower",
}  # fmt: skip
SEQUENCES: Final = {
    "C": "next", "D": "previous",
    "H": "home", "1~": "home", "7~": "home", "F": "end", "4~": "end", "8~": "end",
}  # fmt: skip
"""The actions of the escape sequences that terminals send for other keys."""


class ShownPly(NamedTuple):
    """A picture of the replay; the steps of an event come before its position."""

    ply: int
    scene: Scene
    caption: str


def replay(
    match: MatchId,
    start: Annotated[int, typer.Option("--from", min=0, help="The ply to begin at.")] = 0,
    speed: Annotated[float, typer.Option(min=0.1, max=100, help="Events a second.")] = 1.0,
    db: Db = None,
) -> None:
    """Play a match through, with keys in a terminal.

    Into a pipe it prints frame after frame.
    """
    with read_book(db) as book:
        record, last = book.at(parse(match))
        if start > last:
            raise Usage(f"the line of {record.id} has plies 0 to {last}, and none numbered {start}")
        reel = Reel(list(_pictures(book, record, last)), stops.turns(record), start, speed)
        with _keyboard() as keyboard:
            if keyboard is None:
                _print_all(record, reel)
            else:
                _play(record, reel, keyboard)
        print(describe_standing(record.match.at(last), names_of(book, record)))


class Reel:
    """The pictures of a match, the current one, and the speed of the replay."""

    def __init__(
        self, pictures: list[ShownPly], turns: list[int], start: int, speed: float
    ) -> None:
        self.pictures = pictures
        self.turns = turns
        self.speed = speed
        self.running = True
        self.at = 0
        if start:
            self._to(start)

    @property
    def shown(self) -> ShownPly:
        """The current picture."""
        return self.pictures[self.at]

    @property
    def has_ended(self) -> bool:
        """Whether the current picture is the last."""
        return self.at == len(self.pictures) - 1

    def press(self, action: str) -> bool:
        """Perform the action of a key, and return whether to continue."""
        if action == "pause":
            self._pause()
        elif action in ("faster", "slower"):
            factor = 2 if action == "faster" else 0.5
            self.speed = min(FASTEST, max(SLOWEST, self.speed * factor))
        elif action != "quit":
            self.running = False
            self._jump(action)
        return action != "quit"

    def tick(self) -> None:
        """Advance by one picture; stop at the end."""
        if self.has_ended:
            self.running = False
        else:
            self.at += 1
            self.running = not self.has_ended

    def _pause(self) -> None:
        if not self.running and self.has_ended:
            self.at = 0
        self.running = not self.running

    def _jump(self, action: str) -> None:
        last = len(self.pictures) - 1
        match action:
            case "next":
                self.at = min(last, self.at + 1)
            case "previous":
                self.at = max(0, self.at - 1)
            case "home":
                self.at = 0
            case "end":
                self.at = last
            case "next turn":
                self._to(stops.following(self.turns, self.shown.ply))
            case "previous turn":
                self._to(stops.preceding(self.turns, self.shown.ply))

    def _to(self, ply: int | None) -> None:
        """Go to the last picture of a ply."""
        if ply is not None:
            self.at = max(at for at, shown in enumerate(self.pictures) if shown.ply <= ply)


def keys(typed: str) -> Iterator[str]:
    """Yield the actions of typed characters; an arrow key is a sequence of characters."""
    for sequence, character in TYPED.findall(typed):
        action = SEQUENCES.get(sequence) if sequence else KEYS.get(character.lower())
        if action:
            yield action


class Keyboard(NamedTuple):
    """A terminal that delivers keys one by one."""

    descriptor: int

    def wait(self, seconds: float | None) -> str:
        """Return the characters typed within some seconds; `None` waits without limit."""
        import os
        import select

        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return ""
        # The end of the input counts as quitting.
        return os.read(self.descriptor, 64).decode(errors="replace") or "q"


@contextmanager
def _keyboard() -> Iterator[Keyboard | None]:
    """Switch the terminal to single keys and a second screen; yield `None` without a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and find_spec("termios")):
        yield None
        return
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        # A second screen without cursor and line wrap, until the end.
        sys.stdout.write("\x1b[?1049h\x1b[?25l\x1b[?7l")
        yield Keyboard(descriptor)
    finally:
        sys.stdout.write("\x1b[?7h\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _play(record: MatchRecord, reel: Reel, keyboard: Keyboard) -> None:
    """Show pictures in time, and react to keys, until the person quits."""
    while True:
        _draw(record, reel)
        typed = keyboard.wait(1 / reel.speed if reel.running else None)
        if not typed:
            reel.tick()
        elif not all(reel.press(action) for action in keys(typed)):
            return


def _draw(record: MatchRecord, reel: Reel) -> None:
    shown = reel.shown
    state = "playing" if reel.running else "paused"
    last = reel.pictures[-1].ply
    below = [f"{shown.ply}/{last}  {state}, {reel.speed:g} a second, q quits", HELP]
    told = f"{record.id}@{shown.ply}  {shown.caption}"
    lines = compose(shown.scene, [told], below).split("\n")
    # Overwriting line by line flickers less than clearing the screen.
    sys.stdout.write("\x1b[H" + "\x1b[K\n".join(lines) + "\x1b[J")
    sys.stdout.flush()


def _print_all(record: MatchRecord, reel: Reel) -> None:
    """Print every picture: at once into a pipe, in time on a terminal without keys."""
    from replay.drawing import text

    live = sys.stdout.isatty()
    while True:
        clear = "\x1b[H\x1b[2J" if live else ""
        caption = f"{record.id}@{reel.shown.ply}  {reel.shown.caption}"
        print(f"{clear}{caption}\n{text.draw(reel.shown.scene, colour=in_colour())}", flush=True)
        if reel.has_ended:
            return
        if live:
            time.sleep(1 / reel.speed)
        reel.tick()


def _pictures(book: Book, record: MatchRecord, last: int) -> Iterator[ShownPly]:
    names = names_of(book, record)
    captions = [
        "the start",
        *(describe_entry(each, names) for each in timeline.entries(record, names=names)),
    ]
    remarks = by_ply(book, record)
    for ply in range(last + 1):
        scene = timeline.point(record, ply, names=names).scene
        for step in scene.frames:
            yield ShownPly(ply, step, captions[ply])
        yield ShownPly(ply, annotated(scene, remarks.get(ply, ())), captions[ply])
