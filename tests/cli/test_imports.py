"""`import`: its output, skipped records, and complete output with a progress bar."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import randbytes

import pytest

from cli import progress
from tests.paths import ROOT
from tests.replay.formats.ply.texts import OFFER, SLIP
from tests.waiting import PATIENCE

RECORDS = "fixtures/poptrix/commented.ply"
BAD = '[Game "poptrix"]\n\n1. Z@z9 *\n'
RECORD = '[Game "poptrix"]\n\n1. M@c1 *\n'


def test_known_records_are_skipped_or_copied_on_request(plybook):
    first = plybook("import", RECORDS)
    assert (first.code, first.err) == (0, "2 imported\n")
    ids = [line.split()[0] for line in first.out.splitlines()]
    second = plybook("import", RECORDS)
    assert (second.code, second.err) == (0, "2 skipped as here already\n")
    assert second.out == "".join(
        f"{match}  {RECORDS}: record {number}  (is here already)\n"
        for number, match in enumerate(ids, 1)
    )
    known = plybook("import", RECORDS, "--json")
    assert [(each["match"], each["new"]) for each in known.lines] == [(each, False) for each in ids]
    assert known.err == ""
    copies = [each["match"] for each in plybook("import", RECORDS, "--again", "--json").lines]
    assert not set(copies) & set(ids)


def test_import_summary_repeats_refusals(plybook, tmp_path):
    bad = tmp_path / "bad.ply"
    bad.write_text(BAD)
    ran = plybook("import", bad, "fixtures/poptrix/games.ply")
    assert ran.code == 1
    reason, summary, again = ran.err.splitlines()
    assert reason.startswith(f"{bad}: record 1: line 3, column 4: 'Z@z9'")
    assert summary == "60 imported, 1 refused"
    assert again == f"  {reason}"


def test_import_reports_all_faults_of_a_record(plybook, tmp_path):
    bad = tmp_path / "bad.ply"
    bad.write_text('[Game "poptrix"]\n[Date "x"]\n\n1. M@c1 2. Z@z9 *\n')
    ran = plybook("import", bad)
    places = [line.split(": ")[2] for line in ran.err.splitlines()]
    assert places == ["line 2, column 1", "line 4, column 12"]
    (told,) = plybook("import", bad, "--json").lines
    assert (told["line"], [each["line"] for each in told["more"]]) == (2, [4])


def test_archives_and_records_are_imported_in_order(plybook, tmp_path):
    match = plybook("new", "poptrix").out.strip()
    archive = tmp_path / "match.plybook"
    plybook("export", match, "-o", archive)
    files = (RECORDS, archive, "fixtures/blockade/commented.ply", tmp_path / "none.ply")
    ran = plybook("import", *files[:3], "--db", tmp_path / "other.db", "--json")
    order = [each["file"] for each in ran.lines]
    assert order == sorted(order, key=[str(file) for file in files].index)
    again = plybook("import", *files, "--db", tmp_path / "other.db")
    assert again.code == 2
    assert "cannot read" in again.err


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file that shows progress: its comments are long."""
    file = tmp_path / "large.ply"
    comment = "{" + "word " * 1900 + "} "
    comments = comment * (progress.LARGE // 20 // len(comment))
    records = (
        f'[Game "poptrix"]\n[Round "{number}"]\n\n1. M@c1 {comments} *\n\n' for number in range(25)
    )
    file.write_text("".join(records))
    return file


def read_all(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the other end was closed
            return
        if not data:
            return
        yield data


def in_terminal(*arguments: str, db: Path, out: Path | None) -> str:
    """Run `plybook` with a terminal, or a file, as standard output; return the output."""
    import pty

    here, there = pty.openpty()
    seen: list[bytes] = []
    reader = threading.Thread(target=lambda: seen.extend(read_all(here)), daemon=True)
    reader.start()
    with (out or Path(os.devnull)).open("wb") as file:
        subprocess.run(
            [sys.executable, "-m", "cli", *arguments],
            cwd=ROOT,
            env={**os.environ, "PLYBOOK_DB": str(db), "TERM": "xterm", "COLUMNS": "200"},
            stdin=subprocess.DEVNULL,
            stdout=file if out else there,
            stderr=there,
            timeout=PATIENCE,
            check=True,
        )
    os.close(there)
    reader.join(PATIENCE)
    return b"".join(seen).decode()


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are of POSIX")
@pytest.mark.parametrize("command", ["import", "check"])
def test_errors_in_terminal_lose_no_output_line(large, tmp_path, command):
    out = tmp_path / "out"
    shown = in_terminal(command, str(large), db=tmp_path / "book.db", out=out)
    lines = out.read_text().splitlines()
    assert [line.split("record ")[1].split()[0].strip(":") for line in lines] == [
        str(number) for number in range(1, 26)
    ]
    assert "reading" in shown
    assert "record 3" not in shown


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are of POSIX")
def test_terminal_shared_by_both_streams_shows_every_line(large, tmp_path):
    shown = in_terminal("import", str(large), db=tmp_path / "book.db", out=None)
    assert all(f"record {number}" in shown for number in range(1, 26))
    assert "reading" in shown
    assert "25 imported" in shown


def test_small_file_shows_no_progress(plybook):
    assert plybook("check", RECORDS).err == ""


@pytest.mark.parametrize(
    ("command", "ending", "words"),
    [
        ("check", "plybook", "this is an archive; `plybook"),
        ("check", "html", "this is a page or a drawing"),
        ("import", "html", "this is a page or a drawing"),
        ("import", "json", "this is JSON"),
        ("check", "json", "this is JSON"),
    ],
)
def test_refusal_names_the_format_of_other_files(plybook, tmp_path, command, ending, words):
    match, file = plybook("new", "poptrix").out.strip(), tmp_path / f"match.{ending}"
    if ending == "json":
        file.write_text(plybook("show", match, "--json").out)
    else:
        plybook("export", match, "-o", file)
    other = tmp_path / "other.db"
    ran = plybook(command, file, "seeds/poptrix/demo.ply", "--db", other)
    assert ran.code == 1
    assert words in ran.err
    assert "demo.ply" in ran.out
    told = plybook(command, file, "--db", other, "--json").json
    assert (told["file"], told["ok"], told["fault"].startswith("this is")) == (
        str(file),
        False,
        True,
    )


def test_match_in_a_link_is_imported_once(plybook, tmp_path):
    match = plybook("import", RECORDS).out.split()[0]
    link = plybook("show", match, "--link", "https://sheet.example/").out.strip()
    assert link.startswith("https://sheet.example/#r=")
    elsewhere = ("--db", tmp_path / "other.db")
    copy = plybook("import", link, *elsewhere)
    assert copy.out.endswith("  the link: record 1\n")
    assert "(is here already)" in plybook("import", link, *elsewhere).out
    texts = plybook("export", match).out, plybook("export", copy.out.split()[0], *elsewhere).out
    assert texts[0] == texts[1]


def test_long_match_is_a_chain_of_codes(plybook, tmp_path):
    match = plybook("import", RECORDS).out.split()[0]
    plybook("annotate", f"{match}@1", randbytes(3000).hex())
    links = plybook("show", match, "--link", "https://sheet.example/", "--codes").out.split()
    assert len(links) > 1
    elsewhere = ("--db", tmp_path / "other.db")
    copy = plybook("import", *reversed(links), *elsewhere)
    assert copy.out.endswith("  the link: record 1\n")
    assert "(is here already)" in plybook("import", *links, *elsewhere).out
    assert "missing: 1 of " in plybook("import", *links[1:], *elsewhere).err
    assert plybook("check", *links).code == 0
    whole = plybook("show", match, "--link", "https://sheet.example/").out.strip()
    assert "(is here already)" in plybook("import", whole, *elsewhere).out


def test_codes_option_needs_the_link_option(plybook):
    plybook("new", "poptrix")
    assert "--codes needs --link" in plybook("show", "--codes").err


@pytest.mark.parametrize(
    ("rest", "words"), [("#r=AAAA", "copy the whole link"), ("", "this address has no match")]
)
def test_bad_link_stores_nothing(plybook, tmp_path, rest, words):
    other = tmp_path / "other.db"
    ran = plybook("import", f"https://sheet.example/{rest}", "--db", other)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize("options", [("sheet.example",), ("https://a.example/#x",)])
def test_link_needs_the_address_of_a_server(plybook, options):
    ran = plybook("show", plybook("new", "poptrix").out.strip(), "--link", *options)
    assert (ran.code, ran.out) == (2, "")
    assert "is not a valid address" in ran.err


STRANGE = (
    '[Game "poptrix"]\n[Seat1 "\u202eAnn\tB"]\n[Seat2 "'
    + "x" * 300
    + '"]\n\n1. M@c1 {a\u200bb} *\n\n'
)
TOLD = [
    (2, 1, "the tag Seat1: left out the invisible character U+202E and 1 more"),
    (3, 1, "the tag Seat2: cut 'xxxxxxxxxxxxxxxxxxxx'… at 100 of 300 characters"),
    (5, 9, "this comment: left out the invisible character U+200B"),
]


@pytest.mark.parametrize("command", ["check", "import"])
def test_warnings_are_told_and_no_reason_to_fail(plybook, tmp_path, command):
    (tmp_path / "strange.ply").write_text(f"{STRANGE}{BAD}\n{STRANGE}", encoding="utf-8")
    run = plybook(command, tmp_path / "strange.ply", "--json")
    first, bad, last = map(json.loads, run.out.splitlines())
    assert (run.code, bad["ok"], first["ok"], last["record"]) == (1, False, True, 3)
    found = [(each["line"], each["column"], each["message"]) for each in first["warnings"]]
    assert found == TOLD
    assert [(each["record"], each["line"]) for each in last["warnings"]] == [
        (3, 12),
        (3, 13),
        (3, 15),
    ]
    (tmp_path / "strange.ply").write_text(STRANGE, encoding="utf-8")
    again = plybook(command, tmp_path / "strange.ply", "--again" if command == "import" else "--")
    assert again.code == 0
    assert "line 5, column 9: this comment: left out" in again.out + again.err


def test_summary_counts_stored_warned_and_refused(plybook, tmp_path):
    (tmp_path / "strange.ply").write_text(f"{STRANGE}{BAD}\n{RECORD}", encoding="utf-8")
    run = plybook("import", tmp_path / "strange.ply")
    assert run.err.endswith("2 imported, 1 refused, 1 with warnings\n")
    seen = plybook("list", "--json").out
    assert "Ann B" in seen
    assert "\u202e" not in seen
    assert "x" * 101 not in seen


def test_warnings_of_a_record_have_a_bound(plybook, tmp_path):
    noisy = '[Game "poptrix"]\n\n1. M@c1' + " {a\u200bb}" * 30 + " *\n"
    (tmp_path / "noisy.ply").write_text(noisy, encoding="utf-8")
    told = json.loads(plybook("check", tmp_path / "noisy.ply", "--json").out)["warnings"]
    assert len(told) == 21
    assert told[-1]["message"] == "10 more warnings of this record are not listed"


@pytest.mark.parametrize("command", ["check", "import"])
def test_other_spellings_are_read_on_request_with_warnings(plybook, tmp_path, command):
    record = tmp_path / "by-hand.ply"
    record.write_text('[Game "poptrix"]\n\nm@C1 s@c6 (S@a6 c1->l@C3) c1→L@c3 {C1->x} *\n')
    refused = plybook(command, record)
    assert refused.code == 1
    assert "write M@c1" in refused.out + refused.err
    ran = plybook(command, record, "--spellings", "--json")
    assert ran.code == 0
    told = ran.out + ran.err
    for line in ("'m@C1' was read as M@c1", "'c1->l@C3' was read as c1>L@c3"):
        assert line in told
    if command == "import":
        assert "M@c1 2. S@c6 (2. S@a6 3. c1>L@c3) 3. c1>L@c3 {C1->x} *" in plybook("export").out


def test_spelling_with_two_meanings_is_refused(plybook, tmp_path):
    record = tmp_path / "doubt.ply"
    record.write_text('[Game "poptrix"]\n\nc1 *\n')
    assert plybook("check", record, "--spellings").code == 1


def test_refusal_says_what_would_mend_the_record(plybook, tmp_path):
    (tmp_path / "slip.ply").write_text(SLIP)
    assert OFFER in plybook("import", str(tmp_path / "slip.ply")).err
    assert OFFER in plybook("check", str(tmp_path / "slip.ply")).out
