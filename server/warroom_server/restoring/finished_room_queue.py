"""Finished matches that players want to enter, restored one after another."""

from collections.abc import Awaitable, Callable
from typing import Final

from warroom_protocol import codes
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.event_signal import Signal
from warroom_server.ports.store import UnavailableError
from warroom_server.restoring.finished_room_restorer import FinishedRooms
from warroom_server.restoring.rules_changed_notice import EndNotice
from warroom_server.restoring.waiting_clients import WaitingClients

RECALLS: Final = 64
"""Finished matches of one primary that wait to be restored. Further ones are added when they are sought again."""


class RecallQueue:
    """Restores matches for their players, in tasks of its own because that takes long.

    *is_elsewhere* finds out whether another node still has a match, and lets clients enter there.
    """

    def __init__(
        self,
        finished_rooms: FinishedRooms,
        waiting: WaitingClients,
        *,
        primary_of: Callable[[int], str],
        is_elsewhere: Callable[[int], Awaitable[bool]],
    ) -> None:
        self.missing: Signal[[int]] = Signal()
        """None of the waiting players has played in such a match."""
        self.tasks = Tasks()
        self._finished_rooms = finished_rooms
        self._waiting = waiting
        self._primary_of = primary_of
        self._is_elsewhere = is_elsewhere
        self._rooms: dict[str, dict[int, None]] = {}
        """By primary, rooms in the order in which they are restored."""

    def __contains__(self, number: int) -> bool:
        return number in self._rooms.get(self._primary_of(number), ())

    def add(self, number: int) -> None:
        """Restore a room later, if there is space in the queue."""
        primary = self._primary_of(number)
        if primary not in self._rooms:
            self._rooms[primary] = {}
            self.tasks.begin(self._restore_all(primary))
        if len(self._rooms[primary]) < RECALLS:
            self._rooms[primary][number] = None

    async def _restore_all(self, primary: str) -> None:
        rooms = self._rooms[primary]
        try:
            while (number := next(iter(rooms), None)) is not None:
                await self._restore(number)
                del rooms[number]
        except UnavailableError:
            self._waiting.unanswered.update(rooms)
        finally:
            del self._rooms[primary]  # rooms that are left are sought again

    async def _restore(self, number: int) -> None:
        """Let clients in, or refuse them if none of them has played in this match."""
        if await self._is_elsewhere(number):
            return
        found: EndNotice | bool = False
        tried: set[str] = set()
        while not found and (players := self._waiting.players(number)) - tried:  # some came while others were tried
            found, tried = await self._finished_rooms.bring_back(number, players), tried | players
        if isinstance(found, EndNotice):
            self._waiting.turn_away(number, codes.ROOM_UNKNOWN, found)
        elif found:
            self._waiting.here(number)
        else:
            self.missing(number)
