"""Share a match: its link, files of it, who may read it, and the trash."""

from __future__ import annotations

from html import escape
from typing import Final, NamedTuple

from litestar import Response, Router, get

from replay.access import capability_tokens, visibility
from replay.errors import Usage
from replay.formats.pictures.raster import check_extra
from replay.match_record import MatchRecord
from service.http.access import AnyRequest, TheBook, TheSettings, TheVisit
from service.pages.cards import describe_with_names, versus
from service.pages.layout import page
from service.pages.start_form import READERS, question
from service.settings import Settings

BODY: Final = """<main class="share" data-match="{match}">
<p class="back"><a href="/m/{match}">Back to the board</a></p>
<h1>Share</h1>
<p>{players}<br><span class="soft">{game}. {standing}.</span></p>
<p class="notice bad" role="alert" data-part="trouble" hidden></p>
<section class="card stack"><h2>The link</h2><p>{readers}</p>
<label class="unseen" for="address">Link</label>
<input id="address" class="address" readonly value="{address}">
<div class="row" data-part="ways"></div><p class="state" role="status" data-part="state"></p>
</section>
<section class="card"><h2>A file</h2><ul class="files">{files}</ul></section>
{asked}{host}</main>
"""

FILE: Final = """<li><a href="/matches/{match}/record?format={format}" download>{name}</a>
<span class="soft small">{words}</span></li>"""

ASKED: Final = """<section class="card"><form data-part="readers">{question}</form></section>
"""
HOST: Final = """<section class="card stack"><h2>Delete</h2>
<p>Nobody finds the match any more. You can bring it back as long as you stay on this page.</p>
<div class="row"><button type="button" class="button quiet danger" data-do="delete">Delete the match
</button><button type="button" class="button" data-do="restore" hidden>Bring it back</button></div>
</section>
"""


READ: Final = {
    visibility.UNLISTED: "Whoever has this link can read the match.",
    visibility.PUBLIC: "Everybody can read the match; it is listed in the library.",
    visibility.PRIVATE: "The match is private: the link works for those who were invited.",
}


class File(NamedTuple):
    """A format that a match can be saved in, and what it is good for."""

    format: str
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
async def share_page(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheVisit
) -> Response[str]:
    """Show how to give a match away; the host also who may read it, and the trash."""
    recorded = visit.recorded
    readers = visibility.visibility_of(book, recorded)
    is_host = visit.caller.role == capability_tokens.HOST
    body = BODY.format(
        match=recorded.id,
        players=versus(book, recorded),
        game=escape(recorded.game.name),
        standing=escape(describe_with_names(book, recorded)),
        readers=READ[readers],
        address=escape(f"{str(request.base_url).rstrip('/')}/m/{recorded.id}/replay"),
        files="".join(_file(recorded, each) for each in _files(settings, recorded)),
        asked=_asked(recorded, readers) if is_host else "",
        host=HOST if is_host else "",
    )
    title = f"Share {recorded.game.name} · Plybook"
    return page(title, body, styles=("board.css", "start.css"), scripts=("share.js",))


def _files(settings: Settings, recorded: MatchRecord) -> tuple[File, ...]:
    """Return the formats there are; pictures need what `plybook[pictures]` installs."""
    try:
        check_extra()
    except Usage:
        return FILES
    return (*FILES[:2], PICTURE, _animation(settings, recorded), *FILES[2:])


def _animation(settings: Settings, recorded: MatchRecord) -> File:
    """Return the animation of a match, or of as many of its last plies as one may show."""
    last, most = recorded.ply(), settings.plies_per_picture
    if not most or last <= most:
        return File("gif", "Animation", "The whole match as moving pictures.")
    address = f"gif&amp;from={last - most}&amp;to={last}"
    return File(address, "Animation", f"The last {most} moves as moving pictures.")


def _file(recorded: MatchRecord, file: File) -> str:
    return FILE.format(match=recorded.id, **file._asdict())


def _asked(recorded: MatchRecord, now: str) -> str:
    """Ask who may look on; who may read a variation is decided for the match it analyses."""
    if recorded.header.kind == "variation":
        return ""
    asked = question("visibility", "Who may look on?", READERS, chosen=now)
    return ASKED.format(question=asked)


ROUTER: Final = Router("/", route_handlers=[share_page], include_in_schema=False)
