"""nginx in front of several servers, as a door for clients that retry."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.browser.nginx import CONFIGURATION, NAME, Proxy, run_nginx

SHARING: Final = CONFIGURATION.with_name("upstream-compose.conf")
"""The documented file by which two servers share the requests."""
AWAY: Final = (502, 504)
"""The answers of nginx for a server that is away, or died before it answered."""


class Door:
    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    def connect(self, patience: float) -> http.client.HTTPConnection:
        return _Connection("127.0.0.1", self._proxy.https, timeout=patience, context=self._trust)

    @property
    def _trust(self) -> Any:
        return self._proxy.trust


class _Connection(http.client.HTTPSConnection):
    """A connection that asks under the path and the name of the documented configuration."""

    def request(
        self, method: str, url: str, body: Any = None, headers: Any = None, **_: Any
    ) -> None:
        named = {**(headers or {}), "Host": f"{NAME}:{self.port}"}
        super().request(method, f"/plybook{url}", body, named)

    def getresponse(self) -> http.client.HTTPResponse:
        """Return an answer of a server. Raises `HTTPException` if nginx had none."""
        answer = super().getresponse()
        if answer.status in AWAY:
            raise http.client.HTTPException(f"{answer.status} from nginx")
        return answer


@contextmanager
def behind_nginx(folder: Path, ports: tuple[int, int]) -> Iterator[Door]:
    """Run nginx with the documented file before two servers that share the requests."""
    with run_nginx(folder, ports, upstream=SHARING) as proxy:
        yield Door(proxy)
