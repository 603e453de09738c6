"""TOML that nests without end is refused as any other fault."""

from __future__ import annotations

import pytest

from domain.games.score_sheet import definition
from domain.toml_text import parse_toml

DEEP = ["a = " + "[" * 5000, "a = " + "{b = " * 5000, "a = " + "[" * 5000 + "]" * 5000]


@pytest.mark.parametrize("text", DEEP, ids=["open", "tables", "closed"])
@pytest.mark.parametrize("read", [parse_toml, definition.read])
def test_deep_brackets_are_refused(read, text):
    with pytest.raises(ValueError, match="its brackets nest too deeply; use fewer"):
        read(text)
