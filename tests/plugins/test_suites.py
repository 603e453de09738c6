"""The games of `plugins` pass the tests that every game must pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from replay import registry
from tests.paths import ROOT

PLUGINS = ("chess", "hearts", "hive", "homeworlds", "tic-tac-toe", "whist")


@pytest.mark.slow
@pytest.mark.parametrize("name", PLUGINS)
def test_plugin_passes_the_suite(site, tmp_path, name):
    """Play one match of each number of seats with all options."""
    file = f"test_{name.replace('-', '_')}.py"
    shutil.copy(ROOT / "plugins" / name / file, tmp_path)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "not s1", file],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout
    assert " passed" in ran.stdout


def test_missing_openspiel_is_named_with_its_installation(site, monkeypatch):
    # The package is in no lock, so it is mostly missing here; it must be missing for this test.
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    sys.modules.pop("plybook_openspiel", None)
    registry._plugins.cache_clear()
    reasons = {one.name: one.reason for one in registry.broken()}
    assert "pip install open_spiel" in reasons["openspiel"]
