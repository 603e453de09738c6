"""The help of every command ends with examples, and every example runs."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli import account
from cli.app import COMMANDS
from cli.examples import help_of
from replay.book_file import open_book
from replay.referee.evenings import open_evening
from tests.editions.story import runner

FUNCTIONS = COMMANDS | {f"account {name}": run for name, run in account.ACTIONS.items()}
EXAMPLES = {name: help_of(run)["epilog"].splitlines() for name, run in FUNCTIONS.items()}
LASTING = ("serve", "serve --demo", "serve --lan --port 8080", "mcp --http localhost:8100")
"""Examples that run until they are stopped; they print an address first."""
LACKS = {"bot": "localhost:8000", "rules-diff": "poptrix/2"}
"""Commands whose examples need what is not here, with the word of the message that says so."""
RUN = [
    pytest.param(line.removeprefix("plybook "), id=line)
    for lines in EXAMPLES.values()
    for line in lines
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> tuple[Path, dict[str, str]]:
    """A folder with a book and files, and what stands in place of the words of examples."""
    folder = tmp_path_factory.mktemp("examples")

    run = runner(folder / "book.db")

    def plybook(*arguments: str) -> str:
        return run(*arguments).strip()

    match = plybook("new", "poptrix", "--seat", "1=Jet", "--seat", "2=Red")
    plybook("account", "add", "ann")
    plybook("play", match, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")
    plybook("takeback", match)
    fork = plybook("fork", f"{match}@3", "--name", "the centre")
    plybook("play", fork, "c6>M@c5")
    plybook("visibility", match, "public")
    plybook("annotate", f"{match}@2", "Far from home")
    for name in ("game.ply", "match.plybook"):
        plybook("export", match, "-o", str(folder / name))
    plybook("backup", str(folder / "backup.db"))
    (folder / "requests.txt").write_text("new poptrix\nplay M@c1\n")
    with open_book(folder / "book.db") as book:
        evening, _ = open_evening(book, "Tuesday club", "2026-11-24")
    said = plybook("account", "list", "--json")
    issued = re.findall(r'"id":"(\w+)', said)[0]
    words = {"k7m2c4x9q0ab": match, "k7m2": match, "f4qw": fork, "ID": issued}
    words["t4b7m2c9q0ab"] = evening.id
    return folder, words | {"POSITION": plybook("position", match)}


@pytest.fixture
def typed(prepared, tmp_path, monkeypatch):
    """Return the words of an example with what stands for its ids, in a folder of its own."""
    folder, words = prepared
    for file in folder.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def of(example: str) -> list[str]:
        known = "|".join(words)
        return [
            re.sub(rf"\b({known})\b", lambda found: words[found[0]], each)
            for each in shlex.split(example)
        ]

    return of


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_ends_with_examples_of_the_command(plybook, name):
    told = plybook(*name.split(), "--help").out
    listed = re.findall(r"^  (plybook .*)$", told.partition("\nExamples:\n")[2], re.MULTILINE)
    assert 1 <= len(listed) <= 3
    assert (listed, told.endswith(f"{listed[-1]}\n")) == (EXAMPLES[name], True)
    assert all(re.match(rf"plybook {name}\b", line) for line in listed)


@pytest.mark.parametrize("example", [each for each in RUN if each.values[0] not in LASTING])
def test_example_runs(plybook, typed, monkeypatch, example):
    monkeypatch.setattr("service.tab.building.build", lambda folder, cache: {})  # it fetches much
    monkeypatch.setattr("cli.site._serve", lambda folder, port: None)
    words, _, redirected = example.partition(" < ")
    stdin = Path(redirected).read_text() if redirected else ""
    ran = plybook(*typed(words), stdin=stdin)
    lacks = next((lack for begin, lack in LACKS.items() if example.startswith(begin)), None)
    assert (ran.code == 0) == (lacks is None), ran.err
    assert lacks is None or lacks in ran.err


@pytest.mark.parametrize(
    "example", [*LASTING[1:], pytest.param(LASTING[0], marks=pytest.mark.slow)]
)
def test_lasting_example_begins(typed, example):
    words = [re.sub("8080|8100", "0", each) for each in typed(example)]
    words += ["--port", "0"] if words[0] == "serve" and "--port" not in words else []
    process = subprocess.Popen(
        [sys.executable, "-c", "from cli import main; main()", *words],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert any("http://" in line for line in process.stdout)
    finally:
        process.terminate()
        process.communicate()
