"""Plays one seat of one room with a bot, over the wire like any other player."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from msgspec import Struct

from warroom_bots.api import UNLIMITED, Action, Bot, Decision, Limit
from warroom_client import Ended, Event, Prompted, RejectedError, Room
from warroom_games.rng import Rng
from warroom_protocol import codes

RETRY_S: Final = 0.25
MARGIN_MS: Final = 500
"""Time reserved at the end of a turn, so that the action still arrives."""

OVERTAKEN: Final = frozenset(
    {
        codes.ACT_STALE,
        codes.ACT_LATE,
        codes.ROOM_ENDED,
        codes.ROOM_NOT_HERE,
        codes.SEAT_BOT,
        codes.SEAT_OUT,
        codes.SEAT_NONE,
    }
)
"""Refusals that mean that the decision is closed: the clock, another device or the owner acted first."""
CROWDED: Final = frozenset(
    {
        codes.ACT_BUSY,
        codes.ACT_PAUSED,
        codes.ROOM_BUSY,
        codes.ROOM_MOVING,
        codes.STORE_UNAVAILABLE,
        codes.SERVER_DRAINING,
    }
)
"""Temporary refusals; the action is retried under a new id."""

Act: TypeAlias = Callable[[Action, int], Awaitable[object]]
"""Plays an action for a decision and returns once it is accepted; raises like `Room.act`."""
Choose: TypeAlias = Callable[[Bot, Decision, float | None], Awaitable[tuple[Bot, Action]]]
"""Lets a bot choose within a number of seconds (None: no turn runs); returns the updated bot and the action.

It raises `DecisionClosedError` if the seat gives up instead."""

logger = logging.getLogger(__name__)


class DecisionClosedError(Exception):
    """There is nothing to decide: it is too late, or the seat gave up."""


class Terms(Struct, frozen=True):
    """What a bot gets with each decision besides its position."""

    limit: Limit = UNLIMITED
    has_notes: bool = False
    """Whether it gets the game's notes, which cost the server time."""


class Think(Struct, frozen=True):
    """The apparent thinking time of a bot per action, in milliseconds."""

    shortest_ms: int = 0
    longest_ms: int = 0

    def draw(self, rng: Rng) -> tuple[int, Rng]:
        """Draw a time between the two."""
        extra, rng = rng.below(self.longest_ms - self.shortest_ms + 1)
        return self.shortest_ms + extra, rng

    def at_least(self, least_ms: int) -> "Think":
        """Return a thinking time of at least *least_ms*."""
        return Think(max(self.shortest_ms, least_ms), max(self.longest_ms, least_ms))


async def choose_here(bot: Bot, decision: Decision, _: float | None) -> tuple[Bot, Action]:
    """Let a bot choose at once, however long it takes."""
    return bot, bot.choose(decision)


class Runner:
    """A bot at its seat."""

    def __init__(
        self,
        room: Room,
        bot: Bot,
        rng: Rng,
        *,
        think: Think,
        choose: Choose = choose_here,
        act: Act | None = None,
        terms: Terms = Terms(),  # noqa: B008 - a frozen value
    ) -> None:
        self._room = room
        self._bot = bot
        self._rng = rng
        self._think = think
        self._let_choose = choose
        self._act = act or (lambda action, turn: room.act(action, turn=turn))
        self._terms = terms

    async def play(self, watch: Callable[[Event], None] = lambda event: None) -> Ended:
        """Play until the match is over and return how it ended; *watch* gets every event.

        A decision that is open already is played first, so that a runner may take over from one that failed.
        """
        if self._room.prompt is not None:
            await self._decide(self._room.prompt.turn)
        async for event in self._room:
            watch(event)
            match event:
                case Prompted(turn=turn) if self._is_open(turn):
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
                await self._act(await self._choose(turn), turn)
            except DecisionClosedError:
                return
            except RejectedError as refused:
                if refused.code in OVERTAKEN:
                    logger.info("room=%s decision=%d overtaken code=%s", self._room.code, turn, refused.code)
                    return
                if refused.code not in CROWDED:
                    raise
                await asyncio.sleep(RETRY_S)
            else:
                return

    def _is_open(self, turn: int) -> bool:
        return self._room.prompt is not None and self._room.prompt.turn == turn

    async def _pause(self) -> None:
        wanted, self._rng = self._think.draw(self._rng)
        remaining = self._room.remaining_ms()
        most = wanted if remaining is None else max(0, remaining - MARGIN_MS)
        await asyncio.sleep(min(wanted, most) / 1000)

    async def _choose(self, turn: int) -> Action:
        """Return the bot's choice; raise `DecisionClosedError` if there is nothing to decide any more."""
        room = self._room
        legal = await room.legal(notes=self._terms.has_notes)
        if legal.turn != turn or not legal.actions or room.seat is None:
            raise DecisionClosedError
        left_ms = room.decision_ms()
        decision = Decision(
            room.seat,
            room.public,
            room.private,
            legal.actions,
            legal.complete,
            notes=_known(legal.notes or ()),
            left_ms=left_ms,
            lag_ms=room.lag_ms,
            limit=self._terms.limit,
        )
        self._bot, action = await self._let_choose(self._bot, decision, None if left_ms is None else left_ms / 1000)
        return action


def _known(notes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the notes, or none at all if all are empty: the game has none."""
    return notes if any(notes) else ()
