"""Length limits of texts in requests: the settings', within those of the record format.

Each text field is marked with its `Bound`. Decoding and the schema both take the number from
`longest`, so they agree.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple

from msgspec import Meta, inspect

from replay.annotations.notation import LONGEST_COMMENT
from replay.corrections.adjustments import LONGEST_REASON
from replay.tags.match_tags import LONGEST_VALUE
from replay.tags.name_rules import LONGEST_NAME
from service.http.problems import Problem
from service.settings import Settings

MARK: Final = "x-bound"
"""The schema key for a type's bound, until the settings are known."""


class Bound(NamedTuple):
    """A text's limit: a setting, and the limit of the record format for any source."""

    setting: Literal["longest_name", "longest_text"]
    ceiling: int

    def longest(self, settings: Settings) -> int:
        """Return the most characters allowed."""
        set_to: int = getattr(settings, self.setting)
        return min(set_to or self.ceiling, self.ceiling)

    def mark(self) -> Meta:
        """Return the annotation that bounds the texts of a type."""
        return Meta(extra={MARK: self}, extra_json_schema=self.marked())

    def marked(self) -> dict[str, Any]:
        """Return the annotation for the schema of such a type."""
        return {MARK: [*self]}


MOST_TOKENS: Final = 1000
"""The most tokens that lead to a position in the explorer."""

SHOWN: Final = 20
"""The number of characters that identify a text in an error."""

NAME: Final = Bound("longest_name", LONGEST_NAME)
TAG: Final = Bound("longest_text", LONGEST_VALUE)
REASON: Final = Bound("longest_text", LONGEST_REASON)
COMMENT: Final = Bound("longest_text", LONGEST_COMMENT)


class _Field(NamedTuple):
    """A field with bounded texts: its names in Python and in JSON."""

    attribute: str
    name: str
    bound: Bound


def check_body(settings: Settings, body: object) -> None:
    """Raise `Problem` 400 for the first text of a body that is too long."""
    kind: Any = type(body)
    for field in _fields(kind):
        value = getattr(body, field.attribute)
        if isinstance(value, dict):
            for key, text in value.items():
                check(settings, field.bound, text, f"$.{field.name}.{key}")
        elif value is not None:
            check(settings, field.bound, value, f"$.{field.name}")


def check(settings: Settings, bound: Bound, text: str, path: str | None = None) -> None:
    """Raise `Problem` 400 for a text that is too long; `path` is its JSON path."""
    most = bound.longest(settings)
    if len(text) > most:
        wrong = f"{text[:SHOWN]!r}… has {len(text)} characters; at most {most} are taken here"
        raise Problem(400, wrong, **({"path": path} if path else {}))


def apply_limits(settings: Settings, schema: Any) -> Any:
    """Return a schema with the limits in force in place of the marks."""
    if isinstance(schema, list):
        return [apply_limits(settings, part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: apply_limits(settings, part) for name, part in schema.items() if name != MARK}
    if MARK not in schema:
        return parts
    return parts | {"maxLength": Bound(*schema[MARK]).longest(settings)}


@functools.cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    """Return the fields of a body that are bounded texts, or objects with such fields."""
    struct: Any = inspect.type_info(kind)
    return tuple(
        _Field(field.name, field.encode_name, bound)
        for field in struct.fields
        for bound in _bounds(field.type)
    )


def _bounds(kind: Any) -> Iterator[Bound]:
    match kind:
        case inspect.UnionType():
            for part in kind.types:
                yield from _bounds(part)
        case inspect.DictType():
            yield from _bounds(kind.value_type)
        case inspect.Metadata(extra=dict() as extra) if MARK in extra:
            yield extra[MARK]
        case inspect.Metadata():
            yield from _bounds(kind.type)
