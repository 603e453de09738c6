-- Evenings: their matches have the digest in keys, and the id in facts.
CREATE TABLES evenings;
CREATE INDEX evenings_of ON evenings(digest);
