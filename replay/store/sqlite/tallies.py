"""Tables and triggers that keep the statistics up to date, whichever program has the file open.

`counted` has the values by which each match was counted, so a change subtracts these and adds the
new ones.
"""

from __future__ import annotations

from typing import Final

RECOUNT: Final = """
        DELETE FROM counted WHERE stream = {stream};
        INSERT INTO counted SELECT * FROM countable WHERE stream = {stream};
"""
COUNTED_NAME: Final = "({row}.name = 'access.visibility' OR {row}.name GLOB 'Seat[1-9]')"
HAS_STOOD: Final = "instr({row}.standing, CAST('\"stood\"' AS BLOB))"
HAS_RANKS: Final = "instr({row}.standing, CAST('\"ranks\"' AS BLOB))"
NAMED: Final = (
    "facts AS f CROSS JOIN places AS p ON p.stream = f.stream AND 'Seat' || p.seat = f.name"
    " WHERE f.stream = m.stream AND f.name GLOB 'Seat[1-9]' AND f.value <> '?'"
)
"""The places of the players with names."""
COUNT: Final = """
        INSERT INTO tallies SELECT game, visibility, what, value, {sign}count(*) FROM tallied
        WHERE stream = {row}.stream GROUP BY game, visibility, what, value
        ON CONFLICT (game, visibility, what, value) DO UPDATE SET times = times + excluded.times;
"""
COUNTABLE: Final = f"""
    CREATE VIEW countable AS
    SELECT m.stream, m.game, ifnull((SELECT value FROM facts
            WHERE stream = m.stream AND name = 'access.visibility'), 'unlisted') AS visibility,
        (SELECT json_group_array(json_array(what, value)) FROM (
            SELECT 'result' AS what, m.result AS value
            UNION ALL SELECT 'clause', m.clause WHERE m.clause <> ''
            UNION ALL SELECT 'plies', CAST(m.plies AS TEXT) WHERE m.result <> '*'
            UNION ALL SELECT 'turns', CAST(m.turns AS TEXT) WHERE m.result <> '*'
            UNION ALL SELECT 'stood', value
            FROM json_each(CASE WHEN {HAS_STOOD.format(row="m")}
                THEN CAST(m.standing AS TEXT) ELSE '{{}}' END, '$.stood')
            UNION ALL SELECT p.result, f.value FROM {NAMED}
            UNION ALL SELECT 'place ' || p.place, f.value FROM {NAMED} AND p.place > 0
        )) AS counts
    FROM summaries AS m JOIN streams AS s ON s.id = m.stream
    WHERE m.kind = 'match' AND NOT s.trashed
"""
TABLES: Final = (
    """
    CREATE TABLE counted (  -- derived: matches as they count in statistics
        stream     INTEGER PRIMARY KEY REFERENCES streams(id),
        game       TEXT    NOT NULL,
        visibility TEXT    NOT NULL,
        counts     TEXT    NOT NULL  -- JSON: pairs of what is counted and its value
    ) STRICT
    """,
    """
    CREATE TABLE tallies (  -- derived: how many matches of a game have what is counted
        game       TEXT    NOT NULL,
        visibility TEXT    NOT NULL,
        what       TEXT    NOT NULL,
        value      TEXT    NOT NULL,
        times      INTEGER NOT NULL,
        PRIMARY KEY (game, visibility, what, value)
    ) STRICT, WITHOUT ROWID
    """,
    COUNTABLE,
    """
    CREATE VIEW tallied AS
    SELECT c.stream, c.game, c.visibility, json_extract(j.value, '$[0]') AS what,
        json_extract(j.value, '$[1]') AS value
    FROM counted AS c CROSS JOIN json_each(c.counts) AS j
    """,
    f"""
    CREATE TRIGGER counted_insert AFTER INSERT ON counted BEGIN
        {COUNT.format(row="NEW", sign="").strip()}
    END
    """,
    f"""
    CREATE TRIGGER counted_delete BEFORE DELETE ON counted BEGIN
        {COUNT.format(row="OLD", sign="-").strip()}
    END
    """,
    """
    CREATE TRIGGER tallies_none AFTER UPDATE ON tallies WHEN NEW.times = 0 BEGIN
        DELETE FROM tallies WHERE game = NEW.game AND visibility = NEW.visibility
        AND what = NEW.what AND value = NEW.value;
    END
    """,
    "INSERT INTO counted SELECT * FROM countable",
)
"""A match that counts no more takes its names along: none is left in `tallies`."""

_NEW: Final = RECOUNT.format(stream="NEW.stream").strip()
_OLD: Final = RECOUNT.format(stream="OLD.stream").strip()
RECOUNTED: Final = f"""
    CREATE TRIGGER summaries_recounted AFTER UPDATE ON summaries
    WHEN (NEW.game, NEW.kind, NEW.result, NEW.clause)
            <> (OLD.game, OLD.kind, OLD.result, OLD.clause)
        OR (NEW.result <> '*' AND (NEW.plies, NEW.turns) <> (OLD.plies, OLD.turns))
        OR {HAS_STOOD.format(row="NEW")} OR {HAS_STOOD.format(row="OLD")}
        OR {HAS_RANKS.format(row="NEW")} OR {HAS_RANKS.format(row="OLD")} BEGIN
        {_NEW}
    END
    """
TRIGGERS: Final = (
    f"CREATE TRIGGER summaries_counted AFTER INSERT ON summaries BEGIN\n        {_NEW}\n    END",
    RECOUNTED,
    f"CREATE TRIGGER summaries_uncounted AFTER DELETE ON summaries BEGIN\n        {_OLD}\n    END",
    f"""
    CREATE TRIGGER facts_counted AFTER INSERT ON facts
    WHEN {COUNTED_NAME.format(row="NEW")} BEGIN
        {_NEW}
    END
    """,
    f"""
    CREATE TRIGGER facts_recounted AFTER UPDATE ON facts
    WHEN NEW.value <> OLD.value AND {COUNTED_NAME.format(row="NEW")} BEGIN
        {_NEW}
    END
    """,
    f"""
    CREATE TRIGGER facts_uncounted AFTER DELETE ON facts
    WHEN {COUNTED_NAME.format(row="OLD")} BEGIN
        {_OLD}
    END
    """,
    f"""
    CREATE TRIGGER trash_counted AFTER UPDATE OF trashed ON streams
    WHEN NEW.trashed <> OLD.trashed BEGIN
        {RECOUNT.format(stream="NEW.id").strip()}
    END
    """,
)
ANEW: Final = ("DROP VIEW countable", COUNTABLE, "DROP TRIGGER summaries_recounted", RECOUNTED)
"""What reads the places of players, in a book that may have older ones."""
