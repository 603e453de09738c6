"""The entry of moves: texts, prefixes, taps, and completion."""
