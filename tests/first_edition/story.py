"""Read everything out of a book by public commands, to compare it with the expected output."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

from cli import main

HERE: Final = Path("fixtures/first-edition")
SENTENCES: Final = frozenset(
    ("told", "standing", "words", "what", "theirs", "title", "lines", "caption", "note", "message")
)
"""Keys of English words, which may change."""

Run = Callable[..., str]


class Failed(Exception):
    """A command ended with a nonzero status."""


def runner(db: Path) -> Run:
    """Return a function that runs `plybook` on a database and returns its output."""

    def run(*arguments: str | Path) -> str:
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        wrong = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(wrong):
            try:
                main(["--db", str(db), *map(str, arguments)])
            except SystemExit as ended:
                if ended.code:
                    raise Failed(arguments, wrong.getvalue()) from None
        printed.flush()
        return printed.buffer.getvalue().decode()  # type: ignore[attr-defined]

    return run


def lines(run: Run, *arguments: str | Path) -> list[Any]:
    """Run a command with `--json` and return its lines, without sentences."""
    return [without_sentences(json.loads(line)) for line in run(*arguments, "--json").splitlines()]


def without_sentences(value: Any) -> Any:
    """Leave out every English sentence below a value of JSON."""
    match value:
        case dict():
            return {k: without_sentences(v) for k, v in value.items() if k not in SENTENCES}
        case list():
            return list(map(without_sentences, value))
    return value


def story(run: Run, matches: list[str]) -> dict[str, Any]:
    """Return the story of all matches of a book."""
    return {
        "verify": sorted(lines(run, "verify"), key=lambda verdict: str(verdict["match"])),
        "trash": lines(run, "list", "--trash"),
        "matches": {match: match_story(run, match) for match in matches},
    }


def match_story(run: Run, match: str) -> dict[str, Any]:
    """Return the story of a match: its state, its whole log, its forks and its annotations."""
    (shown,) = lines(run, "show", match)
    return {
        "show": shown,
        "position": position(run, match),
        "line": lines(run, "log", match),
        "log": lines(run, "log", match, "--all"),
        "tree": lines(run, "tree", match, "--all"),
        "annotations": lines(run, "annotations", match, "--history"),
        "tags": lines(run, "tag", match),
    }


def position(run: Run, match: str) -> str | None:
    """Return the position as text; a position with a sealed move has none."""
    try:
        return run("position", match).strip()
    except Failed:
        return None
