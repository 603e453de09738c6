"""Datasette and sqlite-utils read a published book with the SQLite of the machine's Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from domain.games import built_in
from replay import book_file
from replay.access.visibility import set_visibility
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.upkeep.publishing import publish
from tests.contract.server import run

pytestmark = pytest.mark.slow

REQUIREMENTS = Path(__file__).with_name("datasette-requirements.txt")


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    """The folder of programs of an environment without Plybook and its SQLite."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = folder / "bin" / "python", "-m", "pip", "install", "-q", "--require-hashes"
    installed = run(*pip, "-r", REQUIREMENTS)
    if installed.returncode:
        pytest.skip(f"pip cannot install Datasette:\n{installed.stderr[-500:]}")
    return folder / "bin"


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    with book_file.open_book(folder / "book.db") as book:
        match = open_match(book, built_in("poptrix"), players={1: "Jet", 2: "Red"})
        match = play(book, match, ["M@c1", "S@c6", "c1>L@c3"])
        set_visibility(book, match, "public")
        annotate(book, match, 2, Wording("A bold reply"))
        publish(book, folder / "evening.db", lambda _: None)
    return folder / "evening.db"


def ask(programs: Path, published: Path, table: str, **query: str) -> Any:
    """Return the answer of Datasette, which first checks the connection as a server does."""
    address = f"/evening/{table}.json?{urlencode(query)}"
    ran = run(programs / "datasette", published, "--get", address)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return json.loads(ran.stdout)


def test_datasette_filters_and_counts_moves(programs, published):
    told = ask(programs, published, "moves", player="Jet", _facet="text")
    facets = told["facet_results"]["text"]["results"]
    assert {each["value"]: each["count"] for each in facets} == {"M@c1": 1, "c1>L@c3": 1}


def test_datasette_searches_annotations(programs, published):
    [found] = ask(programs, published, "annotations", _search="bold", _shape="objects")["rows"]
    assert (found["ply"], found["text"]) == (2, "A bold reply")


def test_sqlite_utils_counts_the_rows(programs, published):
    ran = run(programs / "sqlite-utils", "tables", published, "--counts")
    assert ran.returncode == 0, ran.stderr
    counts = {each["table"]: each["count"] for each in json.loads(ran.stdout)}
    assert (counts["matches"], counts["players"], counts["moves"]) == (1, 2, 3)


def test_environment_uses_the_sqlite_of_python(programs):
    assert "ModuleNotFoundError" in run(programs / "python", "-c", "import pysqlite3").stderr
