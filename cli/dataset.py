"""The command for data sets: dataset."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from typing import Annotated, Final

import typer

from cli.output import GameName, write_bytes

MAX_ITEMS: Final = 10_000_000
"""The largest data set; its digests take about one gigabyte of memory."""


def dataset(
    game: GameName,
    items: Annotated[int, typer.Option(min=1, max=MAX_ITEMS, help="The number of moves.")] = 1000,
    seed: Annotated[int, typer.Option(help="The seed; the same seed gives the same data set.")] = 1,
) -> None:
    """Print judged moves of random matches.

    JSON lines, half of them of illegal moves. Each has its position, the moves that led there, and
    the answer of the referee: whether the move is legal, or the clause that it breaks.

    Examples:
        plybook dataset poptrix --items 10
        plybook dataset poptrix --items 10 --seed 7
    """
    from replay import registry
    from replay.sampling.dataset import judged_moves

    for line in judged_moves(registry.find(game), items, seed):
        write_bytes(line + b"\n")
