"""The frame of every page."""

from __future__ import annotations

from html import escape
from typing import Final

from litestar import MediaType, Response

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="/static/plybook.css">
<link rel="icon" href="/static/plybook.svg">
</head>
<body>
<header><a href="/">Plybook</a></header>
<main>
{body}
</main>
</body>
</html>
"""


def page(title: str, body: str, status: int = 200) -> Response[str]:
    """Answer a page around a body of HTML; the title is escaped here."""
    return Response(
        PAGE.format(title=escape(title), body=body),
        status_code=status,
        media_type=MediaType.HTML,
        headers={"Cache-Control": "no-cache"},
    )
