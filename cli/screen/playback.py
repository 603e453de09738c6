"""The state of a replay: the picture that is shown, the speed, and what the keys change.

An action is a function from a playback to a playback. Its key does something as long as the result
differs, and the foot line names only those keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from cli.screen.line import Line
from domain.scene import Scene
from replay.annotations.events import Commented
from replay.reading.stops import following, preceding

MIN_SPEED: Final = 0.125
MAX_SPEED: Final = 64.0
"""The bounds of the speed, in pictures per second."""

LAST: Final = -1
"""The step of a ply that is its position."""


class Playback(Struct, frozen=True):
    """A picture of a line, and how fast the next ones follow while it is `running`.

    `step` counts the pictures of a ply from 0; `LAST` is its position.
    """

    line: Line
    ply: int = 0
    step: int = LAST
    speed: float = 1.0
    running: bool = False

    @property
    def scene(self) -> Scene:
        """The current picture of the playback."""
        return self.line.frames(self.ply)[self.step]

    @property
    def is_step(self) -> bool:
        """Whether the picture is a step of an event, like a row of a turn."""
        return self.step != LAST

    def tick(self) -> Playback:
        """Advance the playback by one picture; stop at the end."""
        after = forward(self)
        at_end = after.ply == self.line.last and not after.is_step
        return replace(after, running=self.running and not at_end)


Action = Callable[[Playback], Playback]


def forward(now: Playback) -> Playback:
    """Go to the next picture of the playback."""
    if now.is_step:
        last = now.step + 1 == len(now.line.frames(now.ply)) - 1
        return replace(now, step=LAST if last else now.step + 1)
    if now.ply == now.line.last:
        return now
    several = len(now.line.frames(now.ply + 1)) > 1
    return replace(now, ply=now.ply + 1, step=0 if several else LAST)


def back(now: Playback) -> Playback:
    """Go to the playback's picture before."""
    steps = len(now.line.frames(now.ply)) - 1
    step = now.step if now.is_step else steps
    if step:
        return replace(now, step=step - 1)
    return replace(now, ply=max(0, now.ply - 1), step=LAST)


def to_ply(now: Playback, ply: int) -> Playback:
    """Let the playback go to the position after a ply of the line."""
    return replace(now, ply=max(0, min(ply, now.line.last)), step=LAST)


def next_turn(now: Playback) -> Playback:
    """Let the playback go to the beginning of the next turn."""
    return _to_found(now, following(now.line.turns, now.ply))


def previous_turn(now: Playback) -> Playback:
    """Let the playback go to the beginning of the turn before."""
    return _to_found(now, preceding(now.line.turns, now.ply))


def next_comment(now: Playback) -> Playback:
    """Let the playback go to the next comment, from the last to the first."""
    plies = now.line.commented
    return _to_found(now, following(plies, now.ply) or next(iter(plies), None))


def find(now: Playback, words: str) -> Playback:
    """Go to the next ply whose move, sentences or comments have these words in any letter case."""
    plies = [*range(now.ply + 1, now.line.last + 1), *range(now.ply + 1)]
    return _to_found(now, next((ply for ply in plies if words.lower() in _text(now, ply)), None))


def pause(now: Playback) -> Playback:
    """Play or pause the playback; at the end, play from the start."""
    if now.line.last == 0:
        return now
    at_end = now.ply == now.line.last and not now.is_step
    start = to_ply(now, 0) if at_end and not now.running else now
    return replace(start, running=not now.running)


def faster(now: Playback) -> Playback:
    """Double the speed of the playback."""
    return replace(now, speed=min(MAX_SPEED, now.speed * 2))


def slower(now: Playback) -> Playback:
    """Halve the speed of the playback."""
    return replace(now, speed=max(MIN_SPEED, now.speed / 2))


def home(now: Playback) -> Playback:
    """Go to the start of the playback."""
    return to_ply(now, 0)


def end(now: Playback) -> Playback:
    """Go to the end of the playback."""
    return to_ply(now, now.line.last)


MOVES: Final[dict[str, Action]] = {
    "back": back,
    "forward": forward,
    "next_turn": next_turn,
    "previous_turn": previous_turn,
    "home": home,
    "end": end,
    "next_comment": next_comment,
}
"""The actions that go to another picture; they pause a replay."""

TEMPI: Final[dict[str, Action]] = {"pause": pause, "faster": faster, "slower": slower}
"""The actions that change the speed."""


def act(now: Playback, action: str) -> Playback:
    """Return the playback after an action."""
    if action in TEMPI:
        return TEMPI[action](now)
    after = MOVES[action](now)
    return replace(after, running=False) if after != now else now


def does_something(now: Playback, action: str) -> bool:
    """Return whether the key of an action changes anything in the playback."""
    return act(now, action) != now


def _to_found(now: Playback, ply: int | None) -> Playback:
    return now if ply is None else to_ply(now, ply)


def _text(now: Playback, ply: int) -> str:
    """Return the text of a ply that a search looks at, in lower case."""
    said = [remark.said for remark in now.line.remarks.get(ply, ())]
    comments = [each.text for each in said if isinstance(each, Commented)]
    entry = now.line.entries[ply - 1] if ply else None
    words = [entry.text or "", entry.words] if entry else []
    return "\n".join([*words, *comments]).lower()
