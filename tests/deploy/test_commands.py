"""The commands in the files and on the page of deployment are those of `plybook`."""

from __future__ import annotations

import pytest

from tests.deploy.files import DEPLOY, ROOT, calls, unknown

TEXTS = [*sorted(path for path in DEPLOY.iterdir() if path.is_file()), ROOT / "docs/databases.md"]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_options_of_a_command_exist(path):
    assert {call: wrong for call in calls(path.read_text()) if (wrong := unknown(call))} == {}


def test_commands_in_the_texts_are_found():
    found = {path.name: {call.name for call in calls(path.read_text())} for path in TEXTS}
    assert found["plybook.service"] == {"serve"}
    assert found["plybook-backup.service"] == {"backup"}
    assert {"copy", "doctor", "verify"} <= found["databases.md"]
