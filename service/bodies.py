"""Request bodies: JSON, decoded strictly, with the path of what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from litestar import Request
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from replay.clock import Clock
from replay.visibility import Visibility
from service.problems import Problem

T = TypeVar("T")

PATH: Final = re.compile(r"(.*?)(?: - at `(.*)`)?", re.DOTALL)

Id = Annotated[str, Meta(pattern=r"^[\x21-\x7e]{1,200}\Z")]
Seat = Annotated[int, Meta(ge=1, le=9)]
Version = Annotated[int, Meta(ge=0, le=2**53)]


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be opened. `options` and `players` by name and by seat: `{"1": "Jet"}`."""

    game: str
    options: dict[str, str | int] = {}
    seats: Seat | None = None
    players: dict[str, str] = {}
    visibility: Visibility = "unlisted"
    dice: Literal["table", "service"] = "table"
    clock: Clock | None = None


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event: a `token` of the notation, or a `move` as JSON with its `seat`.

    `roll` asks the service for dice, where it rolls. An `id` of the caller's own makes a retry
    harmless.
    """

    token: str | None = None
    move: Raw | UnsetType = UNSET
    seat: Seat | None = None
    roll: bool = False
    id: Id | None = None


class Entries(Struct, frozen=True, forbid_unknown_fields=True):
    """Events to be entered, all or none, upon the `expected` version."""

    events: Annotated[list[Entry], Meta(min_length=1, max_length=1000)]
    expected: Version | None = None


class Inviting(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to be let in: another host, the player of a seat, or a viewer."""

    role: Literal["host", "seat", "viewer"]
    seat: Seat | None = None


class Showing(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may find and read the match from now on."""

    visibility: Visibility


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
