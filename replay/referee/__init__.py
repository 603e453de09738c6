"""The referee at work: open a match, enter events, dice, clock, sealed moves, refusals."""
