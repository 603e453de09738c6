"""Commands on books that are missing, read-only or in the trash."""

from __future__ import annotations

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.output import suggest
from replay import book_file
from replay.store.sqlite.driver import sqlite3 as driven
from replay.store.sqlite.driver import translate_error
from tests.paths import ROOT

READING = ["list", "show k7m2", "log k7m2", "goto k7m2 next-turn", "replay k7m2", "tree k7m2",
           "compare k7m2 k7m3", "annotations k7m2", "position k7m2", "find Jet", "stats",
           "explore poptrix", "export k7m2", "verify", "gap k7m2 --to x", "tag k7m2"]  # fmt: skip
CHANGING = ["play k7m2 M@c1", "takeback k7m2", "amend k7m2@1 --delete", "annotate k7m2 Good",
            "adjust k7m2 x --reason y", "fork k7m2", "hide k7m2", "promote k7m2", "token k7m2",
            "delete k7m2", "tag k7m2 Event=x", "reindex", "record", "record k7m2"]  # fmt: skip
WITHOUT_RIGHTS = "-dac_override,-dac_read_search"
"""The capabilities to drop, with which root can write to everything."""


@pytest.mark.parametrize("command", READING + CHANGING)
def test_mistyped_book_is_reported_and_not_created(plybook, tmp_path, command):
    typo = tmp_path / "boook.db"
    ran = plybook("--db", typo, *command.split())
    assert (ran.code, ran.out) == (2, "")
    assert f"there is no book {typo}" in ran.err
    assert list(tmp_path.iterdir()) == []


def make_alien(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.close()


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (Path.mkdir, "folder"),
    "device": (os.mkfifo, "device"),
    "empty file": (Path.touch, "empty file"),
    "text": (lambda path: path.write_text("Dear diary, " * 100), "not a Plybook database"),
    "another database": (make_alien, "not one of Plybook"),
    "link in a circle": (lambda path: path.symlink_to(path.name), "cannot be used"),
}
MAKING = ["new poptrix", "record poptrix Jet Red", "import {record}", "serve --port 0"]
COPYING = ["backup {copy}", "copy --to {copy}", "copy --from {copy} --to {book}"]


OPENED = [(command, "text") for command in READING + CHANGING + MAKING + COPYING]
"""Every command opens its book by the same functions, and one of each kind meets all of `BAD`."""
OPENED += [
    (command, kind)
    for command in (READING[0], CHANGING[0], *MAKING, *COPYING)
    for kind in BAD
    if kind != "text"
]


@pytest.mark.parametrize(("command", "kind"), OPENED)
def test_bad_book_is_a_usage_error(plybook, tmp_path, command, kind):
    make, words = BAD[kind]
    bad, places = tmp_path / "bad", {"record": tmp_path / "a.ply", "copy": tmp_path / "copy.db"}
    places["record"].write_text('[Game "poptrix"]\n\n1. M@c1 *\n')
    if "--from" in command:
        plybook("new", "poptrix", "--db", places["copy"])
    make(bad)
    ran = plybook("--db", bad, *command.format(book=bad, **places).split())
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize("command", READING + CHANGING + MAKING + COPYING)
def test_book_in_missing_folder_is_usage_error(plybook, tmp_path, command):
    book, places = tmp_path / "no" / "book.db", {"record": tmp_path / "a.ply", "copy": tmp_path}
    places["record"].touch()
    if "--from" in command:
        places["copy"] = tmp_path / "copy.db"
        plybook("new", "poptrix", "--db", places["copy"])
    ran = plybook("--db", book, *command.format(book=book, **places).split())
    assert (ran.code, ran.out) == (2, "")
    assert str(book.parent) in ran.err


@pytest.fixture
def read_only(plybook, tmp_path: Path):
    match = plybook("new", "poptrix", "--seat", "1=Jet", "--seat", "2=Red").out.strip()
    plybook("play", match, "M@c1", "S@c6")
    folder = tmp_path / "shelf"
    folder.mkdir()
    shutil.move(tmp_path / "book.db", folder / "book.db")
    yield match, folder / "book.db"
    folder.chmod(0o755)


