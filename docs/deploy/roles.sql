-- Make a role that reads a book and adds to it, but neither changes nor deletes what is recorded.
-- Run it in the book's database, as a superuser or as its owner with CREATEROLE, once Plybook has made
-- the tables, and again after each upgrade of Plybook:
--
--     psql --set=role=plybook_append --file=docs/deploy/roles.sql plybook
--
-- Then give the role a password (\password plybook_append), and its name to the servers in their URL.
\set ON_ERROR_STOP on
BEGIN;
SELECT format('CREATE ROLE %I LOGIN', :'role')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role') \gexec
SELECT current_database() AS book, current_schema() AS schema \gset

REVOKE ALL ON ALL TABLES IN SCHEMA :"schema" FROM :"role";
REVOKE ALL ON SCHEMA :"schema" FROM :"role";
-- Who may make tables, even temporary ones, could move the head of a match from a trigger of theirs.
REVOKE CREATE ON SCHEMA :"schema" FROM PUBLIC;
REVOKE TEMPORARY ON DATABASE :"book" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"book" TO :"role";
GRANT USAGE ON SCHEMA :"schema" TO :"role";
GRANT SELECT ON ALL TABLES IN SCHEMA :"schema" TO :"role";

-- The record: it only grows. The guards let a head move with an event alone.
GRANT INSERT ON streams, events, sealed, segments, held, people, people_heads TO :"role";
GRANT UPDATE (head, head_hash) ON streams TO :"role";
GRANT UPDATE (number, hash) ON people_heads TO :"role";
GRANT UPDATE (changes, epochs, streams, probes) ON plybook TO :"role";

-- What changes beside it: names and tags, tokens, hooks, and what is derived from the
-- events.
GRANT INSERT, UPDATE, DELETE ON facts, keys, hooks, summaries, summaries_due, steps,
    written, indexed, positions_due, texts, searchable, texts_due, counted, tallies,
    counted_positions, counted_moves, move_tallies TO :"role";
GRANT INSERT, DELETE ON people_texts TO :"role";
GRANT INSERT, UPDATE ON changes, eras, evenings TO :"role";
COMMIT;
