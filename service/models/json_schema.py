"""JSON Schema of the API's types: all bodies, and the moves of every game."""

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
"""An event is a token, a move or a roll; a token includes its seat."""

SEAT_OF_A_SEAT: Final = {
    "if": {"properties": {"role": {"const": "seat"}}},
    "then": {"properties": {"seat": {"type": "integer"}}, "required": ["seat"]},
    "else": {"properties": {"seat": {"type": "null"}}},
}
"""Only the token of a seat names a seat."""


def components(types: Iterable[Any], settings: Settings) -> dict[str, Schema]:
    """Return the schemas of the structs among the types, and of all they refer to, by name.

    Constraints that structs cannot express are added: fields that belong together, each game's
    moves, and the text limits of the settings.
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
    r"""Return a schema without noise.

    For people that is indentation. For programs it is `items: false`, which adds nothing to
    `maxItems`, and `\Z`, which ends a pattern in Python only. Arrays of any items get an explicit
    `items`.
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
    """Replace titled parts within a schema by references, and yield these parts."""
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
    """Describe the options and seats of each game for opening a match."""
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
