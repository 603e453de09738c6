-- A token is a credential; the text of a move is its text.
ALTER VIEW IF EXISTS moves RENAME COLUMN token TO text;
