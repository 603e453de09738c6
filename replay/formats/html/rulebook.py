"""The rules of a game as HTML, from Markdown with numbered clauses, each with an address.

HTML in the text is escaped, because installed games bring their own rules.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from replay import rules_text
from replay.formats.html.jinja import trust

CLAUSE: Final = re.compile(rf"({rules_text.CLAUSE})(?: \[([^\]]*)\])? ")
SECTION: Final = re.compile(rf"({rules_text.SECTION}) (.*)")
CITED: Final = re.compile(rf"\b(?:{rules_text.CLAUSE}|{rules_text.SECTION})\b")
LEGEND: Final = "Clause ids"
"""The first paragraph after the designer is meant for readers of the file, so it is dropped."""

MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


WITHIN: Final = {"within": "element"}
"""Marks text inside our own elements, where clauses are not linked."""

BOX: Final = {"class": "scroll", "tabindex": "0", "role": "group", "aria-label": "Table"}


class RulesSection(NamedTuple):
    """A section of the rules, and its anchor on the page."""

    anchor: str
    title: str


class Rulebook(NamedTuple):
    """The rules as HTML, the text after their numbered sections, the source, and the sections."""

    clauses: Markup
    fine_print: Markup
    source: str
    sections: tuple[RulesSection, ...]


@functools.cache
def rulebook(markdown: str) -> Rulebook:
    """Return rules as HTML."""
    tokens = MARKDOWN.parse(markdown)
    first = _first_section(tokens)
    body = tokens[first:]
    sections = tuple(_entitled(body))
    clauses = set(_numbered(body))
    _link(body, clauses | {section.anchor for section in sections})
    after = _after_sections(body, {section.anchor for section in sections})
    return Rulebook(
        _html_of(body[:after]), _html_of(body[after:]), _source(tokens[:first]), sections
    )


def _first_section(tokens: Sequence[Token]) -> int:
    places = (at for at, token in enumerate(tokens) if token.tag == "h2" and token.nesting == 1)
    return next(places, 0)


def _source(tokens: Sequence[Token]) -> str:
    """Return the line under the title, without the legend of clause numbers."""
    lines = [token.content for token in tokens if token.type == "inline"]
    under = lines[1].splitlines()[0] if len(lines) > 1 else ""
    return under.partition(LEGEND)[0].replace("`", "").strip()


def _entitled(tokens: Sequence[Token]) -> Iterator[RulesSection]:
    """Give each numbered section its anchor, and a heading without the number."""
    for heading, inline in itertools.pairwise(tokens):
        if heading.type != "heading_open":
            continue
        found = SECTION.fullmatch(inline.content)
        heading.attrSet("id", found[1] if found else "-".join(inline.content.lower().split()))
        if found:
            inline.children = [_text(found[2])]
            yield RulesSection(found[1], found[2])


def _numbered(tokens: Sequence[Token]) -> Iterator[str]:
    """Give each clause its anchor, separate its number from its text, and yield it."""
    for item, _, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        found = CLAUSE.match(inline.content) if item.type == "list_item_open" else None
        if found is None or not inline.children:
            continue
        item.attrSet("id", found[1])
        item.attrSet("class", "rule")
        number = _element("a", found[1], **{"class": "clause", "href": f"#{found[1]}"})
        marked = (_text(" "), *_element("abbr", found[2])) if found[2] else ()
        words = inline.children[0]
        words.content = words.content.removeprefix(found[0].rstrip()).lstrip()
        inline.children[:0] = [*number, *marked, _text(" ")]
        yield found[1]


def _link(tokens: Sequence[Token], anchors: set[str]) -> None:
    """Link every mention of a clause to the clause."""
    for inline in tokens:
        if inline.children:
            inline.children = [part for each in inline.children for part in _linked(each, anchors)]


def _linked(token: Token, anchors: set[str]) -> Iterator[Token]:
    if token.type != "text" or token.meta == WITHIN:
        yield token
        return
    end = 0
    for found in CITED.finditer(token.content):
        if found[0] in anchors:
            yield _text(token.content[end : found.start()])
            yield from _element("a", found[0], href=f"#{found[0]}")
            end = found.end()
    yield _text(token.content[end:])


def _after_sections(tokens: Sequence[Token], numbered: Collection[str]) -> int:
    """Return the index of the first heading after the numbered sections, or the end."""
    headings = [at for at, token in enumerate(tokens) if token.tag == "h2" and token.nesting == 1]
    return next((at for at in headings if tokens[at].attrGet("id") not in numbered), len(tokens))


def _html_of(tokens: Sequence[Token]) -> Markup:
    boxed = [part for token in tokens for part in _boxed(token)]
    return trust(MARKDOWN.renderer.render(boxed, MARKDOWN.options, {}))


def _boxed(token: Token) -> Iterator[Token]:
    """Yield a token; wrap a table in a box that can be scrolled by keyboard."""
    if token.type == "table_open":
        yield Token("box_open", "div", 1, attrs=dict(BOX), block=True)
    yield token
    if token.type == "table_close":
        yield Token("box_close", "div", -1, block=True)


def _element(tag: str, content: str, **attributes: str | int | float) -> Iterator[Token]:
    yield Token(f"{tag}_open", tag, 1, attrs=attributes)
    yield Token("text", "", 0, content=content, meta=WITHIN)
    yield Token(f"{tag}_close", tag, -1)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
