"""Request bodies: JSON, decoded strictly, with the path of what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request
from msgspec import Raw, Struct

from service.problems import Problem

T = TypeVar("T")

PATH: Final = re.compile(r"(.*?)(?: - at `(.*)`)?", re.DOTALL)


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be opened. `options` and `players` by name and by seat: `{"1": "Jet"}`."""

    game: str
    options: dict[str, str | int] = {}
    seats: int | None = None
    players: dict[str, str] = {}


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event: a `token` of the notation, or a `move` as JSON with its `seat`."""

    token: str | None = None
    move: Raw = Raw()
    seat: int | None = None


class Entries(Struct, frozen=True, forbid_unknown_fields=True):
    """Events to be entered, all or none, upon the `expected` version."""

    events: list[Entry]
    expected: int | None = None


async def read(request: Request[Any, Any, Any], decoder: msgspec.json.Decoder[T]) -> T:
    """Return the decoded body. Raises `Problem` 415 or 400, with the JSON path."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem(415, "send application/json")
    return decode(decoder.decode, await request.body())


def decode(decoder: Callable[[bytes], T], body: bytes) -> T:
    """Decode JSON. Raises `Problem` 400 for whatever is wrong with it."""
    try:
        return decoder(body)
    except UnicodeDecodeError as error:
        raise Problem(400, f"the body is not UTF-8: byte {error.start}") from None
    except RecursionError:
        raise Problem(400, "the body is nested too deeply") from None
    except msgspec.DecodeError as error:
        message, path = PATH.fullmatch(str(error)).groups()  # type: ignore[union-attr]
        raise Problem(400, message, **({"path": path} if path else {})) from None
