"""The types of the API as JSON Schema: those of all bodies, and the moves of every game."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Any, Final, Union

import msgspec
from msgspec import Struct

from domain.game import Game
from replay import registry
from service.models import text_limits
from service.settings import Settings

REF: Final = "#/components/schemas/{name}"

Schema = dict[str, Any]

ONE_OF_THREE: Final = {
    "if": {"properties": {"token": {"type": "string"}}, "required": ["token"]},
    "then": {
        "properties": {"move": False, "roll": {"const": False}, "seat": {"type": "null"}},
    },
    "else": {
        "if": {"required": ["move"]},
        "then": {"properties": {"roll": {"const": False}}},
        "else": {"properties": {"roll": {"const": True}}, "required": ["roll"]},
    },
}
"""An event is a token, a move or a roll; a token has its seat within."""

SEAT_OF_A_SEAT: Final = {
    "if": {"properties": {"role": {"const": "seat"}}},
    "then": {"properties": {"seat": {"type": "integer"}}, "required": ["seat"]},
    "else": {"properties": {"seat": {"type": "null"}}},
}
"""A seat's token names its seat, and no other does."""


def components(types: Iterable[Any], settings: Settings) -> dict[str, Schema]:
    """Return the schemas of those of the types that are structs, by name, and all they consist of.

    What structs cannot say is added: which fields go together, what each game knows, and how long
    the settings let texts be.
    """
    structs = {kind for kind in types if isinstance(kind, type) and issubclass(kind, Struct)}
    ordered = sorted(structs, key=lambda kind: kind.__name__)
    _, found = msgspec.json.schema_components(ordered, ref_template=REF)
    found = {
        name: _clean(text_limits.apply_limits(settings, schema)) for name, schema in found.items()
    }
    found |= {title: part for each in found.values() for title, part in _named(each)}
    found["Entry"]["properties"]["move"] = {"anyOf": list(_moves(found))}
    found["Entry"] |= ONE_OF_THREE
    found["Inviting"] |= SEAT_OF_A_SEAT
    found["Problem"]["additionalProperties"] = True
    _open(found["Opening"])
    return dict(sorted(found.items()))


def _clean(schema: Any) -> Any:
    r"""Return a schema without what makes it harder to read.

    For people that is indentation; for programs `items: false`, which adds nothing to a largest
    number of items, and `\Z`, which ends a pattern in Python alone. Of arrays they want to be told
    that anything can be in them.
    """
    if isinstance(schema, list):
        return [_clean(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: part for name, part in schema.items() if (name, part) != ("items", False)}
    if kept.get("type") == "array" and not {"items", "prefixItems"} & set(kept):
        kept["items"] = {}
    return {name: _written(name, part) for name, part in kept.items()}


def _written(name: str, part: Any) -> Any:
    match name, part:
        case "description", str():
            return inspect.cleandoc(part)
        case "pattern", str():
            return part.replace(r"\Z", "$")
    return _clean(part)


def _named(schema: Any) -> Iterator[tuple[str, Schema]]:
    """Put references where parts within a schema have titles, and yield these parts."""
    parts = schema.items() if isinstance(schema, dict) else enumerate(schema)
    for at, part in [*parts]:
        if isinstance(part, dict | list):
            yield from _named(part)
        if isinstance(part, dict) and isinstance(part.get("title"), str):
            schema[at] = {"$ref": REF.format(name=part["title"])}
            yield part["title"], part


def _moves(found: dict[str, Schema]) -> Iterator[Schema]:
    """Add the moves of every game to the components and yield references to them."""
    for game in registry.games().values():
        prefix = "".join(part.capitalize() for part in game.slug.split("-"))
        template = REF.format(name=prefix + "{name}")
        _, moves = msgspec.json.schema_components(
            [Union[game.moves]],  # noqa: UP007  # built at run time
            ref_template=template,
        )
        titled = {prefix + name: move for name, move in moves.items()}
        found |= {name: _clean(move) | {"title": name} for name, move in titled.items()}
        yield from (
            {"$ref": template.format(name=move.__name__)}
            for move in game.moves
            if prefix + move.__name__ in titled
        )


def _open(opening: Schema) -> None:
    """Say of each game which options and seats a match of it is opened with."""
    games = registry.games()
    opening["properties"]["game"]["enum"] = list(games)
    chain: Schema = {}
    for game in games.values():
        named = {"properties": {"game": {"const": game.slug}}}
        chain = {"if": named, "then": {"properties": _chosen(game)}, "else": chain}
    opening |= chain


def _chosen(game: Game[Any]) -> Schema:
    options = {name: {"enum": sorted(values)} for name, values in game.choices().items()}
    return {
        "options": {"properties": options, "additionalProperties": False},
        "seats": {"enum": [*game.seats, None]},
        "players": {
            "propertyNames": {"enum": [str(seat) for seat in range(1, max(game.seats) + 1)]}
        },
    }
