"""The findings of a check-up: what was checked, its verdict, and advice."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Finding(Struct, frozen=True):
    """The result of one check.

    A `fault` endangers records or stops them from being read; a `warning` may lead to one. `advice`
    says what to do, and is empty if all is well.
    """

    check: str
    verdict: Literal["ok", "warning", "fault"]
    told: str
    advice: str = ""


def ok(check: str, told: str) -> Finding:
    """Return a finding without any complaint."""
    return Finding(check, "ok", told)


def warning(check: str, told: str, advice: str) -> Finding:
    """Return a finding that may lead to a fault."""
    return Finding(check, "warning", told, advice)


def fault(check: str, told: str, advice: str) -> Finding:
    """Return a finding that endangers records."""
    return Finding(check, "fault", told, advice)
