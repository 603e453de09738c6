-- Challenges were replaced by matches with an open seat.
DROP TABLE IF EXISTS challenges;
