-- Most writes take nobody a right to write. Those that may are counted apart, so that what a server
-- remembers of its callers outlasts the moves that other servers store.

ALTER TABLE plybook ADD epochs bigint NOT NULL DEFAULT 0;  -- transactions that ended an epoch
