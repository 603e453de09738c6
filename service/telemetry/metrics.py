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
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from replay.errors import PlybookError
from replay.record.match_cache import MatchCache
from replay.record.match_record import MatchRecord
from replay.store.sql.store import Store
from replay.store.types import Appended
from replay.store.writer_thread import Observer
from service.app_state import AppState
from service.http.access_log import METHODS, OTHER
from service.http.head_requests import ASKED
from service.live.hook_deliveries import hooks_behind
from service.live.telemetry import BEGAN, Telemetry

REQUEST_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Histogram buckets in seconds."""


class _Bound(dict[Any, Any]):
    """The children of a metric by their labels: looking one up in the metric takes a lock."""

    def __init__(self, metric: Counter | Histogram) -> None:
        self._metric = metric

    def __missing__(self, labels: Any) -> Any:
        names = labels if isinstance(labels, tuple) else (labels,)
        return self.setdefault(labels, self._metric.labels(*names))


class Metrics(Telemetry):
    """The metrics of one application, in their own registry."""

    media_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
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

    def attend(self, live: AppState) -> None:
        """Measure the streams, hooks, disk and appends of an application."""
        self._watch("plybook_open_streams", "Streams open now.", lambda: live.limits.streams)
        behind = "WebHooks with events of their match still to deliver."
        self._watch("plybook_hooks_behind", behind, lambda: hooks_behind(live.book))
        condition = live.book.store.condition
        self._watch("plybook_wal_bytes", "Bytes in the write-ahead log.", lambda: condition().log)
        free = "Bytes free on the disk."
        self._watch("plybook_disk_free_bytes", free, lambda: condition().free)
        live.book.watch(self._appended)
        self.observe(live.book.store, StoreMetrics(self._registry))
        self._registry.register(CacheMetrics(live.book.cache))

    def observe(self, store: Store, observer: Observer) -> None:
        """Let an observer count the commits of a store."""
        store.observe(observer)

    def _watch(self, name: str, words: str, read: Callable[[], float | None]) -> None:
        """Add a gauge read at each scrape; NaN if the store cannot answer."""

        def measure() -> float:
            try:
                found = read()
            except PlybookError:
                found = None
            return math.nan if found is None else found

        Gauge(name, words, registry=self._registry).set_function(measure)

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

    def _appended(self, record: MatchRecord, appended: Appended) -> None:
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
        """Yield the metrics of the cache of matches."""
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
    """The metrics of a store's commits; the object observes the store."""

    def __init__(self, registry: CollectorRegistry) -> None:
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

    def committed(self, seconds: float, writes: int = 1) -> None:
        """Count a durable transaction."""
        self._seconds.observe(seconds)

    def failed(self) -> None:
        """Count a transaction that failed because of the disk."""
        self._errors.inc()
