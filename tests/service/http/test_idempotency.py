"""A request with an Idempotency-Key is done once; a retry gets the first answer."""

from __future__ import annotations

import asyncio

import pytest

from replay.errors import Usage
from service.http.idempotency import once
from service.http.problems import Problem


def run(key, *, found, made):
    """Run `once` with what each search finds and what making gives; return it and the calls."""
    calls = []

    async def find():
        calls.append("find")
        return found[calls.count("find") - 1]

    async def make():
        calls.append("make")
        if isinstance(made, Exception):
            raise made
        return made

    async def answer():
        try:
            return await once(key, find, make)
        except (Usage, Problem) as error:
            return error

    return asyncio.run(answer()), calls


def test_request_without_key_searches_no_result():
    assert run(None, found=[], made="new") == ("new", ["make"])


def test_existing_result_is_returned():
    assert run("key", found=["old"], made="new") == ("old", ["find"])


def test_missing_result_is_made():
    assert run("key", found=[None], made="new") == ("new", ["find", "make"])


@pytest.mark.parametrize("failure", [Usage("it is there"), Problem(409, "it is there")])
def test_loser_of_a_race_gets_winners_answer(failure):
    assert run("key", found=[None, "theirs"], made=failure) == ("theirs", ["find", "make", "find"])


@pytest.mark.parametrize("failure", [Usage("wrong"), Problem(400, "wrong")])
def test_failure_without_earlier_result_is_raised(failure):
    assert run("key", found=[None, None], made=failure) == (failure, ["find", "make", "find"])
    assert run(None, found=[], made=failure) == (failure, ["make"])
