"""Where rooms are that are not on this node: who waits to enter one, and who finds out."""

from collections.abc import Sequence
from itertools import islice
from typing import Final, Protocol

from warroom_protocol import codes
from warroom_server.archive.end_notice import EndNotice
from warroom_server.archive.finished_rooms import FinishedRooms
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.signal import Signal
from warroom_server.ports.store import Orphan, Store, UnavailableError, Whereabouts
from warroom_server.room import commands
from warroom_server.room.commands import Entering
from warroom_server.room.viewers import Local, Viewer

MOVING_MS: Final = 4_000
"""How long a client waits at most to enter a room, and for an answer of its owner. It hears within five seconds."""
BATCH: Final = 256
"""Rooms that are looked for in one round trip."""
RECALLS: Final = 64
"""Finished matches of one primary that wait to be brought back; who comes then is looked after once fewer do."""
SEEK_MS: Final = 200
"""How often a room is looked for whose owner, or the store that knows it, cannot be reached."""


class Reachable(Protocol):
    """The nodes that can be reached."""

    def nodes(self) -> list[str]:
        """Return them."""
        ...


class Adopter(Protocol):
    """Who takes rooms over for this node."""

    def coming_epoch(self, number: int) -> int | None:
        """Return under which epoch a room was owned that is about to be taken in; None if it is not."""
        ...

    def is_broken(self, number: int) -> bool:
        """Whether a room cannot be taken in."""
        ...

    def is_early(self) -> bool:
        """Whether other nodes may still write again rooms that the store forgot."""
        ...

    def end_notice(self, number: int) -> EndNotice | None:
        """Return what to say of a room that had to end."""
        ...

    def take_back(self, number: int, epoch: int) -> None:
        """Look after a room of which the store says that it is this node's."""
        ...


