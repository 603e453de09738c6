"""The unit tests of the pages' modules pass."""

from __future__ import annotations

import re

from tests.js.node import run
from tests.paths import ROOT

TESTS = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/js/*.test.mjs"))


def test_units_pass():
    told = run("--test", "--test-reporter=tap", *TESTS)
    passed = re.search(r"^# pass (\d+)$", told, re.MULTILINE)
    assert int(passed[1]) >= sum((ROOT / file).read_text().count("\ntest(") for file in TESTS) > 0
