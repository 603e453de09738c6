"""Notations: reading move texts, and continuing unfinished ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games import BUILT_IN, built_in
from domain.notation import SIZE, Lexeme, Unfinished, list_texts, square, template

LEG = template(
    "{from_}>{size}@{to}", from_=square("a-e", "1-6"), size=SIZE, to=square("a-e", "1-6")
)
PROGRAM = template(
    "S={S},M={M}{pass_}{quick}",
    S=Lexeme("[FB.]{2}"),
    M=Lexeme("[FB.]{2}"),
    pass_=Lexeme(",pass=[12]|"),
    quick=Lexeme(",quick|", bool, lambda there: ",quick" if there else ""),
)
FOUL = template("foul")
COINS = template("bid={coins}!", coins=Lexeme("[0-9]+", int, str))


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("[SML]", "S M L"),
        ("[a-b][1-3]", "a1 a2 a3 b1 b2 b3"),
        ("[0-2]|10", "0 1 2 10"),
        ("ball|defend", "ball defend"),
        ("[1-2],[1-2]", "1,1 1,2 2,1 2,2"),
        ("[.x]{2}", ".. .x x. xx"),
        (r"\.|\|", ". |"),
        ("[0-9]+", ""),
        ("a?", ""),
        ("(a)b", ""),
        (r"\d", ""),
        ("[^a]", ""),
        ("[a-z]{3}", ""),
    ],
)
def test_simple_patterns_are_listed(pattern, texts):
    assert list_texts(pattern) == tuple(texts.split())


def test_optional_field_lists_the_empty_text():
    assert list_texts(",quick|") == (",quick", "")
    assert list_texts("") == ("",)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_listed_field_values_round_trip(slug):
    for kind in built_in(slug).moves:
        for part in kind.notation.parts:
            assert part.lexeme.offered
            for text in part.lexeme.offered:
                assert re.fullmatch(part.lexeme.pattern, text)
                assert part.lexeme.write(part.lexeme.read(text)) == text


def test_token_splits_into_field_texts():
    assert LEG.split("c1>S@c3") == ("c1", "S", "c3")
    assert PROGRAM.split("S=FF,M=..,quick") == ("FF", "..", "", ",quick")
    assert FOUL.split("foul") == ("foul",)


@pytest.mark.parametrize(
    ("notation", "token", "steps"),
    [
        (LEG, "c1>S@c3", ["c1>", "c1>S@", "c1>S@c3"]),
        (PROGRAM, "S=FF,M=..", ["S=FF,M=", "S=FF,M=.."]),
        (PROGRAM, "S=FF,M=..,quick", ["S=FF,M=", "S=FF,M=..", "S=FF,M=..,quick"]),
        (FOUL, "foul", ["foul"]),
        (COINS, "bid=12!", ["bid=12!"]),
    ],
)
def test_a_token_is_written_part_by_part(notation, token, steps):
    made = [""]
    while made[-1] != token:
        made.append(notation.step(token, len(made[-1])))
    assert made[1:] == steps


@pytest.mark.parametrize(
    ("notation", "prefix", "grown"),
    [
        (LEG, "c1", "c1>"),
        (LEG, "c1>", "c1>L@ c1>M@ c1>S@"),
        (LEG, "c1>S@e", "c1>S@e1 c1>S@e2 c1>S@e3 c1>S@e4 c1>S@e5 c1>S@e6"),
        (LEG, "f", ""),
        (LEG, "c1>S@e3", ""),
        (LEG, "c1>S@e3x", ""),
        (PROGRAM, "S=F", "S=F.,M= S=FB,M= S=FF,M="),
        (PROGRAM, "S=FF,M=..", "S=FF,M=..,pass=1 S=FF,M=..,pass=2 S=FF,M=..,quick"),
        (PROGRAM, "S=FF,M=..,q", "S=FF,M=..,quick"),
        (PROGRAM, "S=FF,M=..,pass=2", "S=FF,M=..,pass=2,quick"),
        (FOUL, "fo", "foul"),
        (COINS, "bid=12", "bid=12!"),
        (COINS, "bid=", ""),
    ],
)
def test_a_beginning_grows_by_the_next_part(notation, prefix, grown):
    heads = {head for some in notation.beginning(prefix) for head, _ in some.grown(len(prefix))}
    assert " ".join(sorted(heads)) == grown


def test_unlisted_field_offers_no_texts():
    assert [some.size for some in COINS.beginning("bid")] == [0]
    assert [some.size for some in COINS.beginning("bid=")] == [0]
    assert [some.size for some in COINS.beginning("bid=x")] == []


@given(st.data())
def test_prefix_lists_exactly_its_tokens(data):
    [every] = PROGRAM.beginning("")
    tokens = set(every.some(every.size))
    assert len(tokens) == every.size
    token = data.draw(st.sampled_from(sorted(tokens)))
    prefix = token[: data.draw(st.integers(0, len(token)))]
    found = [text for some in PROGRAM.beginning(prefix) for text in some.some(some.size)]
    assert len(found) == len(set(found))
    assert set(found) == {text for text in tokens if text.startswith(prefix)}


@given(st.lists(st.integers(1, 7), min_size=1, max_size=5), st.integers(1, 50))
def test_sample_of_tokens_has_no_repetition(lengths, most):
    every = Unfinished(tuple(tuple("abcdefg"[:length]) for length in lengths))
    some = list(every.some(most))
    assert len(set(some)) == len(some) == min(most, every.size)
    assert set(some) <= set(every.some(every.size))


def test_overlong_number_is_not_read():
    assert COINS.read(f"bid={'9' * 5000}!") is None
