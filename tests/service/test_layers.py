"""The folders of the service and their imports: pages and streams do not import the API."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import service

FOLDER = Path(service.__file__).parent


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)


@pytest.mark.parametrize("folder", ["pages", "live"])
def test_pages_and_streams_do_not_import_api(folder):
    found = {
        f"{path.name}: {name}"
        for path in (FOLDER / folder).rglob("*.py")
        for name in imports(path)
        if name.startswith("service.api")
    }
    assert found == set()


def test_one_module_reads_bodies():
    reading = re.compile(r"json\.Decoder\(|\.(body|json|form|stream)\(\)|\breceive\b")
    found = {
        f"{path.relative_to(FOLDER)}: {read[0]}"
        for folder in ("api", "pages")
        for path in (FOLDER / folder).rglob("*.py")
        if (read := reading.search(path.read_text(encoding="utf-8")))
    }
    assert found == set()
