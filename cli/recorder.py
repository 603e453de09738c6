"""Record a match in a terminal: a board, a prompt, and explained refusals."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import re
import sys
from collections.abc import Sequence
from typing import Final

from cli.match_text import compose, describe_clocks, describe_entry, status, wrapped
from cli.stood import advise
from domain.entry.tokens import as_stood
from domain.names import Names
from domain.position import Secret, Violation
from replay.book import Book
from replay.corrections import takebacks
from replay.errors import PlybookError, Refused, Stale
from replay.reading import hints, timeline
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.referee import describe, explain, respell
from replay.tags.names import names_of, seats

KEYS: Final = "Tab completes; legal, undo, board, help, quit"
HELP: Final = """\
  Type a move as it is made, or several on a line.
  legal  lists the moves there are; Tab completes them
  undo   takes the last event back
  stood  with a move: it broke a rule and stood; with the position after it, if asked
  board  draws the board again
  quit   leaves; everything entered is kept
  Others: 1:resign 1:offer-draw 2:accept-draw 1:flag roll
          ruled=+1 ruled== ruled=*"""
QUIT: Final = "quit"
STOOD: Final = "stood"
COMMANDS: Final = ("legal", "undo", STOOD, "board", "help", QUIT)
FORM: Final = "form"
"""The pseudo clause of a text that is not a token."""
UNSEEN: Final = re.compile("([1-9]):")
"""A seat alone, which asks for a hidden prompt."""


class Recorder:
    """A recording session: reads lines until `quit` or the end of the input."""

    def __init__(self, book: Book, record: MatchRecord) -> None:
        self.book = book
        self.record = record
        self.interactive = sys.stdin.isatty()
        self.refusals = 0
        self.completions: list[str] = []

    @property
    def names(self) -> Names:
        """The names of the players."""
        return names_of(self.book, self.record)

    def run(self) -> int:
        """Record until the session ends, and return the number of refused entries."""
        if self.interactive:
            self._completion()
        self.board(self._greeting())
        while (line := self._ask()).lower() != QUIT:
            try:
                self._run_line(line)
            except Stale:
                self.record = self.book.open(self.record.id)
                self.refusals += 1
                self.board(["somebody else has entered something; look, and try again"])
            except Refused as refused:
                print(wrapped(explain(describe(refused, None, self.names))))
                self._advise(refused, line)
                self.refusals += 1
            except PlybookError as error:
                print(wrapped(str(error)))
                self.refusals += 1
        return self.refusals

    def board(self, told: Sequence[str] = ()) -> None:
        """Draw the position, and print sentences about it and the awaited players."""
        point = timeline.point(self.record, self.record.ply(), names=self.names)
        standing = [status(self.record, self.names), describe_clocks(self.record, self.names)]
        print(f"\n{compose(point.scene, told, filter(None, standing), free=2)}")

    def _greeting(self) -> list[str]:
        """Name the match, the keys, and the way to enter a secret move."""
        if not self.interactive:
            return []
        players = " - ".join(self.names.title(seat) for seat in seats(self.record))
        match = f"{self.record.game.name} {self.record.id}  {players}"
        return [match, *self._secrecy(), KEYS]

    def _secrecy(self) -> list[str]:
        if not any(issubclass(move, Secret) for move in self.record.game.moves):
            return []
        who = " or ".join(f"{seat}: for {self.names[seat]}" for seat in seats(self.record))
        return [f"To enter a move unseen, type {who}, and press Enter"]

    def _ask(self) -> str:
        try:
            return input(f"{self._prompt()}> " if self.interactive else "").strip()
        except EOFError:
            return QUIT

    def _prompt(self) -> str:
        state = self.record.state
        if state.outcome is not None:
            return "over"
        awaited = dict.fromkeys(one.seat for one in state.position.awaiting() if one.must)
        return " / ".join(self.names[seat] for seat in awaited)

    def _run_line(self, line: str) -> None:
        match line.lower():
            case "":
                pass
            case "help" | "?":
                print(wrapped("\n".join([HELP, *(f"  {each}" for each in self._secrecy())])))
            case "legal":
                print(wrapped(" ".join(self._legal()) or "nothing that can be listed"))
            case "board":
                self.board()
            case "undo":
                last = len(self.record.match.line)
                self.record = takebacks.take_back(self.book, self.record, last - 1)
                self.board()
            case _ if line.lower().startswith(f"{STOOD} "):
                self._enter_stood(*line.split(maxsplit=2)[1:])
            case _ if self.interactive and (seat := UNSEEN.fullmatch(line)):
                self._enter_unseen(int(seat[1]))
            case _:
                self._enter(line.split())

    def _enter_unseen(self, seat: int) -> None:
        """Enter a move typed without an echo; print nothing that reveals it."""
        import getpass

        try:
            typed = getpass.getpass(f"{self.names[seat]}, unseen> ")
        except EOFError:
            print()
            return
        try:
            self._enter([f"{seat}:{''.join(typed.split())}"])
        except Refused as refused:
            secret = Violation(refused.violation.clause, self._hint(refused.violation))
            raise Refused(secret, refused.match, refused.seat) from None

    def _hint(self, violation: Violation) -> str:
        """Explain the refusal of a secret move without revealing the move."""
        kinds = [move for move in self.record.game.moves if issubclass(move, Secret)]
        if violation.clause != FORM or not kinds:
            standing = status(self.record, self.names)
            return f"what was typed unseen cannot be entered; {standing}"
        examples = ", ".join(f"{kind.example} ({kind.what})" for kind in kinds)
        return f"that is no move of {self.record.game.name}; unseen ones look like {examples}"

    def _enter_stood(self, typed: str, position: str | None = None) -> None:
        """Record an illegal move that the players accepted."""
        self._enter([as_stood(respell(self.record.game, typed), position)])

    def _advise(self, refused: Refused, line: str) -> None:
        """Print how to record the refused move if the players accepted it."""
        token = line.split()[refused.index]
        entered = f"{STOOD} {token}"
        advice = advise(refused, token, entered, f"{entered} POSITION")
        if advice is not None:
            print(advice)

    def _enter(self, typed: Sequence[str]) -> None:
        before = self.record
        entries = [respell(before.game, entry) for entry in typed]
        self.record = entering.play(self.book, before, entries)
        told = timeline.entries(self.record, None, len(before.match.line), self.names)
        self.board([describe_entry(entered, self.names) for entered in told])

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
        parts = hints.entry(self.record, None, text).continuations
        return [*parts, *(word for word in COMMANDS if word.startswith(text))]

    def _legal(self) -> list[str]:
        return hints.legal_tokens(self.record.header, self.record.match)
