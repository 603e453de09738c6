from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli import main
from tests.cli.terminal import Terminal


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Plybook = Callable[..., Ran]


@pytest.fixture
def plybook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Plybook:
    """Run `plybook` in this process on its own database."""
    monkeypatch.setenv("PLYBOOK_DB", str(tmp_path / "book.db"))

    def run(*arguments: str | Path, stdin: str = "") -> Ran:
        typed = io.BufferedReader(io.BytesIO(stdin.encode()))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(typed))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(list(map(str, arguments)))
        code = ended.value.code
        return Ran(int(code or 0), *capsys.readouterr())

    return run


@pytest.fixture
def match(plybook: Plybook) -> str:
    """A new match of Poptrix between Jet and Red."""
    return plybook("new", "poptrix", "--seat", "1=Jet", "--seat", "2=Red").out.strip()


@pytest.fixture
def plybook_terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Run `plybook` in a terminal, on the database of `plybook`."""
    opened: list[Terminal] = []

    def run(*arguments: str, columns: int = 80, rows: int = 24) -> Terminal:
        opened.append(Terminal(tmp_path / "book.db", *arguments, columns=columns, rows=rows))
        return opened[-1]

    yield run
    for terminal in opened:
        terminal.close()
