"""The prefix of every address: the path under which a reverse proxy serves Plybook.

An address in an answer is the prefix and a path: `f"{prefix()}/m/{match}"` in Python,
`{{ prefix() }}/m/{{ match }}` in templates, and `${prefix}/m/${match}` in JavaScript, whose
`http.js` adds it to requests by itself. The prefix is empty if Plybook is at the root of its host.

The setting `root_path` names it. Without it, and with the setting `forwarded_prefix`, the header
`X-Forwarded-Prefix` of a trusted proxy does. The proxy may leave it in the path or remove it.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Any, Final

from litestar import Request

from replay.errors import Usage

PREFIX: Final = re.compile(r"(/(?!\.)[A-Za-z0-9._~-]+)+")
LONGEST: Final = 200

OWN: Final = frozenset(
    {
        *("changes", "explore", "games", "healthz", "hooks", "how-to-play", "join"),
        *("library", "m", "matches", "metrics", "new", "offline", "readyz", "records"),
        *("rules", "schema", "search", "service-worker.js", "static", "stats", "stream"),
    }
)
"""The first parts of our paths. A prefix of that name could not be told from a path."""

_PREFIX: ContextVar[str] = ContextVar("prefix", default="")


def prefix() -> str:
    """Return the prefix of the addresses in the answer to the current request, like `/plybook`."""
    return _PREFIX.get()


def absolute(request: Request[Any, Any, Any], path: str) -> str:
    """Return the address of a path with the scheme and the host that this caller used."""
    return f"{str(request.base_url).rstrip('/')}{path}"


def checked_prefix(written: str) -> str:
    """Return a prefix without the slash at its end. Raises `Usage`."""
    plain = written.removesuffix("/")
    if plain and (len(plain) > LONGEST or not PREFIX.fullmatch(plain)):
        raise Usage(f"{written[:LONGEST]!r} is no path to be under; write it like /plybook")
    if plain.removeprefix("/") in OWN:
        raise Usage(f"Plybook has a path {plain} of its own; serve it under another, like /plybook")
    return plain


def place(scope: Any, setting: str | None) -> Any:
    """Return the scope of a request at its prefix: that of the setting, or else of the server.

    As ASGI wants it, `root_path` is the prefix, and `path` begins with it.
    """
    found: str = scope.get("root_path", "") if setting is None else setting
    _PREFIX.set(found)
    if not found and scope.get("root_path") == "":
        return scope
    path: str = scope["path"]
    if found and path != found and not path.startswith(f"{found}/"):
        path = found + path
    return {**scope, "root_path": found, "path": path}
