"""The entry of moves: tokens, prefixes, taps, and completion."""
