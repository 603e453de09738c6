"""The demonstration match of each plug-in, recorded in a terminal to its end."""

from __future__ import annotations

import os
import re

import pytest

from domain.entry import move_text
from replay import rules_text
from replay.formats.export_formats import formats_of
from replay.formats.ply.reader import read_records
from replay.registry import find
from tests.conformance.door import PLUGINS
from tests.paths import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("game", PLUGINS)
def test_demonstration_is_recorded_in_a_terminal(
    game, site, plybook, plybook_terminal, tmp_path, monkeypatch
):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(site), str(ROOT))))
    rules = find(game)
    (demonstration,) = read_records(rules_text.demo(rules))
    played = demonstration.match
    line = [(ply.event.seat, move_text.write(rules, ply.event)) for ply in played.line]
    names = [f"P{seat + 1}" for seat in range(played.seats)]
    options = (
        f"--option={name}={value}" for name, value in rules.set_options(played.options).items()
    )
    session = plybook_terminal("record", "--plain", game, *names, *options)
    session.wait_for(r"\nP[^\n]*> \Z")
    for _, token in line:
        if secret := re.match(r"\d:(?=hand=|pass=)", token):
            session.press(f"{secret[0]}\n")
            session.wait_for("unseen> ")
        session.press(f"{token[secret.end() if secret else 0 :]}\n")
        session.wait_for(r"\n(P[^\n]*|over)> \Z")
    session.press("quit\n")
    match = re.search("plybook record ([0-9a-z]{12})", session.wait_for("go on with: .*\n"))[1]
    for name, form in formats_of(rules).items():
        file = tmp_path / f"match{form.ending}"
        assert plybook("export", match, "--format", name, "-o", file).code == 0
    (record,) = read_records((tmp_path / "match.ply").read_text())
    assert record.match.line == played.line
    assert plybook("show", match, "--json").json["plies"] == len(line)
    assert plybook("replay", "--plain", match).out
    fork = plybook("fork", f"{match}@{len(line)}").out.strip()
    seat, last = line[-1]
    assert plybook("takeback", f"{fork}@{len(line) - 1}").code == 0
    assert plybook("play", fork, last).code == 0
    # Nobody resigns while the others have sealed hands.
    other = last if rules.has_secrets else f"{seat}:resign"
    assert f"{other} instead of" in plybook("amend", f"{fork}@{len(line)}", other).out
    assert plybook("verify").out.count("verified") == 2
