"""`plybook record` on a screen: the prompt, refusals, completion, secrets, leaving."""

from __future__ import annotations

import asyncio

import pytest

from cli.recording_session import Session
from cli.screen.recording import Prompt, Record
from tests.cli.screen.pilot import screen, text_of

SIZES = [(80, 24), (100, 30), (120, 40)]


@pytest.fixture
def recording(book, opened):
    def at(slug: str, moves: str = "", **more: object) -> Record:
        return Record(Session(book, opened(slug, moves, **more)))

    return at


@pytest.mark.parametrize("size", SIZES)
def test_moves_are_entered_at_the_prompt(recording, size):
    app = recording("poptrix")
    shown = screen(app, ["'m@c1", "enter", "'s@c6!?", "enter"], size)
    assert app.session.record.ply() == 2
    assert " Jet ▸" in shown
    assert "2. Red: S@c6" in shown
    assert "!?" in shown


@pytest.mark.parametrize("size", SIZES)
def test_refusal_is_in_a_box_with_its_clause(recording, size):
    shown = screen(recording("poptrix", "M@c1 S@c6 c1>L@c3"), ["'c6>s@c5", "enter"], size)
    assert "─ refused ─" in shown
    assert "the small on c6 cannot launch another small" in shown
    assert "POP-3.2" in shown
    assert " Red ▸" in shown


def test_tab_completes_and_lists(recording):
    app = recording("poptrix", "M@c1 S@c6")
    shown = screen(app, ["'c1>S@c", "tab"])
    assert "c1>S@c2  c1>S@c3" in shown
    assert app.query(Prompt) is not None


def test_tab_completes_a_single_continuation(recording):
    app = recording("poptrix", "M@c1 S@c6")

    async def complete() -> str:
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("t", "a", "k", "tab")
            return app.query_one(Prompt).value

    assert asyncio.run(complete()) == "takeback"


def test_secret_is_neither_shown_nor_repeated(recording):
    app = recording("pyramid-ball")
    typing = screen(app, ["'1:", "enter", "'S=FFZ"], (120, 40))
    assert "Jet, unseen ▸ •••••" in typing
    assert "letters: F forward" in typing
    refused = screen(recording("pyramid-ball"), ["'1:", "enter", "'S=FFZ", "enter"])
    assert "FFZ" not in refused
    assert "not a valid move of Pyramid Ball" in refused.replace("\n", " ")


def test_ctrl_c_clears_the_line_then_leaves(recording):
    app = recording("poptrix")

    async def interrupt() -> tuple[str, bool, bool]:
        async with app.run_test() as pilot:
            await pilot.press("x", "ctrl+c")
            await pilot.pause()
            value, before = app.query_one(Prompt).value, app.is_running
            await pilot.press("ctrl+c")
            await pilot.pause()
            return value, before, app._exit

    assert asyncio.run(interrupt()) == ("", True, True)


def test_earlier_positions_can_be_looked_at(recording):
    app = recording("poptrix", "M@c1 S@c6")
    assert "@1 " in screen(app, ["pageup"])
    again = recording("poptrix", "M@c1 S@c6")
    assert "@3 " in screen(again, ["pageup", "'c1>L@c3", "enter"])


def test_correction_reports_what_it_changed(recording):
    app = recording("poptrix", "M@c1 S@c6 c1>L@c3")
    assert "ply 3: c1>L@c2 instead of c1>L@c3" in screen(app, ["'amend 3 c1>L@c2", "enter"])
    assert "taken back: 3. Jet: c1>L@c2" in screen(
        recording("poptrix", "M@c1 S@c6 c1>L@c2"), ["'takeback", "enter"]
    )


def test_prompt_of_unjudged_match_names_no_player(recording):
    shown = screen(recording("poptrix", unjudged=True), ["'M@c1", "enter", "'c1xe6", "enter"])
    assert " move 3 ▸" in shown
    assert "refused" not in shown


def test_help_lists_the_commands(recording):
    shown = screen(recording("poptrix"), ["'help", "enter"], (120, 40))
    assert "amend @3 MOVE" in shown
    assert "first placement M@c1" in shown
    app = recording("poptrix")

    async def close() -> str:
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("h", "e", "l", "p", "enter")
            await pilot.pause()
            await pilot.press("escape")
            await pilot.pause()
            return text_of(app)

    assert "amend PLY MOVE" not in asyncio.run(close())
