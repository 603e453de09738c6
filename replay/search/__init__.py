"""A player that searches: Monte Carlo tree search over the moves of any game."""
