"""Pads for secret moves: every choice on them is a legal move text."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.controls import Pad
from domain.entry import move_text
from domain.entry.taps import controls_of
from domain.events import State
from domain.games import built_in
from domain.games.pyramid_ball.orders import WAY
from domain.match import Match, open_match
from domain.notation import Label
from domain.position import Violation
from tests.token_play import add_token, play_texts

GAME = built_in("pyramid-ball")

TO_A_POINT = "1:S=.FR,M=LFF,L=RLF 2:S=.BF,M=RFF,L=FFR"


def pad_of(match: Match[Any], seat: int) -> Pad:
    (pad,) = controls_of(match.state, seat).pads
    return pad


def offered(pad: Pad, labels: tuple[Label, ...], chosen: dict[str, str]) -> list[str]:
    """The texts that can be chosen for a field while others are chosen."""
    return [
        label.text for label in labels or pad.labels if not label.needs or chosen.get(label.needs)
    ]


def choose(pad: Pad, rng: Random) -> str:
    """The move text of a pad on which every field is chosen at random, switches first."""
    chosen: dict[str, str] = {}
    for field in reversed(pad.fields):
        texts = offered(pad, field.labels, chosen)
        chosen[field.name] = rng.choice([*texts, ""] if len(texts) == 1 else texts)
    written = {
        field.name: chosen[field.name] if not field.needs or chosen[field.needs] else ""
        for field in pad.fields
    }
    return "".join(
        f"{field.before}{written[field.name]}" for field in pad.fields if written[field.name]
    )


def refusal(state: State, token: str) -> Violation | None:
    event = move_text.read(GAME, state, token)
    return event if isinstance(event, Violation) else event.check(state)


@pytest.mark.parametrize("taken", ["", "1:take=S", "1:take=L"])
@pytest.mark.parametrize("seat", [1, 2])
def test_every_program_of_a_pad_is_legal(taken, seat):
    match = play_texts(GAME, f"{TO_A_POINT} {taken}", length="advanced")
    pad = pad_of(match, seat)
    rng = Random(7)
    for token in {choose(pad, rng) for _ in range(200)}:
        found = refusal(match.state, f"{seat}:{token}")
        assert found is None, (token, found)


def test_taken_special_move_appears_on_pad():
    match = play_texts(GAME, TO_A_POINT, length="advanced")
    names = {field.name for field in pad_of(match, 1).fields}
    dash = {field.name for field in pad_of(add_token(match, "1:take=S"), 1).fields}
    blitz = {field.name for field in pad_of(add_token(match, "1:take=L"), 1).fields}
    assert (dash - names, blitz - names) == ({"S4"}, {"blitz"})


@pytest.mark.parametrize(("seat", "side"), [(1, 1), (2, -1)])
def test_pad_steps_follow_their_commands(seat, side):
    pad = pad_of(open_match(GAME), seat)
    assert {step.text for step in pad.steps} == set(WAY[side])
    names = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefg"]
    for step in pad.steps:
        way = dict(zip(step.starts, step.ends, strict=True))
        ends = [way.get(name) for name in names]
        assert ends == [names[end] if end >= 0 else None for end in WAY[side][step.text]]


def test_pad_starts_with_the_ball_carrier():
    assert [pad_of(open_match(GAME), seat).start for seat in (1, 2)] == ["M", "M"]
    match = play_texts(GAME, "1:S=...,M=...,L=...,pass=2L 2:S=R..,M=R..,L=...")
    assert pad_of(match, 1).start == "L"


def test_pick_pad_lists_its_legal_moves():
    match = open_match(GAME, GAME.read_options({"opening": "selection"}))
    (field,) = pad_of(match, 1).fields
    assert [(label.text, label.words) for label in field.labels] == [
        ("S", "small"), ("M", "medium"), ("L", "large"),
    ]  # fmt: skip
    assert (field.before, field.text) == ("pick=", None)
    assert all(refusal(match.state, f"1:pick={label.text}") is None for label in field.labels)


def test_sealed_seat_has_no_pad():
    match = play_texts(GAME, "1:S=...,M=...,L=...")
    assert controls_of(match.state, 1).pads == ()
