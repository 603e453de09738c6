"""The headers of a call to a WebHook: its name, its time and its signatures.

Each call is signed twice, in Plybook's form and in that of Standard Webhooks
(https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import Final

from replay.access.web_hooks import WHSEC

DELIVERED: Final = {
    "Plybook-Delivery": "The id of the delivery, the same on each attempt.",
    "Plybook-Timestamp": "The time of the attempt, in seconds since 1970.",
    "Plybook-Signature": "HMAC-SHA-256 over the time, a point and the body, in hexadecimal.",
    "webhook-id": "The id of the delivery, for Standard Webhooks.",
    "webhook-timestamp": "The time of the attempt, for Standard Webhooks.",
    "webhook-signature": "The signature for Standard Webhooks: `v1,` and HMAC-SHA-256 in base64.",
}
"""The headers of a call, in the order id, time, signature."""

KEY_SIZES: Final = range(24, 65)
"""The lengths in bytes that Standard Webhooks allows for a key."""


def signed_headers(secret: str, name: str, seconds: int, body: bytes) -> dict[str, str]:
    """Return the headers of a call with this name and body at a time in seconds since 1970."""
    time = str(seconds)
    plain = _digest(secret.encode(), f"{time}.", body).hex()
    standard = base64.b64encode(_digest(_key(secret), f"{name}.{time}.", body)).decode()
    told = (name, time, f"sha256={plain}", name, time, f"v1,{standard}")
    return dict(zip(DELIVERED, told, strict=True))


def decoded_key(secret: str) -> bytes:
    """Return the key in a secret of the form `whsec_` and base64. Raises `ValueError`."""
    try:
        key = base64.b64decode(secret.removeprefix(WHSEC), validate=True)
    except binascii.Error:
        key = b""
    if len(key) not in KEY_SIZES:
        raise ValueError("after whsec_ a secret goes on with 24 to 64 bytes in base64")
    return key


def _key(secret: str) -> bytes:
    """Return the key of Standard Webhooks: decoded after `whsec_`, otherwise the characters."""
    if not secret.startswith(WHSEC):
        return secret.encode()
    try:
        return decoded_key(secret)
    except ValueError:  # registered before this form was known
        return secret.encode()


def _digest(key: bytes, head: str, body: bytes) -> bytes:
    return hmac.new(key, head.encode() + body, hashlib.sha256).digest()
