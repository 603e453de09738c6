"""Encode events for the store: JSON, and for secret moves a commitment and a separate secret."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any, Final, Literal, Union, cast, get_args

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from domain.events import FoundLater, LineEvent, Moved, Unsure
from domain.game import Game
from domain.log_edits import Amended
from domain.match import LogEvent
from domain.position import Move, Secret
from replay.errors import Damaged
from replay.store.hash_chain import framed
from replay.store.types import NewEvent, StoredEvent
from replay.texts import visible_json

SALT: Final = 16
"""Bytes of salt before the payload of a sealed move, so that a guess cannot be verified."""

PSEUDONYM: Final = 32
AUTHORED: Final = re.compile(rb',"author":"([0-9a-f]{%d})"\}$' % PSEUDONYM)

PLAIN: Final[msgspec.json.Decoder[LogEvent]] = msgspec.json.Decoder(
    Union[tuple(kind for kind in get_args(LogEvent) if kind not in (Moved, Amended))]  # noqa: UP007
)
"""Reads the events whose stored form equals their form in memory."""


class _Moved(Struct, tag_field="type", tag="moved", forbid_unknown_fields=True):
    """The stored form of `moved`. `commitment`, in hex, replaces the secret of a sealed move."""

    seat: int
    move: Raw
    commitment: str | None = None
    unsure: Unsure = UNSET
    reconstructed: FoundLater | UnsetType = UNSET


class _Amended(Struct, tag_field="type", tag="amended", forbid_unknown_fields=True):
    """The stored form of `amended`."""

    ply: int
    how: Literal["replaced", "inserted", "deleted"]
    event: Raw
    stood: int
    more: bool = False
    positions: dict[int, str] | UnsetType = UNSET


class _Tagged(Struct):
    type: str


AMENDED: Final = msgspec.json.Decoder(_Amended)
MOVED: Final = msgspec.json.Decoder(_Moved)


def encode(
    game: Game[Any],
    event: LogEvent,
    *,
    event_id: bytes,
    actor: str,
    at: int,
    account: bytes | None = None,
) -> NewEvent:
    """Encode an event for the store, with the pseudonym of an `account` as its author.

    `at` is in milliseconds since 1970.
    """
    if account is not None:
        plain = encode(game, event, event_id=event_id, actor=actor, at=at)
        author = f',"author":"{pseudonym(account, event_id)}"}}'.encode()
        return msgspec.structs.replace(plain, data=plain.data[:-1] + author)
    kind = str(event.__struct_config__.tag)
    if not (isinstance(event, Moved) and isinstance(event.move, Secret)):
        return NewEvent(event_id, kind, actor, at, msgspec.json.encode(event))
    secret = secrets.token_bytes(SALT) + msgspec.json.encode(event.move)
    data = {
        "type": kind,
        "seat": event.seat,
        "move": conceal(event.move),
        "commitment": commitment(secret),
    }
    if event.unsure:
        data["unsure"] = True
    return NewEvent(event_id, kind, actor, at, msgspec.json.encode(data), secret)


def decode(game: Game[Any], stored: StoredEvent) -> LogEvent:
    """Decode a stored event. Raises `Damaged` if it cannot be read.

    If the secret is withheld, every field of the move is `None`, which suffices to fold a match
    that never reveals it.
    """
    try:
        if stored.type == "moved":
            moved = MOVED.decode(_plain(stored))
            move = _move(game, moved, stored)
            return Moved(moved.seat, move, moved.unsure, moved.reconstructed)
        if stored.type == "amended":
            return _amended(game, stored)
        data = _plain(stored)
        plain, shown = PLAIN.decode(data), visible_json(data)
        return plain if shown is data else PLAIN.decode(shown)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"event {stored.version} cannot be read: {error}") from None


def pseudonym(account: bytes, salt: bytes) -> str:
    """Return the name of an account in an event, which differs from event to event."""
    return hashlib.sha256(framed(account, salt)).hexdigest()[:PSEUDONYM]


def author_of(stored: StoredEvent) -> str | None:
    """Return the pseudonym of the account that entered an event, or `None`."""
    found = AUTHORED.search(stored.data)
    return found[1].decode() if found else None


def _plain(stored: StoredEvent) -> bytes:
    """Return an event as JSON, without the author that follows its own fields."""
    data = stored.data
    return AUTHORED.sub(b"}", data) if data.endswith(b'"}') else data


def is_sealed(stored: StoredEvent) -> bool:
    """Return whether the event was stored as a commitment."""
    return stored.sealed is not None or b'"commitment":' in stored.data


def is_withheld(stored: StoredEvent) -> bool:
    """Return whether the event is sealed and its secret is absent, as in an imported archive."""
    return stored.sealed is None and is_sealed(stored)


def commitment_holds(stored: StoredEvent) -> bool:
    """Return whether the stored secret matches the event's commitment; only a move has one."""
    if stored.sealed is None:
        return True
    return stored.type == "moved" and MOVED.decode(_plain(stored)).commitment == commitment(
        stored.sealed
    )


def commitment(secret: bytes) -> str:
    """Return the salted digest of a secret: SHA-256 over salt and payload, each framed."""
    salt, payload = secret[:SALT], secret[SALT:]
    return hashlib.sha256(framed(salt, payload)).hexdigest()


def conceal(move: Move[Any]) -> dict[str, Any]:
    """Return the public part of a secret move: its kind."""
    return {"type": str(move.__struct_config__.tag)}


def _amended(game: Game[Any], stored: StoredEvent) -> Amended:
    amended = AMENDED.decode(_plain(stored))
    event: LineEvent | None = None
    if bytes(amended.event) != b"null":
        kind = msgspec.json.decode(amended.event, type=_Tagged).type
        # An amended event was revealed before, so even a secret move is stored in plain text.
        inner = msgspec.structs.replace(stored, type=kind, data=bytes(amended.event), sealed=None)
        event = cast("LineEvent", decode(game, inner))
    return Amended(amended.ply, amended.how, event, amended.stood, amended.more, amended.positions)


def _move(game: Game[Any], moved: _Moved, stored: StoredEvent) -> Move[Any]:
    if moved.commitment is None:
        return game.decode(bytes(moved.move))
    if stored.sealed is not None:
        return game.decode(stored.sealed[SALT:])
    return _blank(game, msgspec.json.decode(moved.move, type=_Tagged).type)


def _blank(game: Game[Any], tag: str) -> Move[Any]:
    for kind in game.moves:
        if issubclass(kind, Secret) and kind.__struct_config__.tag == tag:
            return kind(*(None for _ in kind.__struct_fields__))
    raise msgspec.ValidationError(f"{game.name} has no secret move {tag!r}")
