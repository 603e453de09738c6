"""Every body is read strictly: JSON in UTF-8, with known fields of the right types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.operations import Operation, kinds, list_operations, path_values, resolved

JSON = {"Content-Type": "application/json"}
DEEP = 10_000

WRONG = {
    "integer": (
        '"2"', "2.5", "1e400", "NaN", "Infinity", "-Infinity", "true", "1" * 40, "[]", "{}",
    ),
    "number": ('"2"', "1e400", "NaN", "-Infinity", "true", "[]", "{}"),
    "boolean": ('"true"', "1", "0", "[]", "{}"),
    "string": ("2", "true", "[]", "{}", "NaN", r'"\ud800"'),
    "array": ("{}", '"x"', "2", "{}", "NaN"),
    "object": ("[]", '"x"', "2", "[]", "NaN"),
}  # fmt: skip
"""Values of other JSON types, as written."""

LIKE = {'"': "string", "t": "boolean", "[": "array", "{": "object"}
"""The JSON type of a text by its first character; everything else is a number."""

NAMES_OF_CALLERS = ("$.options", "$.players", "$.tags")
"""The objects whose names the caller chooses, so that every name is valid."""

UNREADABLE = {"NaN", "Infinity", "-Infinity", r'"\ud800"'}
"""Bodies that are no JSON, or no text at all."""


@pytest.fixture(scope="module")
def bodied(server, schema) -> list[tuple[Operation, dict[str, str], dict[str, str]]]:
    """The operations with a body, with address and headers to send it to."""
    match = server.open("poptrix")
    found = path_values(server, match, schema)
    taking = [each for each in list_operations(schema) if each.body is not None]
    assert taking
    return [(each, found, each.caller(server, match) | JSON) for each in taking]


def broken(body: bytes) -> Iterator[bytes]:
    yield from (b"", b" ", b"null", b"2", b'"x"', b"[]", b"NaN", b"\xff", b"{'a': 1}")
    yield from (b"[" * DEEP, b'{"a":' * DEEP, b"[" * DEEP + b"]" * DEEP)
    yield from (b"\xef\xbb\xbf" + body, body + body, body[:-1], body[:-1] + b",}")
    yield body[:-1] + b',"\xff":1}'
    yield body.decode().encode("utf-16")
    yield b"{" + body[1:-1] + b"," + body[1:]


def test_body_that_is_not_an_object_is_refused(server, bodied):
    for operation, found, headers in bodied:
        for body in broken(json.dumps(operation.example).encode()):
            answer = operation.ask(server.client, found, content=body, headers=headers)
            assert answer.status_code == 400, (operation, body[:80], answer.text)
            assert answer.json()["detail"]


def test_unknown_field_is_named(server, bodied):
    for operation, found, headers in bodied:
        for body, at in crowded(operation.example):
            answer = operation.ask(server.client, found, json=body, headers=headers)
            assert answer.status_code == 400, (operation, body, answer.text)
            assert "nonsense" in json.dumps(answer.json()), (operation, at, answer.text)


def test_mistyped_value_is_refused_with_its_path(server, bodied):
    for operation, found, headers in bodied:
        for name, value in mistyped(operation):
            body = json.dumps(operation.example | {name: "HERE"}).replace('"HERE"', value).encode()
            answer = operation.ask(server.client, found, content=body, headers=headers)
            assert answer.status_code == 400, (operation, body, answer.text)
            told = answer.json()
            if value not in UNREADABLE:
                assert told.get("path", "").startswith(f"$.{name}"), (body, answer.text)


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "json"]
)
def test_body_without_json_content_type_is_refused(server, bodied, kind):
    for operation, found, headers in bodied:
        if kind in operation.media_types:
            continue
        sent = {name: value for name, value in headers.items() if name != "Content-Type"}
        sent |= {"Content-Type": kind} if kind else {}
        body = json.dumps(operation.example).encode()
        answer = operation.ask(server.client, found, content=body, headers=sent)
        assert answer.status_code == 415, (operation, answer.text)


def test_body_beyond_the_limit_is_refused(server, bodied):
    for operation, found, headers in bodied:
        records = "text/plain" in operation.media_types or repr(operation) == "reconstruct_match"
        length = 2**20 if records else 70_000
        body = json.dumps(operation.example).encode() + b" " * length
        answer = operation.ask(server.client, found, content=body, headers=headers)
        assert answer.status_code == 413, (operation, answer.text)
        huge = headers | {"X-Huge": "x" * 1_000_000}
        answer = operation.ask(server.client, found, content=b"{}", headers=huge)
        assert answer.status_code < 500


def crowded(body: Any, at: str = "$") -> Iterator[tuple[Any, str]]:
    """Yield the body with one field too many, in each of its objects."""
    if isinstance(body, dict):
        if at not in NAMES_OF_CALLERS:
            yield {**body, "nonsense": 1}, at
        for name, part in body.items():
            for other, inner in crowded(part, f"{at}.{name}"):
                yield {**body, name: other}, inner
    if isinstance(body, list):
        for index, part in enumerate(body):
            for other, inner in crowded(part, f"{at}[{index}]"):
                yield [*body[:index], other, *body[index + 1 :]], inner


def mistyped(operation: Operation) -> Iterator[tuple[str, str]]:
    """Yield each field with values of wrong types."""
    assert operation.body is not None
    parts = resolved(operation.body, operation.components).get("properties", {})
    for name, schema in parts.items():
        allowed = set(kinds(schema, operation.components)) - {"null"}
        for value in dict.fromkeys(value for kind in allowed for value in WRONG[kind]):
            if LIKE.get(value[0]) not in allowed or value in UNREADABLE:
                yield name, value
