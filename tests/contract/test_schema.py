"""The schema: valid, complete and without loose ends."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from litestar.routes import HTTPRoute

from replay.book import Book
from replay.store import temporary_store
from service.app import create_app
from service.openapi.field_words import UNKNOWN_PART
from service.openapi.json_schema import references
from tests.contract.operations import Operation, list_operations, path_values


@pytest.fixture
def every(schema) -> list[Operation]:
    return list_operations(schema)


def test_schema_is_valid_openapi(schema):
    schemathesis.openapi.from_dict(schema).validate()


def test_references_and_types_match(schema):
    named = {
        f"#/components/{group}/{name}"
        for group in ("schemas", "headers")
        for name in schema["components"][group]
    }
    assert set(references(schema)) == named


def test_operations_have_unique_names_and_descriptions(every):
    assert len({str(operation) for operation in every}) == len(every)
    for operation in every:
        assert operation.schema["summary"], operation
        assert operation.schema["description"], operation
        assert operation.schema["responses"], operation


def test_every_field_is_described(schema):
    components = schema["components"]["schemas"]
    fields = {
        f"{name}.{field}": part
        for name, component in components.items()
        for field, part in component.get("properties", {}).items()
    }
    assert [name for name, part in fields.items() if not part.get("description")] == []


def test_descriptions_say_more_than_names(schema):
    """No description repeats its field's name or the description of many fields."""
    alike: dict[str, set[str]] = {}
    for name, component in schema["components"]["schemas"].items():
        for field, part in component.get("properties", {}).items():
            said = part["description"].partition(" If omitted:")[0]
            words = set(re.findall("[a-z]+", said.lower())) - {
                "the",
                "a",
                "an",
                "of",
                "this",
                "its",
            }
            assert said != UNKNOWN_PART, (name, field)
            assert not words <= set(field.lower().split("_")), (name, field, said)
            if not part.get("deprecated"):
                alike.setdefault(said, set()).add(field)
    assert {said: fields for said, fields in alike.items() if len(fields) > 3} == {}


def test_tag_descriptions_say_what_operations_do(schema):
    for tag in schema["tags"]:
        assert not tag["description"].startswith("Build"), tag


def test_no_part_is_a_boolean_schema(schema):
    """Some generators fail on `true` and `false` in the place of a schema."""
    left: list[Any] = [schema["components"]["schemas"]]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            assert not any(isinstance(each, bool) for each in part.get("properties", {}).values())
            left += part.values()
        elif isinstance(part, list):
            left += part


def test_body_examples_are_valid(server, schema, every):
    components = schema["components"]["schemas"]
    for name, component in components.items():
        whole = {"$ref": f"#/components/schemas/{name}", "components": schema["components"]}
        for example in component.get("examples", ()):
            jsonschema_rs.validator_for(whole).validate(example)
    there = path_values(server, server.open("poptrix"), schema)
    for operation in every:
        if operation.body is None:
            continue
        match = server.open("poptrix")
        values = there | {"match": match.id}
        answer = operation.ask(server.client, values, json=operation.example, headers=match.host)
        # A path would name a field at fault. Only a fork has a name to set: 400.
        assert answer.is_success or answer.json().get("path", "$") == "$", (operation, answer.text)


def test_links_lead_to_operations_and_their_parameters(every):
    named = {str(operation): operation for operation in every}
    links = [
        link
        for operation in every
        for answer in operation.schema["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert links
    for link in links:
        assert set(link["parameters"]) <= set(named[link["operationId"]].parameters)


def test_every_route_is_an_operation_or_a_page(every):
    app = create_app(Book(temporary_store()))
    there = {(operation.method, operation.path) for operation in every}
    routes = {
        (str(method), route.path_format)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods - {"OPTIONS"}
        if handler.resolve_include_in_schema()
    }
    assert routes == there


def test_etags_conform_to_the_schema(server, every, schema):
    match = server.open("poptrix")
    server.client.post(
        f"/matches/{match.id}/events", json={"events": [{"text": "M@c1"}]}, headers=match.host
    ).raise_for_status()
    there = path_values(server, match, schema)
    asked = {
        "tag": "Event:Cup",
        "as": "poptrix",
        "q": "red",
        "with": server.open("poptrix").id,
        "to": POSITION,
        "url": "/m/" + match.id,
    }
    board = server.open("free-board")
    checked = 0
    for operation in every:
        if operation.method != "GET" or operation.streams:
            continue
        of = board if operation.requires("as") else match
        token, place = operation.caller(server, of), there | {"match": of.id}
        query = {name: text for name, text in asked.items() if operation.requires(name)}
        answer = operation.ask(server.client, place, params=query, headers=token)
        assert answer.status_code == 200, (operation, answer.text)
        names = {each["name"] for each in operation.schema["parameters"]}
        promised = {"If-None-Match" in names, "304" in operation.schema["responses"]}
        assert promised == {"etag" in answer.headers}, operation
        if "etag" in answer.headers:
            for _ in range(5):  # the indexer may have come in between
                if answer.status_code == 200:
                    known = token | {"If-None-Match": answer.headers["etag"]}
                    answer = operation.ask(server.client, place, params=query, headers=known)
            assert (answer.status_code, answer.content) == (304, b""), operation
            checked += 1
    assert checked > 15


POSITION = "2s2/5/5/5/5/2M2 5S4M5L 4s5m5l 1 3"
"""A position one move from that of the match, so that the search for it never ends early."""
