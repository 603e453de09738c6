"""What pages and commands say about a game."""
