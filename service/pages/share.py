"""Share a match: its link, its files, its visibility, and the trash."""

from __future__ import annotations

from typing import Final, NamedTuple

from litestar import Router, get
from litestar.response import Template

from replay.access import capability_tokens, visibility
from replay.formats.pictures.raster import is_installed
from replay.record.match_record import MatchRecord
from service.http.access import AnyRequest, TheBook, TheMatchAccess, TheSettings
from service.http.addresses import absolute, prefix
from service.http.book_reads import reads_book
from service.pages.cards import describe_with_names
from service.pages.embed import HEIGHT, WIDTH, embed_code
from service.pages.layout import page
from service.pages.replay import title
from service.pages.start_form import READERS
from service.pages.words import player_names
from service.settings import Settings

READ: Final = {
    visibility.UNLISTED: "Whoever has this link can read the match.",
    visibility.PUBLIC: "Everybody can read the match; it is listed in the library.",
    visibility.PRIVATE: "The match is private: the link works for those who were invited.",
}


class File(NamedTuple):
    """A file format of a match, the query that requests it, and its use."""

    query: str
    name: str
    words: str


FILES: Final = (
    File("html", "A page", "Board, moves and comments in one file; opens anywhere."),
    File("sheet", "Score sheet", "To print and to sign."),
    File("ply", "Text record", "Short, to read, to mail and to bring in again."),
    File("archive", "Archive", "All that was ever entered, for another Plybook."),
)
PICTURE: Final = File("png", "Picture", "The board as it stands.")


@get("/m/{match:str}/share")
@reads_book
def share_page(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Template:
    """Show how to share a match; the host also sees its visibility and the trash."""
    record = visit.record
    readers = visibility.visibility_of(book, record)
    data = {
        "match": record.id,
        "players": player_names(book, record).players,
        "game": record.game,
        "standing": describe_with_names(book, record),
        "readers": READ[readers],
        "address_of_replay": absolute(request, f"/m/{record.id}/replay"),
        "files": _files(settings, record),
        "picture": _picture(record),
        "embed": ""
        if readers == visibility.PRIVATE
        else embed_code(request, record.id, title(book, record), None, (WIDTH, HEIGHT)),
        "is_host": visit.caller.role == capability_tokens.HOST,
        # A variation has the visibility of the match that it analyses.
        "is_variation": record.header.kind == "variation",
        "answers": READERS,
        "visibility": readers,
    }
    heading = f"Share {record.game.name} · Plybook"
    return page(
        "share.html", heading, data, styles=("board.css", "start.css"), scripts=("share.js",)
    )


def _picture(record: MatchRecord) -> str:
    """Return the address of the picture with names and result; empty without the extra."""
    path = f"{prefix()}/matches/{record.id}/record?format=card&ply={record.ply()}"
    return path if is_installed() else ""


def _files(settings: Settings, record: MatchRecord) -> tuple[File, ...]:
    """Return the available formats; pictures need the extra `plybook[pictures]`."""
    if not is_installed():
        return FILES
    return (*FILES[:2], PICTURE, _animation(settings, record), *FILES[2:])


def _animation(settings: Settings, record: MatchRecord) -> File:
    """Return the animation of a match, shortened to the allowed number of its last plies."""
    last, most = record.ply(), settings.plies_per_picture
    if not most or last <= most:
        return File("gif", "Animation", "The whole match as moving pictures.")
    query = f"gif&from={last - most}&to={last}"
    return File(query, "Animation", f"The last {most} moves as moving pictures.")


ROUTER: Final = Router("/", route_handlers=[share_page], include_in_schema=False)
