"""The first page: what this is, and which games there are."""

from __future__ import annotations

from html import escape
from typing import Final

from litestar import Response, Router, get

from replay import shelf
from service.layout import page


@get("/")
async def home() -> Response[str]:
    """Tell what this is and which games there are."""
    games = "\n".join(
        f"<li>{escape(game.name)} <small>{escape(game.ruleset)}</small></li>"
        for game in shelf.games().values()
    )
    return page(
        "Plybook",
        "<main><h1>Plybook</h1><p>The scoresheet, referee and replay desk for games played on a"
        f" real table. This service knows the rules of:</p><ul>{games}</ul></main>",
    )


ROUTER: Final = Router("/", route_handlers=[home], include_in_schema=False)
