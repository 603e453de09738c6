"""referee: requests on standard input."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.paths import ROOT

COMMAND = (sys.executable, "-m", "cli", "referee")


def test_each_line_has_one_answer(plybook):
    ran = plybook("referee", stdin="new poptrix\nplay M@c1\nnonsense\nplay S@c6")
    assert (ran.code, ran.err) == (0, "")
    assert [each["ok"] for each in ran.lines] == [True, True, False, True]


def test_quit_ends_before_later_lines(plybook):
    assert len(plybook("referee", stdin="help\nquit\nhelp\n").lines) == 2


def test_huge_line_gets_one_refusal(plybook):
    ran = plybook("referee", stdin=f"new {'x' * 200_000}\nnew poptrix\n")
    assert [each["ok"] for each in ran.lines] == [False, True]


def test_answers_come_before_the_next_request():
    with subprocess.Popen(
        COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for request in (b"new poptrix\n", b"play M@c1\n"):
            process.stdin.write(request)
            process.stdin.flush()
            assert process.stdout.readline().startswith(b'{"ok":true')


def test_departed_reader_ends_the_referee_quietly():
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run(
        COMMAND, cwd=ROOT, input=b"help\n", stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (ran.returncode, ran.stderr) == (141, b"")
