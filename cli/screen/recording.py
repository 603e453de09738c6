"""The screen of `plybook record`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import takewhile
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from cli.recording_session import QUIT, Reply, Session
from cli.screen.frame import Board, Frame, Help, Moves
from cli.screen.line import Line
from cli.screen.palette import ACCENT, FAINT, REFUSED
from cli.screen.playback import Playback, act, end, to_ply

KEYS: Final = (
    ("Tab", "complete "), ("PgUp PgDn", "look back "), ("takeback", ""), ("legal", ""),
    ("annotate", ""), ("help", ""), ("Ctrl-C", "clear, leave "),
)  # fmt: skip
"""The keys and words of the foot line, with their meanings."""


class Prompt(Input):
    """The line on which moves are typed; Tab completes the last word."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.complete", show=False),
        Binding("ctrl+c", "app.interrupt", show=False),
        Binding("pageup", "app.look('back')", show=False),
        Binding("pagedown", "app.look('forward')", show=False),
        Binding("up", "app.recall", show=False),
    ]


class Record(Frame):
    """A match that is recorded: the latest position, and a prompt below it."""

    CSS = Frame.CSS + "#told.-refused { border: round $error; border-title-color: $error; }"

    def __init__(self, session: Session) -> None:
        super().__init__(end(Playback(Line(session.book, session.record))))
        self.session = session
        self.reply = Reply((*session.secrecy,))
        self.unseen: int | None = None
        """The seat that is asked for a hidden move."""
        self.typed = ""
        """The line that was entered last."""

    def make_prompt(self) -> Input:
        """Return the line on which moves are typed."""
        return Prompt(id="prompt", compact=True)

    def on_mount(self) -> None:
        """Ask for the first move."""
        super().on_mount()
        self.query_one(Prompt).focus()

    def draw(self) -> None:
        """Draw every pane, and name the players who must act at the prompt."""
        super().draw()
        prompt, told = self.query_one(Prompt), self.query_one("#told")
        seat = self.unseen
        prompt.password = seat is not None
        whose = self.session.prompt if seat is None else f"{self.session.names[seat]}, unseen"
        self.query_one("#asked", Static).update(f"{whose} ▸")
        prompt.placeholder = self.session.notation[0] if self.session.notation else ""
        told.set_class(bool(self.reply.refusal), "-refused")
        if self.reply.refusal:
            told.border_title = "refused"

    def words(self) -> Text:
        """Return the refusal, or the reply to the last line and the possible input."""
        if self.reply.refusal:
            first, *rest = self.reply.refusal
            refused = Text(first.removeprefix("refused: "), Style(color=REFUSED, bold=True))
            return Text("\n").join([refused, *map(Text, rest)])
        if self.reply.told and not self.reply.entered:
            return Text("\n".join(self.reply.told))
        if self.unseen is not None:
            return Text("\n".join(self.session.notation))
        return super().words()

    def foot(self, columns: int) -> Text:
        """Return the keys and words that have an effect now, as many as fit on a line."""
        line = Text()
        for key, meaning in KEYS:
            word = Text.assemble((f" {key} ", Style(color=ACCENT, bold=True)), (meaning, FAINT))
            if line.cell_len + word.cell_len <= columns:
                line.append_text(word)
        return line

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Execute the line in a thread, because a search for missing moves takes seconds."""
        prompt = self.query_one(Prompt)
        line, prompt.value = event.value.strip(), ""
        if self.unseen is not None:
            seat, self.unseen = self.unseen, None
            enter = self.session.enter_unseen
            self._answer(await asyncio.to_thread(enter, seat, line) if line else Reply())
        elif line.lower() == QUIT:
            self.exit()
        elif line.lower() in ("help", "?"):
            self.push_screen(Help(Text("\n".join(self.session.run(line).told))))
        else:
            self.typed = line
            self._answer(await asyncio.to_thread(self.session.run, line))

    def _answer(self, reply: Reply) -> None:
        """Show the result of a line."""
        self.reply, self.unseen = reply, reply.seat
        if reply.changed:
            self.playback = end(Playback(Line(self.session.book, self.session.record)))
        self.query_one("#told").scroll_home(animate=False)
        self.draw()

    def action_complete(self) -> None:
        """Complete the last word up to where several continuations are possible, and list these."""
        prompt = self.query_one(Prompt)
        before, space, word = prompt.value.rpartition(" ")
        if self.unseen is not None:
            word, before, space = f"{self.unseen}:{prompt.value}", "", ""
        found = self.session.completions(word)
        longest = _common_beginning(found) or word
        if self.unseen is not None:
            longest = longest.partition(":")[2]
        prompt.value = f"{before}{space}{longest}"
        prompt.cursor_position = len(prompt.value)
        if len(found) > 1 and self.unseen is None:
            self._answer(Reply(("  ".join(found),)))

    def action_interrupt(self) -> None:
        """Clear the line; leave if it is empty."""
        prompt = self.query_one(Prompt)
        if prompt.value or self.unseen is not None:
            prompt.value = ""
            self._answer(Reply())
        else:
            self.exit()

    def action_recall(self) -> None:
        """Type the last line again."""
        prompt = self.query_one(Prompt)
        prompt.value = self.typed
        prompt.cursor_position = len(prompt.value)

    def action_look(self, way: str) -> None:
        """Look at another position; the next entry continues at the end."""
        self.reply = Reply()
        self.show(act(self.playback, way))

    def on_moves_picked(self, message: Moves.Picked) -> None:
        """Look at a clicked move."""
        self.reply = Reply()
        self.show(to_ply(self.playback, message.ply))

    def on_board_rolled(self, message: Board.Rolled) -> None:
        """Look back or forward with the wheel."""
        self.action_look("forward" if message.way > 0 else "back")


def _common_beginning(words: Sequence[str]) -> str:
    """Return the longest text that all words begin with."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*words, strict=False))
    return "".join(letters[0] for letters in same)
