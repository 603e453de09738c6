"""A former name of a field is refused with the present one, as the changelog lists them."""

from __future__ import annotations

import re

import pytest

from service.models.body_faults import describe_fault
from service.models.renamed import FIELDS
from tests.paths import ROOT


def test_changelog_lists_every_former_name():
    table = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("### Names that changed")[1]
    rows = [row.split("|")[2:4] for row in table.split("\n### ")[0].splitlines() if "|" in row]
    told = {(each, now) for old, new in rows for each in code(old) for now in code(new)}
    for path, name in FIELDS.items():
        former = path.rpartition(".")[2]
        assert (former, name) in told, path


def code(words: str) -> list[str]:
    return re.findall("`([^`]+)`", words)


@pytest.mark.parametrize(
    ("at", "field", "says"),
    [
        ("$.events[1]", "token", "'token' is now 'text'"),
        ("$.lines[0]", "tokens", "'tokens' is now 'texts'"),
        ("$", "token", "$.token is not a field; leave it out"),
        ("$.events[1].move", "token", "$.events[1].move.token is not a field; leave it out"),
    ],
)
def test_only_former_names_get_the_present_one(at, field, says):
    problem = describe_fault(f"Object contains unknown field `{field}` - at `{at}`", "$")
    assert says in problem.detail
