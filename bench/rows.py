"""The rows by name. `kind:N` sets the size of a row: matches, games, connections, plies."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from bench.row import NotMeasured, Row

KINDS: Final = {
    "http-move": "load.moves:Moves",
    "http-many": "load.many_matches:ManyMatches",
    "http-long": "load.lengths:LongMatch",
    "http-streams": "load.following:Following",
    "http-account": "load.account:FollowingAccount",
    "http-servers": "load.several:SeveralServers",
    "http-fair": "load.fairness:BesideLongWork",
    "http-fair-imports": "load.fairness:BesideImports",
    "http-phones": "load.fairness:Phones",
    "calls": "calls:Calling",
    "poptrix": "games:Poptrix",
    "blockade": "games:Blockade",
    "power-play": "games:PowerPlay",
    "pyramid-ball": "games:PyramidBall",
    "cube-pyramid": "games:CubePyramid",
    "generate": "generating:Generating",
    "referee": "refereeing:Refereeing",
    "dataset": "sampling:Sampling",
    "reconstruct": "reconstructing:Reconstructing",
    "search": "contests:Contests",
    "learning": "learning:Learning",
    "reopen": "reopening:Reopening",
    "import": "importing:Importing",
    "list": "listing:Listing",
    "verify": "verifying:Verifying",
    "gif": "animating:Animating",
    "gif-ply": "animating:DrawingPlies",
    "growth": "growth:Growth",
    "evening": "evening:EveningPage",
    "reads": "reading:Reading",
    "reads-postgres": "reading:ReadingPostgres",
    "upkeep": "upkeep:Upkeep",
    "pocket": "pocket:Pocket",
}
"""The class of each row, below `bench`. Only a row's own process imports it."""

LARGE: Final = {
    "http-move": ("http-move:1", "http-move:32", "http-move:100"),
    "import": ("import:10000",),
    "list": ("list:1000", "list:5000", "list:10000"),
    "verify": ("verify:10000",),
    "growth": ("growth:10000", "growth:100000"),
    "reads": ("reads:10000", "reads:100000"),
    "reads-postgres": ("reads-postgres:10000",),
    "upkeep": ("upkeep:10000", "upkeep:100000"),
}
"""The rows of `--full` where they differ from those by default."""


def names(*, full: bool) -> list[str]:
    """Return the names of the rows measured by default, or by `--full`."""
    return [name for kind in KINDS for name in (LARGE.get(kind, (kind,)) if full else (kind,))]


def find(name: str) -> Row:
    """Return the row of a name. Raises `NotMeasured` for an unknown one."""
    kind, size = split(name)
    module, _, row = KINDS[kind].partition(":")
    made: Row = getattr(import_module(f"bench.{module}"), row)(*size)
    return made


def split(name: str) -> tuple[str, list[int]]:
    """Return the kind of a row, and its size if the name has one. Raises `NotMeasured`."""
    kind, _, size = name.partition(":")
    if kind not in KINDS or not (size.isdecimal() or kind == name):
        raise NotMeasured(f"there is no row {name!r}; the rows are {', '.join(KINDS)}")
    return kind, [int(size)] if size else []
