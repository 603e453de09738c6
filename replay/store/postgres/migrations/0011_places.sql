-- What a result means for each seat, in one view; matches, players and statistics read it there.

CREATE VIEW places AS
    SELECT m.stream, seat, CASE m.result WHEN '*' THEN 'unfinished' WHEN '=' THEN 'drawn'
            ELSE CASE WHEN seat::text = ANY (string_to_array(substr(m.result, 2), ','))
                THEN 'won' ELSE 'lost' END END AS result,
        CASE WHEN position('"ranks"'::bytea IN m.standing) > 0 THEN (
            WITH ranks AS (SELECT one.value, one.number FROM jsonb_array_elements(
                convert_from(m.standing, 'UTF8')::jsonb #> '{outcome,ranks}')
                WITH ORDINALITY AS one(value, number))
            SELECT 1 + coalesce(sum(jsonb_array_length(better.value)), 0)
            FROM ranks AS own LEFT JOIN ranks AS better ON better.number < own.number
            WHERE own.value @> to_jsonb(seat) HAVING count(*) > 0) END AS place
    FROM summaries AS m CROSS JOIN generate_series(1, 9) AS seat;
