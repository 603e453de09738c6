"""Answer pages: a template within the common layout, a fragment without it, or an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from litestar import MediaType, Request, Response
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template
from litestar.template import TemplateConfig
from markupsafe import Markup
from msgspec import Struct

from replay.errors import UnknownMatch, UnknownPly
from replay.formats.html.jinja import environment, trust
from replay.runtime import RUNTIME, TAB
from service.http.addresses import prefix
from service.http.cookies import had_link
from service.http.static_files import address, digest, imported_modules
from service.pages.words import moment, sentence


def to_json(value: Any) -> Markup:
    """Encode JSON for a script element, where only `<` is dangerous."""
    return trust(msgspec.json.encode(value).decode().replace("<", "\\u003c"))


ENVIRONMENT: Final = environment(Path(__file__).parent / "templates")
ENVIRONMENT.globals.update(address=address, prefix=prefix, moment=moment, sentence=sentence)
ENVIRONMENT.globals.update(imported_modules=imported_modules, in_tab=RUNTIME is TAB)
ENVIRONMENT.filters["tojson"] = to_json

TEMPLATES: Final = TemplateConfig(instance=JinjaTemplateEngine.from_environment(ENVIRONMENT))
"""The templates of the application; each is compiled on first use."""


def prepare_pages() -> None:
    """Compile all templates and read all static files: it takes longer than to answer a page."""
    digest()
    for name in ENVIRONMENT.list_templates():
        ENVIRONMENT.get_template(name)


def page(
    template: str,
    title: str,
    data: Mapping[str, Any],
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Template:
    """Answer a page: a template that extends `layout.html`, and its data.

    The template, or the data, names `styles`, which are files in `static/css`, and `scripts`, which
    are modules in `static/js`; the page preloads their imports. `kind` is a class of the body,
    `here` the address that the navigation bar marks.
    """
    return Template(
        template_name=template,
        context={**data, "page_title": title},
        status_code=status,
        media_type=MediaType.HTML,
        headers={"Cache-Control": "no-cache", "Vary": "Cookie"} | dict(headers or {}),
    )


def fragment(template: str, data: Mapping[str, Any], headers: Mapping[str, str]) -> Template:
    """Return a page fragment that a script inserts."""
    kind, told = MediaType.HTML, dict(headers)
    return Template(template_name=template, context=dict(data), media_type=kind, headers=told)


def render_macro(template: str, macro: str, *data: Any) -> Markup:
    """Render a long part separately, so that a thread can do it before the page is rendered."""
    written: Markup = getattr(ENVIRONMENT.get_template(template).module, macro)(*data)
    return written


E = TypeVar("E", bound=Exception)
Handler = Callable[[Request[Any, Any, Any], E], Response[bytes]]

TITLES: Final = {
    400: "This address does not work",
    401: "This match is private",
    403: "This is not yours to open",
    404: "There is nothing here",
    429: "One moment, please",
    503: "The book cannot be opened now",
}
GONE: Final = (
    "this phone no longer has that match; if there is a copy of it, bring it in: Library, Import"
)
INVITATION: Final = "This invitation is no longer valid"
FAULT: Final = "Something went wrong"


class ErrorText(Struct):
    """The status of a problem, and its explanation."""

    status: int
    detail: str


def as_page(handler: Handler[E]) -> Callable[[Request[Any, Any, Any], E], Response[Any]]:
    """Return a handler of errors that answers browsers with a page, programs like `handler`."""

    def handle(request: Request[Any, Any, Any], error: E) -> Response[Any]:
        problem = handler(request, error)
        if not wants_page(request):
            return problem
        text = msgspec.json.decode(problem.content, type=ErrorText)
        headers = dict(problem.headers)
        if isinstance(error, UnknownPly):
            said = f"this match has {error.last} moves, and no move {error.ply}"
            return _page(request.scope["path"], ErrorText(text.status, said), headers, error.match)
        if isinstance(error, UnknownMatch) and had_link(
            request, request.path_params.get("match", "")
        ):
            said = "this match was deleted; its scorekeeper can bring it back"
            text = ErrorText(text.status, said)
        elif isinstance(error, UnknownMatch) and RUNTIME is TAB:
            text = ErrorText(text.status, GONE)
        return _page(request.scope["path"], text, headers)

    return handle


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Return whether a browser asks for a page, rather than a program for data."""
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def _page(path: str, problem: ErrorText, headers: dict[str, str], match: str = "") -> Template:
    """Return the page of a problem, with a link to a match that could be shown."""
    title = TITLES.get(problem.status, FAULT)
    if path.startswith("/join/") and problem.status in (404, 409):
        title = INVITATION
    detail = problem.detail
    return page(
        "failure.html",
        f"{title} · Plybook",
        {
            "title": title,
            "detail": (detail[:1].upper() + detail[1:]).rstrip("."),
            "match": match,
        },
        status=problem.status,
        headers=headers | {"Cache-Control": "no-store", "Vary": "Accept, Cookie"},
    )
