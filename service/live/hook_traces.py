"""The traces of appended events: a call of a WebHook goes on with the trace of its newest event."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from replay.record.match_record import MatchRecord
from replay.store.protocol import Appended
from service.http.safe_http import Call, call
from service.http.trace_context import CURRENT, Trace

KEPT: Final = 1000
"""The most matches of which the trace of the newest event is remembered."""


Calling = Callable[[Trace | None, str, bytes, Mapping[str, str], bool], Awaitable[Call]]
"""How an address is called within a trace: `call_in_trace`, or with a span of its own."""


async def call_in_trace(
    trace: Trace | None, url: str, body: bytes, headers: Mapping[str, str], anywhere: bool
) -> Call:
    """Call an address, as `call` does, and name the trace that the call belongs to, if any."""
    parent = {} if trace is None else {"traceparent": trace.child().header}
    return await call(url, body, {**headers, **parent}, anywhere)


class HookTraces:
    """The newest traced event of each match that was appended to by this server."""

    def __init__(self) -> None:
        self._gate = threading.Lock()  # events are appended in any thread
        self._newest: OrderedDict[int, tuple[int, Trace]] = OrderedDict()

    def note(self, record: MatchRecord, appended: Appended) -> None:
        """Remember the trace of the request that has appended events, if it has one."""
        trace = CURRENT.get()
        if trace is None:
            return
        with self._gate:
            self._newest[record.stream.id] = appended.events[-1].version, trace
            self._newest.move_to_end(record.stream.id)
            if len(self._newest) > KEPT:
                self._newest.popitem(last=False)

    def find(self, stream: int, first: int, last: int) -> Trace | None:
        """Return the trace of the newest event of a match, if it is one of these versions."""
        version, trace = self._newest.get(stream, (0, None))
        return trace if first <= version <= last else None
