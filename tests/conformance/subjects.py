"""The games under test: the built-in ones, the installed sixth game, whist and Hearts."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

from plybook.testing.positions import add_records
from plybook.testing.subjects import Subject, subjects
from replay import registry
from tests.conformance import door

# Tests are collected before any fixture can install the sixth game.
SITE = Path(tempfile.mkdtemp(prefix="plybook-site-"))
atexit.register(shutil.rmtree, SITE, ignore_errors=True)
door.install(door.SIXTH, SITE)
door.install(door.STACKS, SITE)
for _name in ("whist", "hearts"):
    door.install(Path(__file__).parents[2] / "plugins" / _name, SITE)
with door.opened(SITE):
    GAMES = registry.games()

FIXTURES = Path(__file__).parents[2] / "fixtures"

for _game in GAMES.values():
    _records = FIXTURES / _game.slug / "games.ply"
    if _records.exists():  # recorded matches reach later positions than random ones
        add_records(_game, _records.read_text(encoding="utf-8"))

HEARTS = GAMES.pop("hearts")
"""Its matches are long, so that only the tests of secrets over HTTP play a few of them."""

SUBJECTS: list[Subject] = [subject for game in GAMES.values() for subject in subjects(game)]
WITH_SECRETS = [subject for subject in SUBJECTS if subject.game.has_secrets]
WITH_SECRETS += subjects(HEARTS)[:2]
