"""The command line `plybook`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `plybook`. Exit status 1: refused, or a record that fails; 2: the request is wrong."""
    from cli.app import app
    from replay.errors import PlybookError, Usage

    try:
        app(arguments, prog_name="plybook")
    except PlybookError as error:
        sys.stdout.flush()
        print(f"plybook: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, Usage) else 1)
    except (BrokenPipeError, KeyboardInterrupt):
        # The reader has gone, or the person has: neither wants to hear about it.
        sys.stderr.close()
        sys.exit(130)
