"""Go against the boards of another program, and its records in SGF."""

from __future__ import annotations

import json

import pytest

from domain.match import open_match
from plybook import play_texts
from replay import registry, rules_text
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_with_faults
from replay.formats.ply.writer import write_record
from replay.formats.text_formats import Hint
from service.pages.move_list import COUNT
from tests.case_table import cases
from tests.paths import FIXTURES
from tests.plugins.random_go import POSITIONS, points, refused
from tests.service.conftest import serve


@pytest.fixture(autouse=True)
def game(site):
    return registry.find("go")


def read(text):
    return [*read_with_faults(text, hint=Hint("game.sgf"))]


def ply(record):
    """Return the movetext of a record in one line."""
    assert isinstance(record, Record), record
    return " ".join(write_record(record).partition("\n\n")[2].split())


def written(record):
    (form,) = record.game.formats
    return form.write(record)


def position(game, texts, **options):
    return play_texts(open_match(game, game.options(**options)), texts.split()).state.position


def test_boards_are_those_of_sgfmill(game):
    for line in POSITIONS.read_text().splitlines():
        case = json.loads(line)
        match = open_match(game, game.options(**case["options"]))
        match = play_texts(match, case["moves"].split())
        assert refused(match) == case["refused"]
        assert points(match) == case["points"]


@cases(
    "moves clause",
    """
D9 | GO-1.1
A1 A1 | GO-2.2
A2 C3 B1 A1 | GO-3.3
A1 pass dead=A1 | GO-5.1
pass agree | GO-5.1
pass pass A1 | GO-5.1
pass pass pass | GO-5.1
A1 pass pass dead=A2 | GO-5.2
""",
)
def test_refusal_has_its_clause(game, moves, clause):
    *before, last = moves.split()
    at = position(game, " ".join(before), size=5)
    found = game.parse(last).check(at, at.seat)
    assert (found.clause if found else "-") == clause


@pytest.mark.parametrize(("repetition", "again"), [("superko", "GO-4.1"), ("ko", "")])
def test_boards_that_may_not_come_again(game, repetition, again):
    # Black takes in the ko; White may take back at once only after two passes, and by one rule.
    taken = "C2 D2 B3 E3 C4 D4 A1 C3 D3"
    assert position(game, taken, size=5, repetition=repetition).fault("C3") == "GO-4.1"
    assert position(game, f"{taken} A5 A4", size=5, repetition=repetition).fault("C3") == ""
    resumed = f"{taken} pass pass resume"
    assert position(game, resumed, size=5, repetition=repetition).fault("C3") == again


def test_seats_agree_on_the_dead_stones_or_play_on(game):
    played = "C1 A1 C2 A2 C3 E5 C4 A3 C5 A4 pass pass"
    at = position(game, f"{played} dead=E5", size=5, komi="0.5")
    assert (at.seat, at.points) == (1, (15, 4.5))
    at = position(game, f"{played} dead=E5 agree dead=E5", size=5, komi="0.5")
    assert (at.seat, at.stage, at.outcome()) == (2, "count", None)
    at = position(game, f"{played} dead=E5 agree resume", size=5, komi="0.5")
    assert (at.seat, at.stage, at.board.count("o")) == (2, "play", 0)
    at = position(game, f"{played} dead=E5 agree agree", size=5, komi="0.5")
    assert at.outcome().winners == (1,)


def test_real_record_is_read_and_written_alike(game):
    text = (FIXTURES / "other-programs/go-1846.sgf").read_text()
    (record,) = read(text)
    assert ply(record).startswith("1. R16 2. D17 3. Q3")
    assert ply(record).endswith("325. T2 ruled=+1 +1")
    assert record.match.options.komi == "0"
    moves = text[text.index(";B") :].strip()
    out = written(record)
    assert out[out.index(";B") :].strip() == moves
    head = "RU[Japanese]PB[Yasuda Shusaku]BR[4d]PW[Inoue Gennan Inseki]WR[8d]DT[1846-09-11]RE[B+2]"
    assert head in out


TREE = r"""(;FF[4]GM[1]SZ[9]KM[6.5]HA[2]AB[gc][cg]PB[A \] "b"]PW[Ci\\ty]C[Root: a \] bracket]
;W[ee]C[first
line];B[gg](;W[ge]BM[1];B[fd];W[];B[];W[tt])(;W[gf]C[why](;B[hf])(;B[hg]TE[1]CR[aa]LB[bb:A]AR[aa:bb])
)(;C[only words]))"""


def test_tree_keeps_variations_comments_glyphs_and_marks(game):
    (record,) = read(TREE)
    assert record.players == {1: 'A ] "b"', 2: "Ci\\ty"}
    assert record.match.options == game.options(size=9, komi="6.5", handicap=2, repetition="ko")
    assert ply(record) == (
        "{Root: a ] bracket} 1. E5 {first line} 2. G3 3. G5 $2 (3. G4 {why} 4. H4 (4. H3 $1"
        " {[%csl GA9][%cal GA9B8][%label B8=A]})) 4. F6 5. pass 6. pass 7. resume pass *"
    )
    (again,) = read(written(record))
    assert write_record(again) == write_record(record)


