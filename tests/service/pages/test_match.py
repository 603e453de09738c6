"""The page of a match and its frames."""

from __future__ import annotations

import json
import re

import pytest

from replay import registry, rules_text
from replay.access import capability_tokens
from replay.games import game_info
from service.pages import share
from tests.conformance import door
from tests.paths import ROOT
from tests.plugins.random_deals import PACK, RANKS


@pytest.fixture
def whist(tmp_path):
    """Install the game of the hidden hands."""
    door.install(ROOT / "plugins" / "whist", tmp_path)
    with door.opened(tmp_path):
        yield


@pytest.fixture
def hearts(tmp_path):
    """Install a game with a pass."""
    door.install(ROOT / "plugins" / "hearts", tmp_path)
    with door.opened(tmp_path):
        yield


def places(frame: str) -> set[str]:
    return set(re.findall(r'data-(?:at|same)="(\w+)"', frame))


@pytest.mark.parametrize("guarded", [True, False])
def test_only_its_players_phone_shows_a_hand(api, whist, guarded, monkeypatch):
    if not guarded:
        deal = type(registry.find("whist").start(seats=4))
        monkeypatch.setattr(deal, "guarded", ())
    match = api.open("whist", seats=4, dice="service")
    for seat in "1234":
        rolled = {"events": [{"roll": True, "seat": int(seat)}]}
        assert api.post(
            f"/matches/{match.id}/events", json=rolled, headers=match.seats[seat]
        ).is_success
    path = f"/m/{match.id}/frame"
    hands = [places(api.get(path, headers=match.seats[seat]).text) for seat in "1234"]
    assert [len(hand) for hand in hands] == [13] * 4
    assert len(set().union(*hands)) == 52
    for looking in ({}, match.host):
        assert not places(api.get(path, headers=looking).text)
    for past in ("?ply=4&version=3", "?ply=3&version=4"):
        assert not places(api.get(path + past, headers=match.seats["1"]).text)
    card = min(hands[0])
    entered = api.post(
        f"/m/{match.id}/events",
        json={"events": [{"text": card}], "expected": 4},
        headers=match.seats["1"],
    )
    assert places(entered.text) == hands[0] - {card}


def test_screen_hides_even_the_players_own_bid(api, tmp_path):
    door.install(door.SIXTH, tmp_path)
    with door.opened(tmp_path):
        match = api.open("hidden-bid")
        assert api.play(match.id, match.host, "roll=3", "1:bid=2").is_success
        told = [
            re.findall(r"bid: \w+", api.get(f"/m/{match.id}/frame", headers=who).text)
            for who in (match.seats["1"], match.seats["2"], match.host, {})
        ]
    assert told == [["bid: sealed"]] * 4


def seats_of(api, match, caller):
    """Return the controls of each seat on the page of a caller."""
    frame = api.get(f"/m/{match.id}/frame", headers=caller).text
    (data,) = re.findall(r'<script type="application/json"[^>]*>(\{"match".*?)</script>', frame)
    return {str(each["seat"]): each for each in json.loads(data)["seats"]}


@pytest.mark.parametrize("legal", ["listed", "withheld"])
def test_only_its_own_page_has_the_cards_that_a_seat_may_pass(api, hearts, legal):
    match = api.open("hearts", seats=4, legal=legal)
    hands = {
        seat: [f"{rank}{suit}" for rank in RANKS] for seat, suit in zip("1234", "CDSH", strict=True)
    }
    for seat, hand in hands.items():
        pads = {
            json.dumps(seats_of(api, match, who)[seat]["controls"]["cards"])
            for who in (match.host, match.seats[seat])
        }
        assert len(pads) == 1
        assert json.loads(*pads)["count"] == 13
        assert {*json.loads(*pads)["cards"]} == {*PACK}
        assert api.play(match.id, match.seats[seat], f"{seat}:hand={''.join(hand)}").is_success
    for seat, hand in hands.items():
        shared = seats_of(api, match, match.host)[seat]
        ((_, own),) = seats_of(api, match, match.seats[seat]).items()
        assert own["choices"] == shared["choices"] == []
        assert own["secret"] == shared["secret"]
        assert {*shared["controls"]["cards"]["cards"]} == {*PACK}
        known = hand if legal == "listed" else PACK
        assert {*own["controls"]["cards"]["cards"]} == {*known}


