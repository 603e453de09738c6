"""Record a match with plain lines: a board, a prompt, and explained refusals."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Sequence
from typing import Final

from cli.match_text import compose, describe_clocks, status, wrapped
from cli.recording_session import QUIT, Reply, Session
from replay.reading import timeline

KEYS: Final = "Tab completes; legal, takeback, board, help, quit"


class Recorder:
    """Reads the lines of a session until `quit` or the end of the input."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.interactive = sys.stdin.isatty()
        self.interrupted = False
        self.completions: list[str] = []

    def run(self) -> None:
        """Record what a person types until the session ends."""
        if self.interactive:
            self._complete_on_tab()
            self._print_board([self.session.title, *self.session.secrecy, KEYS])
        else:
            self._print_board()
        while (line := self._ask()).lower() != QUIT:
            self._print(self._reply(line))

    def _reply(self, line: str) -> Reply:
        reply = self.session.run(line)
        if reply.seat is None:
            return reply
        if not self.interactive:
            return self.session.enter_unseen(reply.seat, "")
        return self._ask_unseen(reply.seat)

    def _ask_unseen(self, seat: int) -> Reply:
        """Enter a move typed without an echo."""
        import getpass

        try:
            typed = getpass.getpass(f"{self.session.names[seat]}, unseen> ")
        except EOFError:
            print()
            return Reply()
        return self.session.enter_unseen(seat, typed)

    def _print(self, reply: Reply) -> None:
        if reply.refusal:
            print("\n".join(map(wrapped, reply.refusal)))
        elif reply.changed:
            self._print_board(reply.told)
        elif reply.told:
            print("\n".join(map(wrapped, reply.told)))

    def _print_board(self, told: Sequence[str] = ()) -> None:
        """Draw the position, and print sentences about it and the awaited players."""
        record, names = self.session.record, self.session.names
        point = timeline.point(record, record.ply(), names=names)
        standing = [status(record, names), describe_clocks(record, names)]
        print(f"\n{compose(point.scene, told, filter(None, standing), free=2)}")

    def _ask(self) -> str:
        """Read a line. Ctrl-C discards the typed text; a second one leaves."""
        try:
            line = input(f"{self.session.prompt}> " if self.interactive else "").strip()
        except EOFError:
            return QUIT
        except KeyboardInterrupt:
            print()
            self.interrupted = not self.interrupted
            return "" if self.interrupted else QUIT
        self.interrupted = False
        return line

    def _complete_on_tab(self) -> None:
        """Complete moves part by part on the tab key, if the terminal supports it."""
        try:
            import readline
        except ImportError:
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims(" ")
        libedit = "libedit" in (readline.__doc__ or "")  # as on macOS
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")

    def _complete(self, text: str, number: int) -> str | None:
        # readline asks for completions one at a time, beginning with number 0.
        if number == 0:
            self.completions = self.session.completions(text)
        return self.completions[number] if number < len(self.completions) else None
