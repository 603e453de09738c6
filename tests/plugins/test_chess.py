"""Chess: refusals by clause, claims, the clock, SAN and PGN."""

from __future__ import annotations

import io
from contextlib import closing

import chess.pgn
import pytest

from domain.entry import move_text
from domain.match import open_match as begin
from domain.perft import perft
from domain.position import Violation
from domain.position_text import PositionError
from replay import registry, rules_text
from replay.book import Book
from replay.formats.export_formats import export
from replay.formats.pgn import dashes
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records, read_with_faults
from replay.formats.ply.writer import write_record
from replay.record.addresses import Address
from replay.record.clock import Clock
from replay.referee.entering import play
from replay.referee.judged_as import judge_as
from replay.referee.opening import open_match
from replay.store import temporary_store
from tests.case_table import cases
from tests.service.conftest import serve
from tests.token_play import play_texts

GAME = """[Event "A game"]
[Site "Home"]
[Date "2026.11.23"]
[Round "1"]
[White "Ann"]
[Black "Ben"]
[Result "1-0"]
[WhiteElo "1500"]

1. e4 {[%clk 0:05:00] best by test} e5 2. Nf3 Nc6 (2... f6?! {weak} 3. Nxe5 fxe5 (3... Qe7)
4. Qh5+) 3. Bb5 $1 a6 1-0
"""

AFTER = "rnbqkbnr/pppppppp/4P3/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
STOOD = f"""[Game "chess"]
[Rules "chess/1"]
[Seat1 "Ann"]
[Seat2 "Ben"]

1. e2e4 1:stood=e4e6_{AFTER.replace(" ", "_")} d7e6 {{takes}} (a7a6 (f7e6)) d2d4 *
"""


@pytest.fixture
def game(site):
    return registry.find("chess")


def position(game, fen):
    return game.read_position(game.start(), fen) if fen else game.start()


def played(game, fen, moves):
    """Return the state after moves as people write them, or the refusal of the first bad one."""
    state = begin(game, position=fen or None).state
    for text in moves.split():
        event = move_text.read(game, state, text)
        fault = event if isinstance(event, Violation) else event.check(state)
        if fault:
            return fault
        state = event.evolve(state)[0]
    return state


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        ("", [20, 400, 8902]),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812]),
        ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", [6, 264]),
    ],
)
def test_perft(game, fen, counts):
    start = position(game, fen)
    assert [perft(game, start, depth + 1) for depth in range(len(counts))] == counts


@cases(
    "fen moves clause",
    """
 | e3e4 | CHS-2.1
 | e7e5 | CHS-2.1
 | Z0 | CHS-2.1
 | Z0 | CHS-2.1
 | 0000 | CHS-2.1
 | a1a2 | CHS-2.2
 | Ra2 | CHS-2.2
 | a1a3 | CHS-2.3
 | f1b5 | CHS-2.3
 | Bb5 | CHS-2.3
 | O-O | CHS-2.2
 | 0-0-0 | CHS-2.2
 | e1e3 | CHS-3.1
 | b1b3 | CHS-3.5
 | Nd5 | CHS-3.5
 | e2e5 | CHS-3.6
 | e4 e5 e4e5 | CHS-3.6
 | e4 a6 e4e6 | CHS-3.6
 | e2d3 | CHS-3.7
 | e4 d5 e4f5 | CHS-3.7
 | e4 e6 Bc4 a6 Bc4c6 | CHS-3.4
 | e4 e5 Qh5 a6 Qh5g3 | CHS-3.2
 | a4 a5 Ra3 h6 Rb4 | CHS-3.3
 | e4 e5 Ke2 a6 Kd4 | CHS-3.1
 | e2e4q | CHS-3.8
 | e4 e5 Nf3 a6 Be2 a5 Kf1 a4 Ke1 a3 e1g1 | CHS-3.9
 | claim | CHS-5.2
 | claim=g1f3 | CHS-5.2
 | claim=g1g3 | CHS-3.5
4k3/P7/8/8/8/8/8/4K3 w - - 0 1 | a7a8 | CHS-3.8
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | e1h1 | CHS-2.2
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | Ke1a1 | CHS-2.2
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | claim=e1h1 | CHS-2.2
r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1 | e1c1 | CHS-3.10
r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1 | O-O-O | CHS-3.10
r3k2r/8/8/5r2/8/8/8/R3K2R w KQkq - 0 1 | e1g1 | CHS-3.11
r3k2r/8/8/5r2/8/8/8/R3K2R w KQkq - 0 1 | O-O | CHS-3.11
r3k2r/8/8/5r2/8/8/8/R3K2R w KQkq - 0 1 | 0-0+ | CHS-3.11
r3k2r/8/8/8/8/8/8/R4K1R w kq - 0 1 | O-O | CHS-3.9
r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1 | O-O-O | CHS-3.9
4k3/8/8/8/3P4/8/4P3/4K3 w - - 0 1 | e5 | CHS-3.6
4k3/8/8/8/8/8/4r3/4K3 w - - 0 1 | e1d2 | CHS-4.1
4k3/8/8/8/8/4r3/4B3/4K3 w - - 0 1 | e2d3 | CHS-4.1
4k3/8/8/8/8/4r3/7B/4K3 w - - 0 1 | h2g1 | CHS-4.1
""",
)
def test_refusals(game, fen, moves, clause):
    refused = played(game, fen, moves)
    assert refused.clause == clause
    assert clause in rules_text.clauses(game)


