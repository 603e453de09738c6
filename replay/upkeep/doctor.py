"""How a database and what it needs are doing: what `plybook doctor` tells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from replay import registry
from replay.store.findings import Finding, ok, warning


def checkup(database: Path) -> Iterator[Finding]:
    """Yield what is found, one by one. Nothing is changed, whatever file it is."""
    from replay.store.sqlite import file_checks as inside

    yield from inside.examine(database)
    yield from _plug_ins()


def _plug_ins() -> Iterator[Finding]:
    broken = registry.broken()
    for each in broken:
        told = f"the game {each.name} could not be loaded: {' '.join(each.reason.split())}"
        yield warning("plug-in", told, "mend, update or remove the distribution that brings it")
    if not broken:
        yield ok("plug-ins", f"{len(registry.games())} games, and nothing that could not be loaded")
