"""The operations of the schema, with a valid request for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import httpx

from tests.contract.server import ACCOUNT, OpenedMatch, Server

EVENT_STREAM = "text/event-stream"
HOOK_FOR_ALL = "hook for all"
"""The key of the id of a hook for the whole book."""

Schema = dict[str, Any]


class Operation(NamedTuple):
    """An operation of the schema."""

    method: str
    path: str
    schema: Schema
    components: dict[str, Schema]

    def __repr__(self) -> str:
        return str(self.schema["operationId"])

    @property
    def body(self) -> Schema | None:
        content = self.schema.get("requestBody", {}).get("content", {})
        found: Schema | None = content.get("application/json", {}).get("schema")
        return found

    @property
    def media_types(self) -> set[str]:
        return set(self.schema.get("requestBody", {}).get("content", {}))

    @property
    def streams(self) -> bool:
        """Whether the answer is an endless stream."""
        return EVENT_STREAM in self.schema["responses"].get("200", {}).get("content", {})

    @property
    def parameters(self) -> dict[str, Schema]:
        there = self.schema["parameters"]
        return {each["name"]: each["schema"] for each in there if each["in"] != "header"}

    @property
    def example(self) -> Any:
        assert self.body is not None
        return resolved(self.body, self.components)["examples"][0]

    def requires(self, name: str) -> bool:
        return any(each["name"] == name and each["required"] for each in self.schema["parameters"])

    def caller(self, server: Server, match: OpenedMatch) -> dict[str, str]:
        """Return the headers of a caller who may use it: an account, a link's holder, a host …"""
        if self.path == "/account" or self.path.startswith("/account/"):
            return server.account()
        if "{evening}" in self.path:
            return server.evening()[1]
        of_match = "{match}" in self.path or not self.path.startswith(("/hooks", "/accounts"))
        return match.host if of_match else server.operator()

    def address(self, there: Mapping[str, str]) -> str:
        """Return the path with these values; `0` stands for unknown ones."""
        names = (name for name in self.parameters if f"{{{name}}}" in self.path)
        return self.path.format_map({name: there.get(self._key(name), "0") for name in names})

    def _key(self, name: str) -> str:
        return HOOK_FOR_ALL if self.path.startswith("/hooks/") and name == "hook" else name

    def ask(self, client: httpx.Client, there: Mapping[str, str], **sent: Any) -> httpx.Response:
        """Send a request; read only the head of a stream."""
        request = client.build_request(self.method, self.address(there), **sent)
        answer = client.send(request, stream=True)
        if not answer.headers.get("content-type", "").startswith(EVENT_STREAM):
            answer.read()
        answer.close()
        return answer


def list_operations(schema: Schema) -> list[Operation]:
    return [
        Operation(method.upper(), path, told, schema["components"]["schemas"])
        for path, methods in schema["paths"].items()
        for method, told in methods.items()
    ]


def path_values(server: Server, match: OpenedMatch, schema: Schema) -> dict[str, str]:
    """Return values of path parameters that exist in a match.

    It calls every creating operation; the links of the schema name the results.
    """
    server.account()
    found = {
        "match": match.id,
        "account": ACCOUNT,
        "evening": server.evening()[0],
        "slug": "poptrix",
        "clause": "POP-1.1",
        "picture": "0.svg",
        "tag": "Event",
        HOOK_FOR_ALL: _hook_for_all(server),
    }
    for operation in list_operations(schema):
        made = operation.schema["responses"].get("201", {})
        if "{match}" not in operation.path or operation.path.count("{") > 1 or not made:
            continue
        answer = operation.ask(server.client, found, json=operation.example, headers=match.host)
        assert answer.status_code == 201, (repr(operation), answer.text)
        for link in made.get("links", {}).values():
            for name, source in link["parameters"].items():
                if source.startswith("$response.body#/"):
                    found.setdefault(name, str(_pointed(answer.json(), source)))
    return found


def _hook_for_all(server: Server) -> str:
    """Return the id of a hook of the book, which has few."""
    operator = server.operator()
    there = server.client.get("/hooks", headers=operator).json()["hooks"]
    if not there:
        body = {"url": "https://plybook.example/news"}
        there = [server.client.post("/hooks", json=body, headers=operator).json()]
    return str(there[0]["id"])


def _pointed(body: Any, source: str) -> Any:
    """Return the value in an answer that a link points at."""
    for step in source.partition("#/")[2].split("/"):
        body = body[int(step) if isinstance(body, list) else step]
    return body


def resolved(schema: Schema, components: dict[str, Schema]) -> Schema:
    name = schema.get("$ref", "").rpartition("/")[2]
    return components[name] if name else schema


def kinds(schema: Schema, components: dict[str, Schema]) -> Iterator[str]:
    """Yield the JSON types that a schema allows, if it names any."""
    here = resolved(schema, components)
    for part in (*here.get("anyOf", ()), *here.get("oneOf", ())):
        yield from kinds(part, components)
    if "type" in here:
        yield here["type"]
    for value in here.get("enum", ()):
        yield {str: "string", int: "integer", type(None): "null"}[type(value)]
