"""On import, check that Python finds Plybook's own packages under their names; load names late."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

PACKAGES: Final = ("domain", "replay", "service", "cli", "seeds")

HOME: Final = Path(__file__).resolve().parents[1]

SIGN: Final = "Plybook"
"""The docstring of each of our packages contains this word; a foreign package lacks it."""

STARTS: Final = ("plybook", "-mplybook")


def check_packages() -> None:
    """Raise `ImportError` if Python finds a foreign module or package under a name of ours."""
    for name in PACKAGES:
        found = _place(find_spec(name))
        if found is None:
            raise ImportError(f"Plybook is incomplete: {HOME / name} is missing", name=name)
        if found.resolve().parent != HOME:
            raise ImportError(
                f"{found} hides Plybook's package {name!r} in {HOME}:"
                " rename it, or remove its folder from Python's path",
                name=name,
                path=str(found),
            )
        if SIGN not in (found / "__init__.py").read_text(encoding="utf-8", errors="replace"):
            raise ImportError(
                f"another distribution has overwritten Plybook's package {name!r} in {found}:"
                " reinstall Plybook in an environment of its own",
                name=name,
                path=str(found),
            )


def lazy_names(
    module: str, origins: Mapping[str, str], also: Sequence[str] = ()
) -> Callable[[str], Any]:
    """Return a module's `__getattr__` that imports names on first use (PEP 562).

    `origins` are like `{"perft": "domain.perft:perft"}`; any other name may come from a module of
    `also`.
    """

    def find(name: str) -> Any:
        path, _, attribute = origins.get(name, "").partition(":")
        for origin in (path,) if path else also:
            found = import_module(origin)
            if path or hasattr(found, name):
                value = getattr(found, attribute or name)
                setattr(sys.modules[module], name, value)
                return value
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return find


def _place(spec: ModuleSpec | None) -> Path | None:
    """Return the folder of a package, or the file of a module."""
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    return Path(spec.origin or "")


def _starts_as_command() -> bool:
    """Say whether `python -m plybook` is starting: `argv[0]` is `-m` during its package search."""
    return sys.argv[:1] == ["-m"] and sys.orig_argv[-len(sys.argv)] in STARTS


if _starts_as_command():
    import plybook_command  # noqa: F401  # finds our packages first

check_packages()
