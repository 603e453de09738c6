"""For those who watch over the service: whether it can do its work, and how much it does."""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import Response, Router, get
from litestar.di import NamedDependency
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from replay.errors import PlybookError
from service.api.presenters import answer
from service.http.access import TheBook
from service.http.metrics import Metrics
from service.http.problems import Problem
from service.models.operations import documented
from service.models.responses import Healthy

PATIENCE: Final = 2.0
"""Seconds in which the store must be able to write."""

NOW: Final = {"Cache-Control": "no-store"}

TheMetrics = NamedDependency[Metrics]
"""What is counted."""


@get("/readyz", **documented({200: Healthy}, auth="none", problems=(503,)))
async def readyz(book: TheBook) -> Response[bytes]:
    """Tell that matches can be read and written; 503 with the reason if they cannot."""
    try:
        book.store.changes(None)
        # Creating nothing takes the lock that writing takes, and changes nothing.
        await asyncio.wait_for(asyncio.wrap_future(book.store.create_all([])), PATIENCE)
    except PlybookError:
        raise Problem(503, "the database cannot be read and written: ask plybook doctor") from None
    except TimeoutError:
        raise Problem(503, "the database is busy: nothing can be written") from None
    return answer(Healthy(True), headers=NOW)


@get("/metrics", **documented({200: "text/plain"}, auth="none"))
async def read_metrics(metrics: TheMetrics) -> Response[bytes]:
    """Tell what was counted, for Prometheus."""
    return Response(metrics.told(), media_type=CONTENT_TYPE_LATEST, headers=NOW)


ROUTER: Final = Router("/", route_handlers=[readyz, read_metrics])
