-- A hook of a match is called for changes of who sits where, too.
ALTER TABLE hooks ADD named bigint NOT NULL DEFAULT 0;  -- the last number in people that arrived
UPDATE hooks SET named = coalesce(
    (SELECT max(number) FROM people WHERE people.stream = hooks.stream), 0);
