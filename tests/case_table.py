"""Tables of cases as text: a line for each case, bars between its columns."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import astuple

from domain.effects import Effect
from domain.position import Outcome


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


def cases_of_words(names: str, text: str) -> pytest.MarkDecorator:
    """Return the mark that runs a test with each word of the last column of each line."""
    split = [(*case, word) for *case, words in rows(text) for word in words.split()]
    return pytest.mark.parametrize(names.split(), split)


def compare(expected: str, look: Callable[[str, str], object]) -> None:
    """Compare words like `seat=2 turn=41` with what `look` finds for each name."""
    pairs = dict(word.split("=", 1) for word in expected.split())
    found = {name: str(look(name, value)) for name, value in pairs.items()}
    assert found == pairs, found


def numbers(text: str) -> tuple[int, ...]:
    """Read `1,2,3`."""
    return tuple(map(int, text.split(",")))


def ending(outcome: Outcome | None) -> str | None:
    """Write an outcome as `1:POP-6.1`; a draw has `None` for its winner."""
    return outcome and f"{outcome.result[1:] or None}:{outcome.clause}"


def listed(values: tuple[object, ...], mark: str = ",") -> str:
    """Write `1,2,3`."""
    return mark.join(map(str, values))


def said(*effects: Effect) -> list[str]:
    """Write effects like `WentOut:3:nest:g2`; several values of a field are joined by `+`."""
    return [listed((type(each).__name__, *map(field, astuple(each))), ":") for each in effects]


def field(value: object) -> str:
    return listed(value, "+") if isinstance(value, tuple) else str(value)
