"""The seeds of a game: a demonstration match, and the matches for other tests."""

from __future__ import annotations

import pytest

from domain.games import BUILT_IN
from replay import rules_text
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import write_record
from tests.conformance.door import opened
from tests.conformance.subjects import GAMES, SITE
from tests.paths import FIXTURES


def records(text: str) -> list[Record]:
    """Read records, which must be legal and in canonical form."""
    with opened(SITE):
        found = list(read_records(text))
    assert all(isinstance(record, Record) for record in found), found
    assert "".join(map(write_record, found)) == text
    return found


def is_told(record: Record) -> bool:
    """Return whether a record is complete and has comments."""
    comments = sum(len(node.comments) for node in record.line.nodes)
    return record.match.state.position.outcome() is not None and comments >= 3


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_game_brings_one_complete_commented_demo(game):
    [record] = records(rules_text.demo(game))
    assert record.game is game
    assert is_told(record)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_each_game_has_two_commented_matches(slug):
    found = records((FIXTURES / slug / "commented.ply").read_text(encoding="utf-8"))
    assert len(found) >= 2
    assert all(map(is_told, found))


@pytest.mark.parametrize("slug", BUILT_IN)
def test_rules_describe_positions_and_show_start(slug):
    game = GAMES[slug]
    _, _, told = rules_text.text(game).partition("## Positions\n")
    assert f"```\n{game.write_position(game.start())}\n```" in told
