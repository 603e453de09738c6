"""Write records as PGN: the seven tags first, comments and variations each in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.effects import Effect
from domain.entry import move_text
from domain.events import (
    DASH,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Flagged,
    Forfeited,
    LineEvent,
    Moved,
    Noted,
    Resigned,
    Ruled,
    State,
    Stood,
    Unrecorded,
)
from domain.game import Game
from domain.names import Names
from replay.formats.import_bounds import Tally
from replay.formats.pgn.dashes import MISSING, AfterDash
from replay.formats.pgn.lexer import SYMBOLS, WIDTH
from replay.formats.pgn.model import (
    IN_MATCH,
    IN_PGN,
    OURS,
    POSITION,
    ROSTER,
    SEATS,
    THEIRS,
    PgnGame,
    write_braces,
)
from replay.formats.ply.doubts import write_doubts
from replay.formats.ply.model import OWN_TAGS, POSITION_TAG, Node, Record, RecordLine
from replay.formats.ply.writer import write_tag
from replay.store.people_chain import SEAT_TAG
from replay.tags.match_tags import KEPT_TAGS, Tag
from replay.texts import CONTROL, tidy

COLUMNS: Final = 79
UNKNOWN: Final = {"Date": "????.??.??"}
DEEDS: Final = {
    Resigned: "resigns",
    Forfeited: "forfeits",
    Flagged: "says that the time is up",
    DrawOffered: "offers a draw",
    DrawAccepted: "accepts the draw",
    DrawDeclined: "declines the draw",
}
COLOURS: Final = Names({1: "White", 2: "Black"})


def write_pgn(game: PgnGame, record: Record) -> str:
    """Write a record, its tags and its movetext, each with an empty line after it."""
    tags = "".join(map(write_tag, _tags(game, record)))
    writing = _Writing(game, record.game)
    words = [*writing.line(record.line, record.match.start), SYMBOLS[record.result]]
    words.extend(writing.after)
    return f"{tags}\n{_wrap(words)}\n\n"


def _tags(game: PgnGame, record: Record) -> Iterator[Tag]:
    """Yield the seven standard tags, the tags of the first position, and the other tags.

    The start and the rules come from the match: no other tag has a name that means them.
    """
    own = {"Result": SYMBOLS[record.result]}
    own |= {name: value for name, seat in SEATS.items() if (value := record.tag(seat)) is not None}
    rest = [tag for tag in record.tags if tag.name not in OWN_TAGS or tag.name in KEPT_TAGS]
    for name in ROSTER:
        plain = next((tag for tag in rest if tag.name in (name, IN_PGN + name)), None)
        if name in own or plain is None:
            yield Tag(name, own.get(name, UNKNOWN.get(name, "?")))
        else:
            rest.remove(plain)
            yield Tag(name, plain.value)
    fen = game.fen(record.match.start.position) if record.tag(POSITION_TAG) is not None else ""
    yield from (Tag("SetUp", "1"), Tag(POSITION, fen)) if fen else ()
    for tag in rest:
        if tag.name != POSITION_TAG and not SEAT_TAG.fullmatch(tag.name):
            agrees = tag.name == "Variant" and not game.refusal({"Variant": tag.value, "FEN": fen})
            yield tag if agrees else tag._replace(name=_theirs(tag.name))


def _theirs(name: str) -> str:
    """Return the name of a plain tag in PGN."""
    plain = name.removeprefix(IN_PGN)
    return f"{IN_MATCH}{name}" if name in THEIRS else plain if OURS.fullmatch(plain) else name


class _Writing:
    """The movetext of a record. `after` are the words after the result."""

    def __init__(self, pgn: PgnGame, game: Game[Any]) -> None:
        self._pgn = pgn
        self._game = game
        self.after: list[str] = []
        self._after: AfterDash | None = None

    def line(self, line: RecordLine, state: State, last: str = "", depth: int = 0) -> list[str]:
        """Return the words of a line after a state; `last` is a move to repeat before the line."""
        words = [*([last] if last else ()), *_comments(line.comments)]
        numbered, turn = False, 0
        for index, node in enumerate(line.nodes):
            if isinstance(node.event, Stood):
                rest = " ".join(self._rest(line.nodes[index:]))
                return [*words, *_comments((rest,))]
            before, (state, effects) = state, node.event.evolve(state)
            move, previous = self._pgn.made(node.event), last
            text = self._san(before, move) if move is not None else ""
            if move is None and not depth:
                text = self._noted(node.event, before)
            if text:
                turn = turn + 1 if before.unjudged else before.position.turn
                number, black = divmod(turn + 1, 2)
                last = f"{number}{'...' if black else '.'} {text}"
                words += last.split(" ")[black and numbered :]
                words += (f"${glyph}" for glyph in sorted(set(node.glyphs)))
                numbered = True
            remarks = [*_comments(self._said(node, effects, move, text)), *_comments(node.comments)]
            if isinstance(node.event, Ruled) and depth:
                words.append(SYMBOLS[state.outcome.result if state.outcome else "*"])
            elif isinstance(node.event, Ruled):
                self.after, remarks = remarks, []
            words += remarks
            for inside in node.variations:
                words += self._variation(inside, before, bool(text), previous, depth)
            numbered = numbered and not (remarks or node.variations)
        return words

    def _variation(
        self, line: RecordLine, state: State, replaces: bool, previous: str, depth: int
    ) -> list[str]:
        """Return the words of a variation.

        A variation that cannot replace a move begins by repeating the previous move.
        """
        replaces = replaces and self._pgn.made(line.nodes[0].event) is not None
        if not (replaces or previous):
            return [*_comments((" ".join((*line.comments, *self._rest(line.nodes))),))]
        inside = self.line(line, state, "" if replaces else previous, depth + 1)
        return ["(", *inside, ")"]

    def _san(self, state: State, move: Any) -> str:
        assert self._game.script is not None
        return self._game.script.write(state.position, move)

    def _noted(self, event: LineEvent, state: State) -> str:
        """Write a dash, or a move after it, as if its side had passed; other events are words."""
        if isinstance(event, Unrecorded) and not state.unjudged:
            self._after = AfterDash(state, self._pgn.passed, Tally())
        if self._after and isinstance(event, Unrecorded):
            self._after.dash()
            return DASH
        if not (self._after and isinstance(event, Noted)):
            return ""
        at = self._after.fits(event.text)
        return self._san(at, self._game.parse(event.text)) if at else event.text

    def _said(self, node: Node, effects: Iterable[Effect], move: Any, text: str) -> Iterator[str]:
        """Yield comments for what PGN has no sign for, and for the time on the clock."""
        event = node.event
        if isinstance(event, Moved) and event.move is not move:
            yield list(effects)[-1].words(COLOURS)
        elif not text and not isinstance(event, Ruled):
            yield self._words(event)
        elif text == DASH:
            yield MISSING
        yield from write_doubts(event, {})
        if node.left is not None:
            minutes, seconds = divmod(node.left // 1000, 60)
            yield f"[%clk {minutes // 60}:{minutes % 60:02}:{seconds:02}]"

    def _rest(self, nodes: Iterable[Node]) -> Iterator[str]:
        """Write the rest of a line as words: PGN has no moves against the rules."""
        for node in nodes:
            yield from (self._words(node.event), *node.comments)
            for other in node.variations:
                yield from ("(", *other.comments, *self._rest(other.nodes), ")")

    def _words(self, event: LineEvent) -> str:
        if isinstance(event, Stood):
            how = f"(against {event.clause}), and it stands: {event.position}."
            return f"{COLOURS[event.seat]} plays {event.text} {how}"
        deed = DEEDS.get(type(event))
        seat = getattr(event, "seat", None)
        return f"{COLOURS[seat]} {deed}" if deed and seat else move_text.write(self._game, event)


def _comments(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        if words := write_braces(tidy(CONTROL.sub(" ", comment))):
            yield from ("{", *words.split(" "), "}")


def _wrap(words: Iterable[str]) -> str:
    """Fill lines with words; no line begins with a percent sign, which would escape it (PGN 6)."""
    lines = [""]
    for word in words:
        width = len(lines[-1]) + 1 + len(word)
        if not lines[-1]:
            lines[-1] = word
        elif width <= COLUMNS or (word[0] == "%" and width <= WIDTH):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
        while len(lines[-1]) > WIDTH:
            lines[-1:] = f"{lines[-1][: WIDTH - 1]}\\", lines[-1][WIDTH - 1 :]
    return "\n".join(lines)
