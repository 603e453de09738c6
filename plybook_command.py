"""The entry point of the command `plybook`, which finds Plybook's own packages first.

Packages of other distributions or folders may have the same names, like `cli`. This module stands
beside the packages, because importing `plybook` checks that nothing hides them.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

HOME = str(Path(__file__).resolve().parent)
PACKAGES = frozenset(("plybook", "domain", "replay", "service", "cli", "seeds"))


class OwnPackages:
    """Finds the packages beside this module, and leaves all others to Python's path.

    Putting `HOME` first on the path would let its other packages hide the standard library.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of one of our packages, or `None`."""
        return PathFinder.find_spec(name, [HOME]) if name in PACKAGES else None


# On import, for worker processes import the main module and do not run it.
sys.meta_path.insert(0, OwnPackages)


def main() -> None:
    """Run `plybook`, or say what keeps its packages from being imported."""
    try:
        import plybook  # noqa: F401  # checks the packages
        from cli import main as run
    except ImportError as error:
        if error.name not in PACKAGES:
            raise
        sys.exit(f"plybook: {error}")
    run()
