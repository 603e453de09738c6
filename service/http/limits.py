"""Rate limits: in-memory token buckets per caller, and a bounded number of open streams.

This is *safer* than the middleware of Litestar, which counts requests: here expensive work costs
more, and is charged before it begins (`tests/service/http/test_limits.py`).
"""

from __future__ import annotations

import functools
import hashlib
import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from litestar import Request

from service.http.problems import Problem
from service.settings import Settings

MAX_REMEMBERED: Final = 20_000
"""The most callers remembered; the least recently seen is forgotten first."""

NETWORK: Final = 64
"""Prefix length in bits that identifies an IPv6 caller: one subscriber owns the whole prefix."""

MINUTE: Final = 60.0
HOUR: Final = 3600.0

MAX_HEADERS: Final = 100
"""The most headers of a request. A browser behind two proxies sends about 40."""

COOKIES: Final = 4096
"""Bytes of cookies that cost as much as another request."""

BYTES: Final = 256 * 1024
"""Bytes of an answer that cost as much as another request."""

EXEMPT: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths exempt from limits: monitoring polls them constantly from one address."""

CALLERS: Final = "plybook-callers"
"""The scope key for the callers that a request was counted against."""


class Buckets:
    """Token buckets by caller: `most` requests at once, refilled over `seconds`.

    A `most` of 0 disables the limit. `now` is a monotonic clock in seconds.
    """

    def __init__(
        self, most: int, seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._rate = most / seconds
        self._now = now
        self._left: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def wait(self, caller: bytes, cost: int = 1) -> float:
        """Return the seconds until the caller may send a request; 0 means now.

        A request that costs more than a bucket holds needs a full bucket.
        """
        cost, left = min(cost, self._most), self._level(caller)
        return 0.0 if left >= cost else (cost - left) / self._rate

    def least(self, callers: Iterable[bytes]) -> tuple[int, float]:
        """Return how many requests these callers may all send now, and the seconds until full."""
        level = float(self._most)
        for caller in callers:
            level = min(level, self._level(caller))
        return int(level), (self._most - level) / self._rate

    def admit(self, caller: bytes, cost: int = 1) -> float:
        """Count a request if the caller may send it now, else return the seconds to wait."""
        if not self._most:
            return 0.0
        cost, now = min(cost, self._most), self._now()
        left, at = self._left.pop(caller, (self._most, now))
        level = min(self._most, left + (now - at) * self._rate)
        admitted = level >= cost
        self._left[caller] = (level - cost if admitted else level), now
        if len(self._left) > MAX_REMEMBERED:
            self._left.popitem(last=False)
        return 0.0 if admitted else (cost - level) / self._rate

    def take(self, caller: bytes, cost: int = 1) -> float:
        """Take the cost of a request from the caller's bucket and return the amount taken."""
        return self._take(caller, self._level(caller), cost)

    def _take(self, caller: bytes, level: float, cost: int) -> float:
        if not self._most:
            return 0.0
        taken = min(level, cost)
        self._left[caller] = level - taken, self._now()
        self._left.move_to_end(caller)
        if len(self._left) > MAX_REMEMBERED:
            self._left.popitem(last=False)
        return taken

    def give_back(self, caller: bytes, taken: float) -> None:
        """Return tokens taken for a request that failed."""
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
        self._most_requests = settings.requests_per_minute
        self._most_streams = settings.streams_per_address
        self._streams: Counter[bytes] = Counter()

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return self._streams.total()

    def admit(self, request: Request[Any, Any, Any]) -> None:
        """Count a request against its address and its token. Raises `Problem` 429."""
        if not self._most_requests or request.scope["path"] in EXEMPT:
            return
        callers = request.scope[CALLERS] = _callers(request)  # type: ignore[typeddict-unknown-key]
        cost = 1 + len(request.headers.get("cookie", "")) // COOKIES
        for caller in callers:
            wait = self._requests.admit(caller, cost)
            if wait:
                raise _too_many(wait, "too many requests; come back later")

    def sent(self, scope: Any, length: int) -> None:
        """Charge the bytes of an answer to the caller, whose next requests must wait longer."""
        for caller in scope.get(CALLERS, ()):
            self._requests.take(caller, length // BYTES)

    def headers(self, scope: Any) -> list[tuple[bytes, bytes]]:
        """Return the RateLimit headers (draft 11 of the IETF), if requests per minute are limited.

        A request counts against its address and its token; the headers describe whichever has fewer
        requests left (`r`), and all again after `t` seconds.
        """
        callers = scope.get(CALLERS, ())
        if not callers:
            return []
        left, reset = self._requests.least(callers)
        return [
            (b"ratelimit-policy", b'"requests";q=%d;w=%d' % (self._most_requests, MINUTE)),
            (b"ratelimit", b'"requests";r=%d;t=%d' % (left, math.ceil(reset))),
        ]

    def charge(self, request: Request[Any, Any, Any], cost: int) -> None:
        """Charge expensive work as this many requests.

        Raises `Problem` 429 and then charges nothing.
        """
        callers = _callers(request)
        wait = max(self._requests.wait(caller, cost) for caller in callers)
        if wait:
            raise _too_many(wait, "too much work asked for; come back later")
        for caller in callers:
            self._requests.take(caller, cost)

    @contextmanager
    def opening(self, request: Request[Any, Any, Any], count: int = 1) -> Iterator[None]:
        """Reserve this many new matches, and release them if opening fails.

        Raises `Problem` 429 if the address has reached its limit.
        """
        address = address_of(request.scope)
        wait = self._openings.wait(address)
        if wait:
            raise _too_many(wait, "too many matches opened; come back later")
        taken = self._openings.take(address, count)
        try:
            yield
        # Cancelled work may continue in its thread, so it stays counted.
        except Exception:
            self._openings.give_back(address, taken)
            raise

    def enter(self, request: Request[Any, Any, Any]) -> Callable[[], None]:
        """Count a stream until the returned function is called. Raises `Problem` 429."""
        address = address_of(request.scope)
        if self._most_streams and self._streams[address] >= self._most_streams:
            raise _too_many(MINUTE, f"more than {self._most_streams} open streams; close some")
        self._streams[address] += 1
        return lambda: self._leave(address)

    def _leave(self, address: bytes) -> None:
        self._streams[address] -= 1
        if not self._streams[address]:
            del self._streams[address]


def _too_many(wait: float, words: str) -> Problem:
    return Problem(429, words, headers={"Retry-After": str(math.ceil(wait))})


def _callers(request: Request[Any, Any, Any]) -> list[bytes]:
    """Return the callers a request counts against: its address, and its token if it has one."""
    address, header = address_of(request.scope), request.headers.get("authorization")
    return [address, hashlib.sha256(header.encode()).digest()] if header else [address]


def address_of(scope: Any) -> bytes:
    """Return the address by which the limits know the caller of a request."""
    client = scope.get("client")
    return network(client[0]) if client else b""


@functools.lru_cache(maxsize=MAX_REMEMBERED)
def network(host: str) -> bytes:
    """Return the part of a client's address that identifies it as a caller."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # a Unix socket or a test
        return host.encode()[:64]
    return address.packed[: NETWORK // 8] if address.version == 6 else address.packed
