"""What a game and a match are: pure reducers over immutable events.

No I/O, no clock, no randomness, no mutation. `game` holds the protocol, `games` the games,
`match` the log and the line, `tokens` the notation of a record, `entry`
and `picking` a move entered step by step, `scene` the drawing as data.
"""
