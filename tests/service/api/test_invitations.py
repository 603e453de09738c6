"""Tokens and links, and the right to read."""

from __future__ import annotations

from tests.service.conftest import bearer


def invited(api, match, who=None, **body):
    return api.post(f"/matches/{match.id}/invitations", json=body, headers=who or match.host)


def test_an_invitation_link_lets_a_browser_play_its_seat_and_no_other(api):
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


def test_a_viewers_link_takes_no_right_to_write_away(api):
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


def test_a_host_stays_host_when_they_open_the_link_of_a_seat(api):
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


def test_the_newest_of_two_seat_links_counts(api):
    match = api.open()
    one, two = (invited(api, match, role="seat", seat=seat).json()["token"] for seat in (1, 2))
    for token, seat in ((one, 1), (two, 2), (one, 1)):
        assert follow(api, match, token) == {"role": "seat", "seat": seat}


def test_a_cookie_holds_few_tokens_and_the_hosts_among_them(api):
    match = api.open()
    follow(api, match, invited(api, match, role="host").json()["token"])
    for _ in range(20):
        follow(api, match, invited(api, match, role="seat", seat=1).json()["token"])
    (cookie,) = api.client.cookies.values()
    assert len(cookie) < 400
    assert api.get(f"/matches/{match.id}").json()["you"]["role"] == "host"


def test_a_page_of_another_site_cannot_write_with_the_cookie(api):
    match = api.open()
    token = invited(api, match, role="seat", seat=1).json()["token"]
    api.client.cookies.set(f"plybook-{match.id}", token)
    for foreign in ({}, {"Origin": "http://elsewhere.test"}, {"Origin": "null"}):
        assert api.play(match.id, foreign, "M@c1").status_code == 403
    assert api.get(f"/matches/{match.id}").json()["you"] == {"role": "seat", "seat": 1}


def test_a_revoked_invitation_opens_nothing_and_is_listed_no_more(api):
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


def test_the_last_key_of_the_host_stays(api):
    match = api.open()
    path = f"/matches/{match.id}/invitations"
    host = next(
        key for key in api.get(path, headers=match.host).json()["keys"] if key["role"] == "host"
    )
    assert api.client.delete(f"{path}/{host['id']}", headers=match.host).status_code == 400
    assert api.client.delete(f"{path}/nothere", headers=match.host).status_code == 404


def test_only_the_host_invites_and_only_to_seats_there_are(api):
    match = api.open()
    assert invited(api, match, match.seats["1"], role="viewer").status_code == 403
    assert invited(api, match, {"X": "y"}, role="viewer").status_code == 401
    for wrong in ({"role": "seat"}, {"role": "seat", "seat": 3}, {"role": "viewer", "seat": 1}):
        assert invited(api, match, **wrong).status_code == 400, wrong


def test_a_private_match_is_read_by_who_was_invited(api):
    match = api.open(visibility="private")
    viewer = bearer(invited(api, match, role="viewer").json()["token"])
    for path in ("", "/events", "/legal", "/record", "/board/0/0.svg"):
        assert api.get(f"/matches/{match.id}{path}").status_code == 401, path
        assert api.get(f"/matches/{match.id}{path}", headers=viewer).status_code == 200, path
    assert api.play(match.id, viewer, "M@c1").status_code == 403
    path = f"/matches/{match.id}/visibility"
    shown = api.client.put(path, json={"visibility": "unlisted"}, headers=match.host)
    assert shown.json()["visibility"] == "unlisted"
    assert api.get(f"/matches/{match.id}").status_code == 200
    assert api.client.put(path, json={"visibility": "public"}, headers=viewer).status_code == 403
