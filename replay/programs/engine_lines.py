"""The lines that an engine gets: the match as its seat sees it, and the question for a move.

`new`, `play`, `undo` and `set` mean the same as for the referee. `sealed SEAT` is a secret move
that the seat does not see; once it is revealed it is undone and played. `go SEAT MOVE …` asks for a
move and lists the legal moves, or a sample of secret moves; the engine answers `play MOVE`.
`refused MOVE …` says why its move was refused, in a match that counts such tries. The engine
answers no other line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from domain.entry import move_text
from domain.entry.move_text import ADJUSTED, SplitText
from domain.events import State
from domain.match import open_match
from domain.position import Violation
from replay import registry
from replay.errors import Usage
from replay.search.seat_view import SealedMove, SeenLine

QUIT: Final = "quit"
SET: Final = "set "
NOW: Final = "; now "
"""The words before the position in the note of an adjustment."""


def opening(
    game: str, seats: int, options: Mapping[str, Any], position: str | None = None
) -> list[str]:
    """Return the lines that begin a match, at a position if it is not the usual start."""
    settings = (f"{name}={value}" for name, value in options.items())
    begun = " ".join(("new", game, f"seats={seats}", *settings))
    return [begun] if position is None else [begun, SET + position]


def line_of(seat: int | None, text: str | None, note: str = "") -> str:
    """Return the line of an event: its seat, its move text unless it is hidden, and its note."""
    if text is None:
        return f"sealed {seat}"
    if text == ADJUSTED:
        return SET + note.rpartition(NOW)[2]
    return f"play {SplitText(seat, move_text.split(text).body)}"


def question(seat: int, offered: Sequence[str]) -> str:
    """Return the line that asks a seat for a move, with moves that it may choose."""
    return " ".join(("go", str(seat), *offered))


def refusal(text: str, message: str) -> str:
    """Return the line that reports a refused move."""
    return " ".join(("refused", text, *message.split()))


def changes(sent: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """Yield the lines that bring an engine from one state of knowledge to another.

    Both begin with the lines of `opening`.
    """
    pairs = enumerate(zip(sent, wanted, strict=False))
    differ = (place for place, (one, other) in pairs if one != other)
    common = next(differ, min(len(sent), len(wanted)))
    undone = sent[common:]
    if common == 0 or any(line.startswith(SET) for line in undone):
        common = 0
    elif undone:
        yield f"undo {len(undone)}"
    yield from wanted[common:]


def chosen(answer: str) -> str:
    """Return the move text in an engine's answer. Raises `Usage`."""
    word, _, text = answer.strip().partition(" ")
    if word != "play" or not text or len(text.split()) != 1:
        raise Usage(f"{answer[:100]!r} is not a valid answer of an engine; use play MOVE")
    return text


class SeenMatch:
    """The knowledge from the lines `new`, `play`, `sealed`, `set` and `undo` so far."""

    def __init__(self) -> None:
        self.seats = 0
        self._seen: list[SeenLine | None] = [None]

    @property
    def line(self) -> SeenLine | None:
        """The line as it was seen; `None` before `new`, and after a line that contradicts it."""
        return self._seen[-1]

    def take(self, line: str) -> None:
        """Take a line; any line but `new`, `play`, `sealed`, `set` and `undo` is ignored."""
        word, _, rest = line.partition(" ")
        match word:
            case "new":
                self._open(rest.split())
            case "set":
                self._note(lambda seen: SeenLine(_at(seen.known, rest)))
            case "play":
                self._note(lambda seen: _then(seen, rest))
            case "sealed":
                self._note(lambda seen: seen.then(SealedMove(int(rest))))
            case "undo":
                del self._seen[-int(rest) :]

    def _open(self, words: list[str]) -> None:
        name, *settings = words
        options = dict(each.split("=", 1) for each in settings)
        game, self.seats = registry.find(name), int(options.pop("seats"))
        match = open_match(game, game.read_options(options), self.seats)
        self._seen = [SeenLine(match.state)]

    def _note(self, follow: Callable[[SeenLine], SeenLine | None]) -> None:
        self._seen.append(follow(self.line) if self.line else None)


def _at(state: State, position: str) -> State:
    read = state.game.read_position(state.position, position)
    return State(state.game, read, read.outcome())


def _then(seen: SeenLine, text: str) -> SeenLine | None:
    """Return the line with a move, or `None` if it contradicts the known moves."""
    event = move_text.read(seen.known.game, seen.known, text)
    if isinstance(event, Violation) or not (seen.later or event.check(seen.known) is None):
        return None
    return seen.then(event)
