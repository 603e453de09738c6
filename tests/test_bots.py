"""The bots of the documentation play whole games against each other."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import BUILT_IN
from tests.contract.server import OpenedMatch, Server, run_server
from tests.paths import ROOT

BOTS = ROOT / "docs" / "bots"
MAX_LINES = 30
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
def test_python_and_javascript_bots_finish_match(server, slug):
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


def mirrored(server: Server, folder: Path, *token: str) -> dict[str, str]:
    """Run the mirror, and return its files."""
    command = [sys.executable, str(BOTS / "mirror.py"), server.url, str(folder), *token]
    subprocess.run(command, check=True, timeout=300)
    return {file.stem: file.read_text() for file in folder.glob("*.ply")}


def test_a_mirror_has_what_is_there(server, tmp_path):
    def record(match: OpenedMatch) -> str:
        url = f"/matches/{match.id}/record?format=ply"
        return server.client.get(url, headers=match.host).text

    made = [server.open("poptrix", visibility="public") for _ in range(3)]
    hidden = server.open("poptrix", visibility="private")
    files = mirrored(server, tmp_path)
    assert files == {match.id: record(match) for match in made} | files
    assert hidden.id not in files
    comment = {"ply": 0, "comment": "much later"}
    url = f"/matches/{made[0].id}"
    server.client.post(f"{url}/annotations", json=comment, headers=made[0].host)
    server.client.delete(f"/matches/{made[1].id}", headers=made[1].host)
    files = mirrored(server, tmp_path)
    assert files[made[0].id] == record(made[0])
    assert "much later" in files[made[0].id]
    assert made[1].id not in files
    place = tmp_path / "place"
    place.write_text("after=999999")
    assert mirrored(server, tmp_path) == files
    operator = server.operator()["Authorization"].removeprefix("Bearer ")
    place.unlink()
    assert hidden.id in mirrored(server, tmp_path, operator)


@pytest.mark.parametrize("bot", sorted(BOTS.iterdir()), ids=lambda bot: bot.name)
def test_a_bot_is_short(bot):
    assert len(bot.read_text().splitlines()) <= MAX_LINES
