"""The rules as pages."""

from __future__ import annotations

import re

import pytest

from replay import registry, rules_text
from replay.formats.html.rulebook import rulebook


@pytest.mark.parametrize("slug", registry.games())
def test_every_clause_has_anchor_and_reference(api, slug):
    page = api.get(f"/rules/{slug}").text
    anchors = re.findall(r'\sid="([^"]+)"', page)
    assert len(anchors) == len(set(anchors))
    assert set(rules_text.clauses(registry.find(slug))) <= set(anchors)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(anchors)


def test_html_in_rules_is_shown_as_text():
    book = rulebook(
        "# Bad\n\nWho\n\n## BAD-1 <b>Board</b>\n- BAD-1.1 [T<i>] <script>x</script>"
        ' [here](javascript:x) <img src="x" onerror="y">\n'
    )
    html = book.clauses + book.fine_print
    assert "<script" not in html
    assert "<img" not in html
    assert "<b>" not in html
    assert "<i>" not in html
    assert 'href="javascript' not in html
    assert book.sections[0].anchor == "BAD-1"


def test_clause_in_code_stays_code():
    book = rulebook("# A\n\n## ABC-1 One\n- ABC-1.1 see `ABC-1.1` and ABC-1.1, not ABC-7.7\n")
    html = book.clauses + book.fine_print
    assert html.count('href="#ABC-1.1"') == 2
    assert "<code>ABC-1.1</code>" in html
    assert "ABC-7.7" in html


def test_text_after_the_numbered_sections_is_folded_away(api):
    book = rulebook("# A\n\nBy nobody. Clause ids are stable.\n\n## ABC-1 One\n\n## Moves\nx\n")
    assert 'id="ABC-1"' in book.clauses
    assert 'id="moves"' in book.fine_print
    assert "<details" in api.get("/rules/poptrix").text.partition('class="fine-print"')[0]
    assert book.source == "By nobody."
