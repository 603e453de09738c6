"""Forks, their family and comparison; names, tags and the trash."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.conftest import bearer

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")


def played(api: Any, **body: Any) -> Any:
    match = api.open(**body)
    api.play(match.id, match.host, *MOVES)
    return match


def forked(api: Any, match: str, who: dict[str, str], **body: Any) -> Any:
    answer = api.post(f"/matches/{match}/forks", json={"ply": 2, **body}, headers=who)
    assert answer.status_code == 201, answer.text
    return answer.json()


def host_of(made: Any) -> dict[str, str]:
    return bearer(made["tokens"]["host"])


def tree(api: Any, match: str, who: dict[str, str]) -> dict[str, dict[str, Any]]:
    answer = api.get(f"/matches/{match}/tree", headers=who)
    assert answer.status_code == 200, answer.text
    return {each["match"]: each for each in answer.json()["members"]}


def test_fork_of_a_reader_has_its_own_tokens(api):
    match = played(api, players={"1": "Jet"})
    made = forked(api, match.id, {}, name="a calmer start")
    assert (made["kind"], made["plies"], made["players"]) == ("variation", 2, {"1": "Jet"})
    assert api.play(made["match"], host_of(made), "c1>L@d1").status_code == 200
    assert api.play(match.id, host_of(made), "c1>S@b1").status_code == 401
    assert api.get(f"/matches/{match.id}").json()["plies"] == 4


def test_fork_begins_at_an_address(api):
    match = played(api)
    api.post(f"/matches/{match.id}/takeback", json={"ply": 1}, headers=match.host)
    made = forked(api, match.id, {}, ply=3, version=4, kind="match", players={"2": "Red"})
    assert (made["kind"], made["plies"], made["players"]) == ("match", 3, {"2": "Red"})
    for wrong, status in (({"ply": 3}, 404), ({"ply": 1, "version": 9}, 404)):
        assert api.post(f"/matches/{match.id}/forks", json=wrong).status_code == status
    for wrong in ({"kind": "match", "players": {"3": "Teal"}}, {"players": {"2": "Red"}}):
        asked = {"ply": 1, **wrong}
        assert api.post(f"/matches/{match.id}/forks", json=asked).status_code == 400
    refused = api.post(f"/matches/{match.id}/forks", json={"ply": 1, "tags": {"Seat2": "Red"}})
    assert refused.json()["path"] == "$.tags.Seat2"


@pytest.mark.parametrize("kind", ["match", "variation"])
def test_fork_of_a_private_match_is_private(api, kind):
    match = played(api, visibility="private")
    made = forked(api, match.id, match.host, kind=kind)
    assert made["visibility"] == "private"
    assert api.get(f"/matches/{made['match']}").status_code == 401
    assert api.post(f"/matches/{match.id}/forks", json={"ply": 1}).status_code == 401


def test_match_decides_visibility_of_its_variations(api):
    match = played(api)
    variation, other = (forked(api, match.id, {}, kind=kind) for kind in ("variation", "match"))
    private = {"visibility": "private"}
    for made, status, asks in ((variation, 400, False), (other, 200, True)):
        path = f"/matches/{made['match']}/visibility"
        answer = api.client.put(path, json=private, headers=host_of(made))
        assert answer.status_code == status, answer.text
        page = api.get(f"/m/{made['match']}/share", headers=host_of(made)).text
        assert ('data-part="readers"' in page) == asks
        assert 'data-do="delete"' in page
    assert (
        "set that of the match"
        in api.client.put(
            f"/matches/{variation['match']}/visibility", json=private, headers=host_of(variation)
        ).json()["detail"]
    )


def test_tokens_of_match_read_its_variations(api):
    match = played(api, visibility="private")
    made = forked(api, match.id, match.host)["match"]
    assert api.get(f"/matches/{made}", headers=match.seats["1"]).json()["you"] == {
        "role": "viewer",
        "seat": None,
    }
    assert api.play(made, match.seats["1"], "c1>L@d1").status_code == 403
    assert api.play(made, match.host, "c1>L@d1").status_code == 200


def test_tree_shows_where_a_fork_leaves(api):
    match = played(api)
    made = forked(api, match.id, match.host, name="a calmer start")
    api.play(made["match"], host_of(made), "c1>L@d1")
    members = tree(api, match.id, {})
    assert members[match.id]["depth"] == 0
    fork = members[made["match"]]
    assert (fork["parent"], fork["leaves"], fork["depth"]) == (match.id, 2, 1)
    assert (fork["first"]["text"], fork["instead"]["text"]) == ("c1>L@d1", "c1>L@c3")
    assert (fork["name"], fork["standing"]) == ("a calmer start", "seat 2 is to launch")


def test_tree_shows_fork_taken_back_before_its_start(api):
    match = played(api, visibility="public")
    made = forked(api, match.id, match.host, kind="match")
    body = {"ply": 1}
    back = api.post(f"/matches/{made['match']}/takeback", json=body, headers=host_of(made))
    assert back.status_code == 200
    assert match.id in tree(api, match.id, match.host)
    page = api.get(f"/m/{match.id}/replay", headers=match.host)
    assert page.status_code == 200


def test_tree_hides_private_matches_played_on_elsewhere(api):
    match = played(api, visibility="public")
    own = forked(api, match.id, match.host, kind="match")
    public = forked(api, own["match"], {}, kind="match")
    shown = {"visibility": "public"}
    path = f"/matches/{public['match']}/visibility"
    assert api.client.put(path, json=shown, headers=host_of(public)).status_code == 200
    seen = tree(api, match.id, {})
    assert set(seen) == {match.id, public["match"]}
    told = seen[public["match"]]
    assert (told["parent"], told["instead"], told["depth"]) == (None, None, 0)
    assert set(tree(api, own["match"], host_of(own))) == {match.id, own["match"], public["match"]}
    private = {"visibility": "private"}
    api.client.put(f"/matches/{match.id}/visibility", json=private, headers=match.host)
    assert set(tree(api, own["match"], {})) == {own["match"], public["match"]}


def test_only_the_host_sees_a_hidden_variation(api):
    match = played(api)
    made = forked(api, match.id, {})["match"]
    inside = forked(api, made, {}, ply=1)["match"]
    done = api.post(f"/matches/{made}/hide", headers=match.host)
    assert (done.status_code, done.json()["hidden"]) == (200, True)
    assert set(tree(api, match.id, {})) == {match.id}
    assert set(tree(api, match.id, match.seats["1"])) == {match.id}
    assert set(tree(api, match.id, match.host)) == {match.id, made, inside}
    assert api.post(f"/matches/{made}/unhide", headers=match.host).json()["hidden"] is False
    assert set(tree(api, match.id, {})) == {match.id, made, inside}
    assert api.post(f"/matches/{match.id}/hide", headers=match.host).status_code == 409


def test_only_host_of_analysed_match_promotes(api):
    match = played(api)
    made = forked(api, match.id, {})
    assert api.post(f"/matches/{made['match']}/promote", headers=match.host).status_code == 409
    api.play(made["match"], host_of(made), "c1>L@d1")
    assert api.post(f"/matches/{made['match']}/promote", headers=host_of(made)).status_code == 403
    done = api.post(f"/matches/{made['match']}/promote", headers=match.host).json()
    assert (done["main"], done["analyses"]) == (True, match.id)
    assert tree(api, match.id, {})[made["match"]]["main"]
    assert "c1>L@d1 (" in api.get(f"/matches/{match.id}/record").text
    api.post(f"/matches/{match.id}/promote", headers=match.host)
    assert not tree(api, match.id, {})[made["match"]]["main"]


def test_only_a_fork_can_be_named(api):
    match = played(api)
    made = forked(api, match.id, {})
    path = f"/matches/{made['match']}/name"
    named = api.client.put(path, json={"name": "sharper"}, headers=host_of(made)).json()
    assert named["name"] == "sharper"
    assert api.client.put(path, json={"name": ""}, headers=match.host).json()["name"] == ""
    wrong = api.client.put(f"/matches/{match.id}/name", json={"name": "x"}, headers=match.host)
    assert wrong.status_code == 409


def test_compare_needs_access_to_both_lines(api):
    match = played(api)
    made = forked(api, match.id, {})
    api.play(made["match"], host_of(made), "c1>L@d1")
    found = api.get(f"/matches/{match.id}/compare?with={made['match']}").json()
    assert (found["common"], found["last"]["text"]) == (2, "S@c6")
    assert [side["next"]["text"] for side in found["sides"]] == ["c1>L@c3", "c1>L@d1"]
    private = played(api, visibility="private")
    assert api.get(f"/matches/{match.id}/compare?with={private.id}").status_code == 401
    mine = api.get(f"/matches/{match.id}/compare?with={private.id}", headers=private.host)
    assert mine.status_code == 401, "the token is of the other match"
    other = api.open("blockade")
    for query, status in (("", 400), (f"?with={other.id}", 400), ("?with=nothere", 404)):
        assert api.get(f"/matches/{match.id}/compare{query}").status_code == status


def test_tags_are_set_and_erased(api):
    match = played(api)
    path = f"/matches/{match.id}/tags"
    tags = {"Event": "Second evening", "Round": "2"}
    told = api.client.patch(path, json={"tags": tags}, headers=match.host)
    assert told.status_code == 200, told.text
    assert told.json()["tags"].items() > tags.items()
    gone = api.client.delete(f"{path}/Round", headers=match.host)
    assert (gone.status_code, "Round" in gone.json()["tags"]) == (200, False)
    assert api.client.delete(f"{path}/Round", headers=match.host).status_code == 404
    assert api.get(path).json() == gone.json()
    for wrong in ({"Result": "="}, {"1st": "x"}, {"Event": "a\nb"}, {"Event": 1}, {"Date": "foo"}):
        answer = api.client.patch(path, json={"tags": wrong}, headers=match.host)
        assert answer.status_code == 400, wrong


def test_deleted_match_is_gone_until_its_host_restores(api):
    match = played(api)
    path = f"/matches/{match.id}"
    gone = api.client.delete(path, headers=match.host).json()
    assert (gone["match"], gone["trashed"]) == (match.id, True)
    assert api.get(path).status_code == 404
    assert api.play(match.id, match.host, "c1>S@c2").status_code == 404
    assert api.post(f"{path}/restore", headers=match.seats["1"]).status_code == 403
    assert api.post(f"{path}/restore").status_code == 401
    assert api.post(f"{path}/restore", headers=match.host).status_code == 200
    assert api.get(path).json()["plies"] == 4
    assert api.post("/matches/nothere/restore", headers=match.host).status_code == 404


def test_restore_does_not_reveal_the_trash(api):
    match, other = played(api), played(api)
    path = f"/matches/{match.id}"
    api.client.delete(path, headers=match.host)
    for who in ({}, other.host, bearer("x" * 32)):
        trashed = api.post(f"{path}/restore", headers=who)
        nowhere = api.post("/matches/zzzzzzzzzzzz/restore", headers=who)
        assert (trashed.status_code, trashed.text) == (nowhere.status_code, nowhere.text)


@pytest.mark.parametrize("what", ["hide", "unhide", "name"])
def test_only_hosts_hide_show_or_name_a_variation(api, what):
    match = played(api)
    made = forked(api, match.id, {})
    path = f"/matches/{made['match']}/{what}"
    method, body = ("PUT", {"name": "x"}) if what == "name" else ("POST", None)
    seat = bearer(made["tokens"]["seats"]["1"])
    for who, status in (
        ({}, 401),
        (seat, 403),
        (match.seats["1"], 403),
        (host_of(made), 200),
        (match.host, 200),
    ):
        answer = api.client.request(method, path, json=body, headers=who)
        assert answer.status_code == status
