"""The card of a match that is over: its story, and how often each player has won this evening."""

from __future__ import annotations

from typing import Final

from litestar import Router, get
from litestar.response import Template
from msgspec import Struct

from domain.names import Names
from replay.reading.match_story import Story, tell_story
from replay.record.match_record import MatchRecord
from replay.referee.rematch import Evening, evening
from service.http.access import TheBook, TheMatchAccess
from service.http.book_reads import in_thread
from service.http.caching import ASK_AGAIN
from service.pages.layout import fragment
from service.pages.words import player_names, sentence

MINUTE: Final = 60


class StoryFact(Struct, frozen=True):
    """A line of the card: what it is, what it says, and the ply where it was."""

    label: str
    words: str
    ply: int


class EndCard(Struct, frozen=True):
    """The data of `ending.html`. `tally` is empty for a first match."""

    match: str
    facts: tuple[StoryFact, ...]
    tally: str


@get("/m/{match:str}/ending")
@in_thread
def end_card(book: TheBook, visit: TheMatchAccess) -> Template:
    """Answer the card as a fragment of the page of the match."""
    record = visit.record
    names = player_names(book, record)
    card = _card(record, names, tell_story(record, names), evening(book, record))
    return fragment("ending.html", {"card": card}, ASK_AGAIN)


def _card(record: MatchRecord, names: Names, story: Story, played: Evening) -> EndCard:
    facts = []
    if story.lead:
        words = f"{names[story.lead.seat]}, by {story.lead.words}"
        facts.append(StoryFact("Largest lead", words, story.lead.ply))
    if story.longest:
        words = f"{names[story.longest.seat]}, {_duration(story.longest.time // 1000)}"
        facts.append(StoryFact("Longest turn", words, story.longest.ply))
    facts += [StoryFact("Turning point", sentence(each.words), each.ply) for each in story.moments]
    return EndCard(record.id, tuple(facts), _tally(names, played))


def _duration(seconds: int) -> str:
    """Write a time as people say it: 45 s, 3 min 20 s, 1 h 5 min."""
    minutes, rest = divmod(seconds, MINUTE)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _tally(names: Names, played: Evening) -> str:
    """Say how often each player has won, if there was more than one match."""
    if played.played < 2:
        return ""
    drawn = [f"drawn {played.drawn}"] if played.drawn else []
    return ", ".join([*(f"{names[seat]} {won}" for seat, won in played.won.items()), *drawn])


ROUTER: Final = Router("/", route_handlers=[end_card], include_in_schema=False)
