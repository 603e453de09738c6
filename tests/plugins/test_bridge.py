"""Bridge: the auction, dummy, claims, scores, and refusals by clause."""

from __future__ import annotations

import pytest

from domain.entry.spellings import spell
from domain.entry.taps import button_choices
from domain.match import open_match
from domain.position import Outcome
from replay import registry, rules_text
from replay.formats.ply.reader import read_records
from tests.case_table import cases
from tests.plugins import endplay_boards
from tests.plugins.playing import play

RANKS = "23456789TJQKA"
HANDS = [
    f"{seat}:hand=" + "".join(f"{rank}{suit}" for rank in RANKS)
    for seat, suit in zip((1, 2, 3, 4), "CDHS", strict=True)
]
SHORT = {"-": "pass", "X": "double", "XX": "redouble"}
LOST = "bid=1NT - - -"


@pytest.fixture
def game(site):
    return registry.find("bridge")


def words(moves):
    """Return move texts: `-`, `X` and `XX` are calls."""
    return [SHORT.get(word, word) for word in moves.split()]


def played(game, moves, dealt=HANDS, **options):
    """Return the state and the effects after moves, or the refusal of the last one."""
    texts = [*(dealt if options.get("hands") != "unseen" else ()), *words(moves)]
    return play(open_match(game, game.read_options(options)).state, texts)


@cases(
    "moves clause words",
    """
bid=2H bid=2D        | BRI-3.2 | 2♦ is not above 2♥; bid higher, or pass
bid=2H bid=1NT       | BRI-3.2 | 1NT is not above 2♥; bid higher, or pass
bid=7NT bid=7NT      | BRI-3.2 | 7NT is not above 7NT; bid higher, or pass
X                    | BRI-3.3 | nobody has bid; there is nothing to double
bid=1C - X           | BRI-3.3 | 1♣ is a bid of the own side; double one of the other side
bid=1C X - X         | BRI-3.3 | 1♣ is doubled already; bid, or pass
bid=1C - - X X       | BRI-3.3 | 1♣ is a bid of the own side; double one of the other side
bid=1C X XX X        | BRI-3.3 | 1♣ is redoubled already; bid, or pass
bid=1C - - X - - X   | BRI-3.3 | 1♣ is a bid of the own side; double one of the other side
XX                   | BRI-3.4 | nobody has bid; there is nothing to redouble
bid=1C XX            | BRI-3.4 | 1♣ is a bid of the other side; redouble one of the own side
bid=1C - XX          | BRI-3.4 | 1♣ is not doubled; bid, or pass
bid=1C X XX - XX     | BRI-3.4 | 1♣ is redoubled already; bid, or pass
2:bid=1C             | turn    | it is not for seat 2 to move: seat 1 is to call
TC                   | turn    | the auction comes first; bid, or pass
bid=1NT - - - -      | turn    | the auction is over; play a card, like 4H
bid=1NT - - - 2C     | BRI-5.1 | 2♣ is not in this hand
bid=1NT - - - 1:2D   | turn    | it is not for seat 1 to move: seat 2 is to play a card
bid=1NT - - - 2D 3:2H | turn   | it is not for seat 3 to move: seat 1 is to play a card of dummy
claim=3              | turn    | tricks are claimed while cards are played
bid=1NT - - - claim=14 | BRI-6.1 | a board has 13 tricks; claim 0 to 13
bid=1NT - - - 2D 2H 2S 2C claim=13 | BRI-6.1 | only 12 tricks are left; claim 0 to 12
bid=1NT - - - claim=3 2D | turn | an opponent must first answer the claim; agree or object
1:agree              | turn    | there is no claim that this seat must answer
""",
)
def test_refusals(game, moves, clause, words):
    refused, _ = played(game, moves)
    assert refused.clause == clause
    assert clause in ("turn", "form") or clause in rules_text.clauses(game)
    assert refused.words().startswith(words)


@cases(
    "text clause",
    """
1:hand=2C3C4C5C6C7C8C9CTCJCQCKC     | BRI-2.1
1:hand=2C2C4C5C6C7C8C9CTCJCQCKCAC   | BRI-2.1
1:hand=2C3C4C5C6C7C8C9CTCJCQCKCAC2D | BRI-2.1
pass                                | turn
2C                                  | turn
""",
)
def test_hands_that_are_refused(game, text, clause):
    assert played(game, text, dealt=())[0].clause == clause


