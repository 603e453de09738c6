"""Views for people who query the file itself: matches, their moves and their players.

They show matches, no variations, and nothing in the trash; and no token that only its seat may see.
"""

from __future__ import annotations

from typing import Final

VISIBLE: Final = """
        s.kind = 'match' AND m.kind = 'match' AND NOT s.trashed
        AND substr(s.public_id, 1, 1) <> '~'
""".strip()
WRITTEN: Final = """
    CREATE TABLE written (  -- derived: the moves of lines as people write them
        stream  INTEGER NOT NULL REFERENCES streams(id),
        ply     INTEGER NOT NULL,
        version INTEGER NOT NULL,
        turn    INTEGER NOT NULL,
        seat    INTEGER NOT NULL,
        token   TEXT,            -- NULL while only its seat may see it
        clause  TEXT NOT NULL,   -- the rule that a move broke which stood
        PRIMARY KEY (stream, ply)
    ) STRICT, WITHOUT ROWID
"""
MATCHES: Final = f"""
    CREATE VIEW matches AS
    SELECT s.public_id AS "match", m.game, json_extract(s.header, '$.rules') AS rules,
        (SELECT value FROM facts WHERE stream = s.id AND name = 'Date') AS date,
        datetime(json_extract(s.header, '$.created') / 1000, 'unixepoch') AS opened,
        datetime(m.last / 1000, 'unixepoch') AS last,
        (SELECT group_concat(value, ' - ') FROM (SELECT value FROM facts
            WHERE stream = s.id AND name GLOB 'Seat[1-9]' ORDER BY name)) AS players,
        m.result, (SELECT group_concat(value, ' - ') FROM (SELECT value FROM facts
            WHERE stream = s.id AND name GLOB 'Seat[1-9]' AND m.result GLOB '+*'
            AND instr(m.result, substr(name, 5)) ORDER BY name)) AS winner,
        m.clause AS ended_by, m.plies, m.turns,
        ifnull(json_array_length(CAST(m.standing AS TEXT), '$.stood'), 0) AS stood,
        ifnull((SELECT head = s.head FROM indexed WHERE stream = s.id), 0) AS indexed
    FROM streams AS s JOIN summaries AS m ON m.stream = s.id
    WHERE {VISIBLE}
"""
MOVES: Final = f"""
    CREATE VIEW moves AS
    SELECT s.public_id AS "match", m.game, w.ply, w.turn, w.seat,
        (SELECT value FROM facts WHERE stream = s.id AND name = 'Seat' || w.seat) AS player,
        w.token, nullif(w.clause, '') AS stood_against,
        datetime(e.at / 1000, 'unixepoch') AS at
    FROM streams AS s CROSS JOIN summaries AS m ON m.stream = s.id
    CROSS JOIN written AS w ON w.stream = s.id
    CROSS JOIN segments AS g ON g.stream = s.id AND w.version BETWEEN g.lo AND g.hi
    CROSS JOIN events AS e ON e.stream = g.src AND e.version = w.version
    WHERE {VISIBLE}
"""
PLAYERS: Final = f"""
    CREATE VIEW players AS
    WITH RECURSIVE seats(seat) AS (SELECT 1 UNION ALL SELECT seat + 1 FROM seats WHERE seat < 9)
    SELECT s.public_id AS "match", m.game, seat,
        (SELECT value FROM facts WHERE stream = s.id AND name = 'Seat' || seat) AS player,
        CASE m.result WHEN '*' THEN 'unfinished' WHEN '=' THEN 'drawn'
            ELSE iif(instr(m.result, seat), 'won', 'lost') END AS result
    FROM streams AS s JOIN summaries AS m ON m.stream = s.id
    JOIN seats ON seat <= json_extract(s.header, '$.seats')
    WHERE {VISIBLE}
"""
WITH_TEAMS: Final = ("DROP VIEW matches", MATCHES, "DROP VIEW players", PLAYERS)
"""Views in which several players win together: `+1,3`."""

FOR_PEOPLE: Final = (
    WRITTEN,
    "DELETE FROM steps",  # all matches are to be indexed again, with their written moves
    "DELETE FROM indexed",
    MATCHES,
    MOVES,
    PLAYERS,
)
