"""The script of `compose.yaml` makes a database whose owner is no superuser, which suffices."""

from __future__ import annotations

import os
import shutil
import subprocess

import psycopg
import pytest

from replay.store.postgres import PostgresStore
from tests.deploy.files import DEPLOY
from tests.replay.store.postgres_server import Server, programs

pytestmark = pytest.mark.postgres

CONTAINER = {"plybook": "club", "postgres": "boss"}
"""The roles of the container, and what they are called here, where `plybook` runs the tests."""


def test_the_owner_is_no_superuser_and_keeps_a_book(postgres: Server):
    postgres.run("CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'secret'")
    script = (DEPLOY / "create-database.sql").read_text()
    for there, here in CONTAINER.items():
        script = script.replace(f" {there}", f" {here}")
    psql = shutil.which("psql") or f"{programs()}/psql"
    done = subprocess.run(
        [psql, "--set=ON_ERROR_STOP=1", "--no-psqlrc", postgres.url("postgres")],
        input=script,
        env=os.environ | {"POSTGRES_PASSWORD": "it's secret"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with psycopg.connect(postgres.url("postgres")) as connection:
        roles = connection.execute(
            "SELECT rolname, rolsuper, rolpassword IS NULL FROM pg_authid"
            " WHERE rolname IN ('boss', 'club') ORDER BY rolname"
        ).fetchall()
    assert roles == [("boss", True, True), ("club", False, False)]
    PostgresStore(f"postgresql://club@/club?host={postgres.folder}").close()
