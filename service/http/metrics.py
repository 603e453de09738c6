"""Prometheus metrics of requests, matches and the store. No label contains a token or a name."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from litestar.types import Scope
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from replay.errors import PlybookError, StoreError
from replay.record.match_cache import MatchCache
from replay.record.match_record import MatchRecord
from replay.store.sql.store import Store
from replay.store.types import Appended, Condition
from replay.store.writer_thread import Observer
from service.http.head_requests import ASKED

METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
"""HTTP methods used as label values; clients can invent others."""

BEGAN: Final = "plybook-began"
"""The scope key for the time at which a request arrived, by `time.perf_counter`."""
OTHER: Final = "other"

REQUEST_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Histogram buckets in seconds."""


class _Bound(dict[Any, Any]):
    """The children of a metric by their labels: looking one up in the metric takes a lock."""

    def __init__(self, metric: Counter | Histogram) -> None:
        self._metric = metric

    def __missing__(self, labels: Any) -> Any:
        names = labels if isinstance(labels, tuple) else (labels,)
        return self.setdefault(labels, self._metric.labels(*names))


class Metrics:
    """The metrics of one application, in their own registry."""

    def __init__(self, streams: Callable[[], int]) -> None:
        """Create the metrics; `streams` returns the number of open streams."""
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self._requests = Counter(
            "plybook_requests",
            "Requests answered.",
            ("operation", "method", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "plybook_request_seconds",
            "Seconds until an answer began.",
            ("operation",),
            buckets=REQUEST_BUCKETS,
            registry=registry,
        )
        self._events = Counter(
            "plybook_events", "Events entered here.", ("game",), registry=registry
        )
        self._refusals = Counter(
            "plybook_refusals", "Events refused.", ("clause",), registry=registry
        )
        self._deliveries = Counter(
            "plybook_hook_deliveries", "Calls of WebHooks.", ("outcome",), registry=registry
        )
        self._work_failures = Counter(
            "plybook_work_failures",
            "Pieces of expensive work that a worker process could not finish.",
            ("cause",),
            registry=registry,
        )
        self._answers = _Bound(self._requests)
        self._durations = _Bound(self._seconds)
        self._entered = _Bound(self._events)
        self.watch("plybook_open_streams", "Streams open now.", streams)

    def watch(self, name: str, words: str, read: Callable[[], float]) -> None:
        """Add a gauge read at each scrape; NaN if the store cannot answer."""

        def measure() -> float:
            try:
                return read()
            except PlybookError:
                return math.nan

        Gauge(name, words, registry=self._registry).set_function(measure)

    def measure(self, store: Store) -> Observer:
        """Add the metrics of a store, and return an observer of its commits."""
        return StoreMetrics(store, self._registry)

    def measure_cache(self, cache: MatchCache) -> None:
        """Add the metrics of a cache of matches."""
        self._registry.register(CacheMetrics(cache))

    def exposition(self) -> bytes:
        """Return the metrics in Prometheus's text format."""
        return generate_latest(self._registry)

    def answered(self, status: int, scope: Scope) -> None:
        """Count an answer by its operation; unrouted requests count as `other`."""
        handler: Any = scope.get("route_handler")
        operation = getattr(getattr(handler, "fn", None), "__name__", OTHER)
        method = str(scope.get(ASKED, scope.get("method")))
        self._answers[operation, method if method in METHODS else OTHER, status].inc()
        began: Any = scope.get(BEGAN)
        if began is not None:
            self._durations[operation].observe(time.perf_counter() - began)

    def appended(self, record: MatchRecord, appended: Appended) -> None:
        """Count appended events."""
        self._entered[record.game.slug].inc(len(appended.events))

    def refused(self, clause: str) -> None:
        """Count a refusal by its clause."""
        self._refusals.labels(clause).inc()

    def delivered(self, arrived: bool) -> None:
        """Count a WebHook call."""
        self._deliveries.labels("arrived" if arrived else "failed").inc()

    def work_failed(self, cause: str) -> None:
        """Count expensive work that was not finished."""
        self._work_failures.labels(cause).inc()


class CacheMetrics(Collector):
    """The metrics of a cache of matches, read at each scrape."""

    def __init__(self, cache: MatchCache) -> None:
        self._cache = cache

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        name, cache = "plybook_match_cache", self._cache
        yield CounterMetricFamily(f"{name}_hits", "Matches found in the cache.", cache.hits)
        yield CounterMetricFamily(f"{name}_misses", "Matches folded from events.", cache.misses)
        yield CounterMetricFamily(
            f"{name}_evictions", "Matches that made room for others.", cache.evictions
        )
        yield GaugeMetricFamily(f"{name}_bytes", "Estimated bytes of the matches.", cache.bytes)
        yield GaugeMetricFamily(f"{name}_matches", "Matches in the cache.", len(cache))


COMMIT_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Histogram buckets in seconds."""


class StoreMetrics:
    """The metrics of a store; they observe its commits."""

    def __init__(self, store: Store, registry: CollectorRegistry) -> None:
        self._store = store
        self._seconds = Histogram(
            "plybook_commit_seconds",
            "Seconds until a transaction was durable.",
            buckets=COMMIT_BUCKETS,
            registry=registry,
        )
        self._errors = Counter(
            "plybook_disk_errors",
            "Transactions that failed because the disk is full or fails.",
            registry=registry,
        )
        log = Gauge("plybook_wal_bytes", "Bytes in the write-ahead log.", registry=registry)
        log.set_function(self._measure(lambda now: now.log))
        free = Gauge("plybook_disk_free_bytes", "Bytes free on the disk.", registry=registry)
        free.set_function(self._measure(lambda now: now.free))
        store.observe(self)

    def committed(self, seconds: float, writes: int = 1) -> None:
        """Count a durable transaction."""
        self._seconds.observe(seconds)

    def failed(self) -> None:
        """Count a transaction that failed because of the disk."""
        self._errors.inc()

    def _measure(self, part: Callable[[Condition], int | None]) -> Callable[[], float]:
        def measure() -> float:
            try:
                measured = part(self._store.condition())
            except StoreError:
                measured = None
            return float("nan") if measured is None else measured

        return measure
