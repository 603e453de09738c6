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

CREATE VIEW tallied AS
    SELECT c.stream, c.game, c.visibility, j.value ->> 0 AS what, j.value ->> 1 AS value
    FROM counted AS c CROSS JOIN jsonb_array_elements(c.counts) AS j(value);
