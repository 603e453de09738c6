"""Tables and triggers that keep the moves of much played positions counted.

A position is counted from when it is put into `counted_positions`. `counted_moves` has the moves
made there by family: the matches that share their first events count each shared move once. So a
change in a match subtracts the former counts of its family, and adds the new ones.
"""

from __future__ import annotations

from typing import Final

PRIVATE: Final = """EXISTS (
                    SELECT 1 FROM facts AS v WHERE v.name = 'access.visibility'
                    AND v.value NOT IN ('unlisted', 'public')
                    AND v.stream IN (s.id, (SELECT root FROM changes WHERE entry = s.id)))"""
COUNTED: Final = """
            SELECT root, key, seat, token, kind, result, {counts} FROM (
                SELECT r.src AS root, p.key, p.seat, p.token, min(p.stream) AS line
                FROM {steps} JOIN segments AS r ON r.stream = p.stream AND r.lo = 1
                JOIN streams AS s ON s.id = p.stream
                JOIN segments AS g ON g.stream = p.stream AND p.version BETWEEN g.lo AND g.hi
                WHERE s.kind = 'match' AND NOT s.trashed{condition}
                GROUP BY p.key, g.src, p.version
            ) JOIN summaries ON summaries.stream = line
            GROUP BY root, key, seat, token, kind, result"""


def _countable(steps: str) -> str:
    """Return a query for rows of `counted_moves`, of some steps `p`."""
    every = COUNTED.format(counts="count(DISTINCT line) AS lines, 0 AS open", **_of(steps, ""))
    is_open = _of(steps, f" AND NOT {PRIVATE}")
    shown = COUNTED.format(counts="0, count(DISTINCT line)", **is_open)
    return f"""
        SELECT root, key, seat, token, kind, result, sum(lines) AS lines, sum(open) AS open
        FROM ({every}
            UNION ALL{shown}
        ) GROUP BY root, key, seat, token, kind, result
    """.strip()


def _of(steps: str, condition: str) -> dict[str, str]:
    return {"steps": steps, "condition": condition}


FAMILY: Final = """segments AS f CROSS JOIN steps AS p ON p.stream = f.stream
                AND f.lo = 1 AND f.src = NEW.root
                CROSS JOIN counted_positions AS c ON c.key = p.key"""
AT_KEY: Final = "(SELECT * FROM steps WHERE key = NEW.key) AS p"
ANY: Final = "counted_positions AS c CROSS JOIN steps AS p ON p.key = c.key"
TALLY: Final = """
        INSERT INTO move_tallies
        VALUES ({row}.key, {row}.seat, {row}.token, {row}.kind, {row}.result, {sign}{row}.lines,
            {sign}{row}.open)
        ON CONFLICT (key, seat, token, kind, result)
        DO UPDATE SET lines = lines + excluded.lines, open = open + excluded.open;
"""
TABLES: Final = (
    "CREATE INDEX segments_of ON segments(src) WHERE lo = 1",
    """
    CREATE TABLE counted_positions (  -- derived: the positions whose moves are counted
        key BLOB PRIMARY KEY
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE counted_moves (  -- derived: the moves made in them, by the family of the matches
        root   INTEGER NOT NULL,  -- the stream with the first event of its matches
        key    BLOB    NOT NULL,
        seat   INTEGER NOT NULL,
        token  TEXT    NOT NULL,
        kind   TEXT    NOT NULL,
        result TEXT    NOT NULL,
        lines  INTEGER NOT NULL,
        open   INTEGER NOT NULL,  -- how many there are without private matches
        PRIMARY KEY (root, key, seat, token, kind, result)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE move_tallies (  -- derived: the sums of all families
        key    BLOB    NOT NULL,
        seat   INTEGER NOT NULL,
        token  TEXT    NOT NULL,
        kind   TEXT    NOT NULL,
        result TEXT    NOT NULL,
        lines  INTEGER NOT NULL,
        open   INTEGER NOT NULL,
        PRIMARY KEY (key, seat, token, kind, result)
    ) STRICT, WITHOUT ROWID
    """,
    f"CREATE VIEW countable_moves AS\n    {_countable(ANY)}",
    f"""
    CREATE TRIGGER counted_moves_insert AFTER INSERT ON counted_moves BEGIN
        {TALLY.format(row="NEW", sign="").strip()}
    END
    """,
    f"""
    CREATE TRIGGER counted_moves_delete BEFORE DELETE ON counted_moves BEGIN
        {TALLY.format(row="OLD", sign="-").strip()}
    END
    """,
    """
    CREATE TRIGGER move_tallies_none AFTER UPDATE ON move_tallies
    WHEN NEW.lines = 0 AND NEW.open = 0 BEGIN
        DELETE FROM move_tallies WHERE key = NEW.key AND seat = NEW.seat AND token = NEW.token
        AND kind = NEW.kind AND result = NEW.result;
    END
    """,
    f"""
    CREATE TRIGGER counted_positions_insert AFTER INSERT ON counted_positions BEGIN
        INSERT INTO counted_moves {_countable(AT_KEY)};
    END
    """,
)
RECOUNT: Final = (
    "CREATE VIEW family_changes AS SELECT NULL AS root",  # an insert counts a family again
    f"""
    CREATE TRIGGER family_recount INSTEAD OF INSERT ON family_changes
    WHEN EXISTS (SELECT 1 FROM counted_positions) BEGIN
        DELETE FROM counted_moves WHERE root = NEW.root;
        INSERT INTO counted_moves {_countable(FAMILY)};
    END
    """,
)
OF_STREAM: Final = "SELECT src FROM segments WHERE stream = {stream} AND lo = 1"
OF_VARIATIONS: Final = """SELECT DISTINCT g.src FROM changes AS c
        JOIN segments AS g ON g.stream = c.entry AND g.lo = 1 WHERE c.root = {stream}"""
"""The roots of the families of a match and of its variations, which it may have made private."""


def _recount(
    name: str, when: str, stream: str, condition: str = "true", roots: str = OF_STREAM
) -> str:
    """Return a trigger that counts the moves of families again."""
    return f"""
    CREATE TRIGGER {name}_moves AFTER {when} WHEN {condition} BEGIN
        INSERT INTO family_changes {roots.format(stream=stream)};
    END
    """


def _recount_shown(name: str, when: str, row: str, differs: str = "") -> str:
    condition = f"{row}.name = 'access.visibility'{differs}"
    return _recount(name, f"{when} ON facts", f"{row}.stream", condition, OF_VARIATIONS)


_OTHER: Final = "(NEW.kind, NEW.result) <> (OLD.kind, OLD.result)"
TRIGGERS: Final = (
    _recount("indexed", "INSERT ON indexed", "NEW.stream"),
    _recount("reindexed", "UPDATE ON indexed", "NEW.stream"),
    _recount("unindexed", "DELETE ON indexed", "OLD.stream"),
    _recount("summarised", "INSERT ON summaries", "NEW.stream"),
    _recount("resummarised", "UPDATE ON summaries", "NEW.stream", _OTHER),
    _recount("unsummarised", "DELETE ON summaries", "OLD.stream"),
    _recount("trashed", "UPDATE OF trashed ON streams", "NEW.id", "NEW.trashed <> OLD.trashed"),
    _recount_shown("shown", "INSERT", "NEW"),
    _recount_shown("reshown", "UPDATE", "NEW", " AND NEW.value <> OLD.value"),
    _recount_shown("unshown", "DELETE", "OLD"),
)
"""Moves are put before the row of `indexed` that says so."""
