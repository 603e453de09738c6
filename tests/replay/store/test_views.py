"""The views for people: matches, their moves and their players, in plain columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli import main
from domain.entry import move_text
from domain.games.poptrix import GAME as POPTRIX
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from replay import book_file, registry
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections.amendments import amend, plan_replacement
from replay.corrections.takebacks import take_back
from replay.library import explorer, indexes
from replay.record.addresses import Address
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store.sqlite import migrations
from replay.store.sqlite.driver import sqlite3
from replay.tags.people import name_players, swap_players
from replay.upkeep.reindex import compare, reindex

PROGRAM = "S=...,M=...,L=..."


@pytest.fixture
def book(path: Path) -> Iterator[Book]:
    with book_file.open_book(path) as opened:
        yield opened


def query(path: Path, sql: str) -> list[dict[str, Any]]:
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    rows = [dict(row) for row in connection.execute(sql).fetchall()]
    connection.close()
    return rows


def tokens(path: Path) -> list[str | None]:
    return [row["text"] for row in query(path, "SELECT text FROM moves ORDER BY ply")]


def test_views_have_matches_players_and_moves(book, path):
    match = open_match(book, POPTRIX, players={1: "Jet", 2: "Red"})
    match = play(book, match, ["M@c1", "S@c6", "c1>L@c3", "stood=c6>S@c5", "2:resign"])
    indexes.catch_up_positions(book)
    [row] = query(path, "SELECT * FROM matches")
    assert (row["match"], row["game"], row["rules"]) == (match.id, "poptrix", "poptrix/1")
    assert (row["players"], row["result"], row["winner"]) == ("Jet - Red", "+1", "Jet")
    assert (row["ended_by"], row["plies"], row["turns"]) == ("resigned", 5, 5)
    assert (row["stood"], row["indexed"], row["doubtful"]) == (1, 1, 0)
    players = query(path, "SELECT seat, player, result FROM players")
    assert [tuple(each.values()) for each in players] == [(1, "Jet", "won"), (2, "Red", "lost")]
    *_, third, last = query(path, "SELECT * FROM moves ORDER BY ply")
    assert (third["player"], third["text"], third["stood_against"]) == ("Jet", "c1>L@c3", None)
    assert (last["ply"], last["turn"], last["text"]) == (4, 4, "c6>S@c5")
    assert (last["stood_against"], last["at"][:2]) == ("POP-3.2", "20")


def test_moves_follow_the_current_line(book, path):
    match = play(book, open_match(book, POPTRIX), ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4"])
    indexes.catch_up_positions(book)
    match = take_back(book, match, 3)
    assert [row["indexed"] for row in query(path, "SELECT indexed FROM matches")] == [0]
    amend(book, plan_replacement(match, 2, "M@c6"))
    indexes.catch_up_positions(book)
    assert tokens(path) == ["M@c1", "M@c6", "c1>L@c3"]
    assert not any(each.differ or each.errors for each in compare(book))


def test_moves_tell_of_dashes_and_doubts(book, path):
    match = open_match(book, POPTRIX, players={1: "Jet", 2: "Red"})
    match = play(book, match, ["M@c1"])
    match = play(book, match, [move_text.UnsureText(None, "--")])
    match = play(book, match, ["c1>L@c3"])
    indexes.catch_up_positions(book)
    sql = "SELECT seat, player, text, unsure, reconstructed FROM moves ORDER BY ply"
    assert [tuple(each.values()) for each in query(path, sql)] == [
        (1, "Jet", "M@c1", 0, None),
        (2, "Red", "--", 1, None),
    ]
    assert query(path, "SELECT doubtful FROM matches") == [{"doubtful": 1}]
    match = amend(book, plan_replacement(match, 2, "S@c6"))
    indexes.catch_up_positions(book)
    how = '{"by":{"name":"scorekeeper"},"entries":["--"]}'
    assert [tuple(each.values()) for each in query(path, sql)] == [
        (1, "Jet", "M@c1", 0, None),
        (2, "Red", "S@c6", 1, how),
        (1, "Jet", "c1>L@c3", 0, None),
    ]
    assert not any(each.differ or each.errors for each in compare(book))


def test_sealed_token_is_hidden_until_revealed(book, path):
    match = play(book, open_match(book, PYRAMID_BALL), [f"1:{PROGRAM}"])
    indexes.catch_up_positions(book)
    assert tokens(path) == [None]
    assert query(path, "SELECT count(*) AS n FROM written WHERE token IS NOT NULL") == [{"n": 0}]
    play(book, match, [f"2:{PROGRAM}"])
    indexes.catch_up_positions(book)
    assert tokens(path) == [f"1:{PROGRAM}", f"2:{PROGRAM}"]


def test_view_shows_who_sat_where(book, path):
    match = play(book, open_match(book, POPTRIX, players={1: "Jet", 2: "Red"}), ["M@c1"])
    name_players(book, match, {1: "Ann"}, reason="a slip", account=bytes(32))
    swap_players(book, match, (1, 2))
    rows = query(path, "SELECT * FROM seat_changes WHERE after_version > 0 ORDER BY number")
    shown = ("event", "seat", "other", "player", "author", "reason")
    assert [tuple(row[name] for name in shown) for row in rows] == [
        ("renamed", 1, None, "Ann", "scorekeeper", "a slip"),
        ("swapped", 1, 2, None, "scorekeeper", None),
    ]


def test_variations_and_the_trash_are_left_out(book, path):
    match = play(book, open_match(book, POPTRIX, players={1: "Jet"}), ["M@c1", "S@c6"])
    fork(book, *book.at(Address(match.id, 1)), "variation")
    other = fork(book, *book.at(Address(match.id, 1)), "match")
    play(book, other, ["M@c6"])
    indexes.catch_up_positions(book)
    assert len(query(path, "SELECT * FROM matches")) == 2
    own = f"SELECT text FROM moves WHERE match = '{other.id}' ORDER BY ply"
    assert query(path, own) == [{"text": "M@c1"}, {"text": "M@c6"}]
    book.store.trash(match.stream.id).result()
    for view in ("matches", "moves", "players", "seat_changes"):
        assert {row["match"] for row in query(path, f"SELECT * FROM {view}")} == {other.id}


def test_command_indexes_the_moves(path, monkeypatch, capsys):
    monkeypatch.setenv("PLYBOOK_DB", str(path))

    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit):
            main(list(arguments))
        return capsys.readouterr().out.strip()

    match = run("new", "poptrix")
    run("play", match, "M@c1", "S@c6")
    assert tokens(path) == ["M@c1", "S@c6"]
    run("takeback", match)
    assert tokens(path) == ["M@c1"]


def test_rebuilt_index_has_the_moves(book, path):
    play(book, open_match(book, POPTRIX), ["M@c1"])
    reindex(book)
    assert tokens(path) == ["M@c1"]


def finish_sheet(book: Book) -> None:
    sheet = registry.find("score-sheet")
    names = {1: "Jet", 2: "Red", 3: "Plum", 4: "Moss"}
    match = open_match(book, sheet, options={"rounds": "1"}, seats=4, players=names)
    play(book, match, ["1:3", "2:9", "3:3", "4:1"])


def test_view_shows_the_places_of_players(book, path):
    finish_sheet(book)
    [row] = query(path, "SELECT result, winner FROM matches")
    assert (row["result"], row["winner"]) == ("+2", "Red")
    players = query(path, "SELECT player, result, place FROM players ORDER BY place, seat")
    assert [tuple(each.values()) for each in players] == [
        ("Red", "won", 1), ("Jet", "lost", 2), ("Plum", "lost", 2), ("Moss", "lost", 4),
    ]  # fmt: skip
    (found,) = explorer.stats(book)
    assert [(one.player, one.places_words) for one in found.players] == [
        ("Red", "1st 1"), ("Jet", "2nd 1"), ("Moss", "4th 1"), ("Plum", "2nd 1"),
    ]  # fmt: skip


def test_older_book_gets_the_places(path):
    with book_file.open_book(path):
        pass
    connection = sqlite3.connect(path)
    connection.executescript(
        "DROP VIEW places; DROP VIEW players; CREATE VIEW players AS SELECT 1 AS seat;"
        "DELETE FROM _sqlite_migrations WHERE name = 'places';"
    )
    connection.execute(f"PRAGMA user_version = {len(migrations.migrations._migrations) - 1}")
    connection.close()
    with book_file.open_book(path) as book:
        finish_sheet(book)
    assert len(query(path, "SELECT * FROM players WHERE place > 1")) == 3


def test_book_older_than_the_views_is_indexed_again(path):
    with book_file.open_book(path) as book:
        play(book, open_match(book, POPTRIX), ["M@c1", "S@c6"])
        indexes.catch_up_positions(book)
    connection = sqlite3.connect(path)
    connection.executescript(
        "DROP VIEW matches; DROP VIEW moves; DROP VIEW players; DROP VIEW places;"
        "DROP TABLE written;"
        "DELETE FROM _sqlite_migrations WHERE name = 'for_people';"
    )
    connection.execute(f"PRAGMA user_version = {len(migrations.migrations._migrations) - 1}")
    connection.close()
    with book_file.open_book(path) as book:
        indexes.catch_up_positions(book)
    assert tokens(path) == ["M@c1", "S@c6"]
