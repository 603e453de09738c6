"""Imports point down, between packages and rooms, and are at the top of their module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("domain", "replay", "service", "cli", "plybook")
"""From the bottom up. A module imports from its own layer and from those before it."""

ROOMS = {
    "domain": (
        *("names", "board", "effects", "notation", "toml_text"),
        *("position_text", "scene", "cards", "chance", "controls", "editor", "position"),
        *("symmetry", "game", "unseen", "tricks", "events"),
        *("canonical", "log_edits", "entry", "match", "games", "perft", "reconstruction"),
    ),
    "replay": (
        *(
            "errors",
            "fields",
            "texts",
            "runtime",
            "processes",
            "rules_text",
            "score_sheets",
            "registry",
        ),
        *("store", "record", "book", "kept_book"),
        *(
            "book_file",
            "match_batches",
            "access",
            "tags",
            "referee",
            "annotations",
            "drawing",
            "sampling",
            "search",
            "reading",
            "branches",
        ),
        *("corrections", "library", "formats", "games", "upkeep", "programs"),
    ),
    "service": (
        *("field_docstrings", "settings", "http", "models", "live", "openapi", "workers"),
        *("app_state", "pages", "api"),
        *("app", "telemetry", "mcp", "tab"),
    ),
}
"""The rooms of a package from the bottom up: its folders, and the modules at its root."""

REASON = re.compile(r"#\s*(?!noqa|type:)\w")


@cache
def modules() -> dict[str, ast.Module]:
    found = {}
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield all imports, those under TYPE_CHECKING and in functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def targets(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield the modules of the layers that an import names."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        assert node.level == 0, "imports are absolute"
        members = [f"{node.module}.{alias.name}" for alias in node.names]
        names = [name if name in modules() else str(node.module) for name in members]
    yield from (name for name in dict.fromkeys(names) if name in modules())


@cache
def graph() -> dict[str, set[str]]:
    return {
        name: {target for node in imports(tree) for target in targets(node)} - {name}
        for name, tree in modules().items()
    }


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components with more than one module (Tarjan)."""
    index, low = dict[str, int](), dict[str, int]()
    stack, found = list[str](), list[list[str]]()

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in sorted(edges[name]):
            if target not in index:
                visit(target)
            if target in stack:
                low[name] = min(low[name], low[target])
        if low[name] == index[name]:
            start = stack.index(name)
            component = sorted(stack[start:])
            del stack[start:]
            if len(component) > 1:
                found.append(component)

    for name in sorted(edges):
        if name not in index:
            visit(name)
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_down(layer: str) -> None:
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    upward = [
        f"{name} imports {target}"
        for name, found in graph().items()
        for target in sorted(found)
        if name.split(".")[0] == layer and target.split(".")[0] not in allowed
    ]
    assert upward == []


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_import_from_rooms_below(package: str) -> None:
    order = ROOMS[package]
    upward = [
        f"{name} imports {target}"
        for name, found in graph().items()
        for target in sorted(found)
        if name.startswith(f"{package}.") and target.startswith(f"{package}.")
        if order.index(room(target)) > order.index(room(name))
    ]
    assert upward == []


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_has_a_place(package: str) -> None:
    there = {room(name) for name in modules() if name.startswith(f"{package}.")}
    assert sorted(there) == sorted(ROOMS[package])


def room(module: str) -> str:
    return module.split(".")[1]


@pytest.mark.parametrize("layer", LAYERS)
def test_data_files_come_from_below(layer: str) -> None:
    allowed = (*LAYERS[: LAYERS.index(layer) + 1], "seeds")
    named = [
        f"{name} reads files of {package}"
        for name in modules()
        if name.split(".")[0] == layer
        for package in re.findall(r'\bfiles\("(\w+)', source(name))
        if package not in allowed
    ]
    assert named == []


def test_imports_form_no_circle() -> None:
    assert circles(graph()) == []


def test_import_circles_are_found() -> None:
    edges = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert circles(edges) == [["b", "c"]]


def test_import_inside_a_function_has_a_reason() -> None:
    """The comment is on the line, above it, or above the module's imports."""
    silent = []
    for name, tree in modules().items():
        lines = source(name).splitlines()
        if any(line.startswith("# Imports in functions") for line in lines):
            continue
        for number in imports_in_functions(tree):
            if not says_why(lines, number):
                silent.append(f"{name}:{number}: {lines[number - 1].strip()}")
    assert silent == []


def imports_in_functions(tree: ast.Module) -> list[int]:
    """Return the lines of the imports inside functions."""
    functions = (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return sorted({node.lineno for function in functions for node in imports(function)})


def source(name: str) -> str:
    path = ROOT / Path(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


def says_why(lines: list[str], number: int) -> bool:
    """Return whether the import at a line, or the first of its block, has a comment."""
    line = lines[number - 1]
    while REASON.search(line) is None:
        number -= 1
        line = lines[number - 1]
        if not line.lstrip().startswith(("import ", "from ", "#")):
            return False
    return True
