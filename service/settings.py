"""The operator's settings of the service."""

from __future__ import annotations

from msgspec import Struct


class Settings(Struct, frozen=True):
    """Limits of the service. A limit of 0 disables it.

    `requests_per_minute` applies to each token and each address, `matches_per_hour` to each
    address, `events_per_match` to a match's log, `streams_per_address` to concurrently open
    streams. An idle stream sends a heartbeat every `heartbeat` seconds. `hooks_anywhere` lets
    WebHooks call loopback and private addresses; `lists_all` makes the library list matches that
    are not public, for a private server.

    `longest_import` is the largest import or check in bytes, `events_per_import` the most events in
    it, variations included, `variations_per_import` the most variations or forks, `variation_depth`
    their deepest nesting. `longest_name` is the most characters in the name of a player, a fork or
    an author, `longest_text` in any other text: a comment, a reason, a tag. The limits of the
    record format apply whatever these allow.

    `host_names` are the names accepted in `Host`; an empty set accepts all. A request's header must
    arrive within `header_timeout` seconds and its body within `body_timeout`; an idle connection
    stays open for `keep_alive` seconds. `connections` is the most connections at a time. With a
    `metrics_port`, metrics are answered on that port only, and nothing else is.

    Expensive work (pictures, exports, refereeing records) runs in `workers` processes; 0 means one
    less than the number of processors. At most `queue_length` jobs wait for them. An animation
    shows at most `plies_per_picture` plies.

    Matches of about `cache_mb` megabytes are kept ready for their next move.
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
    cache_mb: int = 256
    host_names: tuple[str, ...] = ()
    header_timeout: float = 10.0
    body_timeout: float = 30.0
    keep_alive: int = 5
    connections: int = 10_000
    metrics_port: int | None = None
