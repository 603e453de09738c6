"""Take the prefix of a service from the header of a trusted proxy."""

from __future__ import annotations

from typing import Any, Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from replay.errors import Usage
from service.http.addresses import checked_prefix
from service.http.problems import bare_answer

FORWARDED_HEADER: Final = "X-Forwarded-Prefix"
FORWARDED_PREFIX: Final = FORWARDED_HEADER.lower().encode()


class ForwardedPrefix(ProxyHeadersMiddleware):
    """Take caller, scheme and prefix of a request from the headers of a trusted proxy."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request or a lifespan event."""
        client = scope.get("client")
        if scope["type"] == "http" and (client[0] if client else None) in self.trusted_hosts:
            told = dict(scope["headers"]).get(FORWARDED_PREFIX, b"").decode("latin-1")
            try:
                scope["root_path"] = checked_prefix(told)
            except Usage as error:
                wrong = bare_answer(400, f"{FORWARDED_HEADER}: {error}", path=FORWARDED_HEADER)
                await wrong(scope, receive, send)
                return
        await super().__call__(scope, receive, send)
