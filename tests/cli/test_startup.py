"""The imports of a command: each loads only the libraries that it uses."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.paths import ROOT

RECORD = "fixtures/poptrix/commented.ply"

HEAVY = {
    "asyncio",
    "importlib.metadata",
    "jinja2",
    "litestar",
    "mcp",
    "numpy",
    "pettingzoo",
    "platformdirs",
    "pydantic",
    "rich",
    "service",
    "sqlite_utils",
    "textual",
    "uvicorn",
}
SQLITE = {"pysqlite3", "sqlite3"}

WITHOUT_DATABASE = [
    ("--help",),
    ("rules", "poptrix", "POP-2.1"),
    ("legal", "poptrix"),
    ("perft", "poptrix", "1"),
    ("check", RECORD),
    ("referee",),
    ("format", RECORD),
]
WITH_DATABASE = [
    ("new", "poptrix"),
    ("play", "MATCH", "M@c1"),
    ("show", "MATCH"),
    ("log", "MATCH"),
    ("list",),
    ("export", "MATCH"),
    ("verify",),
]


RUN = """
import sys, cli
try:
    cli.main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""


class Started(NamedTuple):
    out: str
    modules: set[str]


def python(program: str, *arguments: str, db: Path | None = None) -> Started:
    """Run a program that writes `sys.modules` to standard error; return these and its output."""
    environment = {name: text for name, text in os.environ.items() if name != "PLYBOOK_DB"}
    if db is not None:
        environment["PLYBOOK_DB"] = str(db)
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return Started(ran.stdout, set(ran.stderr.split()))


BARE = "; import sys; print(*sys.modules, file=sys.stderr)"


@functools.cache
def bare() -> set[str]:
    """Return the modules that the interpreter itself imports."""
    return python(f"pass{BARE}").modules


def plybook(*arguments: str, db: Path | None = None) -> Started:
    ran = python(RUN, *arguments, db=db)
    return Started(ran.out, ran.modules - bare())


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("startup") / "book.db"


@pytest.fixture(scope="module")
def match(db: Path) -> str:
    return plybook("new", "poptrix", db=db).out.strip()


@pytest.mark.parametrize("arguments", WITHOUT_DATABASE, ids=lambda arguments: arguments[0])
def test_commands_about_files_load_no_database(arguments):
    modules = plybook(*arguments).modules
    assert "cli.app" in modules
    assert not modules & (HEAVY | SQLITE)
    assert not any(name.startswith("replay.store.sqlite") for name in modules)


@pytest.mark.parametrize("arguments", WITH_DATABASE, ids=lambda arguments: arguments[0])
def test_commands_about_matches_load_no_other_library(arguments, db, match):
    modules = plybook(*(match if each == "MATCH" else each for each in arguments), db=db).modules
    assert modules & SQLITE
    assert not modules & HEAVY
    draws = any(name.startswith("replay.drawing") for name in modules)
    assert draws is (arguments[0] == "show")


def test_only_the_game_asked_for_is_loaded():
    games = [
        name for name in plybook("legal", "poptrix").modules if name.startswith("domain.games.")
    ]
    assert {name.split(".")[2] for name in games} == {"poptrix"}


SCREEN = """
import sys, cli.app, cli.screen.replaying, cli.screen.recording, cli.recording_session
print(*sys.modules, file=sys.stderr)
"""


def test_screen_loads_textual_and_no_other_library():
    modules = python(SCREEN).modules - python("import cli.app" + BARE).modules
    libraries = {name.partition(".")[0] for name in modules if name.count(".") < 2}
    assert libraries & HEAVY == {"asyncio", "platformdirs", "rich", "textual"}
    own = {name for name in modules if name.startswith(("cli.", "domain.", "replay."))}
    assert not any(name.startswith("domain.games.") for name in own)
    assert len(own) <= 28, sorted(own)
