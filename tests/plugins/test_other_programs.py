# ruff: noqa: E501
"""Files of other programs: what was meant is read, no word changes, no game is lost."""

from __future__ import annotations

import codecs
import gzip
import io
from itertools import islice

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from replay import registry
from replay.formats import text_formats
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_with_faults
from replay.formats.ply.writer import write_record
from replay.formats.text_formats import Hint
from replay.texts import tidy
from tests.case_table import cases
from tests.paths import FIXTURES
from tests.service.conftest import serve

CASES = FIXTURES / "other-programs"
REFUSED = {
    "k01-variant-unknown": (4, "Foo"),
    "k09-atomic-as-chess": (4, "Atomic"),
    "k09-chess960": (4, "Chess960"),
    "k09-king-of-the-hill": (4, "King of the Hill"),
}
MOVES = {"k05": "e2e4 e7e5 g1f3", "k16-no": "e2e4 e7e5 g1f3", "k22": "e2e4 e7e5 g1f3"}


@pytest.fixture(autouse=True)
def game(site):
    return registry.find("chess")


def read(text, **hint) -> Record:
    (record,) = read_with_faults(text, hint=Hint(**hint))
    assert isinstance(record, Record), record
    return record


def pgn(movetext, *tags) -> str:
    lines = [f'[{name} "{value}"]' for name, value in (("Event", "Case"), *tags)]
    return "\n".join((*lines, "", movetext, ""))


def written(record) -> str:
    return next(form for form in record.game.formats).write(record)


def line(record) -> str:
    """Return the movetext of a record in one line."""
    return " ".join(write_record(record).partition("\n\n")[2].split())


def messages(record) -> str:
    return "\n".join(warning.words() for warning in record.warnings)


@pytest.mark.parametrize("path", sorted(CASES.glob("k*")), ids=lambda path: path.stem)
def test_file_is_read_and_written_without_a_change(path):
    (result,) = read_with_faults(path.read_bytes())
    if path.stem in REFUSED:
        place, word = REFUSED[path.stem]
        assert (result[0].line, len(result)) == (place, 1)
        assert word in result[0].message
        return
    assert isinstance(result, Record)
    once = written(result)
    again = read(once)
    assert written(again) == once
    assert line(again) == line(result)
    assert {tag for tag in result.tags if tag.name != "Result"} <= set(again.tags)


@cases(
    "file moves",
    """
k02-percent-line-in-comment   | 1. e2e4 {White wins 55 % of these games, Black 45 percent of them.} 2. e7e5 *
k02-result-line-in-comment    | 1. e2e4 {copied: [Result "1-0"] [FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]} 2. e7e5 *
k02-setup-line-in-comment     | 1. e2e4 {copied: [SetUp "1"]} 2. e7e5 *
k02-tag-line-in-comment       | 1. e2e4 {copied: [White "Somebody"] end} 2. e7e5 *
k04-comment-line-first        | {collected by hand} 1. e2e4 2. e7e5 *
k05-dots-apart                | 1. e2e4 2. e7e5 3. g1f3 *
k05-four-dots                 | 1. e2e4 2. e7e5 *
k05-no-dots                   | 1. e2e4 2. e7e5 3. g1f3 *
k05-space-dot                 | 1. e2e4 2. e7e5 3. g1f3 *
k06-windows-1252              | 1. e2e4 {it’s “good”} 2. e7e5 *
k08-result-half               | 1. e2e4 2. e7e5 ruled== =
k08-result-star               | 1. e2e4 2. e7e5 ruled=+1 +1
k10-null-move-in-variation    | 1. e2e4 2. e7e5 3. g1f3 4. b8c6 *
k12-comment-after-result      | 1. e2e4 2. e7e5 ruled=+1 {Black resigned} +1
k12-comment-between-tags      | {note} 1. e2e4 2. e7e5 *
k12-glyph-first               | {$10} {level} 1. e2e4 *
k12-result-in-variation       | 1. e2e4 2. e7e5 (2. c7c5 3. g1f3 ruled==) 3. g1f3 *
k13-name-that-turns           | 1. e2e4 {ab} *
k15-words-of-the-reader       | 1. e2e4 2. e7e5 ruled=+2 +2
k16-no-break-space            | 1. e2e4 2. e7e5 3. g1f3 *
k23-comment-before-a-variation | 1. e2e4 2. e7e5 {main} 3. g1f3 ({first} 3. f2f4 4. e5f4) ({second} 3. d2d4) 4. b8c6 *
""",
)  # fmt: skip
def test_movetext_is_what_was_meant(file, moves):
    assert line(read((CASES / f"{file}.pgn").read_bytes())) == moves


