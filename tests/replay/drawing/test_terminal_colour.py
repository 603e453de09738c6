"""The conditions for colours in a terminal."""

from __future__ import annotations

import io

import pytest

from replay.drawing.terminal_colour import wants_colour


class Screen(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "wanted"),
    [
        (Screen(), {"TERM": "xterm"}, True),
        (Screen(), {"TERM": "dumb"}, False),
        (Screen(), {"NO_COLOR": "1"}, False),
        (Screen(), {"NO_COLOR": ""}, True),
        (io.StringIO(), {"TERM": "xterm"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_depends_on_terminal_and_environment(stream, environment, wanted):
    assert wants_colour(stream, environment) is wanted
