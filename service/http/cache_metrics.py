"""Metrics of the cache of matches: how often it helped, and its size."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from replay.record.match_cache import MatchCache


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