@cases(
    "file tag value warning",
    """
k06-windows-1252-name    | Seat1       | O’Hara, Šimon | line 2, column 1: this line is not UTF-8
k08-date-european        | PGN_Date    | 22.06.2022    | line 4, column 1: Date is '22.06.2022'
k08-own-name-game        | PGN_Game    | 12            | line 4, column 1: Game
k08-own-name-seat1       | PGN_Seat1   | 12A           | line 4, column 1: Seat1
k08-result-question      | PGN_Result  | ?             | line 4, column 1: Result is '?'
k08-result-star          | PGN_Result  | *             | line 4, column 1: Result says *, but the game ends with 1-0
k08-tag-form-backslash   | Annotator   | C:\\games\\new | line 4, column 1
k08-tag-form-colon       | BlackType   | program       | line 4, column 1: 'BlackType:'
k08-tag-form-hyphen      | Black_Team  | B             | line 4, column 1: 'Black-Team'
k08-tag-form-inner-quote | Annotator   | Ann "Ace" B   | line 4, column 1
k08-tag-form-no-space    | Site        | Hall          |
k12-comment-between-tags | Site        | Hall          |
k12-one-player           | Seat2       | ?             |
k13-name-that-turns      | Seat1       | Ann           | line 2, column 1
k13-name-zero-width      | Seat2       | B n           | line 3, column 1
k15-words-of-the-reader  | PGN_Result  | 1-0           | Result says 1-0, but the game ends with 0-1
k22-no-terminator        | Seat1       | Ann           | line 7, column 13: the game ends without a result
""",
)  # fmt: skip
def test_odd_tag_is_kept_and_told(file, tag, value, warning):
    record = read((CASES / f"{file}.pgn").read_bytes())
    assert record.tag(tag) == value.replace("\\\\", "\\")
    assert warning in messages(record)
    assert bool(record.warnings) == bool(warning)


def test_game_string_of_uhp_opens_the_match_with_its_sets():
    record = read((CASES / "k19-hive-game-string.txt").read_bytes())
    assert record.game.slug == "hive"
    assert record.match.options.mosquito == record.match.options.pillbug == "yes"
    assert line(record) == "1. wG1 2. bG1>-wG1 *"
    (won,) = read_with_faults("Base;WhiteWins;White[2];wG1; ;bG1 -wG1\n")
    assert line(won) == "1. wG1 2. bG1>-wG1 ruled=+1 +1"
    (wrong, right) = read_with_faults(
        "Base;InProgress;White[2];wG1;bG2 -wG1\nBase;NotStarted;White[1]\n"
    )
    assert [(fault.line, fault.column, fault.clause) for fault in wrong] == [(1, 30, "HIV-2.2")]
    assert isinstance(right, Record)


FIRST_TAGS = '[White "Ann"]\n[Annotator "Cy"]\n\n1. e4 *\n'


@cases(
    "text file media",
    """
[Annotator "Cy"]\\n[White "Ann"]\\n\\n1. e4 * |       |
1. e4 e5 *                                   |       |
[Annotator "Cy"]\\n\\n1. e4 *                | a.pgn |
e4 e5 *                                      |       | application/vnd.chess-pgn
{by hand} [Site "Hall"] 1. e4 *              | a.PGN |
[Site "Hall"]\\n1. e4 *                      | a.txt |
""",
)
def test_pgn_is_known(text, file, media):
    assert read(text.replace("\\n", "\n"), file=file, media_type=media).game.slug == "chess"


