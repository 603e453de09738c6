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
RANKS: Final = "json_each(CAST(m.standing AS TEXT), '$.outcome.ranks')"
PLACES: Final = f"""
    CREATE VIEW places AS  -- what a result means for seats 1 to 9, and their places if known
    SELECT m.stream, n.value AS seat, CASE m.result WHEN '*' THEN 'unfinished' WHEN '=' THEN 'drawn'
            ELSE iif(instr(',' || substr(m.result, 2) || ',', ',' || n.value || ','), 'won', 'lost')
            END AS result,
        iif(instr(m.standing, CAST('"ranks"' AS BLOB)), (
            SELECT 1 + ifnull(sum(json_array_length(better.value)), 0) FROM {RANKS} AS own
            JOIN json_each(own.value) AS one ON one.value = n.value
            LEFT JOIN {RANKS} AS better ON better.key < own.key
            HAVING count(*) > 0), NULL) AS place
    FROM summaries AS m CROSS JOIN json_each('[1,2,3,4,5,6,7,8,9]') AS n
"""
MATCHES: Final = f"""
    CREATE VIEW matches AS
    SELECT s.public_id AS "match", m.game, json_extract(s.header, '$.rules') AS rules,
        (SELECT value FROM facts WHERE stream = s.id AND name = 'Date') AS date,
        datetime(json_extract(s.header, '$.created') / 1000, 'unixepoch') AS opened,
        datetime(m.last / 1000, 'unixepoch') AS last,
        (SELECT group_concat(value, ' - ') FROM (SELECT value FROM facts
            WHERE stream = s.id AND name GLOB 'Seat[1-9]' ORDER BY name)) AS players,
        m.result, (SELECT group_concat(value, ' - ') FROM (SELECT f.value FROM places AS p
            JOIN facts AS f ON f.stream = p.stream AND f.name = 'Seat' || p.seat
            WHERE p.stream = s.id AND p.result = 'won' ORDER BY p.seat)) AS winner,
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
    SELECT s.public_id AS "match", m.game, p.seat,
        (SELECT value FROM facts WHERE stream = s.id AND name = 'Seat' || p.seat) AS player,
        p.result, p.place
    FROM streams AS s JOIN summaries AS m ON m.stream = s.id
    JOIN places AS p ON p.stream = s.id AND p.seat <= json_extract(s.header, '$.seats')
    WHERE {VISIBLE}
"""
ANEW: Final = (
    "DROP VIEW IF EXISTS places",
    PLACES,
    "DROP VIEW matches",
    MATCHES,
    "DROP VIEW players",
    PLAYERS,
)
"""The views of results, in a book that may have older ones."""

FOR_PEOPLE: Final = (
    WRITTEN,
    "DELETE FROM steps",  # all matches are to be indexed again, with their written moves
    "DELETE FROM indexed",
    PLACES,
    MATCHES,
    MOVES,
    PLAYERS,
)
