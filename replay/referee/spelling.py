"""Tokens as people type them: the case of letters does not count where only one token fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from domain.entry import tokens
from domain.game import Game
from domain.notation import Lexeme, Notation
from replay.record import dice


def respell(game: Game[Any], text: str) -> str:
    """Return the token that a text means: `s@C5` is `S@c5`. Without one, return the text."""
    seat, body = tokens.split(text)
    if game.parse(body) is not None:
        return text
    lower = body.lower()
    if lower in tokens.OF_A_SEAT or lower == dice.ROLL or lower.startswith("ruled="):
        return str(tokens.Token(seat, lower))
    spelled = {one for move in game.moves for one in _spelled(move.notation, body)}
    return str(tokens.Token(seat, spelled.pop())) if len(spelled) == 1 else text


def _spelled(notation: Notation, body: str) -> Iterator[str]:
    """Yield the token of a kind of move that is the text but for its case, if there is one."""
    found = re.fullmatch(notation.pattern.pattern, body, re.IGNORECASE)
    if found is None:
        return
    fields = found.groups() or (body,)
    parts = zip(notation.parts, fields, strict=True)
    token = "".join(part.written(_text(part.lexeme, field)) for part, field in parts)
    if notation.read(token) is not None:
        yield token


def _text(lexeme: Lexeme, field: str) -> str:
    """Return the text of a field that differs at most in case."""
    fitting = {text for text in lexeme.offered if text.lower() == field.lower()}
    return fitting.pop() if len(fitting) == 1 else field
