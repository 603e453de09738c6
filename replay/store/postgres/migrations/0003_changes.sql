-- One number for the changes of all matches. A match moves to the next number whenever anything of it
-- changes, so the feed has each match once.

CREATE TABLE changes (  -- the number of the last change of a match, and of each kind of change
    entry      bigint PRIMARY KEY,  -- the stream; below zero, that it is no longer public
    number     bigint NOT NULL UNIQUE,
    root       bigint NOT NULL,  -- the match that it analyses, or itself
    id         text,             -- of one that is gone
    public     boolean NOT NULL DEFAULT false,  -- whether it is public; one that is gone was
    at         bigint NOT NULL,
    opened     bigint NOT NULL DEFAULT 0,
    events     bigint NOT NULL DEFAULT 0,
    names      bigint NOT NULL DEFAULT 0,
    tags       bigint NOT NULL DEFAULT 0,
    notes      bigint NOT NULL DEFAULT 0,
    visibility bigint NOT NULL DEFAULT 0,
    details    bigint NOT NULL DEFAULT 0,
    trash      bigint NOT NULL DEFAULT 0
);
CREATE INDEX changes_root ON changes (root);
CREATE INDEX changes_public ON changes (number) WHERE public;
CREATE INDEX texts_named ON texts (kind, substr(name, 1, 100), substr(text, 1, 100), stream);
CREATE TABLES eras;

CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;
CREATE FUNCTION last_change() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce(max(number), 0) FROM changes
$$;
CREATE FUNCTION is_variation(header text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT position('"kind":"variation"' IN header) > 0
$$;

-- Each match that is there has changed once, in the order of the last events.
WITH RECURSIVE roots(stream, root) AS (
    SELECT id, id FROM streams WHERE NOT is_variation(header)
    UNION ALL
    SELECT s.id, r.root FROM roots AS r JOIN streams AS s ON s.parent_id = r.stream
    WHERE is_variation(s.header)
)
INSERT INTO changes (entry, number, root, public, at, opened)
SELECT stream, place, root, EXISTS (SELECT 1 FROM facts WHERE facts.stream = root
    AND name = 'access.visibility' AND value = 'public'), coalesce(last, now_ms()), place FROM (
    SELECT s.id AS stream, coalesce(r.root, s.id) AS root, m.last,
        row_number() OVER (ORDER BY m.last NULLS FIRST, s.id) AS place
    FROM streams AS s LEFT JOIN summaries AS m ON m.stream = s.id
    LEFT JOIN roots AS r ON r.stream = s.id
    WHERE s.kind = 'match' AND NOT starts_with(s.public_id, '~')
) AS found;
INSERT INTO eras SELECT 1, left(md5(random()::text), 8) FROM changes WHERE number = 1;

-- Once for all events of a statement: an import brings many at once.
CREATE FUNCTION number_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE last bigint := last_change();
BEGIN
    UPDATE changes AS c SET number = last + f.place, at = now_ms(),
        events = CASE WHEN f.own THEN last + f.place ELSE c.events END,
        notes = CASE WHEN f.noted THEN last + f.place ELSE c.notes END
    FROM (
        SELECT coalesce(s.subject, s.id) AS match, row_number() OVER (ORDER BY min(e.pos)) AS place,
            bool_or(s.subject IS NULL) AS own, bool_or(s.subject IS NOT NULL) AS noted
        FROM fresh AS e JOIN streams AS s ON s.id = e.stream GROUP BY coalesce(s.subject, s.id)
    ) AS f WHERE c.entry = f.match;
    RETURN NULL;
END $$;
CREATE TRIGGER changes_event AFTER INSERT ON events REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION number_events();

-- A hook without a stream is told of all matches; `delivered` is the number of a change then.
ALTER TABLE hooks ALTER stream DROP NOT NULL, ADD types text NOT NULL DEFAULT '[]',  -- JSON
    ADD site text NOT NULL DEFAULT '';
