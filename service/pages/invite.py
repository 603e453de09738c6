"""Invite players and onlookers: for each a link, and a code to be scanned with a phone."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from html import escape
from typing import Final
from urllib.parse import urlsplit

import segno
from litestar import Response, Router, get
from litestar.params import FromPath
from msgspec import Struct

from domain.position import Secret
from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.formats.html.move_list import chip
from replay.match_record import MatchRecord
from service.http.access import AnyRequest, TheBook, TheVisit, invitation_link, token_names
from service.http.caching import NO_STORE
from service.http.problems import Problem
from service.pages.frame import player_names
from service.pages.layout import page

BODY: Final = """<main class="invite" data-match="{match}">
<p class="back"><a href="/m/{match}">Back to the board</a></p>
<h1>Invite</h1>
<p>{why}</p>{unreachable}
<noscript><p class="notice">Making links needs JavaScript.</p></noscript>
<p class="notice bad" role="alert" data-part="trouble" hidden></p>
{guests}</main>
"""

GUEST: Final = """<section class="card guest" data-whom="{whom}" data-role="{role}"{seat}
 data-keys="{keys}" aria-labelledby="guest-{whom}">
<h2 id="guest-{whom}">{title}</h2><p>{words}</p>{link}
<p class="state" role="status" data-part="state"></p><div class="row" data-part="ways"></div>
</section>
"""

LINK: Final = """<div class="link" data-part="link"{hidden}>
<img class="qr" data-part="qr" width="264" height="264" alt="Code of the link below"{source}>
<label class="unseen" for="link-{whom}">Link</label>
<input id="link-{whom}" class="address" readonly value="{address}"></div>
"""

LOCAL: Final = """<p class="notice">This page was opened at <code>{host}</code>, which other phones
cannot reach. Start Plybook with <code>plybook serve --lan</code>, and open it at the address that
is printed then.</p>"""

ONLY_HERE: Final = frozenset(("localhost", "127.0.0.1", "::1"))


class Guest(Struct, frozen=True):
    """Somebody who can be invited: to a seat, to look on, to keep the score. Words are HTML."""

    role: str
    seat: int | None
    title: str
    words: str

    @property
    def whom(self) -> str:
        """The name of this guest on the page."""
        return str(self.seat or self.role)


@get("/m/{match:str}/invite")
async def invite_page(request: AnyRequest, book: TheBook, visit: TheVisit) -> Response[str]:
    """Show the host whom to invite. Raises `Problem` 403 for anybody else."""
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only who keeps the score of this match can invite others to it")
    recorded = visit.recorded
    issued = await asyncio.to_thread(lambda: capability_tokens.list_issued(book, recorded))
    borne = token_names(request, book, recorded)
    others = [key for key in issued if key.id not in borne]
    open_to_all = visibility.visibility_of(book, recorded) != visibility.PRIVATE
    address = f"{str(request.base_url).rstrip('/')}/m/{recorded.id}"
    guests = "".join(
        _guest(
            guest, others, address if open_to_all and guest.role == capability_tokens.VIEWER else ""
        )
        for guest in _guests(book, recorded)
    )
    host = urlsplit(str(request.base_url)).hostname or ""
    body = BODY.format(
        match=recorded.id,
        why=_why(recorded),
        unreachable=LOCAL.format(host=escape(host)) if host in ONLY_HERE else "",
        guests=guests,
    )
    title = f"Invite to {recorded.game.name} · Plybook"
    return page(title, body, styles=("board.css", "start.css"), scripts=("invite.js",))


@get("/m/{match:str}/code.svg")
async def code_of_match(request: AnyRequest, visit: TheVisit) -> Response[bytes]:
    """Draw the code of the address of a match."""
    return _drawn(f"{str(request.base_url).rstrip('/')}/m/{visit.recorded.id}")


@get("/m/{match:str}/code/{token:str}")
async def code_of_invitation(
    request: AnyRequest, book: TheBook, visit: TheVisit, token: FromPath[str]
) -> Response[bytes]:
    """Draw the code of an invitation that the host knows. Raises `Problem` 404."""
    visit.host("invite others")
    if capability_tokens.role_of(book, visit.recorded, token) is None:
        raise Problem(404, "this invitation opens nothing any more")
    return _drawn(invitation_link(request, visit.recorded.id, token))


def _drawn(link: str) -> Response[bytes]:
    """Draw black on white, whatever the colours of the page: cameras like it best."""
    drawn = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(drawn, kind="svg", border=4, light="#fff", omitsize=True, xmldecl=False)
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers=NO_STORE)


def _guests(book: Book, recorded: MatchRecord) -> Iterator[Guest]:
    names = player_names(book, recorded)
    for seat in names.players:
        name = escape(names[seat])
        words = f"{name} scans this and enters {name}’s moves on their own phone."
        yield Guest(capability_tokens.SEAT, seat, f"{chip(seat)} {name}", words)
    onlooker = "Who scans this can follow the match live, and enter nothing."
    yield Guest(capability_tokens.VIEWER, None, "To look on", onlooker)
    keeper = "Who scans this may enter everybody’s moves, correct and invite, as you do."
    yield Guest(capability_tokens.HOST, None, "Another scorekeeper", keeper)


def _why(recorded: MatchRecord) -> str:
    if any(issubclass(move, Secret) for move in recorded.game.moves):
        return (
            "Each side plans in secret. It is easiest if each player has a phone; or pass"
            " this one around, the plans stay covered."
        )
    return "You can enter all moves on this device. Or let the others enter theirs on their phones."


def _guest(guest: Guest, issued: list[capability_tokens.IssuedToken], address: str) -> str:
    own = [key.id for key in issued if (key.role, key.seat) == (guest.role, guest.seat)]
    source = f' src="/m/{address.rpartition("/")[2]}/code.svg"' if address else ""
    return GUEST.format(
        whom=guest.whom,
        role=guest.role,
        seat=f' data-seat="{guest.seat}"' if guest.seat else "",
        keys=" ".join(own),
        title=guest.title,
        words=guest.words,
        link=LINK.format(
            whom=guest.whom,
            address=escape(address),
            hidden="" if address else " hidden",
            source=source,
        ),
    )


ROUTER: Final = Router(
    "/",
    route_handlers=[invite_page, code_of_match, code_of_invitation],
    include_in_schema=False,
)
