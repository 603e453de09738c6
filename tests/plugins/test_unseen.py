"""Hands that nobody typed: what is refused, what is taken, and what is proven later."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from domain.entry import move_text
from domain.entry.taps import program_letters
from domain.match import open_match
from domain.unseen import PACK, Revoked
from replay import registry, rules_text
from tests.case_table import cases
from tests.paths import ROOT
from tests.plugins.playing import play
from tests.plugins.random_deals import (
    GAMES,
    Fallen,
    Figures,
    Oracle,
    as_fallen,
    deal,
    referee,
)

SAMPLE = ROOT / "fixtures" / "judged-deals.txt"


@pytest.fixture(params=["whist", "hearts"])
def game(request, site):
    return registry.find(request.param)


def opened(game):
    return open_match(game, game.read_options({"hands": "unseen"})).state


def played(game, texts):
    """Return the state and the effects after tokens, or the refusal of the last one."""
    return play(opened(game), texts)


def told(effects):
    """Return what was proven: seat, trick, trick of the proof, clause, and a question mark."""
    return " ".join(
        f"{one.seat}/{one.trick}/{one.proven}/{one.clause}{'' if one.certain else '?'}"
        for one in effects
        if isinstance(one, Revoked)
    )


@cases(
    "slug moves clause",
    """
whist | 2H 3H 4H 2H | WHI-3.1
whist | 3:2H | turn
whist | 1:hand=2H5HTHKH3C9CQC4D6DAD7S8SJS | turn
hearts | 2C | turn
hearts | 1:2C 2:3C 1:4C | turn
hearts | 1:2C 2:lead=3C | turn
hearts | 1:2C 2:3C 3:2C | HRT-4.1
hearts | 1:pass=QSKSAS | turn
""",
)
def test_refusals(site, slug, moves, clause):
    found = registry.find(slug)
    refused, _ = played(found, moves.split())
    assert refused.clause == clause
    assert clause == "turn" or clause in rules_text.clauses(found)


@cases(
    "slug moves proven",
    """
whist | 2H 3H 4H 2C                         |
whist | 2H 3H 4H 2C 5H 6H                   | 4/1/2/WHI-3.2
whist | 2H 3H 4H 2C 5H 3C 7H 8H 9H TH JH    | 4/1/3/WHI-3.2 4/2/3/WHI-3.2
whist | 2C 2D 3D 4D                         |
whist | 2C 2D 3D 4D 5D                      | 2/1/2/WHI-3.2? 3/1/2/WHI-3.2? 4/1/2/WHI-3.2?
whist | 2C 2D 3D 4D 5D 6D 7D 3C             | 2/1/2/WHI-3.2? 3/1/2/WHI-3.2? 4/1/2/WHI-3.2?
  4/1/2/WHI-3.2
whist | 2C 2D 3D 4D 5D 6D 7D 3C 8D 9S TD 5C | 2/1/2/WHI-3.2? 3/1/2/WHI-3.2? 4/1/2/WHI-3.2?
  4/1/2/WHI-3.2 2/1/3/WHI-3.2
