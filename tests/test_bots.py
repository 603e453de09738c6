"""The bots of the documentation play whole games against each other."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from domain.games import BUILT_IN
from tests.contract.server import Server, run_server
from tests.paths import ROOT

BOTS = ROOT / "docs" / "bots"
LONGEST = 30
"""Lines of a bot: few enough to be read before the kettle boils."""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("server")) as running:
        yield running


def run_bot(server: Server, match: str, token: str, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*command, server.url, match, token], stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize(
    "slug",
    [
        slug if slug == "poptrix" else pytest.param(slug, marks=pytest.mark.slow)
        for slug in BUILT_IN
    ],
)
def test_a_bot_in_python_and_one_in_javascript_finish_a_match(server, slug):
    opened = server.client.post("/matches", json={"game": slug}).json()
    match, seats = opened["match"], opened["tokens"]["seats"]
    bots = [
        run_bot(server, match, seats["1"], sys.executable, str(BOTS / "random_bot.py")),
        run_bot(server, match, seats["2"], "node", str(BOTS / "random_bot.mjs")),
    ]
    last_lines = [bot.communicate(timeout=300)[0].splitlines()[-1] for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0]
    outcome = server.client.get(f"/matches/{match}").json()["outcome"]
    assert outcome is not None
    assert [json.loads(line) for line in last_lines] == [outcome, outcome]


@pytest.mark.parametrize("bot", sorted(BOTS.iterdir()), ids=lambda bot: bot.suffix)
def test_a_bot_is_short(bot):
    assert len(bot.read_text().splitlines()) <= LONGEST
