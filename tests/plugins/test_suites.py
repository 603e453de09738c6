"""The games of `plugins` pass the tests that every game must pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

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
