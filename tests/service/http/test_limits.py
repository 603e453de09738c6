"""A client above the limit learns when to come back, while others are served."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.errors import NotAllowed, StoreError
from service import app_state
from service.http import limits
from service.http.limits import Buckets
from tests.service.live_service import live_service


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


@given(
    most=st.integers(1, 20),
    steps=st.lists(st.tuples(st.floats(0, 30), st.sampled_from([b"a", b"b"])), max_size=80),
)
def test_caller_gets_at_most_bucket_and_refill(most, steps):
    clock = Clock()
    buckets, taken, begun = Buckets(most, 60, clock), {b"a": 0, b"b": 0}, clock.time
    for later, caller in steps:
        clock.time += later
        if not buckets.wait(caller):
            buckets.take(caller)
            taken[caller] += 1
        assert taken[caller] <= most + (clock.time - begun) * most / 60 + 1e-6


@given(st.integers(1, 1000), st.floats(1, 4000))
def test_caller_is_admitted_after_the_stated_wait(most, seconds):
    clock = Clock()
    buckets = Buckets(most, seconds, clock)
    while not buckets.wait(b"a"):
        buckets.take(b"a")
    clock.time += buckets.wait(b"a") + 1e-6
    assert buckets.wait(b"a") == 0


def test_zero_limit_delays_nobody():
    buckets = Buckets(0, 60)
    for _ in range(1000):
        assert buckets.wait(b"a") == 0
        buckets.take(b"a")


def test_number_of_remembered_callers_is_limited(monkeypatch):
    monkeypatch.setattr(limits, "MAX_REMEMBERED", 3)
    clock = Clock()
    buckets = Buckets(1, 60, clock)
    for caller in (b"a", b"b", b"c", b"d"):
        buckets.take(caller)
    assert [caller for caller in (b"a", b"b", b"c", b"d") if not buckets.wait(caller)] == [b"a"]


def test_requests_beyond_limit_are_429_with_retry_after(served):
    api = served(requests_per_minute=3)
    assert [api.get("/games").status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = api.get("/games")
    assert answer.headers["content-type"] == "application/problem+json"
    assert 0 < int(answer.headers["retry-after"]) <= 20


def test_health_and_metrics_are_not_limited(served):
    api = served(requests_per_minute=1)
    api.get("/games")
    for path in ("/healthz", "/readyz", "/metrics"):
        answers = [api.get(path) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert "ratelimit" not in answers[0].headers


def test_token_is_limited_at_every_address(served, monkeypatch):
    api = served(requests_per_minute=4)
    match, host, _ = api.open()
    places = iter(range(1000))
    monkeypatch.setattr(limits, "address_of", lambda scope: str(next(places)).encode())
    url = f"/matches/{match}"
    assert [api.get(url, headers=host).status_code for _ in range(5)] == [200] * 4 + [429]
    assert api.get(url).status_code == 200


def quota(answer) -> tuple[int, int]:
    most = re.fullmatch('"requests";q=([0-9]+);w=60', answer.headers["ratelimit-policy"])
    left = re.fullmatch('"requests";r=([0-9]+);t=([0-9]+)', answer.headers["ratelimit"])
    assert 0 <= int(left[2]) <= 60
    return int(most[1]), int(left[1])


def test_large_cookies_cost_as_much_as_several_requests(served):
    api = served(requests_per_minute=10)
    for size, left in ((limits.COOKIES - 1, 9), (3 * limits.COOKIES, 5)):
        assert quota(api.get("/games", headers={"Cookie": "a" * size})) == (10, left)
    answer = api.get("/games", headers={"Cookie": "a" * 5 * limits.COOKIES})
    assert (answer.status_code, quota(answer)) == (429, (10, 5))


def test_answers_and_problems_have_remaining_requests(served):
    api = served(requests_per_minute=3)
    answers = [api.get(path) for path in ("/games", "/games/none", "/matches?x=1", "/games")]
    assert [answer.status_code for answer in answers] == [200, 404, 400, 429]
    assert [quota(answer) for answer in answers] == [(3, 2), (3, 1), (3, 0), (3, 0)]


def test_token_has_one_quota_at_every_address(served, monkeypatch):
    api = served(requests_per_minute=5)
    match, host, _ = api.open()
    assert quota(api.get(f"/matches/{match}", headers=host)) == (5, 3)
    monkeypatch.setattr(limits, "address_of", lambda scope: b"elsewhere")
    assert quota(api.get(f"/matches/{match}", headers=host)) == (5, 3)
    assert quota(api.get(f"/matches/{match}")) == (5, 3)
    assert quota(api.get(f"/matches/{match}", headers=host)) == (5, 2)


def test_expensive_work_lowers_the_remaining_requests(served):
    api = served(requests_per_minute=100)
    lines = [{"texts": ["M@c1"] * 80}]
    told = quota(api.post("/games/poptrix/judge", json={"lines": lines}))
    assert told[1] < 99


def test_answer_without_limit_has_no_quota(served):
    assert "ratelimit" not in served(requests_per_minute=0).get("/games").headers


def test_address_is_limited_with_any_tokens(served):
    api = served(requests_per_minute=4)
    sent = [{"Authorization": f"Bearer {number}"} for number in range(5)]
    answers = [api.get("/games", headers=headers).status_code for headers in sent]
    assert answers == [200] * 4 + [429]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("testclient", "testclient", True),
    ],
)
def test_addresses_of_one_ipv6_network_are_one_caller(one, other, same):
    first, second = ({"client": (host, 1)} for host in (one, other))
    assert (limits.address_of(first) == limits.address_of(second)) == same


def test_only_opened_matches_count(served):
    api = served(matches_per_hour=2)
    refused = [api.post("/matches", json={"game": "chess"}).status_code for _ in range(5)]
    assert refused == [400] * 5
    opened = [api.post("/matches", json={"game": "poptrix"}).status_code for _ in range(3)]
    assert opened == [201, 201, 429]
    late = api.post("/matches", json={"game": "poptrix"})
    assert 60 < int(late.headers["retry-after"]) <= 1800
    assert api.get("/games").status_code == 200


RECORD = {"content": '[Game "poptrix"]\n\n1. M@c1 *\n', "headers": {"Content-Type": "text/plain"}}


@pytest.mark.parametrize(
    ("path", "sent"), [("/matches", {"json": {"game": "poptrix"}}), ("/records", RECORD)]
)
async def test_concurrent_openings_stay_within_limit(path, sent):
    async with live_service(matches_per_hour=3) as home:
        answers = await asyncio.gather(*(home.client.post(path, **sent) for _ in range(30)))
        assert sorted(each.status_code for each in answers) == [201] * 3 + [429] * 27


def test_match_that_was_not_stored_does_not_count(served, monkeypatch):
    api = served(matches_per_hour=1)
    store = api.book.store

    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(store, "create_all", fail)
        assert api.post("/matches", json={"game": "poptrix"}).status_code >= 500
    assert api.post("/matches", json={"game": "poptrix"}).status_code == 201
    assert api.post("/matches", json={"game": "poptrix"}).status_code == 429


def test_write_that_the_database_forbids_is_403(served, monkeypatch):
    api = served()

    def fail(*_: object) -> None:
        raise NotAllowed("postgresql://me@db/book: this user may not", "this user may not do that")

    monkeypatch.setattr(api.book.store, "create_all", fail)
    answer = api.post("/matches", json={"game": "poptrix"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not-granted")
    assert answer.json()["detail"] == "the database refuses: this user may not do that"


async def test_concurrent_streams_stay_within_limit():
    async with live_service(streams_per_address=5) as home:
        listening = await asyncio.gather(*(home.listen("/stream") for _ in range(20)))
        assert sorted(each.status for each in listening) == [200] * 5 + [429] * 15


def test_bucket_refunds_at_most_what_was_taken():
    clock = Clock()
    buckets = Buckets(3, 60, clock)
    buckets.take(b"a", 2)
    buckets.give_back(b"a", buckets.take(b"a", 100))
    assert not buckets.wait(b"a")
    buckets.take(b"a")
    assert buckets.wait(b"a") == pytest.approx(20)


def test_large_answers_cost_as_much_as_several_requests(served, monkeypatch):
    api = served(requests_per_minute=20)
    size = int(api.get("/games").headers["content-length"])
    monkeypatch.setattr(limits, "BYTES", size // 3)
    monkeypatch.setattr(app_state, "BYTES", size // 3)
    assert quota(api.get("/games")) == (20, 15)
    statuses = [api.get("/games").status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 200, 429]
