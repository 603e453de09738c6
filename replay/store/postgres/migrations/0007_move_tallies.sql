-- The moves of much played positions, counted: `counted_moves` has them by family, the matches that share
-- their first events and count each shared move once. A change takes away what a family had added, and adds
-- what it is now.

CREATE INDEX segments_of ON segments (src) WHERE lo = 1;
CREATE TABLE counted_positions (  -- derived: the positions whose moves are counted
    key bytea PRIMARY KEY
);
CREATE TABLE counted_moves (  -- derived: the moves made in them, by the family of the matches
    root   bigint NOT NULL,  -- the stream with the first event of its matches
    key    bytea  NOT NULL,
    seat   bigint NOT NULL,
    token  text   NOT NULL,
    kind   text   NOT NULL,
    result text   NOT NULL,
    lines  bigint NOT NULL,
    open   bigint NOT NULL  -- how many there are without private matches
);
CREATE INDEX counted_moves_of ON counted_moves (root);
CREATE TABLE move_tallies (  -- derived: the sums of all families
    key    bytea  NOT NULL,
    seat   bigint NOT NULL,
    token  text   COLLATE "C" NOT NULL,
    kind   text   COLLATE "C" NOT NULL,
    result text   COLLATE "C" NOT NULL,
    lines  bigint NOT NULL,
    open   bigint NOT NULL
);
-- An index holds no token of thousands of letters.
CREATE UNIQUE INDEX move_tallies_of ON move_tallies (key, seat, md5(token), kind, result);

CREATE FUNCTION is_private(match bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT 1 FROM facts WHERE name = 'access.visibility'
        AND value NOT IN ('unlisted', 'public')
        AND stream IN (match, (SELECT root FROM changes WHERE entry = match))
    )
$$;
-- One row for each move as its oldest line has it, and one as the oldest that is not private has it.
CREATE VIEW passed_positions AS
    SELECT r.src AS root, p.key, p.seat, p.token, p.stream, g.src, p.version,
        is_private(p.stream) AS private
    FROM steps AS p JOIN segments AS r ON r.stream = p.stream AND r.lo = 1
    JOIN streams AS s ON s.id = p.stream
    JOIN segments AS g ON g.stream = p.stream AND p.version BETWEEN g.lo AND g.hi
    WHERE s.kind = 'match' AND NOT s.trashed;

CREATE FUNCTION moves_of(of_root bigint, of_key bytea) RETURNS SETOF counted_moves
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY WITH passed AS MATERIALIZED (
        SELECT * FROM passed_positions AS p WHERE (of_root IS NULL OR p.stream IN (
            SELECT f.stream FROM segments AS f WHERE f.lo = 1 AND f.src = of_root))
        AND p.key = ANY (CASE WHEN of_key IS NULL
            THEN ARRAY(SELECT c.key FROM counted_positions AS c) ELSE ARRAY[of_key] END)
    ), firsts AS (
        (SELECT DISTINCT ON (p.key, p.src, p.version) p.*, 1 AS every, 0 AS open FROM passed AS p
            ORDER BY p.key, p.src, p.version, p.stream)
        UNION ALL
        (SELECT DISTINCT ON (p.key, p.src, p.version) p.*, 0, 1 FROM passed AS p
            WHERE NOT p.private ORDER BY p.key, p.src, p.version, p.stream)
    )
    SELECT f.root, f.key, f.seat, f.token, m.kind, m.result,
        count(DISTINCT f.stream) FILTER (WHERE every = 1),
        count(DISTINCT f.stream) FILTER (WHERE f.open = 1)
    FROM firsts AS f JOIN summaries AS m ON m.stream = f.stream
    GROUP BY f.root, f.key, f.seat, f.token, m.kind, m.result;
END $$;
CREATE VIEW countable_moves AS SELECT * FROM moves_of(NULL, NULL);

CREATE FUNCTION recount_family(of_root bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM counted_positions) THEN
        DELETE FROM counted_moves WHERE root = of_root;
        INSERT INTO counted_moves SELECT * FROM moves_of(of_root, NULL);
    END IF;
END $$;
