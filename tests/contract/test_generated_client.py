"""A client generated from the schema plays a whole game of each kind against a real server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.entry.tokens import write
from domain.events import Moved
from domain.games import BUILT_IN
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.contract.server import ROOT, Server

HERE = Path(__file__).parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """An interpreter in its own environment with the client generator."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    found = folder / "bin" / "python"
    wanted = HERE / "client-requirements.txt"
    installed = subprocess.run(
        [str(found), "-m", "pip", "install", "-q", "-r", str(wanted)],
        capture_output=True,
        text=True,
        check=False,
    )
    if installed.returncode:
        pytest.skip(f"pip cannot install the generator of clients:\n{installed.stderr[-500:]}")
    return found


@pytest.fixture(scope="module")
def generated(server, python, tmp_path_factory) -> tuple[Path, str]:
    """The folder with the client, and the generator's output."""
    folder = tmp_path_factory.mktemp("client")
    command = [str(python.parent / "openapi-python-client"), "generate", "--meta", "none"]
    ran = subprocess.run(
        [
            *command,
            f"--url={server.url}/schema/openapi.json",
            f"--config={HERE / 'client.yaml'}",
            f"--output-path={folder / 'plybook_client'}",
        ],
        env=os.environ | {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder, ran.stdout + ran.stderr


def test_the_generator_understands_every_part_of_the_schema(generated):
    _, said = generated
    assert "WARNING" not in said, said
    assert "Warning" not in said, said


def test_it_plays_a_whole_game_of_each_kind(server, python, generated):
    folder, _ = generated
    matches = [match_of(slug) for slug in BUILT_IN]
    ran = play(server, python, folder, [match for match, _ in matches])
    assert ran.returncode == 0, ran.stdout + ran.stderr[-3000:]
    assert json.loads(ran.stdout) == [outcome for _, outcome in matches]


def play(
    server: Server, python: Path, folder: Path, matches: list[Any]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(python), str(HERE / "generated_player.py"), server.url],
        input=json.dumps(matches),
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def match_of(slug: str) -> tuple[dict[str, Any], Any]:
    """Return the first complete recorded game, with its outcome.

    Moves are sent as JSON; in Pyramid Ball each by its own seat, so that its programs are secret.
    """
    text = (ROOT / "fixtures" / slug / "games.ply").read_text(encoding="utf-8")
    record = next(each for each in read_records(text) if ended(each))
    assert isinstance(record, Record)
    assert record.match.state.outcome is not None
    opening = {
        "game": slug,
        "seats": record.match.seats,
        "options": msgspec.to_builtins(record.match.options),
    }
    events = [entry(record, ply.event) for ply in record.match.line]
    match = {"opening": opening, "events": events, "by_seats": slug == "pyramid-ball"}
    return match, record.match.state.outcome.to_dict()


def ended(record: Any) -> bool:
    return isinstance(record, Record) and record.match.state.outcome is not None


def entry(record: Record, event: Any) -> dict[str, Any]:
    """Return an event as the API takes it."""
    if isinstance(event, Moved):
        return {"move": msgspec.json.decode(msgspec.json.encode(event.move)), "seat": event.seat}
    token = write(record.game, event)
    seat = getattr(event, "seat", None)
    return {"token": token if seat is None or token[1:2] == ":" else f"{seat}:{token}"}
