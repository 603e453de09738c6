-- The book: streams, events, what stands beside them, and what is derived from both.
-- Texts are compared byte by byte, as everywhere in Plybook; times are in milliseconds since 1970.

CREATE TABLE plybook (  -- one row; who writes holds its lock until the commit
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    schema   integer NOT NULL,            -- the last migration
    changes  bigint  NOT NULL DEFAULT 0,  -- transactions that stored something
    streams  bigint  NOT NULL DEFAULT 0,  -- the last number of a stream, never used again
    probes   bigint  NOT NULL DEFAULT 0
);
INSERT INTO plybook (schema) VALUES (0);

CREATE TABLE streams (
    id           bigint PRIMARY KEY,
    public_id    text COLLATE "C" NOT NULL,
    kind         text    NOT NULL CHECK (kind IN ('match', 'notes')),
    header       text    NOT NULL,  -- JSON
    subject      bigint UNIQUE REFERENCES streams,  -- of notes: their match
    parent_id    bigint REFERENCES streams,
    fork_version bigint CHECK (fork_version >= 0),
    fork_ply     bigint,
    origin       bytea   NOT NULL CHECK (length(origin) = 32),
    head         bigint  NOT NULL,
    head_hash    bytea   NOT NULL CHECK (length(head_hash) = 32),
    trashed      boolean NOT NULL DEFAULT false,
    UNIQUE (kind, public_id),
    CHECK ((subject IS NOT NULL) = (kind = 'notes')),
    CHECK ((parent_id IS NULL) = (fork_version IS NULL))
);
CREATE INDEX forks ON streams (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLES events, sealed, segments;
CREATE TABLE facts (  -- mutable, outside the hash chain
    pos    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream bigint NOT NULL REFERENCES streams,
    name   text COLLATE "C" NOT NULL,
    value  text NOT NULL,
    folded text NOT NULL,  -- without case, to compare players
    UNIQUE (stream, name)
);
CREATE INDEX facts_named ON facts (name, stream);
CREATE INDEX facts_of_players ON facts USING hash (folded) WHERE name ~ '^Seat[1-9]$';
CREATE TABLES keys;
CREATE TABLE held (  -- private values of a match: they never leave the server
    stream bigint NOT NULL REFERENCES streams,
    name   text COLLATE "C" NOT NULL,
    value  bytea  NOT NULL,
    PRIMARY KEY (stream, name)
);
CREATE TABLES operators;
CREATE TABLE hooks (  -- where news of a match is sent, and how far that has come
    id        text COLLATE "C" PRIMARY KEY,
    stream    bigint  NOT NULL REFERENCES streams,
    url       text    NOT NULL,
    secret    text    NOT NULL,  -- deliveries are signed with it
    created   bigint  NOT NULL,
    delivered bigint  NOT NULL,  -- the last version that arrived
    failures  bigint  NOT NULL,
    since     bigint,
    due       bigint  NOT NULL,
    dead      boolean NOT NULL,
    answer    text,
    tried     bigint,
    claimed   bigint  NOT NULL DEFAULT 0,
    rotation  text,
    former    text    NOT NULL DEFAULT '[]'  -- JSON
);
CREATE INDEX hooks_of ON hooks (stream);

CREATE TABLE summaries (  -- derived: matches in short, as of a version
    stream   bigint PRIMARY KEY REFERENCES streams,
    head     bigint NOT NULL,
    game     text   NOT NULL,
    kind     text   NOT NULL,
    plies    bigint NOT NULL,
    turns    bigint NOT NULL,
    result   text   NOT NULL,
    clause   text   NOT NULL,
    last     bigint NOT NULL,
    standing bytea  NOT NULL  -- JSON
);
CREATE TABLES summaries_due, steps;
CREATE INDEX steps_from ON steps (key);
CREATE TABLE written (  -- derived: the moves of lines as people write them
    stream  bigint NOT NULL REFERENCES streams,
    ply     bigint NOT NULL,
    version bigint NOT NULL,
    turn    bigint NOT NULL,
    seat    bigint NOT NULL,
    token   text,           -- null while only its seat may see it
    clause  text NOT NULL,  -- the rule that a move broke which stood
    PRIMARY KEY (stream, ply)
);
CREATE TABLES indexed;
CREATE TABLE texts (  -- derived: what matches are found by
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream bigint   NOT NULL REFERENCES streams,
    kind   text     NOT NULL,
    name   text     NOT NULL,
    text   text     NOT NULL,
    words  text     NOT NULL,
    begun  tsvector NOT NULL  -- the same words, to find those that begin so
);
CREATE INDEX texts_of ON texts (stream);
CREATE INDEX texts_begun ON texts USING gin (begun);
CREATE TABLES searchable;

CREATE TABLES purging;

-- The guards: whichever program writes, the log only grows.

CREATE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is not changed', TG_ARGV[0];
END $$;
CREATE TRIGGER events_update BEFORE UPDATE ON events
    FOR EACH ROW EXECUTE FUNCTION forbid_change('an event');
CREATE TRIGGER sealed_update BEFORE UPDATE ON sealed
    FOR EACH ROW EXECUTE FUNCTION forbid_change('what is sealed');
CREATE TRIGGER events_truncate BEFORE TRUNCATE ON events
    EXECUTE FUNCTION forbid_change('the log');
CREATE TRIGGER sealed_truncate BEFORE TRUNCATE ON sealed
    EXECUTE FUNCTION forbid_change('what is sealed');
CREATE TRIGGER streams_truncate BEFORE TRUNCATE ON streams
    EXECUTE FUNCTION forbid_change('a stream');

CREATE FUNCTION guard_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE owner bigint;
BEGIN
    IF TG_TABLE_NAME = 'events' THEN
        owner := OLD.stream;
    ELSIF TG_TABLE_NAME = 'streams' THEN
        owner := OLD.id;
    ELSE
        SELECT stream INTO owner FROM events WHERE pos = OLD.event;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM purging WHERE stream = owner) THEN
        RAISE EXCEPTION '% is deleted only when its match is purged', TG_ARGV[0];
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER events_delete BEFORE DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION guard_deletion('an event');
CREATE TRIGGER sealed_delete BEFORE DELETE ON sealed
    FOR EACH ROW EXECUTE FUNCTION guard_deletion('what is sealed');
