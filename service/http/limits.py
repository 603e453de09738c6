"""How much one caller may ask: token buckets in memory, and a bounded number of open streams."""

from __future__ import annotations

import functools
import hashlib
import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from litestar import Request
from litestar.di import NamedDependency

from service.http.problems import Problem
from service.settings import Settings

REMEMBERED: Final = 20_000
"""How many callers are remembered; who asked longest ago is forgotten first."""

NETWORK: Final = 64
"""Bits of an IPv6 address that tell callers apart: whoever has one has all addresses in it."""

MINUTE: Final = 60.0
HOUR: Final = 3600.0

EXEMPT: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""What watches over the service asks all the time, and from one address."""


class Buckets:
    """A bucket for each caller: `most` requests at once, and as many again in `seconds`.

    With `most` 0 there is no limit. `now` is a clock in seconds that never goes back.
    """

    def __init__(
        self, most: int, seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._rate = most / seconds
        self._now = now
        self._left: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    @property
    def remembered(self) -> int:
        """How many callers are remembered."""
        return len(self._left)

    def wait(self, caller: bytes, cost: int = 1) -> float:
        """Return after how many seconds the caller may ask again; 0 is now.

        What costs more than there is room for in a bucket needs a full one.
        """
        cost, left = min(cost, self._most), self._level(caller)
        return 0.0 if left >= cost else (cost - left) / self._rate

    def admit(self, caller: bytes) -> float:
        """Count a request if the caller may ask now, else return the seconds to wait."""
        level = self._level(caller)
        if level < min(1, self._most):
            return (1 - level) / self._rate
        self._take(caller, level, 1)
        return 0.0

    def take(self, caller: bytes, cost: int = 1) -> float:
        """Count a request, or one that costs as much as several, and return what that took."""
        return self._take(caller, self._level(caller), cost)

    def _take(self, caller: bytes, level: float, cost: int) -> float:
        if not self._most:
            return 0.0
        taken = min(level, cost)
        self._left[caller] = level - taken, self._now()
        self._left.move_to_end(caller)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return taken

    def give_back(self, caller: bytes, taken: float) -> None:
        """Put back what was taken for a request that came to nothing."""
        if caller in self._left:
            self._left[caller] = min(self._most, self._level(caller) + taken), self._now()

    def _level(self, caller: bytes) -> float:
        left, at = self._left.get(caller, (float(self._most), 0.0))
        return min(self._most, left + (self._now() - at) * self._rate)


class Limits:
    """The limits of a service."""

    def __init__(self, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        self._requests = Buckets(settings.requests_per_minute, MINUTE, now)
        self._openings = Buckets(settings.matches_per_hour, HOUR, now)
        self._most_streams = settings.streams_per_address
        self._streams: Counter[bytes] = Counter()

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return self._streams.total()

    def admit(self, request: Request[Any, Any, Any]) -> None:
        """Count a request, of its address and of its token. Raises `Problem` 429."""
        if request.scope["path"] in EXEMPT:
            return
        for caller in _callers(request):
            wait = self._requests.admit(caller)
            if wait:
                raise _too_many(wait, "too many requests; come back later")

    def charge(self, request: Request[Any, Any, Any], cost: int) -> None:
        """Count expensive work as so many requests. Raises `Problem` 429, and counts nothing."""
        callers = _callers(request)
        wait = max(self._requests.wait(caller, cost) for caller in callers)
        if wait:
            raise _too_many(wait, "too much work asked for; come back later")
        for caller in callers:
            self._requests.take(caller, cost)

    @contextmanager
    def opening(self, request: Request[Any, Any, Any], count: int = 1) -> Iterator[None]:
        """Count so many matches before they are opened, or none if that fails.

        Raises `Problem` 429 where none may be opened.
        """
        address = _address(request.scope)
        wait = self._openings.wait(address)
        if wait:
            raise _too_many(wait, "too many matches opened; come back later")
        taken = self._openings.take(address, count)
        try:
            yield
        # What is cancelled may go on in its thread, so it counts.
        except Exception:
            self._openings.give_back(address, taken)
            raise

    def enter(self, request: Request[Any, Any, Any]) -> Callable[[], None]:
        """Count a stream until the function returned is called. Raises `Problem` 429."""
        address = _address(request.scope)
        if self._most_streams and self._streams[address] >= self._most_streams:
            raise _too_many(MINUTE, f"more than {self._most_streams} open streams; close some")
        self._streams[address] += 1
        return lambda: self._leave(address)

    def _leave(self, address: bytes) -> None:
        self._streams[address] -= 1
        if not self._streams[address]:
            del self._streams[address]


TheLimits = NamedDependency[Limits]
"""The limits of the service."""


def _too_many(wait: float, words: str) -> Problem:
    return Problem(429, words, headers={"Retry-After": str(math.ceil(wait))})


def _callers(request: Request[Any, Any, Any]) -> list[bytes]:
    """Return whom a request is counted for: its address, and its token if it has one."""
    address, token = _address(request.scope), _token(request)
    return [address] if token is None else [address, token]


def _address(scope: Any) -> bytes:
    client = scope.get("client")
    return network(client[0]) if client else b""


@functools.lru_cache(maxsize=REMEMBERED)
def network(host: str) -> bytes:
    """Return what tells callers apart by their address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # a socket of this machine, or a test
        return host.encode()[:64]
    return address.packed[: NETWORK // 8] if address.version == 6 else address.packed


def _token(request: Request[Any, Any, Any]) -> bytes | None:
    header = request.headers.get("authorization")
    return hashlib.sha256(header.encode()).digest() if header else None
