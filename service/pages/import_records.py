"""Import records from files or text."""

from __future__ import annotations

from typing import Final

from litestar import Router, get
from litestar.response import Template

from replay import registry, rules_text
from replay.errors import Usage
from service.pages.layout import page


@get("/library/import")
async def import_page() -> Template:
    """Show the form for files or text to import."""
    return page(
        "import_records.html",
        "Bring in a record · Plybook",
        {"clauses": _games(), "example": registry.EXAMPLE},
        styles=("start.css",),
        scripts=("import_records.js",),
        here="/library",
    )


def _games() -> dict[str, str]:
    """Return the slug of each game with rules, by the prefix of its clauses."""
    found = {}
    for slug, game in registry.games().items():
        try:
            first = next(iter(rules_text.clauses(game)), "")
        except Usage:
            continue
        found[first.partition("-")[0]] = slug
    return found


ROUTER: Final = Router("/", route_handlers=[import_page], include_in_schema=False)
