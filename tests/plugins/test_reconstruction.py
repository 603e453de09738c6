"""Reconstruction finds the lines of plug-ins' games that trying all legal lines finds."""

from __future__ import annotations

import pytest

from tests.domain.reconstruction.test_brute_force import compare


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["chess", "hive", "homeworlds", "whist"])
@pytest.mark.parametrize("sheets", [1, 2])
def test_search_finds_cheapest_lines(site, slug, sheets):
    compare(slug, sheets, 2)
