"""Tokens and links, and the right to read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from replay.book import Book
from replay.store import open_store
from tests.service.conftest import bearer, serve


def invited(api, match, who=None, **body):
    return api.post(f"/matches/{match.id}/invitations", json=body, headers=who or match.host)


def test_invitation_link_plays_only_its_seat(api):
    match = api.open()
    invitation = invited(api, match, role="seat", seat=1).json()
    path = invitation["link"].removeprefix(str(api.client.base_url))
    joined = api.get(path, follow_redirects=False)
    assert (joined.status_code, joined.headers["location"]) == (303, f"/m/{match.id}")
    cookie = joined.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert invitation["token"] not in joined.headers["location"]
    ours = {"Origin": str(api.client.base_url).rstrip("/")}
    assert api.play(match.id, ours, "2:resign").status_code == 403
    assert api.play(match.id, ours, "M@c1").status_code == 200


def test_viewer_link_keeps_the_rights_of_seat(api):
    match = api.open(visibility="private")
    viewer, seat = (
        invited(api, match, **body).json()["token"]
        for body in ({"role": "viewer"}, {"role": "seat", "seat": 1})
    )
    for token, role in ((viewer, "viewer"), (seat, "seat"), (viewer, "seat")):
        joined = api.get(f"/join/{match.id}/{token}", follow_redirects=False)
        assert (joined.status_code, joined.headers["location"]) == (303, f"/m/{match.id}")
        assert api.get(f"/matches/{match.id}").json()["you"]["role"] == role


def follow(api, match, token):
    joined = api.get(f"/join/{match.id}/{token}", follow_redirects=False)
    assert (joined.status_code, joined.headers["location"]) == (303, f"/m/{match.id}")
    return api.get(f"/matches/{match.id}").json()["you"]


def test_host_stays_host_after_opening_seat_link(api):
    match = api.open(visibility="private")
    host = invited(api, match, role="host").json()
    seat, viewer = (
        invited(api, match, **body).json()["token"]
        for body in ({"role": "seat", "seat": 1}, {"role": "viewer"})
    )
    for token in (host["token"], seat, viewer, seat):
        assert follow(api, match, token)["role"] == "host"
    path = f"/matches/{match.id}/invitations/{host['id']}"
    assert api.client.delete(path, headers=match.host).status_code == 200
    assert api.get(f"/matches/{match.id}").json()["you"] == {"role": "seat", "seat": 1}


def test_last_opened_seat_link_counts(api):
    match = api.open()
    one, two = (invited(api, match, role="seat", seat=seat).json()["token"] for seat in (1, 2))
    for token, seat in ((one, 1), (two, 2), (one, 1)):
        assert follow(api, match, token) == {"role": "seat", "seat": seat}


def test_cookie_holds_few_tokens_and_keeps_the_host(api):
    match = api.open()
    follow(api, match, invited(api, match, role="host").json()["token"])
    for _ in range(20):
        follow(api, match, invited(api, match, role="seat", seat=1).json()["token"])
    (cookie,) = api.client.cookies.values()
    assert len(cookie) < 400
    assert api.get(f"/matches/{match.id}").json()["you"]["role"] == "host"


def test_page_of_another_site_cannot_write_with_cookie(api):
    match = api.open()
    token = invited(api, match, role="seat", seat=1).json()["token"]
    api.client.cookies.set(f"plybook-{match.id}", token)
    for foreign in ({}, {"Origin": "http://elsewhere.test"}, {"Origin": "null"}):
        assert api.play(match.id, foreign, "M@c1").status_code == 403
    assert api.get(f"/matches/{match.id}").json()["you"] == {"role": "seat", "seat": 1}


def test_revoked_invitation_opens_nothing_and_is_unlisted(api):
    match = api.open()
    invitation = invited(api, match, role="viewer").json()
    path = f"/matches/{match.id}/invitations"
    listed = api.get(path, headers=match.host)
    assert invitation["id"] in listed.text
    assert invitation["token"] not in listed.text
    assert api.client.delete(f"{path}/{invitation['id']}", headers=match.host).status_code == 200
    assert api.get(f"/matches/{match.id}", headers=bearer(invitation["token"])).status_code == 401
    assert api.get(f"/join/{match.id}/{invitation['token']}").status_code == 404
    assert invitation["id"] not in api.get(path, headers=match.host).text


def test_last_host_key_cannot_be_revoked(api):
    match = api.open()
    path = f"/matches/{match.id}/invitations"
    host = next(
        key for key in api.get(path, headers=match.host).json()["keys"] if key["role"] == "host"
    )
    assert api.client.delete(f"{path}/{host['id']}", headers=match.host).status_code == 400
    assert api.client.delete(f"{path}/nothere", headers=match.host).status_code == 404


def test_only_the_host_invites_to_existing_seats(api):
    match = api.open()
    assert invited(api, match, match.seats["1"], role="viewer").status_code == 403
    assert invited(api, match, {"X": "y"}, role="viewer").status_code == 401
    for wrong in ({"role": "seat"}, {"role": "seat", "seat": 3}, {"role": "viewer", "seat": 1}):
        assert invited(api, match, **wrong).status_code == 400, wrong


def test_private_match_is_read_by_invited_callers(api):
    match = api.open(visibility="private")
    viewer = bearer(invited(api, match, role="viewer").json()["token"])
    for path in ("", "/events", "/legal", "/record", "/verify", "/board/0/0.svg"):
        assert api.get(f"/matches/{match.id}{path}").status_code == 401, path
        for who in (viewer, match.seats["1"], match.host):
            assert api.get(f"/matches/{match.id}{path}", headers=who).status_code == 200, path
    assert api.play(match.id, viewer, "M@c1").status_code == 403
    path = f"/matches/{match.id}/visibility"
    shown = api.client.put(path, json={"visibility": "unlisted"}, headers=match.host)
    assert shown.json()["visibility"] == "unlisted"
    assert api.get(f"/matches/{match.id}").status_code == 200
    assert api.client.put(path, json={"visibility": "public"}, headers=viewer).status_code == 403


KEY = {"Idempotency-Key": "3f6c1d0e-7a52-4b8f-9f57-1b1f7f0c9a11"}
OTHER = {"Idempotency-Key": "b0a9d8c7-0f1e-4d2c-8b3a-a1b2c3d4e5f6"}
SEAT = {"role": "seat", "seat": 1}


def keys(api, match):
    told = api.get(f"/matches/{match.id}/invitations", headers=match.host).json()
    return [each["id"] for each in told["keys"]]


def test_repeated_invitation_has_same_token_and_link(api):
    match = api.open()
    before = len(keys(api, match))
    first = invited(api, match, match.host | KEY, **SEAT)
    again = invited(api, match, match.host | KEY, **SEAT)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert len(keys(api, match)) == before + 1
    you = api.get(f"/matches/{match.id}", headers=bearer(first.json()["token"])).json()["you"]
    assert you == SEAT
    for who, other in ((match.host | OTHER, match), (None, match), (None, api.open())):
        more = invited(api, other, who or other.host | (KEY if other is not match else {}), **SEAT)
        assert more.json()["token"] != first.json()["token"]


def test_simultaneous_repeated_invitations_count_as_one(api):
    match = api.open()
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda _: invited(api, match, match.host | KEY, role="viewer"), range(8))
        )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1


def test_reused_key_of_different_invitation_is_refused(api):
    match = api.open()
    invited(api, match, match.host | KEY, **SEAT)
    for body in ({"role": "seat", "seat": 2}, {"role": "host"}):
        refused = invited(api, match, match.host | KEY, **body)
        assert (refused.status_code, refused.json()["code"]) == (409, "key-reused")


def test_revoked_invitation_is_not_issued_again(api):
    match = api.open()
    made = invited(api, match, match.host | KEY, **SEAT).json()
    path = f"/matches/{match.id}/invitations/{made['id']}"
    assert api.client.delete(path, headers=match.host).status_code == 200
    refused = invited(api, match, match.host | KEY, **SEAT)
    assert (refused.status_code, refused.json()["code"]) == (409, "key-reused")
    assert made["id"] not in keys(api, match)


def test_short_key_of_an_invitation_is_refused(api):
    match = api.open()
    before = keys(api, match)
    refused = invited(api, match, match.host | {"Idempotency-Key": "k" * 19}, **SEAT)
    assert (refused.status_code, refused.json()["path"]) == (400, "Idempotency-Key")
    refused = invited(api, match, match.host | KEY, role="seat", seat=7)
    assert (refused.status_code, refused.json()["path"]) == (400, "$.seat")
    assert keys(api, match) == before


def test_store_holds_no_key_or_token_of_invitation(tmp_path):
    with serve(book=Book(open_store(tmp_path / "book.db"))) as api:
        match = api.open()
        token = invited(api, match, match.host | KEY, **SEAT).json()["token"]
        stored = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert token.encode() not in stored
    assert KEY["Idempotency-Key"].encode() not in stored


def test_key_of_an_unknown_role_is_listed_and_can_be_revoked(api):
    match = api.open()
    stream = api.book.find(match.id).id
    api.book.store.add_key(stream, b"d" * 32, "reat", None).result()
    path = f"/matches/{match.id}/invitations"
    listed = api.get(path, headers=match.host).json()["keys"]
    assert [each["role"] for each in listed] == ["host", "seat", "seat", "reat"]
    gone = api.client.delete(f"{path}/{listed[-1]['id']}", headers=match.host)
    assert gone.status_code == 200, gone.text
