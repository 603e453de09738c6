"""Health checks and metrics for operators, and the OpenAPI schema of the API."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from typing import Any, Final

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from replay.book import Book
from replay.errors import PlybookError, StoreError
from service.api.presenters import answer
from service.http.access import TheBook
from service.http.book_reads import read_book, reads_book
from service.http.caching import HOUR, NO_STORE
from service.http.logs import CAUSES
from service.http.metrics import Metrics
from service.http.problems import Problem
from service.http.rights import ANYBODY, NONE
from service.models.responses import Healthy
from service.openapi.openapi import schema_of_app
from service.openapi.operations import documented

PROBE_TIMEOUT: Final = 2.0
"""Seconds in which the store must answer a read and complete a write."""
FRESH: Final = 1.0
"""Seconds for which a result is reused, because every test costs a write."""


class Readiness:
    """The state of the database, tested at most once a second."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._asking = asyncio.Lock()
        self._until = -math.inf
        self._found: str | None = None

    async def failure(self) -> str | None:
        """Return the reason why the database cannot be read and written, or `None`."""
        async with self._asking:
            if time.monotonic() >= self._until:
                self._found = await self._ask()
                self._until = time.monotonic() + FRESH
            return self._found

    async def _ask(self) -> str | None:
        try:
            await asyncio.wait_for(self._probe(), PROBE_TIMEOUT)
        except StoreError as error:
            CAUSES.log(error)
            return f"the database cannot be read and written: {error.reason}"
        except PlybookError:
            return "the database cannot be read and written; run `plybook doctor` for the cause"
        except TimeoutError:
            return await self._name_obstacle()
        return None

    async def _name_obstacle(self) -> str:
        """Say why nothing can be written, and log the details."""
        with contextlib.suppress(PlybookError, TimeoutError):
            asked = read_book(self._book, self._book.store.obstacle)
            found = await asyncio.wait_for(asked, PROBE_TIMEOUT)
            if found is not None:
                CAUSES.log_line(found, f"the database refuses writes: {found}")
                return f"the database refuses writes: {found}"
        return "the database is busy and refuses writes"

    async def _probe(self) -> None:
        store = self._book.store
        await read_book(self._book, lambda: store.changes(None))
        await asyncio.wrap_future(store.probe())


TheReadiness = NamedDependency[Readiness]
"""The readiness of the service."""
TheMetrics = NamedDependency[Metrics]
"""The metrics of the service."""


@get("/healthz", **documented({200: Healthy}, right=NONE))
async def healthz() -> Response[bytes]:
    """Report that the process answers."""
    return answer(Healthy(True))


@get("/readyz", **documented({200: Healthy}, right=NONE, problems=(503,)))
async def readyz(readiness: TheReadiness) -> Response[bytes]:
    """Report that matches can be read and written; 503 with the reason if they cannot."""
    failure = await readiness.failure()
    if failure is not None:
        wait = {"Retry-After": str(math.ceil(FRESH))}
        raise Problem(503, failure, "store-unavailable", headers=wait)
    return answer(Healthy(True), headers=NO_STORE)


@get("/metrics", **documented({200: "text/plain"}, right=NONE))
@reads_book
def read_metrics(book: TheBook, metrics: TheMetrics) -> Response[bytes]:
    """Return the metrics for Prometheus."""
    return Response(metrics.exposition(), media_type=CONTENT_TYPE_LATEST, headers=NO_STORE)


@get("/schema/openapi.json", include_in_schema=False, guards=[ANYBODY])
async def read_schema(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the OpenAPI schema."""
    encoded = msgspec.json.encode(schema_of_app(request.app))
    return Response(encoded, media_type="application/json", headers=HOUR)
