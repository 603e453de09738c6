-- The trigger that opens a match in the feed is that of `derived.py`, too.
DROP FUNCTION IF EXISTS number_stream CASCADE;
