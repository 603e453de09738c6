"""OpenAPI links: from a created resource to the operations that use it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import structs

Links = dict[str, dict[str, Any]]


class OperationPath(NamedTuple):
    """An operation by its id, and its path."""

    operation: str
    path: str


def links(path: str, body: Any, places: Iterable[OperationPath]) -> Links:
    """Return the links of an answer of this type to a request to this path.

    A parameter of the target path directly under the request's path is the answer's `id`, or that
    of the first created item. Any other is the same parameter of the request's path, or else the
    answer's field of the same name.
    """
    fields = {field.name for field in structs.fields(body)}
    found: Links = {}
    for place in places:
        there = {
            name: _source(path, place.path, name, fields)
            for name in re.findall(r"{(\w+)}", place.path)
        }
        known = [source for source in there.values() if source is not None]
        if len(known) == len(there) and any("body" in source for source in known):
            found[place.operation] = {"operationId": place.operation, "parameters": there}
    return found


def _source(path: str, other: str, name: str, fields: set[str]) -> str | None:
    """Return the runtime expression for a parameter of the target path."""
    if other.startswith(f"{path}/{{{name}}}") and fields & {"id", f"{name}s"}:
        return "$response.body#/id" if "id" in fields else f"$response.body#/{name}s/0/id"
    if f"{{{name}}}" in path:
        return f"$request.path.{name}"
    return f"$response.body#/{name}" if name in fields else None
