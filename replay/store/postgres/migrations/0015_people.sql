-- Who played: events in a hash chain beside the log, and their erasable texts.
CREATE TABLES people, people_texts;
CREATE FUNCTION guard_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT 1 FROM purging WHERE stream = OLD.stream) THEN
            RAISE EXCEPTION 'an event of people is deleted only when its match is purged';
        END IF;
        RETURN OLD;
    END IF;
    IF NEW.number IS DISTINCT FROM
        (SELECT count(*) + 1 FROM people WHERE stream = NEW.stream) THEN
        RAISE EXCEPTION 'an event of people comes after the last one';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER people_append BEFORE INSERT ON people
    FOR EACH ROW EXECUTE FUNCTION guard_person();
CREATE TRIGGER people_delete BEFORE DELETE ON people
    FOR EACH ROW EXECUTE FUNCTION guard_person();
CREATE TRIGGER people_update BEFORE UPDATE ON people
    FOR EACH ROW EXECUTE FUNCTION forbid_change('an event of people');
CREATE TRIGGER people_texts_update BEFORE UPDATE ON people_texts
    FOR EACH ROW EXECUTE FUNCTION forbid_change('a text of people');
CREATE TRIGGER people_truncate BEFORE TRUNCATE ON people
    EXECUTE FUNCTION forbid_change('the chain of people');
