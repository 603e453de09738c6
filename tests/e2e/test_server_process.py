"""A real server process: live streams, stopping, logging and durability."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from tests.e2e.living import SERVE, plybook
from tests.waiting import PATIENCE

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")


PLAIN = "import sys; sys.modules.update(uvloop=None, httptools=None); from cli import main; main()"
"""The command where there are no wheels of uvloop and httptools: with asyncio and h11."""

REVOKING = """
import sys
from pathlib import Path
from replay.access import capability_tokens
from replay.book import Book
from replay.store import open_store

store = open_store(Path(sys.argv[1]))
book = Book(store)
capability_tokens.revoke(book, book.open(sys.argv[2]), sys.argv[3])
store.close()
"""


def test_open_stream_shows_command_line_events(living):
    match, _ = living.open()
    with living.follow(match) as told:
        for version, token in enumerate(MOVES, 1):
            assert plybook(living.db, "play", match, token).returncode == 0
            happened = next(told)
            assert (happened["version"], happened["line"][0]["text"]) == (version, token)


def test_ctrl_c_ends_streams_successfully(living):
    matches = [living.open()[0] for _ in range(20)]
    with ExitStack() as following:
        streams = [following.enter_context(living.follow(match)) for match in matches]
        living.process.send_signal(signal.SIGINT)
        assert [[list(each) for each in told] for told in streams] == [[["retry"]] for _ in matches]
    assert living.wait() == 0
    # Empty: no answer was cut off when the time was up, and nothing failed.
    assert living.log.read_text() == ""


@pytest.mark.parametrize("command", [SERVE, ["-c", PLAIN]], ids=["uvloop", "asyncio"])
def test_sigterm_ends_streams_on_either_loop(start, command):
    living = start(command=command)
    match, host = living.open()
    with living.follow(match) as told:
        assert living.play(match, host, MOVES[0]).status_code == 200
        assert next(told)["version"] == 1
        living.process.send_signal(signal.SIGTERM)
        assert [list(each) for each in told] == [["retry"]]
    assert living.wait() in (0, -signal.SIGTERM)
    assert living.log.read_text() == ""


def test_revoked_token_stops_working_across_processes(living):
    match, host = living.open()
    invited = {"role": "seat", "seat": 2}
    made = living.client.post(f"/matches/{match}/invitations", json=invited, headers=host).json()
    seat = {"Authorization": f"Bearer {made['token']}"}
    assert living.play(match, host, MOVES[0]).status_code == 200
    assert living.play(match, seat, MOVES[1]).status_code == 200
    assert living.play(match, host, MOVES[2]).status_code == 200
    subprocess.run([sys.executable, "-c", REVOKING, living.db, match, made["id"]], check=True)
    assert living.play(match, seat, MOVES[3]).status_code == 401
    assert living.play(match, host, MOVES[3]).json()["version"] == 4


def test_server_sees_moves_of_other_processes(living):
    match, host = living.open()
    assert living.play(match, host, MOVES[0]).status_code == 200
    assert plybook(living.db, "play", match, MOVES[1]).returncode == 0
    assert living.play(match, host, MOVES[2]).json()["version"] == 3
    assert plybook(living.db, "takeback", f"{match}@2").returncode == 0
    answer = living.play(match, host, MOVES[3])
    assert answer.status_code == 409, "the launch was taken back, so it is another's turn"
    assert living.play(match, host, MOVES[2]).json()["version"] == 5


def test_a_killed_process_loses_no_answered_event(living):
    answered: dict[str, int] = {}
    busy = threading.Event()

    def record(match: str, host: dict[str, str]) -> None:
        for token in MOVES:
            try:
                version = living.play(match, host, token).json()["version"]
            except httpx.HTTPError:
                return
            answered[match] = version
            if len(answered) >= 8:
                busy.set()

    matches = [living.open() for _ in range(16)]
    with ThreadPoolExecutor(8) as several:
        for match, host in matches:
            several.submit(record, match, host)
        assert busy.wait(PATIENCE)
        living.process.kill()
    living.end(signal.SIGKILL)
    told = map(json.loads, plybook(living.db, "verify", "--json").stdout.splitlines())
    verified = {each["match"]: each for each in told}
    for match, version in answered.items():
        assert verified[match]["ok"], verified[match]
        assert verified[match]["events"] >= version


def test_server_log_has_no_token(living):
    match, host = living.open()
    token = host["Authorization"].partition(" ")[2]
    for url in (f"/join/{match}/{token}", f"/join/{match}/{token}x", f"/join/{token}/{token}"):
        living.client.get(url)
    living.client.get("/matches", params={"token": token})
    living.client.post(f"/matches/{match}/events", content=token, headers=host)
    living.end()
    assert token not in living.log.read_text() + living.first_line


def test_standard_output_is_json_beside_a_json_log(start):
    running = start("--demo", "--access-log=json")
    assert running.client.get("/healthz").status_code == 200
    running.process.send_signal(signal.SIGTERM)
    assert running.process.stdout is not None
    lines = [json.loads(line) for line in (running.first_line, *running.process.stdout)]
    running.wait()
    assert [each["path"] for each in lines if "path" in each] == ["/healthz"]
    assert [each["book"] for each in lines if "book" in each] == [str(running.db)]


def test_command_line_sets_the_limits(start):
    limits = (
        "--matches-per-hour=1",
        "--events-per-match=2",
        "--longest-name=4",
        "--longest-text=8",
    )
    running = start(*limits)
    try:
        named = {"game": "poptrix", "players": {"1": "Amber"}}
        assert "at most 4 " in running.client.post("/matches", json=named).json()["detail"]
        match, host = running.open()
        refused = running.client.post("/matches", json={"game": "poptrix"})
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 3600
        assert [running.play(match, host, token).status_code for token in MOVES[:3]] == [
            200,
            200,
            403,
        ]
        said = {"ply": 0, "comment": "Much too long"}
        noted = running.client.post(f"/matches/{match}/annotations", json=said, headers=host)
        assert "at most 8 " in noted.json()["detail"]
    finally:
        running.end()


def test_lan_server_shows_a_phone_code(start):
    running = start("--lan")
    assert running.client.get("/healthz").status_code == 200
    running.process.send_signal(signal.SIGINT)
    shown, _ = running.process.communicate(timeout=PATIENCE)
    running.client.close()
    assert len(re.findall("[█▀▄]", shown)) > 100


def test_lan_excludes_a_host_option(tmp_path):
    both = plybook(tmp_path / "book.db", "serve", "--lan", "--host", "127.0.0.1")
    assert both.returncode == 2
    assert "--lan" in both.stderr
