"""Answer pages: a template within the common layout, or an HTML fragment without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from litestar import MediaType
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template
from litestar.template import TemplateConfig
from markupsafe import Markup

from replay.formats.html.environment import environment, trust
from service.http.addresses import prefix
from service.http.module_imports import imported_modules
from service.http.static_files import address
from service.pages.words import moment, sentence


def to_json(value: Any) -> Markup:
    """Encode JSON for a script element, where only `<` is dangerous."""
    return trust(msgspec.json.encode(value).decode().replace("<", "\\u003c"))


ENVIRONMENT: Final = environment(Path(__file__).parent / "templates")
ENVIRONMENT.globals.update(address=address, prefix=prefix, moment=moment, sentence=sentence)
ENVIRONMENT.filters["tojson"] = to_json

EVERYWHERE: Final = ("colours.css", "pictures.css", "plybook.css")
"""The style sheets of every page."""

TEMPLATES: Final = TemplateConfig(instance=JinjaTemplateEngine.from_environment(ENVIRONMENT))
"""The templates of the application; each is compiled on first use."""


def page(
    template: str,
    title: str,
    data: Mapping[str, Any],
    *,
    kind: str = "text",
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    status: int = 200,
    here: str = "",
    headers: Mapping[str, str] | None = None,
) -> Template:
    """Answer a page: a template that extends `layout.html`, and its data.

    `kind` is a class of the body. `styles` are files in `static/css`, `scripts` modules in
    `static/js`; the page preloads their imports. `here` is the address that the navigation bar
    marks.
    """
    frame = {
        "title": title,
        "kind": kind,
        "styles": (*EVERYWHERE, *styles),
        "scripts": scripts,
        "preloads": imported_modules(scripts),
        "here": here,
    }
    return Template(
        template_name=template,
        context={**data, "page": frame},
        status_code=status,
        media_type=MediaType.HTML,
        headers={"Cache-Control": "no-cache", "Vary": "Cookie"} | dict(headers or {}),
    )


def fragment(template: str, data: Mapping[str, Any], headers: Mapping[str, str]) -> Template:
    """Answer a fragment of a page, which a script inserts."""
    return Template(
        template_name=template,
        context=dict(data),
        media_type=MediaType.HTML,
        headers=dict(headers),
    )


def render_macro(template: str, macro: str, *data: Any) -> Markup:
    """Render a long part separately, so that a thread can do it before the page is rendered."""
    written: Markup = getattr(ENVIRONMENT.get_template(template).module, macro)(*data)
    return written
