"""The examples of docs/programs.md are true, and its tables are complete."""

from __future__ import annotations

import re

from replay.programs.referee_lines import MEANINGS, RefereeLines
from tests.paths import ROOT
from tests.test_docs import assert_prints

PAGE = (ROOT / "docs/programs.md").read_text()


def test_referee_answers_as_the_page_shows():
    (conversation,) = re.findall(r"```text\n(> new.*?)```", PAGE, re.DOTALL)
    referee = RefereeLines()
    for request, answer in re.findall(r"> (.*)\n(.*)\n", conversation):
        assert_prints(referee.answer(request.encode()).decode(), answer, request)
    assert referee.ended


def test_table_has_every_request():
    described = re.findall(r"^\| `(.+)` \| (.+) \|$", PAGE, re.MULTILINE)
    assert set(MEANINGS.items()) <= set(described)
