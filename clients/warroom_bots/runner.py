"""Plays one seat of one room with a bot, over the wire like any other player."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from warroom_bots.api import Action, Bot, Decision
from warroom_client import Ended, Event, Prompted, RejectedError, Room
from warroom_games.rng import Rng
from warroom_protocol import codes

RETRY_S: Final = 0.25
MARGIN_MS: Final = 500
"""What is left of a turn when thinking ends at the latest, so that the action still arrives in time."""

OVERTAKEN: Final = frozenset({codes.ACT_STALE, codes.ACT_LATE, codes.ROOM_ENDED, codes.SEAT_OUT, codes.SEAT_NONE})
"""Refusals that say that the decision is no longer open: the clock or another device was faster."""
CROWDED: Final = frozenset(
    {codes.ACT_BUSY, codes.RATE_LIMITED, codes.ROOM_BUSY, codes.ROOM_MOVING, codes.STORE_UNAVAILABLE}
)
"""Refusals after which the same may be tried again; an action then goes under a new id."""

logger = logging.getLogger(__name__)


class Think(Struct, frozen=True):
    """How long a bot seems to think about each action, in milliseconds."""

    shortest_ms: int = 0
    longest_ms: int = 0

    def draw(self, rng: Rng) -> tuple[int, Rng]:
        """Draw a time between the two."""
        extra, rng = rng.below(self.longest_ms - self.shortest_ms + 1)
        return self.shortest_ms + extra, rng

    def at_least(self, least_ms: int) -> "Think":
        """Return a time to think that is never shorter than *least_ms*."""
        return Think(max(self.shortest_ms, least_ms), max(self.longest_ms, least_ms))


class Runner:
    """A bot at its seat."""

    def __init__(self, room: Room, bot: Bot, rng: Rng, *, think: Think) -> None:
        self._room = room
        self._bot = bot
        self._rng = rng
        self._think = think

    async def play(self, watch: Callable[[Event], None] = lambda event: None) -> Ended:
        """Play until the match is over and return how it ended; *watch* is told everything that happens."""
        async for event in self._room:
            watch(event)
            match event:
                case Prompted(turn=turn):
                    await self._decide(turn)
                case Ended():
                    return event
                case _:
                    continue
        raise AssertionError("the events of a room end with the match")

    async def _decide(self, turn: int) -> None:
        await self._pause()
        while True:
            try:
                action = await self._choose(turn)
                if action is not None:
                    await self._room.act(action, turn=turn)
            except RejectedError as refused:
                if refused.code in OVERTAKEN:
                    logger.info("room=%s decision=%d overtaken code=%s", self._room.code, turn, refused.code)
                    return
                if refused.code not in CROWDED:
                    raise
                await asyncio.sleep(RETRY_S)
            else:
                return

    async def _pause(self) -> None:
        wanted, self._rng = self._think.draw(self._rng)
        remaining = self._room.remaining_ms()
        most = wanted if remaining is None else max(0, remaining - MARGIN_MS)
        await asyncio.sleep(min(wanted, most) / 1000)

    async def _choose(self, turn: int) -> Action | None:
        """Return the bot's choice, or None when the decision is no longer open."""
        room = self._room
        legal = await room.legal()
        if legal.turn != turn or not legal.actions or room.seat is None:
            return None
        return self._bot.choose(Decision(room.seat, room.public, room.private, legal.actions, legal.complete))
