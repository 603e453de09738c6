"""The operator's settings of the service, each declared once.

`plybook serve` makes its options, its environment variables and the keys of its file from these
declarations, and `docs/server.md` is tested against them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, NamedTuple, get_type_hints

from msgspec import Meta, Struct, json, structs

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

    host: Annotated[
        str, Meta(min_length=1, description="the address to listen on, IPv4 or IPv6")
    ] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="the port; 0 takes a free one")] = 8000
    lan: Annotated[
        bool,
        Meta(
            description="listens on every address, and prints the address and a QR code for phones"
        ),
    ] = False
    host_names: Annotated[
        tuple[str, ...],
        Meta(description="answers requests for this name, too; repeat the option for more names"),
    ] = ()
    root_path: Annotated[
        Annotated[str, Meta(min_length=1)] | None,
        Meta(description="the path under which a reverse proxy serves Plybook, like `/plybook`"),
    ] = None
    forwarded_prefix: Annotated[
        bool,
        Meta(description="takes that path from `X-Forwarded-Prefix`, which the proxy must set"),
    ] = False
    metrics_port: Annotated[
        Annotated[int, Meta(ge=1, le=65535)] | None,
        Meta(description="a port only for `/metrics`"),
    ] = None
    db: Annotated[
        Annotated[str, Meta(min_length=1)] | None,
        Meta(description="the database: a file, or the URL of one in PostgreSQL"),
    ] = None
    demo: Annotated[
        bool,
        Meta(
            description="puts a commented match of each game into the book first;"
            " without `--db`, into a book of its own"
        ),
    ] = False

    requests_per_minute: Annotated[
        Count, Meta(description="requests of one token or one address")
    ] = 1200
    matches_per_hour: Annotated[Count, Meta(description="matches opened from one address")] = 100
    streams_per_address: Annotated[Count, Meta(description="live streams open at one time")] = 100
    events_per_match: Annotated[Count, Meta(description="events in the log of a match")] = 10_000
    longest_name: Annotated[
        Count, Meta(description="characters of the name of a player, a fork or an author")
    ] = 100
    longest_text: Annotated[
        Count, Meta(description="characters of a comment, a reason or a tag")
    ] = 10_000

    longest_import: Annotated[Count, Meta(description="bytes of an import or a check")] = (
        1024 * 1024
    )
    matches_per_import: Annotated[
        Count, Meta(description="records, or matches of an archive, in one request")
    ] = 100
    events_per_import: Annotated[
        Count, Meta(description="events in all records of one request, with their variations")
    ] = 20_000
    variations_per_import: Annotated[
        Count, Meta(description="variations in all records of one request")
    ] = 500
    variation_depth: Annotated[Count, Meta(description="how deep variations nest")] = 16

    workers: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_WORKERS,
            description="processes for pictures, exports and records;"
            " 0 means one less than there are processors",
        ),
    ] = 0
    queue_length: Annotated[
        Count, Meta(description="pieces of work that may wait for the workers")
    ] = 256
    plies_per_picture: Annotated[Count, Meta(description="plies that an animation shows")] = 200
    cache_mb: Annotated[
        Count, Meta(description="megabytes of matches that the server keeps in memory")
    ] = 256

    header_timeout: Annotated[
        Seconds, Meta(description="seconds in which the header of a request must arrive")
    ] = 10.0
    body_timeout: Annotated[
        Seconds, Meta(description="seconds in which the body of a request must arrive")
    ] = 30.0
    keep_alive: Annotated[
        Count, Meta(description="seconds for which an idle connection stays open")
    ] = 5
    longest_header: Annotated[
        Count, Meta(description="bytes of the header of a request, with its address and cookies")
    ] = 32 * 1024
    connections: Annotated[Count, Meta(description="connections open at one time")] = 10_000
    heartbeat: Annotated[
        float, Meta(gt=0, description="seconds between two heartbeats of an idle live stream")
    ] = 15.0

    access_log: Annotated[
        Literal["off", "text", "json"],
        Meta(description="logs each request to standard output, as `text` or `json`"),
    ] = "off"

    otel: Annotated[
        bool, Meta(description="exports OpenTelemetry spans, as the `OTEL_` variables say")
    ] = False

    frame_ancestors: Annotated[
        str,
        Meta(
            pattern=ANCESTORS,
            description="which sites may frame the pages,"
            " like `'self'`, as `frame-ancestors` of a Content-Security-Policy says",
        ),
    ] = "'none'"

    site: Annotated[
        Annotated[str, Meta(min_length=1)] | None,
        Meta(
            description="a folder that `plybook site` wrote:"
            " pages at secure addresses offer to keep Plybook on the phone"
        ),
    ] = None
    hooks_anywhere: Annotated[
        bool, Meta(description="lets WebHooks call this machine and private addresses")
    ] = False
    lists_all: Annotated[
        bool,
        Meta(description="lists unlisted matches in the library too, for a club or a home"),
    ] = False

    @property
    def is_everywhere(self) -> bool:
        """Whether the server listens at every address of its machine."""
        return self.lan or self.host in ANYWHERE


class Declaration(NamedTuple):
    """A declared setting: its field, the name of its option, its type, default and meaning.

    `right` says which values it takes: "a whole number from 0 to 65535".
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
    types = get_type_hints(Settings, include_extras=True)
    schemas = json.schema(Settings)["$defs"]["Settings"]["properties"]
    for field in structs.fields(Settings):
        name, schema = field.name, schemas[field.name]
        option = OPTIONS.get(name, name.replace("_", "-"))
        meaning, right = schema["description"], _right(schema)
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
