"""Exports to Abstract Play fit its schema, and show each seat's moves by round."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from domain.events import Ruled
from replay import registry
from replay.book import Book
from replay.errors import Usage
from replay.formats.abstract_play import write_game_record
from replay.formats.ply.importer import import_record
from replay.formats.ply.reader import read_records
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.opening import open_match
from replay.tags.match_tags import tag

FIELDS = json.loads(Path("fixtures/abstract-play/fields.json").read_text(encoding="utf-8"))
COMMENTED = sorted(Path("fixtures").glob("*/commented.ply"))


def exported(book: Book, record: MatchRecord) -> dict[str, Any]:
    return json.loads(write_game_record(book, record))


def assert_fields(part: dict[str, Any], name: str) -> None:
    """Assert that the part has all required fields of its schema, and no unknown ones."""
    known = FIELDS[name]
    assert set(known["required"]) <= part.keys(), name
    if not known.get("others allowed"):
        assert part.keys() <= {*known["required"], *known["optional"]}, name


def assert_fits_the_schema(record: dict[str, Any]) -> None:
    header = record["header"]
    assert_fields(record, "record")
    assert_fields(header, "header")
    assert_fields(header["game"], "game")
    assert_fields(header["site"], "site")
    for name in ("date-start", "date-end", "date-generated"):
        assert datetime.fromisoformat(header[name]).tzinfo
    assert header["date-start"] <= header["date-end"]
    players = header["players"]
    for player in players:
        assert_fields(player, "player")
        assert type(player["result"]) is int
    assert len({json.dumps(player) for player in players}) == len(players), "they are unique"
    variants = header["game"]["variants"]
    assert len(set(variants)) == len(variants)
    assert ("event" in header) == ("round" in header)
    for entries in record["moves"]:
        assert len(entries) == len(players)
        for entry in entries:
            if isinstance(entry, dict):
                assert_fields(entry, "move")
            else:
                assert entry is None or isinstance(entry, str)


@pytest.mark.parametrize("path", COMMENTED, ids=lambda path: path.parent.name)
def test_every_game_fits_the_schema_without_losing_moves(book, path):
    with path.open("rb") as lines:
        records = list(read_records(lines))
    for record in records:
        made = exported(book, import_record(book, record))
        assert_fits_the_schema(made)
        told = [
            move
            for entries in made["moves"]
            for entry in entries
            if entry
            for move in entry.split()
        ]
        assert len(told) == len(record.match.line)


def poptrix(book: Book, *tokens: str, **facts: str) -> MatchRecord:
    opened = open_match(book, registry.find("poptrix"), players={1: "Jet", 2: "Red"})
    if facts:
        tag(book, opened, facts)
    return entering.play(book, opened, tokens)


def test_moves_are_in_rounds_and_winners_score_higher(book):
    won = poptrix(book, "M@c1", "S@c6", "c1>L@c3", "2:resign")
    record = exported(book, won)
    assert record["moves"] == [["M@c1", "S@c6"], ["c1>L@c3", "resign"]]
    named = [(each["name"], each["result"]) for each in record["header"]["players"]]
    assert named == [("Jet", 1), ("Red", 0)]
    assert record["header"]["site"] == {"name": "Plybook", "gameid": won.id}


def test_draw_has_equal_results(book):
    drawn = poptrix(book, "M@c1", "1:offer-draw", "2:accept-draw")
    record = exported(book, drawn)
    assert len({each["result"] for each in record["header"]["players"]}) == 1
    assert record["moves"] == [["M@c1 offer-draw", "accept-draw"]]


def test_ruling_is_exported_with_the_last_move(book):
    record = poptrix(book, "M@c1", "S@c6")
    ruled = entering.play(book, record, [Ruled("won", 2, "Jet had to leave")])
    assert exported(book, ruled)["moves"] == [
        ["M@c1", {"move": "S@c6", "result": "ruled=+2: Jet had to leave"}]
    ]


def test_match_without_a_result_is_refused(book):
    for tokens in (["M@c1"], ["ruled=*"]):
        with pytest.raises(Usage, match="Abstract Play"):
            write_game_record(book, poptrix(book, *tokens))


def test_export_has_event_only_with_round(book):
    with_both = exported(book, poptrix(book, "ruled==", Event="Cup", Round="2"))["header"]
    assert (with_both["event"], with_both["round"]) == ("Cup", "2")
    assert "event" not in exported(book, poptrix(book, "ruled==", Event="Cup"))["header"]


def test_older_record_has_the_day_of_its_tag(book):
    header = exported(book, poptrix(book, "ruled==", Date="2019.05.04"))["header"]
    assert header["date-start"] == header["date-end"] == "2019-05-04T00:00:00+00:00"
    unknown = exported(book, poptrix(book, "ruled==", Date="2019.??.??"))
    assert_fits_the_schema(unknown)
    assert unknown["header"]["date-start"] > "2020"


def test_sealed_move_is_not_exported(book):
    opened = open_match(book, registry.find("pyramid-ball"), options={"opening": "selection"})
    record = entering.play(book, opened, ["1:pick=M", "2:resign"])
    text = write_game_record(book, record).decode()
    assert "pick" not in text
    assert json.loads(text)["moves"] == [[None, "resign"]]
