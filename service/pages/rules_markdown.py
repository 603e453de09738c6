"""The text of rules as HTML: Markdown in which clauses and sections are numbered.

HTML in the text is shown as text: games of other people's bring their own.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

CLAUSE: Final = re.compile(r"([A-Z]{3}-[0-9]+\.[0-9]+)(?: \[([^\]]*)\])? ")
SECTION: Final = re.compile(r"([A-Z]{3}-[0-9]+) (.*)")
CITED: Final = re.compile(r"\b[A-Z]{3}-[0-9]+(?:\.[0-9]+)?\b")
FINE_PRINT: Final = '<details class="fine-print"><summary>Notation and other fine print</summary>\n'
LEGEND: Final = "Clause ids"
"""What the first paragraph says after the designer is for readers of the file."""

MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


class RulesSection(NamedTuple):
    """A section of the rules, and where on the page it is."""

    anchor: str
    title: str


class Rulebook(NamedTuple):
    """The rules as HTML, who made them, and their numbered sections."""

    html: str
    source: str
    sections: tuple[RulesSection, ...]


@functools.cache
def rulebook(markdown: str) -> Rulebook:
    """Return rules as HTML. What follows the numbered sections is folded away."""
    tokens = MARKDOWN.parse(markdown)
    first = _first_section(tokens)
    body = tokens[first:]
    sections = tuple(_entitled(body))
    clauses = set(_numbered(body))
    _link(body, clauses | {section.anchor for section in sections})
    html = _render(body, {section.anchor for section in sections})
    return Rulebook(html, _source(tokens[:first]), sections)


def _first_section(tokens: Sequence[Token]) -> int:
    places = (at for at, token in enumerate(tokens) if token.tag == "h2" and token.nesting == 1)
    return next(places, 0)


def _source(tokens: Sequence[Token]) -> str:
    """Return what stands under the title, up to what is told of the numbers of clauses."""
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
    """Give each clause its anchor, set its number apart from its words, and yield it."""
    for item, _, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        found = CLAUSE.match(inline.content) if item.type == "list_item_open" else None
        if found is None or not inline.children:
            continue
        item.attrSet("id", found[1])
        item.attrSet("class", "rule")
        marked = f" <abbr>{escape(found[2])}</abbr>" if found[2] else ""
        number = f'<a class="clause" href="#{found[1]}">{found[1]}</a>{marked} '
        words = inline.children[0]
        words.content = words.content.removeprefix(found[0].rstrip()).lstrip()
        inline.children.insert(0, _html(number))
        yield found[1]


def _link(tokens: Sequence[Token], anchors: set[str]) -> None:
    """Let every clause that is named in a text lead there."""
    for inline in tokens:
        if inline.children:
            inline.children = [part for each in inline.children for part in _linked(each, anchors)]


def _linked(token: Token, anchors: set[str]) -> Iterator[Token]:
    if token.type != "text":
        yield token
        return
    end = 0
    for found in CITED.finditer(token.content):
        if found[0] in anchors:
            yield _text(token.content[end : found.start()])
            yield _html(f'<a href="#{found[0]}">{found[0]}</a>')
            end = found.end()
    yield _text(token.content[end:])


def _render(tokens: Sequence[Token], numbered: Collection[str]) -> str:
    """Render, with what follows the last numbered section folded away."""
    headings = [at for at, token in enumerate(tokens) if token.tag == "h2" and token.nesting == 1]
    after = next((at for at in headings if tokens[at].attrGet("id") not in numbered), len(tokens))
    rules, rest = tokens[:after], tokens[after:]
    folded = f"{FINE_PRINT}{_html_of(rest)}</details>\n" if rest else ""
    return _html_of(rules) + folded


def _html_of(tokens: Sequence[Token]) -> str:
    drawn: str = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return drawn.replace(
        "<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
    ).replace("</table>", "</table></div>")


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _html(content: str) -> Token:
    return Token("html_inline", "", 0, content=content)
