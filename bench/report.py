"""Report measured rows as text, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

import msgspec

from bench.checkouts import Measured
from bench.machine import Machine
from bench.row import Figure

LINE = "{:14} {:65} {:>10} {:>15} {:>8}  {}"
HEAD = ("row", "figure", "today", "lowest – highest", "aim")
TITLE = """\
# Figures of the benchmarks

Written by `{command}`. Each figure is the median of its rounds.
`×` marks a ratio; [how each row is measured](#how-each-row-is-measured) says to what.
"""


def head(today: str = "today") -> str:
    """Return the line above the lines of text."""
    return LINE.format(*(today if title == "today" else title for title in HEAD), "").rstrip()


def lines(row: Measured) -> Iterator[str]:
    for cells in _cells(row):
        yield LINE.format(*cells).rstrip()


def compared(before: Measured, now: Measured, ref: str) -> Iterator[str]:
    """Yield lines of text: each figure's change from the one commit to the other."""
    failed = [f"at {ref}: {before.failed}"] * bool(before.failed)
    failed += [f"here: {now.failed}"] * bool(now.failed)
    for why in failed:
        yield LINE.format(now.name, f"cannot be run {why}", *[""] * 4).rstrip()
    for (figure, old), (_, new) in () if failed else zip(before.columns, now.columns, strict=True):
        changes = [b / a for a, b in zip(old, new, strict=True) if a]
        change = f"× {_number(median(changes))}" if changes else ""
        both = f"{_number(median(old))} → {_number(median(new))} {figure.unit}"
        cells = (now.name, figure.name, change, _spread(changes), aim(figure), both)
        yield LINE.format(*cells).rstrip()


def markdown(rows: Sequence[Measured], machine: Machine, command: str) -> str:
    """Return the page that `--write` writes."""
    described = {**msgspec.structs.asdict(machine), "fsync": f"{machine.fsync} ms for 4 kB"}
    parts = [
        TITLE.format(command=command),
        *_table((*HEAD, "verdict"), (cells for row in rows for cells in _cells(row))),
        "\n## The machine\n",
        *_table(("", ""), ((key.replace("_", " "), str(described[key])) for key in described)),
        "\n## How each row is measured\n",
        *_explanations(rows),
    ]
    return "\n".join(parts) + "\n"


def plain(row: Measured) -> dict[str, Any]:
    """Return a row for JSON, with medians and verdicts."""
    return msgspec.to_builtins(row) | {
        "medians": [median(values) for _, values in row.columns],
        "reached": [figure.reached(median(values)) for figure, values in row.columns],
    }


def is_missed(row: Measured) -> bool:
    """Return whether a figure of a row misses its aim."""
    return any(figure.reached(median(values)) is False for figure, values in row.columns)


def aim(figure: Figure) -> str:
    if figure.at_least is not None:
        return f"≥ {_number(figure.at_least)}"
    return "" if figure.at_most is None else f"≤ {_number(figure.at_most)}"


def _cells(row: Measured) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each figure: row, figure, median, spread, aim, verdict."""
    if row.failed:
        yield row.name, f"not measured: {row.failed}", "", "", "", ""
    for figure, values in row.columns:
        now = median(values)
        verdict = {True: "reached", False: "missed", None: ""}[figure.reached(now)]
        today = f"{_number(now)} {figure.unit}".rstrip()
        yield row.name, figure.name, today, _spread(values), aim(figure), verdict


def _explanations(rows: Sequence[Measured]) -> Iterator[str]:
    """Yield an item of a list for each explanation, with the rows that share it."""
    shared: dict[str, list[str]] = {}
    for row in rows:
        if row.explained:
            shared.setdefault(row.explained, []).append(f"`{row.name}`")
    for explained, names in shared.items():
        yield f"- {', '.join(names)}: {explained}"


def _table(titles: Sequence[str], body: Iterator[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(titles)} |"
    yield f"|{'---|' * len(titles)}"
    for cells in body:
        yield f"| {' | '.join(cells)} |"


def _spread(values: Sequence[float]) -> str:
    return f"{_number(min(values))} – {_number(max(values))}" if len(values) > 1 else ""


def _number(value: float) -> str:
    """Return a number with about three digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
