ALTER TABLE written ADD COLUMN unsure boolean NOT NULL DEFAULT false;
ALTER TABLE written ADD COLUMN reconstructed text NOT NULL DEFAULT '';  -- JSON: how it was found
