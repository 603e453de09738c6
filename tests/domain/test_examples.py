"""The examples in docstrings print what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.paths import ROOT

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("domain", "replay/drawing")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_say(name):
    result = doctest.testmod(importlib.import_module(name))
    assert (result.failed, result.attempted > 0) == (0, True)
