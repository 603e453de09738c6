"""The page of a match: callers who may write record on its board, others follow it."""

from __future__ import annotations

from typing import Any, Final

from litestar import get
from litestar.params import FromQuery
from litestar.response import Template
from msgspec import Struct

from domain.game import Game
from domain.names import Names
from replay.access import capability_tokens
from replay.book import Book
from replay.errors import UnknownAddress
from replay.kept_book import is_kept, needs
from replay.reading import timeline
from replay.reading.match_story import Story, tell_story
from replay.record.match_record import MatchRecord
from replay.referee.evenings import evening_of
from replay.referee.rematch import Series, count_series
from replay.store.types import Evening
from replay.tags.names import player_names
from service.http.access import (
    ELSEWHERE,
    KEPT,
    REPLACED,
    AnyRequest,
    Caller,
    MatchAccess,
    TheBook,
    TheMatchAccess,
    TheSettings,
    account_in_browser,
)
from service.http.book_reads import in_thread, reads_book
from service.http.caching import ASK_AGAIN, address_headers
from service.http.cookies import had_link
from service.http.text_limits import REASON
from service.pages.cards import link_preview
from service.pages.frame import at_head, frame, may_act
from service.pages.layout import fragment, page
from service.pages.unjudged import taken_down, unjudged_page
from service.pages.variations import variation_note
from service.pages.words import sentence, table_words

MINUTE: Final = 60


class StoryFact(Struct, frozen=True):
    """A line of the card: its label, its text and its ply."""

    label: str
    words: str
    ply: int


class Tally(Struct, frozen=True):
    """How often each player won in the series, and the number of draws; empty for a first match."""

    won: tuple[tuple[str, int], ...]
    drawn: int


class EndCard(Struct, frozen=True):
    """The data of `ending.html`: the facts in order of play, and the tally of its rematches."""

    match: str
    facts: tuple[StoryFact, ...]
    tally: Tally


@get("/m/{match:str}/ending")
@in_thread
def end_card(book: TheBook, visit: TheMatchAccess) -> Template:
    """Answer the card as a fragment of the page of the match."""
    record = visit.record
    names = player_names(book, record)
    card = _card(record, names, tell_story(record, names), count_series(book, record))
    return fragment("ending.html", {"card": card}, ASK_AGAIN)


def _card(record: MatchRecord, names: Names, story: Story, played: Series) -> EndCard:
    facts = []
    if story.lead:
        words = f"{names[story.lead.seat]}, by {story.lead.words}"
        facts.append(StoryFact("Largest lead", words, story.lead.ply))
    if story.longest:
        words = f"{names[story.longest.seat]}, {_duration(story.longest.time // 1000)}"
        facts.append(StoryFact("Longest turn", words, story.longest.ply))
    facts += [StoryFact("Turning point", sentence(each.words), each.ply) for each in story.moments]
    facts.sort(key=lambda fact: fact.ply)
    return EndCard(record.id, tuple(facts), _tally(names, played))


def _duration(seconds: int) -> str:
    """Format a duration: 45 s, 3 min 20 s, 1 h 5 min."""
    minutes, rest = divmod(seconds, MINUTE)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _tally(names: Names, played: Series) -> Tally:
    """Count each player's wins; return no counts for a first match."""
    if played.played < 2:
        return Tally((), 0)
    return Tally(tuple((names.title(seat), won) for seat, won in played.won.items()), played.drawn)


def kept_page(book: Book, visit: MatchAccess, title: str) -> Template:
    """Show the moves of a match whose game is not installed, and name the missing package."""
    record, names = visit.record, player_names(book, visit.record)
    data = {
        "match": record.id,
        "game": record.game,
        "players": " - ".join(names.players.values()),
        "needs": needs(record),
        "events": taken_down(visit, names),
    }
    return page("kept.html", title, data)


