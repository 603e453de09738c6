"""The tables, as a series of migrations. Imported only to bring an older database up to date.

A new database begins with `schema.sql`, the result of all migrations; a test compares
them. After adding a migration write that file again: `python -m replay.store.sqlite.migrations`.

Never `transform()` the tables that are guarded: it would drop their triggers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlite_utils import Database, Migrations

from replay.store.search_words import folded
from replay.store.sql import summaries
from replay.store.sqlite import full_text, move_tallies, tallies
from replay.store.sqlite.sqlite_library import Connection, sqlite3
from replay.store.sqlite.triggers import (
    ACCOUNT_SEATED,
    GUARDS,
    NOW,
    NUMBERING,
    SUMMARIES_DUE,
    TO_INDEX,
)
from replay.store.sqlite.views import ANEW, FOR_PEOPLE

migrations = Migrations("plybook")

WRITTEN_HERE: Final = (
    "-- Written by the function `schema` of migrations.py: change that, not this.\n"
)

TABLES: Final = (
    """
    CREATE TABLE streams (
        id           INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again after a purge
        public_id    TEXT    NOT NULL,
        kind         TEXT    NOT NULL CHECK (kind IN ('match', 'notes')),
        header       TEXT    NOT NULL,  -- JSON
        subject      INTEGER UNIQUE REFERENCES streams(id),  -- of notes: their match
        parent_id    INTEGER REFERENCES streams(id),
        fork_version INTEGER CHECK (fork_version >= 0),
        fork_ply     INTEGER,
        origin       BLOB    NOT NULL CHECK (length(origin) = 32),
        head         INTEGER NOT NULL,
        head_hash    BLOB    NOT NULL CHECK (length(head_hash) = 32),
        trashed      INTEGER NOT NULL DEFAULT 0 CHECK (trashed IN (0, 1)),
        UNIQUE (kind, public_id),
        CHECK ((subject IS NOT NULL) = (kind = 'notes')),
        CHECK ((parent_id IS NULL) = (fork_version IS NULL))
    ) STRICT
    """,
    "CREATE INDEX forks ON streams(parent_id)",
    """
    CREATE TABLE events (
        pos      INTEGER PRIMARY KEY,
        stream   INTEGER NOT NULL REFERENCES streams(id),
        version  INTEGER NOT NULL CHECK (version > 0),
        event_id BLOB    NOT NULL CHECK (length(event_id) = 16),
        type     TEXT    NOT NULL,
        actor    TEXT    NOT NULL,
        at       INTEGER NOT NULL,  -- milliseconds since 1970
        data     TEXT    NOT NULL,  -- JSON
        hash     BLOB    NOT NULL CHECK (length(hash) = 32),
        UNIQUE (stream, version),
        UNIQUE (stream, event_id)
    ) STRICT
    """,
    """
    CREATE TABLE sealed (  -- what only its owner may read yet; the event has a digest of it
        event   INTEGER PRIMARY KEY REFERENCES events(pos),
        payload BLOB    NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE segments (  -- derived: versions lo to hi of a stream are events of src
        stream INTEGER NOT NULL REFERENCES streams(id),
        lo     INTEGER NOT NULL,
        hi     INTEGER NOT NULL,
        src    INTEGER NOT NULL,
        PRIMARY KEY (stream, lo)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE facts (  -- mutable, outside the hash chain
        pos    INTEGER PRIMARY KEY,
        stream INTEGER NOT NULL REFERENCES streams(id),
        name   TEXT    NOT NULL,
        value  TEXT    NOT NULL,
        UNIQUE (stream, name)
    ) STRICT
    """,
    """
    CREATE TABLE keys (
        stream INTEGER NOT NULL REFERENCES streams(id),
        digest BLOB    NOT NULL,  -- SHA-256 of a token
        role   TEXT    NOT NULL,
        seat   INTEGER,
        PRIMARY KEY (stream, digest)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE purging (stream INTEGER PRIMARY KEY) STRICT",
)

TEXTS: Final = (
    """
    CREATE TABLE texts (  -- derived: what matches are found by
        id     INTEGER PRIMARY KEY,
        stream INTEGER NOT NULL REFERENCES streams(id),
        kind   TEXT    NOT NULL,
        name   TEXT    NOT NULL,
        text   TEXT    NOT NULL,
        words  TEXT    NOT NULL
    ) STRICT
    """,
    "CREATE INDEX texts_of ON texts(stream)",
    """
    CREATE TABLE searchable (  -- derived: how many notes the texts were made from
        stream INTEGER PRIMARY KEY REFERENCES streams(id),
        notes  INTEGER NOT NULL
    ) STRICT
    """,
)
LINES: Final = (
    """
    CREATE TABLE lines (  -- derived: the lines of matches in short, as of a version
        stream INTEGER PRIMARY KEY REFERENCES streams(id),
        head   INTEGER NOT NULL,
        game   TEXT    NOT NULL,
        kind   TEXT    NOT NULL,
        plies  INTEGER NOT NULL,
        turns  INTEGER NOT NULL,
        result TEXT    NOT NULL,
        clause TEXT    NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE steps (  -- derived: their moves; the key is a digest of the position
        stream  INTEGER NOT NULL REFERENCES streams(id),
        version INTEGER NOT NULL,
        key     BLOB    NOT NULL,
        seat    INTEGER NOT NULL,
        token   TEXT    NOT NULL,
        PRIMARY KEY (stream, version)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX steps_from ON steps(key)",
)
HELD: Final = """
    CREATE TABLE held (  -- private values of a match: they never leave the server
        stream INTEGER NOT NULL REFERENCES streams(id),
        name   TEXT    NOT NULL,
        value  BLOB    NOT NULL,
        PRIMARY KEY (stream, name)
    ) STRICT, WITHOUT ROWID
"""
BY_NAME: Final = (
    "CREATE INDEX facts_named ON facts(name, stream)",
    "CREATE INDEX keys_by_digest ON keys(digest)",
)
HOOKS: Final = (
    """
    CREATE TABLE hooks (  -- where news of a match is sent, and how far that has come
        id        TEXT    PRIMARY KEY,
        stream    INTEGER NOT NULL REFERENCES streams(id),
        url       TEXT    NOT NULL,
        secret    TEXT    NOT NULL,  -- deliveries are signed with it
        created   INTEGER NOT NULL,  -- times in milliseconds since 1970
        delivered INTEGER NOT NULL,  -- the last version that arrived
        failures  INTEGER NOT NULL,
        since     INTEGER,
        due       INTEGER NOT NULL,
        dead      INTEGER NOT NULL CHECK (dead IN (0, 1)),
        answer    TEXT,
        tried     INTEGER
    ) STRICT
    """,
    "CREATE INDEX hooks_of ON hooks(stream)",
)
SUMMARIES: Final = (
    """
    CREATE TABLE summaries (  -- derived: matches in short, as of a version
        stream   INTEGER PRIMARY KEY REFERENCES streams(id),
        head     INTEGER NOT NULL,
        game     TEXT    NOT NULL,
        kind     TEXT    NOT NULL,
        plies    INTEGER NOT NULL,
        turns    INTEGER NOT NULL,
        result   TEXT    NOT NULL,
        clause   TEXT    NOT NULL,
        last     INTEGER NOT NULL,  -- milliseconds since 1970
        standing BLOB    NOT NULL   -- JSON
    ) STRICT
    """,
    """
    CREATE TABLE summaries_due (  -- matches whose summary is missing, or older than their log
        stream INTEGER PRIMARY KEY REFERENCES streams(id)
    ) STRICT
    """,
    """
    CREATE TABLE indexed (  -- derived: the version as of which steps has the moves of a match
        stream INTEGER PRIMARY KEY REFERENCES streams(id),
        head   INTEGER NOT NULL
    ) STRICT
    """,
    "INSERT INTO indexed SELECT stream, head FROM lines",
    "DROP TABLE lines",
    f"{summaries.DUE} ON CONFLICT DO NOTHING",
    *SUMMARIES_DUE,
)
APPLIED: Final = (
    "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
    "VALUES ('plybook', '{name}', datetime('now'))"
)
CLAIMED: Final = "ALTER TABLE hooks ADD COLUMN claimed INTEGER NOT NULL DEFAULT 0"
ROTATIONS: Final = (
    "ALTER TABLE hooks ADD COLUMN rotation TEXT",
    "ALTER TABLE hooks ADD COLUMN former TEXT NOT NULL DEFAULT '[]'",
)
OPERATORS: Final = """
    CREATE TABLE operators (  -- those who run the server: what they may do is in all matches
        digest  BLOB    PRIMARY KEY CHECK (length(digest) = 32),  -- SHA-256 of a token
        created INTEGER NOT NULL  -- milliseconds since 1970
    ) STRICT, WITHOUT ROWID
"""

CHANGES: Final = (
    """
    CREATE TABLE changes (  -- the number of the last change of a match, and of each kind of change
        entry      INTEGER PRIMARY KEY,  -- the stream; below zero, that it is no longer public
        number     INTEGER NOT NULL UNIQUE,
        root       INTEGER NOT NULL,  -- the match that it analyses, or itself
        id         TEXT,              -- of one that is gone
        public     INTEGER NOT NULL DEFAULT 0,  -- whether it is public; one that is gone was
        at         INTEGER NOT NULL,  -- milliseconds since 1970
        opened     INTEGER NOT NULL DEFAULT 0,
        events     INTEGER NOT NULL DEFAULT 0,
        names      INTEGER NOT NULL DEFAULT 0,
        tags       INTEGER NOT NULL DEFAULT 0,
        notes      INTEGER NOT NULL DEFAULT 0,
        visibility INTEGER NOT NULL DEFAULT 0,
        details    INTEGER NOT NULL DEFAULT 0,
        trash      INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE INDEX changes_root ON changes(root)",
    "CREATE INDEX changes_public ON changes(number) WHERE public",
    "CREATE INDEX texts_named ON texts(kind, substr(name, 1, 100), substr(text, 1, 100), stream)",
    """
    CREATE TABLE eras (  -- the name of the history that numbers belong to, from a number on
        first INTEGER PRIMARY KEY,
        name  TEXT    NOT NULL
    ) STRICT
    """,
    f"""
    INSERT INTO changes (entry, number, root, public, at, opened)
    WITH RECURSIVE roots(stream, root) AS (
        SELECT id, id FROM streams WHERE instr(header, '"kind":"variation"') = 0
        UNION ALL
        SELECT s.id, r.root FROM roots AS r JOIN streams AS s ON s.parent_id = r.stream
        WHERE instr(s.header, '"kind":"variation"')
    )
    SELECT stream, place, root, EXISTS (SELECT 1 FROM facts WHERE facts.stream = root
        AND name = 'access.visibility' AND value = 'public'), coalesce(last, {NOW}), place FROM (
        SELECT s.id AS stream, coalesce(r.root, s.id) AS root, m.last,
            row_number() OVER (ORDER BY m.last, s.id) AS place
        FROM streams AS s LEFT JOIN summaries AS m ON m.stream = s.id
        LEFT JOIN roots AS r ON r.stream = s.id
        WHERE s.kind = 'match' AND substr(s.public_id, 1, 1) <> '~'
    )
    """,
    "INSERT INTO eras SELECT 1, lower(hex(randomblob(4))) FROM changes WHERE number = 1",
    *NUMBERING,
    """
    CREATE TABLE new_hooks (  -- where news of a match or of all is sent, and how far that has come
        id        TEXT    PRIMARY KEY,
        stream    INTEGER REFERENCES streams(id),  -- none of a hook for all matches
        url       TEXT    NOT NULL,
        secret    TEXT    NOT NULL,  -- deliveries are signed with it
        created   INTEGER NOT NULL,  -- times in milliseconds since 1970
        delivered INTEGER NOT NULL,  -- the last version, or number of a change, that arrived
        failures  INTEGER NOT NULL,
        since     INTEGER,
        due       INTEGER NOT NULL,
        dead      INTEGER NOT NULL CHECK (dead IN (0, 1)),
        answer    TEXT,
        tried     INTEGER,
        claimed   INTEGER NOT NULL DEFAULT 0,
        rotation  TEXT,
        former    TEXT    NOT NULL DEFAULT '[]',  -- JSON
        types     TEXT    NOT NULL DEFAULT '[]',  -- JSON
        site      TEXT    NOT NULL DEFAULT ''
    ) STRICT
    """,
    "INSERT INTO new_hooks SELECT *, '[]', '' FROM hooks",
    "DROP TABLE hooks",
    "ALTER TABLE new_hooks RENAME TO hooks",
    "CREATE INDEX hooks_of ON hooks(stream)",
)

PLAYERS: Final = (
    "ALTER TABLE facts ADD COLUMN folded TEXT NOT NULL DEFAULT ''",  # to compare players
    "CREATE INDEX facts_of_players ON facts(folded, stream) WHERE name GLOB 'Seat[1-9]'",
)
DUE: Final = (
    """
    CREATE TABLE positions_due (  -- matches whose moves by position are missing, or too old
        stream INTEGER PRIMARY KEY REFERENCES streams(id)
    ) STRICT
    """,
    """
    CREATE TABLE texts_due (  -- matches whose texts are missing, or too old
        stream INTEGER PRIMARY KEY REFERENCES streams(id)
    ) STRICT
    """,
    """
    INSERT INTO positions_due
    SELECT s.id FROM streams AS s LEFT JOIN indexed AS i ON i.stream = s.id
    WHERE s.kind = 'match' AND substr(s.public_id, 1, 1) <> '~' AND s.head > ifnull(i.head, -1)
    """,
    """
    INSERT INTO texts_due
    SELECT s.id FROM streams AS s LEFT JOIN searchable AS t ON t.stream = s.id
    LEFT JOIN streams AS n ON n.subject = s.id
    WHERE s.kind = 'match' AND substr(s.public_id, 1, 1) <> '~'
    AND ifnull(n.head, 0) > ifnull(t.notes, -1)
    """,
    *TO_INDEX,
)
ACCOUNTS: Final = (
    """
    CREATE TABLE accounts (  -- players of the installation: their seats are in keys
        name    TEXT    PRIMARY KEY,
        digest  BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),  -- random: no token has it
        created INTEGER NOT NULL  -- times in milliseconds since 1970
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE account_tokens (
        digest  BLOB    PRIMARY KEY CHECK (length(digest) = 32),  -- SHA-256 of a token
        account BLOB    NOT NULL REFERENCES accounts(digest),
        scopes  TEXT    NOT NULL,  -- words with commas between them
        created INTEGER NOT NULL,
        expires INTEGER
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX account_tokens_of ON account_tokens(account)",
    """
    CREATE TABLE challenges (  -- offers of accounts to play
        id       TEXT    PRIMARY KEY,
        account  TEXT    NOT NULL REFERENCES accounts(name),
        opponent TEXT    REFERENCES accounts(name),  -- none of an offer to all
        offer    BLOB    NOT NULL,  -- JSON
        created  INTEGER NOT NULL,
        expires  INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX challenges_of ON challenges(account)",
    "CREATE INDEX challenges_to ON challenges(opponent)",
    "ALTER TABLE changes ADD COLUMN seats INTEGER NOT NULL DEFAULT 0",  # those of accounts
    ACCOUNT_SEATED,
)
VALUES: Final = "SELECT pos, CAST(value AS BLOB) FROM facts"
ERASURES: Final = """
    CREATE TABLE erasures (  -- those whose bytes may still be somewhere in the files
        number INTEGER PRIMARY KEY AUTOINCREMENT
    ) STRICT
"""


@migrations()
def the_log(db: Database) -> None:
    """Streams, their events and their metadata."""
    for statement in (*TABLES, *GUARDS):
        db.execute(statement)


@migrations()
def search(db: Database) -> None:
    """The texts that matches are found by, and their words for full-text search."""
    for statement in TEXTS:
        db.execute(statement)
    # The words come folded and split: this way of splitting them does nothing more.
    db.table("texts").enable_fts(["words"], tokenize="ascii", create_triggers=True)
    full_text.overwrite_deleted_words(db.conn)


@migrations()
def survey(db: Database) -> None:
    """The lines of all matches, and the moves in them by position."""
    for statement in LINES:
        db.execute(statement)


@migrations()
def held(db: Database) -> None:
    """Private values of matches: the seeds of their dice."""
    db.execute(HELD)


@migrations()
def by_name(db: Database) -> None:
    """Find matches by an item of metadata, or by a capability, without reading all."""
    for statement in BY_NAME:
        db.execute(statement)


@migrations()
def hooks(db: Database) -> None:
    """WebHooks of matches, with their secrets."""
    for statement in HOOKS:
        db.execute(statement)


@migrations()
def claims(db: Database) -> None:
    """Until when a server has a hook to itself."""
    db.execute(CLAIMED)


@migrations()
def in_short(db: Database) -> None:
    """Summaries of matches, in the transaction of their events. All are due at first."""
    for statement in SUMMARIES:
        db.execute(statement)


@migrations()
def rotations_and_operators(db: Database) -> None:
    """The former secrets of hooks, as JSON, and the tokens of operators."""
    for statement in (*ROTATIONS, OPERATORS):
        db.execute(statement)


@migrations()
def for_people(db: Database) -> None:
    """Views of matches, moves and players, for people who query the file itself."""
    for statement in FOR_PEOPLE:
        db.execute(statement)


@migrations()
def changes(db: Database) -> None:
    """One number for the changes of all matches; each match that is there has changed once."""
    for statement in CHANGES:
        db.execute(statement)


@migrations()
def erasures(db: Database) -> None:
    """The erasures to clean up after. Earlier versions stored none, so there may have been one."""
    db.execute(ERASURES)
    db.execute("INSERT INTO erasures DEFAULT VALUES")


@migrations()
def players(db: Database) -> None:
    """Find the matches of a player, without reading all."""
    for statement in PLAYERS:
        db.execute(statement)
    values = db.execute(VALUES).fetchall()
    rows = [(folded(str(value, "utf-8", "replace")), pos) for pos, value in values]
    db.conn.executemany("UPDATE facts SET folded = ? WHERE pos = ?", rows)


@migrations()
def counts(db: Database) -> None:
    """Count the matches for statistics, and show partners as winners."""
    for statement in (*ANEW, *tallies.TABLES, *tallies.TRIGGERS):
        db.execute(statement)


@migrations()
def due(db: Database) -> None:
    """The matches whose moves or texts are to be indexed, noted with their events."""
    for statement in DUE:
        db.execute(statement)


@migrations()
def move_counts(db: Database) -> None:
    """Count the moves of much played positions once, and then with each change."""
    for statement in (*move_tallies.TABLES, *move_tallies.RECOUNT, *move_tallies.TRIGGERS):
        db.execute(statement)


@migrations()
def accounts(db: Database) -> None:
    """Accounts and their tokens; a match in which one gets a seat has changed."""
    for statement in ACCOUNTS:
        db.execute(statement)


@migrations()
def refused_tries(db: Database) -> None:
    """Count the refused tries of matches without reading their other events."""
    db.execute("CREATE INDEX refused_tries ON events(pos) WHERE type = 'try refused'")


@migrations()
def places(db: Database) -> None:
    """What a result means for each seat, in one view; books since `counts` may lack it."""
    for statement in (*ANEW, *tallies.ANEW):
        db.execute(statement)


def migrate(connection: Connection) -> None:
    """Apply the migrations that are missing, inside the transaction that the caller began."""
    database = Database(connection, execute_plugins=False)
    migrations.apply(database)
    connection.execute(f"PRAGMA user_version = {len(migrations.applied(database))}")


def schema(connection: Connection) -> str:
    """Return the SQL that makes a database like this one, without its rows."""
    rows = connection.execute(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL "
        "AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'texts_fts_%' ORDER BY rowid"
    ).fetchall()
    applied = connection.execute("SELECT name FROM _sqlite_migrations ORDER BY rowid").fetchall()
    statements = [
        *(sql.strip() for (sql,) in rows),
        *(APPLIED.format(name=name) for (name,) in applied),
        f"PRAGMA user_version = {len(applied)}",
    ]
    return WRITTEN_HERE + "".join(f"{statement};\n" for statement in statements)


if __name__ == "__main__":
    made = sqlite3.connect(":memory:", isolation_level=None)
    migrate(made)
    Path(__file__).with_name("schema.sql").write_text(schema(made), encoding="utf-8")
    made.close()
