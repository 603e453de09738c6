"""Links of the OpenAPI schema: from what was made to the operations it can be used with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import structs

Links = dict[str, dict[str, Any]]


class Place(NamedTuple):
    """An operation by its id, and its path."""

    operation: str
    path: str


def links(path: str, body: Any, places: Iterable[Place]) -> Links:
    """Return the links of an answer of this type to what was sent to a path.

    A path parameter of the other operation is a field of the answer of the same name, or, for what
    lies right under the path, its `id` or that of the first that was made; else what it was in the
    path that was sent to.
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
    """Tell where the parameter of another path comes from."""
    if other.startswith(f"{path}/{{{name}}}") and fields & {"id", f"{name}s"}:
        return "$response.body#/id" if "id" in fields else f"$response.body#/{name}s/0/id"
    if f"{{{name}}}" in path:
        return f"$request.path.{name}"
    return f"$response.body#/{name}" if name in fields else None
