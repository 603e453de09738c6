"""Share a match: invitations with QR codes, its link and files, its visibility, and the trash."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Template
from msgspec import Struct
from msgspec.structs import replace

from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.formats import record_link
from replay.formats.pictures.stills import is_installed
from replay.formats.ply.writer import export_record
from replay.formats.reconstructing import linked_matches
from replay.library import match_list
from replay.library.match_list import ListFilter
from replay.record.match_record import MatchRecord
from replay.referee import evenings, phones
from replay.tags.match_tags import OF_SEAT, tags_of
from replay.tags.names import player_names
from service.http.access import (
    AnyRequest,
    TheBook,
    TheMatchAccess,
    TheSettings,
    read_scope,
    token_names,
)
from service.http.addresses import absolute, invitation_link, prefix
from service.http.book_reads import in_thread, reads_book
from service.http.caching import NO_STORE
from service.http.problems import Problem
from service.pages.cards import MatchCard, cards, describe_with_names, seated
from service.pages.embed import EMBED_HEIGHT, EMBED_WIDTH, MAX_BOARDS, embed_code
from service.pages.layout import page
from service.pages.replay import title
from service.pages.words import reader_answers, table_words
from service.settings import Settings

ONLY_HERE: Final = frozenset(("localhost", "127.0.0.1", "::1"))


class Guest(Struct, frozen=True):
    """A person to invite: a player, a spectator or a scorekeeper.

    `key` identifies them on the page, `tokens` are the ids of their existing tokens, `address` is
    their link if it needs no token.
    """

    role: str
    seat: int | None
    title: str
    words: str
    tokens: tuple[str, ...] = ()
    address: str = ""

    @property
    def key(self) -> str:
        """The key of this guest on the page."""
        return str(self.seat or self.role)


@get("/m/{match:str}/invite")
@in_thread
def invite_page(request: AnyRequest, book: TheBook, visit: TheMatchAccess) -> Template:
    """Show the host the people to invite. Raises `Problem` 403 for other callers."""
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only the scorekeeper of this match can invite others to it")
    record = visit.record
    issued = capability_tokens.list_issued(book, record)
    borne = token_names(request, book, record)
    others = [key for key in issued if key.id not in borne]
    open_to_all = visibility.visibility_of(book, record) != visibility.PRIVATE
    address = absolute(request, f"/m/{record.id}")
    host = urlsplit(str(request.base_url)).hostname or ""
    asked = book.store.metadata(record.stream.id).get(evenings.ASKED)
    data = {
        "where": table_words(book.facts(record)),
        "asking": asked and book.store.evening(asked),
        "match": record.id,
        "game": record.game.name,
        "has_secrets": record.game.has_secrets,
        "unreachable_host": host if host in ONLY_HERE else "",
        "guests": [
            replace(
                guest,
                tokens=tuple(
                    key.id for key in others if (key.role, key.seat) == (guest.role, guest.seat)
                ),
                address=address if open_to_all and guest.role == capability_tokens.VIEWER else "",
            )
            for guest in _guests(book, record)
        ],
    }
    title = f"Invite to {record.game.name} · Plybook"
    return page("invite.html", title, data)


@get("/m/{match:str}/code.svg")
async def code_of_match(
    request: AnyRequest, visit: TheMatchAccess, replay: FromQuery[bool] = False
) -> Response[bytes]:
    """Draw the QR code of a match's address, or of its replay."""
    return _drawn(absolute(request, f"/m/{visit.record.id}{'/replay' if replay else ''}"))


@get("/m/{match:str}/code/{token:str}")
@reads_book
def code_of_invitation(
    request: AnyRequest, book: TheBook, visit: TheMatchAccess, token: FromPath[str]
) -> Response[bytes]:
    """Draw the QR code of an invitation that the host has made, or of a code for a new phone.

    Raises `Problem`.
    """
    visit.host("invite others")
    if not capability_tokens.invites(book, visit.record, token):
        phones.seat_of_code(book, visit.record, token)
    return _drawn(invitation_link(request, visit.record.id, token))


@get("/m/{match:str}/record-code.svg")
@in_thread
def code_of_record(
    request: AnyRequest, book: TheBook, visit: TheMatchAccess, number: FromQuery[int] = 1
) -> Response[bytes]:
    """Draw a QR code of the chain that holds the match. Raises `Problem` 404 for another number."""
    links = record_link.chain(absolute(request, "/"), export_record(book, visit.record))
    if not 0 < number <= len(links):
        raise Problem(404, f"the match has {len(links)} codes, and none numbered {number}")
    return _drawn(links[number - 1], error="l")


def _drawn(link: str, error: str = "m") -> Response[bytes]:
    """Draw black on white regardless of the page's colours, because cameras read it best."""
    import segno  # few requests draw a code

    drawn = io.BytesIO()
    code = segno.make(link, error=error, micro=False)
    code.save(drawn, kind="svg", border=4, light="#fff", omitsize=True, xmldecl=False)
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers=NO_STORE)


