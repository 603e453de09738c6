"""The games of `plugins` pass the tests that every game must pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from replay import registry
from tests.paths import ROOT

FEWER = """
from plybook.testing.subjects import Subject, few

def pytest_collection_modifyitems(items):
    of = [getattr(item, "callspec", None) and item.callspec.params.get("subject") for item in items]
    items[:] = [
        item for item, subject in zip(items, of, strict=True)
        if not isinstance(subject, Subject) or not subject.seed and subject in few(subject.game)
    ]
"""
PLUGINS = ("chess", "hearts", "hive", "homeworlds", "tic-tac-toe", "whist")


@pytest.mark.slow
@pytest.mark.parametrize("name", PLUGINS)
def test_plugin_passes_the_suite(site, tmp_path, name):
    """Play one match of each of a few combinations of seats and options."""
    file = f"test_{name.replace('-', '_')}.py"
    shutil.copy(ROOT / "plugins" / name / file, tmp_path)
    (tmp_path / "conftest.py").write_text(FEWER)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", file],
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
