"""The command finds its own packages, and `import plybook` names packages that hide them."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import plybook_command
from plybook.packages import HOME, PACKAGES
from service.workers.process import PROGRAM, SAFE_PATH

INTRUDER = "raise SystemExit('the wrong package')\n"
COMMAND = "import plybook_command; plybook_command.main()"


def run(
    *arguments: str, folder: Path, path: tuple[Path, ...] = (HOME,)
) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with these folders first on its path."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        capture_output=True,
        text=True,
    )


@pytest.fixture(params=PACKAGES)
def intruder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Make a folder with a package with the name of a Plybook package."""
    package = tmp_path / "intruding" / request.param
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(INTRUDER)
    return package


@pytest.mark.parametrize(
    ("start", "where"),
    [(("-c", COMMAND), "PYTHONPATH"), (("-m", "plybook"), "current folder")],
    ids=["script", "module"],
)
def test_the_command_finds_its_own_packages(intruder, tmp_path, start, where):
    here = intruder.parent if where == "current folder" else tmp_path
    path = (HOME,) if where == "current folder" else (intruder.parent, HOME)
    ran = run(*start, "rules", "poptrix", "POP-2.1", folder=here, path=path)
    assert ran.returncode == 0, ran.stderr
    assert "POP-2.1" in ran.stdout


def test_worker_process_finds_its_packages(intruder):
    path = pickle.dumps([str(intruder.parent), *sys.path])
    ran = subprocess.run(
        [sys.executable, SAFE_PATH, "-c", PROGRAM.replace("main()", "import seeds, cli")],
        input=pickle.dumps(path),
        capture_output=True,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_import_error_names_package_that_hides_plybook(intruder, tmp_path):
    for ran in (
        run("-c", "import plybook", folder=intruder.parent),
        run("-c", "import plybook", folder=tmp_path, path=(intruder.parent, HOME)),
    ):
        assert ran.returncode == 1
        *_, last = ran.stderr.splitlines()
        assert last == (
            f"ImportError: {intruder} hides Plybook's package {intruder.name!r} in {HOME}:"
            " rename it, or remove its folder from Python's path"
        )


def test_import_error_names_module_that_hides_plybook(tmp_path):
    (tmp_path / "cli.py").write_text(INTRUDER)
    ran = run("-c", "import plybook", folder=tmp_path)
    assert f"ImportError: {tmp_path / 'cli.py'} hides Plybook's package 'cli'" in ran.stderr


def test_folder_without_modules_hides_no_package(tmp_path):
    (tmp_path / "cli").mkdir()
    assert run("-c", "import plybook", folder=tmp_path).returncode == 0


def test_command_names_a_foreign_package_loaded_first(intruder):
    (intruder / "__init__.py").write_text("")
    ran = run("-c", f"import {intruder.name}; {COMMAND}", "--help", folder=intruder.parent)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"plybook: {intruder} hides Plybook's package {intruder.name!r}")
    assert len(ran.stderr.splitlines()) == 1


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Install Plybook's packages into a folder, as a wheel does."""
    folder = tmp_path / "site"
    for name in (*PACKAGES, "plybook"):
        shutil.copytree(HOME / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HOME / "plybook_command.py", folder)
    return folder


@pytest.mark.parametrize("start", [("-c", COMMAND), ("-m", "plybook")], ids=["script", "module"])
def test_a_distribution_that_overwrote_a_package_is_noticed(site, tmp_path, start):
    (site / "cli" / "__init__.py").write_text(INTRUDER)  # as the wheel of another `cli` does
    ran = run(*start, "--help", folder=tmp_path, path=(site,))
    assert ran.returncode == 1
    assert "another distribution has overwritten Plybook's package 'cli'" in ran.stderr


def test_an_installed_copy_uses_its_own_packages(site, tmp_path):
    program = "import plybook, cli, domain; print(plybook.__file__, cli.__file__, domain.__file__)"
    ran = run("-c", program, folder=tmp_path, path=(site, HOME))
    assert ran.stderr == ""
    assert {Path(file).parents[1] for file in ran.stdout.split()} == {site}


def test_the_lists_of_packages_agree():
    project = tomllib.loads((HOME / "pyproject.toml").read_text())
    targets = project["tool"]["hatch"]["build"]["targets"]
    ours = {*PACKAGES, "plybook"}
    assert ours == plybook_command.PACKAGES
    assert {*ours, "plybook_command.py"} == set(targets["wheel"]["packages"])
    assert set(targets["wheel"]["packages"]) <= set(targets["sdist"]["include"])
