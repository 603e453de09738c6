"""The rules as pages."""

from __future__ import annotations

import re

import pytest

from replay import registry, rules_text
from service.pages.rules_markdown import rulebook


@pytest.mark.parametrize("slug", registry.games())
def test_every_clause_has_an_anchor_and_every_reference_leads_to_one(api, slug):
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
    assert "<script" not in book.html
    assert "<img" not in book.html
    assert "<b>" not in book.html
    assert "<i>" not in book.html
    assert 'href="javascript' not in book.html
    assert book.sections[0].anchor == "BAD-1"


def test_a_clause_that_is_named_in_code_stays_code():
    book = rulebook("# A\n\n## ABC-1 One\n- ABC-1.1 see `ABC-1.1` and ABC-1.1, not ABC-7.7\n")
    assert book.html.count('href="#ABC-1.1"') == 2
    assert "<code>ABC-1.1</code>" in book.html
    assert "ABC-7.7" in book.html


def test_text_after_the_numbered_sections_is_folded_away():
    book = rulebook("# A\n\nBy nobody. Clause ids are stable.\n\n## ABC-1 One\n\n## Moves\nx\n")
    rules_, fold, rest = book.html.partition("<details")
    assert fold
    assert 'id="ABC-1"' in rules_
    assert 'id="moves"' in rest
    assert book.source == "By nobody."
