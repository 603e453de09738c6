-- The triggers of new matches and of empty sums are those of `derived.py`, too.
DROP FUNCTION IF EXISTS note_new_match, drop_tally, drop_move_tally CASCADE;
