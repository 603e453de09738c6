"""Drawings of one match as pixels: only what changed is painted, and only new parts are rasterised.

Rasterising a whole drawing takes 60 ms, because each pixel is encoded as PNG. A part is the same
element at the same place; it is drawn small first, to find where it lies.
"""

from __future__ import annotations

# Imports in functions are of the optional extra `pictures`.
import io
import math
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from replay.formats.pictures.stills import png

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
BODY: Final = re.compile(r"</style>(.*)</svg>", re.DOTALL)
TAG: Final = re.compile(r"<(/?)[a-z]+([^<>]*?)(/?)>")
PLACING: Final = re.compile(r' transform="[^"]*"| class="pb-tray"')

SMALL: Final = 8
"""How much smaller than the page the drawing is that shows where each part lies."""

MAX_KNOWN: Final = 1500
"""The most parts kept, of some 15 kB each."""


HEAD: Final = '<svg xmlns="http://www.w3.org/2000/svg" class="pb-scene"'

Area = tuple[int, int, int, int]
"""The left, upper, right and lower edges of an area, in pixels."""


class PaintedPart(NamedTuple):
    """The pixels of a part, and where they lie on a page."""

    area: Area
    pixels: Image


class Painter:
    """Paints drawings of equal width, each as an image of this width."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._known: OrderedDict[str, PaintedPart | None] = OrderedDict()
        self._last: tuple[dict[str, PaintedPart], Image] = {}, _blank(width, 0)
        """The parts of the last page by their names, and the page."""

    def height(self, drawing: str) -> int:
        """Return the height of a drawing in pixels."""
        width, height = _size(drawing)
        return math.ceil(self._width * round(height) / round(width))

    def paint(self, drawing: str, height: int) -> Image:
        """Return a drawing on a white page of a height."""
        found = BODY.search(drawing)
        assert found is not None
        scale = self._scale(drawing)
        names = [f'<g transform="{scale}">{part}</g>' for part in _cut(found[1])]
        self._learn([*dict.fromkeys(name for name in names if name not in self._known)], height)
        for name in names:
            self._known.move_to_end(name)
        parts = {name: part for name in names if (part := self._known[name]) is not None}
        page = self._again(parts, height)
        self._last = parts, page.copy()
        while len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
        return page

    def _again(self, parts: dict[str, PaintedPart], height: int) -> Image:
        """Return a page with these parts: the last page, painted again where a part changed."""
        before, page = self._last
        kept = [name for name in before if name in parts]
        if page.height == height and kept == [name for name in parts if name in before]:
            shown = before | parts
            changed = [shown[name].area for name in before.keys() ^ parts.keys()]
        else:
            page = _blank(self._width, height)
            changed = [(0, 0, self._width, height)]
        for area in changed:
            _paint_area(page, area, parts.values())
        return page

    def _scale(self, drawing: str) -> str:
        """Scale user units to pixels; the renderer stretches a drawing to a whole height."""
        width, height = _size(drawing)
        return f"scale({self._width / round(width):.8f} {self.height(drawing) / round(height):.8f})"

    def _learn(self, names: Sequence[str], page: int) -> None:
        """Rasterise new parts of a page; parts of similar height are drawn side by side."""
        found = dict(zip(names, self._boxes(names, page), strict=True))
        self._known |= dict.fromkeys(names)
        alike: dict[int, dict[str, Area]] = {}
        for name, box in found.items():
            if box is not None:
                alike.setdefault((box[3] - box[1]).bit_length(), {})[name] = box
        for boxes in alike.values():
            self._known |= self._rasterised(boxes)

    def _rasterised(self, boxes: Mapping[str, Area]) -> Iterator[tuple[str, PaintedPart]]:
        """Yield the parts that lie in these areas."""
        starts = [0, *accumulate(right - left for left, _, right, _ in boxes.values())]
        most = max(below - top for _, top, _, below in boxes.values())
        moves = [(x - box[0], -box[1]) for x, box in zip(starts, boxes.values(), strict=False)]
        sheet = self._sheet([*boxes], moves, (starts[-1], most), 1)
        for (name, area), (x, y) in zip(boxes.items(), moves, strict=True):
            left, top, right, below = area
            yield name, PaintedPart(area, sheet.crop((left + x, top + y, right + x, below + y)))

    def _boxes(self, names: Sequence[str], page: int) -> Iterator[Area | None]:
        """Yield where parts lie, in pixels; `None` for what cannot be seen."""
        width, height = (-(-each // SMALL) for each in (self._width, page))
        if not names:
            return
        places = [(0, number * height * SMALL) for number in range(len(names))]
        size = width * SMALL, height * SMALL * len(names)
        small = self._sheet(names, places, size, SMALL)
        for number in range(len(names)):
            slot = small.crop((0, number * height, width, (number + 1) * height))
            if (box := slot.getchannel("A").getbbox()) is None:
                yield None
            else:
                left, top = (max(0, each - 1) * SMALL for each in box[:2])
                yield left, top, (box[2] + 1) * SMALL, (box[3] + 1) * SMALL

    def _sheet(
        self,
        names: Sequence[str],
        moves: Sequence[tuple[int, int]],
        size: tuple[int, int],
        smaller: int,
    ) -> Image:
        """Rasterise parts, each moved by some pixels, on a transparent sheet."""
        from PIL import Image

        parts = "".join(
            f'<g transform="translate({x} {y})">{name}</g>'
            for (x, y), name in zip(moves, names, strict=True)
        )
        sheet = f'{HEAD} viewBox="0 0 {size[0]} {size[1]}"><style></style>{parts}</svg>'
        with Image.open(io.BytesIO(png(sheet, size[0] // smaller, None))) as image:
            return image.convert("RGBA")


def _blank(width: int, height: int) -> Image:
    from PIL import Image

    return Image.new("RGB", (width, height))


def _paint_area(page: Image, area: Area, parts: Iterable[PaintedPart]) -> None:
    """Paint what lies in an area of a page, and white behind it."""
    left, top, right, below = area
    page.paste("white", area)
    for (x, y, end, foot), pixels in parts:
        if x < right and left < end and y < below and top < foot:
            corner = max(left, x), max(top, y)
            seen = pixels.crop(
                (corner[0] - x, corner[1] - y, min(right, end) - x, min(below, foot) - y)
            )
            page.paste(seen, corner, seen)


def _size(drawing: str) -> tuple[float, float]:
    found = SIZE.search(drawing)
    assert found is not None
    return float(found[1]), float(found[2])


def _cut(body: str) -> Iterator[str]:
    """Yield the parts of a drawing, each within the groups that place it."""
    placing: list[str] = []
    depth = start = 0
    for tag in TAG.finditer(body):
        closes, attributes, is_empty = tag.groups()
        if not depth:
            if closes:
                placing.pop()
                continue
            if PLACING.fullmatch(attributes):
                placing.append(tag[0])
                continue
            start = tag.start()
        depth += 0 if is_empty else -1 if closes else 1
        if not depth:
            yield f"{''.join(placing)}{body[start : tag.end()]}{'</g>' * len(placing)}"
