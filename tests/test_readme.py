"""The README's console blocks are run, and must print what it says (… stands for anything)."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from litestar.testing import TestClient

from cli import main
from cli.app import COMMANDS
from replay.book import Book
from replay.store import open_store
from service.app import create_app

README = Path("README.md").read_text(encoding="utf-8")


def steps(block: str) -> list[tuple[str, str]]:
    """Split a block into commands and what they print."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
STEPS = [step for block in BLOCKS for step in steps(block)]
HTTP = [step for step in STEPS if step[0].startswith("curl")]
TERMINAL = [step for step in STEPS if step[0].startswith("plybook")]
ID = "k7m2c4x9q0ab"
"""The match id that the README writes for the one that the API makes."""


def assert_prints(printed: str, said: str, command: str) -> None:
    pattern = ".*".join(map(re.escape, said.strip().split("…")))
    assert re.fullmatch(pattern, printed.strip(), re.DOTALL), f"$ {command}\n{printed}"


def test_the_tour_of_the_command_line_prints_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PLYBOOK_DB", str(tmp_path / "book.db"))
    made: dict[str, str] = {}
    for command, said in TERMINAL:
        arguments = [in_folder(each, tmp_path) for each in shlex.split(command)[1:]]
        with pytest.raises(SystemExit):
            main([meant(argument, made) for argument in arguments])
        printed = "".join(capsys.readouterr()).replace(f"{tmp_path}/", "")
        if arguments[0] in ("new", "fork"):
            made[said.strip()] = printed.strip()
        for written, real in made.items():
            printed = printed.replace(real, written)
        assert_prints(printed, said, command)


def in_folder(argument: str, folder: Path) -> str:
    """Put databases that the README makes into a folder of their own."""
    return str(folder / argument) if argument.endswith(".db") else argument


def meant(argument: str, made: dict[str, str]) -> str:
    """Replace an abbreviated id of the README by the id that the run made."""
    for written, real in made.items():
        argument = re.sub(rf"^{written[:4]}\b", real, argument)
    return argument


def test_the_tour_of_the_api_prints_what_it_says():
    store = open_store(None)
    variables = {"MATCH": "", "TOKEN": ""}
    with TestClient(create_app(Book(store))) as client:
        for command, said in HTTP:
            printed = curl(client.request, command, variables)
            answer = json.loads(printed)
            if "tokens" in answer:
                variables = {"MATCH": answer["match"], "TOKEN": answer["tokens"]["host"]}
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
                body = next(words)
            case _:
                url = word.removeprefix("localhost:8000")
    return request(method, url, headers=headers, content=body).text  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_told_of_in_the_readme_and_has_help(name):
    assert re.search(rf"`?(plybook )?{name}\b", README)
    assert COMMANDS[name].__doc__
