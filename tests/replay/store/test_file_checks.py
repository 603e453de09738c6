"""A check-up finds the faults of a database, in any file, and changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from replay.registry import BrokenPlugin
from replay.store import open_store
from replay.store.checks import Finding
from replay.store.sqlite import database_file, file_checks
from replay.store.sqlite.driver import sqlite3
from replay.store.sqlite.file_checks import GUARDS
from replay.upkeep.doctor import checkup
from tests.replay.store.streams import match
from tests.replay.store.tampering import tampered
from tests.replay.store.test_processes import WRITING
from tests.replay.store.test_replaced_files import left_behind

CHECKS = (
    "file", "sqlite", "identity", "schema", "journal", "tables", "guards", "pages", "references",
    "heads", "segments", "tallies", "words", "erasures", "log", "disk", "access",
    "summaries", "positions", "search", "games", "plug-ins",
)  # fmt: skip


VIOLATION = ("PRAGMA ignore_check_constraints = ON", "UPDATE streams SET trashed = 2")


@pytest.fixture
def stored(path: Path) -> Path:
    """A database that no program has open."""
    store = open_store(path)
    match(store, 400)
    store.close()
    return path


def found(path: Path) -> dict[str, Finding]:
    return {each.check: each for each in checkup(path)}


def amiss(path: Path) -> dict[str, str]:
    return {each.check: each.verdict for each in checkup(path) if each.verdict != "ok"}


def test_database_in_use_passes_every_check(path, sqlite):
    match(sqlite, 3)
    assert tuple(found(path)) == CHECKS
    if sqlite3.sqlite_version_info >= (3, 51, 3):
        assert amiss(path) == {}


def test_advice_is_given_only_for_findings(stored):
    stored.chmod(0o644)
    tampered(stored, "DROP TRIGGER events_update", "PRAGMA journal_mode = DELETE")
    for each in checkup(stored):
        assert bool(each.advice) == (each.verdict != "ok"), each
        assert "\n" not in each.message + each.advice


def test_another_process_may_write_meanwhile(opened, path):
    store = opened(path)
    match(store, 0, "kqzw")
    with subprocess.Popen(
        [sys.executable, "-c", WRITING, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(5):
            process.stdout.readline()
            assert not any(each.verdict == "fault" for each in checkup(path))
        process.kill()
        process.stdout.read()


def test_missing_database_is_a_warning(tmp_path):
    for path in (tmp_path / "none.db", tmp_path / "no" / "folder" / "none.db"):
        none = found(path)["file"]
        assert (none.verdict, "yet" in none.message) == ("warning", True)
    assert list(tmp_path.iterdir()) == []


FOREIGN: dict[str, Callable[[Path], object]] = {
    "empty": Path.touch,
    "text": lambda path: path.write_text("Dear diary, " * 100),
    "of another program": lambda path: tampered(path, "CREATE TABLE theirs (a)"),
    "cut in its first bytes": lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(20)),
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a link to itself": lambda path: path.symlink_to(path),
}


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN)
def test_foreign_file_is_a_fault_and_stays_untouched(path, make):
    make(path)
    findings = found(path)
    assert findings["file"].verdict == "fault"
    assert "pages" not in findings
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("version", "verdict", "advice"),
    [
        (database_file.SCHEMA - 1, "warning", "up to date"),
        (database_file.SCHEMA + 1, "fault", "newer Plybook"),
    ],
)
def test_older_or_newer_schema_is_reported(stored, version, verdict, advice):
    tampered(stored, f"PRAGMA user_version = {version}")
    schema = found(stored)["schema"]
    assert schema.verdict == verdict
    assert advice in schema.advice
    assert amiss(stored).keys() - {"sqlite"} == {"schema"}


@pytest.mark.parametrize("name", GUARDS)
def test_missing_or_changed_guard_is_a_fault(stored, name):
    with closing(sqlite3.connect(stored)) as connection:
        [(text,)] = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,))
    tampered(stored, f"DROP TRIGGER {name}")
    assert found(stored)["guards"].verdict == "fault"
    assert name in found(stored)["guards"].message
    other = text.replace("ABORT", "FAIL").replace("= NEW.version,", "= 7,")
    tampered(stored, other.replace("= excluded.number,", "= 7,"))
    assert found(stored)["guards"].verdict == "fault"
    tampered(stored, f"DROP TRIGGER {name}", text)
    assert found(stored)["guards"].verdict == "ok"


@pytest.mark.parametrize(
    ("statements", "check", "named"),
    [
        (("INSERT INTO purging VALUES (1)",), "guards", "purging"),
        (("DROP TABLE keys",), "tables", "keys"),
        (("DROP INDEX forks",), "tables", "forks"),
        (VIOLATION, "pages", "streams"),
        (("INSERT INTO keys VALUES (4711, x'00', 'host', NULL)",), "references", ""),
    ],
)
def test_tampered_database_is_a_fault(stored, statements, check, named):
    tampered(stored, *statements)
    finding = found(stored)[check]
    assert (finding.verdict, named in finding.message) == ("fault", True)


@pytest.mark.parametrize(
    ("table", "defined", "changed"),
    [
        ("streams", "CHECK (trashed IN (0, 1))", "CHECK (trashed IN (0, 2))"),
        ("facts", "value", "walue"),
        ("forks", "parent_id", "subject"),
    ],
)
def test_changed_table_or_index_is_a_fault(stored, table, defined, changed):
    tampered(
        stored,
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_schema SET sql = replace(sql, '{defined}', '{changed}') "
        f"WHERE name = '{table}'",
    )
    assert amiss(stored)["tables"] == "fault"
    assert table in found(stored)["tables"].message


def test_checkup_of_a_database_with_log_changes_nothing(path):
    left_behind(path)
    log = Path(f"{path}-wal")
    before = path.read_bytes(), log.read_bytes()
    assert log.stat().st_size
    assert found(path)["pages"].verdict == "ok"
    assert (path.read_bytes(), log.read_bytes()) == before


def test_constraint_broken_in_the_log_is_a_fault(path, sqlite):
    match(sqlite, 3)
    before = path.read_bytes()
    tampered(path, *VIOLATION)
    assert amiss(path)["pages"] == "fault"
    assert path.read_bytes() == before


def test_wrong_journal_mode_is_a_warning(stored):
    tampered(stored, "PRAGMA journal_mode = DELETE")
    assert amiss(stored)["journal"] == "warning"


@pytest.mark.parametrize("page", range(1, 12))
def test_damaged_page_is_a_fault(stored, page):
    content = bytearray(stored.read_bytes())
    content[page * 4096 : (page + 1) * 4096] = b"\xff" * 4096
    stored.write_bytes(content)
    assert "fault" in amiss(stored).values()


def test_description_in_invalid_utf8_is_a_fault(stored):
    content = stored.read_bytes()
    stored.write_bytes(content[:100] + b"\xff" * 3996 + content[4096:])
    assert amiss(stored)["content"] == "fault"


def test_truncated_file_is_a_fault(stored):
    stored.write_bytes(stored.read_bytes()[:-9000])
    assert "fault" in amiss(stored).values()


def test_sqlite_with_the_wal_bug_is_a_warning(stored, monkeypatch):
    monkeypatch.setattr(file_checks, "REPAIRED", (99, 0, 0))
    library = found(stored)["sqlite"]
    assert (library.verdict, "99.0.0" in library.advice) == ("warning", True)


@pytest.mark.skipif(os.name != "posix", reason="permissions are another thing here")
@pytest.mark.parametrize(("mode", "told"), [(0o604, "read"), (0o602, "change"), (0o666, "change")])
def test_database_open_to_everybody_is_a_warning(stored, mode, told):
    stored.chmod(mode)
    access = found(stored)["access"]
    assert (access.verdict, told in access.message, str(stored) in access.advice) == (
        "warning", True, True,
    )  # fmt: skip
    for each in stored.parent.iterdir():
        each.chmod(0o660)
    assert found(stored)["access"].verdict == "ok"


def test_long_log_is_a_warning(path, sqlite, monkeypatch):
    match(sqlite, 3)
    monkeypatch.setattr(file_checks, "MAX_LOG", 1000)
    assert amiss(path)["log"] == "warning"


@pytest.mark.parametrize(("free", "verdict"), [(1_000, "fault"), (20_000_000, "warning")])
def test_nearly_full_disk_is_reported(stored, free, verdict, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": free}))
    assert amiss(stored)["disk"] == verdict


def test_broken_plug_ins_are_warnings(stored, monkeypatch):
    broken = (
        BrokenPlugin("quoits", "ImportError: no\nrings"),
        BrokenPlugin("ludo", "it is no Game"),
    )
    monkeypatch.setattr("replay.registry.broken", lambda: broken)
    told = [each.message for each in checkup(stored) if each.verdict == "warning"]
    assert [each.split()[2] for each in told if "could not be loaded" in each] == ["quoits", "ludo"]
    assert not any("\n" in each for each in told)
