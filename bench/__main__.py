"""Run the benchmarks and print their figures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from bench import checkouts, machine, report, rows
from bench.checkouts import Measured
from bench.row import NotMeasured
from tests.paths import ROOT

RESULTS = Path(__file__).with_name("RESULTS.md")
SHOWN = RESULTS.relative_to(ROOT)


def main() -> None:
    """Read the arguments and measure. Exit with status 1 if a row could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(rows.KINDS)};"
                        " with a size as in list:5000")  # fmt: skip
    parser.add_argument("--full", action="store_true", help="large books, too")
    parser.add_argument("--rounds", type=int, help="how often each row is measured")
    parser.add_argument("--check", action="store_true", help="fail if an aim is missed")
    parser.add_argument("--json", action="store_true", help="print JSON")
    after = parser.add_mutually_exclusive_group()
    after.add_argument("--write", action="store_true", help=f"write {SHOWN}")
    after.add_argument("--compare", metavar="REF", help="measure another commit in turn")
    chosen = parser.parse_args()
    if chosen.rounds is not None and chosen.rounds < 1:
        parser.error("--rounds is at least 1")
    names = chosen.rows or rows.names(full=chosen.full)
    try:
        for name in names:
            rows.split(name)
        good = (_compare if chosen.compare else _measure)(names, chosen)
    except NotMeasured as error:
        sys.exit(str(error))
    sys.exit(not good)


def _measure(names: list[str], chosen: argparse.Namespace) -> bool:
    """Print the rows; return whether all were measured."""
    described = machine.describe(checkouts.short_name())
    found: list[Measured] = []
    if not chosen.json:
        print(report.head())
    for name in names:
        [row] = checkouts.measure(name, [ROOT], chosen.rounds)
        found.append(row)
        if not chosen.json:
            print(*report.lines(row), sep="\n", flush=True)
    if chosen.json:
        _print_json({"machine": described, "rows": [report.plain(row) for row in found]})
    if chosen.write:
        command = " ".join(("python -m bench", *sys.argv[1:]))
        RESULTS.write_text(report.markdown(found, described, command))
    missed = chosen.check and any(map(report.is_missed, found))
    return not (missed or any(row.failed for row in found))


def _compare(names: list[str], chosen: argparse.Namespace) -> bool:
    """Print how rows changed since a commit; return whether all were measured on both."""
    ref = checkouts.short_name(chosen.compare)
    pairs: list[list[Measured]] = []
    if not chosen.json:
        print(report.head(f"to {ref}"))
    with checkouts.commit(ref) as before:
        for name in names:
            pairs.append(checkouts.measure(name, [before, ROOT], chosen.rounds))
            if not chosen.json:
                print(*report.compared(*pairs[-1], ref), sep="\n", flush=True)
    if chosen.json:
        told = [{"before": report.plain(old), "now": report.plain(new)} for old, new in pairs]
        _print_json({"before": ref, "rows": told})
    return not any(row.failed for pair in pairs for row in pair)


def _print_json(value: object) -> None:
    print(msgspec.json.encode(value).decode())


main()
