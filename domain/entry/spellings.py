"""Other spellings of a move: find the move that a text means if it is no exact move text.

People write `m@C1`, `M c1` and `c1->L@c3`, chess players `0-0` and `Ngf3`. A text that is a move
text is never read as another one, and a text that may mean two moves is read as neither.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from domain.entry import move_text
from domain.events import State
from domain.game import Game
from domain.notation import Lexeme, Notation
from domain.position import Move, Violation

MAX_LENGTH: Final = 200
"""A text longer than a move text has no other spelling."""
MAX_NEAR: Final = 5
"""The most move texts that are named for a text."""
SIGNS: Final = (
    (re.compile(r"\s+"), ""),
    (re.compile(r"[-=\u2013\u2014\u2212]+[>\u203a]|\u2192|\u21d2"), ">"),
    (re.compile("[\u2010-\u2015\u2212]"), "-"),
    (re.compile("\u00d7"), "x"),
)
"""White space is left out, and arrows, dashes and crosses have one sign each."""
BESIDE: Final = re.compile(r"[^0-9a-z]+")
"""The signs that are ignored if only one legal move has the same letters and digits."""


def meant(state: State, text: str, hidden: Collection[int] | None = None) -> tuple[str, ...]:
    """Return the move texts that a text may mean in a state: itself if it is a move text.

    The moves of `hidden` seats are not used: by default, moves that a spectator may not know.

    >>> from domain.games import built_in
    >>> from domain.match import open_match
    >>> start = open_match(built_in("poptrix")).state
    >>> meant(start, "m C1"), meant(start, "M@c1"), meant(start, "c")
    (('M@c1',), ('M@c1',), ())
    """
    seat, body = move_text.split(text.strip())
    if len(body) > MAX_LENGTH:
        return ()
    hidden = state.withheld(None) if hidden is None else hidden
    found = sorted(_meant(state, seat, body, hidden))[:MAX_NEAR]
    return tuple(str(move_text.SplitText(seat, each)) for each in found)


def spell(state: State, text: str) -> str:
    """Return the move text that a text means; the text itself if it means no move or several."""
    found = meant(state, text)
    return found[0] if len(found) == 1 else text


def spell_all(state: State, texts: Sequence[str]) -> list[str]:
    """Return the move texts that successive texts mean, each in the state after the move before.

    After a text that is not a legal move, later texts are respelled in the last known state.
    """
    inexact = [place for place, text in enumerate(texts) if not _is_exact(state.game, text)]
    last = inexact[-1] if inexact else -1
    spelled = list[str]()
    for text in texts[: last + 1]:
        spelled.append(spell(state, text))
        if len(spelled) > last:
            break
        event = move_text.read(state.game, state, spelled[-1])
        if not isinstance(event, Violation) and event.check(state) is None:
            state, _ = event.evolve(state)
    return [*spelled, *texts[last + 1 :]]


def _is_exact(game: Game[Any], text: str) -> bool:
    return game.parse(move_text.split(text).body) is not None


def _meant(state: State, seat: int | None, body: str, hidden: Collection[int]) -> Collection[str]:
    game, position = state.game, state.position
    if game.parse(body) is not None or _is_script(state, body):
        return (body,)
    if game.spellings is not None and (found := game.spellings(position, body)):
        return found
    plain = _plain(body)
    written = _written(game, plain)
    if len(written) == 1:
        return written
    legal = [
        move_text.split(each).body
        for each in move_text.legal_texts(game, state, hidden)
        if seat is None or move_text.split(each).seat in (None, seat)
    ]
    if written:
        return written.intersection(legal) or written
    letters = BESIDE.sub("", plain.lower())
    return {each for each in legal if letters and BESIDE.sub("", each.lower()) == letters}


def _is_script(state: State, body: str) -> bool:
    script = state.game.script
    return script is not None and isinstance(script.read(state.position, body), Move)


def _plain(body: str) -> str:
    for signs, sign in SIGNS:
        body = signs.sub(sign, body)
    return body


def _written(game: Game[Any], body: str) -> set[str]:
    """Return the move texts and words of match events that differ from a text at most in case."""
    lower = body.lower()
    if lower in move_text.OF_A_SEAT or lower == "roll" or lower.startswith("ruled="):
        return {lower}
    return {one for move in game.moves for one in _of_kind(move.notation, body)}


def _of_kind(notation: Notation, body: str) -> Iterator[str]:
    """Yield the move text, of a kind of move, that differs from a text at most in case."""
    found = re.fullmatch(notation.pattern.pattern, body, re.IGNORECASE)
    if found is None:
        return
    fields = found.groups() or (body,)
    parts = zip(notation.parts, fields, strict=True)
    text = "".join(part.written(_text(part.lexeme, field)) for part, field in parts)
    if notation.read(text) is not None:
        yield text


def _text(lexeme: Lexeme, field: str) -> str:
    """Return the text of a field that differs at most in case."""
    fitting = {text for text in lexeme.offered if text.lower() == field.lower()}
    return fitting.pop() if len(fitting) == 1 else field
