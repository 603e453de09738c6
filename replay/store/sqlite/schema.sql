-- A new database begins with this schema, and `migrations.py` brings older ones to it. SQLite keeps
-- the text of a statement with its comments, and `doctor` compares it but for white space: change
-- neither without a migration.
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");

-- The log of streams.
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
) STRICT;
CREATE INDEX forks ON streams(parent_id);
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
) STRICT;
CREATE TABLE sealed (  -- what only its owner may read yet; the event has a digest of it
    event   INTEGER PRIMARY KEY REFERENCES events(pos),
    payload BLOB    NOT NULL
) STRICT;
CREATE TABLE segments (  -- derived: versions lo to hi of a stream are events of src
    stream INTEGER NOT NULL REFERENCES streams(id),
    lo     INTEGER NOT NULL,
    hi     INTEGER NOT NULL,
    src    INTEGER NOT NULL,
    PRIMARY KEY (stream, lo)
) STRICT, WITHOUT ROWID;
CREATE TABLE purging (stream INTEGER PRIMARY KEY) STRICT;
CREATE INDEX refused_tries ON events(pos) WHERE type = 'try refused';

-- Guards of the log, whichever program has the file open. `INSERT OR REPLACE` deletes the row in
-- its way without firing delete triggers, so the triggers before an insert look for such rows
-- themselves.
CREATE TRIGGER events_append BEFORE INSERT ON events BEGIN
    SELECT RAISE(ABORT, 'an event comes at the version after the head')
    WHERE NEW.version IS NOT (SELECT head + 1 FROM streams WHERE id = NEW.stream);
    SELECT RAISE(ABORT, 'an event is not replaced')
    WHERE EXISTS (SELECT 1 FROM events WHERE pos = NEW.pos)
       OR EXISTS (SELECT 1 FROM events WHERE stream = NEW.stream AND version = NEW.version)
       OR EXISTS (SELECT 1 FROM events WHERE stream = NEW.stream AND event_id = NEW.event_id);
END;
CREATE TRIGGER events_head AFTER INSERT ON events BEGIN
    UPDATE streams SET head = NEW.version, head_hash = NEW.hash WHERE id = NEW.stream;
END;
CREATE TRIGGER events_update BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'an event is not changed');
END;
CREATE TRIGGER events_delete BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM purging WHERE stream = OLD.stream) BEGIN
    SELECT RAISE(ABORT, 'an event is deleted only when its match is purged');
END;
CREATE TRIGGER sealed_insert BEFORE INSERT ON sealed
WHEN EXISTS (SELECT 1 FROM sealed WHERE event = NEW.event) BEGIN
    SELECT RAISE(ABORT, 'what is sealed is not replaced');
END;
CREATE TRIGGER sealed_update BEFORE UPDATE ON sealed BEGIN
    SELECT RAISE(ABORT, 'what is sealed is not changed');
END;
CREATE TRIGGER sealed_delete BEFORE DELETE ON sealed
WHEN NOT EXISTS (
    SELECT 1 FROM purging JOIN events USING (stream) WHERE events.pos = OLD.event
) BEGIN
    SELECT RAISE(ABORT, 'what is sealed is deleted only when its match is purged');
END;
CREATE TRIGGER streams_insert BEFORE INSERT ON streams BEGIN
    SELECT RAISE(ABORT, 'a stream is not replaced')
    WHERE EXISTS (SELECT 1 FROM streams WHERE id = NEW.id)
       OR EXISTS (SELECT 1 FROM streams WHERE kind = NEW.kind AND public_id = NEW.public_id)
       OR EXISTS (SELECT 1 FROM streams WHERE subject = NEW.subject);
    SELECT RAISE(ABORT, 'a stream begins at its origin')
    WHERE NEW.head IS NOT ifnull(NEW.fork_version, 0) OR NEW.head_hash IS NOT NEW.origin;
END;
CREATE TRIGGER streams_update BEFORE UPDATE OF
    id, public_id, kind, header, subject, parent_id, fork_version, fork_ply, origin
ON streams BEGIN
    SELECT RAISE(ABORT, 'a stream is not changed');
END;
CREATE TRIGGER streams_head BEFORE UPDATE OF head, head_hash ON streams
WHEN NEW.head IS NOT OLD.head + 1 OR NOT EXISTS (
    SELECT 1 FROM events
    WHERE stream = NEW.id AND version = NEW.head AND hash = NEW.head_hash
) BEGIN
    SELECT RAISE(ABORT, 'the head moves with an event only');
