"""Read everything out of a book by public commands, to compare it with the expected output."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

from litestar.testing import TestClient

from cli import main

SENTENCES: Final = frozenset(
    ("told", "standing", "words", "what", "theirs", "title", "lines", "caption", "note", "message")
)
"""Keys of English words, which may change."""

OF_A_MATCH: Final = ("", "/events", "/annotations", "/invitations", "/hooks")
"""The paths that callers ask for below a match; only hosts get the last two."""
DRAWN: Final = "?scene=true"
OF_PEOPLE: Final = ("/account/matches", "/matches", "/hooks", "/accounts")

Run = Callable[..., str]


class Failed(Exception):
    """A command ended with a nonzero status."""


def runner(db: Path | str) -> Run:
    """Return a function that runs `plybook` on a database and returns its output."""

    def run(*arguments: str | Path) -> str:
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        wrong = io.StringIO()
        failed = False
        with redirect_stdout(printed), redirect_stderr(wrong):
            try:
                main(["--db", str(db), *map(str, arguments)])
            except SystemExit as ended:
                failed = bool(ended.code)
        printed.flush()
        said: str = printed.buffer.getvalue().decode()  # type: ignore[attr-defined]
        if failed:
            raise Failed(arguments, wrong.getvalue(), said)
        return said

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
    (shown,) = lines(run, "show", match, "--scene")
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


def answers(
    client: TestClient[Any], matches: dict[str, str], tokens: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return the answers over HTTP: of each match to its callers, and to accounts and operators."""
    return {
        **{
            f"{name} {who}{path}": answer(client, f"/matches/{matches[name]}{path or DRAWN}", token)
            for name in matches
            for who, token in callers(tokens.get(name, {}))
            for path in (OF_A_MATCH if name in tokens else OF_A_MATCH[:1])
        },
        **{
            f"{who} {path}": answer(client, path, token)
            for who, token in tokens.get("people", {}).items()
            for path in OF_PEOPLE
        },
    }


def callers(tokens: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the callers of a match by name, each with its token; the first has none."""
    yield "nobody", ""
    for role, token in tokens.items():
        seats = token.items() if isinstance(token, dict) else ()
        yield from ((f"{role}.{seat}", each) for seat, each in seats)
        if isinstance(token, str):
            yield role, token


def answer(client: TestClient[Any], path: str, token: str) -> Any:
    """Return the answer to a `GET` without sentences, or its status if it is an error."""
    found = client.get(path, headers={"Authorization": f"Bearer {token}"} if token else {})
    return without_sentences(found.json()) if found.is_success else found.status_code
