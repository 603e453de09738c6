"""Import records: a file dropped or chosen, or a text."""

from __future__ import annotations

from typing import Final

from litestar import Router, get
from litestar.response import Template

from replay import registry, rules_text
from replay.errors import Usage
from service.pages.layout import page


@get("/library/import")
async def import_page() -> Template:
    """Ask for files or a text to import."""
    return page(
        "import_records.html",
        "Bring in a record · Plybook",
        {"clauses": _games()},
        styles=("start.css",),
        scripts=("import_records.js",),
        here="/library",
    )


def _games() -> dict[str, str]:
    """Return the game whose clauses begin with some letters, where there are rules to link to."""
    found = {}
    for slug, game in registry.games().items():
        try:
            first = next(iter(rules_text.clauses(game)), "")
        except Usage:
            continue
        found[first.partition("-")[0]] = slug
    return found


ROUTER: Final = Router("/", route_handlers=[import_page], include_in_schema=False)
