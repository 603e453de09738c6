-- Evenings: their matches have the digest in keys, and the id in facts.
CREATE TABLE evenings (
    id      text   PRIMARY KEY,
    digest  bytea  NOT NULL CHECK (length(digest) = 32),  -- SHA-256 of the token in the link
    title   text   NOT NULL,
    date    text   NOT NULL,
    shown   text   NOT NULL,
    created bigint NOT NULL  -- milliseconds since 1970
);
CREATE INDEX evenings_of ON evenings(digest);
CREATE VIEW evening_matches AS
SELECT e.id AS evening, e.title, e.date, s.public_id AS "match" FROM evenings AS e
JOIN facts AS f ON f.name = 'evening.of' AND f.value = e.id
JOIN keys AS k ON k.stream = f.stream AND k.digest = e.digest
JOIN streams AS s ON s.id = f.stream
WHERE NOT s.trashed;