@pytest.mark.parametrize(
    "text", ['[Game "chess"]\n[Event "x"]\n\n1. e4 1-0\n', '[Site "x"]\n[Seat1 "y"]\n\n*']
)
def test_text_record_is_not_taken_for_pgn(text):
    (faults,) = read_with_faults(text)
    assert faults[0].clause in ("syntax", "tag")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_known_by_its_first_bracket(encoding):
    record = read(pgn("1. e4 {Žižka} e5 *").encode(encoding))
    assert line(record) == "1. e2e4 {Žižka} 2. e7e5 *"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encoding_is_known_by_its_mark(encoding):
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    text = mark + pgn("1. e4 {Žižka – Ångström} e5 *", ("White", "Łukasz"))
    record = read(text.encode(encoding))
    assert record.players[1] == "Łukasz"
    assert "Žižka – Ångström" in line(record)
    assert not record.warnings


def test_named_encoding_is_read_or_refused_with_its_place():
    text = pgn("1. e4 *", ("White", "Иванов"))
    assert read(text.encode("cp1251"), encoding="cp1251").players[1] == "Иванов"
    (faults,) = read_with_faults(b'[Event "x"]\n[White "\x81"]\n\n1. e4 *\n')
    assert (faults[0].line, faults[0].column) == (2, 9)
    assert "neither UTF-8 nor Windows-1252" in faults[0].message
    (faults,) = read_with_faults(
        text.encode("cp1251"), hint=Hint(encoding="shift_jis", file="a.pgn")
    )
    assert faults[0].line == 2


def test_broken_utf_16_is_a_fault():
    text = codecs.BOM_UTF16_LE + pgn("1. e4 e5 *").encode("utf-16-le")[:-3]
    (faults,) = read_with_faults(text)
    assert "is not utf-8" in faults[0].message or faults[0].clause == "syntax"


@cases(
    "movetext meant",
    """
1. e4 (1. d4 d5) e5 2.Nf3$1 Nc6!?(2... d6)*   | 1. e2e4 (1. d2d4 2. d7d5) 2. e7e5 3. g1f3 $1 4. b8c6 $5 (4. d7d6) *
1. e4 { a/%b } e5;c/2. Nf3 *                | 1. e2e4 {a %b} 2. e7e5 {c} 3. g1f3 *
1. e4 e5 2. Ke2 (2. Ke3 {lost} d5) Ke7 *      | 1. e2e4 2. e7e5 3. e1e2 {lost} 4. e8e7 *
1. e4 ( ) e5 *                                | 1. e2e4 2. e7e5 *
1. e4 e5 ) *                                  | 1. e2e4 2. e7e5 *
1. e4 e5 } *                                  | 1. e2e4 2. e7e5 *
1. e4 $300 e5 += *                            | 1. e2e4 2. e7e5 {+=} *
1. e4 e5 [%clk 0:01] *                        | 1. e2e4 2. e7e5 {[%clk 0:01]} *
1. e4 { [%csl Gz9] } e5 *                     | 1. e2e4 2. e7e5 *
1. f3 e5 2. g4 Qh4# (2... d5 3. e4 0-1) 0-1   | 1. f2f3 2. e7e5 3. g2g4 4. d8h4 (4. d7d5 5. e2e4 ruled=+2) +2
1. e4 e5 1–0                                  | 1. e2e4 2. e7e5 ruled=+1 +1
1. e4 e5 1 - 0                                | 1. e2e4 2. e7e5 ruled=+1 +1
1. e4 e5 ½ – ½                                | 1. e2e4 2. e7e5 ruled== =
1. e4 e5 (1... c5 0 : 1) *                    | 1. e2e4 2. e7e5 (2. c7c5 ruled=+2) *
1. e4 e5 * 2. Nf3 Nc6 *                       | 1. e2e4 2. e7e5 3. g1f3 4. b8c6 *
1. e4 e5 *//2. Nf3 Nc6 1-0                    | 1. e2e4 2. e7e5 3. g1f3 4. b8c6 ruled=+1 +1
1. e4 e5 * adjourned, to be played on         | 1. e2e4 2. e7e5 {adjourned,} {to} {be} {played} {on} *
1. e4 e5 1-0 2. Nf3 *                         | 1. e2e4 2. e7e5 ruled=+1 +1
""",
)
def test_movetext_is_free(movetext, meant):
    record = read(pgn(movetext.replace("/", "\n")))
    assert line(record).replace("{lost} ", "") == meant.replace("{lost} ", "")
    assert written(read(written(record))) == written(record)