PAWN_AT_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"


def test_square_behind_each_double_step_is_read(game):
    assert position(game, f"{PAWN_AT_E4} b KQkq e3 0 1") == played(game, "", "e4").position
    pgn = f'[Event "Set up"]\n[SetUp "1"]\n[FEN "{PAWN_AT_E4} b KQkq e3 0 1"]\n\n1... e5 *\n'
    (record,) = read_records(pgn)
    assert record.match.start.position.fen == f"{PAWN_AT_E4} b KQkq - 0 1"


@cases(
    "rest column",
    """
x KQkq - 0 1          | 47
b kqKQ - 0 1          | 49
b KQkqK - 0 1         | 49
b KQkq e6 0 1         | 54
b KQkq xx 0 1         | 54
b KQkq e3 00 1        | 57
b KQkq e3 0 0         | 59
b KQkq e3 0 1 claimed | 61
b KQkq - 0 1 g8f6     | 60
""",
)
def test_fault_of_fen_names_its_column(game, rest, column):
    with pytest.raises(PositionError) as refused:
        position(game, f"{PAWN_AT_E4} {rest}")
    assert refused.value.column == int(column)


@cases(
    "fen moves clause winners",
    """
 | f3 e5 g4 Qh4 | CHS-4.2 | 2
k7/8/1Q6/8/8/8/8/K7 w - - 0 1 | Qb6c7 | CHS-4.3 |
4k3/8/8/8/8/8/3p4/4K3 w - - 0 1 | Kxd2 | CHS-5.1 |
 | Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 claim | CHS-5.2 |
 | Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 claim=f6g8 | CHS-5.2 |
4k3/8/8/8/8/8/8/R3K3 w - - 99 80 | claim=a1a2 | CHS-5.3 |
4k3/8/8/8/8/8/8/R3K3 w - - 149 99 | Ra2 | CHS-5.5 |
""",
)
def test_ends(game, fen, moves, clause, winners):
    outcome = played(game, fen, moves).outcome
    assert (outcome.clause, outcome.winners) == (clause, tuple(map(int, winners.split())))


def test_fifth_repetition_ends_the_game(game):
    assert played(game, "", "Nf3 Nf6 Ng1 Ng8 " * 4).outcome.clause == "CHS-5.4"


