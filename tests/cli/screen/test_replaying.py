"""`plybook replay` on a screen, at three sizes, by its keys and the mouse."""

from __future__ import annotations

import asyncio

import pytest

from cli.screen.frame import Moves
from cli.screen.line import Line
from cli.screen.playback import Playback, to_ply
from cli.screen.replaying import Replay
from replay.annotations.current import by_ply
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.referee import entering
from replay.referee.opening import open_match
from replay.registry import find
from tests.cli.screen.pilot import screen
from tests.waiting import PATIENCE

MOVES = "M@c1 S@c6 c1>L@c3 c6>M@c4 c3xc4"
SIZES = [(80, 24), (100, 30), (120, 40)]


@pytest.fixture
def record(book, opened):
    record = opened("poptrix", MOVES)
    annotate(book, record, 2, Wording("Far from home", ("!?",)), author="Jet")
    return record


@pytest.fixture
def replay(book, record):
    def at(ply: int = 0, *, may_write: bool = True) -> Replay:
        return Replay(to_ply(Playback(Line(book, record)), ply), may_write=may_write)

    return at


@pytest.mark.parametrize("size", SIZES)
def test_screen_shows_board_comment_and_players(replay, size):
    shown = screen(replay(2), [], size)
    lines = shown.splitlines()
    assert len(lines) == size[1]
    assert all(len(line) <= size[0] for line in lines)
    assert lines[0].split() == [
        "Poptrix", "▸■", "Jet", "1", "▲", "■", "Red", "1", "▲", "Jet", "is", "to", "launch"
    ]  # fmt: skip
    assert "▟1▙" in shown or "▟█1█▙" in shown
    assert "“Far from home” Jet" in shown
    assert lines[-1].startswith(" ←→ step  space play")


def test_moves_are_beside_the_board_from_100_columns(replay):
    assert "moves  2/5" in screen(replay(2), [], (100, 30))
    assert "S@c6!?…" in screen(replay(0), [], (100, 30))
    assert "moves" not in screen(replay(2), [], (99, 30))


def test_result_is_in_the_frame(book, demo):
    record = demo("poptrix")
    shown = screen(Replay(Playback(Line(book, record)), may_write=True), ["end"])
    assert "Left won (POP-6.3)" in shown


def test_keys_step_search_and_jump(replay):
    assert "@2 " in screen(replay(0), ["right", "right"])
    assert "@5 " in screen(replay(0), ["slash", "'xc4", "enter"])
    assert "@3 " in screen(replay(0), ["colon", "'3", "enter"])
    assert "'x' is not a ply; use a number" in screen(replay(0), ["colon", "'x", "enter"])
    assert "@0 " in screen(replay(0), ["slash", "'xc4", "escape"])


def test_turn_row_shows_only_its_own_sentences(book, demo):
    line = Line(book, demo("pyramid-ball"))
    ply = next(ply for ply in range(line.last) if len(line.frames(ply)) == 4)
    app = Replay(to_ply(Playback(line), ply - 1), may_write=True)
    shown = screen(app, ["right", "right"])
    assert "row 2" in shown
    assert "row 1" not in shown
    assert "has programmed" not in shown


def test_annotation_is_stored(book, record, replay):
    shown = screen(replay(5), ["a", "'?! too hasty", "enter"])
    assert "“too hasty” scorekeeper" in shown
    said = [remark.said.words() for remark in by_ply(book, record)[5] if remark.said]
    assert said == ["too hasty", "?!  dubious move"]


def test_refused_annotation_gives_the_reason(book, record, replay):
    shown = screen(replay(2), ["a", "'!!", "enter"])
    assert "the move has a glyph already" in shown
    assert len(by_ply(book, record)[2]) == 2


def test_fork_and_variation_are_entered_and_left(book, record, replay):
    screen(replay(2), ["x"])
    [variation] = [book.read(stream) for stream in book.store.forks(record.stream.id)]
    entering.play(book, variation, ["c1>L@d1"])
    inside = screen(replay(2), ["v"])
    assert f"{variation.id}@3" in inside
    assert "c1>L@d1" in inside
    assert f"{record.id}@2" in screen(replay(2), ["v", "right", "v"])
    assert "⑂" in screen(replay(2), [])


def test_book_that_is_read_only_offers_no_writing(book, record, replay):
    shown = screen(replay(2, may_write=False), ["x", "a"], (120, 40))
    assert "a annotate" not in shown
    assert book.store.forks(record.stream.id) == []


def test_click_on_a_move_shows_its_position(replay):
    app = replay(5)

    async def click() -> int:
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            span = app.query_one(Moves).listed.spans[1]
            await pilot.click("#list", offset=(span.start, span.line))
            await pilot.pause()
            return app.playback.ply

    assert asyncio.run(click()) == 2


def test_resizing_redraws_the_board(replay):
    app = replay(5)

    async def resize() -> tuple[str, str]:
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            large = str(app.query_one("#board").visual)
            await pilot.resize_terminal(80, 24)
            await pilot.pause(0.2)
            return large, str(app.query_one("#board").visual)

    large, small = asyncio.run(resize())
    assert large.count("\n") > small.count("\n") > 6


def test_playing_advances_by_itself(book, record):
    app = Replay(Playback(Line(book, record), speed=64, running=True), may_write=True)

    async def wait() -> int:
        async with app.run_test(size=(100, 30)) as pilot:
            while app.playback.running:
                await pilot.pause(0.02)
            return app.playback.ply

    assert asyncio.run(asyncio.wait_for(wait(), PATIENCE)) == 5


def test_sealed_moves_stay_hidden(book):
    record = open_match(book, find("pyramid-ball"), players={})
    record = entering.play(book, record, ["1:S=FFL,M=...,L=F.."])
    shown = screen(Replay(Playback(Line(book, record)), may_write=True), ["right"], (120, 40))
    assert "(sealed)" in shown
    assert "FFL" not in shown
    assert "x fork" not in shown


def test_without_colour_signs_replace_backgrounds(replay, monkeypatch):
    assert "│>" not in screen(replay(3), [])
    monkeypatch.setenv("NO_COLOR", "1")
    assert "│>" in screen(replay(3), [])


def test_control_c_clears_the_note_closes_the_prompt_and_then_leaves(replay):
    cleared = screen(replay(2), ["a", "'lost words", "ctrl+c", "'!"])
    assert "annotate !" in " ".join(cleared.split())
    closed = replay(2)
    assert "annotate x" not in screen(closed, ["a", "'x", "ctrl+c", "ctrl+c"]).splitlines()[-2]
    assert not closed._exit
    screen(left := replay(2), ["a", "'x", "ctrl+c", "ctrl+c", "ctrl+c"])
    assert left._exit


def test_players_of_a_game_without_trays_are_named(book, opened):
    record = opened("free-board")
    record.game.scene(record.state.position.view(None))
    seen = screen(Replay(Playback(Line(book, record)), may_write=True), [], (120, 40))
    head, *rest = seen.splitlines()
    assert ("Jet" in head, "Red" in head) == (True, True)
    assert sum("Jet" in line for line in rest) >= 1
