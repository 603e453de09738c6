"""Complete and broken games of an independent implementation of the rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.entry.move_text import legal_texts
from domain.games import BUILT_IN, built_in
from domain.perft import divide, perft
from replay.formats.ply.model import RecordFault
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import write_record
from tests.paths import FIXTURES
from tests.replay.formats.ply.texts import rejected
from tests.token_play import play_texts

LISTING = [slug for slug in BUILT_IN if built_in(slug).lists_all]


def cases(slug: str, name: str) -> list[dict[str, Any]]:
    text = (FIXTURES / slug / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("slug", BUILT_IN)
def test_complete_games_are_accepted_and_rewritten_unchanged(slug):
    path = FIXTURES / slug / "games.ply"
    with path.open("rb") as lines:
        records = list(read_records(lines))
    assert [record for record in records if isinstance(record, RecordFault)] == []
    assert all(record.tag("Result") == record.result for record in records)
    assert "".join(map(write_record, records)).encode() == path.read_bytes()


@pytest.mark.parametrize("slug", BUILT_IN)
def test_broken_games_are_refused_with_move_and_clause(slug):
    for case in cases(slug, "bad.jsonl"):
        fault = rejected(case["record"])
        expected = case["move_index"], case["clause"], case["token"]
        assert (fault.event, fault.clause, fault.text) == expected
        # No seat is awaited after the end.
        assert fault.seat in (case.get("seat", fault.seat), None)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_broken_games_are_refused_at_the_place(slug):
    for case in cases(slug, "bad.jsonl"):
        fault = rejected(case["record"])
        line = case["record"].split("\n")[fault.line - 1]
        assert line[fault.column - 1 :].split(" ")[0] == case["token"]


@pytest.mark.parametrize("slug", LISTING)
def test_legal_tokens(slug):
    game = built_in(slug)
    for case in cases(slug, "legal.jsonl"):
        match = play_texts(game, case["after"], seats=case["seats"], **case["options"])
        assert legal_texts(game, match.state) == case["legal"]


@pytest.mark.parametrize("slug", LISTING)
def test_perft(slug):
    [counts] = cases(slug, "perft.json")
    game = built_in(slug)
    start = game.start()
    assert {depth: perft(game, start, int(depth)) for depth in counts} == counts


@pytest.mark.parametrize("slug", LISTING)
def test_divide_is_perft_by_first_move(slug):
    game = built_in(slug)
    start = game.start()
    counts = divide(game, start, 2)
    assert list(counts) == legal_texts(game, play_texts(game, "").state)
    assert sum(counts.values()) == perft(game, start, 2)
