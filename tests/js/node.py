"""Node, which runs the modules of the pages without a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache

import pytest

from tests.paths import ROOT

PLAIN_MODULES = (20, 19)
"""The version from which Node reads a `.js` file with `import` as a module."""


@cache
def node() -> str:
    """Return the path of Node, or skip the test without a new one."""
    found = shutil.which("node")
    if found is not None:
        version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        if tuple(map(int, re.findall(r"\d+", version)[:2])) >= PLAIN_MODULES:
            return found
    pytest.skip("unit tests of JavaScript need Node 20.19 or newer")


def run(*arguments: str, stdin: str = "") -> str:
    """Run Node in the checkout, and return what it writes."""
    ran = subprocess.run(
        [node(), *arguments], input=stdin, capture_output=True, text=True, cwd=ROOT
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout
