-- The moves of much played positions are counted as in `derived.py`, too, and summaries that are due.
DROP VIEW IF EXISTS countable_moves, passed_positions;
DROP FUNCTION IF EXISTS moves_of, is_private, note_new_summaries, note_new_summary CASCADE;
