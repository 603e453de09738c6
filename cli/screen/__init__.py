"""The full-screen program of `plybook replay` and `plybook record`.

`board`, `panes` and `playback` are pure: they say what is shown and which keys do something. Only
`frame`, `replaying` and `recording` know Textual.
"""
