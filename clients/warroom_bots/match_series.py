"""Many matches at once: several rooms on each connection, and another match after each one that ends."""

import asyncio
from collections.abc import Iterator
from typing import Final, Protocol

from msgspec import Struct

from warroom_bots.bot_group import BotGroup, Outcome, play_match, sit_down
from warroom_bots.crew import Crew
from warroom_bots.room_search import RoomRequest
from warroom_bots.roster import Roster
from warroom_bots.supervision import Supervisor
from warroom_client import ClientError, DisconnectedError, RejectedError
from warroom_client.backoff import backoff
from warroom_games.rng import Rng
from warroom_protocol import codes

ROOMS_PER_CREW: Final = 32
"""Rooms on one connection; a server reads at most 100 messages a second from each."""
LONGEST_WAIT_S: Final = 30.0

PASSING: Final = frozenset(
    {
        codes.ROOM_LIMIT,
        codes.ROOM_BUSY,
        codes.ROOM_MOVING,
        codes.STORE_UNAVAILABLE,
        codes.SERVER_DRAINING,
        codes.RULES_UNAVAILABLE,
    }
)
"""Refusals of a new match that another attempt may overcome."""


class Tally(Struct):
    """What the bots of a series have played so far."""

    running: int = 0
    seats: int = 0
    """Seats in running matches."""
    finished: int = 0
    won: int = 0
    """Finished matches in which one of the bots was first, alone or with others."""
    void: int = 0
    aborted: int = 0
    """Matches that were not played to the end."""

    def add(self, outcome: Outcome) -> None:
        """Count a finished match."""
        self.finished += 1
        if outcome.ended.reason == codes.END_VOID:
            self.void += 1
        elif any(outcome.ended.ranks[seat] == 1 for seat in outcome.seats):
            self.won += 1


class Reporter(Protocol):
    """Hears how a series goes on."""

    def changed(self, tally: Tally) -> None:
        """Show the counts, which have changed."""
        ...

    def say(self, line: str) -> None:
        """Show something that happened."""
        ...


class MatchSeries:
    """Plays matches with the bots of one supervisor until there are enough, or until it is stopped."""

    def __init__(
        self,
        roster: Roster,
        request: RoomRequest,
        supervisor: Supervisor,
        rng: Rng,
        *,
        matches: int | None,
        parallel: int,
        reporter: Reporter,
    ) -> None:
        self.tally = Tally()
        self._request = request
        self._supervisor = supervisor
        self._rng = rng
        self._remaining = matches
        """Matches to begin; None: no limit."""
        self._reporter = reporter
        self._own: set[str] = set()
        """The codes of the rooms in which the bots sit; no other bot of the series joins them."""
        self._said_s: dict[str, float] = {}
        """When each reason to wait was reported."""
        self._places: dict[asyncio.Task[None], BotGroup | None] = {}
        """The task of each place for a match, and the bots that play there now."""
        self._crews = [Crew(roster, rooms=rooms) for rooms in _shares(parallel)]

    async def run(self) -> Tally:
        """Play; raise `ClientError` if no further match can be played."""
        try:
            async with asyncio.TaskGroup() as group:
                for crew in self._crews:
                    for _ in range(crew.rooms):
                        self._places[group.create_task(self._play_on(crew))] = None
        except ExceptionGroup as failures:
            for failure in failures.exceptions:
                if isinstance(failure, ClientError | BrokenPipeError):  # the reader of the reports may be gone
                    raise failure from failures
            raise
        finally:
            for crew in self._crews:
                await crew.close()
        return self.tally

    def stop(self) -> None:
        """Begin no further match; `run` returns when the running ones are over."""
        self._remaining = 0
        for task, group in self._places.items():
            if group is None or group.rooms[0].phase == "lobby":
                task.cancel()

    async def _play_on(self, crew: Crew) -> None:
        """Play one match after the other in one of the places for rooms on a crew's connections."""
        delays = _delays()
        while self._remaining is None or self._remaining > 0:
            if self._remaining is not None:
                self._remaining -= 1
            try:
                await self._play_one(crew)
                delays = _delays()
            except ClientError as error:
                await self._recover(error, next(delays))

    async def _play_one(self, crew: Crew) -> None:
        async with crew.sitting_down:
            try:
                group = await sit_down(crew, self._request, but=self._own)
            except ClientError as error:
                raise _NotBegunError(error) from error
            self._own.add(group.place.code)
        own, self._rng = self._rng.spawn()
        task = asyncio.current_task()
        assert task is not None
        self._places[task] = group
        self._count(1, len(group.rooms))
        try:
            self.tally.add(await play_match(group, self._supervisor, own))
        except ClientError:
            self.tally.aborted += 1
            raise
        finally:
            self._places[task] = None
            self._own.discard(group.place.code)
            self._count(-1, -len(group.rooms))

    async def _recover(self, error: ClientError, delay_s: float) -> None:
        """Wait until another match may succeed; raise an error that will not pass."""
        cause = error
        if isinstance(error, _NotBegunError):
            cause = error.cause
            if self._remaining is not None:
                self._remaining += 1
            if not self._may_pass(cause):
                raise cause
        if isinstance(cause, DisconnectedError):
            delay_s = max(delay_s, cause.retry_after_s)
        self._say(f"waiting {delay_s:.1f} s", str(cause))
        await asyncio.sleep(delay_s)

    def _may_pass(self, error: ClientError) -> bool:
        """Whether a match that could not begin may begin later."""
        if isinstance(error, RejectedError):
            return error.code in PASSING
        # A server that was never reached has the wrong address, unless it says when to come again.
        return isinstance(error, DisconnectedError) and (self.tally.finished > 0 or error.retry_after_s > 0)

    def _say(self, what: str, why: str) -> None:
        """Report something, unless another place for a match has just done so for the same reason."""
        now_s = asyncio.get_running_loop().time()
        if now_s - self._said_s.get(why, float("-inf")) > LONGEST_WAIT_S:
            self._said_s[why] = now_s
            self._reporter.say(f"{what}: {why}")

    def _count(self, matches: int, seats: int) -> None:
        self.tally.running += matches
        self.tally.seats += seats
        self._reporter.changed(self.tally)


class _NotBegunError(ClientError):
    """A match could not begin."""

    def __init__(self, cause: ClientError) -> None:
        super().__init__(str(cause))
        self.cause = cause


def _delays() -> Iterator[float]:
    return backoff(longest_s=LONGEST_WAIT_S)


def _shares(parallel: int) -> Iterator[int]:
    """Divide matches at once evenly over as few crews as can hold them."""
    crews = -(-parallel // ROOMS_PER_CREW)
    for index in range(crews):
        yield parallel * (index + 1) // crews - parallel * index // crews
