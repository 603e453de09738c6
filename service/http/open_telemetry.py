"""OpenTelemetry, an optional extra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from replay.errors import Usage, missing_extra

if TYPE_CHECKING:
    from service.http.spans import Spans


def check_extra() -> None:
    """Raise `Usage` unless the extra is installed."""
    try:
        # imported here because the extra may be missing, and is slow to import
        from service.http import spans  # noqa: F401
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "opentelemetry":
            raise
        raise Usage(missing_extra("--otel", "otel")) from None


def open_spans() -> Spans:
    """Return spans that are exported. Raises `Usage` for a variable that cannot be read."""
    from service.http import spans  # here, as above

    try:
        return spans.Spans(spans.exporting_provider())
    except ValueError as error:
        raise Usage(f"a variable of OpenTelemetry cannot be read: {error}") from None
