"""Find, by taps on the board, a move that broke a rule and was accepted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import urlencode

from litestar import get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Redirect, Template
from msgspec import Struct

from domain.entry import move_text, stood, taps
from domain.entry.spellings import spell
from domain.events import broken_clause
from domain.game import Game
from domain.names import Names
from domain.position import Move, Violation
from domain.scene import Pile, Scene
from replay.access import capability_tokens
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from replay.tags.names import player_names
from service.http.access import TheBook, TheMatchAccess
from service.http.addresses import prefix
from service.http.book_reads import reads_book
from service.http.problems import Problem
from service.pages.layout import page

UNSEATED: Final = Violation("form", "say whose move it was: put the seat in front, like 1:")
NOTHING: Final = taps.RefusedPicks((), ())
PLACE: Final = re.compile(r"[A-Za-z]\d+")
Short = Annotated[str, QueryParameter(max_length=200)]


class TappedMove(Struct, frozen=True):
    """The taps on a move, for the script: the picks so far, and the places that may be next."""

    match: str
    seat: int | None
    picked: tuple[str, ...]
    places: tuple[str, ...]


class Candidate(NamedTuple):
    """A move that broke a rule: its text, and the texts that are not picked yet."""

    text: str
    rest: tuple[str, ...]

    @property
    def following(self) -> tuple[str, ...]:
        """The texts that can be picked next: of several places only the first."""
        places = [text for text in self.rest if PLACE.fullmatch(text)]
        return tuple(text for text in self.rest if text not in places[1:])


@get("/m/{match:str}/stood")
@reads_book
def choose_move(
    book: TheBook,
    visit: TheMatchAccess,
    text: Short = "",
    picks: Short = "",
    seat: FromQuery[int | None] = None,
) -> Template | Redirect:
    """Redirect to the position after an accepted illegal move, or show the board to tap it."""
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only the scorekeeper of this match can record that a move stood")
    record, names = visit.record, player_names(book, visit.record)
    said = move_text.split(spell(record.state, text))
    whose = said.seat or seat or record.state.in_turn
    if text and whose:
        move = move_text.stood_move(record.state, whose, said.body)
        body = record.game.write(move) if isinstance(move, Move) else said.body
        broken = move if isinstance(move, Violation) else broken_clause(record.state, whose, body)
        if not isinstance(broken, Violation):
            return _arrange(record, whose, body)
        return _ask(record, names, whose, picks, broken)
    return _ask(record, names, whose, picks, UNSEATED if text else None)


def _arrange(record: MatchRecord, seat: int, body: str) -> Redirect:
    """Redirect to the position editor, with the position that the game proposes."""
    query = {"version": str(record.match.version), "stood": f"{seat}:{body}"}
    base = stood.proposed(record.state, seat, body)
    if base is not None:
        query["base"] = base
    return Redirect(f"{prefix()}/m/{record.id}/adjust?{urlencode(query)}", status_code=303)


def _ask(
    record: MatchRecord, names: Names, seat: int | None, picks: str, wrong: Violation | None = None
) -> Template | Redirect:
    """Redirect if the picks leave one move, or show the board to tap the rest of it."""
    picked = tuple(picks.split(",")) if picks else ()
    scene = timeline.point(record, record.ply(), names=names).scene
    found = taps.forbidden(record.game, record.state, seat, picked) if seat else NOTHING
    moves = tuple(_candidates(record, seat, picked, found.texts, scene)) if seat and picked else ()
    if seat and len(moves) == 1 and not moves[0].rest:
        return _arrange(record, seat, moves[0].text)
    following = tuple(dict.fromkeys(text for each in moves for text in each.following))
    data = {
        "match": record.id,
        "game": record.game,
        "player": names.title(seat) if seat else "",
        "seat": seat,
        "picked": picked,
        "moves": [each.text for each in moves if not each.rest],
        "things": _labelled(record.game, {*following, *found.onward}),
        "is_dead_end": bool(picked) and not moves and not found.onward,
        "scene": scene,
        "names": names,
        "example": record.game.moves[0].example,
        "wrong": wrong.words(names) if wrong else "",
        "tapped": TappedMove(record.id, seat, picked, tuple(filter(PLACE.fullmatch, following))),
    }
    status = 409 if wrong else 200
    title = "We played it anyway · Plybook"
    return page("stood.html", title, data, status=status)


def _candidates(
    record: MatchRecord, seat: int, picked: Sequence[str], found: Iterable[str], scene: Scene
) -> Iterator[Candidate]:
    """Yield the moves that the game can carry out; a piece that is put down needs a free place."""
    held = set(_held(scene))
    for text in found:
        move = record.game.parse(text)
        if move is None or stood.proposed(record.state, seat, text) is None:
            continue
        texts = [each for each in move.notation.split(text) if each]
        puts = any(part.lexeme.labels for part in move.notation.parts)
        if puts and texts[-1] in held:
            continue
        yield Candidate(text, tuple(each for each in texts if each not in picked))


def _held(scene: Scene) -> Iterator[str]:
    """Yield the places that are not empty."""
    for panel in scene.panels:
        if isinstance(panel, Pile):
            yield from (block.at for block in panel.blocks if block.colour)
        else:
            yield from (cell.at for cell in panel.cells if cell.pieces)


def _labelled(game: Game[Any], texts: Iterable[str]) -> dict[str, str]:
    """Return the texts that have words in the game, like sizes, with these words."""
    words = {
        label.text: label.words
        for move in game.moves
        for part in move.notation.parts
        for label in part.lexeme.labels
    }
    return {text: words[text] for text in words if text in set(texts)}
