"""The games of `plugins` pass the tests that every game must pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from replay import registry
from tests.paths import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "hearts", "hive", "homeworlds"])
def test_plugin_passes_the_suite(site, tmp_path, name):
    """Play one match with two seats; the file in the folder of the game plays all of them."""
    shutil.copy(ROOT / "plugins" / name / f"test_{name}.py", tmp_path)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", f"{name}-2-s0 or {name}-4-s0 or [{name}]"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
        capture_output=True,
        text=True,
    )
    *_, summary = ran.stdout.splitlines()
    assert "passed" in summary
    assert "failed" not in summary


def test_games_of_openspiel_name_what_they_need(site, monkeypatch):
    # The package is in no lock, so it is mostly missing here; it must be missing for this test.
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    sys.modules.pop("plybook_openspiel", None)
    registry._plugins.cache_clear()
    reasons = {one.name: one.reason for one in registry.broken()}
    assert "pip install open_spiel" in reasons["openspiel"]