CREATE TRIGGER streams_delete BEFORE DELETE ON streams
    FOR EACH ROW EXECUTE FUNCTION guard_deletion('a stream');

CREATE FUNCTION guard_new_stream() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.head <> coalesce(NEW.fork_version, 0) OR NEW.head_hash <> NEW.origin THEN
        RAISE EXCEPTION 'a stream begins at its origin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER streams_insert BEFORE INSERT ON streams
    FOR EACH ROW EXECUTE FUNCTION guard_new_stream();

-- The head is moved by `guard_events`, so from within another trigger.
CREATE FUNCTION guard_stream() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM purging WHERE stream = OLD.id)
        AND (NEW.id, NEW.kind, NEW.header, NEW.origin, NEW.subject, NEW.parent_id,
             NEW.fork_version, NEW.fork_ply)
        IS NOT DISTINCT FROM (OLD.id, OLD.kind, OLD.header, OLD.origin, OLD.subject,
             OLD.parent_id, OLD.fork_version, OLD.fork_ply) THEN
        RETURN NEW;  -- it becomes a carrier, or a shorter one
    END IF;
    IF (NEW.id, NEW.public_id, NEW.kind, NEW.header, NEW.subject, NEW.parent_id,
        NEW.fork_version, NEW.fork_ply, NEW.origin)
        IS DISTINCT FROM (OLD.id, OLD.public_id, OLD.kind, OLD.header, OLD.subject,
        OLD.parent_id, OLD.fork_version, OLD.fork_ply, OLD.origin) THEN
        RAISE EXCEPTION 'a stream is not changed';
    END IF;
    IF (NEW.head, NEW.head_hash) IS DISTINCT FROM (OLD.head, OLD.head_hash)
        AND pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'the head moves with an event only';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER streams_update BEFORE UPDATE ON streams
    FOR EACH ROW EXECUTE FUNCTION guard_stream();
