"""What is known of the lines of all matches: derived from their logs, for looking across them.

Events that a fork shares count once, for the oldest line in which they stand as they do there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from replay.store.protocol import IndexedLine, IndexedMatch, IndexedStep, MoveCount, Stream


class Survey:
    """The lines, in memory."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[int, IndexedLine, tuple[IndexedStep, ...]]] = {}

    def knows(self, stream: Stream) -> bool:
        """Tell whether the line of a match is known as it stands."""
        return stream.id in self._lines and self._lines[stream.id][0] >= stream.head

    def known(self, stream: int) -> IndexedMatch | None:
        """Return what is known of a match."""
        if stream not in self._lines:
            return None
        head, line, steps = self._lines[stream]
        return IndexedMatch(head, line, list(steps))

    def kind(self, stream: int) -> str | None:
        """Return the kind of the line of a match, if it is known."""
        return self._lines[stream][1].kind if stream in self._lines else None

    def put(self, stream: int, head: int, line: IndexedLine, steps: Iterable[IndexedStep]) -> None:
        """Put the line of a match, at a version, in place of the one before."""
        self._lines[stream] = head, line, tuple(steps)

    def forget(self, stream: int) -> None:
        """Forget the line of a match."""
        self._lines.pop(stream, None)

    def forget_all(self) -> None:
        """Forget every line."""
        self._lines.clear()

    def lines(self, streams: Iterable[Stream]) -> list[tuple[Stream, IndexedLine]]:
        """Return the lines of those matches that are known."""
        return [(each, self._lines[each.id][1]) for each in streams if each.id in self._lines]

    def seen(
        self, key: bytes, streams: Iterable[Stream], owner: Callable[[int, int], int]
    ) -> list[MoveCount]:
        """Count the moves made in a position; `owner` tells whose event a version of a line is."""
        first: dict[tuple[int, int], tuple[int, IndexedStep]] = {}
        for stream in sorted(each.id for each in streams):
            for step in self._steps(stream, key):
                first.setdefault((owner(stream, step.version), step.version), (stream, step))
        moves = {(step.seat, step.token, stream) for stream, step in first.values()}
        counted = Counter(
            (seat, token, self._lines[stream][1].kind, self._lines[stream][1].result)
            for seat, token, stream in moves
        )
        return [MoveCount(*which, number) for which, number in sorted(counted.items())]

    def _steps(self, stream: int, key: bytes) -> Iterator[IndexedStep]:
        if stream in self._lines:
            yield from (step for step in self._lines[stream][2] if step.key == key)
