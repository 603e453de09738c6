"""Whole matches as people record them: in a terminal, and over HTTP against a real server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.entry import tokens
from domain.games import BUILT_IN
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records

pytestmark = pytest.mark.slow

FIXTURES = Path("fixtures")


def records(slug: str) -> list[Record]:
    found = list(read_records((FIXTURES / slug / "commented.ply").read_text(encoding="utf-8")))
    assert all(isinstance(record, Record) for record in found)
    return found  # type: ignore[return-value]


def written(record: Record) -> list[str]:
    """Return the record's events as tokens, each with its seat."""
    return [
        token if re.match(r"\d:|ruled", token) else f"{ply.event.seat}:{token}"  # type: ignore[union-attr]
        for ply in record.match.line
        for token in [tokens.write(record.game, ply.event)]
    ]


def plybook(db: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", "--db", str(db), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


class Server:
    """`plybook serve` in its own process, on a free port."""

    def __init__(self, db: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", "serve", "--port", "0", "--db", str(db)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", self.process.stdout.readline())
        assert found is not None
        self.client = httpx.Client(base_url=found[0], timeout=30)

    def open(self, record: Record) -> tuple[str, dict[str, str]]:
        body: dict[str, Any] = {
            "game": record.game.slug,
            "seats": record.match.seats,
            "options": record.game.set_options(record.match.options),
        }
        answer = self.client.post("/matches", json=body).json()
        return answer["match"], {"Authorization": f"Bearer {answer['tokens']['host']}"}

    def play(self, match: str, host: dict[str, str], token: str, expected: int) -> httpx.Response:
        body = {"events": [{"token": token}], "expected": expected}
        return self.client.post(f"/matches/{match}/events", json=body, headers=host)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        self.client.close()
        self.process.send_signal(how)
        code = self.process.wait(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "book.db")
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.mark.parametrize("slug", BUILT_IN)
def test_terminal_match_is_recorded_and_verified(slug, tmp_path):
    record = records(slug)[1]
    db = tmp_path / "book.db"
    options = [
        f"--option={name}={value}"
        for name, value in record.game.set_options(record.match.options).items()
    ]
    new = plybook(db, "new", slug, f"--seats={record.match.seats}", *options)
    match = new.stdout.strip()
    ran = plybook(db, "record", match, stdin="\n".join(written(record)) + "\nquit\n")
    assert ran.returncode == 0, ran.stdout[-500:] + ran.stderr
    outcome = record.match.state.outcome
    assert outcome is not None
    assert outcome.clause in ran.stdout
    assert plybook(db, "verify", match).returncode == 0
    replayed = plybook(db, "replay", match)
    assert f"{match}@{len(record.match.line)}" in replayed.stdout
    assert replayed.stderr == ""


def test_http_matches_survive_a_kill(server, tmp_path):
    played = {}
    for slug in BUILT_IN:
        record = records(slug)[0]
        match, host = server.open(record)
        for version, token in enumerate(written(record)):
            answer = server.play(match, host, token, version)
            assert answer.status_code == 200, answer.text
        assert answer.json()["outcome"] == record.match.state.outcome.to_dict()
        played[match] = record
    server.stop(signal.SIGKILL)
    for match, record in played.items():
        verdict = plybook(tmp_path / "book.db", "verify", match)
        assert verdict.returncode == 0, verdict.stdout
        exported = plybook(tmp_path / "book.db", "export", match).stdout
        again = next(iter(read_records(exported)))
        assert isinstance(again, Record)
        assert again.match.state == record.match.state


def test_late_writer_is_refused(server, tmp_path):
    record = records("poptrix")[0]
    match, host = server.open(record)
    first, second = written(record)[:2]
    assert server.play(match, host, first, 0).status_code == 200
    beside = plybook(tmp_path / "book.db", "play", match, second)
    assert beside.returncode == 0, beside.stderr
    late = server.play(match, host, second, 1)
    assert late.status_code == 412
    assert late.json()["version"] == 2
    assert server.stop() == 0
