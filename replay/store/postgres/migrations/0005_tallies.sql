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

CREATE FUNCTION add_tallies(one counted, sign bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO tallies SELECT one.game, one.visibility, j ->> 0, j ->> 1, sign * count(*)
    FROM jsonb_array_elements(one.counts) AS j GROUP BY j ->> 0, j ->> 1
    ON CONFLICT (game, visibility, what, md5(value))
    DO UPDATE SET times = tallies.times + excluded.times
$$;
CREATE FUNCTION tally_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM CASE WHEN TG_OP = 'DELETE' THEN add_tallies(OLD, -1) ELSE add_tallies(NEW, 1) END;
    RETURN NULL;
END $$;
CREATE TRIGGER counted_tallies AFTER INSERT OR DELETE ON counted
    FOR EACH ROW EXECUTE FUNCTION tally_match();

CREATE FUNCTION drop_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tallies WHERE game = NEW.game AND visibility = NEW.visibility
    AND what = NEW.what AND md5(value) = md5(NEW.value);
    RETURN NULL;
END $$;
CREATE TRIGGER tallies_none AFTER UPDATE ON tallies
    FOR EACH ROW WHEN (NEW.times = 0) EXECUTE FUNCTION drop_tally();

INSERT INTO counted SELECT * FROM countable;

CREATE FUNCTION recount(match bigint) RETURNS void LANGUAGE sql AS $$
    DELETE FROM counted WHERE stream = match;
    INSERT INTO counted SELECT * FROM countable WHERE stream = match;
$$;
CREATE FUNCTION recount_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM recount(CASE WHEN TG_OP = 'DELETE' THEN OLD.stream ELSE NEW.stream END);
    RETURN NULL;
END $$;
CREATE TRIGGER summaries_counted AFTER INSERT OR DELETE ON summaries
    FOR EACH ROW EXECUTE FUNCTION recount_of_row();
CREATE TRIGGER facts_counted AFTER INSERT ON facts
    FOR EACH ROW WHEN (NEW.name ~ '^(Seat[1-9]|access.visibility)$')
    EXECUTE FUNCTION recount_of_row();
CREATE TRIGGER facts_recounted AFTER UPDATE ON facts FOR EACH ROW
    WHEN (NEW.value <> OLD.value AND NEW.name ~ '^(Seat[1-9]|access.visibility)$')
    EXECUTE FUNCTION recount_of_row();
CREATE TRIGGER facts_uncounted AFTER DELETE ON facts
    FOR EACH ROW WHEN (OLD.name ~ '^(Seat[1-9]|access.visibility)$')
    EXECUTE FUNCTION recount_of_row();
CREATE FUNCTION recount_trashed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM recount(NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER trash_counted AFTER UPDATE OF trashed ON streams
    FOR EACH ROW WHEN (NEW.trashed <> OLD.trashed) EXECUTE FUNCTION recount_trashed();
