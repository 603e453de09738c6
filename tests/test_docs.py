"""The documentation is true: its console blocks print the documented text (… is any text).

The blocks of a page run in order, on a database of their own, typed as they stand. A page may
say that its ids of matches are replaced by the ids of the run. Every command, route and option of
`serve` has its place in a page.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import indent

import pytest
from litestar.testing import TestClient
from sqlite_utils.cli import cli as sqlite_utils

from cli import main
from cli.app import COMMANDS
from replay.book import Book
from replay.store import temporary_store
from service.app import create_app
from service.settings import declarations
from tests import reference_pages

PAGES = {
    str(path.relative_to("docs") if "docs" in path.parts else path): path.read_text(
        encoding="utf-8"
    )
    for path in [Path("README.md"), *sorted(Path("docs").rglob("*.md"))]
}


def steps(block: str) -> list[tuple[str, str]]:
    """Split a block into commands and what they print."""
    whole = block.replace("\\\n", "")  # a backslash continues a command
    parts = re.split(r"^\$ (.*)\n", whole, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def commands(page: str, program: str | tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the commands of a page that begin with the name of a program, or of one of several."""
    blocks = re.findall(r"```console\n(.*?)```", PAGES[page], re.DOTALL)
    return [step for block in blocks for step in steps(block) if step[0].startswith(program)]


def pages_with(program: str) -> list[str]:
    return [page for page in PAGES if commands(page, program)]


ID = "k7m2c4x9q0ab"
"""The match id that a page writes for the one that the API makes."""


def assert_prints(printed: str, said: str, command: str) -> None:
    pattern = ".*".join(map(re.escape, said.strip().split("…")))
    assert re.fullmatch(pattern, printed.strip(), re.DOTALL), f"$ {command}\n{printed}"


OWN = re.compile(r"first\s+letters of your match's id")
"""The words after which a page names matches by the ids of its examples."""

PROGRAMS = {"plybook": main, "sqlite-utils": sqlite_utils}