def scripts_of(game: Game[Any], *, own: bool) -> tuple[str, ...]:
    """Return the modules that `record.js` imports only for some games.

    A page that is a player's `own` needs the pads of secret moves at once.
    """
    needed = {
        "match/secrets.js": game.has_secrets,
        "match/pads.js": game.has_secrets and own,
        "match/dice.js": game.dice_count > 0,
        "match/number_pad.js": game.pad == "number",
        "match/card_pad.js": game.pad == "card",
    }
    return tuple(name for name, here in needed.items() if here)


def styles_of(game: Game[Any], *, clock: bool) -> tuple[str, ...]:
    """Return the style sheets of a match's page: few need the sheets of a clock or a number pad."""
    needed = {
        "board.css": True,
        "match.css": True,
        "clocks.css": clock,
        "number_pad.css": game.pad == "number",
        "card_pad.css": game.pad == "card",
    }
    return tuple(name for name, here in needed.items() if here)


@get("/m/{match:str}", opt=KEPT)
@reads_book
def board_page(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
) -> Template:
    """Show the board of a match, at its head or at an address."""
    if is_kept(visit.record):
        return kept_page(book, visit, _title(book, visit.record))
    then = visit.at(version)
    here = then.ply(ply)
    if then.state.unjudged and at_head(visit, then, here):
        lost = _lost(request, book, visit.caller, evening_of(book, then))
        return unjudged_page(book, visit, _title(book, then), lost)
    recording = may_act(visit, then, here)
    parts = scripts_of(then.game, own=bool(visit.caller.seat)) if recording else ()
    evening = evening_of(book, then)
    shown, title = frame(book, visit, then, here), _title(book, then)
    data = {
        "match": then.id,
        "game": then.game,
        "role": visit.caller.role or "",
        "seat": visit.caller.seat or "",
        "at_head": at_head(visit, then, here),
        "secret": recording and then.game.has_secrets,
        "recording": recording,
        "longest_reason": REASON.longest(settings),
        "variation": variation_note(book, then),
        "frame": shown,
        "turned": visit.caller.seat in shown.strip.far,
        "preview": link_preview(request, book, visit, shown, title),
        "moves": len(visit.record.match.line),
        "may_invite": visit.caller.role == capability_tokens.HOST,
        "styles": styles_of(then.game, clock=then.header.clock is not None),
        "scripts": (*parts, "record.js" if recording else "follow.js"),
        "evening": evening,
        "lost": _lost(request, book, visit.caller, evening),
        "where": table_words(book.facts(then)),
    }
    return page("match.html", title, data)


def _lost(request: AnyRequest, book: Book, caller: Caller, evening: Evening | None) -> str:
    """Explain why a caller only looks on whose browser once could write, or who has an account."""
    if caller.role:
        return ELSEWHERE if caller.replaced else ""
    if caller.lost or (evening and had_link(request, evening.id)):
        return REPLACED
    bearer = account_in_browser(request, book)
    if bearer is None:
        return ""
    return f"{bearer.account.name} has no seat in this match; ask the scorekeeper for one"


@get("/m/{match:str}/frame")
@reads_book
def board_frame(
    book: TheBook,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
    step: FromQuery[int | None] = None,
) -> Template:
    """Answer the board at an address as an HTML fragment, for a page that shows it already.

    Without a version and a ply it shows the head and is updated with it.
    """
    then = visit.at(version)
    here = then.ply(ply)
    if step is not None and not 0 <= step < len(timeline.point(then, here).scene.frames):
        raise UnknownAddress(f"ply {here} has no step {step}")
    fixed = version is not None and ply is not None and not at_head(visit, then, here)
    lasting = fixed or (step is not None and version is not None and ply is not None)
    headers = address_headers(visit, then, here) if lasting else ASK_AGAIN
    return fragment("frame.html", {"frame": frame(book, visit, then, here, step)}, headers)


def _title(book: Book, record: MatchRecord) -> str:
    who = " - ".join(player_names(book, record).players.values())
    return f"{record.game.name}: {sentence(who)}" if who else record.game.name
