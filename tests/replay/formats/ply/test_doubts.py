"""Dashes and doubts in a text record are kept through reading, storing and writing."""

from __future__ import annotations

import pytest

from replay.formats.ply.importer import import_record
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import export_record, write_record

HEAD = """[Game "poptrix"]
[Rules "poptrix/1"]
[Seat1 "Jet"]
[Seat2 "Red"]
[Result "{}"]

"""
RECORDS = [
    HEAD.format("*") + "1. M@c1 2. -- S@c3 M@c6 *\n\n",
    HEAD.format("+1") + "1. M@c1 {[%unsure]} {calm} 2. -- $1 {[%unsure]} S@c3 M@c6 +1\n\n",
    HEAD.format("*")
    + '1. M@c1 2. M@c6 {[%reconstructed "Red" "--" "M@c\\x7d\\"\\\\6"]} 3. c1>S@c2\n'
    + '{[%reconstructed rules "--"]} *\n\n',
    HEAD.format("*") + '1. M@c1 2. M@c6 {[%reconstructed scoresheet "" "M@c6"]} {found} *\n\n',
]


@pytest.mark.parametrize("text", RECORDS)
def test_doubts_are_kept(book, text):
    (record,) = read_records(text)
    assert write_record(record) == text
    imported = import_record(book, record)
    assert export_record(book, imported) == text


def test_a_dash_is_followed_by_moves_that_are_not_judged():
    (record,) = read_records(RECORDS[0])
    assert [str(ply.event.__struct_config__.tag) for ply in record.match.line] == [
        "moved",
        "unrecorded",
        "noted",
        "noted",
    ]


def test_a_name_is_stored_as_a_seat_so_that_it_can_be_erased(book):
    (record,) = read_records(RECORDS[2])
    stored = import_record(book, record)
    assert b'"by":{"name":"seat 2"}' in stored.log[1].data
    (other,) = read_records(RECORDS[2].replace('reconstructed "Red"', 'reconstructed "Kim"'))
    stored = import_record(book, other)
    assert b"Kim" not in stored.log[1].data
