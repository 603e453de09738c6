"""The host names a service answers to; links, codes and invitations use no others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from litestar import Request

from replay.errors import Usage
from service.http.limits import EXEMPT
from service.http.problems import Problem

NAME: Final = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)")
HOST: Final = re.compile(NAME.pattern + r"\.?(?::[0-9]*)?")
"""A `Host` header: a name and an optional port."""


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
            raise Problem(400, f"this service is not called {asked[:100]!r}; ask for {there}")


def _checked(name: str) -> str:
    plain = name.lower().removesuffix(".")
    if plain.count(":") > 1 and not plain.startswith("["):
        plain = f"[{plain}]"
    if not NAME.fullmatch(plain):
        raise Usage(f"{name!r} is no host name; write it without http:// and port, like a.example")
    return plain
