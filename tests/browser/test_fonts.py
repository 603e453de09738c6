"""The pages have no fault with other default fonts than this machine's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.launch import CHROMIUM
from tests.paths import ROOT

FOLDERS = (Path("/usr/share/fonts"), Path.home() / ".local/share/fonts")
FONTS = {
    "DejaVu Sans": ("DejaVuSans.ttf", "fonts-dejavu-core"),
    "Noto Sans": ("NotoSans-Regular.ttf", "fonts-noto-core"),
    "Liberation Sans": ("LiberationSans-Regular.ttf", "fonts-liberation"),
}
"""A file of each font, and Debian's package with it."""
CONFIGURATION = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <cachedir>{cache}</cachedir>
  <match target="pattern">
    <edit name="family" mode="prepend" binding="strong"><string>{family}</string></edit>
  </match>
</fontconfig>
"""
PAGES = "tests/browser/test_every_page.py::test_page_has_no_fault_on_a_phone"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("family", FONTS)
def test_pages_have_no_fault_with_font(family, tmp_path):
    file, package = FONTS[family]
    found = next((each for folder in FOLDERS for each in folder.rglob(file)), None)
    if found is None:
        pytest.skip(f"{family} is not installed (apt-get install {package})")
    configuration = tmp_path / "fonts.conf"
    given = {"folder": found.parent, "cache": tmp_path / "cache", "family": family}
    configuration.write_text(CONFIGURATION.format(**given), encoding="utf-8")
    environment = os.environ | {"FONTCONFIG_FILE": str(configuration)}
    matched = run("fc-match", "sans-serif", "file", environment=environment)
    assert found.name in matched.stdout
    tests = ("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", PAGES)
    done = run(sys.executable, *tests, environment=environment)
    assert done.returncode == 0, done.stdout[-5000:]


def run(*command: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
