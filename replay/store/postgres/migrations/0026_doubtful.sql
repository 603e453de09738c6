-- A doubtful match counts again in statistics, so that they can leave it out.
ALTER TABLE summaries ADD COLUMN doubtful boolean NOT NULL DEFAULT false;

CREATE OR REPLACE VIEW countable AS
    SELECT m.stream, m.game, coalesce((SELECT value FROM facts
            WHERE stream = m.stream AND name = 'access.visibility'), 'unlisted') AS visibility,
        (SELECT jsonb_agg(jsonb_build_array(what || again, value) ORDER BY what, value, again)
        FROM (
            SELECT 'result' AS what, m.result AS value
            UNION ALL SELECT 'clause', m.clause WHERE m.clause <> ''
            UNION ALL SELECT 'plies', m.plies::text WHERE m.result <> '*'
            UNION ALL SELECT 'turns', m.turns::text WHERE m.result <> '*'
            UNION ALL SELECT 'stood', jsonb_array_elements_text(
                convert_from(m.standing, 'UTF8')::jsonb -> 'stood')
            WHERE position('"stood"'::bytea IN m.standing) > 0
            UNION ALL SELECT way.what, f.value
            FROM facts AS f JOIN places AS p ON p.stream = f.stream AND f.name = 'Seat' || p.seat
            CROSS JOIN LATERAL (VALUES (p.result), ('place ' || p.place)) AS way(what)
            WHERE f.stream = m.stream AND f.name ~ '^Seat[1-9]$' AND f.value <> '?'
                AND way.what IS NOT NULL
        ) AS pairs CROSS JOIN (SELECT '' AS again UNION ALL SELECT ' doubtful' WHERE m.doubtful) AS d
        ) AS counts
    FROM summaries AS m JOIN streams AS s ON s.id = m.stream
    WHERE m.kind = 'match' AND NOT s.trashed;

-- Every match counts once; the triggers of an older database have done that already.
INSERT INTO counted SELECT * FROM countable ON CONFLICT DO NOTHING;
INSERT INTO tallies SELECT game, visibility, what, value, count(*) FROM tallied
GROUP BY game, visibility, what, value ON CONFLICT DO NOTHING;

CREATE OR REPLACE VIEW matches AS
    SELECT s.public_id AS match, m.game, s.header::json ->> 'rules' AS rules,
        (SELECT value FROM facts WHERE stream = s.id AND name = 'Date') AS date,
        to_timestamp((s.header::json ->> 'created')::bigint / 1000) AS opened,
        to_timestamp(m.last / 1000) AS last,
        (SELECT string_agg(value, ' - ' ORDER BY name) FROM facts
            WHERE stream = s.id AND name ~ '^Seat[1-9]$') AS players,
        m.result, (SELECT string_agg(f.value, ' - ' ORDER BY f.name) FROM facts AS f
            JOIN places AS p ON p.stream = f.stream AND f.name = 'Seat' || p.seat
            WHERE f.stream = s.id AND p.result = 'won') AS winner,
        m.clause AS ended_by, m.plies, m.turns,
        coalesce(json_array_length(convert_from(m.standing, 'UTF8')::json -> 'stood'), 0)
            AS stood,
        coalesce((SELECT head = s.head FROM indexed WHERE stream = s.id), false) AS indexed,
        m.doubtful
    FROM streams AS s JOIN summaries AS m ON m.stream = s.id
    WHERE s.kind = 'match' AND m.kind = 'match' AND NOT s.trashed
        AND NOT starts_with(s.public_id, '~');
