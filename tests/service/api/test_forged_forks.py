"""A fork at a sealed move or hand shows nothing that its parent hides, however it gets there."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from domain.entry import move_text
from replay.branches import forks
from tests.conformance import door
from tests.paths import ROOT
from tests.replay.formats.archive.families import forged
from tests.service.api.test_corrections import send
from tests.service.conftest import OpenedMatch, bearer

ARCHIVE = "application/x-plybook-archive"
MERGE = "/records?merge=true"
GAMES = ("whist", "hearts", "pyramid-ball")
FORGED = "0000f0rged00"
FORMS = ("ply", "html", "archive", "sheet", "svg")
PATHS = (
    *(f"/matches/{{match}}{path}" for path in ("", "/events", "/legal?all=true", "/hints?prefix=")),
    *(
        f"/matches/{{match}}/record?format={form}"
        for form in ("ply", "html", "archive", "sheet", "svg")
    ),
    *(f"/m/{{match}}{path}" for path in ("", "/frame?version={head}&ply={head}", "/replay", "/tv")),
)

PAD = re.compile(r'"cards":\["AS"(?:,"[2-9TJQKA][SHCD]"){51}\]')


@pytest.fixture(scope="module", autouse=True)
def plugged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    for game in ("whist", "hearts"):
        door.install(ROOT / "plugins" / game, folder)
    with door.opened(folder):
        yield


@pytest.fixture
def unwalled(monkeypatch):
    """Switch the first wall off."""
    monkeypatch.setattr(forks, "check_open", lambda record, ply: None)


def sealed_match(api: Any, game: str) -> Any:
    """Return a match whose seats have dealt hands, or whose seat 2 has sealed a program."""
    if game == "pyramid-ball":
        match = api.open(game, seats=2)
        assert api.play(match.id, match.seats["2"], "2:S=FLF,M=LFL,L=RFR").is_success
        return match
    match = api.open(game, seats=4, dice="service")
    for seat in "1234":
        assert api.play(match.id, match.seats[seat], f"{seat}:roll").is_success
    return match


def with_fork(
    content: bytes, parent: str, version: int, ply: int, match: str = FORGED, **more: Any
) -> bytes:
    """Return an archive with one fork more, whose hashes fit."""
    lines = content.splitlines(keepends=True)
    headers = [json.loads(line).get("header") for line in lines]
    header = next(each for each in headers if each and each["id"] == parent)
    header |= {
        "id": match,
        "kind": "match",
        "fork": {"match": parent, "version": version, "ply": ply},
    }
    header["fork"] |= more
    new = [{"line": "match", "header": header}, {"line": "facts", "facts": {}}]
    return forged([*lines[:-1], *(json.dumps(each).encode() + b"\n" for each in new), lines[-1]])


def archive_of(api: Any, match: str) -> bytes:
    return api.get(f"/matches/{match}/record?format=archive").content


def merged(api: Any, content: bytes) -> Any:
    return api.post(MERGE, content=content, headers={"Content-Type": ARCHIVE})


def secrets_of(api: Any, match: str) -> set[str]:
    """Return the hidden move texts, and the cards in them."""
    record = api.book.open(match)
    events = [record.events[version - 1] for version in record.secrets]
    written = {move_text.split(move_text.write(record.game, event)).body for event in events}
    return written | {card for text in written for card in re.findall("[2-9TJQKA][CDHS]", text)}


@pytest.mark.parametrize("game", GAMES)
def test_spectator_appends_a_fork_at_a_sealed_ply(fresh, game):
    match = sealed_match(fresh, game)
    head = fresh.book.open(match.id).match.version
    for version in range(1, head + 1):
        content = with_fork(archive_of(fresh, match.id), match.id, version, version)
        answer = merged(fresh, content)
        assert answer.status_code == 409, answer.text
        assert "sealed" in answer.json()["detail"]
    assert [each.id for each in fresh.book.matches()] == [match.id]


def test_fork_of_a_fork_or_with_cuts_is_no_way_around(fresh):
    match = sealed_match(fresh, "whist")
    content = archive_of(fresh, match.id)
    open_one = with_fork(content, match.id, 4, 0)
    through = with_fork(open_one, FORGED, 4, 4, "0000f0rged01")
    cut = with_fork(content, match.id, 4, 2, cuts=[[3, 3]])
    grown = with_fork(open_one, FORGED, 2, 2, "0000f0rged01")
    for content in (cut, through, grown):
        answer = merged(fresh, content)
        assert answer.status_code in (400, 409), answer.text
    assert len([*fresh.book.matches()]) == 1
    assert merged(fresh, open_one).status_code == 201


@pytest.mark.usefixtures("unwalled")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_sees_a_secret_of_the_parent_in_a_fork(fresh, game):
    match = sealed_match(fresh, game)
    head = fresh.book.open(match.id).match.version
    made = merged(fresh, with_fork(archive_of(fresh, match.id), match.id, head, head)).json()
    keys = made["matches"][1]["tokens"]
    fork = OpenedMatch(
        FORGED, bearer(keys["host"]), {seat: bearer(token) for seat, token in keys["seats"].items()}
    )
    hidden = secrets_of(fresh, match.id)
    assert hidden
    for who in (fork.host, *fork.seats.values()):
        for path in PATHS:
            answer = fresh.get(path.format(match=fork.id, head=head), headers=who)
            assert answer.status_code in (200, 403), (path, answer.text)
            assert not shown(answer.text, hidden), path
        for seat in fork.seats:
            guesses = sorted(each for each in hidden if len(each) < 3)[::9] or ["S=...,M=...,L=..."]
            said = {tried(fresh, fork, who, f"{seat}:{guess}") for guess in guesses}
            assert len(said) == 1, said
        amended = send(fresh, fork, "amendments", who, ply=1, how="deleted")
        assert not amended.is_success
        assert not shown(amended.text, hidden)


def shown(text: str, hidden: set[str]) -> set[str]:
    """Return the secrets that a text has as words, besides the pad of all cards of the pack."""
    text = PAD.sub("", html.unescape(text))
    return {each for each in hidden if re.search(rf"(?<![\w=]){re.escape(each)}(?![\w=])", text)}


def tried(api: Any, match: Any, who: dict[str, str], token: str) -> tuple[Any, ...]:
    """Return what a dry run and an entry say."""
    path = f"/matches/{match.id}/events"
    body = {"events": [{"text": token}]}
    answers = [api.post(f"{path}{more}", json=body, headers=who) for more in ("?dry_run=true", "")]
    assert not any(each.is_success for each in answers), answers[0].text
    return tuple((each.status_code, each.json().get("clause")) for each in answers)
