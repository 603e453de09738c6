"""Corrections and forks of a match with hidden hands, while the deal is played and after it."""

from __future__ import annotations

from typing import Any

import pytest

from replay.referee.verification import verify_match
from tests.conformance import door
from tests.paths import ROOT
from tests.service.api.test_corrections import line, send

RANKS = "23456789TJQKA"
SUITS = dict(zip("1234", "CDSH", strict=True))
"""Each seat has all cards of a suit; hearts are trumps, so seat 4 takes every trick."""
DEALT = [
    f"{seat}:hand=" + "".join(f"{rank}{suit}" for rank in RANKS) for seat, suit in SUITS.items()
]
TRICKS = ["1234", *["4123"] * 12]
PLAYS = [
    f"{seat}:{rank}{SUITS[seat]}"
    for rank, order in zip(RANKS, TRICKS, strict=True)
    for seat in order
]


@pytest.fixture(scope="module", autouse=True)
def whist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    door.install(ROOT / "plugins" / "whist", folder)
    with door.opened(folder):
        yield


@pytest.fixture
def opened(api: Any) -> Any:
    match = api.open("whist", seats=4)
    for token in DEALT:
        assert api.play(match.id, match.seats[token[0]], token).is_success
    return match


@pytest.fixture
def finished(api: Any, opened: Any) -> Any:
    for token in PLAYS:
        assert api.play(opened.id, opened.host, token).is_success
    return opened


def test_host_amends_a_card_and_redoes_the_rest(api, finished):
    mistyped = {"ply": 5, "how": "replaced", "texts": ["1:5C"]}
    for who, status in ((finished.seats["1"], 403), ({}, 401)):
        assert send(api, finished, "amendments", who, **mistyped).status_code == status
    done = send(api, finished, "amendments", finished.host, **mistyped).json()
    assert (done["was"], done["stood"], done["fell"]) == ("2C", 12, 39)
    assert (done["first"]["text"], done["first"]["clause"]) == ("5C", "WHI-3.1")
    assert api.play(finished.id, finished.host, "1:2C").is_success
    while (again := send(api, finished, "redo", finished.host)).is_success:
        last = again.json()
    assert last["outcome"]["winners"] == [2, 4]
    written = [token.partition(":")[2] for token in PLAYS]
    written[13] = "2C"  # seat 1 plays it in the fourth trick
    assert line(api, finished)[4:] == written[1:]


def test_amended_hand_still_belongs_to_its_player(api, finished):
    wrong = {"ply": 5, "how": "replaced", "texts": ["1:5C"]}
    assert send(api, finished, "amendments", finished.host, **wrong).is_success
    shown = [
        "9♣" in api.get(f"/matches/{finished.id}?scene=true", headers=who).text
        for who in ({}, finished.host, finished.seats["2"], finished.seats["1"])
    ]
    assert shown == [False, False, False, True]


@pytest.mark.parametrize("ply", [2, 20])
def test_reader_forks_within_revealed_deal(api, finished, ply):
    fork = api.fork(finished.id, {}, ply=ply)
    card = (DEALT[2], "4:AH")[ply > 4]
    assert api.play(fork.id, fork.host, card).is_success
    assert len(line(api, finished)) == 56
    assert verify_match(api.book, api.book.open(fork.id).stream).ok


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("amendments", {"ply": 5, "how": "replaced", "texts": ["1:5C"]}),
        ("amendments", {"ply": 1, "how": "deleted"}),
        ("forks", {"ply": 5}),
        ("forks", {"ply": 2}),
    ],
)
@pytest.mark.parametrize("ended", [False, True])
def test_corrections_are_refused_while_hands_are_hidden(api, opened, what, body, ended):
    for token in ("1:2C", *["2:resign"] * ended):
        assert api.play(opened.id, opened.host, token).is_success
    for who in (opened.host, opened.seats["1"], opened.seats["2"]):
        refused = send(api, opened, what, who, **body)
        if what == "amendments" and who != opened.host:
            assert refused.status_code == 403
            continue
        assert (refused.status_code, refused.json()["clause"]) == (409, "sealed")
        assert "hands are" in refused.json()["detail"]
        assert "C" not in refused.json()["detail"]


def test_fork_reveals_no_hand_of_later_deal(api):
    match = api.open("whist", seats=4, options={"deals": 4})
    for token in (*DEALT, *PLAYS, DEALT[0]):
        assert api.play(match.id, match.seats[token[0]], token).is_success
    assert send(api, match, "amendments", match.host, ply=5, how="deleted").status_code == 409
    fork = api.fork(match.id, {}, ply=20)
    for who in (fork.host, fork.seats["1"], {}):
        events = api.get(f"/matches/{fork.id}/events", headers=who).json()["events"]
        assert [each["text"] for each in events[56:]] == [None]
        assert not events[56]["stands"]
