"""Asks for bots: connected workers directly, and others through the feed."""

from collections.abc import Callable

from warroom_server.hosting.wanted_bot import BotRequest
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.ports.time import Timers
from warroom_server.room.bots.bot_tickets import CLAIM_MS


class BotRequests:
    """Asks connected workers, and calls *announce* to publish the request.

    Nobody knows who reads the feed. So if no connected worker has such a bot, the room learns that there is none only
    after nobody came in time.
    """

    def __init__(self, bot_workers: BotWorkers, announce: Callable[[BotRequest], bool], timers: Timers) -> None:
        self._bot_workers = bot_workers
        self._announce = announce
        self._timers = timers
        self._unanswered: dict[tuple[int, int], Callable[[bool], None]] = {}
        bot_workers.seat_claimed.append(self._claimed)

    def summon(self, vacancy: BotRequest, answer: Callable[[bool], None]) -> None:
        """Ask for a bot; *answer* is called with whether there are such bots."""
        is_announced = self._announce(vacancy)

        def judge(is_known: bool) -> None:
            if is_known or not is_announced:
                answer(is_known)
            else:
                self._unanswered[vacancy.key] = answer
                self._timers.call_after(CLAIM_MS, lambda: self._settle(vacancy.key, is_known=False))

        self._bot_workers.summon(vacancy, judge)

    def _claimed(self, room: int, ticket: int) -> None:
        """Note that a bot claimed a seat."""
        self._settle((room, ticket), is_known=True)

    def _settle(self, key: tuple[int, int], *, is_known: bool) -> None:
        answer = self._unanswered.pop(key, None)
        if answer is not None:
            answer(is_known)
