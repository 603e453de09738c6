"""Players who register a hook for each match, and the comparison of what arrived with the log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from faults.client import Door
from faults.ledger import Event, Ledger, read_stored
from faults.players import Player, Playing
from replay.store import Location
from tests.cluster.receiver import Receiver
from tests.waiting import PATIENCE


class HookedPlayer(Player):
    """A player whose matches each have a hook."""

    def __init__(self, receiver: Receiver, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.hooks: dict[str, str] = {}
        """The match of each hook."""
        self._receiver = receiver

    def _open(self, body: dict[str, Any]) -> Playing:
        match = super()._open(body)
        with self._asking(match.id) as key:
            path, body = f"/matches/{match.id}/hooks", {"url": self._receiver.url}
            answer = self.client.ask("POST", path, body, token=match.token, key=key)
        assert answer.status == 201, answer
        self.hooks[answer.json["id"]] = match.id
        return match


def hooked(receiver: Receiver) -> Callable[..., HookedPlayer]:
    """Return a function that makes players whose hooks call a receiver."""

    def make(door: Door, ledger: Ledger, seed: int, pause: float) -> HookedPlayer:
        return HookedPlayer(receiver, door, ledger, seed, pause)

    return make


def not_arrived(
    database: Location, receiver: Receiver, players: Sequence[HookedPlayer]
) -> list[Event]:
    """Return the events that do not reach their hooks, however long one waits."""
    hooks = {hook: match for player in players for hook, match in player.hooks.items()}
    stored = [thing for thing in read_stored(database) if isinstance(thing, Event)]
    over = time.monotonic() + PATIENCE
    while missing := list(_missing(hooks, stored, receiver)):
        if time.monotonic() > over:
            break
        time.sleep(0.1)
    return missing


def _missing(hooks: dict[str, str], stored: Sequence[Event], receiver: Receiver) -> Iterator[Event]:
    hook_of = {match: hook for hook, match in hooks.items()}
    arrived = {hook: set(receiver.events(hook)) for hook in hooks}
    for event in stored:
        hook = hook_of.get(event.match)
        if hook is not None and event not in arrived[hook]:
            yield event
