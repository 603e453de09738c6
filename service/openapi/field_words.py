"""The words of fields for the schema: the docstrings under the fields of structs.

A field without a docstring means what the field of its name means in a struct of `COMMON`. Python
keeps no docstrings of fields, so the sources are read; a tab has no sources, and shows no words.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct, structs

from replay.library.match_state import MatchSummary
from service.live.hook_news import BookDelivery
from service.models.requests import Adjusting, Annotating, Opening
from service.models.responses import DryRun, Refusal

COMMON: Final = (MatchSummary, Refusal, Annotating, DryRun, Adjusting, Opening, BookDelivery)
"""The structs whose fields describe all fields of their names that have no words."""
TAG: Final = "The tag that names the kind of object."
UNKNOWN_PART: Final = "A part of the object; its game or the documentation says which."
"""The description of a field without words, as a move of a plug-in may have one."""


def describe_fields(kind: type[Struct], schema: dict[str, Any]) -> None:
    """Add a description to each property of the component of a struct that lacks one."""
    names = {field.encode_name: field.name for field in structs.fields(kind)}
    for field, part in schema.get("properties", {}).items():
        words = words_of(kind, names[field]) if field in names else TAG
        part.setdefault("description", words or UNKNOWN_PART)


def words_of(kind: type[Struct], field: str) -> str | None:
    """Return the words of a field of a struct, or `None` if it has none."""
    places = (*kind.__mro__, *COMMON)
    return next(filter(None, (_documented(place).get(field) for place in places)), None)


def _documented(kind: type) -> dict[str, str]:
    """Return the docstrings under the fields of a class."""
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
