"""The frame of every page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from litestar import MediaType, Response

from service.http.module_imports import imported_modules
from service.http.static_files import address

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<meta name="theme-color" content="#faf6ee" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#17181a" media="(prefers-color-scheme: dark)">
<link rel="icon" href="{icon}" type="image/svg+xml">
<link rel="manifest" href="{manifest}">
{styles}
{scripts}{preloads}
</head>
<body class="{kind}">
{body}
</body>
</html>
"""

BAR: Final = """<a class="skip" href="#main">To the content</a>
<header class="bar"><a class="home" href="/">Plybook</a>
<nav aria-label="Plybook">{ways}</nav><span id="main" tabindex="-1"></span></header>
"""

EVERYWHERE: Final = ("colours.css", "pictures.css", "plybook.css")
"""The style sheets of every page."""

WAYS: Final = {"/new": "New match", "/library": "Library"}


def page(
    title: str,
    body: str,
    *,
    kind: str = "text",
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    status: int = 200,
    here: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response[str]:
    """Answer a page around a body of HTML; the title is escaped here.

    `kind` is a class of the body. `styles` are files in `static/css`, `scripts` modules in
    `static/js`; the page preloads what these import. `here` is the address that the bar marks.
    """
    return Response(
        PAGE.format(
            title=escape(title),
            kind=kind,
            icon=address("pictures/plybook.svg"),
            manifest=address("plybook.webmanifest"),
            styles="\n".join(map(_style, (*EVERYWHERE, *styles))),
            scripts="\n".join(map(_script, scripts)),
            preloads="".join(map(_preload, imported_modules(scripts))),
            body=_bar(here) + body,
        ),
        status_code=status,
        media_type=MediaType.HTML,
        headers={"Cache-Control": "no-cache", "Vary": "Cookie"} | dict(headers or {}),
    )


def _bar(here: str) -> str:
    return BAR.format(
        ways="".join(
            f'<a href="{way}"{CURRENT if way == here else ""}>{name}</a>'
            for way, name in WAYS.items()
        )
    )


def _style(name: str) -> str:
    return f'<link rel="stylesheet" href="{address(f"css/{name}")}">'


def _script(name: str) -> str:
    return f'<script type="module" src="{address(f"js/{name}")}"></script>'


def _preload(name: str) -> str:
    return f'\n<link rel="modulepreload" href="{address(f"js/{name}")}">'


CURRENT: Final = ' aria-current="page"'