def test_flag_against_bare_king_is_a_draw(game):
    bare = position(game, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert game.concluded(bare, 1, "flagged").clause == "CHS-6.1"
    assert game.concluded(bare, 2, "flagged") is None
    assert game.concluded(bare, 1, "resigned") is None


def test_illegal_san_moves_the_piece_that_could(game):
    assert played(game, "", "Bb5").squares == ("e2",)


BAD_KNIGHT = "rnbqkbnr/pppppppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR b KQkq - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "meant"),
    [
        ("start", "e2-e4", ("e4",)),
        ("start", "Ng1-f3", ("Nf3",)),
        ("start", "nf3", ("Nf3",)),
        ("start", "Nf6", ()),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1", "ed", ("exd5",)),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1", "e4:d5!", ("exd5",)),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", ("exd6",)),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0 - 0", ("O-O",)),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7-a8(q)", ("a8=Q+",)),
        ("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", "N-b3", ("Nab3", "Ncb3")),
        ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "B1D2", ("Bd2", "Nd2")),
        ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "B1d2", ("Bd2",)),
        ("4k3/8/8/3p4/2P5/1B6/8/4K3 w - - 0 1", "B4", ()),
        ("4k3/8/8/2p5/1P6/8/8/B3K3 w - - 0 1", "BXC5", ("bxc5",)),
    ],
)
def test_other_spellings_of_moves_are_known(game, fen, text, meant):
    there = game.start({}, 2) if fen == "start" else position(game, fen)
    assert game.spellings(there, text) == meant


def test_move_in_san_can_stand(game, plybook):
    match = plybook("new", "chess").out.strip()
    advice = plybook("play", match, "Nd5").err.splitlines()[-1]
    command = f"plybook play {match} Nd5 --stood"
    assert advice == f"  If it was played and stood: {command} --position POSITION"
    done = plybook("play", match, "Nd5", "--stood", "--position", BAD_KNIGHT)
    assert "played b1d5 against CHS-3.5, and it stood" in done.out
    assert "1:stood=b1d5_rnbqkbnr" in plybook("export", match).out
    assert "breaks no rule" in plybook("play", match, "Nf6", "--stood").err


def test_san_out_of_turn_cannot_stand(game):
    # It would be read as a move of the other colour.
    stood = move_text.as_stood("2:e5", BAD_KNIGHT)
    assert played(game, "", stood).clause == "form"


def test_page_takes_stood_move_in_san(game):
    with serve() as api:
        match = api.open("chess")
        asked = {"text": "Nd5", "seat": 1}
        led = api.get(f"/m/{match.id}/stood", params=asked, headers=match.host)
        assert led.status_code == 200, led.text
        assert 'data-stood="1:b1d5"' in led.text


def test_ambiguous_san_names_the_choices(game):
    refused = played(game, "", "d4 d5 Nf3 Nf6 Nd2")
    assert refused.clause == "form"
    assert "Nfd2, Nbd2" in refused.message


def test_pgn_is_read_with_variations(game):
    (record,) = read_records(GAME)
    assert isinstance(record, Record)
    assert record.match.state.outcome.clause == "ruled"
    assert record.players == {1: "Ann", 2: "Ben"}
    assert record.tag("WhiteElo") == "1500"
    assert [ply for ply, _ in record.variations()] == [4]
    assert "e2e4" in write_record(record)


def test_written_pgn_is_read_back_equal(game):
    (form,) = game.formats
    (record,) = read_records(GAME)
    (again,) = read_records(form.write(record))
    assert write_record(again) == write_record(record)


def test_pgn_escapes_quotes_and_backslashes_in_tags(game):
    (record,) = read_records(GAME.replace("Ann", r"\"Ann\" \\ Co"))
    text = game.formats[0].write(record)
    assert r'[White "\"Ann\" \\ Co"]' in text
    (again,) = read_records(text)
    assert again.players == {1: '"Ann" \\ Co', 2: "Ben"}


def test_line_after_stood_move_is_a_comment(game):
    (record,) = read_records(STOOD)
    text = game.formats[0].write(record)
    assert " ".join(text.partition("1. ")[2].split()) == (
        f"e4 {{ White plays e4e6 (against turn), and it stands: {AFTER}."
        " d7e6 takes ( a7a6 ( f7e6 ) ) d2d4 } *"
    )
    (again,) = read_records(text)
    assert [node.event.move.to for node in again.line.nodes] == ["e4"]


