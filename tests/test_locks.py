"""The installed packages of the documented commands are pinned and checked by hash."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.paths import ROOT

LOCKS = ("requirements.lock", "requirements-build.lock", "requirements-test.lock")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def pinned(lock: str) -> dict[str, tuple[str, list[str]]]:
    """Return the version and the hashes of each package of a lock."""
    text = (ROOT / lock).read_text().replace("\\\n", "")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found = [
        re.fullmatch(r"([\w.-]+)==(\S+)(?: ;[^-]*)?((?:\s+--hash=\S+)*)\s*", one) for one in lines
    ]
    assert all(found), lines[found.index(None)]
    return {
        one[1]: (one[2], re.findall("--hash=sha256:[0-9a-f]{64}", one[3])) for one in found if one
    }


def normal(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub("[-_.]+", "-", found[0]).lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_hashes(lock):
    packages = pinned(lock)
    assert [name for name, (_, hashes) in packages.items() if not hashes] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_names_the_command_that_makes_it(lock):
    first, command, *_ = (ROOT / lock).read_text().splitlines()
    assert first.startswith("# ")
    assert "uv pip compile --universal --python-version 3.11 --generate-hashes" in command
    assert f"-o {lock}" in command


def test_every_requirement_is_locked():
    served, built = PROJECT["project"]["dependencies"], PROJECT["dependency-groups"]["build"]
    assert set(map(normal, served)) <= set(pinned("requirements.lock"))
    assert set(map(normal, built)) <= set(pinned("requirements-build.lock"))
    assert set(map(normal, built)).isdisjoint(pinned("requirements.lock"))
    assert set(PROJECT["build-system"]["requires"]) <= set(PROJECT["dependency-groups"]["build"])


def test_locks_pin_the_same_versions():
    *others, tested = map(pinned, LOCKS)
    for lock in others:
        assert lock == {name: tested[name] for name in lock}
    extras = PROJECT["project"]["optional-dependencies"]
    others = {normal(each) for extra in extras.values() for each in extra} - {"plybook"}
    assert others <= set(tested)
