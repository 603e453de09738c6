"""Time controls as data: stages, increments, delays and byo-yomi, and the account of a seat.

A control is written as in the tag `TimeControl` of PGN, with three extensions:

| text | meaning |
|---|---|
| `300` | all moves in 300 seconds |
| `300+5` | 5 seconds more after each move (Fischer) |
| `300+5d` | the first 5 seconds of each move are free (simple or US delay) |
| `300+5b` | each move gives back its time, 5 seconds at most (Bronstein) |
| `40/7200:3600` | 40 moves in 7200 seconds, then 3600 more; the last stage repeats |
| `3600:5x30` | then byo-yomi: 5 periods of 30 seconds, each renewed by a move within it |
| `3600:1x25/600` | then Canadian byo-yomi: each 600 seconds for 25 moves |

Everything else is in milliseconds. The account changes only between moves; within one it follows
from the time spent on it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from msgspec import Struct

MAX_SECONDS: Final = 30 * 24 * 60 * 60
"""The longest time that can be set, in seconds: thirty days."""
MAX_STAGES: Final = 9
STAGE: Final = re.compile(
    r"(?:([1-9][0-9]?)x)?(?:([1-9][0-9]{0,2})/)?(0|[1-9][0-9]{0,6})(?:\+([1-9][0-9]{0,6})([db]?))?"
)
EXAMPLES: Final = (
    "use seconds like 300, 300+5 (increment), 300+5d (delay), 300+5b (Bronstein),"
    " 40/7200:3600 (stages) or 3600:5x30 (byo-yomi)"
)


class Stage(NamedTuple):
    """A stage: `moves` in `time`, then the next stage adds its time; 0 `moves` mean all the rest.

    A move's `bonus` is an increment, a delay (`d`), or given back (`b`). With `periods` it is a
    byo-yomi stage: that many periods of `time`, each renewed by its `moves`.
    """

    time: int
    moves: int = 0
    bonus: int = 0
    mode: Literal["", "d", "b"] = ""
    periods: int = 0

    @property
    def delay(self) -> int:
        """The time of each move that is not charged."""
        return self.bonus if self.mode == "d" else 0


Control = tuple[Stage, ...]


class TimeAccount(NamedTuple):
    """The time of a seat: `left` of its main time or period, `made` moves of the stage or period.

    `left` is 0 or less when the time is up.
    """

    stage: int
    made: int
    left: int
    periods: int


class Phase(Struct, frozen=True, omit_defaults=True):
    """The display of a running clock from `after` milliseconds on: `left`, which counts down.

    During the `still` milliseconds of a delay, `left` waits. `periods` counts the remaining periods
    of byo-yomi, `moves` the moves until the next stage or a new period.
    """

    after: int
    """Milliseconds after `since` at which the phase begins."""
    left: int
    """Milliseconds that the clock shows at the beginning of the phase."""
    still: int = 0
    """Milliseconds for which a delay runs and `left` waits; 0 if `left` counts down."""
    periods: int = 0
    """Periods of byo-yomi that are left, this one included."""
    moves: int = 0
    """Moves to make until the next stage, or until the period is renewed."""
    words: str = ""
    """The stage in words, without a delay that runs."""

    @property
    def note(self) -> str:
        """The stage and a delay that runs, in words."""
        delay = f"delay {_time_text(self.still)}" if self.still else ""
        return ", ".join(filter(None, (self.words, delay)))


@functools.lru_cache
def read_control(text: str) -> Control:
    """Parse a time control. Raises `ValueError` with a sentence."""
    parts = text.split(":")
    stages = tuple(_read_stage(text, part) for part in parts[: MAX_STAGES + 1])
    for number, stage in enumerate(stages[:-1]):
        if stage.periods:
            raise _wrong(text, f"byo-yomi ({parts[number]}) must come last")
        if not stage.moves and not stages[number + 1].periods:
            raise _wrong(text, f"nothing may follow {parts[number]}, which is for all moves")
    if len(stages) > 1 and stages[-1].periods and stages[-2].moves:
        raise _wrong(text, f"before byo-yomi must come a time for all moves, not {parts[-2]}")
    if len(stages) > MAX_STAGES:
        raise _wrong(text, f"it has more than {MAX_STAGES} stages")
    if not stages[0].time:
        raise _wrong(text, "its first stage has no time")
    return stages


def _read_stage(text: str, part: str) -> Stage:
    found = STAGE.fullmatch(part)
    if found is None:
        raise _wrong(text)
    periods, moves, seconds, bonus = (int(each or 0) for each in found.group(1, 2, 3, 4))
    if periods and (bonus or not seconds):
        raise _wrong(text, f"a period must have seconds and no bonus, not {part}")
    if max(seconds, bonus) > MAX_SECONDS:
        raise _wrong(text, f"a time can be at most {MAX_SECONDS} seconds")
    mode: Literal["", "d", "b"] = "d" if found[5] == "d" else "b" if found[5] else ""
    return Stage(seconds * 1000, moves or min(periods, 1), bonus * 1000, mode, periods)


def _wrong(text: str, why: str = "") -> ValueError:
    return ValueError(f"{text!r} is not a valid clock{': ' * bool(why)}{why}; {EXAMPLES}")


def begin(control: Control) -> TimeAccount:
    """Return a seat's account of time before the first move."""
    return TimeAccount(0, 0, control[0].time, control[0].periods)


