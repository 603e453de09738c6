"""Tables of cases as text: a line for each case, bars between its columns."""

from __future__ import annotations

import pytest


def rows(text: str) -> list[tuple[str, ...]]:
    """Return the columns of each line; an indented line continues the one above it."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("  "):
            lines[-1] += line
        elif line and not line.startswith("#"):
            lines.append(line)
    return [tuple(column.strip() for column in line.split("|")) for line in lines]


def cases(names: str, text: str) -> pytest.MarkDecorator:
    """Return the mark that runs a test with each line of a table."""
    return pytest.mark.parametrize(names.split(), rows(text))
