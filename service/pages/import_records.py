"""Bring in records: a file dropped or chosen, or a text; what is wrong is told with its line."""

from __future__ import annotations

from html import escape
from typing import Final

import msgspec
from litestar import Response, Router, get

from replay import registry, rules_text
from replay.errors import Usage
from service.pages.layout import page

BODY: Final = """<main class="bring stack" data-clauses="{clauses}">
<p class="back"><a href="/library">Library</a></p>
<h1>Bring in a record</h1>
<p>Text records (<code>.ply</code>) and archives (<code>.plybook</code>). Every move is checked by
the rules on the way in.</p>
<noscript><p class="notice">Bringing in needs JavaScript, or <code>plybook import FILE</code>.</p>
</noscript>
<form class="stack" data-part="form">
<div class="drop"><label class="button large" for="file">Choose a file</label>
<input id="file" class="unseen" type="file" multiple accept=".ply,.plybook,.txt,text/plain">
<p class="soft">or drop it here</p></div>
<details><summary>Or paste a text</summary>
<div class="field"><label class="unseen" for="text">The record</label>
<textarea id="text" rows="8" spellcheck="false" autocapitalize="off"
 placeholder="[Game &quot;poptrix&quot;] …"></textarea></div>
<p><button class="button">Bring it in</button></p></details></form>
<section data-part="results" aria-live="polite"></section></main>
"""


@get("/library/import")
async def bring() -> Response[str]:
    """Ask for records to be brought in."""
    body = BODY.format(clauses=escape(msgspec.json.encode(_games()).decode()))
    title = "Bring in a record · Plybook"
    return page(title, body, styles=("start.css",), scripts=("import_records.js",), here="/library")


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


ROUTER: Final = Router("/", route_handlers=[bring], include_in_schema=False)
