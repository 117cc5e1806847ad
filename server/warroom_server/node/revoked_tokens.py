"""Checks whether tokens are still valid: only the store knows which tokens of a player are void."""

import asyncio
import logging
from collections.abc import Sequence

from warroom_protocol import codes
from warroom_protocol.messages import Hello
from warroom_server.hosting.connections import Client, Connections
from warroom_server.loop.tasks import Tasks, end
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import Store, UnavailableError
from warroom_server.ports.time import Clock
from warroom_server.session.effects import Confirm, SessionEffect

logger = logging.getLogger(__name__)

RETRY_S = 0.25
"""How long to wait before a store that did not answer is asked again."""
REVIEW_S = 1.0
"""How often connections are reviewed, whose tokens may have become void on another node."""
REVIEWED = 1_000
"""How many connections are reviewed at a time."""
PATIENCE_MS = 5_000
"""How long a hello or a join may wait for a store that is away."""


class Tokens:
    """Looks tokens up, one task each.

    While the store is away, a hello or join waits for `PATIENCE_MS`; then a join is refused, and a hello closed.
    """

    def __init__(self, store: Store, connections: Connections, clock: Clock) -> None:
        self.checked: Signal[Client, Sequence[SessionEffect]] = Signal()
        """A session has learned about its token; these are the effects."""
        self._store = store
        self._connections = connections
        self._clock = clock
        self.tasks = Tasks()
        self._reviewer: asyncio.Task[None] | None = None
        self._unreviewed: list[Client] = []
        """The connections that this round has not reviewed yet."""

    def confirm(self, client: Client, asked: Confirm) -> None:
        """Check whether a token is of its player's latest generation, and tell the session."""
        self.tasks.begin(self._confirm(client, asked), on_bug=lambda: self._give_up(client, asked, codes.INTERNAL))

    async def _confirm(self, client: Client, asked: Confirm) -> None:
        give_up_at = self._clock.now() + PATIENCE_MS
        while client.is_open:
            try:
                is_valid = await self._is_valid(asked)
            except UnavailableError:
                if self._clock.now() >= give_up_at:
                    self._give_up(client, asked, codes.STORE_UNAVAILABLE)
                    return
                await asyncio.sleep(RETRY_S)
                continue
            if client.is_open:
                self.checked(client, client.session.confirmed(asked, is_valid=is_valid))
            if is_valid and isinstance(asked.of, Hello) and asked.of.rotate:
                self._part_with_others(client, asked.identity.player)
            return

    def _give_up(self, client: Client, asked: Confirm, code: str) -> None:
        if client.is_open:
            self.checked(client, client.session.unconfirmed(asked, code))

    async def _is_valid(self, asked: Confirm) -> bool:
        player, generation = asked.identity.player, asked.identity.generation
        if isinstance(asked.of, Hello) and asked.of.rotate:
            return await self._store.rotate(player, generation, asked.of.ref)
        return await self._store.generations([player]) == [generation]

    def _part_with_others(self, client: Client, player: str) -> None:
        """Close every other connection that speaks for a player: its token is void now."""
        for other in self._connections:
            if other is not client and any(identity.player == player for identity in other.session.identities):
                other.close(codes.CLOSE_ROTATED)

    # --- tokens that became void on another node ----------------------------------------------------------------

    def start(self) -> asyncio.Task[None]:
        """Start to review connections periodically; the task ends by `close` or by a bug."""
        self._reviewer = asyncio.get_running_loop().create_task(self._review_all(), name="identities")
        return self._reviewer

    async def close(self) -> None:
        """Stop reviewing, and cancel what waits for the store."""
        await self.tasks.close()
        await end(self._reviewer)

    async def _review_all(self) -> None:
        while True:
            await asyncio.sleep(REVIEW_S)
            try:
                await self.review()
            except UnavailableError as error:
                logger.info("tokens not reviewed reason=%r", str(error))

    async def review(self) -> None:
        """Close those of the next connections whose tokens are void by now."""
        connections, self._unreviewed = self._unreviewed or list(self._connections), []
        connections, self._unreviewed = connections[:REVIEWED], connections[REVIEWED:]
        players = sorted({identity.player for client in connections for identity in client.session.identities})
        latest = dict(zip(players, await self._store.generations(players), strict=True))
        for client in connections:
            # Tokens of other players that it used meanwhile were checked just then.
            if any(latest.get(each.player, 0) > each.generation for each in client.session.identities):
                client.close(codes.CLOSE_ROTATED)
