"""The addresses of a service: the prefix under which a proxy serves it, and its host names.

An address in an answer is the prefix and a path: `f"{prefix()}/m/{match}"` in Python,
`{{ prefix() }}/m/{{ match }}` in templates, and `${prefix}/m/${match}` in JavaScript, whose
`http.js` adds it to requests by itself. The prefix is empty if Plybook is at the root of its host.

The setting `root_path` names it. Without it, and with the setting `forwarded_prefix`, the header
`X-Forwarded-Prefix` of a trusted proxy names it. The proxy may leave it in the path or remove it.

A proxy passes on an `X-Forwarded-Prefix` from a client unless it is configured to set the header.
Therefore it is trusted only with that setting.

Every request is checked for its `Host` before it reaches a route, so that links can be made.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final

from litestar import Request

from replay.errors import Usage
from service.http.limits import EXEMPT, MAX_HEADERS
from service.http.problems import Problem

PREFIX: Final = re.compile(r"(/(?!\.)[A-Za-z0-9._~-]+)+")
MAX_PREFIX: Final = 200

OWN: Final = frozenset(
    {
        *(
            "account",
            "accounts",
            "archive",
            "changes",
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


NAME: Final = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)")
HOST: Final = re.compile(NAME.pattern + r"\.?(?::([0-9]{0,5}))?")
"""A `Host` header: a name and an optional port."""

MAX_HOST_NAME: Final = 255
"""The most bytes of a `Host` header."""

LAST_PORT: Final = 65535


SINGLE: Final = {
    name.lower().encode(): name for name in ("Host", "Authorization", "Idempotency-Key")
}
"""Headers that a request has only once: readers would differ in which of them they take."""


def check_headers(headers: list[tuple[bytes, bytes]]) -> tuple[int, str, str | None] | None:
    """Return status, words and path of a refusal, or `None` for headers that may pass.

    A request without a `Host` passes; its links have the address of the server.
    """
    if len(headers) > MAX_HEADERS:  # only with h11; httptools stops earlier
        return 431, f"the request has {len(headers)} headers; send at most {MAX_HEADERS}", None
    host = None
    single: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in SINGLE:
            if name in single:
                twice = SINGLE[name]
                return 400, f"the request has several {twice} headers; send one", twice
            single[name] = value
            if name == b"host":
                host = value
    if host and not (len(host) <= MAX_HOST_NAME and _is_host(host)):
        shown = host[:100].decode("latin-1")
        return 400, f"{shown!r} is not a valid Host; use a name like plybook.example:8000", "Host"
    return None


@lru_cache(maxsize=1000)
def _is_host(host: bytes) -> bool:
    found = HOST.fullmatch(host.decode("latin-1").lower())
    return found is not None and int(found[2] or 0) <= LAST_PORT and _is_name(found[1])


def _is_name(name: str) -> bool:
    """Return whether a name of the form `NAME` is valid: brackets may hold no IPv6 address."""
    if name.startswith("["):
        try:
            ipaddress.IPv6Address(name[1:-1])
        except ValueError:
            return False
    return True


class HostNames:
    """The names allowed in the `Host` header; an empty set allows all."""

    def __init__(self, names: Iterable[str]) -> None:
        """Store the names. Raises `Usage` for an invalid name."""
        self.names = tuple(map(_checked, names))

    def check(self, request: Request[Any, Any, Any]) -> None:
        """Refuse a request for any other name. Raises `Problem` 400.

        Health probes may use a numeric address, since their answers contain no links.
        """
        if request.scope["path"] in EXEMPT:
            return
        asked = request.headers.get("host", "")
        found = HOST.fullmatch(asked.lower())
        if found is None or found[1] not in self.names:
            there = " or ".join(self.names)
            wrong = f"this service is not called {asked[:100]!r}; ask for {there}"
            raise Problem(400, wrong, "unknown-host", path="Host")


def _checked(name: str) -> str:
    plain = name.lower().removesuffix(".")
    if plain.count(":") > 1 and not plain.startswith("["):
        plain = f"[{plain}]"
    if not (NAME.fullmatch(plain) and _is_name(plain)):
        raise Usage(
            f"{name!r} is not a valid host name; use one without http:// and port, like a.example"
        )
    return plain