def test_hand_must_follow_suit(game):
    dealt = [HANDS[0], HANDS[1].replace("AD", "2S"), HANDS[2], HANDS[3].replace("2S", "AD")]
    refused, _ = played(game, f"{LOST} 2D 2H 3S", dealt)
    assert refused.clause == "BRI-5.2"


def test_card_that_fell_before_deals_the_board_again(game):
    dealt = [HANDS[0], HANDS[1], HANDS[1].replace("2:", "3:"), HANDS[3]]
    table = played(game, f"{LOST} 2D 2D", dealt)[0].position.table
    assert (table.board, table.holding, table.calls, table.laid) == (1, (), (), ())


@cases(
    "calls contract declarer",
    """
bid=1S - - -                                 | 1S    | 1
- bid=1H - bid=2H - bid=4H - - -             | 4H    | 2
bid=1NT bid=2C X - - bid=2D X - - -          | 2DX   | 2
bid=1C - bid=1NT - bid=3NT - - X XX - - -    | 3NTXX | 3
bid=1H X XX bid=1S - - bid=2H - - -          | 2H    | 1
- - bid=1C bid=1D - bid=2D X XX bid=3C - - - | 3C    | 3
""",
)
def test_declarer_bid_the_strain_first(game, calls, contract, declarer):
    table = played(game, calls)[0].position.table
    assert (table.contract.text, str(table.contract.declarer)) == (contract, declarer)
    assert table.leader == table.contract.declarer % 4 + 1


@pytest.mark.parametrize("hands", ["known", "unseen"])
def test_four_passes_end_a_board(game, hands):
    state, effects = played(game, "- - - -", hands=hands)
    assert state.outcome == Outcome("BRI-8.2", (), (0, 0, 0, 0))
    assert effects[-1].words() == "board 1 is passed out"
    table = played(game, "- - - -", hands=hands, deals="2")[0].position.table
    assert (table.board, table.calls, table.dealer) == (2, (), 2)


def test_boards_have_dealers_and_vulnerable_sides(game):
    sides = {(): "-", (0,): "N", (1,): "E", (0, 1): "B"}
    found = ""
    for board in range(1, 37):
        table = open_match(game, game.read_options({"board": f"{board}"})).state.position.table
        found += sides[table.vulnerable]
        assert table.dealer == (board - 1) % 4 + 1
    assert found == "-NEBNEB-EB-NB-NE-NEBNEB-EB-NB-NE-NEB"


def test_hand_of_dummy_lies_open_after_the_lead(game):
    before, _ = played(game, LOST)
    after, effects = played(game, f"{LOST} 2D")
    assert before.position.sealed == (1, 2, 3, 4)
    assert (after.position.sealed, after.position.guarded) == ((1, 2, 4), (1, 2, 4))
    assert [effect.words() for effect in effects[-2:]] == [
        "seat 2 plays 2♦",
        "seat 3 is dummy and lays down its hand",
    ]
    for viewer in (None, 1, 2, 3, 4):
        drawn = game.scene(after.position.view(viewer))
        assert sum(piece.at == "AH" for row in drawn.panels for piece in row.pieces) == 1
    (awaited,) = after.position.awaiting()
    assert (awaited.seat, awaited.what) == (1, "play a card of dummy")
    legal = {game.write(move) for seat, move in game.legal_moves(after.position) if seat == 1}
    assert legal == {f"{rank}H" for rank in RANKS}
    after, effects = played(game, f"{LOST} 2D 1:5H")
    assert effects[-1].words() == "seat 3 plays 5♥"
    assert "5H" not in after.position.table.laid


@cases(
    "contract risk tricks vulnerable points",
    """
1NT |    | 7  | no  | 90
1C  |    | 7  | no  | 70
2S  |    | 9  | no  | 140
3NT |    | 9  | no  | 400
3NT |    | 10 | yes | 630
4S  |    | 10 | no  | 420
5D  |    | 11 | yes | 600
6H  |    | 12 | no  | 980
6NT |    | 12 | yes | 1440
7C  |    | 13 | no  | 1440
7NT |    | 13 | yes | 2220
2H  | X  | 8  | no  | 470
1C  | X  | 8  | yes | 340
2C  | XX | 8  | no  | 560
1NT | XX | 9  | yes | 1560
3S  |    | 7  | no  | -100
3S  |    | 7  | yes | -200
3S  | X  | 5  | no  | -800
3S  | X  | 5  | yes | -1100
3S  | XX | 8  | no  | -200
7NT | XX | 0  | yes | -7600
""",
)
def test_scores(game, contract, risk, tricks, vulnerable, points):
    board = "2" if vulnerable == "yes" else "1"
    risked = {"": "", "X": "X", "XX": "X XX"}[risk]
    before = "- - - " if board == "2" else ""
    calls = f"{before}bid={contract} {risked} - - -"
    state, effects = played(game, f"{calls} claim={13 - int(tricks)} 1:agree", board=board)
    assert effects[-1].points == abs(int(points))
    assert state.outcome.winners == ((1, 3) if int(points) > 0 else (2, 4))


