"""Fast questions about a whole board of Poptrix agree with slow and obvious answers."""

from __future__ import annotations

from random import Random

import pytest

from domain.games.poptrix.board import BOARD, attacks, can_attack, in_contact, launches

CODES = (5, 6, 7, 9, 10, 11)


def random_board(seed: int, pyramids: int) -> bytes:
    rng, board = Random(seed), bytearray(30)
    for at in rng.sample(range(30), pyramids):
        board[at] = rng.choice(CODES)
    return bytes(board)


BOARDS = [random_board(seed, pyramids) for pyramids in range(2, 31) for seed in range(20)]


def neighbours(one: int, other: int) -> bool:
    return sorted(map(abs, BOARD.offset(one, other))) == [0, 1]


def enemies(board: bytes, one: int, other: int) -> bool:
    return bool(board[one] and board[other]) and board[one] >> 2 != board[other] >> 2


def test_contact_is_enemies_on_neighbouring_squares():
    found = {True: 0, False: 0}
    for board in BOARDS:
        pairs = ((one, other) for one in range(30) for other in range(one))
        touching = any(neighbours(*pair) and enemies(board, *pair) for pair in pairs)
        assert in_contact(board) is touching, board
        found[touching] += 1
    assert min(found.values()) > 20


@pytest.mark.parametrize("square", range(30))
def test_row_ends_do_not_touch_next_row(square):
    for other in range(30):
        board = bytearray(30)
        board[square], board[other] = 5, 9
        assert in_contact(bytes(board)) is neighbours(square, other)


@pytest.mark.parametrize("seat", [1, 2])
def test_can_attack_agrees_with_attacks(seat):
    answers = [can_attack(board, seat) for board in BOARDS]
    assert answers == [any(attacks(board, seat)) for board in BOARDS]
    assert set(answers) == {True, False}


def test_launches_need_another_size_in_stash():
    board = bytearray(30)
    board[0] = 6
    stash = bytes((0, 0, 0, 0, 0, 1, 1, 0, 0, 5, 5, 5))
    assert {pips for _, pips, _ in launches(bytes(board), stash, 1)} == {1}
