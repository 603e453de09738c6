"""Standard streams that are full, closed, or abandoned by their reader."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.waiting import PATIENCE

RECORDS = ROOT / "fixtures" / "poptrix" / "games.ply"

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


def in_shell(command: str, db: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `$PLYBOOK` is the program and `$RECORDS` a long file."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={
            "PLYBOOK": f"{sys.executable} -m cli",
            "PLYBOOK_DB": str(db),
            "RECORDS": str(RECORDS),
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize(
    "command",
    ["games --json", "--help", "play $($PLYBOOK new poptrix) M@c1"],
)
def test_full_standard_output_is_reported_in_line(tmp_path, command):
    ran = in_shell(f"$PLYBOOK {command} > /dev/full", tmp_path / "book.db")
    fault = "cannot write the output: No space left on device; what was entered is kept"
    assert (ran.returncode, ran.stderr) == (74, f"plybook: {fault}\n")


@pytest.mark.parametrize("command", ["check $RECORDS", "format $RECORDS"])
def test_departed_reader_is_not_an_error(tmp_path, command):
    ran = in_shell(f"set -o pipefail; $PLYBOOK {command} | head -c 1", tmp_path / "book.db")
    assert (ran.returncode in (0, 141), ran.stderr) == (True, "")


def test_command_without_reader_ends_by_sigpipe(tmp_path):
    ran = in_shell(
        "$PLYBOOK import $RECORDS &> /dev/null; set -o pipefail; $PLYBOOK list --json | true",
        tmp_path / "book.db",
    )
    assert (ran.returncode, ran.stderr) == (141, "")


@pytest.mark.parametrize("command", ["games --json >&-", "check <&-", "import <&-"])
def test_closed_streams_are_like_empty_ones(tmp_path, command):
    ran = in_shell(f"$PLYBOOK {command}", tmp_path / "book.db")
    assert "Traceback" not in ran.stderr
    assert ran.returncode == ("check" in command or "import" in command)


def test_record_with_closed_input_ends_normally(tmp_path):
    ran = in_shell("$PLYBOOK record $($PLYBOOK new poptrix) <&-", tmp_path / "book.db")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "seat 1 is to place" in ran.stdout


def test_unprintable_characters_are_escaped_outside_json(tmp_path):
    ran = in_shell(
        "$PLYBOOK new poptrix --seat 1=Zoë; export PYTHONIOENCODING=ascii;"
        "$PLYBOOK list; $PLYBOOK list --json",
        tmp_path / "book.db",
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    _, listed, told = ran.stdout.splitlines()
    assert "Zo\\xeb - ?" in listed
    assert json.loads(told)["players"]["1"] == "Zoë"


def test_file_name_need_not_be_text(tmp_path):
    ran = in_shell(
        f"$PLYBOOK new poptrix; $PLYBOOK backup {tmp_path}/$'\\xff.db'", tmp_path / "book.db"
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "1 match" in ran.stdout