def _guests(book: Book, record: MatchRecord) -> Iterator[Guest]:
    apart = visibility.BESIDE in book.store.metadata(record.stream.id)
    own = dict(tags_of(book.facts(record))).get(OF_SEAT) if apart else None
    for seat, name in player_names(book, record).players.items():
        if own not in (None, str(seat)):
            continue
        words = f"{name} scans this and enters {name}’s moves on their own phone."
        yield Guest(capability_tokens.SEAT, seat, name, words)
    onlooker = "Anyone who scans this can follow the match live, but cannot enter moves."
    yield Guest(capability_tokens.VIEWER, None, "To look on", onlooker)
    keeper = "Anyone who scans this may enter all moves, correct and invite, as you do."
    yield Guest(capability_tokens.HOST, None, "Another scorekeeper", keeper)


READ: Final = {
    visibility.UNLISTED: "This link lets people read the match.",
    visibility.PUBLIC: "Anyone can read the match; it is listed in the library.",
    visibility.PRIVATE: "The match is private: the link works for those who were invited.",
}


class File(NamedTuple):
    """A file format of a match, the query that requests it, and its use."""

    query: str
    name: str
    words: str


FILES: Final = (
    File("html", "A page", "Board, moves and comments in one file; opens anywhere."),
    File("ply", "Text record", "Short, to read, to mail and to bring in again."),
    File("archive", "Archive", "Everything ever entered, for another Plybook."),
)
PICTURE: Final = File("png", "Picture", "The current board.")


@get("/m/{match:str}/share")
@in_thread
def share_page(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Template:
    """Show how to share a match; the host also sees its visibility and the trash."""
    record, home = visit.record, absolute(request, "/")
    text = export_record(book, record)
    readers = visibility.visibility_of(book, record)
    tags = evenings.table_tags(book.facts(record))
    data = {
        "match": record.id,
        "players": seated(book, record),
        "game": record.game,
        "standing": describe_with_names(book, record),
        "readers": READ[readers],
        "address_of_replay": absolute(request, f"/m/{record.id}/replay"),
        "match_link": record_link.link(home, text),
        "linked": linked_matches(tags_of(book.facts(record))),
        "codes": len(record_link.chain(home, text)),
        "files": _files(settings, record),
        "picture": _picture(record),
        "embed": ""
        if readers == visibility.PRIVATE
        else embed_code(request, record.id, title(book, record), None, (EMBED_WIDTH, EMBED_HEIGHT)),
        "boards": _boards(request, book, record),
        "is_host": visit.caller.role == capability_tokens.HOST,
        # A variation has the visibility of the match that it analyses.
        "is_variation": record.header.kind == "variation",
        "answers": reader_answers(settings.lists_all),
        "visibility": readers,
        "phones": _phones(book, record),
        "places": {each: tags.get(each, "") for each in ("Event", "Round", "Table")},
    }
    heading = f"Share {record.game.name} · Plybook"
    return page("share.html", heading, data)


def _phones(book: Book, record: MatchRecord) -> list[tuple[int, str, phones.Heard | None]]:
    """Return the seats that another phone can take over, their players, and what is known."""
    names = player_names(book, record).players
    free = [seat for seat in names if phones.account_at(book, record, seat) is None]
    return [(seat, names[seat], phones.last_heard(record, seat)) for seat in free]


def _boards(request: AnyRequest, book: Book, record: MatchRecord) -> list[MatchCard]:
    """Return the other open matches of this device, for a screen that takes turns."""
    scope = read_scope(request).own
    there = match_list.page(book, ListFilter(status="open"), scope, MAX_BOARDS + 1).matches
    others = [each for each in there if each.stream.public_id != record.id][:MAX_BOARDS]
    return cards(book, match_list.read(book, others))


def _picture(record: MatchRecord) -> str:
    """Return the address of the picture with names and result; empty without the extra."""
    path = f"{prefix()}/matches/{record.id}/record?format=card&ply={record.ply()}"
    return path if is_installed() else ""


def _files(settings: Settings, record: MatchRecord) -> tuple[File, ...]:
    """Return the available formats; pictures need the extra `pictures`."""
    if not is_installed():
        return FILES
    return (*FILES[:1], PICTURE, _animation(settings, record), *FILES[1:])


def _animation(settings: Settings, record: MatchRecord) -> File:
    """Return the animation of a match, shortened to the allowed number of its last plies."""
    last, most = record.ply(), settings.plies_per_picture
    if not most or last <= most:
        return File("gif", "Animation", "The whole match as moving pictures.")
    query = f"gif&from={last - most}&to={last}"
    return File(query, "Animation", f"The last {most} moves as moving pictures.")
