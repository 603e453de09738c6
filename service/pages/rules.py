"""The rules of a game as a page; the clause that a refusal cites has an address and stands out."""

from __future__ import annotations

from html import escape
from typing import Final

from litestar import Response, Router, get
from litestar.params import FromPath

from replay import rules_text
from replay.errors import Usage
from service.http.access import find_game
from service.http.caching import HOUR
from service.http.problems import Problem
from service.pages.layout import page
from service.pages.rules_markdown import RulesSection, rulebook

BODY: Final = """<main class="rules">
<h1>{name}: the rules</h1>
<p class="soft small">{source}</p>
<p class="row"><a class="button" href="/new/{slug}">Start a match</a></p>
<details class="contents"><summary>What is where</summary><ol>{contents}</ol></details>
{text}
<footer class="soft small"><p><abbr>T</abbr> after the number of a clause: it follows the published
text. <abbr>I</abbr>: it is inferred from that. <abbr>R</abbr>: a ruling of ours, where the text is
silent.</p></footer></main>
"""


@get("/rules/{game:str}")
async def show_rules(game: FromPath[str]) -> Response[str]:
    """Show the rules of a game. Raises `Problem` 404 for a game that comes without."""
    found = find_game(game)
    try:
        book = rulebook(rules_text.text(found))
    except Usage as error:
        raise Problem(404, str(error)) from None
    body = BODY.format(
        name=escape(found.name),
        slug=escape(found.slug),
        source=escape(book.source),
        contents="".join(map(_entry, book.sections)),
        text=book.html,
    )
    title = f"{found.name}: the rules · Plybook"
    return page(title, body, styles=("start.css",), headers=HOUR)


def _entry(section: RulesSection) -> str:
    return f'<li><a href="#{escape(section.anchor)}">{escape(section.title)}</a></li>'


ROUTER: Final = Router("/", route_handlers=[show_rules], include_in_schema=False)
