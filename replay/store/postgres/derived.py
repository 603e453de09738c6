"""The views and triggers of `derived` in PostgreSQL, translated from SQLite's.

They are created again after each migration. `migrations` has the triggers that PostgreSQL calls
once for all events of a statement, because the book is locked meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from replay.store import derived

BY_STATEMENT: Final = "changes_event"
"""The trigger that `migrations` has for all events of a statement."""
FAMILY: Final = "family_recount"
"""The trigger of a view.

It is a function, so that a role needs no right to insert into the view.
"""
CARRIER: Final = (
    "AFTER UPDATE OF public_id ON streams",
    "starts_with(NEW.public_id, '~') AND NOT starts_with(OLD.public_id, '~')",
)
"""A match that is deleted for good becomes a carrier if it has forks."""
STEP: Final = "p.key, g.src, p.version"
WORDS: Final = (
    (re.escape(derived.NOW), "now_ms()"),
    (r"GLOB '(Seat\[1-9])'", r"~ '^\1$'"),
    (r"GLOB '\*\.\*'", "LIKE '%.%'"),
    (r"instr\((\S+), CAST\((\S+) AS BLOB\)\)", r"position(\2::bytea IN \1) > 0"),
    (r"instr\(NEW\.header, \S+\)( > 0)?", "is_variation(NEW.header)"),
    (r"public IS 1", "public IS true"),
    (r"\(SELECT 1\) LEFT", "(SELECT 1) AS one LEFT"),
    (r"INSERT OR IGNORE (.+)", r"INSERT \1 ON CONFLICT DO NOTHING"),
    # An index holds no text of thousands of letters.
    (r"(ON CONFLICT \(.+?)\b(token|value)\b", r"\1md5(\2)"),
    (r"(token|value) = NEW\.\1", r"md5(\1) = md5(NEW.\1)"),
    (r"INTO (\w*tallies)", r"INTO \1 AS former"),
    (r"(\w+) = \1 \+", r"\1 = former.\1 +"),
    (r"stream, s\.public_id, 1,", "stream, s.public_id, true,"),
    (r"INSERT INTO family_changes (.+)", r"PERFORM recount_family(src) FROM (\1) AS families"),
    (r"public = 0", "public = false"),
    # The oldest stream represents a group; PostgreSQL requires a name for a query in FROM.
    (r"SELECT (r\.src .+), min\(p\.stream\)", rf"SELECT DISTINCT ON ({STEP}) \1, p.stream"),
    (f"GROUP BY {STEP}", f"ORDER BY {STEP}, p.stream"),
    (r"\) (JOIN summaries|GROUP BY root)", r") AS found \1"),
    (r"CROSS JOIN", "JOIN"),
    (r"datetime\((\S+ / 1000), 'unixepoch'\)", r"to_timestamp(\1)"),
    (r"json_extract\(s\.header, '\$\.seats'\)", "(s.header::json ->> 'seats')::bigint"),
    (r"iif\((.+), ('\w+'), (\S+)\),", r"CASE WHEN \1 THEN \2 ELSE \3 END,"),
)
"""Patterns of SQL for SQLite, and the same in PostgreSQL."""


def statements() -> str:
    """Return the SQL that makes all views and triggers of `derived`, or replaces them."""
    views = _translated(derived.VIEWS + derived.MOVES_VIEW)
    views = views.replace("CREATE VIEW", "CREATE OR REPLACE VIEW")
    return "\n".join((views, *map(_made, _triggers())))


def _triggers() -> Iterator[derived.Trigger]:
    for trigger in derived.triggers():
        if trigger.name != BY_STATEMENT:
            yield trigger
        if trigger.name == "changes_purge":
            yield derived.Trigger("changes_carrier", *CARRIER, trigger.actions)


def _made(trigger: derived.Trigger) -> str:
    name, event, condition, actions = trigger
    body = " ".join(f"{_translated(action)};" for action in actions)
    condition = _translated(condition)
    if "SELECT" in condition:  # not allowed in WHEN
        condition, body = "", f"IF {condition} THEN {body} END IF;"
    if name == FAMILY:
        body = body.replace("NEW.root", "of_root")
        return _function("recount_family(of_root bigint)", "void", body)
    when = f"WHEN ({condition}) " if condition else ""
    return f"""{_function(f"{name}()", "trigger", f"{body} RETURN coalesce(NEW, OLD);")}
CREATE OR REPLACE TRIGGER {name} {event} FOR EACH ROW {when}EXECUTE FUNCTION {name}();
"""


def _function(head: str, answer: str, body: str) -> str:
    return f"""
CREATE OR REPLACE FUNCTION {head} RETURNS {answer} LANGUAGE plpgsql AS $$
BEGIN {body} END $$;"""


def _translated(sql: str) -> str:
    for sqlite, postgres in WORDS:
        sql = re.sub(sqlite, postgres, sql)
    return sql
