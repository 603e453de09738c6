"""Turn an error in the JSON of a body into a sentence and a path."""

from __future__ import annotations

import re
from typing import Final

from service.http.problems import WHOLE, Problem
from service.models.renamed import FormerName, present_name

KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "null": "null",
    "array": "an array",
    "object": "an object",
}
"""The types of JSON, as msgspec calls them, in words."""
PATH: Final = re.compile(r"(.*?)(?: - at `(?:key` in `)?(.*?)`)?", re.DOTALL)
"""A message of msgspec, and the path at its end."""
UNKNOWN: Final = "{path} is not a field; leave it out"
MESSAGES: Final = tuple(
    (re.compile(pattern, re.DOTALL), names.split(), words)
    for pattern, names, words in (
        ("Object missing required field `(.*)`", "name", "{path} is missing; add it"),
        ("Object contains unknown field `(.*)`", "name", UNKNOWN),
        ("Expected `([^`]*)`, got `(.*)`", "kind got", "{path} is {got}; use {kind}"),
        ("Expected `([^`]*)`", "kind", "{path} is of another type; use {kind}"),
        (r"Expected `\w+` >= (.*)", "least", "{path} is too small; use {least} or more"),
        (r"Expected `\w+` <= (.*)", "most", "{path} is too large; use {most} or less"),
        (
            "Expected `str` matching regex '(.*)'",
            "pattern",
            "{path} is not valid; use text that matches {pattern}",
        ),
        (
            r"Expected `(\w+)` of length >= (.*)",
            "kind least",
            "{path} is too short; use {kind} of length {least} or more",
        ),
        (
            r"Expected `(\w+)` of length <= (.*)",
            "kind most",
            "{path} is too long; use {kind} of length {most} or less",
        ),
        (
            "Invalid (?:enum )?value (.*)",
            "value",
            "{value} is not a valid value of {path}; use a value of the schema",
        ),
        ("(?:Number|Integer value) out of range", "", "{path} is too large; use a smaller number"),
        ("JSON is malformed: (.*)", "why", "the body is not valid JSON: {why}"),
        ("Input data was truncated", "", "the body is not valid JSON: it ends too early"),
        ("(.*; use .*)", "sentence", "{sentence}"),
    )
)
"""Messages of msgspec, the names of their groups, and our sentences; a field may override them."""


def describe_fault(said: str, where: str) -> Problem:
    """Return the problem for a message of msgspec about the JSON at a path of the body."""
    found = PATH.fullmatch(said)
    assert found is not None
    message, path = found[1], where + (found[2] or WHOLE).removeprefix(WHOLE)
    for pattern, names, words in MESSAGES:
        match = pattern.fullmatch(message)
        if match is not None:
            parts = dict(zip(names, match.groups(), strict=True))
            path = f"{path}.{parts.pop('name')}" if "name" in parts else path
            if words is UNKNOWN and (former := present_name(path)):
                return FormerName(400, former, path=path)
            return _fault(path, words, _in_words(parts))
    return _fault(path, "{path} is not valid", {})


def _fault(path: str, words: str, parts: dict[str, str]) -> Problem:
    subject = "the body" if path == WHOLE else path
    return Problem(400, words.format(path=subject, **parts), path=path)


def _in_words(parts: dict[str, str]) -> dict[str, str]:
    """Put types into words, and a pattern as people write it."""
    told = {"pattern": parts["pattern"].replace("\\\\", "\\")} if "pattern" in parts else {}
    for name in ("kind", "got"):
        if name in parts:
            told[name] = " or ".join(KINDS.get(each, each) for each in parts[name].split(" | "))
    return parts | told
