"""The headers of a call to a WebHook: its name, its time and its signatures.

Each call is signed twice, in Plybook's form and in that of Standard Webhooks
(https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
Only the latter has room for several signatures, so only it has those of former secrets.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from replay.access.web_hooks import WHSEC

DELIVERED: Final = {
    "Plybook-Delivery": "The id of the delivery, the same on each attempt.",
    "Plybook-Timestamp": "The time of the attempt, in seconds since 1970.",
    "Plybook-Signature": "HMAC-SHA-256 over the time, a point and the body, in hexadecimal; its "
    "key is the newest secret.",
    "webhook-id": "The id of the delivery, for Standard Webhooks.",
    "webhook-timestamp": "The time of the attempt, for Standard Webhooks.",
    "webhook-signature": "The signature for Standard Webhooks: `v1,` and HMAC-SHA-256 in base64; "
    "for a day after a rotation also those of former secrets, separated by spaces.",
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
        raise ValueError("after whsec_ a secret goes on with 24 to 64 bytes in base64")
    return key


def _standard(secret: str, head: str, body: bytes) -> str:
    return f"v1,{base64.b64encode(_digest(_key(secret), head, body)).decode()}"


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
