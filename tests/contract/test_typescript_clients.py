"""Linters find nothing in the schema, and TypeScript clients generated from it play whole games."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.contract.recorded_matches import whole_matches
from tests.contract.server import run

SOURCES = Path(__file__).parent / "typescript"

pytestmark = pytest.mark.slow

GENERATORS = {
    "fetch_player": ("openapi-typescript", "openapi.json", "-o", "generated/schema.ts"),
    "sdk_player": (
        "openapi-ts",
        *("-i", "openapi.json", "-o", "generated/sdk"),
        *("-p", "@hey-api/typescript", "-p", "@hey-api/sdk", "-p", "@hey-api/client-fetch"),
    ),
}
"""The generator of the client that each program plays with."""


class Workshop(NamedTuple):
    """A folder with the schema, and with the linters, generators and programs of Node."""

    folder: Path

    def run(self, *command: str, **options: Any) -> subprocess.CompletedProcess[str]:
        return run("npx", "--no-install", *command, cwd=self.folder, **options)


@pytest.fixture(scope="module")
def workshop(schema, tmp_path_factory) -> Workshop:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("typescript")
    for source in SOURCES.iterdir():
        if source.is_file():
            shutil.copy(source, folder)
    install = ["npm", "ci", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"]
    subprocess.run(install, cwd=folder, check=True)
    (folder / "openapi.json").write_text(json.dumps(schema, indent=1))
    return Workshop(folder)


@pytest.fixture(scope="module")
def compiled(workshop) -> Workshop:
    """The workshop with both programs compiled strictly."""
    for generator in GENERATORS.values():
        made = workshop.run(*generator)
        assert made.returncode == 0, made.stdout + made.stderr
    checked = workshop.run("tsc", "--outDir", "compiled")
    assert checked.returncode == 0, checked.stdout[:3000]
    return workshop


def test_redocly_finds_no_fault_in_the_schema(workshop):
    linted = workshop.run("redocly", "lint", "--format=json", "openapi.json")
    assert json.loads(linted.stdout)["problems"] == []


def test_spectral_finds_no_fault_in_the_schema(workshop):
    linted = workshop.run("spectral", "lint", "--fail-severity=hint", "openapi.json")
    assert linted.returncode == 0, linted.stdout + linted.stderr


@pytest.mark.parametrize("program", GENERATORS)
def test_typescript_client_plays_whole_games(server, compiled, program):
    matches, outcomes = whole_matches()
    played = compiled.run("node", f"compiled/{program}.js", server.url, input=json.dumps(matches))
    assert played.returncode == 0, played.stderr[-3000:]
    assert json.loads(played.stdout) == outcomes
