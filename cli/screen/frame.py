"""The frame of the program: a head line, the board, sentences, the moves, and a foot line."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message
from textual.screen import ModalScreen
from textual.theme import Theme
from textual.widgets import Input, Static

from cli.screen import panes
from cli.screen.board import draw_boards
from cli.screen.palette import ACCENT, CARD, INK, LINE, PAPER, REFUSED
from cli.screen.playback import Playback

WIDE: Final = 100
"""The width in columns from which the moves are at the side of the board."""
TALL: Final = 28
"""The lines from which there is more room for sentences."""

THEME: Final = Theme(
    "plybook", primary=ACCENT, foreground=INK, background=PAPER, surface=CARD, panel=CARD,
    error=REFUSED,
)  # fmt: skip


class Board(Static):
    """The boards of the current picture, as large as the pane."""

    class Rolled(Message):
        """The wheel was turned: 1 forward, -1 back."""

        def __init__(self, way: int) -> None:
            super().__init__()
            self.way = way

    class Resized(Message):
        """The size of the pane has changed."""

    def on_resize(self) -> None:
        """A message: the board can be larger, or must be smaller."""
        self.post_message(self.Resized())

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Go forward in the match when the wheel turns."""
        event.stop()
        self.post_message(self.Rolled(1))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Go back in the match when the wheel turns."""
        event.stop()
        self.post_message(self.Rolled(-1))


class Moves(VerticalScroll):
    """The list of moves; a click goes to one."""

    class Picked(Message):
        """A move was clicked."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    listed = panes.MoveList(Text(), ())

    def compose(self) -> ComposeResult:
        """Compose the pane of moves: it holds a list."""
        yield Static(id="list")

    def show(self, listed: panes.MoveList, ply: int) -> None:
        """Show a list with a move in its middle."""
        self.listed = listed
        self.query_one("#list", Static).update(listed.text)
        middle = listed.line_of(ply) - self.size.height // 2
        self.call_after_refresh(self.scroll_to, y=max(0, middle), animate=False)

    def on_click(self, event: Click) -> None:
        """A message: a move was clicked."""
        place = event.get_content_offset(self.query_one("#list"))
        ply = self.listed.ply_at(place.y, place.x) if place else None
        if ply is not None:
            self.post_message(self.Picked(ply))


class Help(ModalScreen[None]):
    """All keys, or all commands."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter", "dismiss")]

    def __init__(self, words: Text) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        """Compose the box with the help of the screen."""
        with VerticalScroll(id="help"):
            yield Static(self.words)

    def on_mount(self) -> None:
        """Give the help's box a title."""
        box = self.query_one("#help")
        box.border_title, box.border_subtitle = "help", "Esc closes"


class Frame(App[None]):
    """A picture of a match, with everything around it."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012  # as in App
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", show=False),
    ]
    CSS = f"""
    #head, #foot {{ height: 1; background: {CARD}; }}
    #main {{ width: 1fr; }}
    #board {{ height: 1fr; content-align: center middle; }}
    #told, #moves, #trays, #help {{
        border: round {LINE}; border-title-color: {ACCENT}; padding: 0 1;
        scrollbar-size-vertical: 1;
    }}
    #told {{ height: 8; }}
    .-short #told {{ height: 7; }}
    #side {{ width: 40; }}
    .-narrow #side {{ display: none; }}
    #moves {{ height: 1fr; }}
    #trays {{ height: auto; max-height: 60%; }}
    #entry {{ height: 1; background: {CARD}; }}
    #asked {{ width: auto; padding: 0 1; color: {ACCENT}; text-style: bold; }}
    #prompt {{ width: 1fr; height: 1; border: none; padding: 0; background: {CARD}; }}
    Help {{ align: center middle; }}
    #help {{ width: 90%; max-width: 96; height: auto; max-height: 90%; background: {CARD}; }}
    """

    def __init__(self, playback: Playback) -> None:
        super().__init__()
        self.playback = playback
        self.register_theme(THEME)
        self.theme = THEME.name

    def compose(self) -> ComposeResult:
        """Lay out the panes of the screen."""
        yield Static(id="head")
        with Horizontal():
            with Vertical(id="main"):
                yield Board(id="board")
                with VerticalScroll(id="told", can_focus=False):
                    yield Static(id="words")
                with Horizontal(id="entry"):
                    yield Static(id="asked")
                    yield self.make_prompt()
            with Vertical(id="side"):
                yield Moves(id="moves", can_focus=False)
                yield Static(id="trays")
        yield Static(id="foot")

    def make_prompt(self) -> Input:
        """Return the line on which a person types."""
        return Input(id="prompt", compact=True)

    def on_mount(self) -> None:
        """Title the panes, let clocks run, and draw again after Ctrl-Z and `fg`."""
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.query_one("#trays").border_title = "players"
        if self.playback.line.record.header.clock is not None:
            self.set_interval(1, self.draw_head)

    def on_board_resized(self) -> None:
        """Redraw everything in the new size."""
        self.draw()

    def show(self, playback: Playback) -> None:
        """Show another picture on the screen."""
        self.playback = playback
        self.draw()

    def draw(self) -> None:
        """Draw every pane of the screen."""
        now, line = self.playback, self.playback.line
        self.draw_head()
        board = self.query_one("#board", Board)
        colour = not self.no_color and self.console.color_system != "standard"
        width, height = board.size
        board.update(draw_boards(now.scene, width, height, colour=colour))
        moves = self.query_one(Moves)
        moves.show(panes.move_list(line, now.ply, moves.size.width - 2), now.ply)
        moves.border_title = f"moves  {now.ply}/{line.last}"
        self.query_one("#trays", Static).update(panes.trays(panes.seated(line, now.ply)))
        told = self.query_one("#told")
        told.border_title = f"{line.record.id}@{now.ply}"
        self.query_one("#words", Static).update(self.words())
        self.query_one("#foot", Static).update(self.foot(self.size.width))

    def draw_head(self) -> None:
        """Draw the head line of the screen."""
        head = panes.head(self.playback.line, self.playback.ply, self.size.width)
        self.query_one("#head", Static).update(head)

    def words(self) -> Text:
        """Return the sentences below the board."""
        said = panes.told(self.playback)
        if self.size.width >= WIDE:
            return said
        scene = panes.seated(self.playback.line, self.playback.ply)
        return Text("\n").join([said, panes.trays(scene)])

    def foot(self, columns: int) -> Text:
        """Return the foot line of the screen."""
        raise NotImplementedError
