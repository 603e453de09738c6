"""What a check-up finds: one thing that was looked at, how it is, and what to do about it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Finding(Struct, frozen=True):
    """One thing that was looked at.

    A `fault` keeps records from being safe or being read; a `warning` may come to that. `advice`
    says what to do, and is empty where all is well.
    """

    check: str
    verdict: Literal["ok", "warning", "fault"]
    told: str
    advice: str = ""


def ok(check: str, told: str) -> Finding:
    """Return what is as it should be."""
    return Finding(check, "ok", told)


def warning(check: str, told: str, advice: str) -> Finding:
    """Return what works, and should be otherwise."""
    return Finding(check, "warning", told, advice)


def fault(check: str, told: str, advice: str) -> Finding:
    """Return what is wrong."""
    return Finding(check, "fault", told, advice)
