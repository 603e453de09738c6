"""Believe a trusted reverse proxy about the caller, the scheme and the prefix of addresses."""

from __future__ import annotations

from typing import Any, Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from replay.errors import Usage
from service.http.addresses import checked_prefix
from service.http.problems import bare_answer

FORWARDED_PREFIX: Final = b"x-forwarded-prefix"


class ProxyHeaders(ProxyHeadersMiddleware):
    """An application behind a proxy; uvicorn itself knows no `X-Forwarded-Prefix`."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request or a lifespan event."""
        client = scope.get("client")
        if scope["type"] == "http" and (client[0] if client else None) in self.trusted_hosts:
            told = dict(scope["headers"]).get(FORWARDED_PREFIX, b"").decode("latin-1")
            try:
                scope["root_path"] = checked_prefix(told)
            except Usage as error:
                await bare_answer(400, f"X-Forwarded-Prefix: {error}")(scope, receive, send)
                return
        await super().__call__(scope, receive, send)
