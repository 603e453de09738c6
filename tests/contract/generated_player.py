"""Play matches with a client that was generated from the schema, as a foreign program would.

Reads a list of matches from standard input and runs in the client's environment, so it knows
nothing of Plybook but the client. Writes the outcomes.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from plybook_client import AuthenticatedClient, Client
from plybook_client.api.events import enter_events
from plybook_client.api.hints import hint, list_legal
from plybook_client.api.matches import open_a_match, show_match
from plybook_client.models import (
    EnteredEvents,
    EventEntries,
    EventEntry,
    Hint,
    LegalMoves,
    MatchOpening,
    OpenedMatch,
    Outcome,
    Refusal,
    Standing,
)


def main(url: str) -> None:
    """Play all matches and write their outcomes."""
    json.dump([_play(url, match) for match in json.load(sys.stdin)], sys.stdout)


def _play(url: str, match: dict[str, Any]) -> Any:
    spectator = Client(base_url=url)
    opened = open_a_match.sync(client=spectator, body=MatchOpening.from_dict(match["opening"]))
    assert isinstance(opened, OpenedMatch), opened
    tokens = opened.tokens
    host = AuthenticatedClient(base_url=url, token=tokens.host)
    seats = {
        int(seat): AuthenticatedClient(base_url=url, token=token)
        for seat, token in tokens.seats.additional_properties.items()
    }
    before = list_legal.sync(opened.match, client=spectator)
    assert isinstance(before, LegalMoves), before
    begun = hint.sync(opened.match, client=seats[1], prefix="1:")
    assert isinstance(begun, Hint), begun
    for version, sent in enumerate(match["events"]):
        entry = EventEntry.from_dict(sent)
        assert entry.to_dict() | sent == entry.to_dict(), (entry, sent)
        writer = seats[sent["seat"]] if match["by_seats"] and "seat" in sent else host
        entered = enter_events.sync(
            opened.match, client=writer, body=EventEntries(events=[entry]), if_match=f'"{version}"'
        )
        assert isinstance(entered, EnteredEvents), entered
        assert entered.version == version + 1
        assert len(entered.events) == 1
    late = enter_events.sync(
        opened.match, client=host, body=EventEntries(events=[EventEntry(text="1:resign")])
    )
    assert isinstance(late, Refusal), late
    assert late.clause == "over"
    standing = show_match.sync(opened.match, client=spectator)
    assert isinstance(standing, Standing), standing
    assert isinstance(standing.outcome, Outcome), standing
    assert standing.awaiting == []
    return standing.outcome.to_dict()


main(sys.argv[1])
