"""A caller's trace is read by the W3C's rules, and continued in calls of WebHooks."""

from __future__ import annotations

import pytest

from service.http.trace_context import Trace, read_traceparent
from tests.service.live.test_hook_deliveries import TOKENS, hooked, until_told
from tests.service.live_service import LiveService

ID, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SENT = f"00-{ID}-{SPAN}-01"


@pytest.mark.parametrize(
    ("text", "sampled"),
    [
        (SENT, True),
        (f"00-{ID}-{SPAN}-00", False),
        (f"00-{ID}-{SPAN}-ff", True),
        (f"cc-{ID}-{SPAN}-01", True),
        (f"cc-{ID}-{SPAN}-01-what-the-future-will-be-like", True),
    ],
)
def test_trace_is_read_and_written_as_first_version(text, sampled):
    trace = read_traceparent(text)
    assert trace == Trace(ID, SPAN, sampled)
    assert trace.header == f"00-{ID}-{SPAN}-0{sampled:d}"
    child = trace.child()
    assert (child.id, child.sampled, len(child.span)) == (ID, sampled, len(SPAN))
    assert child.span != SPAN
    assert read_traceparent(child.header) == child


@pytest.mark.parametrize(
    "text",
    [
        "", "x", SENT[:-1], SENT + "-", SENT + "-more", SENT + "\n", SENT.upper(), " " + SENT,
        f"ff-{ID}-{SPAN}-01", f"00-{'0' * 32}-{SPAN}-01", f"00-{ID}-{'0' * 16}-01",
        f"cc-{ID}-{SPAN}-01.more", f"0-{ID}-{SPAN}-01", f"00-{ID}-{SPAN}-0g",
    ],
)  # fmt: skip
def test_malformed_trace_is_ignored(text):
    assert read_traceparent(text) is None


async def play(at: LiveService, match: str, who: dict[str, str], token: str, trace: str) -> None:
    events = {"events": [{"text": token}]}
    headers = who | ({"traceparent": trace} if trace else {})
    answer = await at.client.post(f"/matches/{match}/events", json=events, headers=headers)
    assert answer.status_code == 200, answer.text


async def test_hook_call_continues_trace_of_its_move():
    async with hooked() as (at, receiver, match, host, hook):
        traces = [SENT, "", "00-malformed-01", SENT.replace("-01", "-00")]
        for number, (token, trace) in enumerate(zip(TOKENS, traces, strict=True), 1):
            await play(at, match, host, token, trace)
            await until_told(at, hook, host, lambda now, n=number: now["delivered"] == n)
        sent = [read_traceparent(headers.get("traceparent", "")) for headers, _ in receiver.posts]
        assert [each and (each.id, each.sampled) for each in sent] == [
            (ID, True), None, None, (ID, False),
        ]  # fmt: skip
        assert SPAN not in str(receiver.posts)


async def test_ping_continues_trace_of_its_request():
    async with hooked() as (at, receiver, match, host, hook):
        path = f"/matches/{match}/hooks/{hook['id']}/ping"
        for headers in (host | {"traceparent": SENT}, host):
            await at.client.post(path, headers=headers)
        first, second = (headers for headers, _ in receiver.posts)
        assert first["traceparent"].startswith(f"00-{ID}-")
        assert "traceparent" not in second