def run_without_rights(db: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli", "--db", str(db), *arguments]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("this user may write everything")
        rights = f"--bounding-set={WITHOUT_RIGHTS}"
        command = ["setpriv", rights, f"--inh-caps={WITHOUT_RIGHTS}", *command]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


READ = ("show {match}", "stats", "verify")


@pytest.mark.parametrize(
    ("file", "folder", "commands"),
    [
        (0o444, 0o555, READ),
        pytest.param(0o444, 0o755, READ[:1], marks=pytest.mark.slow),
        pytest.param(0o644, 0o555, READ[:1], marks=pytest.mark.slow),
    ],
)
def test_read_only_book_is_read_and_unchanged(read_only, file, folder, commands):
    match, book = read_only
    before = book.read_bytes()
    book.chmod(file)
    book.parent.chmod(folder)
    for command in commands:
        ran = run_without_rights(book, *command.format(match=match).split())
        assert (ran.returncode, ran.stderr) == (0, ""), command
        assert ran.stdout
    copied = run_without_rights(book, "backup", str(book.parent.parent / "copy.db"))
    assert (copied.returncode, copied.stderr) == (0, "")
    refused = run_without_rights(book, "play", match, "c1>L@c3")
    assert (refused.returncode, "it is read-only" in refused.stderr) == (1, True)
    assert book.read_bytes() == before


def test_entering_into_a_trashed_match_warns(plybook):
    match = plybook("new", "poptrix").out.strip()
    plybook("delete", match)
    kept = "is in the trash, and what is entered is kept there"
    note = f"warning: {match} {kept}; `plybook delete {match} --restore` takes it out\n"
    for command in (
        ["play", match, "M@c1"],
        ["annotate", match, "Home"],
        ["takeback", match],
        ["record", match],
    ):
        ran = plybook(*command)
        assert (ran.code, ran.err) == (0, note)
    plybook("delete", match, "--restore")
    assert plybook("play", match, "M@c1").err == ""


# The book in the commands that are suggested


def suggested(text: str) -> list[str]:
    """Return the words of the suggested command in a text."""
    (line,) = [line for line in text.splitlines() if "plybook --db" in line]
    command = line[line.index("plybook --db") :].partition("`")[0]
    return shlex.split(command)[1:]


@pytest.fixture
def other(plybook, tmp_path: Path) -> tuple[Path, str]:
    """A book beside the default one, whose name needs quotes, and a match in it."""
    book = tmp_path / "the other's book.db"
    return book, plybook("new", "poptrix", "--db", book).out.strip()


def test_suggested_move_is_for_the_named_book(plybook, other):
    book, match = other
    plybook("play", match, "M@c1", "S@c6", "c1>L@c3", "--db", book)
    refused = plybook("play", match, "c6>S@c5", "--db", book)
    assert plybook(*suggested(refused.err)).code == 0
    assert len(plybook("log", match, "--json", "--db", book).lines) == 4
    refused = plybook("--db", book, "play", match, "c3>L@c4")
    assert suggested(refused.err)[:2] == ["--db", str(book)]


def test_suggested_corrections_are_for_the_named_book(plybook, other):
    book, match = other
    plybook("play", match, "M@c1", "S@c6", "--db", book)
    position = plybook("position", match, "--db", book).out.strip()
    plybook("takeback", f"{match}@1", "--db", book)
    found = plybook("gap", match, "--to", position, "--db", book)
    assert suggested(found.out) == ["--db", str(book), "play", match, "S@c6"]
    plybook("delete", match, "--db", book)
    warned = plybook("play", match, "S@c6", "--db", book)
    assert plybook(*suggested(warned.err)).out == f"{match} restored\n"
    unjudged = plybook("new", "poptrix", "--unjudged", "--db", book).out.strip()
    plybook("play", unjudged, "M@c3", "--db", book)
    judged = plybook("check", unjudged, "--db", book).out.splitlines()[-1]
    assert suggested(judged) == ["--db", str(book), "amend", f"{unjudged}@1", "MOVE", "--stood"]


def test_book_of_the_environment_is_not_repeated(plybook):
    match = plybook("new", "poptrix").out.strip()
    plybook("play", match, "M@c1", "S@c6", "c1>L@c3")
    assert f": plybook play {match} 'c6>S@c5' --stood" in plybook("play", match, "c6>S@c5").err


def test_error_suggests_commands_for_the_named_book(plybook, tmp_path):
    missing = tmp_path / "missing.db"
    ran = plybook("list", "--db", missing)
    assert f"`plybook --db {missing} record poptrix Jet Red` begins one" in ran.err


def test_suggested_command_has_no_password(plybook):
    plybook("--db", "postgresql://me:geheim@example.org/book?password=x&sslmode=require", "games")
    shown = "plybook --db 'postgresql://me@example.org/book?sslmode=require' list"
    assert suggest("list") == shown


# Wrong requests


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "{match}@9"], "leave out @9"),
        (["verify", "{match}@1"], "leave out @1"),
        (["tree", "{match}@1"], "leave out @1"),
        (["tag", "{match}@1"], "leave out @1"),
        (["record", "{match}@1"], "leave out @1"),
        (["adjust", "{match}@1", "x", "--reason", "y"], "leave out @1"),
        (["delete", "{match}", "--restore"], "{match} is not in the trash"),
        (["check", "nofile"], "cannot read nofile: No such file or directory"),
        (["import", "nofile"], "cannot read nofile: No such file or directory"),
        (["list", "--db", "mysql://a:b/c@d/e?f"], "'mysql://…@d/e' is not an address of a book"),
        (["backup", "postgresql://a:b@c/d"], "plybook: a URL is not a valid file here; use "),
        (["restore", "postgresql://a:b@c/d"], "plybook: a URL is not a valid file here; use "),
        (["token", "{match}", "--revoke", "zzzz"], "{match} has no token 'zzzz'"),
    ],
)
def test_wrong_request_is_refused(plybook, arguments, words):
    match = plybook("new", "poptrix").out.strip()
    ran = plybook(*(each.format(match=match) for each in arguments))
    assert (ran.code, ran.out) == (2, "")
    assert words.format(match=match) in ran.err


def test_missing_file_is_reported_without_a_book(plybook, tmp_path):
    ran = plybook("check", "nofile", "--db", tmp_path / "none.db")
    assert (ran.code, "cannot read nofile: No such file" in ran.err) == (2, True)


def test_home_folder_in_a_setting_is_found(plybook, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLYBOOK_DB", "~/home.db")
    plybook("new", "poptrix")
    assert (tmp_path / "home.db").exists()


@pytest.fixture
def full_disk(monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda folder: usage(1_000_000, 1_000_000, 0))


def test_book_on_a_full_disk_is_read_from_a_copy(plybook, match, tmp_path, monkeypatch, full_disk):
    opened = []
    real = book_file.open_store
    monkeypatch.setattr(book_file, "open_store", lambda at: [opened.append(at), real(at)][1])
    for command in ("list", "show", "log", "export", "tree", "replay"):
        assert plybook(command).code == 0
    assert opened
    assert tmp_path / "book.db" not in opened


@pytest.mark.parametrize("code", [driven.SQLITE_IOERR, driven.SQLITE_CANTOPEN])
def test_error_of_a_full_disk_says_so(tmp_path, full_disk, code):
    error = driven.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    assert "no space is left on its disk" in str(translate_error(error, tmp_path / "book.db"))