def spend(control: Control, account: TimeAccount, thought: int) -> TimeAccount:
    """Return the account after a time spent on a move that is not made yet."""
    stage = control[account.stage]
    left = account.left - max(0, thought - stage.delay)
    if left <= 0 and not stage.periods and _byoyomi_follows(control, account.stage):
        stage = control[account.stage + 1]
        account = TimeAccount(account.stage + 1, 0, 0, stage.periods)
        left += stage.time
    if left <= 0 and account.periods > 1:
        lost = min(-left // stage.time + 1, account.periods - 1)
        account = account._replace(periods=account.periods - lost, made=0)
        left += lost * stage.time
    return account._replace(left=left)


def settle(control: Control, account: TimeAccount, thought: int, *, moved: bool) -> TimeAccount:
    """Return the account after a move, or after a wait that ended without a move."""
    account = spend(control, account, thought)
    stage, made = control[account.stage], account.made + moved
    if stage.periods:
        renewed = account.left > 0 and (made == stage.moves or stage.moves == 1)
        return account._replace(made=0, left=stage.time) if renewed else account._replace(made=made)
    left = account.left
    if stage.mode == "b":
        left += min(thought, stage.bonus)
    elif not stage.mode and moved:
        left += stage.bonus
    if made != stage.moves or not moved:
        return account._replace(made=made, left=left)
    following = min(account.stage + 1, len(control) - 1)
    return TimeAccount(following, 0, left + control[following].time, 0)


def until_flag(control: Control, account: TimeAccount, thought: int) -> int:
    """Return the time until the whole time is up, after a time spent on a move."""
    now = spend(control, account, thought)
    stage, rest = control[now.stage], now.left
    if stage.periods:
        return rest + (now.periods - 1) * stage.time
    if _byoyomi_follows(control, now.stage):
        rest += control[now.stage + 1].periods * control[now.stage + 1].time
    return rest + max(0, stage.delay - thought) if rest > 0 else rest


def phases(control: Control, account: TimeAccount, thought: int) -> Iterator[Phase]:
    """Yield the phases of the clock after a time spent on a move."""
    at = thought
    while True:
        now = spend(control, account, at)
        stage = control[now.stage]
        still = max(0, stage.delay - at)
        moves = stage.moves - now.made if stage.moves > 1 else 0
        words = describe_account(control, now, still=bool(still))
        yield Phase(at - thought, now.left, still, now.periods, moves, words)
        over = _byoyomi_follows(control, now.stage) or now.periods > 1
        if not still and (now.left <= 0 or not over):
            return
        at += still or now.left


def describe_account(control: Control, account: TimeAccount, *, still: bool) -> str:
    """Return the stage in few words: "12 to go", "delay 0:05", "+5×0:30", "3×0:30".

    A delay is left out while it runs and the clock is `still`.
    """
    stage, told = control[account.stage], []
    if stage.periods:
        told.append(f"{account.periods}×{_time_text(stage.time)}")
    if stage.moves > 1:
        told.append(f"{stage.moves - account.made} to go")
    if stage.mode and not still:
        told.append(f"{'delay' if stage.delay else 'back'} {_time_text(stage.bonus)}")
    if _byoyomi_follows(control, account.stage):
        following = control[account.stage + 1]
        told.append(f"+{following.periods}×{_time_text(following.time)}")
    return ", ".join(told)


def _byoyomi_follows(control: Control, stage: int) -> bool:
    return stage + 1 < len(control) and control[stage + 1].periods > 0


def _time_text(milliseconds: int) -> str:
    seconds = -(-milliseconds // 1000)
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{f'{hours}:{minutes:02}' if hours else minutes}:{seconds % 60:02}"