@cases(
    "text told",
    """
(;SZ[5]AB[aa:bb]AW[ee];B[cc];W[cd]) | XX3/XX3/5/5/4O - play 1 1
(;SZ[5]PL[W]AB[aa];W[bb]) | X4/5/5/5/5 - play 2 1
(;SZ[5];W[bb];B[cc]) | 5/5/5/5/5 - play 2 1
(;SZ[5:5];Black[bb]White[cc]) | -
""",
)
def test_first_position(game, text, told):
    (record,) = read(text)
    assert (record.tag("Position") or "-") == told
    (again,) = read(written(record))
    assert write_record(again) == write_record(record)


@cases(
    "result end clause",
    """
B+R | +1 | resigned
W+3.5 | +2 | ruled
W+ | +2 | ruled
B+T | +1 | ruled
0 | = | ruled
Void | * | -
""",
)
def test_result(game, result, end, clause):
    (record,) = read(f"(;SZ[9]RE[{result}];B[aa])")
    outcome = record.match.state.outcome
    assert (record.result, outcome.clause if outcome else "-") == (end, clause)
    assert f"RE[{result}]" in written(record)


def test_counted_result_is_written_with_its_margin(game):
    (record,) = read_with_faults(rules_text.demo(game))
    assert "RE[B+35.5]" in written(record)


@cases(
    "text line message",
    """
(;SZ[9];B[aa];W[aa]) | 1 | A9 has a stone
(;SZ[9];B[aa];B[bb]) | 1 | seat 2
(;SZ[9];B[aa];W[bb];AB[cc]) | 1 | set up after the first move
(;GM[2];B[aa]) | 1 | another game than Go
(;SZ[25];B[aa]) | 1 | is not a board of this game
(;SZ[9];B[ab] | 1 | not closed
(;SZ[9];B[ab];W[bc | 1 | is not a part of SGF
(;SZ[9];B[zz]) | 1 | is not a move
(;SZ[9]AB[aa]AW[ab][ba];W[cc]) | 1 | no liberty
""",
)
def test_fault_is_told(game, text, line, message):
    ((fault, *_),) = read(text)
    assert fault.line == int(line)
    assert message in fault.words()


def test_games_of_a_file_are_read_one_by_one(game):
    first, second, third = read("words (;SZ[9];B[aa])\n(;SZ[9];B[aa];B[bb])(;SZ[5];B[bb];W[]) more")
    assert [ply(first), ply(third)] == ["1. A9 *", "1. B4 2. pass *"]
    assert second[0].line == 2


def test_deep_tree_is_read(game):
    nodes = "".join(f"(;{'BW'[n % 2]}[]" for n in range(2000))
    (record,) = read(f"(;SZ[9]{nodes}{')' * 2000})")
    assert len(record.match.line) > 2000


def test_file_is_known_by_its_beginning_and_travels_through_a_book(plybook, tmp_path):
    (tmp_path / "game").write_text(TREE)
    assert plybook("check", tmp_path / "game").code == 0
    assert plybook("import", tmp_path / "game").code == 0
    out = plybook("export", "-", "--format", "sgf").out
    (record,), (given,) = read(out), read(TREE)
    assert write_record(record) == write_record(given)


def test_sgf_goes_in_and_out_over_http():
    kind = {"Content-Type": "application/x-go-sgf"}
    with serve() as api:
        stored = api.post("/records", content=TREE, headers=kind)
        match = stored.json()["matches"][0]
        host = {"Authorization": f"Bearer {match['tokens']['host']}"}
        there = f"/matches/{match['match']}/record"
        out = api.get(there, params={"format": "sgf"}, headers=host)
        bad = api.post("/records", content="(;SZ[9];B[aa];W[aa])", headers=kind)
    (record,), (given,) = read(out.text), read(TREE)
    assert write_record(record) == write_record(given)
    assert bad.status_code in (400, 409, 422)
    assert "A9 has a stone" in bad.text


def test_points_are_known_once_stones_are_marked(game):
    match = open_match(game, game.options(size=5, komi="0.5"))
    assert [tray.score for tray in game.scene(match.state.position).trays] == [None, None]
    at = play_texts(match, ["C1", "A1", "C2", "A2", "pass", "pass"]).state.position
    black, white = (tray.score for tray in game.scene(at).trays)
    assert (black.text, white.text) == tuple(f"{points:g}" for points in at.points)
    assert white.words == f"{white.text} points"
    assert COUNT.match(white.text)[0] == white.text
    (mark, *_) = game.moves[2].legal(at, 1)
    assert [pick.prompt for pick in mark.picks(at)] == ["tap the dead stones"]
