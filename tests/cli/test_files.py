"""Files written with `-o`: links, modes, pipes, formats by ending, and existing files."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from cli.exports import write_file
from replay.annotations.events import Commented, encode_notes
from replay.book_file import open_book
from replay.errors import Usage
from replay.store.validation import notes_of
from tests.waiting import PATIENCE

posix = pytest.mark.skipif(os.name != "posix", reason="modes and pipes are of POSIX")


@pytest.fixture
def match(plybook) -> str:
    made = plybook("new", "poptrix").out.strip()
    assert plybook("play", made, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4").code == 0
    return made


def test_existing_file_is_replaced_only_by_force(plybook, match, tmp_path):
    file = tmp_path / "match.ply"
    file.write_text("mine")
    for command in (("export", match, "-o"), ("show", match, "--svg")):
        ran = plybook(*command, file)
        assert (ran.code, ran.err) == (2, f"plybook: {file} exists already; --force replaces it\n")
        assert file.read_text() == "mine"
        assert plybook(*command, file, "--force").code == 0
        assert file.read_text() != "mine"
        file.write_text("mine")


def test_dash_is_standard_output(plybook, match, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert plybook("export", match, "-o", "-").out == plybook("export", match).out
    assert not Path("-").exists()


def test_file_ending_chooses_the_format(plybook, match, tmp_path):
    for name, beginning in (
        ("m.ply", "[Game"),
        ("m.txt", "[Game"),
        ("m", "[Game"),
        ("m.plybook", '{"format"'),
        ("m.HTML", "<!doctype html>"),
    ):
        assert plybook("export", match, "-o", tmp_path / name).code == 0
        assert (tmp_path / name).read_text().startswith(beginning)
    ran = plybook("export", match, "-o", tmp_path / "m.jpg")
    assert (ran.code, "no format's files end in .jpg; use .ply," in ran.err) == (
        2,
        True,
    )
    assert plybook("export", match, "--format", "ply", "-o", tmp_path / "m.jpg").code == 0


@posix
def test_replaced_file_keeps_its_mode(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"")
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        write_file(old, b"1")
        write_file(new, b"2")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (old, new)] == [0o640, 0o640]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new", "old"]


@posix
def test_links_are_followed_and_stay(tmp_path):
    target, link, dangling, twin = (tmp_path / name for name in ("a", "link", "dangling", "twin"))
    target.write_bytes(b"old")
    link.symlink_to("a")
    dangling.symlink_to("made")
    for each in (link, dangling):
        write_file(each, b"new")
        assert each.is_symlink()
    assert (target.read_bytes(), (tmp_path / "made").read_bytes()) == (b"new", b"new")
    twin.hardlink_to(target)
    write_file(target, b"both")
    assert twin.read_bytes() == b"both"


@posix
def test_file_is_written_into_a_pipe_or_device(tmp_path, plybook, match):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert plybook("export", match, "-o", pipe).code == 0
    reader.join(PATIENCE)
    assert read[0].startswith(b"[Game")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_file(Path(os.devnull), b"gone")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@posix
def test_file_is_written_in_place_without_folder_rights(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_bytes(b"longer than before")
    monkeypatch.setattr("cli.exports._replace", _refuse)
    write_file(file, b"new")
    assert file.read_bytes() == b"new"
    with pytest.raises(Usage, match="none: Permission denied"):
        write_file(tmp_path / "none", b"new")


def _refuse(*_: object) -> None:
    raise PermissionError(13, "Permission denied")


@posix
def test_looped_link_and_folder_are_refused(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    for name in ("loop", ".", "none/file"):
        with pytest.raises(Usage, match="cannot write"):
            write_file(tmp_path / name, b"")


@pytest.mark.parametrize("command", ["annotations", "log", "export", "annotations --json"])
def test_hidden_characters_are_visible_in_a_terminal(plybook, plybook_terminal, tmp_path, command):
    match = plybook("new", "poptrix").out.split()[0]
    plybook("play", match, "M@c1")
    with open_book(tmp_path / "book.db") as book:  # a book from before comments were cleaned
        older = encode_notes(book, [Commented(1, "to the \u202etfel")], "scorekeeper")
        book.store.create(notes_of(book.open(match).stream), older).result()
    arguments = [command.split()[0], match, *command.split()[1:]]
    assert "to the \u202etfel" in plybook(*arguments).out
    screen = plybook_terminal(*arguments)
    screen.wait_for(r"to the \\u202etfel")
    assert "\u202e" not in screen.all


def test_long_bad_line_is_not_echoed_whole(plybook, tmp_path):
    for text in (f"[Site {'x' * 3_000_000}\n", f'[Game "poptrix"]\n\n1. {"x" * 3_000_000} *\n'):
        (file := tmp_path / "long.ply").write_text(text)
        for command in ("check", "import"):
            ran = plybook(command, file)
            assert (ran.code, len(ran.out + ran.err) < 3000) == (1, True)


def test_missing_seat_is_named_and_the_moves_are_judged_at_once(plybook, tmp_path):
    (file := tmp_path / "bad.ply").write_text(
        '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Date "20x6"]\n[Seat1 "Jet"]\n\n'
        "1. M@c1 2. S@c6 3. c1>M@c3 *\n"
    )
    told = plybook("check", file).out.splitlines()
    assert [line.split(": ", 2)[2][:17] for line in told] == [
        "line 3, column 1:",
        "line 4, column 1:",
        "line 6, column 20",
    ]
    assert told[1].endswith('the record has tags for 1; add [Seat2 "…"] (tag)')
    assert "POP-3.2" in told[2]


def test_wrong_option_leaves_the_form_of_moves_to_be_judged(plybook, tmp_path):
    (file := tmp_path / "bad.ply").write_text(
        '[Game "free-board"]\n[Option "size=999"]\n\n1. wX@c1 nonsense? *\n'
    )
    told = plybook("check", file).out
    assert ("size" in told, "nonsense" in told) == (True, True)
