"""A match as an animated GIF: every step and every position, with its token above the board."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from domain.scene import Scene
from replay.book import Book
from replay.branches.line_tree import Stop, stops
from replay.drawing import svg
from replay.errors import Usage
from replay.formats.html.move_list import token_of
from replay.formats.pictures.raster import check_extra, png
from replay.match_record import MatchRecord
from replay.names import names_of
from replay.reading.timeline import TimelineEntry

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH: Final = 480
"""Pixels across."""

COLOURS: Final = 128
SAMPLES: Final = 8
"""Pictures of a match that its colours are chosen from."""

STEP: Final = 600
POSITION: Final = 900
END: Final = 4000
"""Milliseconds that a step of an event, a position and the last position are shown."""

LONGEST: Final = 40
"""Characters of a caption on one line."""

SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


class AnimationFrame(NamedTuple):
    """A drawing and how long it is shown, in milliseconds."""

    drawing: str
    duration: int


def write_gif(book: Book, recorded: MatchRecord, ply: int, first: int = 0) -> bytes:
    """Return a match from one ply up to another as a GIF that repeats.

    Raises `Usage` without the extra, and where the range ends before it begins.
    """
    check_extra()
    shown = check_range(first, ply)
    told = stops(book, recorded, names_of(book, recorded))
    frames = list(_frames(islice(told, shown.start, shown.stop)))
    frames[-1] = frames[-1]._replace(duration=END)
    beginning, *others = _pages([frame.drawing for frame in frames])
    written = io.BytesIO()
    beginning.save(
        written,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[frame.duration for frame in frames],
        loop=0,
    )
    return written.getvalue()


def check_range(first: int, last: int) -> range:
    """Return the plies of an animation. Raises `Usage` for one that ends before it begins."""
    if first > last:
        raise Usage(f"an animation from ply {first} cannot end at ply {last}, which is before it")
    return range(first, last + 1)


def _frames(shown: Iterator[Stop]) -> Iterator[AnimationFrame]:
    """Draw the first position, and of the others also the steps that lead there."""
    for number, stop in enumerate(shown):
        for step in stop.steps if number else ():
            yield AnimationFrame(_drawn(step, step.caption), STEP)
        scene = stop.point.scene
        yield AnimationFrame(
            _drawn(scene, _caption(stop.entry) if stop.entry else scene.caption), POSITION
        )


def _caption(entry: TimelineEntry) -> str:
    return f"{entry.turn}. {token_of(entry)}"


def _drawn(scene: Scene, text: str) -> str:
    """Put a caption of one line above a picture, so that the board stays where it is."""
    cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return svg.draw(replace(scene, caption=cut or "start"))


def _pages(drawings: Sequence[str]) -> Iterator[Image]:
    """Give all pictures the size of the highest and the same colours, so that few pixels change.

    One picture at a time is held in full colour: hundreds would fill the memory.
    """
    from PIL import Image

    height = max(map(_height, drawings))
    palette = _palette(drawings[:: max(1, len(drawings) // SAMPLES)], height)
    for drawing in drawings:
        yield _page(drawing, height).quantize(palette=palette, dither=Image.Dither.NONE)


def _height(drawing: str) -> int:
    """Return how many pixels high a drawing becomes."""
    found = SIZE.search(drawing)
    assert found is not None
    return math.ceil(WIDTH * float(found[2]) / float(found[1]))


def _page(drawing: str, height: int) -> Image:
    from PIL import Image

    page = Image.new("RGB", (WIDTH, height), "white")
    with Image.open(io.BytesIO(png(drawing, WIDTH))) as picture:
        page.paste(picture.convert("RGB"))
    return page


def _palette(drawings: Sequence[str], height: int) -> Image:
    """Choose colours from a few pictures of the match, set side by side."""
    from PIL import Image

    strip = Image.new("RGB", (WIDTH * len(drawings), height), "white")
    for place, drawing in enumerate(drawings):
        strip.paste(_page(drawing, height), (WIDTH * place, 0))
    return strip.quantize(COLOURS, dither=Image.Dither.NONE)