@pytest.mark.parametrize(
    ("movetext", "comments"),
    [
        ("1. e4 {a {b} c} e5 {d} *", ("a {b} c", "d")),
        ("1. e4 {see {b}} e5 *", ("see {b}", "")),
        ("1. e4 {a {b {c} d} e} e5 {} *", ("a {b {c} d} e", "")),
        ("1. e4 {a\n{b\nc} d\ne} e5 {f} *", ("a {b c} d e", "f")),
        ("1. e4 {a { b} e5 {c} *", ("a { b", "c")),
        ("1. e4 {a { b} e5 {c { d} *", ("a { b", "c { d")),
    ],
)
def test_comment_with_others_inside_is_read_with_them(movetext, comments):
    record = read(pgn(movetext))
    assert tuple(" ".join(node.comments) for node in record.line.nodes) == comments
    assert ("with them" in messages(record)) == ("}" in "".join(comments))
    assert written(read(written(record))) == written(record)


@pytest.mark.parametrize("many", ["{ {} " * 20000, "{ { " * 20000, "{\n{}\n" * 20000])
def test_braces_cost_no_more_than_their_number(many):
    list(read_with_faults(pgn(f"1. e4 {many} e5 *")))


@pytest.mark.parametrize(
    ("movetext", "column", "words"),
    [
        ("1... e5 2. Nf3 *", 6, "has its first position in a tag FEN"),
        ("23. Qxf7 Kd8 *", 5, "has its first position in a tag FEN"),
    ],
)
def test_fault_names_what_a_game_lacks(movetext, column, words):
    (faults,) = read_with_faults(pgn(movetext))
    assert (faults[0].line, faults[0].column, len(faults)) == (3, column, 1)
    assert words in faults[0].message


@pytest.mark.parametrize("text", ["Dear Ann, here it is:", "<pre>", "Round 3.\n\nIt was cold."])
def test_text_around_games_is_one_fault_and_takes_no_game_along(text):
    faults, first, second, after = read_with_faults(
        f"{text}\n\n{pgn('1. e4 *')}\n{pgn('1. d4 *')}\nHave fun!\n"
    )
    assert [line(first), line(second)] == ["1. e2e4 *", "1. d2d4 *"]
    assert len(faults) == len(after) == 1
    assert "is neither a tag nor a move; put text in braces" in faults[0].message


def test_quoted_mail_is_one_game():
    record = read("".join(f"> {each}\n" for each in pgn("1. e4 e5 *").splitlines()), file="a.pgn")
    assert record.tag("Event") == "Case"
    assert line(record).endswith("{>} 1. e2e4 2. e7e5 *")


def test_variation_after_the_end_of_a_game_is_kept_up_to_it():
    fen = "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"
    record = read(pgn("1. Kf2 (1. Kxd2 {bare} Kd7 2. Kd3) Kd7 *", ("FEN", fen)))
    assert line(record) == "1. e1f2 (1. e1d2 {bare}) 2. e8d7 *"
    assert "the game has ended" in messages(record)


def test_a_bad_game_does_not_take_others_along():
    text = "\n".join(map(pgn, ("1. e4 e4 *", "1. d4 {unclosed *", "1. c4 {ok} *")))
    bad, unclosed, good = read_with_faults(text)
    assert [(fault.line, fault.column, fault.text) for fault in bad] == [(3, 7, "e4")]
    assert "never closed" in unclosed[0].message
    assert line(good) == "1. c2c4 {ok} *"


def test_first_fault_of_a_game_is_its_only_one_unless_a_word_is_no_move():
    (faults,) = read_with_faults(pgn("1. e4 e5 2. Qxf7 Nc6 3. Nf33 Qd5 (3... Zz) *"))
    assert [fault.text for fault in faults] == ["Qxf7", "Nf33"]


