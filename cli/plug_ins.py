"""Install the plug-ins of this project with pip, from its checkout or from an index."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from replay.errors import Usage

PLUG_INS: Final = (
    "backgammon",
    "bridge",
    "chess",
    "go",
    "hearts",
    "hive",
    "homeworlds",
    "openspiel",
    "whist",
)
FOLDER: Final = Path(__file__).parent.parent / "plugins"
"""The plug-ins of a checkout."""


def install_plug_in(name: str, index: str | None = None) -> str:
    """Install a plug-in into this Python, and return the message to print.

    Raises `Usage` for another name, without a place to install from, without pip, and if pip fails.
    """
    if name not in PLUG_INS:
        raise Usage(f"{name!r} is not a plug-in of this project; use one of {', '.join(PLUG_INS)}")
    place = FOLDER / name
    if index is None and not place.is_dir():
        raise Usage(
            f"{place} is not there; run this in the checkout of Plybook, or name an index that has "
            f"plybook-{name} with --index URL"
        )
    source = [str(place)] if index is None else ["--index-url", index, f"plybook-{name}"]
    if find_spec("pip") is None:
        raise Usage(
            f"{sys.executable} has no pip; use `pipx inject plybook {place}`, or "
            f"`uv pip install --python {sys.executable} {' '.join(source)}`"
        )
    # Standard output is for our own words.
    ran = subprocess.run([sys.executable, "-m", "pip", "install", *source], stdout=2)
    if ran.returncode:
        raise Usage(
            f"pip could not install {name}, as it says above; what {name} needs comes from the "
            "network, so try again with a connection"
        )
    return f"installed {name}; a server that runs has it once it is started again"
