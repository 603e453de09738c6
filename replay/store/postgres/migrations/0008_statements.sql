-- Once for all events of a statement, instead of for each: the book is locked meanwhile.

DROP TRIGGER IF EXISTS events_append ON events;
DROP FUNCTION IF EXISTS guard_event;
CREATE FUNCTION guard_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong bigint;
BEGIN
    WITH added AS (
        SELECT stream, min(version) AS first, max(version) AS last, count(*) AS events
        FROM fresh GROUP BY stream
    ), moved AS (
        UPDATE streams AS s SET head = a.last, head_hash = e.hash
        FROM added AS a JOIN fresh AS e ON e.stream = a.stream AND e.version = a.last
        WHERE s.id = a.stream AND a.first = s.head + 1 AND a.events = a.last - a.first + 1
        RETURNING s.id
    )
    SELECT count(*) - (SELECT count(*) FROM moved) INTO wrong FROM added;
    IF wrong <> 0 THEN
        RAISE EXCEPTION 'an event comes at the version after the head';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER events_append AFTER INSERT ON events REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION guard_events();
