"""Every bad parameter, header and body is answered by one shape of problem, in our words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

import httpx
import jsonschema_rs
import pytest

from service.http.problems import CODES
from tests.contract.operations import (
    HOOK_FOR_ALL,
    Operation,
    list_operations,
    path_values,
    resolved,
)
from tests.contract.test_strictness import broken, mistyped

MEMBERS = {"title", "status", "code", "detail", "path"}

FRAMEWORK = re.compile(r"Validation failed|Missing required|Expected `|Object |Invalid |msgspec")
"""Words of the libraries."""

WRONG = {
    "integer": ("-1", "x", "1.5", "", "01", "9" * 12, "%00"),
    "boolean": ("yes", "1", "", "True"),
    "string": (),
}

HEADERS = {
    "If-Match": ("x", '"x"', "", '"1'),
    "Idempotency-Key": ("", "x" * 201, "two words"),
    "Last-Event-ID": ("x", "-1", "1.5"),
}

EVENTS = "/matches/{match}/events"

REQUIRED = {"q": "red", "with": "000000000000", "to": "x", "url": "/m/x"}


@pytest.fixture(scope="module")
def every(schema) -> list[Operation]:
    return list_operations(schema)


@pytest.fixture(scope="module")
def check(schema):
    """A check that an answer is a problem of the shape of the schema."""
    whole = {"$ref": "#/components/schemas/BadRequest", "components": schema["components"]}
    validator = jsonschema_rs.validator_for(whole)

    def check(operation: Operation, sent: Any, answer: Any, path: str | None = None) -> None:
        if answer.status_code != 400:
            return
        problem = answer.json()
        validator.validate(problem)
        assert problem["code"] in CODES, (operation, sent, problem)
        assert not FRAMEWORK.search(problem["detail"]), (operation, sent, problem)
        assert path in (None, problem["path"]), (operation, sent, problem)

    return check


def bad_values(schema: dict[str, Any]) -> Iterator[str]:
    """Yield values that a parameter must refuse."""
    if "enum" in schema:
        yield "nonsense"
    else:
        yield from WRONG[schema["type"]]
    if schema.get("minimum", 0) > 0:
        yield str(schema["minimum"] - 1)
    if "maximum" in schema:
        yield str(schema["maximum"] + 1)
    if schema.get("minLength"):
        yield ""
    if "maxLength" in schema:
        yield "x" * (schema["maxLength"] + 1)
    if "pattern" in schema:
        yield "!"


@pytest.fixture(scope="module")
def ask(server, schema) -> Callable[..., httpx.Response]:
    """A function that sends a request of a permitted caller; `at` replaces path values."""
    match = server.open("poptrix")
    found = path_values(server, match, schema)

    def ask(
        operation: Operation,
        headers: Mapping[str, str] = MappingProxyType({}),
        at: Mapping[str, str] = MappingProxyType({}),
        **sent: Any,
    ) -> httpx.Response:
        own = operation.caller(server, match)
        return operation.ask(server.client, {**found, **at}, headers={**own, **headers}, **sent)

    return ask


def required(operation: Operation) -> dict[str, str]:
    return {name: text for name, text in REQUIRED.items() if operation.requires(name)}


def test_bad_query_parameter_is_named(every, ask, check):
    checked = 0
    for operation in every:
        for parameter in operation.schema["parameters"]:
            if parameter["in"] != "query":
                continue
            name = parameter["name"]
            for value in bad_values(parameter["schema"]):
                query = urlencode(required(operation) | {name: value})
                answer = ask(operation, params=query)
                assert answer.status_code == 400, (operation, query, answer.text)
                check(operation, query, answer, name)
                checked += 1
            if parameter["required"]:
                others = {key: text for key, text in required(operation).items() if key != name}
                answer = ask(operation, params=others)
                assert answer.status_code == 400, (operation, others, answer.text)
                check(operation, others, answer, name)
        for query in ("nonsense=1", "nonsense=1&nonsense=2"):
            answer = ask(operation, params=query)
            assert answer.status_code == 400, (operation, query, answer.text)
            check(operation, query, answer, "nonsense")
    assert checked > 50


def test_bad_path_is_400_or_404(every, ask, check):
    for operation in every:
        for name in re.findall(r"{(\w+)}", operation.path):
            for value in ("!", "-1", "x" * 300, "%00", "9" * 40):
                at = {name: value, HOOK_FOR_ALL: value}
                answer = ask(operation, at=at, params=required(operation))
                assert 400 <= answer.status_code < 500, (operation, name, value, answer.text)
                check(operation, (name, value), answer)


def test_bad_header_is_named(every, ask, check):
    for operation in every:
        for parameter in operation.schema["parameters"]:
            limited = "pattern" in parameter["schema"]
            for value in HEADERS.get(parameter["name"], ()) if limited else ():
                headers = {parameter["name"]: value}
                sent = {"json": operation.example} if operation.body else {}
                answer = ask(operation, headers, **sent)
                assert answer.status_code == 400, (operation, headers, answer.text)
                check(operation, headers, answer, parameter["name"])


def test_bad_body_is_named(every, ask, check):
    for operation in every:
        if operation.body is None:
            continue
        whole = json.dumps(operation.example).encode()
        fields = resolved(operation.body, operation.components).get("properties", {})
        bodies = [*broken(whole), *incomplete(operation), *unfit(operation.example)]
        bodies += [
            json.dumps(operation.example | {name: "HERE"}).replace('"HERE"', value).encode()
            for name, value in mistyped(operation)
        ]
        assert fields
        for body in bodies:
            answer = ask(operation, {"Content-Type": "application/json"}, content=body)
            check(operation, body[:200], answer)


def incomplete(operation: Operation) -> Iterator[bytes]:
    """Yield the body without each of its fields."""
    for name in operation.example:
        left = {key: value for key, value in operation.example.items() if key != name}
        yield json.dumps(left).encode()


def unfit(example: dict[str, Any]) -> Iterator[bytes]:
    """Yield the body with values of the right type that fit nothing."""
    for name, value in example.items():
        for other in ("", "nonsense", "x" * 5000) if isinstance(value, str) else (99_999,):
            if isinstance(value, str | int) and not isinstance(value, bool):
                yield json.dumps(example | {name: other}).encode()


@pytest.mark.parametrize(
    ("method", "path", "body", "fault"),
    [
        ("POST", "/matches", {"game": "chess"}, "$.game"),
        ("POST", "/matches", {"game": "poptrix", "seats": 0}, "$.seats"),
        ("POST", "/matches", {"game": "poptrix", "clock": {"total": "1"}}, "$.clock.total"),
        ("POST", "/matches", {"game": "poptrix", "clock": {"control": "1:1"}}, "$.clock"),
        ("POST", "/matches/{match}/invitations", {"role": "seat", "seat": 9}, "$.seat"),
        ("POST", EVENTS, {"events": [{"text": 1}]}, "$.events[0].text"),
        ("POST", EVENTS, {"events": [{"move": {"type": "place"}}]}, "$.events[0].move.size"),
        ("POST", "/matches/{match}/takeback", {}, "$.ply"),
        ("POST", "/matches/{match}/takeback", {"ply": -1}, "$.ply"),
        ("PUT", "/matches/{match}/tags", {"tags": {"1": "x"}}, "$.tags"),
    ],
)
def test_field_at_fault_is_named(server, method, path, body, fault):
    match = server.open("poptrix")
    url = path.format(match=match.id)
    answer = server.client.request(method, url, json=body, headers=match.host)
    assert (answer.status_code, answer.json()["path"]) == (400, fault), answer.text
