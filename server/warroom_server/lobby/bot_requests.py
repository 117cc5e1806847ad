"""Seats that want a bot: workers that are connected are asked, and those that listen to the feed hear of it."""

from collections.abc import Callable

from warroom_server.hosting.bot_request import BotRequest
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.ports.clock import Clock, Timers
from warroom_server.room.bots.bot_tickets import CLAIM_MS


class BotRequests:
    """Asks the roster, and has *announce* tell the world.

    Who listens there is not known. So where no connected worker has such a bot, a room is told that there is none
    only when nobody came in time.
    """

    def __init__(
        self, bot_workers: BotWorkers, *, announce: Callable[[BotRequest], bool], clock: Clock, timers: Timers
    ) -> None:
        self._bot_workers = bot_workers
        self._announce = announce
        self._clock = clock
        self._timers = timers
        self._unanswered: dict[tuple[int, int], Callable[[bool], None]] = {}
        bot_workers.seat_claimed.append(self._claimed)

    def summon(self, vacancy: BotRequest, answer: Callable[[bool], None]) -> None:
        """Look for a bot; *answer* is told whether there are such bots."""
        is_announced = self._announce(vacancy)

        def judge(is_known: bool) -> None:
            if is_known or not is_announced:
                answer(is_known)
            else:
                self._unanswered[vacancy.key] = answer
                self._timers.call_at(self._clock.now() + CLAIM_MS, lambda: self._settle(vacancy.key, is_known=False))

        self._bot_workers.summon(vacancy, judge)

    def _claimed(self, room: int, ticket: int) -> None:
        """Note that somebody came for a seat."""
        self._settle((room, ticket), is_known=True)

    def _settle(self, key: tuple[int, int], *, is_known: bool) -> None:
        answer = self._unanswered.pop(key, None)
        if answer is not None:
            answer(is_known)
