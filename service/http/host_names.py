"""The host names of this server: a request that asks for another name is refused.

This is *safer* than Litestar's list of allowed hosts, which is fixed when a server starts: the
addresses of the machine's interfaces change (`tests/service/http/test_host_names.py`).

A name that changes its address (DNS rebinding) would otherwise give a page of another site the
rights of our own pages. The name in `Host` also appears in the links of answers, so it must be one
of ours.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from replay.errors import Usage
from service.http.limits import EXEMPT, MAX_HEADERS
from service.http.problems import Problem
from service.settings import Settings

NAME: Final = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)")
HOST: Final = re.compile(NAME.pattern + r"\.?(?::([0-9]{0,5}))?")
"""A `Host` header: a name and an optional port."""

MAX_HOST_NAME: Final = 255
"""The most bytes of a `Host` header."""

LAST_PORT: Final = 65535

LOOPBACK: Final = "localhost"

ASKING_INTERVAL: Final = 10.0
"""Seconds between two questions for the names of this machine."""

SINGLE: Final = {
    name.lower().encode(): name for name in ("Host", "Authorization", "Idempotency-Key")
}
"""Headers that a request may have only once, because readers would differ in which one they use."""


def checked_host(headers: list[tuple[bytes, bytes]]) -> bytes:
    """Return the `Host` of a request; empty if it has no such header.

    Raises `Problem` 400 or 431.
    """
    if len(headers) > MAX_HEADERS:  # only with h11; httptools stops earlier
        raise Problem(431, f"the request has {len(headers)} headers; send at most {MAX_HEADERS}")
    single: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in SINGLE:
            if name in single:
                twice = SINGLE[name]
                raise Problem(400, f"the request has several {twice} headers; send one", path=twice)
            single[name] = value
    host = single.get(b"host", b"")
    if host and name_in(host) is None:
        shown = host[:100].decode("latin-1")
        wrong = f"{shown!r} is not a valid Host; use a name like plybook.example:8000"
        raise Problem(400, wrong, path="Host")
    return host


@lru_cache(maxsize=1000)
def name_in(host: bytes) -> str | None:
    """Return the name in a `Host` header, or `None` for an invalid header."""
    found = HOST.fullmatch(host.decode("latin-1").lower()) if len(host) <= MAX_HOST_NAME else None
    if found is None or int(found[2] or 0) > LAST_PORT:
        return None
    return _plain(found[1])


def _plain(name: str) -> str | None:
    """Return a name of the form `NAME`, IPv6 in its short form; `None` for brackets without one."""
    if not name.startswith("["):
        return name
    try:
        return f"[{ipaddress.IPv6Address(name[1:-1]).compressed}]"
    except ValueError:
        return None


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return host names as they are written in `Host`. Raises `Usage` for an invalid name."""
    return tuple(map(_checked, names))


def _checked(name: str) -> str:
    plain = _in_brackets(name.lower().removesuffix("."))
    found = _plain(plain) if NAME.fullmatch(plain) else None
    if found is None:
        raise Usage(
            f"{name!r} is not a valid host name; use one without http:// and port, like a.example"
        )
    return found


def _in_brackets(name: str) -> str:
    return f"[{name}]" if name.count(":") > 1 and not name.startswith("[") else name


class HostNames:
    """The names of a server.

    Its names are those of the loopback, the address to which a request came, the address and the
    names in the settings, and, if the server listens everywhere, the names of the machine. The
    address to which a request came needs no list of interfaces, and is never out of date.
    """

    def __init__(self, settings: Settings) -> None:
        """Store the names. Raises `Usage` for an invalid name."""
        self.named = checked_names(settings.host_names)
        self._is_everywhere = settings.is_everywhere
        self._own = {*self.named, _in_brackets(settings.host.lower())}
        self._asking: asyncio.Task[None] | None = None
        self._asked_at = -ASKING_INTERVAL
        self.has = lru_cache(maxsize=1000)(self._has)
        """Whether a `Host` of a request that came to an address of this machine has our name."""

    def _has(self, host: bytes, server: tuple[str, int | None] | None) -> bool:
        name = name_in(host)
        if not name:
            return not host and not self.named
        return name in self._own or name == _of_address(server) or _is_loopback(name)

    async def check(self, host: bytes, scope: Any) -> None:
        """Check a `Host` whose name is not among the known names. Raises `Problem` 421.

        Health probes may use any name, since their answers contain no links.
        """
        if scope["path"].removeprefix(scope["root_path"]) in EXEMPT:
            return
        if self._is_everywhere:
            await self._ask_machine()
        if not self.has(host, scope["server"]):
            raise self._refusal(name_in(host) or "")

    def _refusal(self, name: str) -> Problem:
        there = " or ".join((*self.named, LOOPBACK))
        words = f"this server does not answer for {name!r}; ask for {there}"
        if name:
            words += f", or start it with --host-name {name}; a proxy must pass Host unchanged"
        return Problem(421, words, path="Host")

    def is_own_page(self, origin: str, scope: Any) -> bool:
        """Return whether an `Origin` is that of a page of this server: our name, at this port."""
        page = urlsplit(origin).netloc.encode()
        host = dict(scope["headers"]).get(b"host", b"")
        same_port = _port(page) == _port(host)
        return b"" not in (page, host) and same_port and self.has(page, scope["server"])

    async def _ask_machine(self) -> None:
        """Ask for the names of this machine again, unless that was done a moment ago."""
        if time.monotonic() - self._asked_at >= ASKING_INTERVAL:
            self._asked_at = time.monotonic()
            self._asking = asyncio.create_task(self._learn())
        if self._asking is not None:
            await asyncio.shield(self._asking)

    async def _learn(self) -> None:
        self._own |= await asyncio.to_thread(machine_names)
        self.has.cache_clear()


def machine_names() -> set[str]:
    """Return the names of this machine; a name server may take seconds to answer."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return {name, short, f"{short}.local", socket.getfqdn(name).lower()}


def _of_address(server: tuple[str, int | None] | None) -> str | None:
    """Return an address as it is written in `Host`; a socket for both families maps IPv4."""
    return _in_brackets(server[0].lower().removeprefix("::ffff:")) if server else None


def _is_loopback(name: str) -> bool:
    """Return whether a name always means the machine of the browser (RFC 6761)."""
    if name == LOOPBACK or name.endswith(f".{LOOPBACK}"):
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    return False


def _port(location: bytes) -> bytes:
    return location.rpartition(b"]")[2].partition(b":")[2]
