"""The psycopg library, and its errors translated for people."""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg import conninfo

from replay.errors import Damaged, PlybookError, StoreError, Usage
from replay.store.postgres.connection import PostgresConnection

__all__ = ["ERRORS", "Connection", "is_of_disk", "shown", "translate_error"]

Connection = PostgresConnection

ERRORS: Final = (psycopg.Error,)

MEANINGS: Final = {
    "25006": "it is read-only: a standby, or set so",
    "28000": "it does not let this user in",
    "28P01": "the user or the password is wrong",
    "42501": "this user may not do that",
    "53100": "there is no room left to write",
    "53200": "the server has no memory left",
    "53300": "the server has no connection left",
    "55P03": "another program is writing to it; try again",
    "57P01": "the server is stopping",
    "57P02": "the server has stopped",
    "57P03": "the server is starting or stopping; try again",
    "58030": "reading or writing it failed",
}
"""The meanings of PostgreSQL's codes."""
DISK: Final = {"53100", "58030", "25006"}
"""Codes of what a disk that is full or fails leads to."""
DAMAGE: Final = ("23", "XX", "P0001")
"""Beginnings of the codes of what cannot be in a sound book."""
GONE: Final = "it cannot be reached"


def shown(url: str) -> str:
    """Return the URL of a database without its password and options. Raises `Usage`."""
    try:
        parts = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise Usage(f"this is no URL of a PostgreSQL database: {_one_line(error)}") from None
    user = f"{parts['user']}@" if "user" in parts else ""
    port = f":{parts['port']}" if "port" in parts else ""
    place = "" if str(parts.get("host", "")).startswith("/") else parts.get("host", "")
    return f"postgresql://{user}{place}{port}/{parts.get('dbname', '')}"


def translate_error(error: Exception, name: str) -> PlybookError:
    """Translate one of the `ERRORS` into a `Damaged`, a `StoreError` or a `Usage`."""
    code, told = getattr(error, "sqlstate", None) or "", _one_line(error)
    if code.startswith(DAMAGE):
        return Damaged(f"{name} is damaged: {told}")
    if not code and isinstance(error, psycopg.DataError):
        return Usage(f"no book holds this: {told}")
    if meaning := MEANINGS.get(code):
        return StoreError(f"{name}: {meaning} ({told})", meaning)
    _, refused, why = told.partition("FATAL: ")
    if refused:
        return StoreError(f"{name}: the server refuses: {why.strip()}", "the server refuses")
    if isinstance(error, psycopg.OperationalError):
        return StoreError(f"{name}: {GONE} ({told})", GONE)
    return StoreError(f"{name}: PostgreSQL gave up ({told})", "PostgreSQL gave up")


def is_of_disk(error: Exception) -> bool:
    """Tell whether an error means that the disk is full or fails."""
    return getattr(error, "sqlstate", None) in DISK


def _one_line(error: Exception) -> str:
    """Return the message of an error without its hints, which are on lines of their own."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    kept = [line for line in lines if not line.startswith(("Is the server", "HINT", "LINE", "^"))]
    return " ".join(kept).removeprefix("connection failed: ")
