"""Prometheus metrics. No label contains an id, a token or a name."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
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
from prometheus_client.exposition import generate_latest

from replay.errors import PlybookError
from replay.record.match_cache import MatchCache
from replay.record.match_record import MatchRecord
from replay.store.protocol import Appended, Observer, Store
from service.http.cache_metrics import CacheMetrics
from service.http.head_requests import ASKED
from service.http.store_metrics import StoreMetrics

METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
"""HTTP methods used as label values; clients can make up others."""

BEGAN: Final = "plybook-began"
"""The scope key for the time at which a request arrived, by `time.perf_counter`."""
OTHER: Final = "other"

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
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
            buckets=BOUNDS,
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
        """Add the metrics of a store, and return what observes its commits."""
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
