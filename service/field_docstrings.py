"""The docstrings under the fields of structs: the words of the schema and of settings.

Python keeps no docstrings of fields, so the sources are read; without sources there are none.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise


def field_docstrings(kind: type) -> dict[str, str]:
    """Return the docstrings under the fields of a class, by the names of the fields."""
    return _documented_in(kind.__module__).get(kind.__qualname__, {})


@cache
def _documented_in(module: str) -> dict[str, dict[str, str]]:
    """Return the docstrings under the fields of the classes of a module, from its source."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (OSError, TypeError):
        return {}
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    return {each.name: dict(_fields(each)) for each in classes}


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, after in pairwise(node.body):
        match field, after:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                yield name, " ".join(words.split())
