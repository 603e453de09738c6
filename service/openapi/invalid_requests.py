"""Say in a sentence, and with a path, what is wrong with a parameter or a body."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from litestar import Request, Response
from litestar.exceptions import ValidationException
from litestar.typing import FieldDefinition

from service.http.problems import Problem, answer, answer_problem
from service.openapi.operations import LARGEST, operation_of, query_parameters

AnyRequest = Request[Any, Any, Any]

NUMBER: Final = re.compile("0|[1-9][0-9]{0,8}")
"""A number in a query, as it must be written."""

SHOWN: Final = 60
"""The number of characters of a wrong value that an answer repeats."""


def check_query(request: AnyRequest) -> None:
    """Refuse unknown query parameters of the API and invalid values.

    A misspelt parameter must not be ignored. Raises `Problem` 400.
    """
    handler: Any = request.route_handler
    if operation_of(handler) is None:
        return
    known = query_parameters(handler)
    for name, text in request.query_params.multi_items():
        if name not in known:
            there = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
            raise Problem(400, f"there is no query parameter {name!r} here; {there}", path=name)
        if len(request.query_params.getall(name)) > 1:
            raise Problem(400, f"{name} is given twice", path=name)
        _check_value(name, known[name], text)


def answer_invalid(request: AnyRequest, error: ValidationException) -> Response[bytes]:
    """Answer a request that lacks a parameter, or has an invalid one."""
    known, given = query_parameters(request.route_handler), request.query_params
    try:
        for name, field in known.items():
            if field.is_required and name not in given:
                raise Problem(400, f"the query parameter {name} is missing; add it", path=name)
            for text in given.getall(name, []):
                _check_value(name, field, text)
    except Problem as problem:
        return answer_problem(request, problem)
    return answer(400, "the address is not valid; write it as the schema does", path="path")


def _check_value(name: str, field: FieldDefinition, text: str) -> None:
    right = _misspelt(field, text)
    if right is not None:
        shown = repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")
        raise Problem(400, f"{shown} is not a valid {name}; use {right}", path=name)


def _misspelt(field: FieldDefinition, text: str) -> str | None:
    """Return what a parameter takes, if the value is something else."""
    values = [value for kind in _kinds(field.annotation) for value in get_args(kind)]
    if values:
        return None if text in values else f"one of {', '.join(values)}"
    if _is(bool, field):
        return None if text in ("true", "false") else "true or false"
    rule: Any = field.kwarg_definition
    if _is(int, field):
        least, most = rule.ge or 0, LARGEST if rule.le is None else rule.le
        fits = NUMBER.fullmatch(text) and least <= int(text) <= most
        return None if fits else f"a whole number from {least} to {most}"
    if rule.pattern is not None and not re.search(rule.pattern, text):
        return f"text that matches {rule.pattern}"
    least, most = rule.min_length or 0, rule.max_length
    if len(text) < least or (most is not None and len(text) > most):
        return f"text of {least} to {most} characters"
    return None


def _is(kind: type, field: FieldDefinition) -> bool:
    """Say whether a parameter is of a type; `bool` is a subclass of `int`, so ask for it first."""
    return field.has_inner_subclass_of(kind) or field.is_subclass_of(kind)


def _kinds(annotation: Any) -> Iterator[Any]:
    """Yield the `Literal` types of a type or a union."""
    if get_origin(annotation) is Literal:
        yield annotation
    elif get_origin(annotation) in (Union, UnionType):
        for part in get_args(annotation):
            yield from _kinds(part)
