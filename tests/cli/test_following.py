"""`import --follow`: a file that is written, replaced, cut and corrected while it is watched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest

from cli import following
from tests.paths import ROOT
from tests.waiting import PATIENCE, eventually

HEAD = '[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n\n'
STATES = [
    # a state of the file, how it comes there, and what is printed of it
    ("M@c1 S@c6 *\n", "written", "record 1"),
    ("M@c1 S@c6 c1>L@c3 *\n", "written", "(goes on)"),
    ("M@c1 S@c6 c1>L@c3 c6>", "written", "is not a move"),
    ("M@c1 S@c6 c1>L@c3 c6>M@c4 *\n", "replaced", "(goes on)"),
    ("M@c1 *\n", "written", "nothing in it was taken back"),
    ("M@c1 S@c6 c1>L@d1 c6>M@c4 *\n", "replaced", "which was c1>L@c3 and is c1>L@d1"),
    ("M@c1 S@c6 c1>L@d1 c6>M@c4 ruled=+1 +1\n", "written", "(goes on)"),
    ("M@d1 *\n", "replaced", "record 1"),
]


def test_file_is_followed_until_it_is_ended(plybook, tmp_path):
    file, said = tmp_path / "live.ply", tmp_path / "said"
    file.write_text(HEAD + STATES[0][0])
    command = [sys.executable, "-m", "cli", "import", "--follow", str(file)]
    with (
        said.open("w") as out,
        subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT) as process,
        ExitStack() as done,
    ):
        done.callback(process.kill)
        for state, how, printed in STATES:
            seen = said.stat().st_size
            if how == "replaced":
                (tmp_path / "new").write_text(HEAD + state)
                os.replace(tmp_path / "new", file)
            else:
                file.write_text(HEAD + state)
            eventually(lambda: printed in said.read_text()[seen:])  # noqa: B023
        time.sleep(following.PAUSE)  # the last state is read whole
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    summary = "2 imported, 4 continued, 1 skipped as here already, 1 refused, 2 with warnings\n"
    assert said.read_text().endswith(summary)
    listed = [each["plies"] for each in plybook("list", "--json").lines]
    assert listed == [1, 5]
    assert plybook("verify").code == 0


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ((), "watches one file"),
        (("a.ply", "b.ply"), "watches one file"),
        (("a.ply", "--again"), "exclude each other"),
        (("none.ply",), "cannot read"),
    ],
)
def test_follow_watches_one_file(plybook, arguments, wrong):
    ran = plybook("import", "--follow", *arguments, stdin=HEAD + "M@c1 *\n")
    assert (ran.code, wrong in ran.err) == (2, True)
