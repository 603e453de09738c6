-- Views for people who query a book, in SQLite's words; `postgres/derived.py` translates them. They
-- show no variations, nothing in the trash, and no text that only its seat may see.
CREATE VIEW moves AS
SELECT s.public_id AS "match", m.game, w.ply, w.turn, nullif(w.seat, 0) AS seat,
    (SELECT value FROM facts WHERE stream = s.id AND name = 'Seat' || w.seat) AS player,
    w.token AS text, nullif(w.clause, '') AS stood_against,
    datetime(e.at / 1000, 'unixepoch') AS at,
    w.unsure, nullif(w.reconstructed, '') AS reconstructed
FROM streams AS s CROSS JOIN summaries AS m ON m.stream = s.id
CROSS JOIN written AS w ON w.stream = s.id
CROSS JOIN segments AS g ON g.stream = s.id AND w.version BETWEEN g.lo AND g.hi
CROSS JOIN events AS e ON e.stream = g.src AND e.version = w.version
WHERE s.kind = 'match' AND m.kind = 'match' AND NOT s.trashed
    AND substr(s.public_id, 1, 1) <> '~';
CREATE VIEW players AS
SELECT s.public_id AS "match", m.game, p.seat,
    (SELECT value FROM facts WHERE stream = s.id AND name = 'Seat' || p.seat) AS player,
    p.result, p.place
FROM streams AS s JOIN summaries AS m ON m.stream = s.id
JOIN places AS p ON p.stream = s.id AND p.seat <= json_extract(s.header, '$.seats')
WHERE s.kind = 'match' AND m.kind = 'match' AND NOT s.trashed
    AND substr(s.public_id, 1, 1) <> '~';
CREATE VIEW evening_matches AS
SELECT e.id AS evening, e.title, e.date, s.public_id AS "match" FROM evenings AS e
JOIN facts AS f ON f.name = 'evening.of' AND f.value = e.id
JOIN keys AS k ON k.stream = f.stream AND k.digest = e.digest
JOIN streams AS s ON s.id = f.stream
WHERE NOT s.trashed;
CREATE VIEW seat_changes AS
SELECT s.public_id AS "match", m.game, p.number, p.event, nullif(p.seat, 0) AS seat,
    nullif(p.other, 0) AS other, (SELECT nullif(text, '') FROM people_texts AS t
        WHERE t.stream = s.id AND t.number = p.number AND t.kind = 'name') AS player,
    p.after_version, datetime(p.at / 1000, 'unixepoch') AS at,
    nullif(iif(p.author LIKE 'scorekeeper %', 'scorekeeper', p.author), '') AS author,
    (SELECT nullif(text, '') FROM people_texts AS t
        WHERE t.stream = s.id AND t.number = p.number AND t.kind = 'reason') AS reason
FROM streams AS s JOIN summaries AS m ON m.stream = s.id JOIN people AS p ON p.stream = s.id
WHERE s.kind = 'match' AND m.kind = 'match' AND NOT s.trashed
    AND substr(s.public_id, 1, 1) <> '~';
