"""Adjust the position: move things as they were moved on the table, say why, and save.

The page is stateless: what was moved since is in the address, and the board so far is a fragment
that follows from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Annotated, Any, Final

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.params import FromQuery, QueryParameter
from msgspec.structs import replace

from domain.rearranging import Spot
from replay import arranging, keys
from replay.arranging import Arrangement, Mislaid, Shift
from replay.book import Book
from replay.drawing import live, live_spots
from replay.errors import Refused
from replay.recorded import Recorded
from service.access import TheBook, TheSettings, TheVisit, Visit
from service.api.answering import ASK_AGAIN
from service.api.lengths import REASON
from service.api.matches import at
from service.layout import page
from service.pages.choosing import Answer, question
from service.pages.frame import SEAT, labelled, named, sentence, standing_words, with_names
from service.problems import Problem

BODY: Final = """<main class="adjust wide" data-match="{match}" data-version="{version}">
<header><a class="back" href="/m/{match}" aria-label="Back to the match">Back</a>
<h1>Adjust the position</h1></header>
<p class="unseen" role="status" data-part="news"></p>
<section class="hand" data-part="hand" aria-label="Your hand"><div class="said">{how}</div>
<div class="row"><button type="button" class="button quiet" data-undo disabled>Undo</button>
<button type="button" class="button quiet" data-anew disabled>Start over</button></div></section>
<section class="stage" data-part="stage" aria-label="The board">{board}</section>
<form class="saving" data-part="saving">
<details class="written"{open}><summary>As text</summary>
<div class="field"><label for="position">The position, in one line</label>
<textarea id="position" name="position" rows="4" maxlength="{longest}" spellcheck="false"
 autocapitalize="off" autocomplete="off">{text}</textarea>
<span class="hint">For what cannot be tapped. How it is written:
<a href="/rules/{game}#positions">Positions</a></span></div>
<button type="button" class="button quiet" data-part="show">Show</button></details>
<div class="field"><label for="reason">Reason</label>
<input id="reason" name="reason" required maxlength="{most}" autocomplete="off"
 placeholder="What really happened" enterkeyhint="done"></div>