def test_python_chess_reads_the_written_pgn(game):
    (record,) = read_records(rules_text.demo(game))
    read = chess.pgn.read_game(io.StringIO(game.formats[0].write(record)))
    assert not read.errors
    assert read.headers["White"] == "Paul Morphy"
    assert read.end().board().is_checkmate()


def test_fault_of_pgn_names_its_place(game):
    (faults,) = read_with_faults(GAME.replace("3. Bb5", "3. Bb6"))
    assert (faults[0].line, faults[0].column, faults[0].clause) == (11, 13, "CHS-3.4")


def moves_of(record):
    return [move_text.write(record.game, node.event) for node in record.line.nodes]


@pytest.mark.parametrize("null", ["--", "Z0", "@@@@", "0000", "null", "—"])
def test_null_move_in_main_line_is_a_dash(game, null):
    (record,) = read_records(GAME.replace("3. Bb5", f"3. {null} {{What was it?}}"))
    assert moves_of(record) == ["e2e4", "e7e5", "g1f3", "b8c6", "--", "a7a6", "ruled=+1"]
    assert record.line.nodes[4].comments == ("What was it?",)
    assert [ply for ply, _ in record.variations()] == [4]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("1. e4 -- 2. exd5 Qxd5 3. Nc3", "e2e4 -- e4d5 d8d5 b1c3"),
        ("1. -- d5 2. exd5 -- 3. Nf3", "-- d7d5 e4d5 -- g1f3"),
        ("1. e4 e5 2. Qh5 -- 3. Qxf7#", "e2e4 e7e5 d1h5 -- h5f7"),
        ("1. e4 d5 2. Bb5+ -- 3. Bxc6+ bxc6", "e2e4 d7d5 f1b5 -- b5c6 b7c6"),
        ("1. -- -- 2. e4", "-- -- e2e4"),
    ],
)
def test_moves_after_a_null_move_are_read_and_written_again(game, line, found):
    (record,) = read_records(f'[White "Ann"]\n\n{line} *\n')
    assert moves_of(record) == found.split()
    text = game.formats[0].write(record)
    assert " ".join(text.split()).count("-- { nobody wrote this move down }") == found.count("--")
    (again,) = read_records(text)
    assert moves_of(again) == moves_of(record)
    assert game.formats[0].write(again) == text


def test_python_chess_reads_a_written_null_move(game):
    (record,) = read_records(GAME.replace("3. Bb5", "3. --"))
    read = chess.pgn.read_game(io.StringIO(game.formats[0].write(record)))
    assert not read.errors
    assert [move.uci() for move in read.mainline_moves()][4:] == ["0000", "a7a6"]


def test_move_that_fits_after_no_missing_move_is_refused(game):
    (faults,) = read_with_faults(GAME.replace("3. Bb5 $1 a6", "3. -- Nd3"))
    assert (faults[0].line, faults[0].column, faults[0].clause) == (11, 16, "turn")
    assert "'Nd3' is not legal after any move that may be missing" in faults[0].message


def test_many_null_moves_cost_a_bounded_number_of_tries(game, monkeypatch):
    monkeypatch.setattr(dashes, "MAX_GUESSES", 100)
    (faults,) = read_with_faults('[White "Ann"]\n\n1. -- -- 2. -- -- 3. exd5 *\n')
    assert "may be missing" in faults[0].message


def test_latin_1_is_read(game):
    (record,) = read_records(GAME.replace("Ann", "Zoë").encode("latin-1"))
    assert record.players[1] == "Zoë"


def test_finished_game_with_a_different_result_has_the_result_of_the_rules(game):
    (record,) = read_records('[Event "Fool"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n')
    assert record.result == "+2"
    (warning,) = record.warnings
    assert (warning.line, warning.column) == (3, 21)
    assert "left out 1-0" in warning.message


