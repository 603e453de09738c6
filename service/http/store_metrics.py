"""Metrics of the store: its log, its disk usage and its commit times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from replay.errors import StoreError
from replay.store.protocol import Condition, Store

BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Histogram buckets in seconds."""


class StoreMetrics:
    """The metrics of a store; they observe its commits."""

    def __init__(self, store: Store, registry: CollectorRegistry) -> None:
        self._store = store
        self._seconds = Histogram(
            "plybook_commit_seconds",
            "Seconds until a transaction was durable.",
            buckets=BOUNDS,
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
