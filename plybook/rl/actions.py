"""The actions of a game: a number for each move, or for each part of a move.

Action 0 waits: a seat that may act, but need not, does nothing. A move of a kind with few enough
move texts is one action. A kind with more is composed part by part: each text of a part is an
action.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from domain.entry.completion import FEW, parse_move
from domain.game import Game
from domain.notation import Unfinished
from domain.position import Awaited, Move, Position
from replay.errors import Usage

WAIT: Final = 0
"""The action of a seat that may act but does not."""

MAX_LISTED: Final = 100_000
"""Up to this many moves of a kind, each is an action."""

Kind = type[Move[Any]]


class ComposedKind(NamedTuple):
    """A kind of move that is composed: the texts of its parts, and the first action of each."""

    kind: Kind
    parts: tuple[tuple[str, ...], ...]
    firsts: tuple[int, ...]


class Begun(NamedTuple):
    """A move that is being composed: its kind, and the texts of its first parts."""

    composed: ComposedKind
    texts: tuple[str, ...] = ()

    @property
    def move(self) -> Move[Any] | None:
        """The move, once it has all parts."""
        whole = len(self.texts) == len(self.composed.parts)
        return parse_move(self.composed.kind, "".join(self.texts)) if whole else None

    def next_actions(self, position: Position, seat: int) -> Iterator[int]:
        """Yield the actions of the next part that can lead to a legal move.

        If a part and the rest of the move have too many texts to try, all texts of the part count,
        unless the game lists its moves.
        """
        kind, parts, firsts = self.composed
        place = len(self.texts)
        if kind.listed:
            listed = map(texts_of, kind.legal(position, seat))
            known = {texts[place] for texts in listed if texts[:place] == self.texts}
            yield from (firsts[place] + parts[place].index(text) for text in sorted(known))
            return
        first, texts, later = firsts[place], parts[place], parts[place + 1 :]
        if later and math.prod(map(len, parts[place:])) > FEW:
            yield from range(first, first + len(texts))
            return
        rests = ["".join(rest) for rest in itertools.product(*later)]
        for number, text in enumerate(texts):
            begun = "".join((*self.texts, text))
            if any(parse_move(kind, begun + rest).check(position, seat) is None for rest in rests):
                yield first + number


def texts_of(move: Move[Any]) -> tuple[str, ...]:
    """Return the texts of the parts of a move."""
    fields = move.notation.split(move.notation.write(move))
    pairs = zip(move.notation.parts, fields, strict=True)
    return tuple(part.written(text) for part, text in pairs)


class Actions:
    """The actions of a game, the same for all its options and numbers of seats."""

    def __init__(self, game: Game[Any]) -> None:
        self.moves: list[Move[Any] | None] = [None]
        """The move of each action; `None` for waiting and for a part of a move."""
        self.ids: dict[Move[Any], int] = {}
        """The action of each move that is a single action."""
        self.kinds = {str(kind.__struct_config__.tag): kind for kind in game.moves}
        self.has_chance = any(kind.chance for kind in game.moves)
        self._few: dict[str, list[Move[Any]]] = {}
        self._composed: dict[str, ComposedKind] = {}
        self._begins: dict[int, tuple[ComposedKind, int, str]] = {}
        for tag, kind in self.kinds.items():
            self._add(game, tag, kind)

    @property
    def count(self) -> int:
        """The number of actions of the game."""
        return len(self.moves)

    def chance(self, awaited: Awaited) -> Kind | None:
        """Return the kind of move that dice decide and that is awaited, if any."""
        return next((kind for tag in awaited.moves if (kind := self.kinds[tag]).chance), None)

    def legal(self, game: Game[Any], position: Position, seat: int) -> list[int]:
        """Return the actions of an awaited seat that begin or are a legal move.

        Claims about time, which need a clock, are left out.
        """
        ids = self.ids
        found = [
            number
            for move in game.legal(position, seat)
            if move.patience is None and (number := ids.get(move)) is not None
        ]
        if self._few or self._composed:
            found += self._unlisted(position, seat)
        return found

    def _unlisted(self, position: Position, seat: int) -> Iterator[int]:
        """Yield the actions of the moves that a seat can make and that are unlisted or composed."""
        for awaited in position.awaiting():
            for tag in awaited.moves if awaited.seat == seat else ():
                for move in self._few.get(tag, ()):
                    if move.check(position, seat) is None:
                        yield self.ids[move]
                if tag in self._composed:
                    yield from Begun(self._composed[tag]).next_actions(position, seat)

    def compose(self, begun: Begun | None, action: int) -> Begun:
        """Return the move that is being composed with the part of an action."""
        composed, place, text = self._begins[action]
        texts = () if begun is None or place == 0 else begun.texts
        return Begun(composed, (*texts, text))

    def of(self, move: Move[Any]) -> list[int]:
        """Return the actions of a move, in order; none for a move that no agent can choose."""
        if move in self.ids:
            return [self.ids[move]]
        composed = self._composed.get(str(move.__struct_config__.tag))
        if composed is None:
            return []
        choices = zip(composed.firsts, composed.parts, texts_of(move), strict=True)
        return [first + among.index(text) for first, among, text in choices]

    def _add(self, game: Game[Any], tag: str, kind: Kind) -> None:
        (unfinished,) = kind.notation.beginning("")
        if kind.chance and not kind.listed:
            return  # it is always rolled
        if not all(unfinished.parts):
            raise Usage(f"{game.name} has too many moves to list as actions: {kind.what}")
        if unfinished.size > (MAX_LISTED if kind.listed else FEW):
            self._compose(tag, kind, unfinished)
            return
        moves = [parse_move(kind, body) for body in unfinished.some(MAX_LISTED)]
        if not kind.listed:
            self._few[tag] = moves
        self.ids |= {move: number for number, move in enumerate(moves, self.count)}
        self.moves += moves

    def _compose(self, tag: str, kind: Kind, unfinished: Unfinished) -> None:
        # Optional texts are often illegal, so moves are tried without them first.
        parts = tuple(tuple(sorted(texts, key=bool)) for texts in unfinished.parts)
        firsts = tuple(itertools.accumulate(map(len, parts[:-1]), initial=self.count))
        composed = self._composed[tag] = ComposedKind(kind, parts, firsts)
        for place, texts in enumerate(parts):
            for text in texts:
                self._begins[self.count] = (composed, place, text)
                self.moves.append(None)
