"""Plybook in a tab: a host of its site, a browser, and a client that sends through the page."""

from __future__ import annotations

import base64
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import httpx

from tests.browser.launch import new_context
from tests.contract.server import OpenedMatch, Server

FETCH: Final = """async ({ method, path, headers, body }) => {
  const answer = await fetch(path, { method, headers, body: method === "GET" ? undefined : body });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return [answer.status, [...answer.headers], btoa(text)];
}"""

ENTER_ALL: Final = """async ({ path, authorization, tokens }) => {
  const took = [];
  for (const token of tokens) {
    const begun = performance.now();
    const answer = await fetch(path, {
      method: "POST",
      headers: { Authorization: authorization, "Content-Type": "application/json" },
      body: JSON.stringify({ events: [{ text: token }] }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    console.log(`version ${(await answer.json()).version}`);
    took.push(performance.now() - begun);
  }
  return took;
}"""
"""Enters moves one by one, says each version, and returns the milliseconds of each."""


class Quiet(SimpleHTTPRequestHandler):
    """A handler that logs nothing, and answers what is missing with the page of its site."""

    def send_error(self, code: int, *words: Any) -> None:
        site = Path(self.directory, self.path.split("/")[1], "404.html")
        if code != 404 or not site.is_file():
            return super().send_error(code, *words)
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(site.read_bytes())
        return None

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def host(folder: Path) -> Iterator[str]:
    """Serve the folders of a folder until the block ends; yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Tab(httpx.BaseTransport):
    """A tab with Plybook, and the addresses that its browser asked for."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser = browser
        self.address = address
        self.context = new_context(browser, viewport={"width": 400, "height": 800})
        self.asked: list[str] = []
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.page = self.open()

    def open(self, path: str = "") -> Any:
        """Open another tab, and wait for its page."""
        page = self.context.new_page()
        page.goto(self.address + path)
        self.wait(page)
        return page

    def wait(self, page: Any) -> None:
        page.wait_for_selector("main[hidden]", state="attached")

    @property
    def frame(self) -> Any:
        """The page that is shown."""
        return self.page.frames[1]

    def client(self) -> httpx.Client:
        """Return a client whose requests a script of the page sends."""
        return httpx.Client(base_url=self.address, transport=self)

    def server(self) -> Server:
        """Return the tab as a server for the contract tests."""
        return Server(self.address, self.client(), Path(), 0)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        asked = {
            "method": request.method,
            "path": request.url.raw_path.decode(),
            "headers": sent(request),
            "body": request.read().decode(),
        }
        status, headers, body = self.frame.evaluate(FETCH, asked)
        return httpx.Response(status, headers=headers, content=base64.b64decode(body))

    def entry(self, match: OpenedMatch, tokens: list[str]) -> dict[str, Any]:
        """Return the argument of `ENTER_ALL`, by which the host enters moves."""
        path = f"{self.address}matches/{match.id}/events"
        return {"path": path, "authorization": match.host["Authorization"], "tokens": tokens}

    def processes(self, kind: str) -> list[int]:
        """Return the processes of the browser of a kind: those of pages are `renderer`."""
        told = self.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        return [each["id"] for each in told["processInfo"] if each["type"] == kind]

    def kill(self) -> None:
        """Kill all processes of the browser that run pages, and close the page."""
        with self.page.expect_event("crash"):
            for process in self.processes("renderer"):
                os.kill(process, signal.SIGKILL)
        self.page.close()


MAY_BE_SENT: Final = frozenset({"accept", "authorization", "content-type", "if-match"})
"""Headers that a script sends; a browser writes most others."""


def sent(request: httpx.Request) -> dict[str, str]:
    """Return the headers of a request that a script can send."""
    return {name: text for name, text in request.headers.items() if name in MAY_BE_SENT}
