"""The operator's settings of the service, each declared once.

`plybook serve` makes its options, its environment variables and the keys of its file from these
declarations, and `docs/server.md` is tested against them. The docstring under a setting is its
meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, NamedTuple, get_type_hints

from msgspec import Meta, Struct, json, structs

from service.field_docstrings import field_docstrings

Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0)]

MAX_WORKERS: Final = 256
"""The most worker processes; each takes some 60 MB."""

ANCESTOR: Final = r"'self'|\*|https?:|(https?://)?(\*\.)?[\w-]+(\.[\w-]+)*(:([0-9]{1,5}|\*))?/?"
ANCESTORS: Final = rf"^('none'|({ANCESTOR})( ({ANCESTOR}))*)\Z"
"""The sources of a Content-Security-Policy that can be ancestors: no other scheme can frame."""

ANYWHERE: Final = ("0.0.0.0", "::")

OPTIONS: Final = {"host_names": "host-name"}
"""The names of options that differ from their fields."""


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a server. For a limit, 0 means unlimited."""

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    """The address to listen on, IPv4 or IPv6."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    """The port; 0 takes a free one."""
    lan: bool = False
    """Listens on every address, and prints the address and a QR code for phones."""
    host_names: tuple[str, ...] = ()
    """Answers requests for this name, too; repeat the option for more names."""
    root_path: Annotated[str, Meta(min_length=1)] | None = None
    """The path under which a reverse proxy serves Plybook, like `/plybook`."""
    forwarded_prefix: bool = False
    """Takes that path from `X-Forwarded-Prefix`, which the proxy must set."""
    metrics_port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """A port only for `/metrics`."""
    db: Annotated[str, Meta(min_length=1)] | None = None
    """The database: a file, or the URL of one in PostgreSQL."""
    demo: bool = False
    """Puts a commented match of each game into the book first; without `--db`, into a book of its
    own."""

    requests_per_minute: Count = 1200
    """Requests of one token or one address."""
    matches_per_hour: Count = 100
    """Matches opened from one address."""
    streams_per_address: Count = 100
    """Live streams open at one time."""
    events_per_match: Count = 10_000
    """Events in the log of a match."""
    longest_name: Count = 100
    """Characters of the name of a player, a fork or an author."""
    longest_text: Count = 10_000
    """Characters of a comment, a reason or a tag."""

    longest_import: Count = 1024 * 1024
    """Bytes of an import or a check."""
    matches_per_import: Count = 100
    """Records, or matches of an archive, in one request."""
    events_per_import: Count = 20_000
    """Events in all records of one request, with their variations."""
    variations_per_import: Count = 500
    """Variations in all records of one request."""
    variation_depth: Count = 16
    """How deep variations nest."""

    workers: Annotated[int, Meta(ge=0, le=MAX_WORKERS)] = 0
    """Processes for pictures, exports and records; 0 means one less than there are processors."""
    queue_length: Count = 256
    """Pieces of work that may wait for the workers."""
    plies_per_picture: Count = 200
    """Plies that an animation shows."""
    cache_mb: Count = 256
    """Megabytes of matches that the server keeps in memory."""

    header_timeout: Seconds = 10.0
    """Seconds in which the header of a request must arrive."""
    body_timeout: Seconds = 30.0
    """Seconds in which the body of a request must arrive."""
    keep_alive: Count = 5
    """Seconds for which an idle connection stays open."""
    longest_header: Count = 32 * 1024
    """Bytes of the header of a request, with its address and cookies."""
    connections: Count = 10_000
    """Connections open at one time."""
    heartbeat: Annotated[float, Meta(gt=0)] = 15.0
    """Seconds between two heartbeats of an idle live stream."""

    access_log: Literal["off", "text", "json"] = "off"
    """Logs each request to standard output, as `text` or `json`."""

    otel: bool = False
    """Exports OpenTelemetry spans, as the `OTEL_` variables say."""

    frame_ancestors: Annotated[str, Meta(pattern=ANCESTORS)] = "'none'"
    """Which sites may frame the pages, like `'self'`, as `frame-ancestors` of a
    Content-Security-Policy says."""

    site: Annotated[str, Meta(min_length=1)] | None = None
    """A folder that `plybook site` wrote: pages at secure addresses offer to keep Plybook on the
    phone."""
    hooks_anywhere: bool = False
    """Lets WebHooks call this machine and private addresses."""
    lists_all: bool = False
    """Lists unlisted matches in the library too, for a club or a home."""

    @property
    def is_everywhere(self) -> bool:
        """Whether the server listens at every address of its machine."""
        return self.lan or self.host in ANYWHERE


class Declaration(NamedTuple):
    """A declared setting: its field, the name of its option, its type, default and meaning.

    `right` names the values it accepts: "a whole number from 0 to 65535".
    """

    field: str
    option: str
    type: Any
    default: Any
    meaning: str
    right: str

    @property
    def variable(self) -> str:
        """The name of its environment variable."""
        return f"PLYBOOK_{self.option.upper().replace('-', '_')}"


def declarations() -> Iterator[Declaration]:
    """Yield the declared settings in order."""
    types, words = get_type_hints(Settings, include_extras=True), field_docstrings(Settings)
    schemas = json.schema(Settings)["$defs"]["Settings"]["properties"]
    for field in structs.fields(Settings):
        name = field.name
        option = OPTIONS.get(name, name.replace("_", "-"))
        told = words.get(name, "")  # empty without sources
        meaning = told[:1].lower() + told[1:].removesuffix(".")
        right = _right(schemas[name])
        yield Declaration(name, option, types[name], field.default, meaning, right)


def _right(schema: dict[str, Any]) -> str:
    """Describe the values that a schema allows."""
    match schema:
        case {"anyOf": [part, *_]}:
            return _right(part)
        case {"enum": [*values]}:
            return f"one of {', '.join(values)}"
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "array"}:
            return "a name, or several"
        case {"type": "string", "pattern": _}:
            return "'none', or 'self', * and addresses like https://club.example between spaces"
        case {"type": "string", "minLength": _}:
            return "a text that is not empty"
        case {"type": "string"}:
            return "a text"
        case {"minimum": least, "maximum": most}:
            return f"a whole number from {least} to {most}"
        case {"exclusiveMinimum": least}:
            return f"a number above {least}"
    whole = "whole " if schema["type"] == "integer" else ""
    return f"a {whole}number from {schema['minimum']} on"
