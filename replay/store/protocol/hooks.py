"""WebHooks: where news of a match or of the whole book is sent, and how far that has come."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct


class FormerSecret(Struct, frozen=True):
    """A secret that deliveries are signed with until a time, besides the one that followed it."""

    secret: str
    until: int
    rotation: str | None


class Hook(Struct, frozen=True):
    """An address that gets news, and the secret that signs the deliveries.

    It is news of a match, or without a `stream` of the whole book. `delivered` is the last version,
    or number of a change, that arrived there. The last `failures` tries failed, the first
    of them at `since`; the next try is `due`. A `dead` hook is given up. `answer` is the result of
    the last try, at `tried`. Until `claimed` one server calls it, and no other does. Times are in
    milliseconds since 1970. `rotation` names the rotation that the secret comes from, if any; the
    `former` secrets are the newest first. `types` are the kinds of news that are wanted, all if it
    is empty; `site` is the address of the service as whoever registered the hook sees it.
    """

    id: str
    stream: int | None
    url: str
    secret: str
    created: int
    delivered: int
    failures: int = 0
    since: int | None = None
    due: int = 0
    dead: bool = False
    answer: str | None = None
    tried: int | None = None
    claimed: int = 0
    rotation: str | None = None
    former: tuple[FormerSecret, ...] = ()
    types: tuple[str, ...] = ()
    site: str = ""


class Hooks(Protocol):
    """Hooks by id, and claims on them: several servers deliver from one store.

    A hook is deleted with its match. `id`, `stream`, `url`, `created`, `types` and `site` never
    change.
    """

    def add_hook(self, hook: Hook) -> Future[None]:
        """Add a hook to a stream, or to the book. Raises `Usage` if there is one of its id."""
        ...

    def hooks(self, stream: int | None = None) -> list[Hook]:
        """Return the hooks of a stream, or of all, oldest first."""
        ...

    def hooks_due(self) -> list[Hook]:
        """Return the hooks that lack events of their match or changes, the first due first.

        Dead ones and those of matches in the trash are left out. Those that are claimed, or due
        later, are in the list: the caller compares the times.
        """
        ...

    def claim_hook(self, hook: str, now: int, until: int) -> Future[Hook | None]:
        """Reserve a hook for one server until then, to call it, and return it as it stands.

        `None` if it is not to be called now: it lacks nothing or is dead, it is due later, or
        another server has a claim that lasts beyond `now`. Of several who claim it at once exactly
        one succeeds, also across processes.
        """
        ...

    def put_hook(self, hook: Hook) -> Future[None]:
        """Store the progress of a hook and release the claim.

        Nothing happens unless `claimed` is still what `claim_hook` returned: a server whose claim
        has lapsed, or was taken away, must not undo what another has done.
        """
        ...

    def revive_hook(self, hook: str, due: int) -> Future[None]:
        """Make a hook due then, as if it had never failed, and take away any claim.

        A hook that does not exist is no error.
        """
        ...

    def rotate_hook(self, hook: Hook, secret: str) -> Future[bool]:
        """Store `secret`, `rotation` and `former` of a hook whose secret still is this one.

        Return whether it was. Everything else stays as it is, also a claim.
        """
        ...

    def drop_hook(self, hook: str) -> Future[None]:
        """Delete a hook. One that does not exist is no error."""
        ...