@pytest.mark.parametrize("page", pages_with("plybook"))
def test_command_line_tour_prints_documented_text(page, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PLYBOOK_DB", str(tmp_path / "book.db"))
    made: dict[str, str] = {}
    for command, said in commands(page, ("plybook", "sqlite-utils")):
        program, *arguments = [in_folder(each, tmp_path) for each in shlex.split(command)]
        with pytest.raises(SystemExit):
            PROGRAMS[program](
                list(meant(arguments, made)) if names_own(page, command) else arguments
            )
        printed = "".join(capsys.readouterr()).replace(f"{tmp_path}/", "").replace("\r\n", "\n")
        if arguments[0] in ("new", "fork"):
            made[said.strip()] = printed.strip()
        for written, real in made.items():
            printed = printed.replace(real, written)
        assert_prints(printed, said, command)


def names_own(page: str, command: str) -> bool:
    """Return whether the reader types ids of their own in a command."""
    told = OWN.search(PAGES[page])
    return told is not None and told.start() < PAGES[page].find(f"$ {command}\n")


def in_folder(argument: str, folder: Path) -> str:
    """Put a file that a page writes into the folder."""
    return str(folder / argument) if argument.endswith((".db", ".html", ".plybook")) else argument


def meant(arguments: list[str], made: dict[str, str]) -> Iterator[str]:
    """Replace the abbreviated ids of a page by the ids that the run made."""
    for argument in arguments:
        for written, real in made.items():
            argument = re.sub(rf"^{written[:4]}\b", real, argument)
        yield argument


@pytest.mark.parametrize("page", pages_with("curl"))
def test_api_tour_prints_documented_text(page):
    store = temporary_store()
    variables = {"MATCH": "", "TOKEN": "", "KEY": "uN6xkVf0cGqk3H1hYb7mWd2s"}
    with TestClient(create_app(Book(store))) as client:
        for command, said in commands(page, "curl"):
            printed = curl(client.request, command, variables)
            answer = json.loads(printed)
            if "tokens" in answer:
                variables |= {"MATCH": answer["match"], "TOKEN": answer["tokens"]["host"]}
            assert_prints(printed.replace(variables["MATCH"], ID), said, command)
    store.close()


def curl(request: Callable[..., object], command: str, variables: dict[str, str]) -> str:
    """Send what a curl command would."""
    for name, value in variables.items():
        command = command.replace(f"${name}", value)
    words = iter(shlex.split(command)[1:])
    method, url, headers, body = "GET", "", {}, None
    for word in words:
        match word:
            case "-s":
                pass
            case "-X":
                method = next(words)
            case "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            case "-d":
                method, body = "POST" if method == "GET" else method, next(words)
            case _:
                url = word.removeprefix("localhost:8000")
    return request(method, url, headers=headers, content=body).text  # type: ignore[attr-defined]


def test_the_scripts_of_the_python_page_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    printed = []
    for script in re.findall(r"```python\n(.*?)```", PAGES["python.md"], re.DOTALL):
        exec(script, {})
        printed.append(capsys.readouterr().out)
    in_memory, in_a_book, in_a_record = printed
    assert in_memory.startswith("['c1>L@a1', ")
    assert in_a_book.endswith(" 2\n")
    assert in_a_record.count("True") == 2


@pytest.mark.parametrize("file", reference_pages.pages(), ids=lambda file: file.name)
def test_generated_page_is_current(file):
    made = reference_pages.pages()[file]
    assert file.read_text(encoding="utf-8") == made, "run python -m tests.reference_pages"


def test_code_copied_from_files_is_current():
    copies = re.findall(r"<!-- from (\S+) -->\n```\w+\n(.*?)```", PAGES["games.md"], re.DOTALL)
    assert len(copies) > 5
    for file, code in copies:
        text = Path(file).read_text(encoding="utf-8")
        assert code in text or indent(code, "    ") in text, f"{file} has changed:\n{code}"


def test_every_console_block_is_run():
    prompts = sum(page.count("\n$ ") for page in PAGES.values())
    run = sum(len(commands(page, name)) for page in PAGES for name in (*PROGRAMS, "curl"))
    assert prompts == run > 40


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_described_and_has_help(name):
    assert re.search(rf"`plybook {name}\b|^\$ plybook {name}\b", PAGES["terminal.md"], re.MULTILINE)
    assert COMMANDS[name].__doc__


def test_docs_describe_exactly_the_routes():
    store = temporary_store()
    with TestClient(create_app(Book(store))) as client:
        paths = client.get("/schema/openapi.json").json()["paths"]
    store.close()
    routes = {
        f"{method.upper()} {path}"
        for path, told in paths.items()
        for method in told
        if method in METHODS
    }
    described = set(re.findall(r"^\| `([A-Z]+ /\S*)` \|", PAGES["http.md"], re.MULTILINE))
    assert described - {"GET /schema"} == routes


METHODS = {"get", "put", "post", "delete", "patch"}


def test_settings_table_documents_every_setting():
    rows = re.findall(
        r"^\| `--([a-z-]+)` \| ([^|]+) \| ([^|]+) \|", PAGES["server.md"], re.MULTILINE
    )
    assert rows == [(each.option, shown(each.default), each.meaning) for each in declarations()]


def shown(default: object) -> str:
    """Write a default as the table does."""
    if default in (None, ()):
        return "none"
    return "off" if default is False else f"{default:g}" if type(default) is float else str(default)


def test_readme_is_short_with_working_links():
    assert len(PAGES["README.md"].splitlines()) <= 120
    for name in ("README.md", "CONTRIBUTING.md"):
        text = Path(name).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", text):
            target = "".join(link)
            assert target.startswith("https://") or Path(target).exists(), target


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_the_files_named_for_contributors_exist(page):
    named = re.findall(r"`([a-z_/.-]+/[a-z_0-9-]+\.(?:py|md))`", Path(page).read_text())
    assert len(named) > 5
    assert [path for path in named if not Path(path).exists()] == []


def test_documented_make_targets_exist():
    targets = set(re.findall(r"^(\w+):.*## ", Path("Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+)  ", Path("CONTRIBUTING.md").read_text()))
    assert named <= targets
    assert {"setup", "test", "lint", "bench"} <= named


@pytest.mark.parametrize("package", ["replay", "service"])
def test_every_room_is_described(package):
    page = PAGES["architecture.md"]
    (rooms,) = re.findall(rf"The rooms of `{package}`:\n\n(.*?)\n\n", page, re.DOTALL)
    there = {path.name for path in Path(package).iterdir() if has_files(path)}
    assert set(re.findall(r"^\| `(\w+)`", rooms, re.MULTILINE)) == there


def has_files(folder: Path) -> bool:
    """Return whether a folder holds more than what Python compiled there earlier."""
    return any(path.is_file() and path.suffix != ".pyc" for path in folder.rglob("*"))


@pytest.mark.parametrize("page", PAGES)
def test_an_extra_is_installed_as_it_can_be(page):
    assert not re.search(r"install .*plybook\[", PAGES[page])