<p class="hint">The record shows for ever that the position was set by hand, and why.</p>
<p class="notice bad" role="alert" data-part="trouble" hidden></p>
<noscript><p class="notice">To adjust the position, allow this page its scripts.</p></noscript>
<button class="button large broad">Save</button></form>
<script type="application/json" class="facts">{facts}</script>
</main>
"""

BOARD: Final = (
    '<article class="frame arranged" data-text="{text}" data-fit="{fit}" data-differs="{differs}"'
    ' data-told="{told}">'
    '<div class="board">{board}</div>{rows}'
    '<div class="whose">{told_so}{turns}</div>{chips}'
    '<script type="application/json" class="things">{things}</script></article>'
)

REFUSED: Final = """<main class="failure"><h1>Not just now</h1><p>{why}</p>
<p class="row"><a class="button" href="/m/{match}">Back to the board</a></p></main>
"""

BY_HAND: Final = "Tap a piece, then tap where it stands on your table."
BY_TEXT: Final = "Write how it stands on your table, show it, and save."

STYLES: Final = ("board.css", "adjust.css")
SCRIPTS: Final = (
    "adjust.js",
    "arrangement.js",
    "saving.js",
    "board.js",
    "frames.js",
    "motion.js",
    "elements.js",
    "requests.js",
    "telling.js",
    "words.js",
)

LONGEST: Final = 2000
"""Characters of a position, as the API takes it."""

OWNER: Final = re.compile(r" of seat \d\b")

Base = Annotated[str | None, QueryParameter(max_length=LONGEST)]
Shifted = FromQuery[list[str] | None]


@get("/m/{match:str}/adjust")
async def adjust_page(
    book: TheBook,
    settings: TheSettings,
    visit: TheVisit,
    version: FromQuery[int | None] = None,
    shift: Shifted = None,
    turn: FromQuery[int | None] = None,
    base: Base = None,
) -> Response[str]:
    """Show the host the board to be rearranged. Raises `Problem` 403 for anybody else."""
    then = _then(visit, version)
    try:
        shown = arranging.arranged(then, _shifts(shift), turn, base)
    except Refused as error:
        return _refused(book, then, error)
    names = named(book, then)
    facts = {"game": then.game.slug, "names": {str(seat): name for seat, name in names.items()}}
    body = BODY.format(
        match=then.id,
        version=then.match.version,
        how=BY_HAND if shown.spots else BY_TEXT,
        board=_board(then, shown, names, turn),
        open="" if shown.spots else " open",
        longest=LONGEST,
        text=escape(shown.text),
        game=escape(then.game.slug),
        most=REASON.longest(settings),
        facts=_json(facts),
    )
    return page("Adjust the position · Plybook", body, styles=STYLES, scripts=SCRIPTS)


@get("/m/{match:str}/adjust/board")
async def arranged_board(
    book: TheBook,
    visit: TheVisit,
    version: FromQuery[int | None] = None,
    shift: Shifted = None,
    turn: FromQuery[int | None] = None,
    base: Base = None,
) -> Response[str]:
    """Answer the board as it is shown so far. Raises `Problem` 409 for what cannot be."""
    then = _then(visit, version)
    try:
        shown = arranging.arranged(then, _shifts(shift), turn, base)
    except Mislaid as error:
        raise Problem(409, error.reason, shift=error.number) from None
    except Refused as error:
        raise Problem(409, error.violation.message) from None
    board = _board(then, shown, named(book, then), turn)
    return Response(board, media_type=MediaType.HTML, headers=ASK_AGAIN)


def _then(visit: Visit, version: int | None) -> Recorded:
    """Return the match that is adjusted, as it stood at a version. Raises `Problem` 403."""
    if visit.caller.role != keys.HOST:
        raise Problem(403, "only who keeps the score of this match can adjust the position")
    return at(visit, version)


def _shifts(written: Sequence[str] | None) -> list[Shift]:
    """Read what was moved: `S,stash1,c3`. Raises `Problem` 400."""
    shifts = []
    for number, one in enumerate(written or (), 1):
        parts = one.split(",")
        if len(parts) != 3:
            wrong = (
                f"shift {number} is a thing, from where, to where, like S,stash1,c3, not {one!r}"
            )
            raise Problem(400, wrong, path="shift")
        shifts.append(Shift(*parts))
    return shifts


def _refused(book: Book, then: Recorded, error: Refused) -> Response[str]:
    why = escape(sentence(error.violation.message, named(book, then)))
    body = REFUSED.format(why=f"{why}.", match=then.id)
    return page("Not just now · Plybook", body, styles=("start.css",), status=409)


def _board(then: Recorded, shown: Arrangement, names: Mapping[int, str], turn: int | None) -> str:
    """Write the fragment: the board, the rows beside it, who is to move, and the data for both."""
    scene, spots = shown.scene, [_called(spot, names) for spot in shown.spots]
    told = f"{sentence(_words(shown), names).rstrip('.')}."
    return BOARD.format(
        text=escape(shown.text),
        fit="yes" if shown.state else "",
        differs="yes" if shown.differs else "",
        told=escape(told),
        board=labelled(live.board(scene, title=f"{then.game.name} board"), names),
        rows=live_spots.rows(spots, _owners(shown.spots)),
        told_so=_told(shown, told),
        turns=_turns(shown, names, turn),
        chips=live_spots.chips(_called(_briefly(spot), names) for spot in shown.spots),
        things=_json(_things(spots)),
    )


def _words(shown: Arrangement) -> str:
    """Say who is to move then, or why this cannot be."""
    if shown.state is None:
        return shown.why
    words = standing_words(shown.state)
    return f"this ends the match: {words}" if shown.state.outcome else words


def _called(spot: Spot, names: Mapping[int, str]) -> Spot:
    """Return a spot whose words name the players."""
    things = tuple(replace(each, words=with_names(each.words, names)) for each in spot.things)
    return replace(spot, things=things, words=with_names(spot.words, names))


def _briefly(spot: Spot) -> Spot:
    """Leave out of the words whose things are, where one has all of them."""
    owners = [set(SEAT.findall(each.words)) for each in spot.things]
    if not owners or any(len(own) != 1 or own != owners[0] for own in owners):
        return spot
    things = tuple(replace(each, words=OWNER.sub("", each.words)) for each in spot.things)
    return replace(spot, things=things)


def _owners(spots: Sequence[Spot]) -> dict[str, int]:
    """Return whose a spot is, where its words say so."""
    found = ((spot.at, SEAT.search(spot.words)) for spot in spots)
    return {name: int(seat[2]) for name, seat in found if seat}


def _told(shown: Arrangement, told: str) -> str:
    if shown.state:
        return f'<p class="standing">{escape(told)}</p>'
    return f'<p class="notice unfit"><b>This cannot be yet.</b> {escape(told)}</p>'


def _turns(shown: Arrangement, names: Mapping[int, str], turn: int | None) -> str:
    """Ask whose turn it is, where it can be given by hand."""
    if not shown.turns:
        return ""
    answers = [Answer("", "As it was"), *(Answer(seat, names[seat]) for seat in shown.turns)]
    return question("turn", "Whose turn is it?", answers, css="segments", chosen=turn)


def _things(spots: Sequence[Spot]) -> dict[str, Any]:
    """Tell the script what lies where, in words."""
    return {
        spot.at: {
            "words": spot.words or f"on {spot.at}",
            "things": [{"what": each.what, "words": each.words} for each in spot.things],
        }
        for spot in spots
    }


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


ROUTER: Final = Router("/", route_handlers=[adjust_page, arranged_board], include_in_schema=False)
