"""Another phone takes the place of a seat's: codes that are good once, and what the others read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from replay.access import accounts
from replay.referee.phones import LIFETIME, MAX_UNSENT
from replay.referee.verification import verify_match
from tests.service.api.test_forged_forks import ARCHIVE, archive_of
from tests.service.conftest import bearer, serve

BROWSER = {"Accept": "text/html,*/*;q=0.8"}


def code_of(api, match, seat=2):
    made = api.post(f"/matches/{match.id}/phone-codes", json={"seat": seat}, headers=match.host)
    assert made.status_code == 201, made.text
    return made.json()


def use(api, match, code, **headers):
    return api.post(f"/matches/{match.id}/phones", json={"code": code}, headers=headers)


def test_new_phone_plays_and_the_former_one_only_reads(api):
    match = api.open(players={"2": "Ben"}, visibility="private")
    assert api.play(match.id, match.host, "1:M@c1").status_code == 200
    assert api.play(match.id, match.seats["2"], "M@c6").status_code == 200
    used = use(api, match, code_of(api, match)["code"])
    assert used.status_code == 200, used.text
    new, former = bearer(used.json()["token"]), match.seats["2"]
    assert (used.json()["role"], used.json()["seat"]) == ("seat", 2)
    for who, role in ((new, "seat"), (former, "viewer")):
        shown = api.get(f"/matches/{match.id}", headers=who)
        assert shown.json()["you"] == {"role": role, "seat": 2}
    refused = api.play(match.id, former, "2:resign")
    assert refused.status_code == 403
    assert "another phone has this seat now" in refused.json()["detail"]
    (*_, told) = api.get(f"/matches/{match.id}/people", headers=match.host).json()["people"]
    assert (told["event"], told["seat"], told["author"]) == ("replaced", 2, "scorekeeper")
    heard = "seat 2 has another phone now; the former was last heard at move 2"
    assert told["words"] == heard
    for who in (new, former, match.host, match.seats["1"]):
        assert heard[5:] in api.get(f"/m/{match.id}", headers=who).text
        assert heard[5:] in api.get(f"/m/{match.id}/replay", headers=who).text
    assert "nother phone has this seat now" in api.get(f"/m/{match.id}", headers=former).text
    assert api.play(match.id, new, "2:resign").status_code == 200


def test_archive_keeps_the_change(api):
    match = api.open(players={"2": "Ben"})
    use(api, match, code_of(api, match)["code"])
    content = archive_of(api, match.id)
    with serve() as there:
        brought = there.post("/records", content=content, headers={"Content-Type": ARCHIVE})
        assert brought.status_code == 201, brought.text
        people = [each.get(f"/matches/{match.id}/people").json() for each in (there, api)]
        assert people[0] == people[1]
        assert [each["event"] for each in people[0]["people"]] == ["seated", "replaced"]
        assert people[0]["people"][1]["words"] == "seat 2 has another phone now"
        assert verify_match(there.book, there.book.find_by_id(match.id)).ok


def test_secrets_of_a_seat_stay_its_own(api):
    match = api.open("pyramid-ball", players={"2": "Ben"})
    former = match.seats["2"]
    before = api.get(f"/matches/{match.id}/legal", headers=former).json()
    new = bearer(use(api, match, code_of(api, match)["code"]).json()["token"])
    assert api.get(f"/matches/{match.id}/legal", headers=new).json() == before


def test_code_opens_a_page_that_asks_and_uses_nothing(api):
    match = api.open(players={"2": "Ben"}, visibility="private")
    assert api.play(match.id, match.host, "1:M@c1").status_code == 200
    assert api.play(match.id, match.seats["2"], "M@c6").status_code == 200
    made = code_of(api, match)
    path = made["link"].removeprefix(str(api.client.base_url))
    for _ in range(2):
        asked = api.get(path, headers=BROWSER)
        assert asked.status_code == 200
        assert "Replace Ben’s phone?" in asked.text
        assert "move 2." in asked.text
        assert asked.headers["cache-control"] == "no-store"
        assert "set-cookie" not in asked.headers
    drawn = f"/m/{match.id}/code/{made['code']}"
    assert api.get(drawn, headers=match.host).status_code == 200
    assert api.get(drawn, headers=match.seats["2"]).status_code == 403
    assert use(api, match, made["code"]).status_code == 200
    assert api.get(path, headers=BROWSER).status_code == 409
    assert api.get(drawn, headers=match.host).status_code == 409
    old = match.seats["2"]["Authorization"].split()[1]
    for dead in (f"/join/{match.id}/{old}", f"/join/{match.id}/2{'x' * 32}"):
        assert api.get(dead, follow_redirects=False).status_code == 404
    assert api.get(f"/m/{match.id}/code/{old}", headers=match.host).status_code == 404


def test_only_the_host_makes_codes(api):
    match = api.open()
    path = f"/matches/{match.id}/phone-codes"
    for who, status in (({}, 401), (match.seats["1"], 403), (match.seats["2"], 403)):
        assert api.post(path, json={"seat": 2}, headers=who).status_code == status
        assert "Replace Player 2’s phone" not in api.get(f"/m/{match.id}/share", headers=who).text
    assert "Replace Player 2’s phone" in api.get(f"/m/{match.id}/share", headers=match.host).text
    wrong = api.post(path, json={"seat": 3}, headers=match.host)
    assert (wrong.status_code, wrong.json()["path"]) == (400, "$.seat")


def test_seat_of_an_account_is_not_handed_over(api):
    match = api.open()
    bob = bearer(accounts.add(api.book, "bob"))
    invited = {"role": "seat", "seat": 2}
    code = code_of(api, match)["code"]
    api.client.put(f"/matches/{match.id}/accounts/bob", json=invited, headers=match.host)
    path = f"/matches/{match.id}/phone-codes"
    refused = api.post(path, json={"seat": 2}, headers=match.host)
    assert (refused.status_code, "account bob" in refused.json()["detail"]) == (409, True)
    assert use(api, match, code).status_code == 409
    assert api.get(f"/matches/{match.id}", headers=bob).json()["you"]["role"] == "seat"
    assert "Replace bob’s" not in api.get(f"/m/{match.id}/share", headers=match.host).text


@pytest.mark.parametrize("wrong", ["", "x", "9", "2" + "x" * 32, "²" * 5, "\x00"])
def test_wrong_code_opens_nothing(api, wrong):
    match, other = api.open(), api.open()
    code_of(api, match)
    refused = use(api, match, wrong)
    assert (refused.status_code, refused.json()["code"]) == (404, "not-found")
    assert use(api, match, code_of(api, other)["code"]).status_code == 404


def test_code_is_good_for_two_minutes(api, monkeypatch):
    match, now = api.open(), api.book.now()
    monkeypatch.setattr(api.book, "now", lambda: now)
    early, late = code_of(api, match), code_of(api, match)
    assert early["until"] == now + LIFETIME
    monkeypatch.setattr(api.book, "now", lambda: now + LIFETIME)
    refused = use(api, match, late["code"])
    assert refused.status_code == 409
    assert "good for two minutes" in refused.json()["detail"]
    monkeypatch.setattr(api.book, "now", lambda: now + LIFETIME - 1)
    assert use(api, match, late["code"]).status_code == 200
    again = use(api, match, early["code"])
    assert again.status_code == 409
    assert "was used" in again.json()["detail"]


def test_of_phones_that_race_one_has_the_seat(api):
    match = api.open()
    codes = [code_of(api, match)["code"] for _ in range(2)] * 4
    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(lambda code: use(api, match, code), codes)]
    assert sorted(each.status_code for each in answers) == [200] + [409] * 7
    keys = api.get(f"/matches/{match.id}/invitations", headers=match.host).json()["keys"]
    roles = sorted((each["role"], each["seat"] or 0) for each in keys)
    assert roles == [("host", 0), ("seat", 1), ("seat", 2), ("viewer", 2)]


def test_retry_under_its_key_gets_the_same_token(api):
    match = api.open()
    code, name = code_of(api, match)["code"], "a-key-that-nobody-guesses"
    first, again = (use(api, match, code, **{"Idempotency-Key": name}) for _ in range(2))
    assert first.json() == again.json()
    assert use(api, match, code, **{"Idempotency-Key": name + "2"}).status_code == 409
    other = use(api, match, code_of(api, match, 1)["code"], **{"Idempotency-Key": name})
    assert other.json()["token"] != first.json()["token"]


def test_phone_is_replaced_again(api):
    match = api.open()
    first, second = (
        bearer(use(api, match, code_of(api, match)["code"]).json()["token"]) for _ in "12"
    )
    assert api.play(match.id, match.host, "1:M@c1").status_code == 200
    assert api.play(match.id, first, "M@c6").status_code == 403
    assert api.play(match.id, second, "M@c6").status_code == 200


def test_rematch_knows_the_new_phone(api):
    match = api.open()
    new = bearer(use(api, match, code_of(api, match)["code"]).json()["token"])
    assert api.play(match.id, match.host, "1:resign").status_code == 200
    after = api.post(f"/matches/{match.id}/rematch", json={}, headers=new).json()["match"]
    for who, role in ((new, "seat"), (match.seats["2"], "viewer")):
        assert api.get(f"/matches/{after}", headers=who).json()["you"]["role"] == role


def test_variation_has_the_phones_of_its_match(api):
    match = api.open()
    variation = api.fork(match.id, match.host, kind="variation", ply=0)
    path = f"/matches/{variation.id}/phone-codes"
    refused = api.post(path, json={"seat": 1}, headers=match.host)
    assert (refused.status_code, "variation" in refused.json()["detail"]) == (400, True)


def held(number, **said):
    return {"id": f"{number:032x}", **said}


def hand_over(api, match, *moves, who=None):
    url = f"/matches/{match.id}/unsent"
    return api.post(url, json={"moves": moves}, headers=who or match.seats["2"])


def waiting(api, match, who):
    answer = api.get(f"/matches/{match.id}/unsent", headers=who)
    assert answer.status_code == 200, answer.text
    return [each["id"][-1] for each in answer.json()["moves"]]


def decide(api, match, number, who):
    return api.client.delete(f"/matches/{match.id}/unsent/{number:032x}", headers=who)


def asks(api, match, who):
    return '"unsent":true' in api.get(f"/m/{match.id}", headers=who).text


def test_host_decides_about_what_a_phone_had_not_sent(api):
    match = api.open()
    assert api.play(match.id, match.host, "1:M@c1").status_code == 200
    sent = {"events": [{"text": "M@c6", "id": held(9)["id"]}]}
    entered = api.post(f"/matches/{match.id}/events", json=sent, headers=match.seats["2"])
    assert entered.status_code == 200
    moves = held(9, text="M@c6"), held(2, text="2:M@b6"), held(1, picks=["a6"])
    assert hand_over(api, match, *moves).status_code == 403
    new = bearer(use(api, match, code_of(api, match)["code"]).json()["token"])
    assert not asks(api, match, match.host)
    for _ in range(2):
        assert hand_over(api, match, *moves).json() == {"match": match.id, "moves": []}
    assert waiting(api, match, match.host) == ["2", "1"]
    assert asks(api, match, match.host)
    assert waiting(api, match, new) == waiting(api, match, match.seats["1"]) == []
    for who, status in (({}, 401), (match.seats["2"], 403)):
        assert api.get(f"/matches/{match.id}/unsent", headers=who).status_code == status
        assert decide(api, match, 1, who).status_code == status
    for who in (new, match.seats["1"]):
        assert decide(api, match, 1, who).status_code == 404
    assert decide(api, match, 2, match.host).status_code == 200
    assert decide(api, match, 2, match.host).status_code == 404
    assert hand_over(api, match, *moves).status_code == 200
    assert waiting(api, match, match.host) == ["1"]
    assert decide(api, match, 1, match.host).json()["moves"] == []
    assert not asks(api, match, match.host)


def test_handed_over_move_stays_unsure(api):
    match = api.open()
    use(api, match, code_of(api, match)["code"])
    moves = held(1, text="2:M@b6", unsure=True), held(2, picks=["a6"])
    assert hand_over(api, match, *moves).status_code == 200
    answer = api.get(f"/matches/{match.id}/unsent", headers=match.host).json()
    assert [each.get("unsure", False) for each in answer["moves"]] == [True, False]


def test_secret_moves_are_for_their_seat_only(api):
    match = api.open("pyramid-ball")
    new = bearer(use(api, match, code_of(api, match)["code"]).json()["token"])
    told = hand_over(api, match, held(1, text="2:secret"))
    assert (told.status_code, "secret" in told.text) == (200, False)
    assert waiting(api, match, new) == ["1"]
    for who in (match.host, match.seats["1"]):
        assert waiting(api, match, who) == []
        assert decide(api, match, 1, who).status_code == 404
    assert decide(api, match, 1, new).status_code == 200


def test_phone_hands_over_only_a_few_moves_of_its_seat(api):
    match = api.open()
    use(api, match, code_of(api, match)["code"])
    wrong = hand_over(api, match, held(1, text="1:M@c1"))
    assert (wrong.status_code, wrong.json()["path"]) == (400, "$.moves[0].text")
    for bad in (held(1) | {"id": "x"}, held(1, seat=1), held(1, text="x" * 2501)):
        assert hand_over(api, match, bad).status_code == 400
    assert hand_over(api, match, *map(held, range(MAX_UNSENT))).status_code == 200
    assert hand_over(api, match, held(MAX_UNSENT)).status_code == 409
    for who in (match.host, match.seats["1"]):
        assert hand_over(api, match, held(1), who=who).status_code == 403


def test_pages_hear_of_what_a_phone_hands_over(api):
    match = api.open()
    use(api, match, code_of(api, match)["code"])
    before = api.book.store.metadata(api.book.find_by_id(match.id).id)
    hand_over(api, match, held(1, text="S@a6"))
    after = api.book.store.metadata(api.book.find_by_id(match.id).id)
    assert after == before | {"phone.waits": "yes"}
    archive = archive_of(api, match.id).decode()
    assert "S@a6" not in archive