@cases(
    "moves scores",
    """
claim=6 1:agree                 | 90 0
claim=7 1:agree                 | 0 50
claim=13 1:object 2D 2H 2S 2C claim=12 1:agree | 0 350
2D claim=13 2:agree             | 270 0
2D claim=13 4:agree             | 270 0
2D claim=0 2:object 2H 2S claim=0 4:agree | 0 350
""",
)
def test_opponent_answers_a_claim(game, moves, scores):
    state, _ = played(game, f"{LOST} {moves}")
    assert " ".join(map(str, state.position.table.scores)) == scores


SUITS = [f"{rank}{suit}" for rank in RANKS[:5] for suit in "DHSC"]
"""Five tricks for seat 2, which leads."""


@pytest.mark.parametrize("hands", ["known", "unseen"])
def test_claims_have_buttons_towards_the_end(game, hands):
    moves = f"{LOST} {' '.join(SUITS)}"
    state, _ = played(game, moves, hands=hands)
    said = {each.text: each.label for each in button_choices(state, 2)}
    assert said == {"claim=8": "Claim 8 tricks", "claim=0": "Concede 8 tricks"}
    assert game.parse("claim=3").label_at(state.position) == "Claim 3 of 8 tricks"
    assert button_choices(state, 4) == ()
    state, _ = played(game, f"{moves} claim=8", hands=hands)
    assert button_choices(state, 2) == ()
    state, _ = played(game, f"{LOST} 2D 2H 2S 2C", hands=hands)
    assert button_choices(state, 2) == ()


def test_dummy_answers_no_claim(game):
    refused, _ = played(game, f"{LOST} claim=6 3:agree")
    assert refused.clause == "turn"


def test_dummy_is_proven_to_have_revoked(game):
    _, effects = played(game, f"{LOST} 2D 2H 3D 4D 5D 6D 7D", hands="unseen")
    revoked = effects[-1]
    assert (revoked.seat, revoked.trick, revoked.clause) == (3, 1, "BRI-5.2")


@cases(
    "text meant",
    """
1NT | bid=1NT
1n  | bid=1NT
1♥  | bid=1H
7 s | bid=7S
p   | pass
PASS | pass
x   | double
XX  | redouble
""",
)
def test_calls_have_other_spellings(game, text, meant):
    assert spell(played(game, "")[0], text) == meant


def test_card_is_a_bid_during_the_auction(game):
    state, _ = played(game, "2H")
    assert state.position.table.calls == ("2H",)
    refused, _ = played(game, "2H 2C")
    assert refused.clause == "BRI-3.2"


def test_demonstration_makes_its_contract(game):
    (record,) = read_records(rules_text.demo(game))
    assert record.match.state.outcome == Outcome("BRI-8.1", (1, 3), (420, 0, 420, 0))


def test_boards_go_as_endplay_has_them(game):
    lines = endplay_boards.FILE.read_text().splitlines()
    boards = [endplay_boards.Board(*line.split("\t")) for line in lines]
    assert len(boards) == endplay_boards.KEPT
    for board in boards:
        assert endplay_boards.play(game, board.number, board.deal, board) == board


@cases(
    "moves title",
    """
bid=1NT - - - claim=6 1:agree | Board 1 · 1NT by seat 1, 7 tricks
- - - -                       | Board 1 · passed out
""",
)
def test_last_board_is_shown_after_the_end(game, moves, title):
    state, effects = played(game, moves)
    scene = game.scene(state.position.view(None), effects)
    assert [panel.title for panel in scene.panels] == [title]
    assert not any(tray.lines for tray in scene.trays)
    (later,) = game.scene(state.position.view(None)).panels
    assert later.title == "All boards are played"
