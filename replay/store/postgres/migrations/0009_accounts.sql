-- Players of the installation. A match in which an account gets a seat has changed.

CREATE TABLE accounts (  -- their seats are in keys
    name    text COLLATE "C" PRIMARY KEY,
    digest  bytea  NOT NULL UNIQUE CHECK (length(digest) = 32),  -- random: no token has it
    created bigint NOT NULL
);
CREATE TABLES account_tokens;
CREATE INDEX account_tokens_of ON account_tokens (account);

ALTER TABLE changes ADD seats bigint NOT NULL DEFAULT 0;  -- those of accounts
