-- Who sat where, for people who query a book.
CREATE VIEW seat_changes AS
    SELECT s.public_id AS match, m.game, p.number, p.event, nullif(p.seat, 0) AS seat,
        nullif(p.other, 0) AS other, (SELECT nullif(text, '') FROM people_texts AS t
            WHERE t.stream = s.id AND t.number = p.number AND t.kind = 'name') AS player,
        p.after_version, to_timestamp(p.at / 1000) AS at,
        nullif(CASE WHEN p.author LIKE 'scorekeeper %' THEN 'scorekeeper' ELSE p.author END, '')
            AS author,
        (SELECT nullif(text, '') FROM people_texts AS t
            WHERE t.stream = s.id AND t.number = p.number AND t.kind = 'reason') AS reason
    FROM streams AS s JOIN summaries AS m ON m.stream = s.id JOIN people AS p ON p.stream = s.id
    WHERE s.kind = 'match' AND m.kind = 'match' AND NOT s.trashed
        AND NOT starts_with(s.public_id, '~');