END;
CREATE TRIGGER streams_delete BEFORE DELETE ON streams
WHEN NOT EXISTS (SELECT 1 FROM purging WHERE stream = OLD.id) BEGIN
    SELECT RAISE(ABORT, 'a stream is deleted only when it is purged');
END;

-- What is kept with streams.
CREATE TABLE facts (  -- mutable, outside the hash chain
    pos    INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams(id),
    name   TEXT    NOT NULL,
    value  TEXT    NOT NULL, folded TEXT NOT NULL DEFAULT '',
    UNIQUE (stream, name)
) STRICT;
CREATE INDEX facts_named ON facts(name, stream);
CREATE INDEX facts_of_players ON facts(folded, stream) WHERE name GLOB 'Seat[1-9]';
CREATE TABLE people (  -- who played: events in a hash chain beside the log
    stream        INTEGER NOT NULL REFERENCES streams(id),
    number        INTEGER NOT NULL,
    event         TEXT    NOT NULL,
    seat          INTEGER NOT NULL,
    other         INTEGER NOT NULL,  -- the seat that it swapped with, or 0
    author        TEXT    NOT NULL,
    at            INTEGER NOT NULL,  -- milliseconds since 1970
    after_version INTEGER NOT NULL,
    reason        BLOB    NOT NULL,  -- salted digests; empty without a text
    name          BLOB    NOT NULL,
    hash          BLOB    NOT NULL,
    PRIMARY KEY (stream, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE people_texts (  -- the names and reasons that these digests are of; erasable
    stream INTEGER NOT NULL REFERENCES streams(id),
    number INTEGER NOT NULL,
    kind   TEXT    NOT NULL,
    salt   BLOB    NOT NULL,
    text   TEXT    NOT NULL,
    PRIMARY KEY (stream, number, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE people_heads (  -- the last events: without a row here nobody was named
    stream INTEGER PRIMARY KEY REFERENCES streams(id),
    number INTEGER NOT NULL,
    hash   BLOB    NOT NULL
) STRICT;
CREATE TRIGGER people_append BEFORE INSERT ON people
WHEN NEW.number IS NOT
    1 + ifnull((SELECT number FROM people_heads WHERE stream = NEW.stream), 0) BEGIN
    SELECT RAISE(ABORT, 'an event of people comes after the last one');
END;
CREATE TRIGGER people_head AFTER INSERT ON people BEGIN
    INSERT INTO people_heads VALUES (NEW.stream, NEW.number, NEW.hash)
    ON CONFLICT (stream) DO UPDATE SET number = excluded.number, hash = excluded.hash;
END;
CREATE TRIGGER people_heads_insert BEFORE INSERT ON people_heads
WHEN NOT EXISTS (
    SELECT 1 FROM people WHERE stream = NEW.stream AND number = NEW.number AND hash = NEW.hash
) BEGIN
    SELECT RAISE(ABORT, 'the head of people moves with an event only');
END;
CREATE TRIGGER people_heads_update BEFORE UPDATE ON people_heads
WHEN NEW.number IS NOT OLD.number + 1 OR NEW.stream IS NOT OLD.stream OR NOT EXISTS (
    SELECT 1 FROM people WHERE stream = NEW.stream AND number = NEW.number AND hash = NEW.hash
) BEGIN
    SELECT RAISE(ABORT, 'the head of people moves with an event only');
END;
CREATE TRIGGER people_heads_delete BEFORE DELETE ON people_heads
WHEN NOT EXISTS (SELECT 1 FROM purging WHERE stream = OLD.stream) BEGIN
    SELECT RAISE(ABORT, 'the head of people is deleted only when its match is purged');
END;
CREATE TRIGGER people_update BEFORE UPDATE ON people BEGIN
    SELECT RAISE(ABORT, 'an event of people is not changed');
END;
CREATE TRIGGER people_delete BEFORE DELETE ON people
WHEN NOT EXISTS (SELECT 1 FROM purging WHERE stream = OLD.stream) BEGIN
    SELECT RAISE(ABORT, 'an event of people is deleted only when its match is purged');
END;
CREATE TRIGGER people_texts_update BEFORE UPDATE ON people_texts BEGIN
    SELECT RAISE(ABORT, 'a text of people is erased, and not changed');
END;
CREATE TABLE keys (
    stream INTEGER NOT NULL REFERENCES streams(id),
    digest BLOB    NOT NULL,  -- SHA-256 of a token
    role   TEXT    NOT NULL,
    seat   INTEGER,
    PRIMARY KEY (stream, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_digest ON keys(digest);
CREATE TABLE held (  -- private values of a match: they never leave the server
    stream INTEGER NOT NULL REFERENCES streams(id),
    name   TEXT    NOT NULL,
    value  BLOB    NOT NULL,
    PRIMARY KEY (stream, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE operators (  -- those who run the server: what they may do is in all matches
    digest  BLOB    PRIMARY KEY CHECK (length(digest) = 32),  -- SHA-256 of a token
    created INTEGER NOT NULL  -- milliseconds since 1970
) STRICT, WITHOUT ROWID;
CREATE TABLE "hooks" (  -- where news of a match or of all is sent, and how far that has come
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
    site      TEXT    NOT NULL DEFAULT '',
    named     INTEGER NOT NULL DEFAULT 0  -- the last number in people that arrived
) STRICT;
CREATE INDEX hooks_of ON hooks(stream);
CREATE TABLE erasures (  -- those whose bytes may still be somewhere in the files
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL  -- in milliseconds since 1970
        DEFAULT (CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
) STRICT;

-- Accounts.
CREATE TABLE accounts (  -- players of the installation: their seats are in keys
    name    TEXT    PRIMARY KEY,
    digest  BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),  -- random: no token has it
    created INTEGER NOT NULL  -- times in milliseconds since 1970
) STRICT, WITHOUT ROWID;
CREATE TABLE account_tokens (
    digest  BLOB    PRIMARY KEY CHECK (length(digest) = 32),  -- SHA-256 of a token
    account BLOB    NOT NULL REFERENCES accounts(digest),
    scopes  TEXT    NOT NULL,  -- words with commas between them
    created INTEGER NOT NULL,
    expires INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX account_tokens_of ON account_tokens(account);
CREATE TABLE asking (  -- accounts that were ever asked before a match was theirs
    account BLOB    PRIMARY KEY REFERENCES accounts(digest),
    digest  BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),  -- in keys: what it is asked for
    asks    INTEGER NOT NULL CHECK (asks IN (0, 1))  -- whether it is asked from now on
) STRICT, WITHOUT ROWID;

-- Evenings.
CREATE TABLE evenings (  -- their matches have the digest in keys, and the id in facts
    id      TEXT    PRIMARY KEY,
    digest  BLOB    NOT NULL CHECK (length(digest) = 32),  -- SHA-256 of the token in the link
    title   TEXT    NOT NULL,
    date    TEXT    NOT NULL,
    shown   TEXT    NOT NULL,
    created INTEGER NOT NULL  -- milliseconds since 1970
) STRICT, WITHOUT ROWID;
CREATE INDEX evenings_of ON evenings(digest);

-- The texts that matches are found by.
CREATE TABLE texts (  -- derived: what matches are found by
    id     INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams(id),
    kind   TEXT    NOT NULL,
    name   TEXT    NOT NULL,
    text   TEXT    NOT NULL,
    words  TEXT    NOT NULL
) STRICT;
CREATE INDEX texts_of ON texts(stream);
CREATE INDEX texts_named ON texts(kind, substr(name, 1, 100), substr(text, 1, 100), stream);
CREATE VIRTUAL TABLE "texts_fts" USING FTS5 (
    "words",
    tokenize='ascii',
    content="texts"
);
CREATE TRIGGER "texts_ai" AFTER INSERT ON "texts" BEGIN
  INSERT INTO "texts_fts" (rowid, "words") VALUES (new.rowid, new."words");
END;
CREATE TRIGGER "texts_ad" AFTER DELETE ON "texts" BEGIN
  INSERT INTO "texts_fts" ("texts_fts", rowid, "words") VALUES('delete', old.rowid, old."words");
END;
CREATE TRIGGER "texts_au" AFTER UPDATE ON "texts" BEGIN
  INSERT INTO "texts_fts" ("texts_fts", rowid, "words") VALUES('delete', old.rowid, old."words");
  INSERT INTO "texts_fts" (rowid, "words") VALUES (new.rowid, new."words");
END;
CREATE TABLE searchable (  -- derived: how many notes the texts were made from
    stream INTEGER PRIMARY KEY REFERENCES streams(id),
    notes  INTEGER NOT NULL
) STRICT;

-- Summaries, and moves by position.
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
    standing BLOB    NOT NULL,  -- JSON
    doubtful INTEGER NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1))
) STRICT;
CREATE TABLE steps (  -- derived: their moves; the key is a digest of the position
    stream  INTEGER NOT NULL REFERENCES streams(id),
    version INTEGER NOT NULL,
    key     BLOB    NOT NULL,
    seat    INTEGER NOT NULL,
    token   TEXT    NOT NULL,
    PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX steps_from ON steps(key);
CREATE TABLE written (  -- derived: the moves of lines as people write them
    stream  INTEGER NOT NULL REFERENCES streams(id),
    ply     INTEGER NOT NULL,
    version INTEGER NOT NULL,
    turn    INTEGER NOT NULL,
    seat    INTEGER NOT NULL,
    token   TEXT,            -- NULL while only its seat may see it
    clause  TEXT NOT NULL,   -- the rule that a move broke which stood
    unsure  INTEGER NOT NULL DEFAULT 0 CHECK (unsure IN (0, 1)),
    reconstructed TEXT NOT NULL DEFAULT '',  -- JSON: how a move was found out later
    PRIMARY KEY (stream, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE indexed (  -- derived: the version as of which steps has the moves of a match
    stream INTEGER PRIMARY KEY REFERENCES streams(id),
    head   INTEGER NOT NULL
) STRICT;

-- The matches whose derived data are missing, or older than their log. A summary or an index entry
-- that comes with events is put before them, so that they find it. A match that is purged loses
-- its entries before its rows here.
CREATE TABLE summaries_due (  -- matches whose summary is missing, or older than their log
    stream INTEGER PRIMARY KEY REFERENCES streams(id)
) STRICT;
CREATE TRIGGER events_due AFTER INSERT ON events
WHEN NEW.version > ifnull((SELECT head FROM summaries WHERE stream = NEW.stream), -1) BEGIN
    INSERT OR IGNORE INTO summaries_due SELECT id FROM streams
    WHERE id = NEW.stream AND kind = 'match' AND substr(public_id, 1, 1) <> '~';
END;
CREATE TABLE positions_due (  -- matches whose moves by position are missing, or too old
    stream INTEGER PRIMARY KEY REFERENCES streams(id)
) STRICT;
CREATE TABLE texts_due (  -- matches whose texts are missing, or too old
    stream INTEGER PRIMARY KEY REFERENCES streams(id)
) STRICT;
CREATE TRIGGER events_to_index AFTER INSERT ON events BEGIN
    INSERT OR IGNORE INTO positions_due SELECT id FROM streams
    WHERE id = NEW.stream AND kind = 'match' AND substr(public_id, 1, 1) <> '~'
    AND NEW.version > ifnull((SELECT head FROM indexed WHERE stream = NEW.stream), -1);
    INSERT OR IGNORE INTO texts_due SELECT subject FROM streams
    WHERE id = NEW.stream AND kind = 'notes'
    AND NEW.version > ifnull((SELECT notes FROM searchable WHERE stream = subject), -1);
END;

-- The feed of changes. A match gets the next number whenever anything of it changes; with its
-- variations, if other people see them from now on. Of a match that was public and is not any
-- more, its id is left. An account that gets a seat is a change, a token that gets one is none.
-- Existing entries are updated on conflict: `OR REPLACE` yields to the statement that fires the
-- trigger.
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
, seats INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX changes_root ON changes(root);
CREATE INDEX changes_public ON changes(number) WHERE public;
CREATE TABLE eras (  -- the name of the history that numbers belong to, from a number on
    first INTEGER PRIMARY KEY,
    name  TEXT    NOT NULL
) STRICT;

-- More views for people who query the file; `views.sql` has the others.
CREATE VIEW places AS  -- what a result means for seats 1 to 9, and their places if known
SELECT m.stream, n.value AS seat, CASE m.result WHEN '*' THEN 'unfinished' WHEN '=' THEN 'drawn'
        ELSE iif(instr(',' || substr(m.result, 2) || ',', ',' || n.value || ','), 'won', 'lost')
        END AS result,
    iif(instr(m.standing, CAST('"ranks"' AS BLOB)), (
        SELECT 1 + ifnull(sum(json_array_length(better.value)),
            0) FROM json_each(CAST(m.standing AS TEXT), '$.outcome.ranks') AS own
        JOIN json_each(own.value) AS one ON one.value = n.value
        LEFT JOIN json_each(CAST(m.standing AS TEXT),
            '$.outcome.ranks') AS better ON better.key < own.key
        HAVING count(*) > 0), NULL) AS place
FROM summaries AS m CROSS JOIN json_each('[1,2,3,4,5,6,7,8,9]') AS n;
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
    ifnull((SELECT head = s.head FROM indexed WHERE stream = s.id), 0) AS indexed, m.doubtful
FROM streams AS s JOIN summaries AS m ON m.stream = s.id
WHERE s.kind = 'match' AND m.kind = 'match' AND NOT s.trashed
    AND substr(s.public_id, 1, 1) <> '~';

-- Statistics. `counted` has the values by which each match was counted, so a change subtracts
-- these and adds the new ones. A match that counts no more takes its names along.
CREATE TABLE counted (  -- derived: matches as they count in statistics
    stream     INTEGER PRIMARY KEY REFERENCES streams(id),
    game       TEXT    NOT NULL,
    visibility TEXT    NOT NULL,
    counts     TEXT    NOT NULL  -- JSON: pairs of what is counted and its value
) STRICT;
CREATE TABLE tallies (  -- derived: how many matches of a game have what is counted
    game       TEXT    NOT NULL,
    visibility TEXT    NOT NULL,
    what       TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    times      INTEGER NOT NULL,
    PRIMARY KEY (game, visibility, what, value)
) STRICT, WITHOUT ROWID;
CREATE VIEW countable AS
SELECT m.stream, m.game, ifnull((SELECT value FROM facts
        WHERE stream = m.stream AND name = 'access.visibility'), 'unlisted') AS visibility,
    (SELECT json_group_array(json_array(what || again, value)) FROM (
        SELECT 'result' AS what, m.result AS value
        UNION ALL SELECT 'clause', m.clause WHERE m.clause <> ''
        UNION ALL SELECT 'plies', CAST(m.plies AS TEXT) WHERE m.result <> '*'
        UNION ALL SELECT 'turns', CAST(m.turns AS TEXT) WHERE m.result <> '*'
        UNION ALL SELECT 'stood', value
        FROM json_each(CASE WHEN instr(m.standing, CAST('"stood"' AS BLOB))
            THEN CAST(m.standing AS TEXT) ELSE '{}' END, '$.stood')
        UNION ALL SELECT p.result,
            f.value FROM facts AS f CROSS JOIN places AS p ON p.stream = f.stream
                AND 'Seat' || p.seat = f.name WHERE f.stream = m.stream
                    AND f.name GLOB 'Seat[1-9]' AND f.value <> '?'
        UNION ALL SELECT 'place ' || p.place,
            f.value FROM facts AS f CROSS JOIN places AS p ON p.stream = f.stream
                AND 'Seat' || p.seat = f.name WHERE f.stream = m.stream
                    AND f.name GLOB 'Seat[1-9]' AND f.value <> '?' AND p.place > 0
    ) CROSS JOIN (SELECT '' AS again UNION ALL SELECT ' doubtful' WHERE m.doubtful)) AS counts
FROM summaries AS m JOIN streams AS s ON s.id = m.stream
WHERE m.kind = 'match' AND NOT s.trashed;
CREATE VIEW tallied AS
SELECT c.stream, c.game, c.visibility, json_extract(j.value, '$[0]') AS what,
    json_extract(j.value, '$[1]') AS value
FROM counted AS c CROSS JOIN json_each(c.counts) AS j;

-- Moves of much played positions. A position is counted from when it is put into
-- `counted_positions`. `counted_moves` has the moves made there by family: matches that share
-- their first events count each shared move once. So a change in a match subtracts the former
-- counts of its family, and adds the new ones. Moves are put before the row of `indexed` that says
-- so. A change of visibility counts the families of the match and of its variations again.
CREATE INDEX segments_of ON segments(src) WHERE lo = 1;
CREATE TABLE counted_positions (  -- derived: the positions whose moves are counted
    key BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;
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
) STRICT, WITHOUT ROWID;
CREATE TABLE move_tallies (  -- derived: the sums of all families
    key    BLOB    NOT NULL,
    seat   INTEGER NOT NULL,
    token  TEXT    NOT NULL,
    kind   TEXT    NOT NULL,
    result TEXT    NOT NULL,
    lines  INTEGER NOT NULL,
    open   INTEGER NOT NULL,
    PRIMARY KEY (key, seat, token, kind, result)
) STRICT, WITHOUT ROWID;
CREATE VIEW family_changes AS SELECT NULL AS root;
