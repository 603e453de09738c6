"""Large files show their progress, in a terminal only."""

from __future__ import annotations

import io
import sys

from cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_every_line_comes_through_and_a_terminal_sees_the_file_named(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "LARGE", 10)
    file = tmp_path / "large.ply"
    file.write_bytes(b"one\ntwo\nthree\n")
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    with file.open("rb") as lines:
        assert list(progress.watched(file, lines)) == [b"one\n", b"two\n", b"three\n"]
    assert "large.ply" in seen.getvalue()


def test_a_small_file_or_a_pipe_shows_nothing(tmp_path, capsys):
    file = tmp_path / "small.ply"
    file.write_bytes(b"one\n")
    with file.open("rb") as lines:
        assert list(progress.watched(file, lines)) == [b"one\n"]
    assert capsys.readouterr() == ("", "")
