"""Compile the shim `disk.c`, and load it into a server."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_name("disk.c")
CONTROL: Final = struct.Struct("=iii")


def compiler() -> str | None:
    return shutil.which("gcc") or shutil.which("cc")


def build(folder: Path) -> Path:
    made = folder / "disk.so"
    command = [str(compiler()), "-O2", "-Wall", "-shared", "-fPIC", "-o", str(made), str(SOURCE)]
    subprocess.run([*command, "-ldl"], check=True)
    return made


def journaling(library: Path, database: Path, journal: Path) -> dict[str, str]:
    """Return the environment of a server whose writes are also recorded in a journal."""
    return {
        "LD_PRELOAD": str(library),
        "FAULTS_DATABASE": str(database),
        "FAULTS_JOURNAL": str(journal),
    }


class FailingDisk:
    """A disk whose errors can be switched on and off while a server uses it."""

    def __init__(self, library: Path, database: Path, control: Path) -> None:
        self._control = control
        self.heal()
        self.environment = {
            "LD_PRELOAD": str(library),
            "FAULTS_DATABASE": str(database),
            "FAULTS_CONTROL": str(control),
        }

    def fail(self, write_error: int, sync_error: int, per_mille: int) -> None:
        """Let `thousandth` calls in a thousand fail from now on, with these error numbers."""
        self._set(write_error, sync_error, per_mille)

    def heal(self) -> None:
        self._set(0, 0, 0)

    def _set(self, *numbers: int) -> None:
        # Rewritten in place, as the server has mapped the file.
        with self._control.open("r+b" if self._control.exists() else "w+b") as file:
            file.write(CONTROL.pack(*numbers))
