"""The family of a match: who went another way where, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.branches.family import Member, family
from replay.branches.forks import name_of
from replay.branches.line_tree import describe_standing
from replay.match_record import MatchRecord
from service.http.access import AnyRequest, Visit
from service.http.read_scope import read_scope
from service.pages.frame import player_names, sentence
from service.settings import Settings

SECTION: Final = """<section class="tree" aria-labelledby="tree" data-part="tree">
<h2 id="tree">Other lines</h2><ul>{members}</ul></section>"""

VARIATION: Final = "variation"


def variations(request: AnyRequest, book: Book, settings: Settings, visit: Visit) -> str:
    """Write the tree of a match and its forks as far as the caller may know of them."""
    there = list(_known(request, book, settings, visit))
    if len(there) < 2:
        return ""
    return SECTION.format(members="".join(_member(book, one, visit) for one in there))


def _known(request: AnyRequest, book: Book, settings: Settings, visit: Visit) -> Iterator[Member]:
    """Yield the analysis of the match itself, and matches that this caller may be told of."""
    seen = read_scope(request, book, settings)
    own = visibility.analysed_match(book, visit.recorded.stream).id
    is_host = visit.caller.role == capability_tokens.HOST
    for member in family(book, visit.recorded):
        stream = member.recorded.stream
        its_own = visibility.analysed_match(book, stream).id == own
        if stream.trashed or (member.hidden and not (is_host and its_own)):
            continue
        if its_own or seen.may_list(book, stream):
            yield member


def _member(book: Book, member: Member, visit: Visit) -> str:
    recorded = member.recorded
    here = recorded.id == visit.recorded.id
    name = member.name or ("The match" if member.parent is None else _kind(member))
    where = "" if member.leaves is None else f"#{member.leaves + 1}"
    link = f'<a href="/m/{recorded.id}/replay{where}">{escape(name)}</a>'
    tags = ' <span class="tag">main line</span>' if member.main else ""
    tags += ' <span class="tag">hidden</span>' if member.hidden else ""
    return (
        f'<li class="depth{min(member.depth, 6)}" data-fork="{recorded.id}"'
        f' data-name="{escape(member.name)}"{" aria-current=true" if here else ""}>'
        f"{f'<b>{escape(name)}</b>' if here else link}{tags}"
        f' <span class="words">{escape(_describe_member(book, member))}</span>'
        f"{_ways(member, visit)}</li>"
    )


def _kind(member: Member) -> str:
    return "Variation" if member.recorded.header.kind == VARIATION else "Played on"


def _describe_member(book: Book, member: Member) -> str:
    parts = []
    if member.leaves is not None:
        parts.append(f"after move {member.leaves}")
    if member.first:
        parts.append(member.first.words())
    if member.instead:
        parts.append(f"instead of {member.instead.words()}")
    state = member.recorded.state
    ended = (
        sentence(describe_standing(state, player_names(book, member.recorded)))
        if state.outcome
        else ""
    )
    return ", ".join(parts) + (f". {ended}" if ended else "")


def _ways(member: Member, visit: Visit) -> str:
    """Link to the comparison, and offer the host to name, hide and promote a variation."""
    recorded, here = member.recorded, visit.recorded.id
    ways = "" if recorded.id == here else _link(f"/m/{here}/beside?other={recorded.id}", "Compare")
    if visit.caller.role == capability_tokens.HOST and member.parent is not None:
        ways += _button("rename", "Name")
        if recorded.header.kind == VARIATION:
            ways += _button("unhide", "Show") if member.hidden else _button("hide", "Hide")
            ways += "" if member.main else _button("promote", "Make main line")
    return f'<span class="ways">{ways}</span>' if ways else ""


def _link(address: str, words: str) -> str:
    return f'<a href="{address}">{words}</a>'


def _button(act: str, words: str) -> str:
    return f'<button type="button" class="button bare" data-fork-act="{act}">{words}</button>'


def aside(book: Book, recorded: MatchRecord) -> str:
    """Say of a variation what it is called, and what it leaves where; of a match nothing."""
    fork, parent = recorded.header.fork, book.parent(recorded)
    if recorded.header.kind != VARIATION or fork is None or parent is None:
        return ""
    name = name_of(book, recorded.stream)
    called = f"Variation: {name}" if name else "Variation"
    return (
        f'<p class="aside">{escape(called)}. It leaves'
        f' <a href="/m/{parent.id}/replay#{fork.ply}">the match</a> after move {fork.ply}.</p>'
    )
