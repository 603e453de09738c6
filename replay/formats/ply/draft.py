"""A line of moves while it is parsed."""

from __future__ import annotations

from typing import Any

from domain.events import LineEvent, State
from domain.game import Game
from domain.position import Violation
from replay.formats.ply.lexer import RecordLexeme
from replay.formats.ply.model import Node, RecordLine
from replay.formats.ply.referee import LineCursor


class Draft:
    """A line being parsed. Remarks on its last event are collected until the next event."""

    __slots__ = (
        "cursor",
        "event",
        "glyphs",
        "nodes",
        "opened",
        "remarks",
        "start",
        "turn",
        "variations",
    )

    def __init__(self, game: Game[Any], start: State, opened: RecordLexeme | None = None) -> None:
        self.cursor = LineCursor(game, start)
        self.opened = opened
        self.nodes: list[Node] = []
        self.start: tuple[str, ...] = ()
        self.event: LineEvent | None = None
        self._clear()

    def _clear(self) -> None:
        self.glyphs: set[int] = set()
        self.remarks: list[str] = []
        self.variations: list[RecordLine] = []

    def play(self, token: str) -> Violation | None:
        """Add an event, or return the rule that it breaks."""
        turn = self.cursor.state.position.turn
        event = self.cursor.play(token)
        if isinstance(event, Violation):
            return event
        self._finish()
        self.event, self.turn = event, turn
        return None

    def _finish(self) -> None:
        """Add the last event with its remarks to the line, or the remarks before the first one."""
        if self.event is None:
            self.start = tuple(self.remarks)
        elif self.glyphs or self.remarks or self.variations:
            glyphs = tuple(sorted(self.glyphs))
            remarks, variations = tuple(self.remarks), tuple(self.variations)
            self.nodes.append(Node(self.event, self.turn, glyphs, remarks, variations))
        else:
            self.nodes.append(Node(self.event, self.turn))
            return
        self._clear()

    def line(self) -> RecordLine:
        """Return the complete line."""
        self._finish()
        return RecordLine(tuple(self.nodes), self.start)