@cases(
    "moves tokens",
    """
e2-e4 pass e7-e5 pass g1-f3          | e2e4 e7e5 g1f3
e1-e3 e3-e1 e2-e4 pass               | e2e4
h2-h4 a7-a6 h4-h5 g7-g5 h5-g6 xg5    | h2h4 a7a6 h4h5 g7g5 h5g6
a2-a4 h7-h5 a4-a5 h5-h4 a5-a6 h4-h3 a6-b7 h3-g2 b7-a8 xa8 wN@a8 | \
a2a4 h7h5 a4a5 h5h4 a5a6 h4h3 a6b7 h3g2 b7a8n
e2-e4 a7-a6 f1-c4 a6-a5 g1-h3 a5-a4 h1-f1 e1-g1 | e2e4 a7a6 f1c4 a6a5 g1h3 a5a4 e1g1
f2-f3 e7-e5 g2-g4 d8-h4 end=2        | f2f3 e7e5 g2g4 d8h4
""",
)
def test_free_board_is_translated_to_chess(game, moves, tokens):
    verdict = judge_as(free_board(moves), game)
    assert (" ".join(verdict.moves), verdict.broken) == (tokens, None)


@cases(
    "moves ply clause message",
    """
e2-e5                         | 1 | CHS-3.6  | pawn
wQ@e4                         | 1 | CHS-2.1  | e4 has no piece of White
e2-e4 d2-d4                   | 2 | CHS-2.1  | no piece of Black
e1-g1 h1-f1                   | 1 | CHS-2.2  | g1 has a piece
g1-f3 a7-a6 e1-g1 h1-f1       | 3 | CHS-3.10 | f1
e2-e4 d7-d5 e4-e5 f7-f5 e5-f6 | 5 | form     | after e5f6 f5 has nothing in Chess, and bP
f2-f3 e7-e5 g2-g4 d8-h4 h4-e1 | 5 | over     | Chess was over
""",
)
def test_chess_rules_judge_a_free_board(game, moves, ply, clause, message):
    broken = judge_as(free_board(moves), game).broken
    assert (str(broken.ply), broken.clause) == (ply, clause)
    assert message in broken.message


def free_board(moves):
    """Play moves on a free board with the pieces of chess, and turns of many moves."""
    board = registry.find("free-board")
    return play_texts(board, moves, pieces="chess", start="usual", turns="many")


@pytest.fixture(params=[Clock(total=600, increment=2), Clock(control="600+2")], ids=str)
def clocked(game, request):
    """A book with a match on a clock of ten minutes, in which each move took five seconds."""
    times = iter(range(0, 10**6, 5000))
    with closing(temporary_store()) as store:
        book = Book(store, now=lambda: next(times))
        match = open_match(book, game, clock=request.param)
        for move in ("e4", "e5", "Nf3"):
            match = play(book, match, [move])
        yield book, match.id


def test_pgn_has_times_left(clocked):
    book, match = clocked
    text = export(book, Address(match, None, None), "pgn").decode()
    assert "1. e4 { [%clk 0:10:02] } 1... e5 { [%clk 0:09:57] } 2. Nf3 { [%clk 0:09:59] }" in text
    [record] = read_records(text)
    assert record.line.nodes[1].comments == ("[%clk 0:09:57]",)


def test_http_imports_and_exports_pgn(game):
    with serve() as api:
        kind = {"Content-Type": "application/vnd.chess-pgn"}
        stored = api.post("/records", content=GAME.encode(), headers=kind)
        assert stored.status_code == 201, stored.text
        [match] = stored.json()["matches"]
        again = api.get(f"/matches/{match['match']}/record", params={"format": "pgn"})
        assert again.headers["Content-Type"] == kind["Content-Type"]
        host = {"Authorization": f"Bearer {match['tokens']['host']}"}
        asked = {"tag": "Event:A game", "format": "pgn"}
        assert api.get("/records", params=asked, headers=host).text == again.text
