-- The matches whose moves or texts are to be indexed: whichever program wrote them.

CREATE TABLES positions_due, texts_due;
INSERT INTO positions_due SELECT s.id FROM streams AS s LEFT JOIN indexed AS i ON i.stream = s.id
WHERE s.kind = 'match' AND NOT starts_with(s.public_id, '~') AND s.head > coalesce(i.head, -1);
INSERT INTO texts_due SELECT s.id FROM streams AS s LEFT JOIN searchable AS t ON t.stream = s.id
LEFT JOIN streams AS n ON n.subject = s.id
WHERE s.kind = 'match' AND NOT starts_with(s.public_id, '~')
AND coalesce(n.head, 0) > coalesce(t.notes, -1);

-- Once for all events of a statement, instead of for each.
DROP TRIGGER IF EXISTS events_due ON events;
DROP FUNCTION IF EXISTS note_new_event;
CREATE FUNCTION note_new_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO summaries_due SELECT s.id FROM fresh AS e
    JOIN streams AS s ON s.id = e.stream LEFT JOIN summaries AS m ON m.stream = s.id
    WHERE s.kind = 'match' AND e.version > coalesce(m.head, -1) ON CONFLICT DO NOTHING;
    INSERT INTO positions_due SELECT s.id FROM fresh AS e
    JOIN streams AS s ON s.id = e.stream LEFT JOIN indexed AS i ON i.stream = s.id
    WHERE s.kind = 'match' AND e.version > coalesce(i.head, -1) ON CONFLICT DO NOTHING;
    INSERT INTO texts_due SELECT s.subject FROM fresh AS e
    JOIN streams AS s ON s.id = e.stream LEFT JOIN searchable AS t ON t.stream = s.subject
    WHERE s.kind = 'notes' AND e.version > coalesce(t.notes, -1) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER events_due AFTER INSERT ON events REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION note_new_events();
