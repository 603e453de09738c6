"""The games of `plugins` are entered by taps."""

from __future__ import annotations

import os

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import run_server
from tests.conformance.door import install
from tests.paths import ROOT


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    site = tmp_path_factory.mktemp("plugins")
    for name in ("hive", "homeworlds"):
        install(ROOT / "plugins" / name, site)
    paths = (str(site), os.environ.get("PYTHONPATH", ""))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        with run_server() as running:
            yield running


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "taps", "line"),
    [
        (
            "hive",
            "wS1 bS1 wS1- wQ -wS1 bQ bS1- wA1 -wQ bA1 bQ- wA1 bQ/",
            r"wS1 bS1>wS1- wQ>-wS1 bQ>bS1- wA1>-wQ bA1>bQ- wA1>bQ/",
        ),
        (
            "homeworlds",
            "y1 b3 g3 r2 b1 g3 1 g1 2 g1 1.1g1 y1 2.2g1 r1 1.1y1 g2",
            "home=y1b3/g3 home=r2b1/g3 +g1@1 +g1@2 g1=y1@1 g1=r1@2 y1@1-3:g2",
        ),
    ],
)
def test_moves_are_entered_by_taps(phone, server, game, taps, line):
    opened = server.open(game, players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    for text in taps.split():
        table.page.locator(f'.board [data-at="{text}"]').first.tap()
    table.settled(len(line.split()))
    assert server.line(opened) == line.split()
