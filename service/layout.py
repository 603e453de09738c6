"""The frame of every page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from litestar import MediaType, Response

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="/static/plybook.svg">
{styles}
{scripts}
</head>
<body class="{kind}">
{body}
</body>
</html>
"""

BAR: Final = """<header class="bar"><a class="home" href="/">Plybook</a>
<nav aria-label="Plybook"><a href="/new">New match</a><a href="/library">Library</a></nav></header>
"""


def page(
    title: str,
    body: str,
    *,
    kind: str = "text",
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    status: int = 200,
) -> Response[str]:
    """Answer a page around a body of HTML; the title is escaped here.

    `kind` is a class of the body; `styles` and `scripts` are names of files in `static` beside
    `plybook.css`, the scripts being modules.
    """
    return Response(
        PAGE.format(
            title=escape(title),
            kind=kind,
            styles="\n".join(
                f'<link rel="stylesheet" href="/static/{name}">'
                for name in ("plybook.css", *styles)
            ),
            scripts="\n".join(
                f'<script type="module" src="/static/{name}"></script>' for name in scripts
            ),
            body=BAR + body,
        ),
        status_code=status,
        media_type=MediaType.HTML,
        headers={"Cache-Control": "no-cache", "Vary": "Cookie"},
    )


def _style(name: str) -> str:
    return f'<link rel="stylesheet" href="/static/{name}">'


def _script(name: str) -> str:
    return f'<script type="module" src="/static/{name}"></script>'
