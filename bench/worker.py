"""Measure one row in this process: `python -m bench.worker NAME`.

It prints `Ready`, and a `Sampled` for each line that it reads; or `Failed` and no more.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from bench import rows
from bench.row import Figure, NotMeasured, explain


class Ready(Struct, frozen=True, tag=True):
    figures: Sequence[Figure]
    rounds: int
    explained: str


class Sampled(Struct, frozen=True, tag=True):
    """The values of the row's figures, measured once."""

    values: Sequence[float]


class Failed(Struct, frozen=True, tag=True):
    """The row cannot be measured."""

    why: str


Message = Ready | Sampled | Failed


def main(name: str) -> None:
    """Prepare the row, then measure it for each line of standard input."""
    try:
        row = rows.find(name)
        with row.prepared() as sample:
            _say(Ready(row.figures, row.rounds, explain(row)))
            for _ in sys.stdin:
                _say(Sampled(sample()))
    except NotMeasured as error:
        _say(Failed(str(error)))
    except Exception as error:
        _say(Failed(f"{type(error).__name__}: {error}"))


def _say(message: Message) -> None:
    sys.stdout.write(msgspec.json.encode(message).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
