"""Archives through the CLI: export, import, verify."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.replay.formats.archive.families import unmarked

RECORDS = sorted(Path("fixtures").glob("*/commented.ply"))


@pytest.fixture
def other(tmp_path: Path) -> tuple[str, Path]:
    """The option that names another database."""
    return "--db", tmp_path / "other.db"


@pytest.fixture
def match(plybook, match) -> str:
    assert plybook("play", match, "M@c1", "S@c6", "c1>L@c3").code == 0
    return match


@pytest.fixture
def archive(plybook, match, tmp_path) -> Path:
    file = tmp_path / "match.plybook"
    assert plybook("export", match, "--format", "archive", "-o", file).code == 0
    return file


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.parent.name)
def test_archives_of_every_game_round_trip(plybook, other, path, tmp_path):
    made = [each["match"] for each in plybook("import", path, "--json").lines]
    assert made
    for match in made:
        file = tmp_path / f"{match}.plybook"
        assert plybook("export", match, "--format", "archive", "-o", file).code == 0
        assert plybook("verify", file).code == 0
        assert plybook(*other, "import", file).code == 0
        for command in (("log", match, "--json"), ("export", match), ("annotations", match)):
            assert plybook(*other, *command) == plybook(*command)
        again = plybook(*other, "export", match, "--format", "archive")
        assert unmarked(again.out.encode()) == file.read_bytes()
    assert plybook(*other, "verify").code == 0


def test_second_import_reports_no_new_matches(plybook, other, match, archive):
    first, second = (plybook(*other, "import", archive).out for _ in range(2))
    assert first == f"{match}  {archive}: events: 3, annotations: 0\n"
    assert second == f"{match}  {archive}: already in the book; nothing is new\n"
    told = plybook(*other, "import", archive, "--json").json
    assert told == {
        "file": str(archive), "ok": True, "match": match, "new": False, "events": 0, "notes": 0,
    }  # fmt: skip


def test_first_line_identifies_an_archive(plybook, other, match, archive):
    renamed = archive.rename(archive.with_name("letter.txt"))
    assert match in plybook(*other, "import", renamed).out
    assert match in plybook("import", stdin=renamed.read_text()).out
    assert "3 events verified" in plybook("verify", renamed).out


def test_longer_archive_is_appended_and_diverged_one_refused(
    plybook, other, match, archive, tmp_path
):
    plybook(*other, "import", archive)
    plybook("play", match, "c6>M@c4")
    longer = tmp_path / "longer.plybook"
    plybook("export", match, "--format", "archive", "-o", longer)
    assert "already in the book; new events: 1," in plybook(*other, "import", longer).out
    plybook(*other, "takeback", match)
    plybook("play", match, "1:resign")
    plybook("export", match, "-o", longer, "--force")
    ran = plybook(*other, "import", longer)
    assert ran.code == 1
    assert f"{match} has diverged: the book" in ran.err
    assert plybook(*other, "show", match, "--json").json["version"] == 5


def test_verify_shows_same_head_for_archive(plybook, match, archive):
    stored = plybook("verify", match).out
    assert plybook("verify", archive).out == f"{archive}: {stored}"
    both = plybook("verify", match, archive, "--json").lines
    assert [each["ok"] for each in both] == [True, True]
    assert both[0]["head"] == both[1]["head"]


def test_verify_referees_a_text_record(plybook, tmp_path):
    for name, beginning in (("one.ply", ""), ("two.txt", "\ufeff\n")):
        record = tmp_path / name
        text = Path("fixtures/poptrix/commented.ply").read_text()
        record.write_text(beginning + text, encoding="utf-8")
        ran = plybook("verify", record)
        assert (ran.code, ran.out) == (0, plybook("check", record).out)
        assert ran.err == f"{record}: a text record has no hashes; its moves were judged\n"
        record.write_text(text.replace("1. ", "1. Z@c1 ", 1))
        broken = plybook("verify", record, "--json")
        assert (broken.code, broken.err) == (1, "")
        assert [each["ok"] for each in broken.lines] == [False, True]


def test_tampered_line_is_named_and_not_imported(plybook, other, archive):
    tampered = archive.with_name("tampered.plybook")
    tampered.write_text(archive.read_text().replace('"to":"c3"', '"to":"c4"'))
    ran = plybook("verify", tampered)
    assert ran.code == 1
    assert ran.out.startswith(f"{tampered}: DAMAGED at line 8: the event does not match its hash")
    asjson = plybook("verify", tampered, "--json").json
    assert (asjson["ok"], asjson["line"]) == (False, 8)
    refused = plybook(*other, "import", tampered)
    assert refused.code == 1
    assert "line 8" in refused.err
    assert plybook(*other, "list").out == ""


@pytest.mark.parametrize(
    ("beginning", "what"), [(b"<!doctype html>", "a page"), (b"\x89PNG\r\n", "a picture")]
)
def test_other_formats_are_not_called_damaged(plybook, tmp_path, beginning, what):
    file = tmp_path / "exported"
    file.write_bytes(beginning)
    ran = plybook("verify", file)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"{file}: this is {what}")


def test_bad_archive_does_not_stop_later_files(plybook, other, match, archive):
    cut = archive.with_name("cut.plybook")
    cut.write_bytes(archive.read_bytes()[:400])
    ran = plybook(*other, "import", cut, archive, "fixtures/poptrix/commented.ply", "--json")
    assert ran.code == 1
    assert [each["ok"] for each in ran.lines] == [False, True, True, True]


def test_sealed_move_is_in_no_archive(plybook, other, tmp_path):
    match = plybook("new", "pyramid-ball").out.strip()
    plybook("play", match, "1:S=FRB,M=L.F,L=LFF")
    file = tmp_path / "sealed.plybook"
    plybook("export", match, "--format", "archive", "-o", file)
    assert "FRB" not in file.read_text()
    assert plybook("verify", file).code == 0
    refused = plybook(*other, "import", file)
    assert refused.code == 1
    assert "still sealed" in refused.err


def test_invalid_files_are_refused(plybook, match, tmp_path):
    assert plybook("verify", tmp_path / "none.plybook").code == 2
    assert plybook("import", tmp_path / "none.plybook").code == 2
    assert plybook("export", match, "--format", "zip").code == 2
    assert plybook("export", match, "-o", tmp_path / "no" / "where").code == 2
    empty = tmp_path / "empty.plybook"
    empty.write_bytes(b"")
    assert plybook("verify", empty).code == 1
    assert plybook("verify", tmp_path).code == 2


def test_argument_without_match_or_file_is_unknown(plybook, match):
    ran = plybook("verify", "x" * 5000)
    assert ran.code == 2
    assert "no match has the id" in ran.err


@pytest.mark.parametrize("command", ["import", "check"])
def test_record_beyond_limits_is_refused_with_place(plybook, tmp_path, command):
    record = tmp_path / "many.ply"
    record.write_text('[Game "poptrix"]\n\nM@c1 (M@b1) (M@d1) *\n')
    refused = plybook(command, record, "--variations", "1")
    assert refused.code == 1
    assert (
        "line 3, column 13: '(': one import has at most 1 variations" in refused.out + refused.err
    )
    assert "at most 2 events" in "".join(plybook(command, record, "--events", "2")[1:])
    assert plybook(command, record, "--variations", "0", "--events", "0").code == 0


@pytest.mark.parametrize("command", ["import", "check"])
def test_deeply_nested_record_is_refused(plybook, tmp_path, command):
    record = tmp_path / "deep.ply"
    record.write_text('[Game "poptrix"]\n\nM@c1 ' + "(M@b1 " * 100_000 + ")" * 100_000 + " *\n")
    refused = plybook(command, record, "--variations", "0")
    assert refused.code == 1
    assert "variations nest at most 200 deep" in refused.out + refused.err


# Copies


def moves(plybook, match: str) -> list[str]:
    return [each["text"] for each in plybook("log", match, "--json").lines]


def test_archive_is_copied_on_request(plybook, match, tmp_path):
    plybook("annotate", f"{match}@2", "Good", "--author", "Ann")
    fork = plybook("fork", f"{match}@2", "--name", "instead").out.strip()
    plybook("play", fork, "c1>S@b1")
    file = tmp_path / "match.plybook"
    plybook("export", match, "--format", "archive", "-o", file)
    copies = plybook("import", file, "--again", "--json").lines
    copied, copied_fork = (each["match"] for each in copies)
    assert {copied, copied_fork}.isdisjoint((match, fork))
    assert (moves(plybook, copied), moves(plybook, copied_fork)) == (
        moves(plybook, match),
        moves(plybook, fork),
    )
    assert plybook("show", copied_fork, "--json").json["fork"]["match"] == copied
    assert "Ann: Good" in plybook("annotations", copied).out
    assert "Seat1=Jet" in plybook("tag", copied).out
    assert plybook("verify").code == 0
    assert plybook("doctor").code == 0
    plybook("play", copied, "c6>M@a6")
    assert len(moves(plybook, match)) == 3


def test_copy_may_differ_from_existing_match(plybook, other, match, archive, tmp_path):
    plybook(*other, "import", archive)
    plybook(*other, "takeback", match)
    plybook("play", match, "c6>M@a6")
    later = tmp_path / "later.plybook"
    plybook("export", match, "--format", "archive", "-o", later)
    assert plybook(*other, "import", later).code == 1
    copied = plybook(*other, "import", later, "--again", "--json").json["match"]
    told = plybook(*other, "log", copied, "--json").lines
    assert [each["text"] for each in told] == ["M@c1", "S@c6", "c1>L@c3", "c6>M@a6"]


def test_copying_an_unknown_archive_keeps_its_ids(plybook, other, match, archive):
    told = plybook(*other, "import", archive, "--again", "--json").json
    assert (told["match"], told["new"]) == (match, True)


def test_match_with_service_dice_is_not_copied(plybook, tmp_path):
    match, file = (
        plybook("new", "blockade", "--dice", "service").out.strip(),
        tmp_path / "m.plybook",
    )
    plybook("play", match, "roll")
    plybook("export", match, "--format", "archive", "-o", file)
    ran = plybook("import", file, "--again")
    assert (ran.code, "dice" in ran.err) == (1, True)
    assert len(plybook("list").out.splitlines()) == 1
