"""JSON Schema of the API's types: all bodies, and the moves of every game."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, Union

import msgspec
import msgspec.inspect
from msgspec import Struct, structs

from domain.game import Game
from replay import registry
from service.http import text_limits
from service.openapi.field_words import describe_fields
from service.settings import Settings

REF: Final = "#/components/schemas/{name}"

Schema = dict[str, Any]

EXAMPLE: Final = "\n\n    Example: "
"""The words of a struct's docstring before an example, which is its end."""

NEVER: Final[Schema] = {"not": {}}
"""The schema that no value matches: few generators support the schema `false`."""


def _partly(required: Iterable[str] = (), **properties: Schema) -> Schema:
    """Return a condition on some properties.

    It allows other properties explicitly, because linters reject properties that a part does not
    name.
    """
    told: Schema = {"properties": properties, "additionalProperties": True}
    return told | ({"required": [*required]} if required else {})


ONE_OF_THREE: Final = {
    "if": _partly(["text"], text={"type": "string"}),
    "then": _partly(move=NEVER, roll={"const": False}, seat={"type": "null"}),
    "else": {
        "if": _partly(["move"], move={}),
        "then": _partly(roll={"const": False}),
        "else": _partly(["roll"], roll={"const": True}),
        "additionalProperties": True,
    },
    "additionalProperties": True,
}
"""An event is a text, a move or a roll; a text includes its seat."""
A_MOVE_THAT_STOOD: Final = {
    "if": _partly(["stood"], stood={"const": True}),
    "then": _partly(["text"], text={"type": "string"}),
    "else": _partly(position={"type": "null"}),
    "additionalProperties": True,
}
"""An accepted illegal move is given as text, and only it has a position."""

SEAT_OF_A_SEAT: Final = {
    "if": _partly(role={"const": "seat"}),
    "then": _partly(["seat"], seat={"type": "integer"}),
    "else": _partly(seat={"type": "null"}),
}
"""Only an invitation for a seat names a seat."""


def components(
    types: Iterable[Any], bodies: Iterable[Any], settings: Settings
) -> dict[str, Schema]:
    """Return the schemas of the structs among the types, and of all their references, by name.

    Constraints that structs cannot express are added: fields that belong together, each game's
    moves, and the text limits of the settings. `bodies` are the types of requests: their fields may
    be omitted where they have a default; answers have all fields.
    """
    named = {kind for kind in types if isinstance(kind, type) and issubclass(kind, Struct)}
    ordered = sorted(named, key=lambda kind: kind.__name__)
    _, found = msgspec.json.schema_components(ordered, ref_template=REF)
    found = {
        name: _clean(text_limits.apply_limits(settings, schema)) for name, schema in found.items()
    }
    found |= {title: part for each in found.values() for title, part in _named(each)}
    found["EventEntry"]["properties"]["move"] = {"anyOf": list(_moves(found))}
    found["EventEntry"] |= {"allOf": [ONE_OF_THREE, A_MOVE_THAT_STOOD]}
    found["InvitationRequest"] |= SEAT_OF_A_SEAT
    for name in ("Outcome", "Problem", "BadRequest"):
        found[name]["additionalProperties"] = True
    _open(found["MatchOpening"])
    asked = _reachable(found, {kind.__name__ for kind in bodies if kind in named})
    for kind in _classes(ordered):
        name, schema = kind.__name__, found[kind.__name__]
        describe_fields(kind, schema)
        if name not in asked and not kind.__struct_config__.omit_defaults:
            _demand_all(schema)
        _, _, example = (kind.__doc__ or "").partition(EXAMPLE)
        if example:
            schema["examples"] = [json.loads(example)]
    for schema in found.values():
        _omit_defaults(schema)
    return dict(sorted(found.items()))


def _reachable(found: dict[str, Schema], names: set[str]) -> set[str]:
    """Return these components and all components that they refer to."""
    reached: set[str] = set()
    while names - reached:
        name = (names - reached).pop()
        reached.add(name)
        names |= {reference.rpartition("/")[2] for reference in references(found[name])}
    return reached


def references(part: Any) -> Iterator[str]:
    """Yield all references within a part of a schema."""
    for each in part.values() if isinstance(part, dict) else part:
        if isinstance(each, dict | list):
            yield from references(each)
    if isinstance(part, dict) and isinstance(part.get("$ref"), str):
        yield part["$ref"]


def _classes(types: Iterable[Any]) -> set[type[Struct]]:
    """Return the structs that types consist of."""
    found: set[type[Struct]] = set()
    left: list[Any] = [*msgspec.inspect.multi_type_info(types)]
    while left:
        part = left.pop()
        if isinstance(part, tuple):
            left += part
        elif isinstance(part, msgspec.inspect.StructType) and part.cls in found:
            continue
        elif isinstance(part, msgspec.inspect.Type | msgspec.inspect.Field):
            found |= {part.cls} if isinstance(part, msgspec.inspect.StructType) else set()
            left += structs.astuple(part)
    return found


def _demand_all(schema: Schema) -> None:
    """Require the fields with a default: the answers that have this schema have every field."""
    given = [name for name, field in schema.get("properties", {}).items() if "default" in field]
    if given:
        schema["required"] = [*schema.get("required", []), *given]


def _omit_defaults(schema: Schema) -> None:
    """Describe in words the default of an omitted field.

    From `default` some generators conclude that a client must send the field.
    """
    for name, field in schema.get("properties", {}).items():
        default = field.pop("default", None) if isinstance(field, dict) else None
        if name not in schema.get("required", ()) and default not in (None, "", [], {}):
            field["description"] += f" If omitted: `{json.dumps(default)}`."


def _clean(schema: Any) -> Any:
    r"""Return a schema without noise.

    Descriptions lose their indentation. Patterns lose `\Z`, which only Python knows, and an `enum`
    is dropped if a pattern describes it. An `enum` of one text becomes a `const`. A tuple of equal
    types becomes an array of a fixed length, because few generators know `prefixItems`. Every array
    gets `items`, as linters demand.
    """
    if isinstance(schema, list):
        return [_clean(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: part for name, part in schema.items() if (name, part) != ("items", False)}
    if kept.get("type") == "array":
        first, *others = kept.get("prefixItems", [{}])
        kept.setdefault("items", first if all(other == first for other in others) else {})
        if kept["items"]:
            kept.pop("prefixItems", None)
    if "pattern" in kept:
        kept.pop("enum", None)
    match kept.get("enum"):
        case [str(tag)]:  # of a union
            kept |= {"type": "string", "const": tag}
            del kept["enum"]
    return {name: _written(name, part) for name, part in kept.items()}


def _written(name: str, part: Any) -> Any:
    match name, part:
        case "description", str():
            return inspect.cleandoc(part.partition(EXAMPLE)[0])
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
        for kind in _classes(game.moves):
            describe_fields(kind, found[prefix + kind.__name__])
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
        named = _partly(game={"const": game.slug})
        chain = {"if": named, "then": _partly(**_chosen(game)), "else": chain}
        chain["additionalProperties"] = True
    opening |= {name: part for name, part in chain.items() if name != "additionalProperties"}


def _chosen(game: Game[Any]) -> Schema:
    options = {name: {"enum": sorted(values)} for name, values in game.choices().items()}
    return {
        "options": {"properties": options, "additionalProperties": False},
        "seats": {"enum": [*game.seats, None]},
        "players": {
            "propertyNames": {"enum": [str(seat) for seat in range(1, max(game.seats) + 1)]}
        },
    }
