"""The service remembers a caller only while their rights are unchanged."""

from __future__ import annotations

import pytest

from replay.referee import entering
from tests.service.conftest import bearer

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")


@pytest.fixture
def played(api):
    """A match in which the host and the player of seat 2 are remembered."""
    match = api.open()
    for who, token in ((match.host, MOVES[0]), (match.seats["2"], MOVES[1])):
        for _ in range(2):  # the second refusal comes from a remembered visit
            api.play(match.id, who, token)
    return match


def test_remembered_caller_needs_no_look_up(api, played, monkeypatch):
    def fail(*_):
        raise AssertionError

    api.play(played.id, played.host, MOVES[2])
    monkeypatch.setattr(api.book.store, "key", fail)
    monkeypatch.setattr(api.book.store, "stream", fail)
    assert api.play(played.id, played.seats["2"], "c6>M@c4").status_code == 200


def test_revoked_token_cannot_enter_moves(api, played):
    seat = played.seats["2"]
    keys = api.get(f"/matches/{played.id}/invitations", headers=played.host).json()["keys"]
    assert api.play(played.id, played.host, MOVES[2]).status_code == 200
    (key,) = [each["id"] for each in keys if each["seat"] == 2]
    assert api.client.delete(
        f"/matches/{played.id}/invitations/{key}", headers=played.host
    ).is_success
    assert api.play(played.id, seat, MOVES[3]).status_code == 401
    assert api.play(played.id, played.host, MOVES[3]).json()["version"] == 4


def test_trashed_match_accepts_no_moves(api, played):
    book = api.book
    stream = book.open(played.id).stream
    book.store.trash(stream.id).result()
    assert api.play(played.id, played.host, MOVES[2]).status_code == 404
    book.store.trash(stream.id, False).result()
    assert api.play(played.id, played.host, MOVES[2]).status_code == 200


def test_token_is_remembered_for_its_own_match(api, played):
    other = api.open()
    api.play(other.id, other.host, MOVES[0])
    assert api.play(played.id, other.host, MOVES[2]).status_code == 401
    assert api.play(played.id, bearer("nothing"), MOVES[2]).status_code == 401
    assert api.play(played.id, {}, MOVES[2]).status_code == 401


def test_remembered_caller_gets_refusal_and_stale_version(api, played):
    refused = api.play(played.id, played.host, "c6>S@c5")
    assert (refused.status_code, refused.json()["version"]) == (409, 2)
    stale = api.play(played.id, played.host, MOVES[2], expected=1)
    assert (stale.status_code, len(stale.json()["missed"])) == (412, 1)


def test_retry_is_answered_as_the_first_time(api, played):
    def play(token: str):
        headers = played.host | {"Idempotency-Key": "one"}
        body = {"events": [{"text": token}]}
        return api.post(f"/matches/{played.id}/events", json=body, headers=headers)

    first = play(MOVES[2])
    assert api.play(played.id, played.host, MOVES[3]).status_code == 200
    assert play(MOVES[2]).json() == first.json()
    assert play(MOVES[3]).status_code == 409
    book = api.book
    assert book.open(played.id).match.version == 4


def test_page_of_another_site_cannot_use_remembered_cookie(api, played):
    token = played.host["Authorization"].removeprefix("Bearer ")
    own = {"Origin": str(api.client.base_url).rstrip("/")}
    api.client.cookies.set(f"plybook-{played.id}", token)
    for move in (MOVES[2], MOVES[3]):
        assert api.play(played.id, own, move).status_code == 200
    foreign = api.play(played.id, {"Origin": "http://elsewhere.test"}, "c3xc4")
    assert foreign.status_code == 403


def test_move_follows_event_appended_elsewhere_in_process(api, played):
    book = api.book
    record = book.open(played.id)
    judged = entering.judge(book, record, [MOVES[2]])
    entering.append(book, record, judged).result()  # and published to nobody
    assert api.play(played.id, played.seats["2"], MOVES[3]).json()["version"] == 4


def test_remembered_host_corrects_without_a_query(api, played, monkeypatch):
    def fail(*_):
        raise AssertionError

    monkeypatch.setattr(api.client.app.state.book.store, "key", fail)
    monkeypatch.setattr(api.client.app.state.book.store, "stream", fail)
    url = f"/matches/{played.id}/takeback"
    assert api.post(url, json={"ply": 1}, headers=played.host).json()["version"] == 3


def test_revoked_host_cannot_correct(api, played):
    url = f"/matches/{played.id}/invitations"
    other = api.post(url, json={"role": "host"}, headers=played.host).json()
    api.play(played.id, played.host, MOVES[2])  # it is remembered
    first = next(
        key["id"]
        for key in api.get(url, headers=played.host).json()["keys"]
        if key["role"] == "host" and key["id"] != other["id"]
    )
    assert api.client.delete(f"{url}/{first}", headers=bearer(other["token"])).is_success
    for path, body in (("takeback", {"ply": 1}), ("rulings", {"result": "drawn"})):
        refused = api.post(f"/matches/{played.id}/{path}", json=body, headers=played.host)
        assert refused.status_code == 401
    assert api.client.app.state.book.open(played.id).match.version == 3


def test_remembered_seat_may_not_rule(api, played):
    url = f"/matches/{played.id}/rulings"
    refused = api.post(url, json={"result": "drawn"}, headers=played.seats["2"])
    assert refused.status_code == 403


def test_remembered_hosts_repeated_takeback_is_done_once(api, played):
    def take_back():
        headers = played.host | {"Idempotency-Key": "back"}
        return api.post(f"/matches/{played.id}/takeback", json={"ply": 1}, headers=headers)

    first = take_back()
    assert api.play(played.id, played.host, "L@c6").status_code == 200
    assert take_back().json() == first.json()
    assert api.client.app.state.book.open(played.id).match.version == 4
