"""A database file is recognised by its marks; every other file stays untouched."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.errors import Damaged, PlybookError, StoreError
from replay.store import open_store
from replay.store.feed_types import Hook
from replay.store.sqlite import SqliteStore, database_file, migrations
from replay.store.sqlite.driver import sqlite3
from replay.store.types import Creation, SummaryFilter, Text
from tests.replay.store.streams import event, events, ids, match, new
from tests.replay.store.tampering import tampered


def _foreign(path: Path, *statements: str) -> None:
    tampered(path, "CREATE TABLE theirs (a)", *statements)


def _newer(path: Path) -> None:
    open_store(path).close()
    tampered(path, f"PRAGMA user_version = {database_file.SCHEMA + 1}")


UNUSABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "foreign": (_foreign, "not one of Plybook"),
    "foreign, write-ahead": (
        lambda path: _foreign(path, "PRAGMA journal_mode = WAL"),
        "not one of Plybook",
    ),
    "foreign, with an application id": (
        lambda path: _foreign(path, "PRAGMA application_id = 7"),
        "not one of Plybook",
    ),
    "newer": (_newer, "newer Plybook"),
    "empty": (lambda path: path.touch(), "empty file"),
    "text": (lambda path: path.write_text("Dear diary, " * 100), "not a Plybook database"),
    "cut in its first bytes": (
        lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(20)),
        "not a Plybook database",
    ),
}


@pytest.mark.parametrize(("make", "words"), UNUSABLE.values(), ids=UNUSABLE)
def test_foreign_file_is_refused_and_left_untouched(path, make, words):
    make(path)
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    with pytest.raises(StoreError, match=words) as refusal:
        open_store(path)
    assert str(path) in str(refusal.value)
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == before


def test_newer_schema_in_the_log_is_refused(path):
    open_store(path).close()
    newer = sqlite3.connect(path, isolation_level=None)
    newer.execute(f"PRAGMA user_version = {database_file.SCHEMA + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer Plybook"):
        open_store(path)
    assert path.read_bytes() == before
    newer.close()


def test_path_without_a_file_is_refused(tmp_path):
    (tmp_path / "a file").write_text("text")
    (tmp_path / "circle").symlink_to("circle")
    os.mkfifo(tmp_path / "pipe")
    for path, words in {
        tmp_path: "folder",
        tmp_path / "pipe": "not a file",
        tmp_path / "no" / "such" / "folder.db": "is not a folder",
        tmp_path / "a file" / "below.db": "cannot be used",
        tmp_path / "circle": "cannot be used",
        tmp_path / "nul\0": "cannot be used",
        tmp_path / ("long" * 100): "cannot be used",
    }.items():
        with pytest.raises(StoreError, match=words):
            open_store(path)


def test_leftover_log_is_not_taken_over(path):
    leftover = Path(f"{path}-wal")
    leftover.write_bytes(b"what another database had not yet taken in")
    with pytest.raises(StoreError, match="is missing; restore it"):
        open_store(path)
    assert not path.exists()
    assert leftover.exists()


@pytest.mark.parametrize("name", ["a b.db", "what?.db", "50%.db", "#1.db", "é.db", "file:x"])
def test_database_may_have_any_file_name(tmp_path, name):
    for _ in range(2):
        store = open_store(tmp_path / name)
        match(store, 1)
        store.close()
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_reopened_file_holds_the_stored_events(opened, path):
    store = open_store(path)
    stream = match(store, 3)
    line = store.read(stream.id)
    store.close()
    again = opened(path)
    assert again.stream(stream.id) == stream
    assert again.read(stream.id) == line
    assert again.append(stream.id, 3, events(1)).result().versions == (4,)


def test_stores_created_simultaneously_share_one_database(path, monkeypatch):
    place = database_file.place

    def late(made: Path, target: Path) -> None:
        monkeypatch.setattr(database_file, "place", place)
        first = open_store(target)
        match(first, 2, "kqzw")
        first.close()
        place(made, target)

    monkeypatch.setattr(database_file, "place", late)
    second = open_store(path)
    assert len(second.read(second.find("kqzw").id)) == 2
    second.close()
    assert not list(path.parent.glob(".plybook-*"))


def test_store_works_on_file_system_without_links(path, monkeypatch):
    def unable(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", unable)
    store = open_store(path)
    match(store, 1)
    store.close()
    assert list(path.parent.iterdir()) == [path]


def test_new_database_is_private_to_its_owner(opened, path):
    store = opened(path)
    match(store, 1)
    for each in path.parent.iterdir():
        assert each.stat().st_mode & 0o777 == 0o600, each


def test_current_database_needs_no_sqlite_utils(path):
    open_store(path).close()
    code = (
        "import sys; from pathlib import Path; from replay.store import open_store;"
        "from replay.store.types import NewStream;"
        "store = open_store(Path(sys.argv[1]));"
        "store.create(NewStream('abcd', b'{}')).result(); store.close();"
        "assert 'sqlite_utils' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)


def test_reading_starts_no_writer(path, sqlite):
    stream = match(sqlite, 1)
    sqlite.close()
    before = set(threading.enumerate())
    reader = SqliteStore(path)
    assert len(reader.read(stream.id)) == 1
    started = set(threading.enumerate()) - before
    assert "plybook-writer" not in {each.name for each in started}
    reader.close()


def test_schema_number_counts_the_migrations():
    assert len(migrations.migrations._migrations) == database_file.SCHEMA


def test_migrated_first_edition_has_the_new_schema(path):
    path.write_bytes(Path("fixtures/first-edition/book.db").read_bytes())
    open_store(path).close()
    new = path.with_name("new.db")
    open_store(new).close()
    assert sorted(map(str, _schema(path))) == sorted(map(str, _schema(new)))


def test_older_database_is_migrated_when_opened(path, monkeypatch):
    store = open_store(path)
    stream = match(store, 2)
    store.close()
    monkeypatch.setattr(database_file, "SCHEMA", database_file.SCHEMA + 1)
    monkeypatch.setattr(migrations.migrations, "_migrations", [*migrations.migrations._migrations])

    @migrations.migrations(name="a_new_table")
    def _(db: object) -> None:
        db.execute("CREATE TABLE novelty (a)")

    newer = open_store(path)
    assert len(newer.read(stream.id)) == 2
    newer.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (database_file.SCHEMA,)
    assert connection.execute("SELECT * FROM novelty").fetchall() == []
    connection.close()


def test_new_file_needs_no_migration():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        database_file.make_tables(connection)
        applied = connection.execute("SELECT name FROM _sqlite_migrations ORDER BY id").fetchall()
        version = connection.execute("PRAGMA user_version").fetchone()
    assert [name for (name,) in applied] == [*database_file.MIGRATIONS]
    assert {*migrations.ROWS} <= {*database_file.MIGRATIONS}
    assert version == (database_file.SCHEMA,)


def test_schema_6_keeps_its_hooks_unclaimed(opened, path):
    store = open_store(path)
    hook = Hook("a", match(store, 2).id, "https://example.org", "x", created=5, delivered=1)
    store.add_hook(hook).result()
    store.close()
    tampered(
        path,
        "ALTER TABLE hooks DROP COLUMN claimed",
        "DELETE FROM _sqlite_migrations WHERE name = 'claims'",
        "PRAGMA user_version = 6",
    )
    newer = opened(path)
    assert newer.hooks() == [hook]
    assert newer.claim_hook("a", 7, 8).result() == replace(hook, claimed=8)


def test_schema_3_gets_private_values(opened, path):
    store = open_store(path)
    stream = match(store, 2)
    store.close()
    forgotten = "DELETE FROM _sqlite_migrations WHERE name = 'held'"
    tampered(path, "DROP TABLE held", forgotten, "PRAGMA user_version = 3")
    newer = opened(path)
    assert newer.private_value(stream.id, "seed") is None
    (made,) = newer.create_all([Creation(new(), held={"seed": b"one"})]).result()
    assert newer.private_value(made.id, "seed") == b"one"
    assert len(newer.read(stream.id)) == 2


def test_schema_12_gets_players_to_look_up(opened, path):
    store = open_store(path)
    stream = store.create(new(), metadata={"Seat1": "Émile Straße"}).result()
    store.close()
    tampered(
        path,
        "DROP INDEX facts_of_players",
        "ALTER TABLE facts DROP COLUMN folded",
        "DELETE FROM _sqlite_migrations WHERE name = 'players'",
        "PRAGMA user_version = 12",
    )
    wanted = SummaryFilter("match", player="ÉMILE STRASSE")
    assert [each.stream for each in opened(path).listed(wanted)] == [stream]


def test_failing_migration_leaves_the_database_unchanged(path, monkeypatch):
    open_store(path).close()
    before = _schema(path)
    with monkeypatch.context() as newer:
        newer.setattr(database_file, "SCHEMA", database_file.SCHEMA + 1)
        newer.setattr(migrations.migrations, "_migrations", [*migrations.migrations._migrations])

        @migrations.migrations(name="a_mistake")
        def _(db: object) -> None:
            db.execute("CREATE TABLE novelty (a)")
            db.execute("CREATE TABLE streams (a)")

        with pytest.raises(StoreError):
            open_store(path)
    assert _schema(path) == before


def _schema(path: Path) -> list[tuple]:
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute("SELECT name, sql FROM sqlite_schema").fetchall()
        names = [(name, " ".join(str(sql).split())) for name, sql in rows]
        applied = connection.execute("SELECT name FROM _sqlite_migrations").fetchall()
        return [*names, *applied, *connection.execute("PRAGMA user_version").fetchall()]
    finally:
        connection.close()


def test_file_without_write_permission_is_only_readable(path):
    store = open_store(path)
    stream = match(store, 1)
    store.close()
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write everything")
    store = open_store(path)
    assert len(store.read(stream.id)) == 1
    with pytest.raises(StoreError):
        store.append(stream.id, 1, events(1)).result()
    store.close()
    path.chmod(0)
    with pytest.raises(StoreError):
        open_store(path)
    path.chmod(0o644)
    path.parent.chmod(0o555)
    with pytest.raises(StoreError):
        open_store(path.parent / "new.db")
    path.parent.chmod(0o755)


# Erased texts


def test_file_holds_no_erased_text(path):
    store = open_store(path)
    named, purged = match(store), match(store)
    for stream, name in ((named, "Zyxwvut"), (purged, "Qponmlk")):
        store.set_metadata(stream.id, {"Seat1": name}).result()
        store.index(stream.id, [Text("player", "Seat1", name)], 0, {"Seat1": name}).result()
    store.set_metadata(named.id, {"Seat1": None}).result()
    store.purge(purged.id).result()
    store.close()
    left = path.read_bytes().lower()
    assert b"zyxwvut" not in left
    assert b"qponmlk" not in left


# Damage


def _used(path: Path) -> None:
    """Make a database of many pages."""
    store = open_store(path)
    for _ in range(3):
        stream = match(store)
        for version in range(0, 60, 20):
            new = [event('"' + "long text " * 50 + '"') for _ in range(20)]
            store.append(stream.id, version, new).result()
    store.close()


def _tell(path: Path) -> None:
    """Open, read and write the whole content."""
    store = open_store(path)
    try:
        for stream in list(store.matches()):
            ids(store, stream)
            store.append(stream.id, stream.head, events(1)).result()
    finally:
        store.close()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_truncated_file_is_damage(path, share):
    _used(path)
    with path.open("r+b") as opened:
        opened.truncate(int(path.stat().st_size * share))
    with pytest.raises((Damaged, StoreError), match=str(path)):
        _tell(path)


@pytest.mark.parametrize("filler", [b"\0", b"\xff", b"\x0d", b"x"])
def test_garbage_pages_are_damage(path, filler):
    _used(path)
    size = path.stat().st_size
    with path.open("r+b") as opened:
        opened.seek(4096)
        opened.write(filler * (size - 4096))
    with pytest.raises(PlybookError, match=str(path)):
        _tell(path)
