"""The referee for programs: each line is a request, answered by one line of JSON.

The match is in memory only. The program that sends the lines enters the moves of all
seats, dice and secret moves too, so nothing is withheld from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.entry import move_text
from domain.events import Forfeited, Moved
from domain.log_edits import TakenBack, found_by_rules
from domain.match import Match
from domain.perft import TooMany, perft
from domain.position import Awaited, OutcomeValue
from domain.reconstruction import dashes
from replay import registry
from replay.drawing import text
from replay.errors import Refused, Usage
from replay.fields import MAX_TRIES
from replay.reading import hints
from replay.reading.hints import SecretMoves
from replay.referee import dry_run, tries
from replay.referee.dry_run import Judgement, judgement
from replay.referee.entering import judge_texts
from replay.referee.referee import RefusedEvent, describe, near

MAX_LINE: Final = 65_536
"""The longest line, in bytes."""
MAX_PLIES: Final = 10_000
"""The most plies of a match."""
MAX_LEGAL: Final = 10_000
"""The most moves that `legal` lists."""
MAX_DEPTH: Final = 100
OF_SEAT: Final = "seat="
LISTED: Final = "listed"
WITHHELD: Final = "withheld"
MAX_COUNT: Final = 1_000_000
"""The most moves that `perft` counts."""

MEANINGS: Final = {
    "new GAME [seats=N] [tries=N] [legal=withheld] [OPTION=VALUE …]": "begins a match of a game",
    "play [seat=N] MOVE …": "plays moves of a seat, all or none",
    "try [seat=N] MOVE …": "judges moves without playing them",
    "legal": "lists the legal moves",
    "undo [N]": "takes back the last plies, by default one",
    "position": "writes the position as text",
    "set POSITION": "begins again at a position, with the same game, seats and options",
    "show [SEAT]": "draws the board, as a seat or as a spectator sees it",
    "perft N": "counts the sequences of N moves",
    "help": "lists these",
    "quit": "ends the program, as does the end of the input",
}
"""The requests, with their meanings."""


UNKNOWN: Final = "the position after a dash is not known; undo the dash, or play on"


class FoundMove(Struct, frozen=True):
    """The move at a ply that a dash must have been."""

    ply: int
    text: str


class Done(Struct, frozen=True):
    """The answer to a successful request: the data that it asked for, and the state after it.

    `events` are those judged now, `sealed` the seats whose secret moves a text or a drawing omits.
    `reconstructed` are the moves that a dash must have been, as exactly one legal line fits now.
    """

    ok: bool = True
    game: str | UnsetType = UNSET
    seats: int | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    ply: int | UnsetType = UNSET
    events: Sequence[Judgement] | UnsetType = UNSET
    reconstructed: Sequence[FoundMove] | UnsetType = UNSET
    legal: Sequence[str] | UnsetType = UNSET
    secret: dict[str, list[SecretMoves]] | UnsetType = UNSET
    position: str | UnsetType = UNSET
    board: str | UnsetType = UNSET
    count: int | UnsetType = UNSET
    sealed: tuple[int, ...] | UnsetType = UNSET
    requests: Mapping[str, str] | UnsetType = UNSET
    awaiting: tuple[Awaited, ...] | UnsetType = UNSET
    outcome: dict[str, OutcomeValue] | UnsetType | None = UNSET


class RefereeLines:
    """A match that a program plays line by line; `ended` after `quit`."""

    def __init__(self) -> None:
        self.ended = False
        self._match: Match | None = None
        self._withheld = False
        self._tries: int | None = None
        self._refused = Counter[int | None]()
        self._requests: dict[str, Callable[[str], Done]] = {
            "new": self._new,
            "play": self._play,
            "try": self._try,
            "legal": self._legal,
            "undo": self._undo,
            "position": self._position,
            "set": self._set,
            "show": self._show,
            "perft": self._perft,
            "help": lambda _: Done(requests=MEANINGS),
            "quit": self._quit,
        }

    def answer(self, line: bytes) -> bytes:
        """Return the answer to a line, as a line of JSON without its end. Never fails."""
        return msgspec.json.encode(self._answered(line))

    def _answered(self, line: bytes) -> Done | RefusedEvent:
        try:
            return self._carry_out(line)
        except Refused as refused:
            request, *typed = line.decode().split()
            wrong = [each for each in typed if not each.startswith(OF_SEAT)][refused.index]
            is_told = self._tries is None and not self._withheld
            found = describe(refused, wrong, near=near(refused, wrong) if is_told else ())
            return self._counted(refused, found) if request == "play" else found
        except Usage as error:
            return RefusedEvent(0, None, None, "form", None, str(error), ())

    def _counted(self, refused: Refused, found: RefusedEvent) -> RefusedEvent:
        """Count a refused try, if the match does; after the last one the seat forfeits."""
        if self._tries is None or refused.seat is None or not tries.is_try(refused):
            return found
        self._refused[refused.seat] += 1
        left = self._tries - self._refused[refused.seat]
        if not left:
            self._match = self.match.evolve(Forfeited(refused.seat))
        return replace(found, tries_left=left)

    def _carry_out(self, line: bytes) -> Done:
        if len(line) > MAX_LINE:
            raise Usage(f"this line is too long; a line has at most {MAX_LINE} bytes")
        try:
            request, _, rest = line.decode().strip().partition(" ")
        except UnicodeDecodeError:
            raise Usage("this line is not text in UTF-8") from None
        found = self._requests.get(request)
        if found is None:
            known = ", ".join(self._requests)
            raise Usage(f"{request[:40]!r} is not a valid request; use one of {known}")
        return found(rest.strip())

    @property
    def match(self) -> Match:
        """The match that the program has begun. Raises `Usage` before `new`."""
        if self._match is None:
            raise Usage(f"no match yet; begin one, like new {registry.EXAMPLE}")
        return self._match

    def _new(self, rest: str) -> Done:
        name, *settings = rest.split() or [""]
        pairs = dict(each.partition("=")[::2] for each in settings)
        if len(pairs) < len(settings) or not all("=" in each for each in settings):
            raise Usage(f"{rest[:100]!r} is not a valid game with settings; use GAME NAME=VALUE …")
        seats = pairs.pop("seats", None)
        withheld = _one_of(pairs.pop("legal", LISTED), "legal", (LISTED, WITHHELD)) == WITHHELD
        most = pairs.pop("tries", None)
        allowed = None if most is None else _number(most, "number of tries", MAX_TRIES)
        if allowed == 0:
            raise Usage("0 is not a valid number of tries; use 1 or more")
        game = registry.find(name)
        number = None if seats is None else _number(seats, "number of seats", 9)
        match = self._match = dry_run.start(game, pairs, number)
        self._withheld, self._tries = withheld, allowed
        self._refused.clear()
        options = {option: getattr(match.options, option) for option in game.choices()}
        return replace(self._standing(), game=game.ruleset, seats=match.seats, options=options)

    def _play(self, rest: str) -> Done:
        before, self._match = self.match, self._judged(rest)
        self._refused.clear()
        return _entered(before, self.match)

    def _try(self, rest: str) -> Done:
        self._check_listed()
        return _entered(self.match, self._judged(rest))

    def _judged(self, rest: str) -> Match:
        """Return the match after more moves. Raises `Refused` and `Usage`."""
        match, typed = self.match, self._typed(rest)
        if not typed:
            raise Usage("a move is missing; use play MOVE")
        if self._tries is not None and len(typed) > 1:
            raise Usage("this match counts refused tries; enter one move per line")
        if len(match.line) + len(typed) > MAX_PLIES:
            raise Usage(
                f"a match here has at most {MAX_PLIES} plies; begin a new one at its position"
            )
        after = judge_texts(match, typed)
        return [after, *(match for _, match in dashes.fillings(after))][-1]

    def _typed(self, rest: str) -> list[str]:
        """Return the moves of a line, with the seat that it may name first. Raises `Usage`."""
        first, _, moves = rest.partition(" ")
        if not first.startswith(OF_SEAT):
            return rest.split()
        seat = _number(first.removeprefix(OF_SEAT), "seat", self.match.seats)
        split = [move_text.split(each) for each in moves.split()]
        named = [move_text.of_seat(each, seat) for each in split]
        wrong = next((each for each, its in zip(split, named, strict=True) if its is None), None)
        if wrong is not None:
            raise Usage(f"{str(wrong)[:40]!r} is of seat {wrong.seat}; leave out seat={seat}")
        return list(map(str, named))

    def _check_listed(self) -> None:
        if self._withheld:
            raise Usage("this match withholds its legal moves; use play")

    def _undo(self, rest: str) -> Done:
        match, count = self.match, _number(rest or "1", "number of plies", MAX_PLIES)
        plies = len(match.line)
        if not 1 <= count <= plies:
            raise Usage(f"{count} is not a valid number of plies to undo; there are {plies}")
        self._match = match.evolve(TakenBack(plies - count))
        return self._standing()

    def _legal(self, _: str) -> Done:
        self._check_listed()
        state = self.match.state
        moves = list(islice(state.game.legal_moves(state.position), MAX_LEGAL + 1))
        if len(moves) > MAX_LEGAL:
            raise Usage(f"more than {MAX_LEGAL} moves are legal, too many to list")
        listed = sorted(move_text.write(state.game, Moved(seat, move)) for seat, move in moves)
        seats = dict.fromkeys(each.seat for each in state.awaiting())
        secret = {str(seat): hints.secret_moves(state, seat) for seat in seats}
        return replace(
            self._standing(),
            legal=[] if state.outcome or state.unjudged else listed,
            secret={seat: kinds for seat, kinds in secret.items() if kinds},
        )

    def _position(self, _: str) -> Done:
        state = self.match.state
        written = dry_run.position_text(state)
        if written is None:
            none = f"{state.game.name} has no position texts"
            raise Usage(UNKNOWN if state.unjudged else none)
        return replace(self._standing(), position=written, sealed=state.position.sealed)

    def _set(self, rest: str) -> Done:
        match = self.match
        options = {name: str(getattr(match.options, name)) for name in match.game.choices()}
        self._match = dry_run.start(match.game, options, match.seats, rest)
        return self._standing()

    def _show(self, rest: str) -> Done:
        match = self.match
        seat = _number(rest, "seat", match.seats) if rest else None
        effects = match.line[-1].effects if match.line else ()
        scene = match.game.scene(match.state.position.view(seat or None), effects)
        sealed = match.state.position.sealed
        return replace(self._standing(), board=text.draw(scene), sealed=sealed)

    def _perft(self, rest: str) -> Done:
        self._check_listed()
        match, depth = self.match, _number(rest, "number of moves", MAX_DEPTH)
        if not match.game.lists_all:
            raise Usage(f"the moves of {match.game.name} include some that cannot be listed")
        if match.state.unjudged:
            raise Usage(UNKNOWN)
        if match.state.outcome:
            return replace(self._standing(), count=0 if depth else 1)
        try:
            count = perft(match.game, match.state.position, depth, MAX_COUNT)
        except TooMany:
            raise Usage(f"perft counts at most {MAX_COUNT}; use a smaller number") from None
        return replace(self._standing(), count=count)

    def _quit(self, _: str) -> Done:
        self.ended = True
        return Done()

    def _standing(self) -> Done:
        return _standing(self.match)


def _entered(before: Match, match: Match) -> Done:
    """Return the state of a match with its new events, and the moves that dashes must have been."""
    plies = enumerate(match.line, 1)
    filled = [
        FoundMove(number, move_text.write(match.game, ply.event))
        for number, ply in plies
        if found_by_rules(ply) and ply.version > before.version
    ]
    events = [judgement(match.game, ply) for ply in match.line[len(before.line) :]]
    return replace(_standing(match), events=events, reconstructed=filled or UNSET)


def _standing(match: Match) -> Done:
    """Return the state of a match."""
    state = match.state
    return Done(
        ply=len(match.line),
        awaiting=state.awaiting(),
        outcome=state.outcome.to_dict() if state.outcome else None,
    )


def _one_of(text: str, what: str, known: Sequence[str]) -> str:
    if text not in known:
        raise Usage(f"{text[:40]!r} is not a valid {what}; use one of {', '.join(known)}")
    return text


def _number(text: str, what: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= most):
        raise Usage(f"{text[:40]!r} is not a valid {what}; use a number up to {most}")
    return int(text)
