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
