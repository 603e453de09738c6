"""Record a match in a terminal: a board, a prompt, and explained refusals."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from typing import Final

from cli.match_text import describe_clocks, describe_in_detail, draw, status
from domain.position import Secret
from replay.book import Book
from replay.corrections import takebacks
from replay.errors import PlybookError, Refused, Stale
from replay.match_record import MatchRecord
from replay.names import names_of
from replay.reading import hints, timeline
from replay.referee import entering
from replay.referee.refusal import describe, explain

HELP: Final = """\
  Type moves as they are made, several on a line if you like.  Tab completes them.
  legal   the moves there are        undo   take the last event back
  board   draw the board again       quit   leave; everything entered is kept
  Others: 1:resign  1:offer-draw  2:accept-draw  ruled=+1  ruled==  ruled=*  1:flag  roll"""
SECRECY: Final = "  To enter a move in secret type just your seat, like 1: and press enter."
COMMANDS: Final = ("legal", "undo", "board", "help", "quit")


class Recorder:
    """A recording session: reads lines until `quit` or the end of the input."""

    def __init__(self, book: Book, recorded: MatchRecord) -> None:
        self.book = book
        self.recorded = recorded
        self.interactive = sys.stdin.isatty()
        self.refusals = 0
        self.completions: list[str] = []

    def run(self) -> int:
        """Record until the session ends, and return the number of refused entries."""
        if self.interactive:
            self._completion()
            print(HELP)
        self.board()
        while (line := self._ask()) not in (None, "quit"):
            try:
                self._run_line(line or "")
            except Stale:
                self.recorded = self.book.open(self.recorded.id)
                print("somebody else has entered something; look at the board and try again")
                self.refusals += 1
                self.board()
            except PlybookError as error:
                print(error)
                self.refusals += 1
        return self.refusals

    def board(self) -> None:
        """Draw the position, and print who is awaited."""
        names = names_of(self.book, self.recorded)
        print(f"\n{draw(self.recorded, names)}\n{status(self.recorded, names)}")
        if clocks := describe_clocks(self.recorded, names):
            print(clocks)

    def _ask(self) -> str | None:
        try:
            line = input(f"{self._prompt()}> " if self.interactive else "").strip()
            if self.interactive and line[:-1].isdigit() and line.endswith(":"):
                import getpass

                line += getpass.getpass(f"seat {line[:-1]}, unseen> ").strip()
        except EOFError:
            return None
        return line

    def _prompt(self) -> str:
        state = self.recorded.state
        if state.outcome is not None:
            return "over"
        seats = [str(one.seat) for one in state.position.awaiting() if one.must]
        return f"seat {'/'.join(seats)}"

    def _run_line(self, line: str) -> None:
        match line:
            case "":
                pass
            case "help" | "?":
                print(HELP)
                if any(issubclass(move, Secret) for move in self.recorded.game.moves):
                    print(SECRECY)
            case "legal":
                print(" ".join(self._legal()) or "nothing that can be listed")
            case "board":
                self.board()
            case "undo":
                last = len(self.recorded.match.line)
                self.recorded = takebacks.take_back(self.book, self.recorded, last - 1)
                self.board()
            case _:
                self._enter(line.split())

    def _enter(self, entries: list[str]) -> None:
        before = self.recorded
        try:
            self.recorded = entering.play(self.book, before, entries)
        except Refused as refused:
            self.refusals += 1
            names = names_of(self.book, before)
            print(explain(describe(refused, entries[refused.index], names)))
            return
        names = names_of(self.book, self.recorded)
        for entered in timeline.entries(self.recorded, None, len(before.match.line), names):
            print(describe_in_detail(entered, names))
        self.board()

    def _completion(self) -> None:
        """Complete moves part by part on the tab key, if the terminal supports it."""
        try:
            import readline
        except ImportError:
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, number: int) -> str | None:
        # readline asks for one completion after the other, beginning with number 0.
        if number == 0:
            self.completions = self._fitting(text)
        return self.completions[number] if number < len(self.completions) else None

    def _fitting(self, text: str) -> list[str]:
        parts = hints.entry(self.recorded, None, text).continuations
        return [*parts, *(word for word in COMMANDS if word.startswith(text))]

    def _legal(self) -> list[str]:
        return hints.legal_tokens(self.recorded.header, self.recorded.match)
