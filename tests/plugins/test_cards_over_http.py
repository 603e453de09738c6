"""Whist, Hearts and Bridge over HTTP, with hands that are known and hands that nobody typed."""

from __future__ import annotations

import pytest

from tests.case_table import cases
from tests.plugins.random_deals import RANKS
from tests.service.conftest import serve

LEADS = {
    "whist": ("2C", "3C", "4C", "5C"),
    "hearts": ("1:lead=2C", "3C", "4C", "5C"),
    "bridge": ("bid=1NT", "pass", "pass", "pass"),
}
"""The first moves of each game."""
LED = {"whist": ["2C"], "hearts": ["1:lead=2C"], "bridge": [*LEADS["bridge"], "2C"]}
HANDS = [[rank + suit for rank in RANKS] for suit in "CDHS"]
"""Each seat has all cards of a suit."""


@pytest.fixture
def api(site):
    with serve() as served:
        yield served


@pytest.mark.parametrize("slug", LEADS)
def test_explorer_counts_what_the_table_saw(api, slug):
    moves = LEADS[slug]
    for length in (3, 4):
        match = api.open(slug, options={"hands": "unseen"}, visibility="public")
        assert api.play(match.id, match.host, *moves[:length]).status_code == 200
    after = {"after": " ".join(moves[:3])}
    (found,) = api.get(f"/explore/{slug}", params=after).json()["moves"]
    assert (found["text"].endswith(moves[3]), found["seen"]) == (True, 1)
    (first,) = api.get(f"/matches/{match.id}/explore?ply=0").json()["moves"]
    assert first["seen"] == 2
    page = api.get(f"/library/explore/{slug}").text
    assert "2 times" in page
    assert f"/library/explore/{slug}" in api.get("/library").text
    way = api.get(f"/m/{match.id}/explored?ply=3", follow_redirects=False).headers["Location"]
    assert "once" in api.get(way).text


def test_cards_that_fell_in_a_different_order_are_one_position(api):
    tricks = ("2C 3C 4C 5C", "2D 3D 4D 5D")
    for order, card in ((tricks, "2S"), (tricks[::-1], "3S")):
        match = api.open("whist", options={"hands": "unseen"}, visibility="public")
        texts = " ".join((*order, f"3:{card}")).split()
        assert api.play(match.id, match.host, *texts).status_code == 200, order
    found = api.get(f"/matches/{match.id}/explore?ply=8").json()
    assert {move["text"] for move in found["moves"]} == {"2S", "3S"}


def test_calls_are_listed_for_everybody_and_cards_for_their_seat(api):
    match = api.open("bridge", visibility="public")
    hands = [f"{seat}:hand={''.join(hand)}" for seat, hand in enumerate(HANDS, 1)]
    assert api.play(match.id, match.host, *hands).status_code == 200
    where = f"/matches/{match.id}/legal"
    viewers = (match.seats["1"], match.seats["2"], match.host, None)
    listed = [api.get(where, headers=who).json() for who in viewers]
    assert listed == listed[:1] * 4
    assert "bid=1NT" in str(listed[0])
    for call in ("bid=1NT", "pass", "pass", "pass"):
        assert api.play(match.id, match.host, call).status_code == 200
    listed = ["2C" in str(api.get(where, headers=who).json()) for who in viewers]
    assert listed == [False] * 4
    listed = ["2D" in str(api.get(where, headers=who).json()) for who in viewers]
    assert listed == [False, True, False, False]


def test_positions_with_known_hands_are_not_compared(api):
    match = api.open("whist", visibility="public")
    refused = api.get(f"/matches/{match.id}/explore")
    assert refused.status_code == 409
    assert "hands=unseen" in refused.json()["detail"]
    assert api.get(f"/m/{match.id}/explored", follow_redirects=False).status_code == 404


@cases(
    "slug hands text clause words",
    """
whist  | known  | hand=12     | WHI-2.1 | this hand has 12 cards; name 13 cards
whist  | known  | hand=14     | WHI-2.1 | this hand has 14 cards; name 13 cards
whist  | known  | hand=twice  | WHI-2.1 | 2♣ is named twice; name 13 cards
whist  | known  | 3:stood=3C  | sealed  | wait until the sealed moves are revealed
whist  | unseen | hand=12     | WHI-2.1 | this hand has 12 cards; name 13 cards
whist  | unseen | 2C          | WHI-3.1 | 2♣ fell in trick 1 of this deal; enter another card
whist  | unseen | stood=3C    | form    | this move breaks no rule
whist  | unseen | 1C          | form    | '1C' is not a move of Whist
hearts | known  | hand=12     | HRT-2.1 | this hand has 12 cards; name 13 cards
hearts | known  | hand=14     | HRT-2.1 | this hand has 14 cards; name 13 cards
hearts | known  | hand=twice  | HRT-2.1 | 2♣ is named twice; name 13 cards
hearts | known  | 3:stood=3C  | sealed  | wait until the sealed moves are revealed
hearts | unseen | hand=12     | HRT-2.1 | this hand has 12 cards; name 13 cards
hearts | unseen | 2C          | HRT-4.1 | 2♣ fell in trick 1 of this deal; enter another card
hearts | unseen | stood=3C    | form    | this move breaks no rule
hearts | unseen | 1C          | form    | '1C' is not a move of Hearts
bridge | known  | hand=12     | BRI-2.1 | this hand has 12 cards; name 13 cards
bridge | known  | hand=14     | BRI-2.1 | this hand has 14 cards; name 13 cards
bridge | known  | hand=twice  | BRI-2.1 | 2♣ is named twice; name 13 cards
bridge | known  | 3:stood=3C  | sealed  | wait until the sealed moves are revealed
bridge | unseen | hand=12     | BRI-2.1 | this hand has 12 cards; name 13 cards
bridge | unseen | 2C          | BRI-5.1 | 2♣ fell in trick 1 of this deal; enter another card
bridge | unseen | stood=3C    | form    | this move breaks no rule
bridge | unseen | 1C          | form    | '1C' is not a move of Bridge
bridge | unseen | claim=14    | BRI-6.1 | a board has 13 tricks; claim 0 to 13
""",
)
def test_what_cannot_be_is_refused_with_its_clause(api, slug, hands, text, clause, words):
    match = api.open(slug, options={"hands": hands})
    given = LED[slug] if hands == "unseen" else [f"1:hand={''.join(HANDS[0])}"]
    assert api.play(match.id, match.host, *given).status_code == 200
    twelve = "".join(HANDS[0][:12])
    wrong = {"hand=12": "", "hand=14": "ACAD", "hand=twice": "2C"}
    text = f"2:hand={twelve}{wrong[text]}" if text in wrong else text
    body = {"events": [{"text": text}, {"text": "2D"}]}
    for dry in ("?dry_run=true", ""):
        refused = api.post(f"/matches/{match.id}/events{dry}", json=body, headers=match.host)
        assert refused.status_code == 409, refused.text
        told = refused.json()
        assert (told["clause"], words in told["detail"]) == (clause, True), told
    assert api.get(f"/matches/{match.id}").json()["version"] == len(given)