def test_service_dealt_hand_needs_one_button(api, whist):
    typed = {"kind": "take", "word": "hand", "before": "hand="}
    for dice, choices, secret in (("service", ["1:roll"], []), ("table", [], [typed])):
        match = api.open("whist", seats=4, dice=dice)
        own = seats_of(api, match, match.host)["1"]
        assert [each["text"] for each in own["choices"]] == choices
        assert [each["label"] for each in own["choices"]] == ["Take a hand"] * len(choices)
        assert own["secret"] == secret
        assert api.play(match.id, match.host, "1:roll").is_success == (dice == "service")


def test_page_shows_board_and_escaped_players(api):
    match = api.open(players={"1": "<Jet>", "2": "Red"})
    api.play(match.id, match.host, "M@c1", "S@c6")
    page = api.get(f"/m/{match.id}?ply=1")
    assert page.status_code == 200
    assert "&lt;Jet&gt;" in page.text
    assert 'data-at="c1"' in page.text
    assert "<Jet>" not in page.text
    assert api.get(f"/m/{match.id}?ply=9").status_code == 404


def test_frame_has_only_the_controls_of_its_caller(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    frame = api.get(f"/m/{match.id}/frame", headers=match.seats["1"]).text
    doing = json.loads(re.search(r'class="record-controls">(.*?)</script>', frame)[1])
    assert doing["seats"][0]["seat"] == 1
    assert {"text": "c1>L@c3"}.items() <= next(
        choice for choice in doing["seats"][0]["choices"] if choice["text"] == "c1>L@c3"
    ).items()
    for who in ({}, match.seats["2"]):
        other = api.get(f"/m/{match.id}/frame", headers=who).text
        assert "c1>L@c3" not in other


def test_page_says_that_its_link_was_replaced(api):
    match, told = api.open(), "This link was replaced; scan the new one"
    token = match.seats["1"]["Authorization"].removeprefix("Bearer ")
    assert told not in api.get(f"/m/{match.id}").text
    assert told not in api.get(f"/join/{match.id}/{token}").text
    name = capability_tokens.token_name(token)
    api.client.delete(f"/matches/{match.id}/invitations/{name}", headers=match.host)
    assert told in api.get(f"/m/{match.id}").text
    refused = api.client.post(f"/matches/{match.id}/events", json={"events": [{"text": "M@c1"}]})
    assert refused.status_code == 401
    assert refused.json()["detail"].startswith(told[0].lower() + told[1:])
    api.client.put(
        f"/matches/{match.id}/visibility", json={"visibility": "private"}, headers=match.host
    )
    page = api.get(f"/m/{match.id}", headers={"Accept": "text/html"})
    assert told in page.text
    api.client.delete(f"/matches/{match.id}", headers=match.host)
    page = api.get(f"/m/{match.id}", headers={"Accept": "text/html"})
    assert "This match was deleted" in page.text
    api.client.cookies.clear()


def test_frame_behind_the_head_never_changes(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    frame = api.get(f"/m/{match.id}/frame?version=2&ply=1")
    assert "immutable" in frame.headers["cache-control"]
    assert api.get(f"/m/{match.id}/frame?ply=1&step=0").status_code == 404


def doing(api, match, who):
    frame = api.get(f"/m/{match.id}/frame", headers=who).text
    return json.loads(re.search(r'class="record-controls">(.*?)</script>', frame)[1])


@pytest.mark.parametrize(
    ("clock", "timed"),
    [({"move": 60}, True), ({"total": 60}, True), ({"control": "60:3x10"}, True), (None, False)],
)
def test_time_can_be_claimed_only_under_a_limit(api, clock, timed):
    match = api.open(clock=clock) if clock else api.open()
    assert doing(api, match, match.host)["timed"] is timed


def test_head_frame_is_revalidated(api):
    match = api.open()
    assert api.get(f"/m/{match.id}/frame").headers["cache-control"] == "no-cache"
    assert api.get(f"/m/{match.id}/frame?version=0&ply=0").headers["cache-control"] == "no-cache"


def test_frames_call_players_by_their_names(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    api.play(match.id, match.host, "M@c1")
    frame = api.get(f"/m/{match.id}/frame").text
    assert '<p class="told">Jet places a medium on c1</p>' in frame
    assert '<p class="standing">Red is to place a pyramid on the home row</p>' in frame
    assert 'aria-label="c1, medium of Jet' in frame
    assert 'data-awaited="2"' in frame


def test_players_phone_calls_the_player_you(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    own, other = (api.get(f"/m/{match.id}/frame", headers=match.seats[each]).text for each in "12")
    assert '<p class="standing">You are to place a pyramid on the home row</p>' in own
    assert '<p class="standing">Jet is to place a pyramid on the home row</p>' in other
    match = api.open("pyramid-ball")
    frame = api.get(f"/m/{match.id}/frame", headers=match.seats["1"]).text
    assert '<p class="standing">You are to program your pyramids</p>' in frame


def test_unnamed_players_of_unjudged_match_have_numbers(api):
    match = api.open(unjudged=True)
    api.play(match.id, match.host, "M@c1", "M@c3")
    api.post(f"/matches/{match.id}/judgement", json={}, headers=match.host)
    page = api.get(f"/m/{match.id}").text
    assert "<p>Player 1 - Player 2</p>" in page
    assert "seat" not in re.sub("<[^>]*>", "", page).lower()


def test_work_at_the_table_is_named_first(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    api.play(match.id, match.host, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")
    frame = api.get(f"/m/{match.id}/frame").text
    todo = "Take the medium of Red off the board, put the cap of Jet on c5."
    assert f'Red is to attack</p><p class="told"><b class="todo">{todo}</b> c3 attacks' in frame


def test_strip_shows_scores_and_permitted_names(api):
    match = api.open("blockade", players={"1": "Jet", "2": "Red"})
    for who, named in ((match.host, 2), (match.seats["1"], 1), ({}, 0)):
        frame = api.get(f"/m/{match.id}/frame", headers=who).text
        assert frame.count("data-name=") == named
        assert frame.count("0 of 5 towers") == 2
        assert ("You are" in frame) == (named == 1)
    assert "data-name" not in api.get(f"/m/{match.id}/frame?version=0&ply=0").text


def test_end_names_winner_and_clause(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    api.play(match.id, match.host, "1:resign")
    frame = api.get(f"/m/{match.id}/frame").text
    why = '<p class="why"><span>By resignation.</span></p>'
    sign = '<b class="chip pb-seat2" data-seat="2" aria-hidden="true"></b>'
    assert f'<p class="standing">{sign}Red won</p><p class="told"></p>{why}' in frame
    other = api.open()
    api.play(other.id, other.host, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")
    assert "data-over" not in api.get(f"/m/{other.id}/frame").text


def test_intermediate_picture_hides_the_end(api):
    match = api.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    programs = ("1:S=...,M=F..,L=...", "2:S=...,M=F..,L=...")
    api.play(match.id, match.host, *programs)
    address = f"/m/{match.id}/frame?version=2&ply=2"
    head, step = api.get(address).text, api.get(f"{address}&step=0")
    assert "data-over" in head
    assert "BAL-9.1" in head
    assert "data-over" not in step.text
    assert "Red won" not in step.text
    assert "immutable" in step.headers["cache-control"]


def test_no_frame_shows_a_sealed_move(api):
    match = api.open("pyramid-ball")
    api.play(match.id, match.seats["1"], "1:S=FLR,M=...,L=...")
    for who in ({}, match.host, *match.seats.values()):
        assert "FLR" not in api.get(f"/m/{match.id}/frame", headers=who).text
        assert "FLR" not in api.get(f"/m/{match.id}", headers=who).text


def test_pad_has_side_and_fields_of_its_seat(api):
    match = api.open("pyramid-ball", options={"length": "advanced"})
    controls = [seat["controls"] for seat in doing(api, match, match.host)["seats"]]
    assert [each.get("turned", False) for each in controls] == [False, True]
    assert [_step(each, "F", "d4") for each in controls] == ["d5", "d3"]
    assert "pass-to" in _fields(controls[0])
    assert not {"quick", "blitz"} & _fields(controls[0])
    programs = ("1:S=.FR,M=LFF,L=RLF", "2:S=.BF,M=RFF,L=FFR", "1:take=L")
    api.play(match.id, match.host, *programs)
    assert "blitz" in _fields(doing(api, match, match.seats["1"])["seats"][0]["controls"])


def _step(controls, text, start):
    (step,) = (each for each in controls["pads"][0]["steps"] if each["text"] == text)
    return dict(zip(step["starts"], step["ends"], strict=True))[start]


def _fields(controls):
    return {field["name"] for field in controls["pads"][0]["fields"]}


def test_only_the_head_frame_has_clocks(api):
    match = api.open(clock={"total": 300})
    api.play(match.id, match.host, "M@c1", "S@c6")
    clocks = re.search(r'class="clocks">(.*?)</script>', api.get(f"/m/{match.id}/frame").text)[1]
    seats = json.loads(clocks)["clocks"]["seats"]
    assert [seat["running"] for seat in seats] == [True, False]
    assert json.loads(clocks)["now"] >= json.loads(clocks)["clocks"]["since"]
    assert 'class="clocks"' not in api.get(f"/m/{match.id}/frame?version=2&ply=1").text


def test_requests_and_offers_wait_for_an_answer(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "2:offer-draw")
    api.post(f"/matches/{match.id}/takeback", json={"ply": 1}, headers=match.seats["1"])
    told = doing(api, match, match.seats["2"])
    assert told["asked"] == {"seat": 1, "ply": 1}
    assert told["offered"] == 2
    assert told["playing"] == [1, 2]


def test_adjusted_places_are_marked_without_position_text(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6", "c1>L@c3")
    body = {"position": "2s2/5/3L1/5/5/2M2 5S4M4L 4s5m5l 2 4", "reason": "the cat"}
    answer = api.post(f"/matches/{match.id}/adjustments", json=body, headers=match.host)
    assert answer.status_code in (200, 201), answer.text
    frame = api.get(f"/m/{match.id}/frame").text
    marked = {
        cell[:2]: kind
        for cell in frame.split('data-at="')[1:]
        for kind in re.findall(r"pb-mark-(\w+)", cell)
    }
    assert marked == {"c3": "from", "d4": "to"}
    moves = api.get(f"/m/{match.id}/replay/moves").text
    assert "the cat" in moves
    assert body["position"] not in moves


def test_pictures_are_offered_where_extra_is_installed(api, monkeypatch):
    match = api.open()
    assert "format=png" in api.get(f"/m/{match.id}/share").text
    monkeypatch.setattr(share, "is_installed", lambda: False)
    page = api.get(f"/m/{match.id}/share").text
    assert "format=html" in page
    assert not re.search("format=(png|gif)", page)


@pytest.mark.parametrize("game", registry.games().values(), ids=lambda game: game.slug)
def test_plain_reasons_belong_to_clauses_and_fit_a_phone(game):
    reasons = game_info.about(game).endings
    assert all(rules_text.words(game, clause) for clause in reasons)
    assert all(len(words) < 40 for words in reasons.values())


def test_end_of_a_ranked_match_lists_those_below_the_winner(api):
    match = api.open("score-sheet", seats=3, options={"rounds": 1})
    api.play(match.id, match.host, "1:20", "2:30", "3:10")
    page = api.get(f"/m/{match.id}").text
    assert (
        '<b class="chip pb-seat2" data-seat="2" aria-hidden="true"></b>Player 2 won with 30' in page
    )
    assert "<li>Player 1 with 20</li><li>Player 3 with 10</li>" in page
    assert "<span>The sheet is full.</span>" in page
