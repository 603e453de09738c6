"""Install the sixth game from a wheel layout, in a folder outside `sys.path`.

An installer creates the package and a `.dist-info` folder with the entry points. This module
creates both from the distribution's `pyproject.toml`, without a network.
"""

from __future__ import annotations

import contextlib
import importlib
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from replay import registry

SIXTH = Path(__file__).parent.parent / "sixth"
STACKS = SIXTH.parent / "stacks"
PLUGINS = (
    "backgammon",
    "bridge",
    "chess",
    "go",
    "hearts",
    "hive",
    "homeworlds",
    "tic-tac-toe",
    "whist",
)
"""The folders of `plugins` whose games need no other package."""


def install(source: Path, site: Path) -> None:
    """Install the distribution in the folder `source` into the folder `site`."""
    file = tomllib.loads((source / "pyproject.toml").read_text())
    project = file["project"]
    package = project["name"].replace("-", "_")
    if "tool" in file:
        package = file["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"][0]
    shutil.copytree(source / package, site / package, ignore=shutil.ignore_patterns("__pycache__"))
    info = site / f"{package}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    groups = project["entry-points"].items()
    (info / "entry_points.txt").write_text(
        "\n".join(
            f"[{group}]\n" + "\n".join(f"{name} = {value}" for name, value in points.items())
            for group, points in groups
        )
    )


@contextlib.contextmanager
def opened(site: Path) -> Iterator[None]:
    """Let the registry find the games installed in `site`, within the block."""
    sys.path.insert(0, str(site))
    importlib.invalidate_caches()
    registry._plugins.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        registry._plugins.cache_clear()
