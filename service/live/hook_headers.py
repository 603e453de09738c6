"""The headers of a call to a WebHook: its name, its time, its signatures and its trace.

Each call is signed twice, in Plybook's form and in the form of Standard Webhooks
(https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). Only
the second form allows several signatures, so only it includes signatures with former secrets.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final

from replay.access.web_hooks import WHSEC
from replay.record.match_record import MatchRecord
from replay.store.types import Appended
from service.http.safe_http import Call, call
from service.http.trace_context import CURRENT, Trace

DELIVERED: Final = {
    "Plybook-Delivery": "The id of the delivery, the same on each attempt.",
    "Plybook-Timestamp": "The time of the attempt, in seconds since 1970.",
    "Plybook-Signature": "HMAC-SHA-256 over the time, a point and the body, in hexadecimal; its "
    "key is the newest secret.",
    "webhook-id": "The id of the delivery, for Standard Webhooks.",
    "webhook-timestamp": "The time of the attempt, for Standard Webhooks.",
    "webhook-signature": "The signature for Standard Webhooks: `v1,` and HMAC-SHA-256 in base64; "
    "for a day after a rotation, former secrets' signatures follow, separated by spaces.",
}
"""The headers of a call, in the order id, time, signature."""

KEY_SIZES: Final = range(24, 65)
"""The lengths in bytes that Standard Webhooks allows for a key."""


def signed_headers(secrets: Sequence[str], name: str, seconds: int, body: bytes) -> dict[str, str]:
    """Return the headers of a call with this name and body at a time in seconds since 1970.

    The newest secret comes first.
    """
    time = str(seconds)
    plain = _digest(secrets[0].encode(), f"{time}.", body).hex()
    standard = " ".join(_standard(secret, f"{name}.{time}.", body) for secret in secrets)
    told = (name, time, f"sha256={plain}", name, time, standard)
    return dict(zip(DELIVERED, told, strict=True))


def decoded_key(secret: str) -> bytes:
    """Return the key in a secret of the form `whsec_` and base64. Raises `ValueError`."""
    try:
        key = base64.b64decode(secret.removeprefix(WHSEC), validate=True)
    except binascii.Error:
        key = b""
    if len(key) not in KEY_SIZES:
        raise ValueError("a secret must be whsec_ and then 24 to 64 bytes in base64")
    return key


def _standard(secret: str, head: str, body: bytes) -> str:
    return f"v1,{base64.b64encode(_digest(_key(secret), head, body)).decode()}"


def _key(secret: str) -> bytes:
    """Return the key of Standard Webhooks: decoded after `whsec_`, otherwise the characters."""
    if not secret.startswith(WHSEC):
        return secret.encode()
    try:
        return decoded_key(secret)
    except ValueError:  # registered before this form was supported
        return secret.encode()


def _digest(key: bytes, head: str, body: bytes) -> bytes:
    return hmac.new(key, head.encode() + body, hashlib.sha256).digest()


KEPT: Final = 1000
"""The most matches whose newest event's trace is remembered."""


async def call_in_trace(
    trace: Trace | None, url: str, body: bytes, headers: Mapping[str, str], anywhere: bool
) -> Call:
    """Call an address as `call` does, and send the trace of the call, if any."""
    parent = {} if trace is None else {"traceparent": trace.child().header}
    return await call(url, body, {**headers, **parent}, anywhere)


class HookTraces:
    """The newest traced event of each match that this server appended to."""

    def __init__(self) -> None:
        self._gate = threading.Lock()  # events are appended in any thread
        self._newest: OrderedDict[int, tuple[int, Trace]] = OrderedDict()

    def note(self, record: MatchRecord, appended: Appended) -> None:
        """Remember the trace, if any, of the request that appended events."""
        trace = CURRENT.get()
        if trace is None:
            return
        with self._gate:
            self._newest[record.stream.id] = appended.events[-1].version, trace
            self._newest.move_to_end(record.stream.id)
            if len(self._newest) > KEPT:
                self._newest.popitem(last=False)

    def find(self, stream: int, first: int, last: int) -> Trace | None:
        """Return the trace of the newest event of a match if its version lies in this range."""
        version, trace = self._newest.get(stream, (0, None))
        return trace if first <= version <= last else None
