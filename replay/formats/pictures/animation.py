"""A match as an animated GIF: every step and position, with the move text above the board."""

from __future__ import annotations

# Imports in functions are of the optional extra `pictures`.
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from domain.scene import Scene
from replay.book import Book
from replay.drawing import svg
from replay.errors import Usage
from replay.formats.pictures.painter import Painter
from replay.formats.pictures.stills import check_extra
from replay.reading.stops import Stop, stops
from replay.reading.timeline import LineEntry
from replay.record.match_record import MatchRecord
from replay.tags.names import player_names

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH: Final = 480
"""The width in pixels."""

COLOURS: Final = 128
SAMPLES: Final = 8
"""The number of pictures from which the palette is computed."""

STEP: Final = 600
POSITION: Final = 900
END: Final = 4000
"""How long a step of an event, a position and the last position are shown, in milliseconds."""

MAX_CAPTION: Final = 40
"""The longest caption on one line, in characters."""

MAX_PLIES: Final = 200
"""The most plies of an animation that people ask for: each takes some 0.1 s and 20 kB."""


Watched = Callable[[Sequence[str]], Iterable[str]]
"""Passes drawings through, and shows the progress."""


class AnimationFrame(NamedTuple):
    """A drawing and how long it is shown, in milliseconds."""

    drawing: str
    duration: int


def write_gif(
    book: Book, record: MatchRecord, ply: int, first: int = 0, watched: Watched = iter
) -> bytes:
    """Return a match between two plies as a repeating GIF.

    Raises `Usage` without the extra, and for a range that ends before it begins.
    """
    check_extra()
    shown = check_range(first, ply)
    captions = stops(book, record, player_names(book, record))
    frames = list(_frames(islice(captions, shown.start, shown.stop)))
    frames[-1] = frames[-1]._replace(duration=END)
    pages = _pages([frame.drawing for frame in frames], watched)
    beginning = next(pages)
    written = io.BytesIO()
    beginning.save(
        written,
        "GIF",
        save_all=True,
        append_images=pages,
        duration=[frame.duration for frame in frames],
        loop=0,
    )
    return written.getvalue()


def check_range(first: int, last: int) -> range:
    """Return the plies of an animation. Raises `Usage` for a range that ends before it begins."""
    if first > last:
        raise Usage(f"an animation from ply {first} cannot end at ply {last}, which is before it")
    return range(first, last + 1)


def _frames(shown: Iterator[Stop]) -> Iterator[AnimationFrame]:
    """Yield the first position, and for each later one its steps and the position."""
    for number, stop in enumerate(shown):
        for step in stop.steps if number else ():
            yield AnimationFrame(_draw_caption(step, step.caption), STEP)
        scene = stop.point.scene
        yield AnimationFrame(
            _draw_caption(scene, _caption(stop.entry) if stop.entry else scene.caption), POSITION
        )


def _caption(entry: LineEntry) -> str:
    return f"{entry.turn}. {entry.text}"


def _draw_caption(scene: Scene, text: str) -> str:
    """Put a caption of one line above a picture, so that the board does not move."""
    cut = text if len(text) <= MAX_CAPTION else f"{text[: MAX_CAPTION - 1]}…"
    return svg.draw(replace(scene, caption=cut or "start"))


def _pages(drawings: Sequence[str], watched: Watched) -> Iterator[Image]:
    """Yield pages of equal size and palette, so that few pixels change between them.

    Only one full-colour picture is in memory at a time; hundreds would not fit.
    """
    from PIL import Image

    painter = Painter(WIDTH)
    height = max(map(painter.height, drawings))
    palette = _palette(painter, drawings[:: max(1, len(drawings) // SAMPLES)], height)
    for drawing in watched(drawings):
        page = painter.paint(drawing, height)
        yield page.quantize(palette=palette, dither=Image.Dither.NONE)


def _palette(painter: Painter, drawings: Sequence[str], height: int) -> Image:
    """Compute a palette from a few pictures of the match, placed side by side."""
    from PIL import Image

    size = WIDTH // 2, height // 2  # half of the pixels has all of the colours
    strip = Image.new("RGB", (size[0] * len(drawings), size[1]), "white")
    for place, drawing in enumerate(drawings):
        page = painter.paint(drawing, height)
        strip.paste(page.resize(size, Image.Resampling.NEAREST), (size[0] * place, 0))
    return strip.quantize(COLOURS, dither=Image.Dither.NONE)
