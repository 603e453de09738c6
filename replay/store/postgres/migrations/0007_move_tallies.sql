-- The moves of much played positions, counted: `counted_moves` has them by family, the matches that share
-- their first events and count each shared move once. A change takes away what a family had added, and adds
-- what it is now.

CREATE INDEX segments_of ON segments (src) WHERE lo = 1;
CREATE TABLES counted_positions;
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