def test_a_game_without_tags_follows_a_result():
    first, second = read_with_faults(
        "1. e4 e5 1-0 {end}\n\n1. d4 d5 *\n", hint=Hint(media_type="application/vnd.chess-pgn")
    )
    assert (line(first), line(second)) == ("1. e2e4 2. e7e5 ruled=+1 {end} +1", "1. d2d4 2. d7d5 *")


@pytest.mark.parametrize("comment", ["a } b", r"\x7d and \x5c", r"\x5cx7d}", "%5 % of 100", "[%x]"])
def test_comment_comes_back_word_for_word(comment):
    changed = with_comment(read(pgn("1. e4 {x} *")), comment)
    assert read(written(changed)).line.nodes[0].comments == (comment,)


def with_comment(record, comment):
    first, *rest = record.line.nodes
    nodes = (replace(first, comments=(comment,)), *rest)
    return replace(record, line=replace(record.line, nodes=nodes))


@pytest.mark.parametrize("comment", ["w" * 1000, "%x " * 300 + "end", "字" * 700])
def test_lines_of_movetext_have_at_most_255_columns(comment):
    record = with_comment(read(pgn("1. e4 {x} *")), comment)
    text = written(record)
    assert max(map(len, text.splitlines())) <= 255
    assert read(text).line.nodes[0].comments == (comment,)


def test_variation_in_place_of_a_ruling_repeats_the_move_before_it():
    text = '[Game "chess"]\n\n1. e4 e5 ruled=+1 (2. Nf3 Nc6) +1\n'
    record = read(text)
    assert (
        " ".join(written(record).partition("\n\n")[2].split())
        == "1. e4 e5 ( 1... e5 2. Nf3 Nc6 ) 1-0"
    )


def test_events_are_words():
    text = '[Game "chess"]\n\n1. e4 1:offer-draw 2:decline-draw e5 2:flag +2\n'
    movetext = written(read(text)).partition("\n\n")[2]
    assert " ".join(movetext.split()) == (
        "1. e4 { White offers a draw } { Black declines the draw } 1... e5"
        " { Black says that the time is up } 0-1"
    )


@pytest.mark.parametrize(
    "tag",
    [
        {"FEN": "x"},
        {"FEN": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},
        {"Variant": "Foo"},
        {"Variant": "Atomic"},
        {"White": "Zed"},
        {"SetUp": "1"},
    ],
    ids=str,
)
def test_free_tag_does_not_decide_how_a_match_is_written(tag):
    (name, value) = next(iter(tag.items()))
    with serve() as api:
        body = {"game": "chess", "visibility": "public", "tags": {"Event": "Cup", **tag}}
        match = api.post("/matches", json=body | {"players": {"1": "Ann", "2": "Ben"}}).json()
        one = api.get(f"/matches/{match['match']}/record", params={"format": "pgn"})
        feed = api.get("/records", params={"tag": "Event:Cup", "format": "pgn"})
    assert (one.status_code, feed.status_code) == (200, 200)
    assert one.text == feed.text
    assert f'[Plybook_{name} "{value}"]' in one.text
    assert '[White "Ann"]' in one.text
    assert read(one.text).tag(name) == value


def test_match_that_cannot_be_written_is_left_out_by_name(monkeypatch, game):
    def fails(record):
        if record.tag("Round") == "2":
            raise RecursionError
        return write(record)

    (form,) = game.formats
    write = form.write
    monkeypatch.setattr(game, "formats", (form._replace(write=fails),))
    with serve() as api:
        ids = []
        for number in "123":
            tags = {"Event": "Cup", "Round": number}
            body = {"game": "chess", "visibility": "public", "tags": tags}
            ids.append(api.post("/matches", json=body).json()["match"])
        feed = api.get("/records", params={"tag": "Event:Cup", "format": "pgn"})
    assert feed.status_code == 200
    assert feed.text.count("[Event ") == 2
    assert feed.headers["Left-Out"] == ids[1]


def test_charset_of_a_request_is_the_encoding():
    text = pgn("1. e4 *", ("White", "Иванов")).encode("cp1251")
    kind = "application/vnd.chess-pgn; charset="
    with serve() as api:
        stored = api.post("/records", content=text, headers={"Content-Type": kind + "windows-1251"})
        match = stored.json()["matches"][0]
        host = {"Authorization": f"Bearer {match['tokens']['host']}"}
        assert (
            api.get(f"/matches/{match['match']}", headers=host).json()["players"]["1"] == "Иванов"
        )
        odd = api.post("/records", content=text, headers={"Content-Type": kind + "klingon"})
        assert odd.status_code == 415


