"""The operations that the schema lists, with what it takes to ask for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import httpx

from tests.contract.serving import Opened, Server

EVENT_STREAM = "text/event-stream"

Schema = dict[str, Any]

BODIES: dict[str, Any] = {
    "open_a_match": {"game": "poptrix", "players": {"1": "Jet"}, "clock": {"total": 600}},
    "enter_events": {"events": [{"token": "M@c1"}], "expected": 0},
    "amend": {"ply": 1, "how": "replaced", "tokens": ["M@c1"]},
    "adjust": {"position": "5/5/5/5/5/5 5S5M5L 5s5m5l 1 1", "reason": "the cat"},
    "annotate": {"ply": 0, "comment": "a calm start"},
    "reword": {"comment": "a bold start"},
    "register_hook": {"url": "https://plybook.example/news", "secret": "x" * 16},
    "put_tags": {"tags": {"Event": "Second evening"}},
}
"""What to send where the least that the schema asks for makes no sense."""


class Operation(NamedTuple):
    """An operation of the schema."""

    method: str
    path: str
    told: Schema
    components: dict[str, Schema]

    def __repr__(self) -> str:
        return str(self.told["operationId"])

    @property
    def body(self) -> Schema | None:
        """The schema of what is sent."""
        content = self.told.get("requestBody", {}).get("content", {})
        found: Schema | None = content.get("application/json", {}).get("schema")
        return found

    @property
    def streams(self) -> bool:
        """Whether the answer goes on as long as anything happens."""
        return EVENT_STREAM in self.told["responses"].get("200", {}).get("content", {})

    @property
    def parameters(self) -> dict[str, Schema]:
        """The parameters in the path and the query, with their schemas."""
        there = self.told["parameters"]
        return {each["name"]: each["schema"] for each in there if each["in"] != "header"}

    @property
    def example(self) -> Any:
        """A body that is in order."""
        assert self.body is not None
        return BODIES.get(repr(self)) or sample(self.body, self.components)

    def address(self, there: Mapping[str, str]) -> str:
        """Return the path with what is there in it; `0` stands for what nobody knows."""
        names = (name for name in self.parameters if f"{{{name}}}" in self.path)
        return self.path.format_map({name: there.get(name, "0") for name in names})

    def ask(self, client: httpx.Client, there: Mapping[str, str], **sent: Any) -> httpx.Response:
        """Send a request; of a stream only the head is read."""
        request = client.build_request(self.method, self.address(there), **sent)
        answer = client.send(request, stream=True)
        if not answer.headers.get("content-type", "").startswith(EVENT_STREAM):
            answer.read()
        answer.close()
        return answer


def operations(schema: Schema) -> list[Operation]:
    """Return all operations."""
    return [
        Operation(method.upper(), path, told, schema["components"]["schemas"])
        for path, methods in schema["paths"].items()
        for method, told in methods.items()
    ]


def there(server: Server, match: Opened, schema: Schema) -> dict[str, str]:
    """Return values of path parameters under which there is something in a match.

    Whatever can be made is made, and the links of the schema tell what its parameter is.
    """
    found = {
        "match": match.id,
        "slug": "poptrix",
        "clause": "POP-1.1",
        "picture": "0.svg",
        "tag": "Event",
    }
    for operation in operations(schema):
        made = operation.told["responses"].get("201", {})
        if "{match}" not in operation.path or operation.path.count("{") > 1 or not made:
            continue
        answer = operation.ask(server.client, found, json=operation.example, headers=match.host)
        assert answer.status_code == 201, (repr(operation), answer.text)
        for link in made.get("links", {}).values():
            for name, source in link["parameters"].items():
                if source.startswith("$response.body#/"):
                    found.setdefault(name, str(_pointed(answer.json(), source)))
    return found


def _pointed(body: Any, source: str) -> Any:
    """Return what a link points at in an answer."""
    for step in source.partition("#/")[2].split("/"):
        body = body[int(step) if isinstance(body, list) else step]
    return body


def sample(schema: Schema, components: dict[str, Schema]) -> Any:
    """Return the least that a schema asks for."""
    if "$ref" in schema:
        return sample(components[schema["$ref"].rpartition("/")[2]], components)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return sample(schema[key][0], components)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            parts = schema.get("properties", {})
            return {name: sample(parts[name], components) for name in schema.get("required", ())}
        case "array":
            return [sample(schema["items"], components)] * schema.get("minItems", 0)
        case "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "string":
            return "x" * max(1, schema.get("minLength", 1))
    return None


def resolved(schema: Schema, components: dict[str, Schema]) -> Schema:
    """Return what a reference refers to."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return components[name] if name else schema


def kinds(schema: Schema, components: dict[str, Schema]) -> Iterator[str]:
    """Yield the JSON types that a schema allows, as far as it names any."""
    here = resolved(schema, components)
    for part in (*here.get("anyOf", ()), *here.get("oneOf", ())):
        yield from kinds(part, components)
    if "type" in here:
        yield here["type"]
    for value in here.get("enum", ()):
        yield {str: "string", int: "integer", type(None): "null"}[type(value)]
