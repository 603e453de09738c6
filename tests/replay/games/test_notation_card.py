"""The notation card of a game: every kind of move, as the demonstration match writes it."""

from __future__ import annotations

import pytest

from domain.entry import move_text
from replay import registry
from replay.games.notation_card import make_card, write_html, write_text

GAMES = registry.games()


@pytest.mark.parametrize("slug", GAMES)
def test_card_has_every_kind_of_move(slug):
    game = GAMES[slug]
    card = make_card(game)
    assert [move.what for move in card.moves] == [kind.what for kind in game.moves]
    assert any(move.words for move in card.moves) or slug == "free-board"
    for move, kind in zip(card.moves, game.moves, strict=True):
        assert isinstance(game.parse(move_text.split(move.text).body), kind)


@pytest.mark.parametrize("slug", GAMES)
def test_card_is_text_and_a_page(slug):
    card, page = make_card(GAMES[slug]), write_html(GAMES[slug])
    text = write_text(card)
    assert max(map(len, text.splitlines())) <= 90
    for move in card.moves:
        assert f"  {move.text}  " in text
        assert f"<b>{move.what}</b>" in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_card_is_about_the_default_options():
    card = make_card(GAMES["free-board"])
    assert card.moves[0].text == "w@c3"
    assert card.pieces == {"do": "dark disc", "lo": "light disc"}


def test_card_explains_letters_pieces_and_signs():
    card = make_card(GAMES["pyramid-ball"])
    assert card.letters["F"] == "forward"
    assert card.pieces["L2"] == "large of seat 2"
    assert "! halted" in card.signs
    assert not make_card(GAMES["poptrix"]).letters
