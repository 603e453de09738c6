"""The words of fields for the schema: the docstrings under the fields of structs.

A field without a docstring has the meaning of the field of the same name in a struct of `COMMON`. A
tab has no sources, and shows no words.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct, structs

from replay.library.match_state import MatchSummary
from service.field_docstrings import field_docstrings
from service.live.hook_news import BookDelivery
from service.models.requests import MatchOpening, NewAnnotation, PositionAdjustment
from service.models.responses import DryRun, Refusal

COMMON: Final = (
    MatchSummary,
    Refusal,
    NewAnnotation,
    DryRun,
    PositionAdjustment,
    MatchOpening,
    BookDelivery,
)
"""The structs whose fields describe all fields of the same name without a docstring."""
TAG: Final = "The tag that names the kind of object."
UNKNOWN_PART: Final = "A part of the object; its game or the documentation says which."
"""The description of a field without a docstring, such as a field of a plug-in's move."""


def describe_fields(kind: type[Struct], schema: dict[str, Any]) -> None:
    """Add a description to each property of the component of a struct that lacks one."""
    names = {field.encode_name: field.name for field in structs.fields(kind)}
    for field, part in schema.get("properties", {}).items():
        words = words_of(kind, names[field]) if field in names else TAG
        part.setdefault("description", words or UNKNOWN_PART)


def words_of(kind: type[Struct], field: str) -> str | None:
    """Return the docstring of a struct's field, or `None` if it has none."""
    places = (*kind.__mro__, *COMMON)
    return next(filter(None, (field_docstrings(place).get(field) for place in places)), None)
