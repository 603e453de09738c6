"""A match as an animated GIF: every step and every position, with its token above the board."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from domain.scene import Scene
from replay.book import Book
from replay.branches.line_tree import Stop, stops
from replay.drawing import svg
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
STEP: Final = 600
POSITION: Final = 900
END: Final = 4000
"""Milliseconds that a step of an event, a position and the last position are shown."""

LONGEST: Final = 40
"""Characters of a caption on one line."""


class AnimationFrame(NamedTuple):
    """A picture and how long it is shown, in milliseconds."""

    scene: Scene
    duration: int


def write_gif(book: Book, recorded: MatchRecord, ply: int) -> bytes:
    """Return a match up to a ply as a GIF that repeats. Raises `Usage` without the extra."""
    check_extra()
    shown = islice(stops(book, recorded, names_of(book, recorded)), ply + 1)
    frames = [frame for stop in shown for frame in _frames(stop)]
    frames[-1] = frames[-1]._replace(duration=END)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pictures = list(pool.map(_picture, (frame.scene for frame in frames)))
    first, *others = _alike(pictures)
    written = io.BytesIO()
    first.save(
        written,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[frame.duration for frame in frames],
        loop=0,
    )
    return written.getvalue()


def _frames(stop: Stop) -> Iterator[AnimationFrame]:
    for step in stop.steps:
        yield AnimationFrame(_captioned(step, step.caption), STEP)
    scene = stop.point.scene
    yield AnimationFrame(
        _captioned(scene, _caption(stop.entry) if stop.entry else scene.caption), POSITION
    )


def _caption(entry: TimelineEntry) -> str:
    return f"{entry.turn}. {token_of(entry)}"


def _captioned(scene: Scene, text: str) -> Scene:
    """Put a caption of one line above a picture, so that the board stays where it is."""
    cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return replace(scene, caption=cut or "start")


def _picture(scene: Scene) -> Image:
    from PIL import Image

    with Image.open(io.BytesIO(png(svg.draw(scene), WIDTH))) as picture:
        return picture.convert("RGB")


def _alike(pictures: Sequence[Image]) -> Iterator[Image]:
    """Give all pictures the size of the highest and the same colours, so that few pixels change."""
    from PIL import Image

    height = max(picture.height for picture in pictures)
    palette = _palette(pictures)
    for picture in pictures:
        page = Image.new("RGB", (WIDTH, height), "white")
        page.paste(picture)
        yield page.quantize(palette=palette, dither=Image.Dither.NONE)


def _palette(pictures: Sequence[Image]) -> Image:
    """Choose colours from a few pictures of the match, set side by side."""
    from PIL import Image

    chosen = list(_some(pictures, 8))
    strip = Image.new("RGB", (WIDTH * len(chosen), max(each.height for each in chosen)), "white")
    for place, each in enumerate(chosen):
        strip.paste(each, (WIDTH * place, 0))
    return strip.quantize(COLOURS, dither=Image.Dither.NONE)


def _some(pictures: Sequence[Image], number: int) -> Iterable[Image]:
    return pictures[:: max(1, len(pictures) // number)]
