"""A bot worker that learns of open seats from a broker, and claims them on the websocket like any worker."""

import logging
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from warroom_bots.bot_executor import BotExecutor
from warroom_bots.registry import best_first, bots_for
from warroom_bots.runner import Think
from warroom_bots.worker import Offers, Worker
from warroom_client.mqtt_subscription import MqttSubscription
from warroom_protocol import messages as wire

MOST_GAMES: Final = 256
"""Limit of looked-up games; anyone with write access to the broker could name more."""

logger = logging.getLogger(__name__)


class Announced(Struct, frozen=True):
    """A seat that needs a bot (None: any bot), as far as a worker must know it."""

    room: int
    game: str
    ticket: int
    bot: str | None


_announcements = msgspec.json.Decoder(Announced)


class MqttWorker(Worker):
    """Learns of open seats from a broker instead of a server.

    Several may listen; the first to claim gets the seat, and the others get `claim.gone`, which costs nothing.
    """

    def __init__(
        self,
        url: str,
        line: MqttSubscription,
        *,
        key: str,
        seats: int,
        executor: BotExecutor,
        think: Think | None = None,
        offers: Offers = bots_for,
    ) -> None:
        super().__init__(url, key=key, seats=seats, executor=executor, think=think, offers=offers)
        self._line = line
        self._names: dict[str, Sequence[str]] = {}
        """The bots of each game, best first."""

    async def run(self) -> None:
        """Run; raise `ClientError` only if reconnecting to the broker cannot help."""
        try:
            await self._line.run(self)
        finally:
            await self._leave_all()

    # --- broker events ---------------------------------------------------------------------------------------------

    def heard(self, topic: str, payload: bytes) -> None:
        """Send a bot to an open seat, if there is a suitable one."""
        try:
            seat = _announcements.decode(payload)
        except msgspec.MsgspecError:
            return
        names = self._bots_of(seat.game)
        bot = names[0] if names and seat.bot is None else seat.bot
        if bot is not None and bot in names:
            self._take(wire.Summon(seat.room, seat.ticket, seat.game, bot))

    def opened(self) -> None:
        """Note that the connection is open."""
        logger.info("listening")

    def lost(self, reason: str) -> None:
        """Note that the connection is lost."""
        logger.warning("line lost reason=%s", reason)

    def is_missing_something(self) -> bool:
        """Whether retained messages would help; announcements are not retained."""
        return False

    def _bots_of(self, game: str) -> Sequence[str]:
        if game not in self._names and len(self._names) < MOST_GAMES:
            kinds = self._offers(game)
            self._kinds |= {(game, name): kind for name, kind in kinds.items()}
            self._names[game] = best_first(kinds)
        return self._names.get(game, ())
