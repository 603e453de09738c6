-- Statistics that changes keep up to date: `counted` has each match once more beside its summary and its
-- names, so that a change takes away what the match had added, and adds what it is now.

CREATE TABLE counted (  -- derived: matches as they count in statistics
    stream     bigint PRIMARY KEY REFERENCES streams,
    game       text  NOT NULL,
    visibility text  NOT NULL,
    counts     jsonb NOT NULL  -- pairs of what is counted and its value
);
CREATE TABLE tallies (  -- derived: how many matches of a game have what is counted
    game       text   NOT NULL,
    visibility text   NOT NULL,
    what       text   NOT NULL,
    value      text   NOT NULL,
    times      bigint NOT NULL
);
-- An index holds no name of thousands of letters.
CREATE UNIQUE INDEX tallies_of ON tallies (game, visibility, what, md5(value));

CREATE VIEW countable AS
    SELECT m.stream, m.game, coalesce((SELECT value FROM facts
            WHERE stream = m.stream AND name = 'access.visibility'), 'unlisted') AS visibility,
        (SELECT jsonb_agg(jsonb_build_array(what, value) ORDER BY what, value) FROM (
            SELECT 'result' AS what, m.result AS value
            UNION ALL SELECT 'clause', m.clause WHERE m.clause <> ''
            UNION ALL SELECT 'plies', m.plies::text WHERE m.result <> '*'
            UNION ALL SELECT 'turns', m.turns::text WHERE m.result <> '*'
            UNION ALL SELECT 'stood', jsonb_array_elements_text(
                convert_from(m.standing, 'UTF8')::jsonb -> 'stood')
            WHERE position('"stood"'::bytea IN m.standing) > 0
            UNION ALL SELECT CASE m.result WHEN '*' THEN 'unfinished' WHEN '=' THEN 'drawn'
                ELSE CASE WHEN substr(name, 5) = ANY (string_to_array(substr(m.result, 2), ','))
                    THEN 'won' ELSE 'lost' END END, value
            FROM facts WHERE stream = m.stream AND name ~ '^Seat[1-9]$' AND value <> '?'
        ) AS pairs) AS counts
    FROM summaries AS m JOIN streams AS s ON s.id = m.stream
    WHERE m.kind = 'match' AND NOT s.trashed;
CREATE VIEW tallied AS
    SELECT c.stream, c.game, c.visibility, j.value ->> 0 AS what, j.value ->> 1 AS value
    FROM counted AS c CROSS JOIN jsonb_array_elements(c.counts) AS j(value);

CREATE FUNCTION drop_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tallies WHERE game = NEW.game AND visibility = NEW.visibility
    AND what = NEW.what AND md5(value) = md5(NEW.value);
    RETURN NULL;
END $$;
CREATE TRIGGER tallies_none AFTER UPDATE ON tallies
    FOR EACH ROW WHEN (NEW.times = 0) EXECUTE FUNCTION drop_tally();

INSERT INTO counted SELECT * FROM countable;
INSERT INTO tallies SELECT game, visibility, what, value, count(*) FROM tallied
GROUP BY game, visibility, what, value;
