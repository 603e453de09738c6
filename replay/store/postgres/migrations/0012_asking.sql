-- Accounts that are asked before a match is theirs.

CREATE TABLE asking (  -- accounts that were ever asked
    account bytea   PRIMARY KEY REFERENCES accounts (digest),
    digest  bytea   NOT NULL UNIQUE CHECK (length(digest) = 32),  -- in keys: what it is asked for
    asks    integer NOT NULL CHECK (asks IN (0, 1))  -- whether it is asked from now on
);
