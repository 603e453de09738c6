"""The words of fields are the docstrings under them."""

from __future__ import annotations

import sys
from types import ModuleType

from msgspec import Struct, field

from service import field_docstrings
from service.openapi import field_words
from service.openapi.field_words import UNKNOWN_PART, describe_fields, words_of


class Base(Struct):
    own: int
    """Words of the base, which
    wrap."""
    seat: int
    silent: int


class Derived(Base, tag="derived"):
    own: int
    """Words of the derived."""
    from_: str = field(name="from")
    """Where it begins."""


def test_words_are_the_docstring_of_the_nearest_class():
    assert words_of(Base, "own") == "Words of the base, which wrap."
    assert words_of(Derived, "own") == "Words of the derived."


def test_field_without_words_means_what_its_name_means_everywhere():
    assert words_of(Derived, "seat") == "The number of a seat, from 1."
    assert words_of(Derived, "silent") is None


def test_schema_has_the_words_by_the_names_in_json():
    schema = {"properties": {"from": {}, "silent": {}, "type": {}, "own": {"description": "Kept."}}}
    describe_fields(Derived, schema)
    said = {name: part["description"] for name, part in schema["properties"].items()}
    assert said == {
        "from": "Where it begins.",
        "silent": UNKNOWN_PART,
        "type": field_words.TAG,
        "own": "Kept.",
    }


def test_module_without_source_has_no_words(monkeypatch):
    monkeypatch.setitem(sys.modules, "without_source", ModuleType("without_source"))
    assert field_docstrings._documented_in("without_source") == {}