def test_command_line_reads_and_lists_formats(plybook, tmp_path):
    file = tmp_path / "old.pgn"
    file.write_bytes(pgn("1. e4 *", ("White", "Иванов")).encode("cp1251"))
    plybook("import", file, "--encoding", "cp1251")
    assert "Иванов" in plybook("list").out
    assert "not a known encoding" in plybook("import", file, "--encoding", "klingon").err
    listed = plybook("formats").out
    assert "pgn      .pgn         read and written  chess" in listed
    assert "uhp      .uhp         read and written  hive" in listed
    helped = " ".join(plybook("export", "--help").out.split())
    assert "pgn (Chess)" in helped
    assert "uhp (Hive)" in helped


PARTS = (
    '[Event "x"]\n', '[Result "1-0"]\n', '[FEN "', "\n\n", "1. e4 ", "e5 ", "Nf3 ", "{", "}", "(", ")",
    "$1 ", "!? ", ";a\n", "%b\n", "1-0 ", "* ", "-- ", '"', "[", "]", "\\", "O-O ", "\ufeff", "\r", "é",
    "[White ", '"\u202e"]', "1/2", "\x00", "<>", "{[%csl Ga1]}", "...", "[Game \"1\"]\n",
)  # fmt: skip


def is_fixed_point(data: bytes) -> None:
    for result in read_with_faults(data, hint=Hint(media_type="application/vnd.chess-pgn")):
        if isinstance(result, Record):
            once = written(result)
            assert written(read(once)) == once


@settings(deadline=None)
@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_what_is_accepted_is_a_fixed_point(text):
    is_fixed_point(text.encode())


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_are_read_or_refused(data):
    is_fixed_point(data)
    list(read_with_faults(data))


@settings(deadline=None)
@given(st.lists(st.sampled_from((*PARTS, '[Event "y"]\n\n1. e4 *\n\n'))).map("".join))
def test_pgn_in_chunks_reads_the_same(text):
    whole = list(read_with_faults(text.encode(), hint=Hint(file="a.pgn")))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text_formats, "SIZE", 0)
        assert list(read_with_faults(text.encode(), hint=Hint(file="a.pgn"))) == whole


def test_python_chess_finds_the_same_in_a_corpus_and_in_our_exports():
    text = gzip.decompress((CASES / "corpus.pgn.gz").read_bytes()).decode()
    theirs = io.StringIO(text)
    for record in islice(read_with_faults(text, hint=Hint(file="a.pgn")), 60):
        assert isinstance(record, Record)
        assert not record.warnings
        tree = ours(record.line)
        assert tree == from_chess(chess.pgn.read_game(theirs))
        assert tree == from_chess(chess.pgn.read_game(io.StringIO(written(record))))


def ours(line, top=True):
    """Return moves, glyphs, comments and variations, as python-chess nests them.

    It takes an alternative to the first move of a variation for a variation beside it.
    """
    found, moves = [" ".join(line.comments)], [node for node in line.nodes if moved(node)]
    for node in moves:
        beside = node is moves[0] and not top
        inside = () if beside else (each for inner in node.variations for each in hoisted(inner))
        words = " ".join(node.comments)
        found.append((moved(node), node.glyphs, words, [ours(each, False) for each in inside]))
    return found


def moved(node):
    move = getattr(node.event, "move", None)
    return move and move.uci.uci()


def hoisted(line):
    return [line, *(each for inner in line.nodes[0].variations for each in hoisted(inner))]


def from_chess(game):
    return [tidy(game.comment), *chess_moves(game)]


def chess_moves(parent):
    found = []
    while parent.variations:
        first, *others = parent.variations
        inside = [chess_line(each) for each in others]
        found.append((first.move.uci(), tuple(sorted(first.nags)), tidy(first.comment), inside))
        parent = first
    return found


