"""The script of `compose.yaml` makes a database whose owner, an ordinary role, can keep a book."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import psycopg
import pytest

from replay.store.postgres import PostgresStore
from tests.deploy.files import DEPLOY
from tests.replay.store.postgres_server import programs

pytestmark = pytest.mark.postgres

CONTAINER = {"plybook": "club", "postgres": "boss"}
"""The roles of the container, and what they are called here, where `plybook` runs the tests."""


def plybook(book: str, *arguments: str) -> str:
    """Run a command on a book, and return what it prints."""
    command = [sys.executable, "-m", "cli", *arguments, "--db", book]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run(program: str, *arguments: str, text: str = "") -> str:
    """Run a program of PostgreSQL with the text, and return what it prints."""
    done = subprocess.run(
        [shutil.which(program) or f"{programs()}/{program}", *arguments],
        input=text,
        env=os.environ | {"POSTGRES_PASSWORD": "it's secret"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_owner_is_ordinary_role_and_keeps_book(postgres):
    postgres.run("CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'secret'")
    script = (DEPLOY / "create-database.sql").read_text()
    for there, here in CONTAINER.items():
        script = script.replace(f" {there}", f" {here}")
    run("psql", "--set=ON_ERROR_STOP=1", "--no-psqlrc", postgres.url("postgres"), text=script)
    with psycopg.connect(postgres.url("postgres")) as connection:
        roles = connection.execute(
            "SELECT rolname, rolsuper, rolpassword IS NULL FROM pg_authid"
            " WHERE rolname IN ('boss', 'club') ORDER BY rolname"
        ).fetchall()
    assert roles == [("boss", True, True), ("club", False, False)]
    PostgresStore(f"postgresql://club@/club?host={postgres.folder}").close()


def test_restored_dump_is_the_same_book(postgres, tmp_path):
    book, restored = postgres.new_book(), postgres.new_database()
    match = plybook(book, "new", "poptrix").strip()
    plybook(book, "play", match, "M@c1", "S@c6")
    dump = str(tmp_path / "book.dump")
    run("pg_dump", "--format=custom", f"--file={dump}", book)
    run("pg_restore", f"--dbname={restored}", "--exit-on-error", dump)
    verified = plybook(book, "verify")
    assert f"{match}: 2 events verified" in verified
    assert plybook(restored, "verify") == verified
    plybook(restored, "play", match, "c1>L@c3")
    with psycopg.connect(restored) as connection, pytest.raises(psycopg.Error, match="purged"):
        connection.execute("DELETE FROM events")
