"""The triggers of derived data in PostgreSQL, translated from SQLite's.

They are made anew after each migration. `migrations` has what PostgreSQL does in its own way: once
for all rows of a statement, because the book is locked meanwhile, and moves counted by `moves_of`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from replay.store import derived

OWN: Final = ("changes_event", "summaries_insert", "summaries_update", "family_recount")
"""The triggers for which `migrations` has something else."""
COUNTED: Final = {
    "counted_positions_insert": (
        "INSERT INTO counted_moves SELECT * FROM moves_of(NULL, NEW.key)",
    ),
}
CARRIER: Final = (
    "AFTER UPDATE OF public_id ON streams",
    "starts_with(NEW.public_id, '~') AND NOT starts_with(OLD.public_id, '~')",
)
"""A match that is deleted for good becomes a carrier if it has forks."""
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
    (r"s\.public_id, 1,", "s.public_id, true,"),
    (r"INSERT INTO family_changes (.+)", r"PERFORM recount_family(src) FROM (\1) AS families"),
    (r"public = 0", "public = false"),
)
"""What SQLite says, and how PostgreSQL says it."""


def statements() -> str:
    """Return the SQL that makes all triggers of derived data, or replaces them."""
    return "\n".join(_trigger(trigger) for trigger in _triggers())


def _triggers() -> Iterator[derived.Trigger]:
    for trigger in derived.triggers():
        if trigger.name not in OWN:
            yield trigger._replace(actions=COUNTED.get(trigger.name, trigger.actions))
        if trigger.name == "changes_purge":
            yield derived.Trigger("changes_carrier", *CARRIER, trigger.actions)


def _trigger(trigger: derived.Trigger) -> str:
    name, event, condition, actions = trigger
    body = " ".join(f"{_translated(action)};" for action in actions)
    condition = _translated(condition)
    if "SELECT" in condition:  # not allowed in WHEN
        condition, body = "", f"IF {condition} THEN {body} END IF;"
    when = f"WHEN ({condition}) " if condition else ""
    return f"""
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {body} RETURN coalesce(NEW, OLD); END $$;
CREATE OR REPLACE TRIGGER {name} {event} FOR EACH ROW {when}EXECUTE FUNCTION {name}();
"""


def _translated(sql: str) -> str:
    for sqlite, postgres in WORDS:
        sql = re.sub(sqlite, postgres, sql)
    return sql
