"""Keeps bots playing: a bot that fails is made again, and its failures are counted and reported."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from traceback import format_exception
from typing import Final

from msgspec import Struct

from warroom_bots.api import UNLIMITED, Action, Bot, BotKind, Decision, Limit
from warroom_bots.bot_executor import BotExecutor
from warroom_bots.failures import in_one_line
from warroom_bots.runner import DecisionClosedError, Runner, Terms, Think
from warroom_client import Ended, Event, RejectedError, Room, UnsendableError
from warroom_client.backoff import backoff
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol import codes

ATTEMPTS: Final = 3
"""Attempts at one decision; after that the first legal action is played, so that people can go on with the match."""
RETRY_SHARE: Final = 0.25
"""Share of the remaining turn after which a bot that took too long gets no second attempt."""
TOO_SLOW: Final = "no choice in time"
RESIGNS: Final = "it resigns: who fails in a rated match between bots loses it"

HERE: Final = Path(__file__).parent
BAD_ACTIONS: Final = frozenset({codes.ACT_MALFORMED, codes.ACT_CLOCK_ONLY})
"""Refusals of the server itself that are the bot's fault; all codes of a game are."""


class BotMakingError(Exception):
    """A kind of bot makes no bot; the message is one line."""


class Failure(Struct, frozen=True):
    """A bot raised an error, took too long, or played what nobody may play."""

    bot: str
    room: str
    reason: str
    """What happened, in one line."""
    details: str = ""
    """The traceback, if there is one."""


class Supervisor:
    """Plays seats with bots of one kind, and counts their failures."""

    def __init__(
        self,
        kind: BotKind,
        executor: BotExecutor,
        *,
        think: Think,
        tell: Callable[[Failure], None],
        limit: Limit = UNLIMITED,
    ) -> None:
        self.kind = kind
        self.failures = 0
        self._executor = executor
        self._think = think.at_least(kind.least_think_ms)
        self.tell = tell
        self._terms = Terms(limit, kind.wants_notes)

    async def play(self, room: Room, rng: Rng, watch: Callable[[Event], None] = lambda event: None) -> Ended:
        """Play one seat until the match is over, with as many bots as it takes."""
        pace, rng = rng.spawn()
        seat = _Seat(self, room, rng)
        while True:
            runner = Runner(room, seat.bot, pace, think=self._think, choose=seat.choose, terms=self._terms)
            try:
                return await runner.play(watch)
            except (RejectedError, UnsendableError) as error:
                if not is_bad_action(error):
                    raise
                seat.refused(error)

    async def choose(self, bot: Bot, decision: Decision, left_s: float | None) -> tuple[Bot, Action]:
        """Let a bot choose, here or in another process."""
        return await self._executor.choose(self.kind, bot, decision, left_s)

    def check(self) -> None:
        """Make a bot and drop it; raise `BotMakingError` if that fails, before any seat needs one."""
        try:
            self.kind.make(Rng(bytes(KEY_BYTES)))
        except Exception as error:
            raise BotMakingError(f"the bot {self.kind.name} cannot be made: {in_one_line(error)}") from error

    def failed(self, failure: Failure) -> None:
        """Count and report a failure."""
        self.failures += 1
        self.tell(failure)


class _Seat:
    """The successive bots of one seat."""

    def __init__(self, supervisor: Supervisor, room: Room, rng: Rng) -> None:
        self._supervisor = supervisor
        self._room = room
        self._rng = rng
        self.bot = self._make()
        self._is_broken = False
        """Whether the bot failed, so that the next decision needs a new one."""
        self._attempts = 0
        """Failed attempts at the current decision."""
        self._is_refused = False
        """Whether the last choice was refused, so that the next one is for the same decision."""
        self._delays = backoff()

    async def choose(self, bot: Bot, decision: Decision, left_s: float | None) -> tuple[Bot, Action]:
        """Return a bot's choice; replace the bot if it fails.

        If that does not help, play any legal action; but in a rated match between bots resign, so that no bot
        earns a rating by what it did not choose.
        """
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        if not self._is_refused:
            self._attempts, self._delays = 0, backoff()
        self._is_refused = False
        while self._attempts < ATTEMPTS:
            spent_s = loop.time() - began_s
            try:
                if self._is_broken:
                    await asyncio.sleep(next(self._delays))
                    bot, self._is_broken = self._make(), False
                return await self._supervisor.choose(bot, decision, left_s and max(0.0, left_s - spent_s))
            except TimeoutError:
                self._failed(TOO_SLOW)
                if left_s is not None and loop.time() - began_s > left_s * RETRY_SHARE:
                    break
            except Exception as error:  # noqa: BLE001 - a bot is somebody's code, which may raise anything
                self._failed(in_one_line(error, bot), error)
        if not counts_for_bots(self._room):
            return bot, decision.legal[0]
        self._supervisor.tell(Failure(self._supervisor.kind.name, self._room.code, RESIGNS))
        await self._room.resign()
        raise DecisionClosedError

    def refused(self, error: RejectedError | UnsendableError) -> None:
        """Note that nobody may play what the bot chose."""
        self._is_refused = True
        self._failed(f"illegal action: {error}")

    def _make(self) -> Bot:
        own, self._rng = self._rng.spawn()
        return self._supervisor.kind.make(own)

    def _failed(self, reason: str, error: Exception | None = None) -> None:
        self._attempts += 1
        self._is_broken = True
        details = "" if error is None else "".join(format_exception(_from_the_bot(error)))
        self._supervisor.failed(Failure(self._supervisor.kind.name, self._room.code, reason, details))


def counts_for_bots(room: Room) -> bool:
    """Whether the own seat plays for the ladder of the bots: the room is rated, and bots have all seats."""
    options = {} if room.about is None else room.about.room_options
    if not options.get("rated") or options.get("private"):
        return False
    return all(state.bot is not None and not state.stood_in for state in room.seats)


def is_bad_action(error: RejectedError | UnsendableError) -> bool:
    """Whether an action was refused because the bot chose what nobody may play."""
    if isinstance(error, UnsendableError):
        return True
    return error.code in BAD_ACTIONS or error.code not in codes.REFUSALS


def _from_the_bot(error: Exception) -> Exception:
    """Return an error whose traceback begins in the bot's code."""
    frame = error.__traceback__
    while frame is not None and Path(frame.tb_frame.f_code.co_filename).parent == HERE:
        frame = frame.tb_next
    return error.with_traceback(frame or error.__traceback__)
