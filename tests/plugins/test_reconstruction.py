"""Reconstruction finds the lines of plug-ins' games that trying all legal lines finds."""

from __future__ import annotations

from itertools import islice

import pytest

from domain.reconstruction.answer import reconstruct
from tests.domain.reconstruction.test_brute_force import cases, compare


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["chess", "hive", "homeworlds", "whist"])
@pytest.mark.parametrize("sheets", [1, 2])
def test_search_finds_cheapest_lines(site, slug, sheets):
    compare(slug, sheets, 2)


def test_ply_on_which_all_cheap_lines_agree_is_certain(site):
    """One line is near, though its entries can be assigned to its plies in two ways."""
    (_, state, written) = next(islice(cases("whist", 2, 17), 16, None))
    found = reconstruct(state, written)
    assert [ply.text for ply in found.plies if ply.certain] == ["JC", "3C"]
