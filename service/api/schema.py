"""The OpenAPI schema of the API."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Request, Response, Router, get

from service.http.caching import HOUR
from service.openapi.openapi import schema_of_app


@get("/schema/openapi.json")
async def read_schema(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the OpenAPI schema."""
    encoded = msgspec.json.encode(schema_of_app(request.app))
    return Response(encoded, media_type="application/json", headers=HOUR)


ROUTER: Final = Router("/", route_handlers=[read_schema], include_in_schema=False)
