"""The screen of `plybook replay`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Input, Static

from cli.output import suggest
from cli.recording_session import wording_of
from cli.screen import keys
from cli.screen.frame import Board, Frame, Help, Moves
from cli.screen.line import Line
from cli.screen.playback import Playback, act, find, to_ply
from replay.annotations.editing import annotate
from replay.branches.forks import fork
from replay.errors import PlybookError

BOUND = {
    "left,k": "back", "right,j": "forward", "space": "pause", "n": "next_turn",
    "p": "previous_turn", "home,g": "home", "end,G": "end", "c": "next_comment",
    "plus,equals_sign": "faster", "minus": "slower",
}  # fmt: skip
"""The keys of a playback's actions."""

ASKED = {"search": "find", "goto": "ply", "annotate": "annotate"}
"""The actions that ask for a text, with the title of the prompt."""


class Replay(Frame):
    """A match to replay; `may_write` says whether it can be annotated and forked."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"act('{action}')", show=False) for key, action in BOUND.items()),
        Binding("slash", "ask('search')", show=False),
        Binding("colon", "ask('goto')", show=False),
        Binding("a", "ask('annotate')", show=False),
        Binding("v", "vary", show=False),
        Binding("x", "fork", show=False),
        Binding("question_mark", "help", show=False),
        Binding("escape", "close", show=False),
        Binding("q", "quit", show=False, priority=False),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]
    CSS = Frame.CSS + "#entry { display: none; } #entry.-asked { display: block; }"

    def __init__(self, playback: Playback, *, may_write: bool) -> None:
        super().__init__(playback)
        self.may_write = may_write
        self.main: Playback | None = None
        """The playback that a variation was entered from."""
        self.asked = ""
        self.sought = ""
        self.ticking: Timer | None = None

    def on_mount(self) -> None:
        """Begin to play the match on the screen."""
        super().on_mount()
        self._keep_time()

    def foot(self, columns: int) -> Text:
        """Return the keys that have an effect now."""
        return keys.foot(self.playback, frozenset(self._possible()), columns)

    def _possible(self) -> Iterator[str]:
        now = self.playback
        if now.line.last:
            yield from ("search", "goto")
        if self.main is not None or self._variation_ply() is not None:
            yield "vary"
        if self.may_write and not now.is_step:
            yield "annotate"
            if not now.line.record.match.at(now.ply).position.sealed:
                yield "fork"

    def _variation_ply(self) -> int | None:
        """Return the ply after which a variation leaves: before the current move, or after it."""
        at = self.playback.ply
        return next((ply for ply in (at - 1, at) if ply in self.playback.line.variations), None)

    def show(self, playback: Playback) -> None:
        """Show another picture, and time the next one."""
        super().show(playback)
        self._keep_time()

    def _keep_time(self) -> None:
        if self.ticking is not None:
            self.ticking.stop()
        running, speed = self.playback.running, self.playback.speed
        self.ticking = self.set_timer(1 / speed, self._tick) if running else None

    def _tick(self) -> None:
        self.show(self.playback.tick())

    def action_act(self, action: str) -> None:
        """Do the action of a key."""
        self.show(act(self.playback, action))

    def on_moves_picked(self, message: Moves.Picked) -> None:
        """Go to a clicked move."""
        self.show(to_ply(self.playback, message.ply))

    def on_board_rolled(self, message: Board.Rolled) -> None:
        """Step with the wheel."""
        self.action_act("forward" if message.way > 0 else "back")

    def action_vary(self) -> None:
        """Enter a variation, or go back to where it was entered."""
        leaves, now = self._variation_ply(), self.playback
        if self.main is not None:
            main, self.main = self.main, None
            self.show(main)
        elif leaves is not None:
            self.main = now
            line = Line(now.line.book, now.line.variations[leaves])
            self.show(to_ply(Playback(line, speed=now.speed), leaves + 1))
        else:
            self.notify("No variation leaves the line here.")

    def action_fork(self) -> None:
        """Fork the match after the current ply."""
        if "fork" not in self._possible():
            return
        now = self.playback
        self._write(lambda: self._fork(now))

    def _fork(self, now: Playback) -> None:
        made = fork(now.line.book, now.line.record, now.ply)
        self.notify(f"Play on with: {suggest('record', made.id)}", title="Forked", timeout=15)
        self._reread()

    def _write(self, write: Callable[[], None]) -> None:
        """Write to the book, and show a refusal."""
        try:
            write()
        except PlybookError as error:
            self.notify(str(error), severity="error", timeout=10)

    def _reread(self) -> None:
        """Read the annotations and variations again."""
        now = self.playback
        line = Line(now.line.book, now.line.record, now.line.last)
        self.show(Playback(line, now.ply, now.step, now.speed))

    def action_ask(self, action: str) -> None:
        """Ask for a text."""
        if action not in self._possible():
            return
        self.asked = action
        self.query_one("#asked", Static).update(ASKED[action])
        self.query_one("#entry").add_class("-asked")
        prompt = self.query_one(Input)
        prompt.value = ""
        prompt.focus()

    def action_close(self) -> None:
        """Close the prompt."""
        self.query_one("#entry").remove_class("-asked")
        self.set_focus(None)

    def action_interrupt(self) -> None:
        """Clear the line; close the prompt if the line is empty; leave if there is no prompt."""
        prompt = self.query_one(Input)
        if not self.query_one("#entry").has_class("-asked"):
            self.exit()
        elif prompt.value:
            prompt.value = ""
        else:
            self.action_close()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do the action of a key."""
        self.action_close()
        text = event.value.strip()
        match self.asked:
            case "search":
                self._search(text or self.sought)
            case "goto" if text.isdecimal():
                self.show(to_ply(self.playback, int(text)))
            case "goto":
                last = self.playback.line.last
                self.notify(f"{text!r} is not a ply; use a number from 0 to {last}.")
            case "annotate" if text:
                self._write(lambda: self._annotate(text))

    def _search(self, words: str) -> None:
        self.sought = words
        found = find(self.playback, words)
        if found == self.playback:
            self.notify(f"{words!r} occurs on no other ply.")
        self.show(found)

    def _annotate(self, text: str) -> None:
        line = self.playback.line
        annotate(line.book, line.record, self.playback.ply, wording_of(text))
        self._reread()

    def action_help(self) -> None:
        """List the keys."""
        self.push_screen(Help(keys.listed()))
