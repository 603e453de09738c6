"""A Python client generated from the schema plays a whole game of each kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.recorded_matches import whole_matches
from tests.contract.server import run

HERE = Path(__file__).parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """An interpreter in its own environment with the client generator."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    found = folder / "bin" / "python"
    wanted = HERE / "client-requirements.txt"
    installed = run(found, "-m", "pip", "install", "-q", "-r", wanted)
    if installed.returncode:
        pytest.skip(f"pip cannot install the generator of clients:\n{installed.stderr[-500:]}")
    return found


@pytest.fixture(scope="module")
def generated(server, python, tmp_path_factory) -> tuple[Path, str]:
    """The folder with the client, and the generator's output."""
    folder = tmp_path_factory.mktemp("client")
    ran = run(
        *(python.parent / "openapi-python-client", "generate", "--meta", "none"),
        f"--url={server.url}/schema/openapi.json",
        f"--config={HERE / 'client.yaml'}",
        f"--output-path={folder / 'plybook_client'}",
        env=os.environ | {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"},
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder, ran.stdout + ran.stderr


def test_generator_understands_the_whole_schema(generated):
    _, said = generated
    assert "WARNING" not in said, said
    assert "Warning" not in said, said


def test_generated_client_plays_whole_games(server, python, generated):
    folder, _ = generated
    matches, outcomes = whole_matches()
    ran = run(
        *(python, HERE / "generated_player.py", server.url),
        input=json.dumps(matches),
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)},
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr[-3000:]
    assert json.loads(ran.stdout) == outcomes


def test_generated_types_are_strict(python, generated):
    folder, _ = generated
    config = f"--config-file={HERE / 'generated_client.ini'}"
    checked = run(python, "-m", "mypy", config, ".", cwd=folder)
    assert checked.returncode == 0, checked.stdout[-3000:]
