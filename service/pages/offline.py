"""Plybook without a network: the service worker, the page it shows offline, and `forget`."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Template

from replay.errors import UnknownMatch
from service.http import static_files
from service.http.access import AnyRequest
from service.http.addresses import prefix
from service.http.caching import NO_STORE
from service.http.cookies import check_origin, expired_cookies
from service.http.rights import ANYBODY
from service.pages.layout import page

SCRIPT: Final = "js/service_worker.js"
ID: Final = re.compile("[a-z0-9]{12}")
KEPT: Final = (".css", ".js", ".svg")
"""The kinds of static files that pages need."""

FALLBACK: Final = "/offline"
"""The address of the page that the service worker shows offline."""


@get("/service-worker.js", guards=[ANYBODY])
async def service_worker() -> Response[bytes]:
    """Answer the service worker: the script with the constants of this version.

    It lies above all pages, because a worker serves only what lies below it.
    """
    names = [each for each in static_files.names() if each.endswith(KEPT) and each != SCRIPT]
    facts = {"DIGEST": static_files.digest(), "FILES": names, "FALLBACK": prefix() + FALLBACK}
    lines = (f"const {name} = {_encode(value)};\n" for name, value in facts.items())
    script = "".join(lines).encode() + static_files.read(SCRIPT)
    return Response(script, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@get(FALLBACK, guards=[ANYBODY])
async def offline_page() -> Template:
    """Show that the network is missing and the requested page is not cached."""
    return page("offline.html", "No network · Plybook", {})


@post("/m/{match:str}/forget", status_code=200, guards=[ANYBODY])
async def forget(request: AnyRequest, match: FromPath[str]) -> Response[bytes]:
    """Delete the tokens and cached pages of a match from this browser.

    It works with revoked tokens and for a deleted match.
    """
    check_origin(request)
    if not ID.fullmatch(match):
        raise UnknownMatch(match)
    headers = NO_STORE | {"Clear-Site-Data": '"cache"'}
    gone = expired_cookies(match)
    return Response(b"{}", media_type="application/json", headers=headers, cookies=gone)


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()
