"""A receiver of WebHooks that remembers each delivery and the faults in their order."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from faults.ledger import Event

ANSWERING: Final = 0.02
"""Seconds until a call is answered, so that calls at the same time overlap."""


class Receiver:
    """The deliveries to each hook: the hash of each version."""

    def __init__(self) -> None:
        self.url = ""
        self.calls = 0
        self.repeated = 0
        """The number of events that came again."""
        self.faults: list[str] = []
        self._gate = threading.Lock()
        self._arrived: dict[str, list[Event]] = defaultdict(list)
        self._calling: Counter[str] = Counter()

    def events(self, hook: str) -> list[Event]:
        """Return the events delivered to a hook, without repetitions."""
        with self._gate:
            return list(self._arrived[hook])

    def receive(self, delivery: dict[str, Any]) -> None:
        hook = delivery["hook"]
        with self._gate:
            self._calling[hook] += 1
            self.calls += 1
            if self._calling[hook] > 1:
                self.faults.append(f"{hook} is called twice at a time")
        time.sleep(ANSWERING)
        with self._gate:
            self._calling[hook] -= 1
            for event in delivery["events"]:
                self._note(hook, Event(delivery["match"], event["version"], event["hash"]))

    def _note(self, hook: str, event: Event) -> None:
        before = self._arrived[hook]
        if event.version == len(before) + 1:
            before.append(event)
        elif event in before:
            self.repeated += 1
        else:
            self.faults.append(f"{event} came after {before[-1:]}")


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver.receive(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http://127.0.0.1:{server.server_port}/news"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
