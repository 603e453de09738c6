"""How a move is written and entered: tokens, their beginnings, taps, and what could follow."""