def chess_line(node):
    own = (node.move.uci(), tuple(sorted(node.nags)), tidy(node.comment), [])
    return [tidy(node.starting_comment), own, *chess_moves(node)]


GERMAN = "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O Dd6 (5... Lg4 6. h3) 6. Te1 *"
ENGLISH = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Qd6 (5... Bg4 6. h3) 6. Re1 *"
FRENCH = "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6 5. O-O Dd6 (5... Fg4 6. h3) 6. Te1 *"
SPANISH = "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Axc6 dxc6 5. O-O Dd6 (5... Ag4 6. h3) 6. Te1 *"
DUTCH = "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O Dd6 (5... Lg4 6. h3) 6. Te1 *"


@pytest.mark.parametrize(
    ("language", "moves"), [("de", GERMAN), ("fr", FRENCH), ("es", SPANISH), ("nl", DUTCH)]
)
def test_letters_of_a_language_are_read_by_option_and_suggested(plybook, tmp_path, language, moves):
    assert line(read(pgn(moves), pieces=language)) == line(read(pgn(ENGLISH)))
    (tmp_path / "club.pgn").write_text(pgn("1. e4 *") + "\n" + pgn(moves) + "\n" + pgn(moves))
    ran = plybook("import", tmp_path / "club.pgn")
    assert (ran.code, ran.err.count(f"the game is read with --pieces {language}")) == (1, 1)
    assert plybook("check", tmp_path / "club.pgn", "--pieces", language).code == 0


def test_language_is_never_guessed_between_two(plybook, tmp_path):
    (tmp_path / "club.pgn").write_text(pgn("1. e4 e5 2. Df3 d6 *"))
    ran = plybook("import", tmp_path / "club.pgn")
    assert (ran.code, "--pieces" in ran.err) == (1, False)
    assert plybook("import", tmp_path / "club.pgn", "--pieces", "xx").code == 2


def test_encoding_is_named_wherever_files_are_read(plybook, tmp_path):
    file = tmp_path / "old.pgn"
    file.write_bytes(pgn("1. e4 *", ("White", "Иванов")).encode("cp1251"))
    ran = plybook("format", file, "--encoding", "cp1251")
    assert '[Seat1 "Иванов"]' in ran.out
    ran = plybook("verify", file, "--encoding", "cp1251")
    assert (ran.code, "Windows-1252" in ran.out) == (0, False)


LAST_ROW = ("FEN", "8/4P3/8/8/8/k7/8/4K3 w - - 0 1")


@pytest.mark.parametrize(
    ("movetext", "tags", "moves"),
    [
        ("1. e4 Nf6 2. e5 d5 3. exd6 e.p. Qxd6 *", (), "5. e5d6 6. d8d6 *"),
        ("1. e4 Nf6 2. e5 d5 3. exd6e.p. Qxd6 *", (), "5. e5d6 6. d8d6 *"),
        ("1. e4 Nf6 2. e5 d5 3. exd6 ep (3. d4) Qxd6 *", (), "5. e5d6 (5. d2d4) 6. d8d6 *"),
        ("1. e8(Q) *", (LAST_ROW,), "1. e7e8q *"),
        ("1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♟a6 *", (), "5. f1b5 6. a7a6 *"),
    ],
)
def test_writing_of_books_is_read(movetext, tags, moves):
    assert line(read(pgn(movetext, *tags))).endswith(moves)


def test_main_line_beyond_the_end_is_told_and_the_game_kept():
    record = read(
        pgn("1. f3 e5 2. g4 Qh4# {mate} 3. e4 $1 (3. d4 d5 (3... e4)) d5 4. d4 0-1 {end}")
    )
    assert line(record) == "1. f2f3 2. e7e5 3. g2g4 4. d8h4 {mate} {$1} {end} +2"
    messages = [each.message for each in record.warnings]
    assert sum("moves from here on were left out" in each for each in messages) == 1


def test_sets_of_hive_come_in_any_order():
    (record,) = read_with_faults("Base+LM;InProgress;White[2];wS1;bS1 wS1-\n")
    options = record.match.options
    assert (options.mosquito, options.ladybug, options.pillbug) == ("yes", "yes", "no")
