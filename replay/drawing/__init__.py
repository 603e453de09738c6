"""Scenes as pictures: `svg` for files, `board_buttons` for pages, `text` for the terminal.

Drawing depends on `domain.scene` and on no game. It is pure: equal scenes give equal pictures.
Whatever a colour expresses is also expressed by a letter, a number of pips, a size or an outline.
"""
