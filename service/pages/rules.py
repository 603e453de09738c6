"""The page with the rules of a game."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from replay import rules_text
from replay.errors import Usage
from service.http.access import find_game
from service.http.caching import HOUR
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.pages.layout import page


@get("/rules/{game:str}", guards=[ANYBODY])
async def show_rules(game: FromPath[str]) -> Template:
    """Show the rules of a game. Raises `Problem` 404 for a game without rules."""
    from replay.formats.html.rulebook import rulebook  # this imports a Markdown parser

    found = find_game(game)
    try:
        rules = rulebook(rules_text.text(found))
    except Usage as error:
        raise Problem(404, str(error)) from None
    data = {"game": found, "rules": rules}
    title = f"{found.name}: the rules · Plybook"
    return page("rules.html", title, data, headers=HOUR)
