"""Screens equal their stored pictures, and are readable in 16 colours and without colours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from rich.color import ColorSystem
from rich.segment import Segment

from cli.screen.frame import Frame
from tests.cli.screen.pilot import in_colours
from tests.cli.screen.snapshots import PLIES, file_of, pictures, replayed, take

STORED = [pytest.param(*case, id=file_of(case[0], case[4]).stem) for case in pictures()]


@pytest.mark.parametrize(("name", "make", "slug", "keys", "size"), STORED)
def test_screen_is_as_stored(name, make, slug, keys, size):
    assert take(make, slug, keys, size) == file_of(name, size).read_text(encoding="utf-8")


def segments(app: Frame) -> list[Segment]:
    async def look() -> list[Segment]:
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            strips = app.screen._compositor.render_strips()
            return [segment for strip in strips for segment in strip if segment.text.strip()]

    return asyncio.run(look())


def hidden(app: Frame, system: ColorSystem) -> Iterator[str]:
    """Yield the texts whose colour is that of their background."""
    for text, style, _ in segments(app):
        assert style
        assert style.color
        assert style.bgcolor
        if style.color.downgrade(system)[2:] == style.bgcolor.downgrade(system)[2:]:
            yield f"{text} {style}"


@pytest.mark.parametrize("slug", PLIES)
def test_all_is_visible_in_16_colours(book, slug):
    app = replayed(book, slug)
    app.console = in_colours("standard")
    assert list(hidden(app, ColorSystem.STANDARD)) == []


def test_all_is_visible_without_colours(book, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = replayed(book, "poptrix")
    assert app.no_color
    assert list(hidden(app, ColorSystem.TRUECOLOR)) == []
    colours = {segment.style.color.get_truecolor() for segment in segments(app)}
    assert all(len(set(colour)) == 1 for colour in colours)
