"""Long jobs show their progress, in a terminal only."""

from __future__ import annotations

import io
import sys

import pytest

from cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def to_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    return seen


def test_all_large_files_share_one_progress_bar(tmp_path, monkeypatch):
    terminal = to_terminal(monkeypatch)
    monkeypatch.setattr(progress, "LARGE", 10)
    files = [tmp_path / name for name in ("one.ply", "two.ply", "none.ply")]
    for file in files[:2]:
        file.write_bytes(b"12345")
    with progress.reading(files) as advance:
        advance(10)
    assert "reading" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


@pytest.mark.parametrize(
    ("watched", "many", "what"),
    [(progress.counted, progress.MANY, "matches"), (progress.drawn, progress.SLOW, "pictures")],
)
def test_progress_passes_all_items_through(watched, many, what, monkeypatch):
    terminal = to_terminal(monkeypatch)
    assert list(watched(range(many))) == list(range(many))
    assert what in terminal.getvalue()


def test_little_work_or_a_pipe_shows_no_progress(capsys, monkeypatch):
    terminal = to_terminal(monkeypatch)
    assert list(progress.counted([1])) == [1]
    assert terminal.getvalue() == ""
    monkeypatch.undo()
    assert len(list(progress.counted(range(progress.MANY)))) == progress.MANY
    assert capsys.readouterr() == ("", "")
