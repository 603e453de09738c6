"""The data that operators see of a server: Prometheus figures, and OpenTelemetry spans (extra).

This is *safer* than the middleware of Litestar, whose spans have the tokens of seats, and whose
figures lack every 404 (`tests/service/telemetry`).
"""

from __future__ import annotations

from replay.errors import Usage, missing_extra
from service.live.telemetry import Telemetry
from service.settings import Settings

# Imports in functions: the extra may be missing, and both are slow to import.


def check_extra() -> None:
    """Raise `Usage` unless the extra is installed."""
    try:
        from service.telemetry import spans  # noqa: F401
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "opentelemetry":
            raise
        raise Usage(missing_extra("--otel", "otel")) from None


def open_telemetry(settings: Settings) -> Telemetry:
    """Return the telemetry that counts, and with `otel` also exports spans.

    Raises `Usage` for a variable that cannot be read.
    """
    from service.telemetry.metrics import Metrics

    if not settings.otel:
        return Metrics()
    from service.telemetry import spans

    try:
        return spans.Spans(spans.exporting_provider())
    except ValueError as error:
        raise Usage(f"a variable of OpenTelemetry cannot be read: {error}") from None
