"""What whoever runs the service decides about it."""

from __future__ import annotations

from msgspec import Struct


class Settings(Struct, frozen=True):
    """Limits of the service. A limit of 0 is none.

    `requests_per_minute` holds for a token and for an address, `matches_per_hour` for an address,
    `events_per_match` for the log of a match, `streams_per_address` for streams open at one time;
    a stream without news says every `heartbeat` seconds that it is alive. `hooks_anywhere` lets
    WebHooks call loopback and private addresses, `lists_all` shows in the library what is not
    public too (a house of its own). `longest_import` is how many bytes of records may be sent to
    be imported or checked, `events_per_import` how many events all of them may have, those in
    variations too, `variations_per_import` how many variations or forks, `variation_depth` how
    deep these nest. `longest_name` is how many characters the name of a player, a fork or an
    author may have, and `longest_text` any other text: a comment, a reason, a tag. What no record
    may have is refused whatever they allow. `host_names` are the names that requests may have in
    `Host`; without any, all are answered. The header of a request has `header_timeout` seconds to
    come, and its body `body_timeout`; then a connection stays open for `keep_alive` seconds. There
    are at most so many `connections` at a time. With a `metrics_port`, metrics are answered there,
    and nothing else is.

    Expensive work (pictures, exports, refereeing records) is done by so many `workers`, processes
    of their own; 0 is one less than there are processors. At most `queue_length` pieces of work
    wait for them. An animation shows at most `plies_per_picture` plies.
    """

    requests_per_minute: int = 1200
    matches_per_hour: int = 100
    events_per_match: int = 10_000
    streams_per_address: int = 100
    heartbeat: float = 15.0
    hooks_anywhere: bool = False
    lists_all: bool = False
    longest_import: int = 1024 * 1024
    events_per_import: int = 20_000
    variations_per_import: int = 500
    variation_depth: int = 16
    longest_name: int = 100
    longest_text: int = 10_000
    workers: int = 0
    queue_length: int = 32
    plies_per_picture: int = 200
    host_names: tuple[str, ...] = ()
    header_timeout: float = 10.0
    body_timeout: float = 30.0
    keep_alive: int = 5
    connections: int = 10_000
    metrics_port: int | None = None
