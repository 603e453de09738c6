"""Errors cross processes: what raised them in a worker is what its server answers."""

from __future__ import annotations

import pickle

import pytest

from replay.errors import BadLine, PlybookError, Stale, StoreError, UnknownPly

ERRORS = (
    UnknownPly(9, "k3v9", 4),
    Stale(3, 5),
    BadLine(7, "it is not JSON"),
    StoreError("book.db is locked", "it is locked"),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_error_survives_pickling(error: PlybookError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