hearts | 1:2C                               |
hearts | 1:3C                               | 1/1/1/HRT-4.2
hearts | 1:2C QS 3C 4C 5D 6D 5C             | 2/1/2/HRT-4.3
hearts | 1:2C QS 3C 4C 5D 6D 7D             | 2/1/2/HRT-4.5
hearts | 1:2C 3C 4C 5C 2H 3H                |
hearts | 1:2C 3C 4C 5C 2H 3H 4H             | 4/2/2/HRT-4.4
""",
)
def test_broken_rule_is_proven_by_the_card_that_contradicts_it(site, slug, moves, proven):
    found = registry.find(slug)
    _, effects = played(found, moves.split())
    assert told(effects) == " ".join(proven.split())
    clauses = rules_text.clauses(found)
    assert all(one.clause in clauses for one in effects if isinstance(one, Revoked))


def test_sentences_name_what_is_proven_and_what_is_possible(site):
    _, effects = played(registry.find("whist"), ["2C", "2D", "3D", "4D", "5D", "6D", "7D", "3C"])
    words = [one.words() for one in effects if isinstance(one, Revoked)]
    assert words[0] == "no deal fits trick 2: perhaps seat 2 broke WHI-3.2 in trick 1"
    assert words[-1] == "seat 4 broke WHI-3.2 in trick 1, as trick 2 proves"


@pytest.mark.parametrize("slug", GAMES)
def test_each_broken_rule_is_told_at_the_first_card_at_which_no_deal_fits(site, slug):
    game, figures = registry.find(slug), Figures()
    for seed in range(60):
        figures = figures.after(game, seed)
    assert figures.broken > 50
    assert figures.told == figures.broken
    assert figures.doubted
    assert not figures.false


def test_solver_agrees_on_the_first_card_and_on_who_may_have_broken_a_rule(game):
    """`python -m tests.plugins.z3_deals` wrote the sample."""
    judged = [line.split() for line in SAMPLE.read_text().splitlines()]
    own = [each for each in judged if each[0] == game.slug]
    assert len(own) == 300
    assert sum(each[3] != "-" for each in own) > 250
    for _, leads, fell, first, seats in own:
        cards = [*as_fallen(game.slug, int(leads), re.findall("..", fell))]
        assert str(referee(game, cards).first) == first.replace("-", "None")
        if first != "-":
            found = referee(game, cards[: int(first) + 1])
            named = {seat for seat, *_ in (*found.certain, *found.doubted)}
            assert named == {*map(int, seats)}, fell


@pytest.mark.parametrize("seed", range(2))
def test_legal_cards_are_those_with_which_a_deal_fits(game, seed):
    oracle, state = Oracle(game.slug), opened(game)
    for one in deal(game.slug, Random(seed)):
        fitting = set()
        for card in {*PACK} - {fallen.card for fallen in oracle.fallen}:
            tried = Oracle(game.slug)
            for each in (*oracle.fallen, Fallen(one.seat, card, ())):
                tried.add(each)
            fitting |= {card} if tried.fits() else set()
        assert {move.card for move in game.legal(state.position, one.seat)} == fitting
        event = move_text.read(game, state, f"{one.seat}:{one.card}")
        state, effects = event.evolve(state)
        oracle.add(one)
        if told(effects):
            return


def test_hand_of_another_number_of_cards_breaks_the_clause_of_hands(game):
    clause = {"whist": "WHI-2.1", "hearts": "HRT-2.1"}[game.slug]
    hand = "2H5HTHKH3C9CQC4D6DAD7S8SJS"
    state = open_match(game).state
    for cards, number in ((hand[:-2], "12 cards"), (hand + "2C", "14 cards"), ("", "0 cards")):
        refused = move_text.read(game, state, f"1:hand={cards}")
        assert (refused.clause, number in refused.message) == (clause, True)
    assert move_text.read(game, state, f"1:hand={hand[:-1]}").clause == "form"


def test_seats_that_are_not_awaited_have_no_pad(game):
    """`plybook record` asks for the pads of all seats."""
    state, _ = played(game, ["1:2C"])
    assert [bool(game.controls(state, seat).cards) for seat in (1, 2, 3, 4)] == [0, 1, 0, 0]
    assert program_letters(state) == ()


def test_knowledge_is_of_the_table_alone(game):
    state = opened(game)
    for one in deal(game.slug, Random(1)):
        event = move_text.read(game, state, f"{one.seat}:{one.card}")
        state, _ = event.evolve(state)
        assert state.position.sealed == state.position.guarded == ()
        assert {state.position.view(seat) for seat in (None, 1, 2, 3, 4)} == {state.position.table}


def test_amended_card_changes_what_later_cards_prove(site, plybook, monkeypatch):
    opened = plybook("new", "whist", "--option", "hands=unseen")
    assert "hands" not in opened.err
    match = opened.out.strip()
    plybook("play", match, "2H", "3H", "4H", "2C", "5H", "6H")
    assert "seat 4 broke WHI-3.2 in trick 1, as trick 2 proves" in plybook("log", match).out
    fork = plybook("fork", f"{match}@4").out.strip()
    assert plybook("play", fork, "5h", "10 C").code == 0
    assert plybook("amend", f"{match}@4", "7H").code == 0
    assert "broke" not in plybook("log", match).out
    assert plybook("verify").out.count("verified") == 2


def test_new_names_the_option_that_forms_offer_first(site, plybook):
    opened = plybook("new", "whist")
    assert "--option hands=unseen" in opened.err
    assert len(opened.out.strip()) == 12


def test_complete_trick_lies_on_the_table_with_its_winner_until_the_next_lead(game):
    trick = ["1:2C", "2:3C", "3:4C", "4:5C"]
    for texts, cards in ((trick, 4), ([*trick, "4:2D"], 1)):
        state, effects = played(game, texts)
        scene = game.scene(state.position.view(None), effects)
        row = scene.panels[0]
        assert len(row.pieces) == cards
        assert ("takes it" in row.title) == (cards == 4)
        lines = [tray.lines[0] for tray in scene.trays]
        assert game.slug == "hearts" or lines == ["0 tricks", "1 trick"] * 2


def test_complete_trick_is_drawn_in_the_terminal_too(site, plybook):
    match = plybook("new", "whist", "--option", "hands=unseen").out.strip()
    plybook("play", match, "2H", "3H", "AH", "4H")
    assert "Seat 3 takes it" in plybook("show", match).out
    plybook("play", match, "2C")
    assert "takes it" not in plybook("show", match).out


def test_statistics_count_matches_with_unseen_hands(site, plybook):
    match = plybook("new", "whist", "--option", "hands=unseen").out.strip()
    played = [f"{one.seat}:{one.card}" for one in deal("whist", Random(3))]
    assert plybook("play", match, *played).code == 0
    told = json.loads(plybook("stats", "whist", "--json").out)
    assert (told["matches"], told["finished"]) == (1, 1)


@cases(
    "slug text clause words",
    """
whist  | 3:2C             | WHI-3.1 | fell in trick 1
whist  | 3:2S 4:3S 1:4S 2:5S 3:1C | form | not a move of Whist
whist  | 3:stood=3C       | form    | breaks no rule
whist  | 4:3C             | turn    | seat 3 is to play
whist  | 3:hand=2C3C      | WHI-2.1 | 2 cards
hearts | 3:2C             | HRT-4.1 | fell in trick 1
hearts | 3:stood=3C       | form    | breaks no rule
hearts | 3:pass=3C4C5C    | turn    | before the first trick
""",
)
def test_terminal_and_text_records_refuse_what_cannot_be(
    site, plybook, tmp_path, slug, text, clause, words
):
    lead = {"whist": "1:2C", "hearts": "1:lead=2C"}[slug]
    match = plybook("new", slug, "--option", "hands=unseen").out.strip()
    assert plybook("play", match, lead, "2:2D").code == 0
    refused = plybook("play", match, *text.split())
    assert refused.code
    assert words in refused.err, refused.err
    assert (clause in refused.err) == (clause not in ("form", "turn"))
    record = tmp_path / "bad.ply"
    ply = plybook("export", match).out
    assert plybook("log", match).out.count("plays") == 2
    record.write_text(ply.replace("2D", f"2D {text}"))
    checked = plybook("check", str(record))
    assert checked.code
    assert words in checked.out + checked.err
