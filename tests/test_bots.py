"""The bots of the documentation play whole games against each other."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from domain.games import BUILT_IN
from tests.contract.server import OpenedMatch, Server, run_server
from tests.paths import ROOT
from tests.waiting import PATIENCE, eventually

BOTS = ROOT / "docs" / "bots"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
MAX_LINES = 30
"""Lines of a bot: few enough to be read before the kettle boils."""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@contextmanager
def ended_in_time(bot: subprocess.Popen[str]) -> Iterator[None]:
    """End a bot after the block, or after some minutes: a test then fails and does not hang."""
    timer = threading.Timer(2 * PATIENCE, bot.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        bot.terminate()
        bot.communicate(timeout=2 * PATIENCE)


@contextmanager
def account_bot(server: Server, name: str) -> Iterator[subprocess.Popen[str]]:
    """Run the Python bot for a new account until the block ends."""
    token = server.account(name)["Authorization"].removeprefix("Bearer ")
    command = [sys.executable, str(BOTS / "random_bot.py"), server.url, token]
    bot = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with ended_in_time(bot):
        yield bot


def seat(server: Server, match: OpenedMatch, name: str, number: int) -> None:
    body = {"role": "seat", "seat": number}
    url = f"/matches/{match.id}/accounts/{name}"
    server.client.put(url, json=body, headers=match.host).raise_for_status()


def seat_both(server: Server, matches: list[OpenedMatch], one: str, other: str) -> None:
    """Seat two accounts; both play before all are seated, as Pyramid Ball may end by fouls."""
    places = [
        (match, name, 1 + (number + second) % 2)
        for number, match in enumerate(matches)
        for second, name in enumerate((one, other))
    ]
    first = [place for place in places if place[0] in matches[:2] and place[2] == 1]
    for match, name, number in first:
        seat(server, match, name, number)
        path = f"/matches/{match.id}"
        eventually(lambda: server.client.get(path, headers=match.host).json()["version"])  # noqa: B023
    for match, name, number in places:
        if (match, name, number) not in first:
            seat(server, match, name, number)


def ended(bot: subprocess.Popen[str], count: int) -> dict[str, object]:
    """Return the outcomes of the matches that a bot reports as ended, by their id."""
    found: dict[str, object] = {}
    assert bot.stdout is not None
    while len(found) < count:
        line = bot.stdout.readline()
        assert line, "the bot has stopped"
        match, _, outcome = line.partition(" ")
        found[match] = json.loads(outcome)
    return found


ENGINE = shlex.join((sys.executable, str(BOTS / "random_engine.py")))


def run_bot(*command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def shown_command(option: str, server: Server, **values: str) -> list[str]:
    """Return the command of the page that has an option, at this server and with these values."""
    page = (BOTS.parent / "programs.md").read_text()
    (shown,) = re.findall(rf"^plybook (bot .*{option} .*)$", page, re.M)
    given = {"--url": server.url} | {f"--{name}": value for name, value in values.items()}
    words = [*shlex.split(shown), ""]
    pairs = zip(words, ["", *words], strict=False)
    return [
        sys.executable,
        "-m",
        "cli",
        *(given.get(before, word) for word, before in pairs if word),
    ]


def run_engine(server: Server, match: str, token: str, engine: str) -> subprocess.Popen[str]:
    """Run the command of the page for a match."""
    command = shown_command("--match", server, match=match, token=token, engine=engine)
    return run_bot(*command, "--seconds", "0.02")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize(
    "slug",
    [
        slug if slug == "poptrix" else pytest.param(slug, marks=pytest.mark.slow)
        for slug in BUILT_IN
    ],
)
def test_python_and_javascript_bots_finish_match(server, slug):
    match = server.open(slug)
    name = f"python-{slug}"
    token = match.seats["2"]["Authorization"].removeprefix("Bearer ")
    command = ["node", str(BOTS / "random_bot.mjs"), server.url, match.id, token]
    with account_bot(server, name) as bot:
        seat(server, match, name, 1)
        other = subprocess.run(
            command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False
        )
        last_line = other.stdout.splitlines()[-1]
        outcome = server.client.get(f"/matches/{match.id}").json()["outcome"]
        assert ended(bot, 1) == {match.id: outcome}
    assert (json.loads(last_line), other.returncode) == (outcome, 0)


@pytest.mark.slow
def test_engine_plays_every_game_of_an_account(server):
    matches = [server.open(slug) for slug in BUILT_IN]
    token = server.account("engine")["Authorization"].removeprefix("Bearer ")
    command = shown_command("--account", server, token=token, engine=ENGINE)
    with (
        account_bot(server, "partner") as partner,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as bot,
        ended_in_time(bot),
    ):
        seat_both(server, matches, "engine", "partner")
        assert bot.stdout is not None
        said = [json.loads(bot.stdout.readline()) for _ in matches]
        assert {each["match"]: each["outcome"] for each in said} == ended(partner, len(matches))


@pytest.mark.slow
def test_two_bots_play_every_game_at_once(server):
    matches = [server.open(slug, visibility="private") for slug in BUILT_IN]
    with account_bot(server, "one") as one, account_bot(server, "two") as two:
        seat_both(server, matches, "one", "two")
        outcomes = ended(one, len(matches))
        assert outcomes == ended(two, len(matches))
    assert outcomes.keys() == {match.id for match in matches}


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("slug", BUILT_IN)
def test_engine_and_javascript_bot_finish_match(server, slug):
    opened = server.client.post("/matches", json={"game": slug}).json()
    match, seats = opened["match"], opened["tokens"]["seats"]
    bots = [
        run_engine(server, match, seats["1"], ENGINE),
        run_bot("node", str(BOTS / "random_bot.mjs"), server.url, match, seats["2"]),
    ]
    last_lines = [bot.communicate(timeout=2 * PATIENCE)[0].splitlines()[-1] for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0]
    outcome = server.client.get(f"/matches/{match}").json()["outcome"]
    assert outcome is not None
    assert [json.loads(line) for line in last_lines] == [outcome, outcome]


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["poptrix", "pyramid-ball", "cube-pyramid"])
def test_engines_of_plybook_finish_match(server, slug):
    opened = server.client.post("/matches", json={"game": slug}).json()
    match, seats = opened["match"], opened["tokens"]["seats"]
    bots = [run_engine(server, match, seats[seat], name) for seat, name in ENGINES.items()]
    told = [json.loads(bot.communicate(timeout=2 * PATIENCE)[0]) for bot in bots]
    outcome = server.client.get(f"/matches/{match}").json()["outcome"]
    assert outcome is not None
    assert told == [outcome, outcome]


ENGINES = {"1": "search", "2": "random"}


def mirrored(server: Server, folder: Path, *token: str) -> dict[str, str]:
    """Run the mirror, and return its files."""
    command = [sys.executable, str(BOTS / "mirror.py"), server.url, str(folder), *token]
    subprocess.run(command, check=True, timeout=2 * PATIENCE)
    return {file.stem: file.read_text() for file in folder.glob("*.ply")}


def test_mirror_has_all_visible_matches(server, tmp_path):
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
def test_bots_have_few_lines(bot):
    assert len(bot.read_text().splitlines()) <= MAX_LINES
