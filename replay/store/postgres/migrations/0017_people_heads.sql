-- The last events of people, so that one that is cut off is missed.
CREATE TABLES people_heads;
INSERT INTO people_heads SELECT DISTINCT ON (stream) stream, number, hash FROM people
    ORDER BY stream, number DESC;
CREATE FUNCTION move_people_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO people_heads VALUES (NEW.stream, NEW.number, NEW.hash)
        ON CONFLICT (stream) DO UPDATE SET number = excluded.number, hash = excluded.hash;
    RETURN NULL;
END $$;
CREATE FUNCTION guard_people_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM people
            WHERE stream = NEW.stream AND number = NEW.number AND hash = NEW.hash)
        OR TG_OP = 'UPDATE' AND (OLD.stream, OLD.number + 1) <> (NEW.stream, NEW.number) THEN
        RAISE EXCEPTION 'the head of people moves with an event only';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER people_head AFTER INSERT ON people
    FOR EACH ROW EXECUTE FUNCTION move_people_head();
CREATE TRIGGER people_heads_move BEFORE INSERT OR UPDATE ON people_heads
    FOR EACH ROW EXECUTE FUNCTION guard_people_head();
CREATE TRIGGER people_heads_delete BEFORE DELETE ON people_heads
    FOR EACH ROW EXECUTE FUNCTION guard_person();
CREATE TRIGGER people_heads_truncate BEFORE TRUNCATE ON people_heads
    EXECUTE FUNCTION forbid_change('the head of people');
