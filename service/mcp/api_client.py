"""Requests of tools to the HTTP API, which is called in this process, without a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import httpx
from mcp.server.mcpserver.exceptions import ToolError
from starlette.requests import Request

from service.http.head_requests import Service

BASE: Final = "http://localhost"

NO_TOKEN: Final = "this needs a valid token of the match: that of a seat, or of its host"


class ApiClient:
    """Calls the API for tools. A token grants its caller the right to read and write."""

    def __init__(self, app: Service) -> None:
        self._app = app

    async def get(self, path: str, token: str = "", origin: object = None, **query: Any) -> Any:
        """Return the answer to a `GET`. Raises `ToolError`."""
        return await self._call("GET", path, token, origin, query, None)

    async def post(
        self,
        path: str,
        body: Mapping[str, Any],
        token: str = "",
        origin: object = None,
        **query: Any,
    ) -> Any:
        """Return the answer to a `POST`, that of a refusal too. Raises `ToolError`."""
        return await self._call("POST", path, token, origin, query, body)

    async def _call(
        self,
        method: str,
        path: str,
        token: str,
        origin: object,
        query: Mapping[str, Any],
        body: Mapping[str, Any] | None,
    ) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(self._app, client=_address(origin))
        there = httpx.AsyncClient(transport=transport, base_url=BASE, trust_env=False)
        async with there as client:
            sent = {name: value for name, value in query.items() if value is not None}
            answer = await client.request(method, path, params=sent, headers=headers, json=body)
        told = answer.json()
        if answer.is_success or (answer.status_code == 409 and "clause" in told):
            return told
        raise ToolError(NO_TOKEN if answer.status_code == 401 else told["detail"])


def _address(origin: object) -> tuple[str, int]:
    """Return the address of the caller, for the limits; a local one without a network."""
    client = origin.client if isinstance(origin, Request) else None
    return (client.host, client.port) if client else ("127.0.0.1", 0)
