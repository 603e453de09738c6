"""The keys of a replay: their actions, and which of them do something now."""

from __future__ import annotations

from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from cli.screen.palette import ACCENT, FAINT
from cli.screen.playback import Playback, does_something


class Key(NamedTuple):
    """A key, or two related keys: their print, their short meaning and their long meaning."""

    shown: str
    short: str
    long: str
    actions: tuple[str, ...]


KEYS: Final = (
    Key("←→", "step", "step back or forward", ("back", "forward")),
    Key("space", "play", "play or pause", ("pause",)),
    Key("n p", "turn", "go to the next or previous turn", ("next_turn", "previous_turn")),
    Key("c", "comment", "go to the next comment", ("next_comment",)),
    Key("/", "find", "find words in moves and comments; Enter alone repeats", ("search",)),
    Key(":", "ply", "go to a ply", ("goto",)),
    Key("v", "variation", "enter a variation (⑂ marks it), or leave it", ("vary",)),
    Key("a", "annotate", "annotate this ply: a comment, or signs like !?", ("annotate",)),
    Key("x", "fork", "fork the match here", ("fork",)),
    Key("+-", "speed", "double or halve the speed", ("faster", "slower")),
    Key("home end", "ends", "go to the start or the end", ("home", "end")),
)
ALWAYS: Final = (Key("?", "help", "list the keys", ()), Key("q", "quit", "leave", ()))


def foot(now: Playback, possible: frozenset[str], columns: int) -> Text:
    """Return the keys that do something now, as many as a line holds.

    `possible` are the possible actions other than a playback's.
    """
    able = [key for key in KEYS if any(_works(now, one, possible) for one in key.actions)]
    line, last = Text(" "), _written(ALWAYS)
    for key in able:
        word = _written([key])
        if line.cell_len + word.cell_len + last.cell_len <= columns:
            line.append_text(word)
    return line.append_text(last)


def listed() -> Text:
    """Return all keys with their meanings."""
    lines = (
        Text.assemble((f"{key.shown:>9}", Style(color=ACCENT, bold=True)), f"  {key.long}")
        for key in (*KEYS, *ALWAYS)
    )
    mouse = Text("    mouse  click a move; turn the wheel over the board")
    return Text("\n").join([*lines, mouse])


def _works(now: Playback, action: str, possible: frozenset[str]) -> bool:
    return action in possible or (action not in OTHERS and does_something(now, action))


OTHERS: Final = frozenset({"search", "goto", "vary", "annotate", "fork"})
"""The actions of the screen besides the actions of a playback."""


def _written(keys: tuple[Key, ...] | list[Key]) -> Text:
    strong = Style(color=ACCENT, bold=True)
    parts = (((key.shown, strong), (f" {key.short}  ", FAINT)) for key in keys)
    return Text.assemble(*(part for pair in parts for part in pair))
