"""The units of systemd: their keys and paths are right, and their services have little exposure."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.files import DEPLOY

UNITS = [path.name for path in sorted(DEPLOY.glob("plybook*.*"))]
SERVICES = [name for name in UNITS if name.endswith(".service")]

INSTALLED = "/usr/local/bin/plybook"
MAX_EXPOSURE = 20
"""Tenths of systemd's level of exposure, from 0 to 100; a unit without settings has 96."""


@pytest.fixture
def units(tmp_path) -> Iterator[Path]:
    """Copy the units, with a command that is there."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze (apt-get install systemd)")
    for name in UNITS:
        text = (DEPLOY / name).read_text()
        (tmp_path / name).write_text(text.replace(INSTALLED, sys.executable))
    return tmp_path


def analyze(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_units_run_a_server_and_a_backup():
    assert UNITS == ["plybook-backup.service", "plybook-backup.timer", "plybook.service"]
    for name in SERVICES:
        assert f"{INSTALLED} " in (DEPLOY / name).read_text()


@pytest.mark.parametrize("name", UNITS)
def test_systemd_accepts_every_unit(units, name):
    done = analyze(units, "verify", "--man=no", f"./{name}")
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_would_find_a_wrong_key(units):
    path = units / "plybook.service"
    path.write_text(path.read_text().replace("PrivateTmp=", "PrivateTemp="))
    assert "PrivateTemp" in analyze(units, "verify", "--man=no", "./plybook.service").stderr


@pytest.mark.parametrize("name", SERVICES)
def test_systemd_rates_service_exposure_as_low(units, name):
    options = ("--offline=true", f"--threshold={MAX_EXPOSURE}", "--no-pager")
    done = analyze(units, "security", *options, f"./{name}")
    if "unrecognized option" in done.stderr:
        pytest.skip("needs a newer systemd-analyze, with security --offline")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
