"""oEmbed: the data with which another site shows a match in its page (https://oembed.com, 1.0).

The pages of a match name this address, so a site discovers it. The frame shows the spectator's
view; the frame of a private match says that it is private.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal
from urllib.parse import parse_qs, urlsplit

from litestar import Response, Router, get
from litestar.params import FromQuery, QueryParameter
from msgspec import Struct

from replay.drawing import card
from replay.record.match_record import MatchRecord
from service.api.presenters import answer
from service.http.access import AnyRequest, TheBook, TheMatchAccess
from service.http.addresses import absolute
from service.http.book_reads import reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.openapi.operations import documented
from service.pages import embed
from service.pages.cards import picture_address
from service.pages.replay import title

FRESH: Final = 300
"""The seconds for which a site may keep an answer."""

Url = Annotated[
    str | None,
    QueryParameter(max_length=2000, description="The address of a page of this match."),
]


class Oembed(Struct, frozen=True, omit_defaults=True):
    """A match for the page of another site. It has thumbnails only if pictures are installed."""

    type: Literal["rich"]
    version: Literal["1.0"]
    title: str
    provider_name: str
    provider_url: str
    cache_age: int
    html: str
    width: int
    height: int
    thumbnail_url: str = ""
    thumbnail_width: int = 0
    thumbnail_height: int = 0


@get("/matches/{match:str}/oembed", **documented({200: Oembed}, problems=(501,), sends=("ETag",)))
@reads_book
def show_oembed(
    request: AnyRequest,
    book: TheBook,
    visit: TheMatchAccess,
    url: Url = None,
    maxwidth: FromQuery[int | None] = None,
    maxheight: FromQuery[int | None] = None,
    form: Annotated[
        Literal["json", "xml"] | None, QueryParameter(name="format", description="Only `json`.")
    ] = None,
) -> Response[bytes]:
    """Show the HTML with which another site frames the match, as oEmbed describes it.

    The frame stays within `maxwidth` and `maxheight`. It shows the ply that `url` names, or else
    the last ply. 501 for any format but JSON.
    """
    if form == "xml":
        raise Problem(501, "format=xml is not supported; use format=json", path="format")
    record = visit.record
    ply = _ply(request, record, url)
    size = _within(embed.EMBED_WIDTH, maxwidth), _within(embed.EMBED_HEIGHT, maxheight)
    name = title(book, record)
    picture = picture_address(request, record, record.ply(ply))
    told = Oembed(
        type="rich",
        version="1.0",
        title=name,
        provider_name="Plybook",
        provider_url=absolute(request, "/"),
        cache_age=FRESH,
        html=embed.embed_code(request, record.id, name, ply, size),
        width=size[0],
        height=size[1],
        thumbnail_url=picture,
        thumbnail_width=card.WIDTH if picture else 0,
        thumbnail_height=card.HEIGHT if picture else 0,
    )
    return answer(told, headers=ASK_AGAIN)


def _ply(request: AnyRequest, record: MatchRecord, url: str | None) -> int | None:
    """Return the ply that a page's address names, if any. Raises `Problem` 404."""
    if url is None:
        return None
    try:
        asked, page = urlsplit(url), urlsplit(absolute(request, f"/m/{record.id}"))
    except ValueError:
        raise Problem(
            404, "this is not an address of the match; use the address of its page", path="url"
        ) from None
    ours = (page.path, f"{page.path}/replay", f"{page.path}/embed", f"{page.path}/tv")
    if asked.netloc != page.netloc or asked.path not in ours:
        raise Problem(
            404, "this is not an address of the match; use the address of its page", path="url"
        )
    written = parse_qs(asked.query).get("ply", [""])[-1]
    if not (written.isascii() and written.isdecimal() and len(written) < 10):
        return None
    ply = record.ply(int(written))
    return None if ply == record.ply() else ply


def _within(usual: int, most: int | None) -> int:
    return usual if most is None else max(1, min(usual, most))


ROUTER: Final = Router("/", route_handlers=[show_oembed])
