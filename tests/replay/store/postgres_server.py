"""A PostgreSQL server of our own for tests: in a temporary folder, on a socket there."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import psycopg

from replay.store.postgres import PostgresStore

PLACES: Final = "/usr/lib/postgresql/*/bin"
NEEDED: Final = ("initdb", "postgres", "pg_ctl", "pg_basebackup")
WITHOUT_DISK: Final = "-c fsync=off -c synchronous_commit=on -c full_page_writes=off"
"""Settings for temporary data: no commit waits for the disk."""
USER: Final = "plybook"
TEMPLATE: Final = "empty_book"

_numbers = itertools.count(1)


@cache
def programs() -> Path | None:
    """Return the folder with the programs of the newest PostgreSQL, or `None`."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/").glob(PLACES.lstrip("/")), key=lambda each: each.parent.name)
    for folder in (*([Path(on_path).parent] if on_path else []), *reversed(found)):
        if all((folder / name).exists() for name in NEEDED):
            return folder
    return None


class Server:
    """A running server, whose databases are made and dropped."""

    def __init__(self, folder: Path, settings: str = WITHOUT_DISK) -> None:
        self.folder = folder
        self._settings = settings

    def url(self, database: str) -> str:
        return url_of(database, self)

    def new_database(self, template: str = "template0") -> str:
        """Make a database, and return its URL."""
        name = f"book_{next(_numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def new_book(self) -> str:
        """Make a database with the tables of an empty book, and return its URL."""
        if not self._has_template():
            self.run(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
            PostgresStore(self.url(TEMPLATE)).close()
        return self.new_database(TEMPLATE)

    def drop(self, url: str) -> None:
        self.run(f"DROP DATABASE {database_of(url)} WITH (FORCE)")

    def run(self, statement: str, url: str | None = None) -> None:
        with psycopg.connect(url or self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def stop(self) -> None:
        """Stop the server at once, as a crash does, if it runs."""
        if self._lock_file.exists():
            _control(self.folder, "stop", "-m", "immediate")

    def start(self) -> None:
        """Start the server, also after `kill`."""
        self._lock_file.unlink(missing_ok=True)
        _start(self.folder, self._settings)

    def kill(self) -> None:
        """Kill every process of the server (SIGKILL), as the loss of its machine does."""
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._lock_file.unlink()

    def processes(self) -> list[int]:
        """Return the numbers of all processes of the server."""
        postmaster = self._lock_file.read_text().split()[0]
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        return [int(process) for process in (postmaster, *children)]

    def wait_for_standby(self) -> None:
        """From now on, answer a commit only when a standby has it too."""
        self.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.run("SELECT pg_reload_conf()")
        self._wait_until("sync_state = 'sync'")

    def wait_until_shown(self) -> None:
        """Wait until readers of the standby see every commit so far."""
        self._wait_until("replay_lsn >= pg_current_wal_lsn()")

    def promote(self) -> None:
        """Promote this standby, and return when it takes writes."""
        _control(self.folder, "promote")

    @property
    def _lock_file(self) -> Path:
        return self.folder / "data" / "postmaster.pid"

    def _wait_until(self, condition: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            query = f"SELECT 1 FROM pg_stat_replication WHERE {condition}"
            while not connection.execute(query).fetchone():
                time.sleep(0.01)

    def _has_template(self) -> bool:
        with psycopg.connect(self.url("postgres")) as connection:
            query = "SELECT 1 FROM pg_database WHERE datname = %s"
            return connection.execute(query, (TEMPLATE,)).fetchone() is not None


def url_of(database: str, *servers: Server) -> str:
    """Return the URL of a database at whichever of these servers takes writes."""
    return f"postgresql://{USER}@/{database}?host={','.join(str(one.folder) for one in servers)}"


def database_of(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


@contextlib.contextmanager
def other_program(url: str) -> Iterator[psycopg.Connection[Any]]:
    """Connect to a database, as a program other than Plybook does."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


class TemporaryPostgresStore(PostgresStore):
    """A store in a database of its own, which is dropped when it is closed."""

    def __init__(self, server: Server) -> None:
        super().__init__(server.new_book())
        self._server: Server | None = server

    def close(self) -> None:
        super().close()
        if self._server is not None:
            self._server.drop(str(self.shared_location))
            self._server = None


@contextlib.contextmanager
def running(settings: str = WITHOUT_DISK) -> Iterator[Server]:
    """Start a server in a temporary folder, with options of its command, and stop it in the end."""
    with _folder() as folder:
        _run(
            "initdb", "-D", folder / "data", "-U", USER, "-A", "trust", "-E", "UTF8",
            "--locale=C", "--no-sync",
        )  # fmt: skip
        yield from _started(folder, settings)


@contextlib.contextmanager
def standby_of(primary: Server) -> Iterator[Server]:
    """Start a standby of another server, and stop it in the end."""
    with _folder() as folder:
        _run(
            "pg_basebackup", "-D", folder / "data", "-h", primary.folder, "-U", USER,
            "--write-recovery-conf", "--checkpoint", "fast", "--no-sync",
        )  # fmt: skip
        yield from _started(folder)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="plybook-pg-"))  # the path of a socket must be short
    try:
        if os.geteuid() == 0:  # PostgreSQL refuses to be started by root
            shutil.chown(folder, "postgres")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _started(folder: Path, settings: str = WITHOUT_DISK) -> Iterator[Server]:
    _start(folder, settings)
    server = Server(folder, settings)
    try:
        yield server
    finally:
        server.stop()


def _start(folder: Path, settings: str) -> None:
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} {settings}"
    _control(folder, "start", "-l", str(folder / "log"), "-o", options)


def _control(folder: Path, *arguments: str) -> None:
    _run("pg_ctl", "-D", folder / "data", "-w", *arguments)


def _run(program: str, *arguments: str | Path) -> None:
    home = programs()
    assert home is not None
    command: Sequence[str | Path] = (home / program, *arguments)
    if os.geteuid() == 0:
        command = ("runuser", "-u", "postgres", "--", *command)
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
