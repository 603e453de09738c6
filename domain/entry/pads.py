"""The controls of a seat: those that the game brings, and a pad for each listed secret move."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from domain.controls import MoveControls, Pad, PadField
from domain.entry.candidates import can_try_all, legal_moves, secret_kinds
from domain.events import State
from domain.notation import Label
from domain.position import Move


def controls_of(state: State, seat: int) -> MoveControls:
    """Return the controls of a seat. Secret moves that are too many to be listed need a game's pad.

    The other pads follow from the notation: one field with the legal moves, as labelled there.
    """
    own = state.game.controls(state, seat)
    known = {pad.kind: pad for pad in own.pads}
    listed = (
        known.get(tag_of(kind)) or listed_pad(state, seat, kind)
        for kind in secret_kinds(state.game, state, seat)
    )
    return replace(own, pads=tuple(pad for pad in listed if pad is not None))


def listed_pad(state: State, seat: int, kind: type[Move[Any]], prompt: str = "") -> Pad | None:
    """Return the pad with the legal moves of a kind; `None` if they are too many to be tried."""
    tokens = list(kind.notation.beginning(""))
    if not all(map(can_try_all, tokens)):
        return None
    moves = [move for some in tokens for move in legal_moves(state, seat, kind, some)]
    first, *others = kind.notation.parts
    if others or first.after:
        labels = tuple(
            Label(text, move.label() or text) for move in moves for text in [state.game.token(move)]
        )
        return Pad(tag_of(kind), (PadField(tag_of(kind), labels, None),), prompt)
    texts = [kind.notation.split(state.game.token(move))[0] for move in moves]
    known = {label.text: label for label in first.lexeme.labels}
    labels = tuple(
        known.get(text) or Label(text, move.label() or text)
        for text, move in zip(texts, moves, strict=True)
    )
    name = kind.__struct_encode_fields__[0]
    return Pad(tag_of(kind), (PadField(name, labels, None, first.before),), prompt)


def tag_of(kind: type[Move[Any]]) -> str:
    """Return the tag of a kind of move in JSON."""
    return str(kind.__struct_config__.tag)
