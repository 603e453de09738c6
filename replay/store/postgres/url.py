"""The URL of a database of PostgreSQL, as people may see it."""

from __future__ import annotations

import psycopg
from psycopg import conninfo

from replay.errors import Usage
from replay.store.postgres.library import one_line


def shown(url: str) -> str:
    """Return the URL of a database without its password and options. Raises `Usage`."""
    try:
        parts = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise Usage(f"this is no URL of a PostgreSQL database: {one_line(error)}") from None
    user = f"{parts['user']}@" if "user" in parts else ""
    places = _places(str(parts.get("host", "")).split(","), str(parts.get("port", "")).split(","))
    return f"postgresql://{user}{places}/{parts.get('dbname', '')}"


def _places(hosts: list[str], ports: list[str]) -> str:
    """Return hosts with their ports; one port is that of all. The path of a socket is left out."""
    ports = ports * len(hosts) if len(ports) == 1 else ports
    names = [f"[{host}]" if ":" in host else host for host in hosts]
    return ",".join(
        ("" if name.startswith("/") else name) + (f":{port}" if port else "")
        for name, port in zip(names, ports, strict=False)
    ).strip(",")
