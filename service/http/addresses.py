"""The addresses of a service: the prefix under which a proxy serves it.

An address in an answer is the prefix and a path: `f"{prefix()}/m/{match}"` in Python,
`{{ prefix() }}/m/{{ match }}` in templates, and `${prefix}/m/${match}` in JavaScript, whose
`http.js` adds it to requests by itself. The prefix is empty if Plybook is at the root of its host.

The setting `root_path` names it. Without it, and with the setting `forwarded_prefix`, the header
`X-Forwarded-Prefix` of a trusted proxy names it. The proxy may leave it in the path or remove it.

A proxy passes on an `X-Forwarded-Prefix` from a client unless it is configured to set the header.
Therefore it is trusted only with that setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from litestar import Request

from replay.errors import Usage

PREFIX: Final = re.compile(r"(/(?!\.)[A-Za-z0-9._~-]+)+")
MAX_PREFIX: Final = 200

OWN: Final = frozenset(
    {
        *(
            "account",
            "accounts",
            "archive",
            "changes",
            "evenings",
            "explore",
            "games",
            "healthz",
            "hooks",
            "how-to-play",
            "join",
        ),
        *("library", "m", "matches", "metrics", "mine", "new", "offline", "readyz"),
        *("records", "rules", "schema", "search", "service-worker.js", "static", "stats", "stream"),
    }
)
"""The first parts of our paths. A prefix with such a name would be ambiguous."""

_PREFIX: ContextVar[str] = ContextVar("prefix", default="")


def prefix() -> str:
    """Return the prefix of the addresses in the answer to the current request, like `/plybook`."""
    return _PREFIX.get()


@contextmanager
def at_prefix(under: str) -> Iterator[None]:
    """Make addresses in a block begin with a prefix, in a process that answers no request."""
    before = _PREFIX.set(under)
    try:
        yield
    finally:
        _PREFIX.reset(before)


def absolute(request: Request[Any, Any, Any], path: str) -> str:
    """Return the address of a path with the scheme and the host that this caller used."""
    return f"{str(request.base_url).rstrip('/')}{path}"


def join_address(request: Request[Any, Any, Any]) -> str:
    """Return the address of all invitations, on the host that this caller used."""
    return absolute(request, "/join")


def invitation_link(request: Request[Any, Any, Any], match: str, token: str) -> str:
    """Return the address of an invitation."""
    return f"{join_address(request)}/{match}/{token}"


def checked_prefix(written: str) -> str:
    """Return a prefix without the slash at its end. Raises `Usage`."""
    plain = written.removesuffix("/")
    if plain and (len(plain) > MAX_PREFIX or not PREFIX.fullmatch(plain)):
        raise Usage(f"{written[:MAX_PREFIX]!r} is not a valid prefix; use a path like /plybook")
    if plain.removeprefix("/") in OWN:
        raise Usage(f"Plybook itself has a path {plain}; use a different one, like /plybook")
    return plain


def place(scope: Any, setting: str | None) -> Any:
    """Return the scope of a request at its prefix, by the setting, or else by the server.

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
