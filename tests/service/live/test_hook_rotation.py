"""A hook's secret is replaced, and its receiver can verify every delivery."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac

from replay.access import web_hooks
from tests.service.live.test_hook_deliveries import (
    SECRET,
    TOKENS,
    Receiver,
    hooked,
    register,
    told,
    until_told,
)
from tests.service.live_service import LiveService, live_match


def verifies(receiver: Receiver, secret: str, post: int = -1) -> tuple[bool, bool]:
    """Return whether a secret verifies a call: as Standard Webhooks, and in Plybook's own form."""
    sent, body = receiver.posts[post]
    key, time = secret.encode(), sent["webhook-timestamp"]
    decoded = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else key
    signed = f"{sent['webhook-id']}.{time}.".encode() + body
    standard = base64.b64encode(hmac.digest(decoded, signed, hashlib.sha256)).decode()
    plain = hmac.digest(key, f"{time}.".encode() + body, hashlib.sha256).hex()
    listed = f"v1,{standard}" in sent["webhook-signature"].split(" ")
    return listed, sent["plybook-signature"] == f"sha256={plain}"


def at_time(at: LiveService, now: int) -> None:
    at.book.now = lambda: now


async def test_deliveries_are_signed_with_both_secrets_for_day():
    async with hooked() as (at, receiver, match, host, hook):
        assert hook["former_until"] is None
        began = at.book.now()
        at_time(at, began)
        answer = await at.client.post(f"/matches/{match}/hooks/{hook['id']}/rotate", headers=host)
        rotated = answer.json()
        until = began + web_hooks.FORMER_SECRET_TIMEOUT
        assert rotated == hook | {"secret": rotated["secret"], "former_until": until}
        assert rotated["secret"].startswith("whsec_")
        assert answer.headers["cache-control"] == "no-store"
        shown = await told(at, hook, host)
        assert "secret" not in shown
        assert shown["former_until"] == until
        for number, (now, old) in enumerate(((began, True), (until - 1, True), (until, False))):
            at_time(at, now)
            await at.play(match, host, TOKENS[number])
            version = number + 1
            await until_told(at, hook, host, lambda now, n=version: now["delivered"] == n)
            assert verifies(receiver, rotated["secret"]) == (True, True)
            assert verifies(receiver, SECRET) == (old, False)


async def test_secret_rotated_twice_verifies_for_its_day():
    async with hooked() as (at, receiver, match, host, hook):
        path = f"/matches/{match}/hooks/{hook['id']}"
        made = [(await at.client.post(f"{path}/rotate", headers=host)).json() for _ in range(4)]
        await at.client.post(f"{path}/ping", headers=host)
        secrets = [SECRET, *(each["secret"] for each in made)]
        assert len(set(secrets)) == web_hooks.MAX_SECRETS
        assert all(verifies(receiver, each)[0] for each in secrets)
        more = await at.client.post(f"{path}/rotate", headers=host)
        assert more.status_code == 409
        assert "try again when one expires" in more.json()["detail"]
        at_time(at, at.book.now() + web_hooks.FORMER_SECRET_TIMEOUT)
        last = (await at.client.post(f"{path}/rotate", headers=host)).json()["secret"]
        await at.client.post(f"{path}/ping", headers=host)
        assert [verifies(receiver, each)[0] for each in (*secrets, last)] == [
            *[False] * 4,
            *[True] * 2,
        ]


async def test_repeated_rotation_rotates_once():
    async with live_match(hooks_anywhere=True) as (at, match, host, seats):
        hook = await register(at, match, host, "https://example.org/")
        path = f"/matches/{match}/hooks/{hook['id']}/rotate"
        key = host | {"Idempotency-Key": "one"}
        made = [await at.client.post(path, headers=key)]
        made += await asyncio.gather(*(at.client.post(path, headers=key) for _ in range(4)))
        assert {answer.status_code for answer in made} == {200}
        assert len({answer.text for answer in made}) == 1
        other = await at.client.post(path, headers=host | {"Idempotency-Key": "two"})
        assert other.json()["secret"] != made[0].json()["secret"]
        late = await at.client.post(path, headers=key)
        assert (late.status_code, len(at.store.hooks()[0].former)) == (409, 2)
        assert (await at.client.post(path)).status_code == 401
        assert (await at.client.post(path, headers=seats["1"])).status_code == 403


async def test_rotations_at_once_without_keys_lose_no_secret():
    async with live_match(hooks_anywhere=True) as (at, match, host, _):
        hook = await register(at, match, host, "https://example.org/")
        path = f"/matches/{match}/hooks/{hook['id']}/rotate"
        answers = await asyncio.gather(*(at.client.post(path, headers=host) for _ in range(4)))
        made = {answer.json()["secret"] for answer in answers if answer.status_code == 200}
        assert {answer.status_code for answer in answers} <= {200, 409}
        (stored,) = at.store.hooks()
        assert {stored.secret, *(each.secret for each in stored.former)} == {*made, SECRET}
