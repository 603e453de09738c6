"""Health checks and metrics for operators, and the OpenAPI schema of the API."""

from __future__ import annotations

import math
from typing import Any

import litestar
import msgspec
from litestar import Request, Response

from service.api.presenters import answer
from service.app_state import TheAppState
from service.http.access import TheBook
from service.http.book_reads import reads_book
from service.http.caching import HOUR, NO_STORE
from service.http.problems import Problem
from service.http.rights import ANYBODY, NONE
from service.live.readiness import FRESH
from service.models.responses import Health
from service.openapi.openapi import schema_of_app
from service.openapi.operations import get


@get("/healthz", {200: Health}, right=NONE)
async def healthz() -> Response[bytes]:
    """Report that the process answers."""
    return answer(Health(True))


@get("/readyz", {200: Health}, right=NONE, problems=(503,))
async def readyz(live: TheAppState) -> Response[bytes]:
    """Report that matches can be read and written; 503 with the reason if they cannot."""
    failure = await live.readiness.failure()
    if failure is not None:
        wait = {"Retry-After": str(math.ceil(FRESH))}
        raise Problem(503, failure, "store-unavailable", headers=wait)
    return answer(Health(True), headers=NO_STORE)


@get("/metrics", {200: "text/plain"}, right=NONE)
@reads_book
def read_metrics(book: TheBook, live: TheAppState) -> Response[bytes]:
    """Return the metrics for Prometheus."""
    figures = live.telemetry.exposition()
    if figures is None:
        raise Problem(404, "this server counts nothing; ask one of `plybook serve`")
    return Response(figures, media_type=live.telemetry.media_type, headers=NO_STORE)


@litestar.get("/schema/openapi.json", include_in_schema=False, guards=[ANYBODY])
async def read_schema(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the OpenAPI schema."""
    encoded = msgspec.json.encode(schema_of_app(request.app))
    return Response(encoded, media_type="application/json", headers=HOUR)
