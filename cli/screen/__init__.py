"""The full-screen program of `plybook replay` and `plybook record`.

`board`, `panes` and `playback` are pure: they choose the text to show and the keys that work. Only
`frame`, `replaying` and `recording` know Textual.
"""
