"""A bot worker that hears from a broker which seats want a bot, and claims them on the websocket as any worker does."""

import logging
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from warroom_bots.registry import best_first, bots_for
from warroom_bots.runner import Think
from warroom_bots.thinking import Thinking
from warroom_bots.worker import Worker
from warroom_client.broker_line import BrokerLine
from warroom_protocol import messages as wire

MOST_GAMES: Final = 256
"""So many games are looked up; whoever may write to the broker could name more than there are."""

logger = logging.getLogger(__name__)


class Announced(Struct, frozen=True):
    """A seat that wants a bot (None: any), as far as a worker needs to know of it."""

    room: int
    game: str
    ticket: int
    bot: str | None


_announcements = msgspec.json.Decoder(Announced)


class ListeningWorker(Worker):
    """Hears of seats from a broker instead of being asked by a server.

    Many may listen; the first to come has the seat, and others are told `claim.gone`, which costs them nothing.
    """

    def __init__(
        self,
        url: str,
        line: BrokerLine,
        *,
        key: str,
        seats: int,
        thinking: Thinking,
        think: Think | None = None,
    ) -> None:
        super().__init__(url, key=key, seats=seats, thinking=thinking, think=think)
        self._line = line
        self._names: dict[str, Sequence[str]] = {}
        """By game, the bots for it, the best first."""

    async def run(self) -> None:
        """Work; raise `ClientError` only if coming back to the broker could not help."""
        try:
            await self._line.run(self)
        finally:
            await self._leave_all()

    # --- what the line tells ----------------------------------------------------------------------------------------

    def heard(self, topic: str, payload: bytes) -> None:
        """Bring a bot to a seat that wants one, if there is such a bot."""
        try:
            seat = _announcements.decode(payload)
        except msgspec.MsgspecError:
            return
        names = self._bots_of(seat.game)
        bot = names[0] if names and seat.bot is None else seat.bot
        if bot is not None and bot in names:
            self._take(wire.Summon(seat.room, seat.ticket, seat.game, bot))

    def opened(self) -> None:
        """Note that the line is open."""
        logger.info("listening")

    def lost(self, reason: str) -> None:
        """Note that the line broke."""
        logger.warning("line lost reason=%s", reason)

    def is_missing_something(self) -> bool:
        """Whether something retained would help: announcements are not."""
        return False

    def _bots_of(self, game: str) -> Sequence[str]:
        if game not in self._names and len(self._names) < MOST_GAMES:
            kinds = bots_for(game)
            self._kinds |= {(game, name): kind for name, kind in kinds.items()}
            self._names[game] = best_first(kinds)
        return self._names.get(game, ())
