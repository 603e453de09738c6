"""Scenes as pictures: `svg` for files, `board_buttons` for pages, `text` for the terminal.

Drawing depends on `domain.scene` and on no game. It is pure: equal scenes give equal pictures. The
meaning of a colour is also shown by a letter, a number of pips, a size or an outline.
"""
