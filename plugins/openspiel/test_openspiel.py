"""Games of OpenSpiel pass the tests of every game; Backgammon, Hearts and Hive agree with it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from importlib import import_module
from random import Random

import pytest

pytest.importorskip("pyspiel")

import pyspiel
from plybook_openspiel import GAMES
from plybook_openspiel.moves import Offer, read, write
from plybook_openspiel.picture import board
from plybook_openspiel.position import (
    choices,
    known_words,
    load,
    owner,
    random_lines,
    state,
)

from plybook.game import PositionError
from plybook.testing import *  # noqa: F403
from plybook.testing.subjects import random_match, run_on

BY_SLUG = {game.slug.removeprefix("openspiel-"): game for game in GAMES}
WHOLE = [BY_SLUG[slug] for slug in ("tic-tac-toe", "2048", "liars-dice", "kuhn-poker")]
"""Games that pass the whole suite here: an open one, one with chance, and two with secrets."""


def pytest_generate_tests(metafunc):
    if metafunc.function.__module__.startswith("plybook.testing"):
        run_on(metafunc, WHOLE)
    elif "each" in metafunc.fixturenames:
        metafunc.parametrize("each", GAMES, ids=lambda game: game.slug)


def survey(name: str) -> Offer:
    """Look at random matches of a game; raises `ValueError` if Plybook cannot record it."""
    kind = pyspiel.load_game(name).get_type()
    if kind.dynamics != kind.Dynamics.SEQUENTIAL or kind.action_structs_only:
        raise ValueError(f"{name} is not turn-based, or does not list its actions")
    if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        raise ValueError(f"{name} keeps what chance brings to itself")
    fixed = pyspiel.load_game(name).num_players()
    chosen = "players" in kind.parameter_specification
    most = min(kind.max_num_players, 9)
    owners, reasons, seats = set(), [], []
    for number in range(kind.min_num_players, most + 1) if chosen else [fixed]:
        try:
            load(name, number)
            if kind.information != kind.Information.PERFECT_INFORMATION:
                owners |= {owner(line) for line in random_lines(name, number)}
            seats.append(number)
        except (ValueError, RuntimeError) as error:  # OpenSpiel refuses numbers by the latter
            reasons.append(error)
    if not seats:
        raise ValueError(f"{name}: {reasons[0]}")
    moves, rolls = ([*known_words(name, seats[0], chance)] for chance in (False, True))
    title = ", ".join([kind.long_name, *name.rstrip(")").split("(")[1:]])
    hidden = bool(owners - {0})
    return Offer(name, title, tuple(seats), hidden, moves[0], rolls[0] if rolls else "")


@pytest.mark.parametrize("name", ["pig", "connect_four", "go(board_size=9)", "solitaire", "maedn"])
def test_game_facts_agree_with_openspiel(name):
    game = next(game for game in GAMES if game.start().line.name == name)
    offer = survey(name)
    assert (game.name, game.seats) == (f"{offer.title} (OpenSpiel)", offer.seats)
    assert game.has_secrets == offer.hidden
    examples = [kind.example.removeprefix("1:").split("=")[-1] for kind in game.moves]
    assert set(map(read, examples)) == {offer.move, offer.roll} - {""}


def test_importing_the_plugin_does_not_load_openspiel():
    loaded = "import sys, plybook_openspiel; print('pyspiel' in sys.modules)"
    command = [sys.executable, "-c", loaded]
    assert subprocess.run(command, capture_output=True, text=True).stdout == "False\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("matrix_rps", "not turn-based"),
        ("tarok", "keeps what chance brings to itself"),
        ("skat", "the seats \\[\\] learn"),
        ("kriegspiel", "learns a part of"),
        ("phantom_ttt", "learns a part of"),
    ],
)
def test_unrecordable_games_are_refused(name, reason):
    with pytest.raises(ValueError, match=reason):
        survey(name)


def test_random_match_equals_the_openspiel_game(each):
    match = random_match(each, 1, limit=60)
    at = load(match.start.position.line.name, match.seats).new_initial_state()
    moves = [ply for ply in match.line if hasattr(ply.event, "move")]
    for ply in moves:
        player = at.current_player()
        listed = [a for a, _ in at.chance_outcomes()] if player < 0 else at.legal_actions()
        words = [" ".join(at.action_to_string(player, action).split()) for action in listed]
        if player >= 0:
            assert ply.event.seat == player + 1
        at.apply_action(listed[words.index(ply.event.move.action)])
    assert str(at) == str(state(match.state.position.line))
    outcome = match.state.position.outcome()
    assert (outcome is not None) == at.is_terminal()
    if at.is_terminal():
        best = max(at.returns())
        won = [seat for seat, each in enumerate(at.returns(), 1) if each == best]
        assert list(outcome.winners) in ([], won)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("x(0,0)", "x[0,0]"),
        ("Play D7", "Play~D7"),
        ("roll", ".roll"),
        ("1-0", ".1-0"),
        ("3. Pass", ".3.~Pass"),
        ("(Deal R1)", ".[Deal~R1]"),
        ("1♣", "1%E2%99%A3"),
        ("[0,10]_~!", ".%5B0,10%5D%5F%7E%21"),
    ],
)
def test_words_are_written_as_move_texts(words, text):
    assert (write(words), read(text)) == (text, words)


def test_dice_have_the_chances_of_openspiel():
    position = BY_SLUG["backgammon"].start()
    *_, roll = BY_SLUG["backgammon"].moves
    outcomes = [chance for _, chance in state(position.line).chance_outcomes()]
    sides = []
    roll.roll(position, lambda number: sides.append(number) or 1)
    brought = Counter(roll.roll(position, lambda _, n=n: n).action for n in range(1, 1 + sides[0]))
    assert [brought[words] / sides[0] for words in choices(position.line)] == pytest.approx(
        outcomes
    )


def test_refusal_lists_the_possible_moves():
    game = BY_SLUG["tic-tac-toe"]
    act = game.moves[0]
    position, _ = act("x(0,0)").evolve(game.start(), 1)
    refused = act("o(0,0)").check(position, 2)
    assert refused.clause == "OSP-2.1"
    assert refused.message.startswith("'o(0,0)' is not possible; possible are o(0,1), o(0,2)")


def dealt(slug, deals, moves=()):
    """Play deals to seats in secret, then open moves, all of which are accepted."""
    game, position = BY_SLUG[slug], BY_SLUG[slug].start()
    for seat, (tag, words) in (*deals, *((seat, ("act", words)) for seat, words in moves)):
        [kind] = [one for one in game.moves if one.__struct_config__.tag == tag]
        assert kind(words).check(position, seat) is None, words
        position, effects = kind(words).evolve(position, seat)
    return position, effects


KUHN = [(1, ("deal", "Deal:1")), (2, ("deal", "Deal:1"))]
"""Two seats claim to hold one card."""
LEDUC = [(1, ("deal", "Chance outcome:1")), (2, ("deal", "Chance outcome:2"))]


def test_wrong_deal_restarts_the_game():
    anew, [effect] = dealt("kuhn-poker", KUHN, [(1, "Pass"), (2, "Pass")])
    assert (anew.line.actions, anew.turn, anew.sealed) == ((), 5, ())
    assert effect.words() == "seat 2 plays Pass, and the game begins anew: a deal was wrong"


@pytest.mark.parametrize("moves", [[], [(1, "Bet")], [(1, "Pass"), (2, "Bet")]])
def test_typed_deal_cannot_reveal_a_hand(moves):
    """Seat 2 types a card that seat 1 has in the first match and not in the second."""
    probes = (KUHN, [(1, ("deal", "Deal:2")), KUHN[1]])
    first, second = (dealt("kuhn-poker", deals, moves) for deals in probes)
    assert [first[0].false, second[0].false] == [True, False]
    assert first[1] == second[1]
    for name in ("awaiting", "outcome"):
        assert getattr(first[0], name)() == getattr(second[0], name)()
    assert (first[0].turn, first[0].sealed) == (second[0].turn, second[0].sealed)
    for seat in (2, None):
        assert first[0].view(seat) == second[0].view(seat)
    game = BY_SLUG["kuhn-poker"]
    assert [*game.legal(first[0], 2)] == [*game.legal(second[0], 2)]


def test_typed_open_card_cannot_reveal_a_hand():
    """The open card is one that seat 1 has in the first match and not in the second."""
    game, calls = BY_SLUG["leduc-poker"], [(1, "Call"), (2, "Call")]
    probes = (LEDUC, [(1, ("deal", "Chance outcome:0")), LEDUC[1]])
    [roll] = [kind for kind in game.moves if kind.__struct_config__.tag == "roll"]
    reached = []
    for deals in probes:
        position, _ = dealt("leduc-poker", deals, calls)
        assert roll("Chance outcome:1").check(position, 1) is None
        reached.append(roll("Chance outcome:1").evolve(position, 1))
    first, second = reached
    assert [first[0].false, second[0].false] == [True, False]
    assert (first[1], first[0].awaiting()) == (second[1], second[0].awaiting())
    assert [first[0].view(seat) == second[0].view(seat) for seat in (2, None)] == [True, True]


def test_card_that_nobody_can_hold_is_refused():
    deal = BY_SLUG["kuhn-poker"].moves[-1]
    assert deal("Deal:7").check(BY_SLUG["kuhn-poker"].start(), 1).clause == "OSP-2.1"


def test_spectator_sees_only_open_moves():
    game = BY_SLUG["kuhn-poker"]
    act, *_, deal = game.moves
    position = game.start()
    for seat, move in ((1, deal("Deal:2")), (2, deal("Deal:0")), (1, act("Bet"))):
        position, _ = move.evolve(position, seat)
    assert position.view(None).text == "(secret)\n(secret)\nBet"
    assert [position.view(seat).text for seat in (1, 2)] == ["2b", "0b"]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("hex -", 1),
        ("tic_tac_toe 0,0", 15),
        ("tic_tac_toe 0 1", 15),
    ],
)
def test_wrong_positions_are_refused(text, column):
    game = BY_SLUG["tic-tac-toe"]
    with pytest.raises(PositionError) as refused:
        game.read_position(game.start(), text)
    assert refused.value.column == column


@pytest.mark.parametrize(
    ("slug", "moves", "text", "taps"),
    [
        ("connect-four", "", "x3", ["d6"]),
        ("chess", "", "Nf3", ["g1", "f3"]),
        ("othello", "", "d3", ["d3"]),
        ("go-board-size-9", "", "B~j9", ["j9"]),
        ("pig", "", ".roll", ["0"]),
        ("breakthrough", "", "a7a6", ["a7", "a6"]),
    ],
)
def test_moves_are_tapped_where_the_board_changes(slug, moves, text, taps):
    game = BY_SLUG[slug]
    assert [pick.text for pick in game.parse(text).picks(game.start())] == taps


def test_board_is_found_in_text():
    signs, others = board("White (o) to play:\n  a b c\n1 - x -1\n2 - o - 2\n3 - - - 3\n  a b c\n")
    assert {at: sign for at, sign in signs.items() if sign} == {"b1": "x", "b2": "o"}
    assert (len(signs), others) == (9, ["White (o) to play:"])


def test_board_without_squares_keeps_its_spaces():
    game = BY_SLUG["nine-mens-morris"]
    (panel,) = game.scene(game.start()).panels
    assert panel.lines[:3] == (".------.------.", "|      |      |", "| .----.----. |")


def after(position, seat, move):
    assert move.check(position, seat) is None, move
    return move.evolve(position, seat)[0]


DEALS = {"Left": 1, "Right": 2, "Across": 3, "No Pass": 4}
"""The first deal of Hearts with each direction of the pass."""
HEARTS = "hearts(qs_breaks_hearts=False)"
"""Only a heart breaks hearts (HRT-4.4)."""


@pytest.mark.parametrize("seed", range(40))
def test_openspiel_agrees_with_hearts(seed):
    """A run over 10,000 deals, 520,000 cards and 90,000 passed cards found no difference."""
    hearts = pytest.importorskip("hearts")
    moves, table = import_module("hearts.moves"), import_module("hearts.table")
    rng, at, hands = Random(seed), pyspiel.load_game(HEARTS).new_initial_state(), ([], [], [], [])

    def words():
        listed = [a for a, _ in at.chance_outcomes()] if at.is_chance_node() else at.legal_actions()
        return {at.action_to_string(at.current_player(), action): action for action in listed}

    direction = rng.choice(list(words()))
    at.apply_action(words()[direction])
    for number in range(52):
        card = rng.choice(list(words()))
        hands[number % 4].append(card)
        at.apply_action(words()[card])
    position = table.Deal(table.Table(DEALS[direction], options=table.HeartsOptions()))
    for seat, hand in enumerate(hands, 1):
        position = after(position, seat, moves.Take(*hand))
    for seat in (1, 2, 3, 4) if direction != "No Pass" else ():
        passed = []
        for _ in range(3):
            assert {*words()} == {*position.hand(seat)} - {*passed}
            passed.append(rng.choice(list(words())))
            at.apply_action(words()[passed[-1]])
        position = after(position, seat, moves.Give(*passed))
    while not at.is_terminal():
        [awaited] = position.awaiting()
        assert awaited.seat == at.current_player() + 1
        assert {move.card for move in hearts.GAME.legal(position, awaited.seat)} == {*words()}
        card = rng.choice(list(words()))
        at.apply_action(words()[card])
        position = after(position, awaited.seat, moves.Play(card))
    assert list(position.table.scores) == [26 - each for each in at.returns()]


EXPANSIONS = {"mosquito": "M", "ladybug": "L", "pillbug": "P"}


@pytest.mark.parametrize("sets", ["", "M", "L", "P", "MLP"])
def test_openspiel_agrees_with_hive(sets):
    """OpenSpiel places pieces of a kind in any order, and looks for pins from the seventh ply on.

    The clauses 2.2 and 3.2 of Hive are the only ones that its moves break.
    """
    hive = pytest.importorskip("hive")
    chosen = {name: letter in sets for name, letter in EXPANSIONS.items()}
    parameters = {f"uses_{name}": used for name, used in chosen.items()}
    at = pyspiel.load_game("hive", parameters).new_initial_state()
    texts = {name: "yes" if used else "no" for name, used in chosen.items()}
    options = hive.GAME.read_options({**texts, "repetition": "draws"})
    position, rng = hive.GAME.start(options), Random(sets)
    for ply in range(60):
        if at.is_terminal():
            break
        seat, theirs = at.current_player() + 1, {}
        for action in at.legal_actions():
            words = at.action_to_string(action)
            move = hive.GAME.parse("pass" if words.lower() == "pass" else words.replace(" ", ">"))
            theirs[move.normal(position) if ply else move] = action
        ours = {*hive.GAME.legal(position, seat)}
        assert ours <= theirs.keys()
        broken = {move.check(position, seat).clause for move in theirs.keys() - ours}
        assert broken <= ({"HIV-2.2", "HIV-3.2"} if ply == 5 else {"HIV-2.2"})
        move = rng.choice(sorted(ours, key=hive.GAME.write))
        at.apply_action(theirs[move])
        position = after(position, seat, move)
    assert at.is_terminal() == (position.outcome() is not None)


def men(at, player):
    """Return the men of a player by point, as the player counts: 0 is off, 25 the bar."""
    tensor, found = at.observation_tensor(player), [0] * 26
    for number in range(24):
        one, two, three, more = tensor[4 * number : 4 * number + 4]
        count = 1 * one + 2 * two + 3 * three + (more and 3 + more)
        found[24 - number if player == 0 else number + 1] = int(count)
    found[25], found[0] = map(int, tensor[192:194])
    return tuple(found)


def turns_of_openspiel(at, player):
    """Return the men of both after each possible turn; a double is two turns there."""
    if at.is_terminal() or at.current_player() != player:
        return {(men(at, player), men(at, 1 - player))}
    return {
        end for action in at.legal_actions() for end in turns_of_openspiel(at.child(action), player)
    }


@pytest.mark.parametrize("seed", range(3))
def test_openspiel_agrees_with_backgammon(seed):
    """A run over 10,200 positions, 1,700 of them with doubles, found no difference."""
    board = pytest.importorskip("backgammon").board

    def turns(own, other, dice):
        steps = board.steps(own, other, dice).items()
        return {
            end
            for step, die in steps
            for end in turns(*board.move(own, other, step), board.without(dice, die))
        } or {(own, other)}

    rng, at, before = Random(seed), pyspiel.load_game("backgammon").new_initial_state(), None
    while not at.is_terminal():
        player = at.current_player()
        if player >= 0 and before != player:
            one, two = map(int, at.observation_tensor(0)[198:200])
            dice = (one, two) if one != two else (one,) * 4
            ours = turns(men(at, player), men(at, 1 - player), dice)
            assert ours == turns_of_openspiel(at, player)
        before = player
        at.apply_action(rng.choice(at.legal_actions()))
