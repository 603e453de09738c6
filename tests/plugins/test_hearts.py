"""Hearts: the pass, refusals by clause, points and ends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.entry import move_text
from domain.entry.spellings import spell
from domain.match import open_match
from domain.position import Outcome, Violation
from replay import registry, rules_text
from replay.formats.ply.reader import read_records
from tests.case_table import cases

RANKS = "23456789TJQKA"
HANDS = [
    f"{seat}:hand=" + "".join(f"{rank}{suit}" for rank in RANKS)
    for seat, suit in zip((1, 2, 3, 4), "CDSH", strict=True)
]
LEFT = ["1:pass=2C3C4C", "2:pass=2D3D4D", "3:pass=2S3S4S", "4:pass=2H3H4H"]


@pytest.fixture
def game(site):
    return registry.find("hearts")


def played(game, texts, **options):
    """Return the state after tokens, or the refusal of the last one."""
    state = open_match(game, game.read_options(options)).state
    for number, text in enumerate(texts, 1):
        event = move_text.read(game, state, text)
        refused = event if isinstance(event, Violation) else event.check(state)
        if refused is not None:
            assert number == len(texts), (text, refused)
            return refused
        state = event.evolve(state)[0]
    return state


@cases(
    "moves clause",
    """
1:pass=2D3D4D | HRT-3.1
1:pass=2C2C4C | HRT-3.1
LEFT 1:pass=5C6C7C | turn
LEFT 3C | HRT-4.2
LEFT 2H | HRT-4.1
LEFT 2C QS | HRT-4.5
LEFT 2C 2D 2S 2H | HRT-4.3
LEFT 2C 2D 2S AC 2H | HRT-4.4
""",
)
def test_refusals(game, moves, clause):
    texts = [text for word in moves.split() for text in (LEFT if word == "LEFT" else [word])]
    refused = played(game, [*HANDS, *texts])
    assert refused.clause == clause
    assert clause == "turn" or clause in rules_text.clauses(game)


def test_hand_with_a_card_twice_is_refused(game):
    assert played(game, [HANDS[0].replace("3C", "2C")]).clause == "HRT-2.1"


def test_passed_cards_change_hands(game):
    position = played(game, [*HANDS, *LEFT]).position
    assert position.table.seat == 2
    assert {"2H", "3H", "4H"} < set(position.hand(1))
    assert {"2C", "3C", "4C"} < set(position.hand(2))


def test_deal_without_two_of_clubs_is_dealt_again(game):
    again = HANDS[1].replace("2:", "1:")
    position = played(game, [again, *HANDS[1:], "1:pass=2D3D4D", *LEFT[1:]]).position
    assert (position.table.holding, position.table.deal) == ((), 1)


@pytest.mark.parametrize(("moon", "scores"), [("others", (0, 26, 26, 26)), ("own", (-26, 0, 0, 0))])
def test_shooting_the_moon_scores_by_option(game, moon, scores):
    (record,) = read_records(rules_text.demo(game))
    moves = [move_text.write(game, node.event) for node in record.line.nodes]
    state = played(game, moves, limit="25", moon=moon)
    assert state.position.table.scores == scores
    assert (state.outcome is None) == (moon == "own")


def test_players_with_fewer_points_rank_higher(game):
    (record,) = read_records(rules_text.demo(game))
    moves = [move_text.write(game, node.event) for node in record.line.nodes]
    outcome = played(game, moves, limit="25", moon="others").outcome
    assert outcome.ranks == ()
    table = replace(played(game, moves, limit="25").position.table, scores=(26, 0, 3, 3))
    assert replace(played(game, []).position, table=table).outcome().ranks == ((2,), (3, 4), (1,))


@pytest.mark.parametrize(("token", "clause"), [("2:resign", "resigned"), ("1:flag", "flagged")])
def test_seat_that_leaves_is_the_only_loser(game, token, clause):
    state = played(game, [*HANDS, *LEFT, token])
    assert state.outcome == Outcome(clause, (1, 3, 4))
    assert state.outcome.result == "+1,3,4"


@pytest.mark.parametrize("text", ["1:pass = 2c3c4c", "1:Pass= 2♣ 3♣ 4♣", "1: p a s s = 2C3C4C"])
def test_cards_are_read_with_spaces_around_their_word(game, text):
    assert spell(played(game, HANDS), text) == "1:pass=2C3C4C"
