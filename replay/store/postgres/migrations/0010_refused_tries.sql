-- Count the refused tries of matches without reading their other events.

CREATE INDEX refused_tries ON events (pos) WHERE type = 'try refused';
