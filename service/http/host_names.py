"""The host names a service answers to; links, codes and invitations use no others.

Every request is checked for its `Host` before it reaches a route, so that links can be made.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from litestar import Request

from replay.errors import Usage
from service.http.limits import EXEMPT, MOST_HEADERS
from service.http.problems import Problem

NAME: Final = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)")
HOST: Final = re.compile(NAME.pattern + r"\.?(?::([0-9]{0,5}))?")
"""A `Host` header: a name and an optional port."""

LONGEST: Final = 255
"""The most bytes of a `Host` header."""

LAST_PORT: Final = 65535


def check_headers(headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
    """Return the status and the words of a refusal, or `None` for headers that may pass.

    A request without a `Host` passes; its links have the address of the server.
    """
    if len(headers) > MOST_HEADERS:  # of h11; httptools stops at the first one too many
        return 431, f"the request has {len(headers)} headers; send at most {MOST_HEADERS}"
    host = None
    for name, value in headers:
        if name == b"host":
            if host is not None:
                return 400, "the request has several Host headers; send one"
            host = value
    if host and not (len(host) <= LONGEST and _is_host(host)):
        shown = host[:100].decode("latin-1")
        return 400, f"{shown!r} is not a valid Host; use a name like plybook.example:8000"
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
        """Refuse a request for another name. Raises `Problem` 400.

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
        raise Usage(f"{name!r} is no host name; write it without http:// and port, like a.example")
    return plain
