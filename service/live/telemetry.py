"""The events that an application reports: ignored here, counted in `service/telemetry`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from litestar.types import ASGIApp, Scope

from service.http.safe_http import Call
from service.http.trace_context import Trace
from service.live.hook_headers import call_in_trace

BEGAN: Final = "plybook-began"
"""The scope key for the time at which a request arrived, by `time.perf_counter`."""


class Telemetry:
    """A listener to the work of an application that keeps nothing.

    The core knows only this class; the classes that count and trace are extras around it.
    """

    media_type = "text/plain"
    """The media type of the figures."""

    def attend(self, live: Any) -> None:
        """Begin to listen to the state of an application."""

    def close(self) -> None:
        """Send the remaining telemetry."""

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Return an application that answers like `app`."""
        return app

    def exposition(self) -> bytes | None:
        """Return the figures in Prometheus's text format, or `None` if there are no figures."""
        return None

    def answered(self, status: int, scope: Scope) -> None:
        """Note the beginning of an answer."""

    def refused(self, clause: str) -> None:
        """Note a refusal by its clause."""

    def delivered(self, arrived: bool) -> None:
        """Note a WebHook call."""

    def work_failed(self, cause: str) -> None:
        """Note expensive work that was not finished."""

    async def call(
        self, trace: Trace | None, url: str, body: bytes, headers: Mapping[str, str], anywhere: bool
    ) -> Call:
        """Call the address of a WebHook within a trace."""
        return await call_in_trace(trace, url, body, headers, anywhere)
