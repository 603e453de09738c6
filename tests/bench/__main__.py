"""Run the benchmarks and print their tables."""

from __future__ import annotations

import argparse
import sys

MISSING = """\
The benchmarks compare with python-chess, which is not installed: it comes with the extra "bench",
as in pip install -e '.[bench]'."""

EXPLAINED = """
Medians of {rounds} rounds. "× chess" is how many times as fast it goes as the same kind of work
in python-chess {chess}, timed just before and after: a move parsed, found legal, pushed and its
outcome asked for ("refereed", and for folding too), a move of a random playout, a perft node.
Moves are refereed by the game alone, events by a match around it. The aim of folding says that
200 events cost no more than 50 moves that python-chess referees. Events re-read are those of a
match of 500 that a new book reads from SQLite."""


def main() -> None:
    """Read the arguments, time the jobs, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "subject", nargs="*", help="only these games; by default all; or load, of the service"
    )
    parser.add_argument("--rounds", type=int, help="how often each is timed; 15, for load 3")
    parser.add_argument("--seconds", type=int, default=5, help="of load, each time")
    arguments = parser.parse_args()
    if arguments.subject == ["load"]:
        from tests.bench.load import run

        run.main(arguments.rounds or 3, arguments.seconds)
    else:
        _games(arguments.subject, arguments.rounds or 15)


def _games(subjects: list[str], rounds: int) -> None:
    try:
        import chess
    except ImportError:
        sys.exit(MISSING)
    from tests.bench import report
    from tests.bench.suites import jobs
    from tests.bench.timing import timed

    chosen = [job for job in jobs() if job.subject in (subjects or (job.subject,))]
    for line in report.lines(timed(chosen, rounds)):
        print(line)
    print(EXPLAINED.format(rounds=rounds, chess=chess.__version__))


main()
