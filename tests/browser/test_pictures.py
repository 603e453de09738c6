"""Pictures of two commits side by side."""

from __future__ import annotations

import pytest
from PIL import Image

from tests.browser.pictures import GAP, lay


@pytest.mark.parametrize(("changed", "share"), [(0, 0), (5, 0.05)])
def test_pictures_are_laid_side_by_side_with_what_changed(tmp_path, changed, share):
    before, after, out = (tmp_path / f"{name}.png" for name in ("before", "after", "changed"))
    picture = Image.new("RGB", (10, 10), "white")
    picture.save(before)
    picture.paste((0, 0, 255), (0, 0, changed, 1))
    picture.save(after)
    assert lay(before, after, out) == share
    assert out.exists() == (share > 0)
    if share:
        laid = Image.open(out)
        assert laid.size == (30 + 2 * GAP, 10)
        there = [laid.getpixel((number * (10 + GAP), 0)) for number in range(3)]
        assert there == [(255, 255, 255), (0, 0, 255), (200, 0, 0)]