class RoomLocator:
    """Asks the store for rooms that somebody waits for, again and again until that is settled."""

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        room_host: RoomHost,
        delivery: Delivery,
        reachable: Reachable,
        adopter: Adopter,
        finished_rooms: FinishedRooms,
        clock: Clock,
        timers: Timers,
    ) -> None:
        self.here: Signal[[int]] = Signal()
        """A room is on this node from now on."""
        self.elsewhere: Signal[[int, Whereabouts, Sequence[Entering]]] = Signal()
        """A room is on another node, which can be reached; so many wait to enter it."""
        self.gone: Signal[[int]] = Signal()
        """There is no such room any more, or none that anybody can go on with."""
        self.tasks = Tasks()
        self._owner = owner
        self._store = store
        self._room_host = room_host
        self._delivery = delivery
        self._reachable = reachable
        self._adopter = adopter
        self._finished_rooms = finished_rooms
        self._clock = clock
        self._timers = timers
        self._waiting: dict[int, list[Entering]] = {}
        """By room, who wants to enter."""
        self._wanted: dict[int, Whereabouts | None] = {}
        """By room that clients lost, who gave it up and under which epoch; None if the owner only cannot be reached."""
        self._sought: dict[str, dict[int, None]] = {}
        """By the primary of the store that is asked at the moment, rooms that may not exist, in the order of asking."""
        self._recalling: dict[str, dict[int, None]] = {}
        """By primary, rooms that are nowhere and may be over, in the order in which they are to be brought back."""
        self._away: set[str] = set()
        """Primaries that did not answer when a room was last looked for."""
        self._is_ticking = False
        self.gone.append(lambda number: self._wanted.pop(number, None))

    def __contains__(self, number: int) -> bool:
        return number in self._waiting

    def wanted(self) -> list[int]:
        """Return the rooms that somebody waits for."""
        return list(dict.fromkeys([*self._waiting, *self._wanted]))

    # --- who waits ------------------------------------------------------------------------------------------------

    def enter(self, number: int, command: Entering) -> None:
        """Let somebody wait for a room that is not here, for a while."""
        self._waiting.setdefault(number, []).append(command)
        self._timers.call_at(self._clock.now() + MOVING_MS, lambda: self._give_up(number, command))
        self.seek(number)

    def want(self, number: int, given_up: Whereabouts | None) -> None:
        """Look for a room until it has an owner that can be reached, and is not the one that gave it up."""
        self._wanted[number] = given_up
        self.seek(number)

    def withdraw(self, number: int, viewer: Viewer) -> None:
        """Forget who waits for a room and is gone."""
        self._keep_waiting(number, [other for other in self._waiting.get(number, ()) if other.viewer != viewer])

    def open(self, number: int) -> None:
        """Let everybody in who waits for a room that is here now."""
        self._wanted.pop(number, None)
        self.here(number)
        for command in self._waiting.pop(number, []):
            self._room_host.tell(number, command)

    def turn_all_away(self, number: int, code: str, end_notice: EndNotice | None = None) -> None:
        """Refuse everybody who waits for a room with *code*; people who may read *end_notice* get that instead."""
        for command in self._waiting.pop(number, []):
            if end_notice is not None and end_notice.code_for(command) == codes.RULES_CHANGED:
                self._delivery.turn_away(number, command, codes.RULES_CHANGED, end_notice.words)
            else:
                self._delivery.turn_away(number, command, code)

    def _give_up(self, number: int, command: Entering) -> None:
        waiting = self._waiting.get(number, [])
        if any(other is command for other in waiting):
            self._keep_waiting(number, [other for other in waiting if other is not command])
            is_store_away = self._store.primary_of(number) in self._away
            code = codes.STORE_UNAVAILABLE if is_store_away else codes.ROOM_MOVING
            self._delivery.turn_away(number, command, code)

    def _keep_waiting(self, number: int, waiting: list[Entering]) -> None:
        if waiting:
            self._waiting[number] = waiting
        else:
            self._waiting.pop(number, None)

    # --- finding out ----------------------------------------------------------------------------------------------

    def seek(self, number: int) -> None:
        """Find out where a room is, now and again until that is known."""
        if not self._is_ticking:
            self._is_ticking = True
            self._timers.call_at(self._clock.now() + SEEK_MS, self._tick)
        primary = self._store.primary_of(number)
        if number in self._recalling.get(primary, ()):
            return
        if primary not in self._sought:
            self._sought[primary] = {}
            self.tasks.begin(self._seek(primary))
        self._sought[primary][number] = None

    def seek_if_wanted(self, number: int) -> None:
        """Find out where a room is, if somebody waits for it."""
        if number in self._waiting or number in self._wanted:
            self.seek(number)

    def seek_all(self) -> None:
        """Find out where all rooms are that somebody waits for."""
        for number in self.wanted():
            self.seek(number)

    def _tick(self) -> None:
        self._is_ticking = False
        self.seek_all()

    async def _seek(self, primary: str) -> None:
        """Look for all rooms that are sought of one primary: another one may hang, and nobody waits for that one."""
        sought = self._sought[primary]
        try:
            while numbers := list(islice(sought, BATCH)):
                await self._look_for(numbers, primary)
                for number in numbers:
                    del sought[number]
        finally:
            # Whatever went wrong: nobody would look for a number again that stays here.
            del self._sought[primary]

    async def _look_for(self, numbers: Sequence[int], primary: str) -> None:
        try:
            found = await self._store.whereabouts(numbers)
            for number, whereabouts in zip(numbers, found, strict=True):
                if whereabouts is None and self._players_at(number):
                    self._recall_later(number, primary)
                else:
                    self._settle(number, whereabouts)
            await self._store.list_again(self._ownerless(numbers, found))
            self._away.discard(primary)
        except UnavailableError:
            self._away.add(primary)  # waiting clients keep waiting, and the next tick asks again

    def _ownerless(self, numbers: Sequence[int], found: Sequence[Whereabouts | None]) -> list[Orphan]:
        """Return the rooms that are to be taken in by somebody if their owners, whom nobody reaches, are dead."""
        linked = self._reachable.nodes()
        return [
            (number, room.owner, room.epoch)
            for number, room in zip(numbers, found, strict=True)
            if room is not None and room.owner != self._owner and room.owner not in linked
        ]

    def _settle(self, number: int, whereabouts: Whereabouts | None) -> None:
        if number in self._room_host or (whereabouts is None and self._adopter.is_early()):
            return
        is_own = whereabouts is not None and whereabouts.owner == self._owner
        if whereabouts is None or (is_own and self._adopter.is_broken(number)):
            self.turn_all_away(number, codes.ROOM_UNKNOWN, self._adopter.end_notice(number))
            self.gone(number)
        elif (coming := self._adopter.coming_epoch(number)) is not None and whereabouts.epoch <= coming:
            return
        elif is_own:
            self._adopter.take_back(number, whereabouts.epoch)
        elif whereabouts.owner in self._reachable.nodes() and whereabouts != self._wanted.get(number):
            self._found(number, whereabouts)

    def announced(self, number: int, whereabouts: Whereabouts) -> None:
        """Take note that a node says to own a room; what it says may come late."""
        given_up = self._wanted.get(number)
        if given_up is None or (whereabouts.epoch >= given_up.epoch and whereabouts != given_up):
            self._found(number, whereabouts)

    def _found(self, number: int, whereabouts: Whereabouts) -> None:
        """Lead everybody who waits for a room to the node that has it."""
        if number in self._room_host:
            return
        self._wanted.pop(number, None)
        waiting = self._waiting.pop(number, [])
        for command in waiting:
            if not isinstance(command.viewer, Local):  # its own node will find the room as well
                self._delivery.turn_away(number, command, codes.ROOM_MOVING)
        self.elsewhere(number, whereabouts, [each for each in waiting if isinstance(each.viewer, Local)])

    # --- matches that are over ------------------------------------------------------------------------------------

    def _players_at(self, number: int) -> set[str]:
        return {command.player for command in self._waiting.get(number, ()) if isinstance(command, commands.Join)}

    def _recall_later(self, number: int, primary: str) -> None:
        """Let players in whose match is over and nowhere any more, beside the search: that would wait for long."""
        if primary not in self._recalling:
            self._recalling[primary] = {}
            self.tasks.begin(self._recall_all(primary))
        if len(self._recalling[primary]) < RECALLS:
            self._recalling[primary][number] = None

    async def _recall_all(self, primary: str) -> None:
        waiting = self._recalling[primary]
        try:
            while (number := next(iter(waiting), None)) is not None:
                players = self._players_at(number)
                ended = await self._store.last_owner(number)
                if ended is not None and ended.owner != self._owner and ended.owner in self._reachable.nodes():
                    del waiting[number]
                    self._found(number, ended)
                    continue
                found = number not in self._room_host and await self._finished_rooms.bring_back(number, players)
                del waiting[number]
                self._recalled(number, players, found)
        except UnavailableError:
            self._away.add(primary)
        finally:
            del self._recalling[primary]  # those who still wait are looked after again

    def _recalled(self, number: int, players: set[str], found: EndNotice | bool) -> None:
        """Let everybody in, or turn them away if it is the match of none of them, nor of anybody who came since."""
        if isinstance(found, EndNotice):
            self.turn_all_away(number, codes.ROOM_UNKNOWN, found)
        elif found:
            self.open(number)
        elif self._players_at(number) <= players:
            self._settle(number, None)
        else:
            self.seek(number)
