"""The psycopg library, with its errors and its URLs as people may see them."""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg import conninfo

from replay.errors import Damaged, NotAllowed, PlybookError, StoreError, Usage
from replay.store.postgres.dialect import PostgresConnection

Connection = PostgresConnection

ERRORS: Final = (psycopg.Error,)

READ_ONLY: Final = "it is read-only: a standby, or set so"
BUSY: Final = "another program is writing to it; try again"
FULL: Final = "the server has no connection left; try again"
STARTING: Final = "the server is starting or stopping; try again"
NOT_ALLOWED: Final = "42501"
MEANINGS: Final = {
    "25006": READ_ONLY,
    "28000": "it does not let this user in",
    "28P01": "the user or the password is wrong",
    "40001": BUSY,
    "40P01": BUSY,
    NOT_ALLOWED: "this user may not do that",
    "53100": "no space is left on its disk",
    "53200": "the server has no memory left",
    "53300": FULL,
    "55P03": BUSY,
    "57014": "the query took too long, or was cancelled",
    "57P01": "the server is stopping",
    "57P02": "the server has stopped",
    "57P03": STARTING,
    "58030": "reading or writing it failed",
}
"""The meanings of PostgreSQL's codes."""
REFUSALS: Final = {
    "does not exist": "the server has no such database or user; create it first",
    "too many": FULL,
    "connection slots": FULL,
    "the database system is": STARTING,
    "session is read-only": READ_ONLY,
    "server is in hot standby mode": READ_ONLY,
}
"""The meanings of refusals to connect, if the server speaks English.

A refusal comes without a code.
"""
PASSING: Final = {"40001", "40P01", "25006"}
"""Codes of a transaction that may succeed when it is tried again on a new connection.

Other programs were in conflict with it, or the server has become a standby of another server.
"""
SERVER: Final = ("08", "53", "55P03", "57P", "58")
"""Beginnings of the codes of failures that no statement caused."""
DISK: Final = {"53100", "58030", "25006"}
"""Codes of errors of a disk that is full or fails."""
DAMAGE: Final = ("23", "XX", "P0001")
"""Beginnings of the codes that a sound book never causes."""
GONE: Final = "it cannot be reached"


def translate_error(error: Exception, name: str) -> PlybookError:
    """Translate an error of `ERRORS` into `Damaged`, `StoreError` or `Usage`."""
    code, message = getattr(error, "sqlstate", None) or "", one_line(error)
    if code.startswith(DAMAGE):
        return Damaged(f"{name} is damaged: {message}")
    if not code and isinstance(error, psycopg.DataError):
        return Usage(f"this cannot be stored: {message}")
    if code == NOT_ALLOWED:
        return NotAllowed(f"{name}: {MEANINGS[code]} ({message})", MEANINGS[code])
    if meaning := MEANINGS.get(code):
        return StoreError(f"{name}: {meaning} ({message})", meaning)
    for sign, meaning in REFUSALS.items():
        if not code and sign in message:
            return StoreError(f"{name}: {meaning} ({message})", meaning)
    _, refused, why = message.partition("FATAL: ")
    if refused:
        return StoreError(f"{name}: the server refuses: {why.strip()}", "the server refuses")
    if isinstance(error, psycopg.OperationalError):
        return StoreError(f"{name}: {GONE} ({message})", GONE)
    return StoreError(f"{name}: PostgreSQL gave up ({message})", "PostgreSQL gave up")


def is_of_disk(error: Exception) -> bool:
    """Return whether an error means that the disk is full or fails."""
    return getattr(error, "sqlstate", None) in DISK


def is_of_server(error: psycopg.Error) -> bool:
    """Return whether the server is at fault, so that any other transaction would fail, too."""
    return (error.sqlstate or "").startswith(SERVER)


def is_passing(error: psycopg.Error) -> bool:
    """Return whether the transaction may succeed when it is tried again on a new connection."""
    return error.sqlstate in PASSING


def one_line(error: Exception) -> str:
    """Return the message of an error without its hints, which are on lines of their own."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    kept = [line for line in lines if not line.startswith(("Is the server", "HINT", "LINE", "^"))]
    return " ".join(kept).removeprefix("connection failed: ")


def shown(url: str) -> str:
    """Return the URL of a database without its password and options. Raises `Usage`."""
    try:
        parts = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        if "@" in url or "password" in url:  # the library quotes a part of the password
            raise _unescaped() from None
        raise Usage(
            f"this is not a valid URL of a PostgreSQL database: {one_line(error)}"
        ) from None
    host, name = str(parts.get("host", "")), str(parts.get("dbname", ""))
    if "@" in host.lstrip("@") or ("@" in name and "%40" not in url):  # a part of the password
        raise _unescaped()
    user = f"{parts['user']}@" if "user" in parts else ""
    addresses = _addresses(
        str(parts.get("host", "")).split(","), str(parts.get("port", "")).split(",")
    )
    return f"postgresql://{user}{addresses}/{parts.get('dbname', '')}"


def _unescaped() -> Usage:
    return Usage(
        "this is not a valid URL of a PostgreSQL database: its user or password has a character"
        " that must be written as %XX; use %25 for %, %2F for / and %40 for @"
    )


def _addresses(hosts: list[str], ports: list[str]) -> str:
    """Return hosts with their ports; a single port belongs to all hosts.

    The path of a socket is left out.
    """
    ports = ports * len(hosts) if len(ports) == 1 else ports
    names = [f"[{host}]" if ":" in host else host for host in hosts]
    return ",".join(
        ("" if name.startswith("/") else name) + (f":{port}" if port else "")
        for name, port in zip(names, ports, strict=False)
    ).strip(",")
