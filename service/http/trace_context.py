"""The trace that a request belongs to (https://www.w3.org/TR/trace-context/).

A caller names its trace and its own span in `traceparent`. WebHook calls that the request causes
continue the trace. `tracestate` belongs to the caller's vendor; it is not sent to other hosts.
"""

from __future__ import annotations

import random
import re
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

REQUEST_ID: Final = "plybook-request-id"
"""The scope key for the id of a request, which the access log gives it."""

HEADER: Final = b"traceparent"
TRACEPARENT: Final = re.compile(
    r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?"
)
SAMPLED: Final = 1
"""The flag that the caller may have recorded the trace. All other flags are ignored."""


class Trace(NamedTuple):
    """A trace, and the span in it that is the parent of the next; both in hexadecimal."""

    id: str
    span: str
    sampled: bool

    @property
    def header(self) -> str:
        """The `traceparent` that names this span as the parent."""
        return f"00-{self.id}-{self.span}-{self.sampled:02x}"

    def child(self) -> Trace:
        """Return the trace with a new span."""
        return self._replace(span=f"{random.getrandbits(64) or 1:016x}")


TRACE: Final = "plybook-trace"
"""The scope key for the trace of a request, if the service began a span for it."""

CURRENT: Final[ContextVar[Trace | None]] = ContextVar("plybook-trace", default=None)
"""The trace of the request that is being answered."""


def trace_of(scope: Any) -> Trace | None:
    """Return the trace of a request: the trace of its own span, or else the caller's trace."""
    if TRACE in scope:
        own: Trace = scope[TRACE]
        return own
    for name, value in scope["headers"]:
        if name == HEADER:
            return read_traceparent(value.decode("latin-1"))
    return None


def read_traceparent(text: str) -> Trace | None:
    """Return the trace that a `traceparent` names, or `None` if it is malformed.

    A later version may have more parts, which are ignored.
    """
    found = TRACEPARENT.fullmatch(text)
    if found is None or (found[1] == "00" and found[5] is not None):
        return None
    return Trace(found[2], found[3], bool(int(found[4], 16) & SAMPLED))
