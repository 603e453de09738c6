"""Scenes as pictures: `svg` for files, `live` for pages to tap, `text` for the terminal.

All know the vocabulary of `domain.scene` and no game. Drawing is pure: equal scenes give equal
pictures. What a colour says is also said by a letter, a number of pips, a size or an outline.
"""
