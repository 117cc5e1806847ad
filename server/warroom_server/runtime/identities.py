"""Whether tokens still count: only the store knows which of a player's tokens were made void."""

import asyncio
from collections.abc import Callable, Sequence

from warroom_protocol import codes
from warroom_protocol.messages import Hello, Join
from warroom_server.ports import Clock, Store, UnavailableError
from warroom_server.runtime.chores import Chores
from warroom_server.runtime.lines import Line, Lines
from warroom_server.session.effects import Confirm, SessionEffect

RETRY_S = 0.25
"""How long to wait before a store that did not answer is asked again."""
PATIENCE_MS = 5_000
"""How long a join may wait for a store that is away."""


class Identities:
    """Looks tokens up, one task each; *resolve* does what the session says to the answer.

    While the store is away, a hello waits until it is out of time, which closes its connection, and a join for
    `PATIENCE_MS`.
    """

    def __init__(
        self, store: Store, *, lines: Lines, clock: Clock, resolve: Callable[[Line, Sequence[SessionEffect]], object]
    ) -> None:
        self._store = store
        self._lines = lines
        self._clock = clock
        self._resolve = resolve
        self.chores = Chores()

    def confirm(self, line: Line, asked: Confirm) -> None:
        """Find out whether a token is of its player's latest generation, and tell the session."""
        self.chores.begin(self._confirm(line, asked), on_bug=lambda: self._give_up(line, asked, codes.INTERNAL))

    async def _confirm(self, line: Line, asked: Confirm) -> None:
        give_up_at = self._clock.now() + PATIENCE_MS
        while line.connection.id in self._lines:
            try:
                is_valid = await self._is_valid(asked)
            except UnavailableError:
                if isinstance(asked.of, Join) and self._clock.now() >= give_up_at:
                    self._give_up(line, asked, codes.STORE_UNAVAILABLE)
                    return
                await asyncio.sleep(RETRY_S)
                continue
            if line.connection.id in self._lines:
                self._resolve(line, line.session.confirmed(asked, is_valid=is_valid))
            if is_valid and isinstance(asked.of, Hello) and asked.of.rotate:
                self._part_with_others(line, asked.identity.player)
            return

    def _give_up(self, line: Line, asked: Confirm, code: str) -> None:
        if line.connection.id in self._lines:
            self._resolve(line, line.session.unconfirmed(asked, code))

    async def _is_valid(self, asked: Confirm) -> bool:
        player, generation = asked.identity.player, asked.identity.generation
        if isinstance(asked.of, Hello) and asked.of.rotate:
            return await self._store.rotate(player, generation, asked.of.ref)
        return await self._store.generation(player) == generation

    def _part_with_others(self, line: Line, player: str) -> None:
        """Close every other connection that speaks for a player: it came with a token that is void now."""
        for other in self._lines:
            if other is not line and other.session.speaks_for(player):
                other.connection.close(codes.CLOSE_ROTATED, codes.CLOSES[codes.CLOSE_ROTATED])
