"""A tab and a server that get the same requests, and must give the same answers."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

import httpx

from tests.browser.tab import Tab, sent
from tests.contract.server import Server

NAME: Final = re.compile(r'"(?:match|host|[1-9])":"([\w-]{12,})"')
"""The id of a match and its tokens, as the answer to its opening has them."""

VARYING: Final = re.compile(r"\b(?:[0-9a-f]{16,64}|\d{13})\b")
"""Hashes, which cover the id of the match, and times in milliseconds."""

HEADERS: Final = ("content-type", "etag", "location", "retry-after", "cache-control")

READS: Final = ("", "/record", "/record?format=archive")
"""The reads of a match after its moves are entered."""


class Twin(httpx.BaseTransport):
    """Sends the requests about one match after another to a tab, and to a server beside it."""

    def __init__(self, tab: Tab, server: Server) -> None:
        self._tab = tab
        self._server = server
        self._base = {urlsplit(tab.address).path: "/"}
        self._names = self._base

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._compared(request)
        if request.method == "POST" and request.url.path.endswith("/events") and answer.is_success:
            match = str(request.url).removesuffix("/events")
            for read in READS:
                self._compared(httpx.Request("GET", match + read, headers=sent(request)))
        return answer

    def _compared(self, request: httpx.Request) -> httpx.Response:
        here = self._tab.handle_request(request)
        there = self._server.client.request(
            request.method,
            self._translated(request.url.raw_path.decode()),
            headers={name: self._translated(text) for name, text in sent(request).items()},
            content=request.read(),
        )
        if here.status_code == 201:
            ours, theirs = NAME.findall(here.text), NAME.findall(there.text)
            self._names = self._base | dict(zip(ours, theirs, strict=True))
        assert VARYING.sub("*", self._translated(whole(here))) == VARYING.sub("*", whole(there))
        return here

    def _translated(self, text: str) -> str:
        """Return a text with the names that the server has in place of the tab's."""
        for ours, theirs in self._names.items():
            text = text.replace(ours, theirs)
        return text


def whole(answer: httpx.Response) -> str:
    """Return an answer's status, headers and body."""
    headers = [f"{name}: {answer.headers.get(name)}" for name in HEADERS]
    return "\n".join((str(answer.status_code), *headers, "", answer.content.decode()))
