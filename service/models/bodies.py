"""The only place where bodies of requests are decoded. Errors carry the path of the wrong value.

This is *safer* than Litestar's decoding, which takes `"2"` for 2, any content type and a field
twice (`tests/contract/test_strictness.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request

from service.http import text_limits
from service.http.problems import WHOLE, Problem
from service.models.body_faults import describe_fault

T = TypeVar("T")

STRING: Final = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"')
"""A string in JSON; the group matches a member name with its quotes."""


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON is decoded strictly, as the `data` of its handler.

    This is *safer* than Litestar's own decoding, which converts `"2"` to 2, accepts any media type
    and repeated names, and fails at deep nesting (`tests/contract/test_strictness.py`).
    """

    async def json(self) -> Any:
        """Return the body as the type of `data`. Raises `Problem` 415, or 400 with a path."""
        field = self.route_handler.parsed_data_field
        return read(self, await self.body(), Any if field is None else field.annotation)


def read(request: Request[Any, Any, Any], body: bytes, kind: Any) -> Any:
    """Return the decoded body of a request. Raises `Problem` 415 or 400, with the JSON path.

    Only this function enforces the text limits of the settings.
    """
    sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if sent != "application/json":
        raise Problem(415, "send application/json")
    value = decode(_decoder(kind).decode, body)
    _demand_single_names(body)
    text_limits.check_body(request.app.state.settings, value)
    return value


async def read_bytes(request: Request[Any, Any, Any]) -> bytes:
    """Return a body of another media type, which the route decodes as a record."""
    return await request.body()


def read_empty(request: Request[Any, Any, Any]) -> None:
    """Read a body that did not come, as Litestar does not. Raises `Problem`."""
    field = request.route_handler.parsed_data_field
    if field is not None:
        read(request, b"", field.annotation)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def decode(decoder: Callable[[bytes], T], body: bytes, path: str = WHOLE) -> T:
    """Decode JSON, or the part of a body at a path. Raises `Problem` 400 for any error in it."""
    try:
        return decoder(body)
    except UnicodeDecodeError as error:
        wrong = f"the body is not UTF-8: byte {error.start}"
        raise Problem(400, wrong) from None
    except RecursionError:
        raise Problem(400, "the body is nested too deeply") from None
    except msgspec.DecodeError as error:
        if "got `float`" in str(error) and (whole := _with_whole_numbers(body)) != body:
            return decode(decoder, whole, path)
        raise describe_fault(str(error), path) from None


def _with_whole_numbers(body: bytes) -> bytes:
    """Return valid JSON with `2.0` as `2`, because JSON Schema treats both as the same number."""
    return msgspec.json.encode(_whole(msgspec.json.decode(body)))


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return (
        int(value) if isinstance(value, float) and value % 1 == 0 <= abs(value) <= 2**53 else value
    )


def _demand_single_names(body: bytes) -> None:
    """Refuse objects with a duplicate name, because JSON readers differ in the value they take.

    Raises `Problem` 400. `body` is JSON. It is parsed only if a name occurs twice anywhere, or
    contains an escape, to find out whether an object has a name twice.
    """
    names = list(filter(None, STRING.findall(body)))
    if len(set(names)) == len(names) and b"\\" not in b"".join(names):
        return
    try:
        # Numbers stay text: int() raises ValueError for more than 4,300 digits.
        json.loads(body, object_pairs_hook=_single, parse_int=str, parse_float=str)
    except RecursionError:
        raise Problem(400, "the body is nested too deeply") from None


def _single(pairs: list[tuple[str, object]]) -> None:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Problem(400, f"an object has {twice!r} twice")
