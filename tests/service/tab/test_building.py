"""A site is written whole or not at all, and never over other files."""

from __future__ import annotations

import gzip
from importlib.metadata import distributions
from pathlib import Path

import pytest

from replay.errors import Usage
from service.tab import building, downloads, packing

MAX_BYTES = 10_000_000
MAX_UPDATE = 1_850_000
"""Limits with gzip, as brotli at its best level takes long; it makes three quarters of that."""


def test_folder_with_other_files_is_left_alone(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(Usage, match="has other files"):
        building.build(folder, tmp_path / "cache")
    assert [path.name for path in tmp_path.rglob("*")] == ["photos", "cat.jpg"]


def test_site_needs_an_existing_parent_folder(tmp_path):
    with pytest.raises(Usage, match="is not a folder; make it first"):
        building.build(tmp_path / "none" / "site", tmp_path / "cache")


def test_missing_program_is_named_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Usage, match=r"npm is not installed; a site is built with Node\.js"):
        building.build(tmp_path / "site", tmp_path / "cache")
    assert [*(tmp_path / "cache").iterdir()] == []
    assert not (tmp_path / "site").exists()


def test_part_with_another_digest_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(
        downloads, "run", lambda *command: Path(command[-1], "x.tgz").write_bytes(b"x")
    )
    with pytest.raises(Usage, match=r"x\.tgz is not the Pyodide that this Plybook knows"):
        downloads.pyodide(tmp_path)


def test_archive_is_the_same_for_the_same_contents():
    contents = {"b.pyc": b"2", "a.pyc": b"1"}
    assert packing.packed(contents) == packing.packed(dict(contents))
    assert packing.packed(contents) != packing.packed({"b.pyc": b"2"})


def test_site_has_all_games_of_plybook(tmp_path):
    packed = packing.plybook()
    for name, content in packed.items():
        if ".dist-info/" in name:
            packing.place(tmp_path / name, content)
    (found,) = distributions(path=[str(tmp_path)])
    games = {each.name: each.module for each in found.entry_points}
    assert [*games] == ["free-board", "score-sheet"]
    assert all(f"{name.replace('.', '/')}/__init__.py" in packed for name in games.values())


@pytest.mark.slow
def test_site_is_small_to_fetch(site):
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in site.rglob("*.*")}
    assert sum(sizes.values()) < MAX_BYTES
    assert sum(size for name, size in sizes.items() if name.startswith("plybook-")) < MAX_UPDATE
