"""Press keys in a screen of a given size, and read the screen."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from rich.console import Console
from textual.pilot import Pilot

from cli.screen.frame import Frame

NAMED = {
    " ": "space", ">": "greater_than_sign", "@": "at", "!": "exclamation_mark",
    "?": "question_mark", "=": "equals_sign", ":": "colon", ",": "comma", ".": "full_stop",
    "/": "slash",
}  # fmt: skip


def in_colours(system: Literal["standard", "truecolor"]) -> Console:
    """Return a terminal of 16 colours, or of all colours."""
    return Console(color_system=system, force_terminal=True)


def screen(app: Frame, keys: list[str], size: tuple[int, int] = (100, 30)) -> str:
    """Return the text of the screen after some keys; a word after a quote is typed."""
    app.console = in_colours("truecolor")
    return asyncio.run(_press(app, keys, size))


async def _press(app: Frame, keys: list[str], size: tuple[int, int]) -> str:
    async with app.run_test(size=size, notifications=True) as pilot:
        await press(pilot, keys)
        return text_of(app)


async def press(pilot: Pilot[Any], keys: list[str]) -> None:
    """Press keys, and wait for their effect."""
    await pilot.pause()
    for key in keys:
        typed = [NAMED.get(letter, letter) for letter in key[1:]] if key[0] == "'" else [key]
        await pilot.press(*typed)
        await pilot.pause(0.1 if key == "enter" else None)
    await pilot.pause()


def text_of(app: Frame) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)
