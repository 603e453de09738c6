-- A token may open many matches: a page of them is read in the order of their numbers.

DROP INDEX IF EXISTS keys_by_digest;
CREATE INDEX keys_by_digest ON keys (digest, stream);
