"""Believe a trusted reverse proxy about the prefix of addresses too.

Proxies pass on an `X-Forwarded-Prefix` that a stranger sends, unless they are told to set it.
Therefore it is believed only if the operator asks for that.
"""

from __future__ import annotations

from typing import Any, Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from replay.errors import Usage
from service.http.addresses import checked_prefix
from service.http.problems import bare_answer

NAME: Final = "X-Forwarded-Prefix"
FORWARDED_PREFIX: Final = NAME.lower().encode()


class ForwardedPrefix(ProxyHeadersMiddleware):
    """An application behind a proxy that tells the caller, the scheme and the prefix."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request or a lifespan event."""
        client = scope.get("client")
        if scope["type"] == "http" and (client[0] if client else None) in self.trusted_hosts:
            told = dict(scope["headers"]).get(FORWARDED_PREFIX, b"").decode("latin-1")
            try:
                scope["root_path"] = checked_prefix(told)
            except Usage as error:
                wrong = bare_answer(400, f"{NAME}: {error}", path=NAME)
                await wrong(scope, receive, send)
                return
        await super().__call__(scope, receive, send)
