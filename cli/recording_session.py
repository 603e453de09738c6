"""A recording session: the effect of a line typed at the prompt, and the reply to it."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple

from cli.corrections import BOUNDS, describe_ways, report_lines
from cli.match_text import describe_entry, status
from cli.stood import advise, read_stood
from domain.entry.move_text import SplitText, UnsureText, split
from domain.entry.spellings import meant, spell, spell_all
from domain.entry.taps import program_letters
from domain.events import DASH, State
from domain.names import Names, cut
from domain.position import Secret, Violation
from replay.annotations.editing import annotate
from replay.annotations.glyphs import GLYPHS
from replay.annotations.notation import Wording
from replay.book import Book
from replay.corrections import amendments, takebacks
from replay.corrections.amendments import Correction
from replay.errors import PlybookError, Refused, Stale, Usage
from replay.reading import hints, timeline
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.referee import describe, explain
from replay.tags.names import names_of, seats

QUIT: Final = "quit"
STOOD: Final = "--stood"
UNSURE: Final = "--unsure"
POSITION: Final = "--position"
FORM: Final = "form"
"""The pseudo clause of a text that is not a move text."""
UNSEEN: Final = re.compile("([1-9]):")
"""A seat without a move, which asks for a hidden prompt."""
SIGNED: Final = re.compile(r"(.+?)([!?]{1,2})")
"""A move with a glyph after it."""
SIGNS: Final = frozenset(each.sign for each in GLYPHS.values())

HELP: Final = {
    "legal": "lists the legal moves; Tab completes them",
    "takeback": "takes back the last event, takeback @2 all after ply 2; redo enters it again",
    "redo": "enters moves again that were taken back",
    "MOVE --stood": "records a move that broke a rule and stood; --position POSITION may follow",
    "MOVE --unsure": "records a move of which its writer was not sure; -- is one nobody wrote down",
    "amend @3 MOVE": "replaces an event of the line, or puts the move before it with --insert",
    "amend @3 --delete": "takes out an event",
    "gap --to POSITION": "searches for the moves that lead to the position on the table",
    "annotate TEXT": "comments on the last event; @12 before the text names another",
    "board": "draws the board again",
    "help": "lists this",
    QUIT: "leaves; everything entered is kept",
}
"""The commands at the prompt, with their meanings."""
COMMANDS: Final = tuple(dict.fromkeys(each.split()[0] for each in HELP if each[0].islower()))
FORMER: Final = {
    "undo": "takeback, or takeback @2",
    "stood": "MOVE --stood",
    "insert": "amend @3 MOVE --insert",
    "delete": "amend @3 --delete",
    "missing": "gap --to POSITION",
    "comment": "annotate TEXT",
}
"""Words that were commands, with the commands of the command line that replaced them."""
OTHERS: Final = (
    "Type a move as it is made, or several on a line; !? after a move comments on it.",
    "Others: 1:resign 1:offer-draw 2:accept-draw 1:flag roll ruled=+1 ruled== ruled=*",
)


class Reply(NamedTuple):
    """The reply to a line: sentences, the lines of a refusal, whether the board changed.

    If it `entered` events, the sentences describe these events. `seat` asks for a hidden entry.
    """

    told: tuple[str, ...] = ()
    refusal: tuple[str, ...] = ()
    changed: bool = False
    seat: int | None = None
    entered: bool = False


def wording_of(text: str) -> Wording:
    """Return a comment as a person writes it; the glyphs at its beginning become glyphs."""
    words = text.split()
    signs = [word for word in words if word in SIGNS]
    glyphs = tuple(words[: len(signs)]) if words[: len(signs)] == signs else ()
    comment = " ".join(words[len(glyphs) :])
    return Wording(comment or None, glyphs)


class Session:
    """A match that is being recorded, and the number of entries that were refused."""

    def __init__(self, book: Book, record: MatchRecord) -> None:
        self.book = book
        self.record = record
        self.refusals = 0

    @property
    def names(self) -> Names:
        """The names of the players."""
        return names_of(self.book, self.record)

    @property
    def title(self) -> str:
        """The title of the session: the game, the id and the players."""
        players = " - ".join(self.names.title(seat) for seat in seats(self.record))
        return f"{self.record.game.name} {self.record.id}  {players}"

    @property
    def prompt(self) -> str:
        """The players who must act; for an unjudged match the number of the move."""
        state = self.record.state
        if state.outcome is not None:
            return "over"
        if state.unjudged:
            return f"move {self.record.ply() + 1}"
        awaited = dict.fromkeys(one.seat for one in state.position.awaiting() if one.must)
        return " / ".join(self.names[seat] for seat in awaited)

    @property
    def secrecy(self) -> list[str]:
        """The way to enter a secret move in this game; empty if the game has no secret moves."""
        if not self.record.game.has_secrets:
            return []
        who = " or ".join(f"{seat}: for {self.names[seat]}" for seat in seats(self.record))
        return [f"To enter a move unseen, type {who}, and press Enter"]

    @property
    def notation(self) -> list[str]:
        """An example of each kind of move that is possible now, and the letters of secret moves."""
        state, kinds = self.record.state, self.record.game.moves
        if state.outcome is not None:
            return []
        awaited = {tag for one in state.awaiting() for tag in one.moves}
        may_come = [kind for kind in kinds if kind.__struct_config__.tag in awaited]
        examples = (f"{kind.what} {kind.example}" for kind in may_come or kinds)
        return ["; ".join(examples), *self._letters()]

    def _letters(self) -> Iterator[str]:
        known = () if self.record.state.unjudged else program_letters(self.record.state)
        if known:
            yield "letters: " + ", ".join(f"{one.text} {one.words.lower()}" for one in known)

    def run(self, line: str) -> Reply:
        """Execute a line that was typed in the recording session."""
        try:
            return self._run(line)
        except Stale:
            self.record = self.book.open(self.record.id)
            self.refusals += 1
            words = "another program has entered an event; look, and try again"
            return Reply((words,), changed=True)
        except Refused as refused:
            self._count(refused)
            return Reply(refusal=tuple(self._explain(refused, line.split())))
        except PlybookError as error:
            self.refusals += 1
            return Reply(refusal=(str(error),))

    def enter_unseen(self, seat: int, typed: str) -> Reply:
        """Enter a move that was typed without echo; the reply does not repeat the move."""
        try:
            return self._enter([f"{seat}:{''.join(typed.split())}"])
        except Refused as refused:
            self._count(refused)
            secret = Violation(refused.violation.clause, self._hint(refused.violation))
            hidden = Refused(secret, refused.match, refused.seat)
            return Reply(refusal=(explain(describe(hidden, None, self.names)),))
        except PlybookError as error:
            self.refusals += 1
            return Reply(refusal=(str(error),))

    def _count(self, refused: Refused) -> None:
        self.refusals += 1
        if refused.tries_left is not None:  # the match has logged the try
            self.record = self.book.open(self.record.id)

    def completions(self, word: str) -> list[str]:
        """Return the continuations of a word by the referee, then the commands."""
        parts = hints.entry(self.record, None, word).continuations
        return [*parts, *(name for name in COMMANDS if name.startswith(word))]

    def _run(self, line: str) -> Reply:
        name, _, rest = line.strip().partition(" ")
        command = self._commands.get(name.lower())
        if command is not None:
            return command(rest.strip())
        if name.lower() in FORMER:
            raise Usage(f"{name!r} is not a command; use {FORMER[name.lower()]}")
        if STOOD in line.split() or POSITION in line.split():
            return self._stood(line)
        if seat := UNSEEN.fullmatch(name):
            return Reply(seat=int(seat[1]))
        return self._enter_signed(line.split()) if name else Reply()

    @property
    def _commands(self) -> dict[str, Callable[[str], Reply]]:
        return {
            "help": self._help,
            "?": self._help,
            "legal": self._legal,
            "board": self._board,
            "takeback": self._takeback,
            "redo": self._redo,
            "amend": self._amend,
            "gap": self._gap,
            "annotate": self._comment,
        }

    def _help(self, _: str) -> Reply:
        listed = [f"  {name:<17} {meaning}" for name, meaning in HELP.items()]
        return Reply((*OTHERS, *listed, *self.notation, *self.secrecy))

    def _board(self, rest: str) -> Reply:
        _check_alone("board", rest)
        return Reply(changed=True)

    def _legal(self, rest: str) -> Reply:
        _check_alone("legal", rest)
        if self.record.state.unjudged:
            return Reply(
                ("this match is not judged: any move that is written correctly is recorded",)
            )
        found = hints.legal_texts(self.record, self.record.match)
        return Reply((" ".join(found),) if found else tuple(self.notation[:2]))

    def _takeback(self, rest: str) -> Reply:
        last = self.record.ply()
        to = self._ply(rest, 0, last - 1) if rest and last else last - 1
        told = [describe_entry(each, self.names) for each in self._entries(to)]
        self.record = takebacks.take_back(self.book, self.record, to)
        return Reply(tuple(f"taken back: {each}" for each in told), changed=True)

    def _redo(self, rest: str) -> Reply:
        _check_alone("redo", rest)
        before = self.record.ply()
        self.record = takebacks.redo(self.book, self.record)
        return self._entered(before)

    def _ply(self, text: str, first: int, last: int) -> int:
        """Read a ply, `@3` or `3`. Raises `Usage`."""
        ply = text.removeprefix("@")
        if not re.fullmatch(r"[0-9]{1,9}", ply) or not first <= int(ply) <= last:
            raise Usage(f"{cut(text, 9)!r} is not a ply here; use @{first} to @{last}")
        return int(ply)

    def _read(self, line: str, state: State) -> tuple[list[str], set[str]]:
        """Return the moves of a line, and its options except `stood`."""
        before, given, position = line.partition(POSITION)
        words = before.split()
        moves = [each for each in words if not each.startswith("--") or each == DASH]
        whole = () if DASH in moves else meant(state, " ".join(moves))
        typed = list(whole) if len(whole) == 1 else [spell(state, each) for each in moves]
        options = {each for each in words if each not in moves}
        stood = read_stood(typed, STOOD in options, position.strip() if given else None)
        return stood, options - {STOOD}

    def _stood(self, line: str) -> Reply:
        """Record an illegal move that the players accepted."""
        typed, options = self._read(line, self.record.state)
        _check_options(options, PLANS)
        return self._enter(typed)

    def _amend(self, rest: str) -> Reply:
        if not self.record.ply():
            raise Usage("the line is empty; enter a move first")
        written, _, rest = rest.partition(" ")
        ply = self._ply(written, 1, self.record.ply() + ("--insert" in rest.split()))
        typed, options = self._read(rest, self.record.match.at(ply - 1))
        _check_options(options)
        plan = PLANS[options.pop() if options else ""]
        if bool(typed) == (plan is PLANS["--delete"]):
            raise Usage("give a move or several, with or without --insert, or --delete alone")
        correction = plan(self.record, ply, *typed)
        self.record = amendments.amend(self.book, correction)
        return Reply(tuple(report_lines(correction.report(self.names))), changed=True)

    def _gap(self, rest: str) -> Reply:
        from replay.corrections.missing_moves import find_gap

        option, _, position = rest.partition(" ")
        if option != "--to":
            raise Usage("a position is missing; use gap --to POSITION")
        ply = self.record.ply()
        found = find_gap(self.record, ply, position, BOUNDS)
        return Reply(tuple(describe_ways(self.record, ply, position, found)))

    def _comment(self, text: str) -> Reply:
        named = re.match(r"@(\d{1,9})\s+", text)
        ply = self.record.ply(int(named[1]) if named else None)
        said = annotate(
            self.book, self.record, ply, wording_of(text[named.end() if named else 0 :])
        )
        words = (remark.said.words() for remark in said if remark.said is not None)
        return Reply(tuple(f"ply {ply}: {each}" for each in words), changed=True)

    def _enter_signed(self, typed: Sequence[str]) -> Reply:
        """Enter moves, and the glyphs after them."""
        moves, signs = _split_signs([each for each in typed if each != UNSURE])
        before = self.record.ply()
        if not moves:
            return self._comment(" ".join(sign for _, sign in signs))
        reply = self._enter(moves, UnsureText if UNSURE in typed else SplitText)
        for place, sign in signs:
            annotate(self.book, self.record, before + place, Wording(glyphs=(sign,)))
        return reply

    def _enter(self, typed: Sequence[str], kind: type[SplitText] = SplitText) -> Reply:
        before = self.record
        whole = () if DASH in typed else meant(before.state, " ".join(typed))
        entries = list(whole) if len(whole) == 1 else spell_all(before.state, typed)
        texts = [kind(*split(entry)) for entry in entries]
        self.record = entering.play(self.book, before, texts)
        filled = timeline.filled_since(self.record, before.match.version)
        reply = self._entered(before.ply())
        found = (f"ply {each.ply} must have been {each.written}" for each in filled)
        return reply._replace(told=(*reply.told, *found))

    def _entered(self, before: int) -> Reply:
        told = (describe_entry(each, self.names) for each in self._entries(before))
        return Reply(tuple(told), changed=True, entered=True)

    def _entries(self, after: int) -> Iterator[timeline.LineEntry]:
        return timeline.entries(self.record, None, max(0, after), self.names)

    def _explain(self, refused: Refused, typed: Sequence[str]) -> Iterator[str]:
        """Yield why a line was refused, and how to record it if the players accepted the move."""
        moves, _ = _split_signs([word for word in typed if word != STOOD])
        yield from explain(describe(refused, None, self.names)).split("\n")
        if moves[0].lower() in COMMANDS:
            return
        if len(moves) > 1:
            yield f"  The refused move is {moves[refused.index]}; no move of the line was entered."
        if refused.index == 0:
            entered = f"{moves[0]} {STOOD}"
            asked = f"{entered} {POSITION} POSITION"
            advice = advise(self.book, self.record.id, refused, moves[0], entered, asked)
            yield from () if advice is None else (advice,)

    def _hint(self, violation: Violation) -> str:
        """Explain the refusal of a secret move without revealing the move."""
        kinds = [move for move in self.record.game.moves if issubclass(move, Secret)]
        if violation.clause != FORM or not kinds:
            standing = status(self.record, self.names)
            return f"the hidden line cannot be entered; {standing}"
        examples = ", ".join(f"{kind.example} ({kind.what})" for kind in kinds)
        return f"not a valid move of {self.record.game.name}; unseen ones look like {examples}"


PLANS: Final[dict[str, Callable[..., Correction]]] = {
    "": amendments.plan_replacement,
    "--insert": amendments.plan_insertion,
    "--delete": amendments.plan_deletion,
}
"""The ways of a correction by the option that names them."""


def _check_options(given: Collection[str], excluded: Collection[str] = ()) -> None:
    """Raise `Usage` unless the options are known here and at most one."""
    known = [each for each in PLANS if each and each not in excluded]
    wrong = next((each for each in given if each not in known), None)
    if wrong is not None or len(given) > 1:
        raise Usage(f"{wrong or '--insert with --delete'!r} is not valid here; see help")


def _check_alone(command: str, rest: str) -> None:
    if rest:
        raise Usage(f"{rest!r} is not a valid part of {command}; use {command} alone")


def _split_signs(typed: Sequence[str]) -> tuple[list[str], list[tuple[int, str]]]:
    """Split words into moves, and glyphs with the number of the move before them."""
    moves: list[str] = []
    signs: list[tuple[int, str]] = []
    for word in typed:
        signed = SIGNED.fullmatch(word)
        if word in SIGNS:
            signs.append((len(moves), word))
        elif signed is not None:
            moves.append(signed[1])
            signs.append((len(moves), signed[2]))
        else:
            moves.append(word)
    return moves, signs
