"""The way into rooms that are not on this node: who waits for one, and who finds out where it is."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TypeAlias

from warroom_protocol import codes
from warroom_server.archive.end_notice import EndNotice
from warroom_server.archive.finished_rooms import FinishedRooms
from warroom_server.cluster.remote_viewer import ACTS_AT_ONCE, AT_ONCE
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.store import Orphan, Store, UnavailableError, Whereabouts
from warroom_server.room import commands
from warroom_server.room.commands import MOVING_MS, was_inside

BATCH = 256
"""Rooms that are looked for in one round trip."""
RECALLS = 64
"""Finished matches of one primary that wait to be brought back; who comes then is looked after once fewer do."""
SEEK_MS = 200
"""How often a room is looked for whose owner, or the store that knows it, cannot be reached."""

_FINAL = frozenset({codes.ROOM_UNKNOWN, codes.RULES_CHANGED})
"""Refusals after which there is nothing to come back to."""

Enter: TypeAlias = commands.Join | commands.Watch | commands.Claim


class RoomLocator:
    """Lets people wait at the doors of rooms until these are here, or are known to be on another node.

    *is_coming* says whether a room is about to be taken in here, *is_broken* whether it cannot be, *is_early* whether
    the store may not know again yet of all rooms, *end_notice*
    what to say of one that had to end. *take_in* is given one of which the store says that it is this node's own,
    *finished_rooms* brings back one whose match is over. *lead* is told who wants to go to another node.
    *homeless* are rooms that are looked for although nobody stands at the door, *found* and *gone* are told.
    """

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        room_host: RoomHost,
        connections: Connections,
        clock: Clock,
        timers: Timers,
        admit: Callable[[int, Enter], None],
        is_coming: Callable[[int], bool],
        is_broken: Callable[[int], bool],
        is_early: Callable[[], bool],
        end_notice: Callable[[int], EndNotice | None],
        take_in: Callable[[int, int], None],
        finished_rooms: FinishedRooms,
    ) -> None:
        self.lead: Callable[[int, Enter], None] = lambda _, __: None
        self.homeless: Callable[[], Iterable[int]] = tuple
        self.is_homeless: Callable[[int], bool] = lambda _: False
        self.found: Callable[[int, Whereabouts], None] = lambda _, __: None
        self.gone: Callable[[int], None] = lambda _: None
        self.is_reachable: Callable[[str], bool] = lambda _: False
        self.tasks = Tasks()
        self._owner = owner
        self._store = store
        self._room_host = room_host
        self._connections = connections
        self._clock = clock
        self._timers = timers
        self._admit = admit
        self._is_coming = is_coming
        self._is_broken = is_broken
        self._is_early = is_early
        self._end_notice = end_notice
        self._take_in = take_in
        self._finished_rooms = finished_rooms
        self._waiting: dict[int, list[commands.Request]] = {}
        """By room, who wants to enter, and what they asked for since."""
        self._sought: dict[str, dict[int, None]] = {}
        """By the primary of the store that is asked at the moment, rooms that may not exist, in the order of asking."""
        self._recalling: dict[str, dict[int, None]] = {}
        """By primary, rooms that are nowhere and may be over, in the order in which they are to be brought back."""
        self._is_ticking = False
        self._away: set[str] = set()
        """Primaries that did not answer when a room was last looked for."""

    def __contains__(self, number: int) -> bool:
        return number in self._waiting

    def wanted(self) -> list[int]:
        """Return the rooms that somebody waits for."""
        return list(dict.fromkeys([*self._waiting, *self.homeless()]))

    def enter(self, number: int, command: Enter) -> None:
        """Let somebody wait at the door of a room that is not here, for a while."""
        self._waiting.setdefault(number, []).append(command)
        self._timers.call_at(self._clock.now() + MOVING_MS, lambda: self._grow_impatient(number, command))
        self.seek(number)

    def tell(self, number: int, command: commands.Command) -> bool:
        """Let something wait behind the entry of its sender; False if that is not at the door.

        An action may be in the log already: only the room can give it the one verdict that it has.
        """
        waiting = self._waiting.get(number, [])
        if not isinstance(command, commands.Request) or isinstance(command, Enter):
            return False
        sent = sum(other.connection == command.connection for other in waiting)
        is_act = isinstance(command, commands.Act)
        if 0 < sent < (ACTS_AT_ONCE if is_act else AT_ONCE):
            waiting.append(command)
        elif sent and is_act:
            self._send_home(number, command.connection, codes.ROOM_BUSY)
        elif sent:
            self._connections.refuse(number, command, codes.ROOM_BUSY)
        return sent > 0

    def open(self, number: int) -> None:
        """Let everybody in who waits for a room that is here now."""
        for command in self._waiting.pop(number, []):
            if isinstance(command, Enter):
                self._admit(number, command)
            else:
                self._room_host.tell(number, command)

    def turn_all_away(self, number: int, code: str, end_notice: EndNotice | None = None) -> None:
        """Refuse everybody who waits for a room with *code*; people who may read *end_notice* get that instead."""
        told: set[int] = set()
        for command in self._waiting.pop(number, []):
            if (
                end_notice is not None
                and isinstance(command, Enter)
                and end_notice.code_for(command) == codes.RULES_CHANGED
            ):
                told.add(command.connection)
            if end_notice is not None and command.connection in told:
                self._turn_away(number, command, codes.RULES_CHANGED, end_notice.words)
            else:
                self._turn_away(number, command, code)

    def _grow_impatient(self, number: int, command: Enter) -> None:
        if any(other is command for other in self._waiting.get(number, ())):
            is_store_away = self._store.primary_of(number) in self._away
            code = codes.STORE_UNAVAILABLE if is_store_away else codes.ROOM_MOVING
            self._send_home(number, command.connection, code)

    def _send_home(self, number: int, connection: int, code: str) -> None:
        """Refuse one who waits for a room; its actions, which may count, are to be sent again."""
        waiting = self._waiting.pop(number)
        if others := [other for other in waiting if other.connection != connection]:
            self._waiting[number] = others
        for other in waiting:
            if other.connection == connection:
                self._turn_away(number, other, code)

    def _turn_away(self, number: int, command: commands.Request, code: str, detail: str = "") -> None:
        # An action may count as long as there may be such a room: without an answer it is sent again.
        if code in _FINAL or not isinstance(command, commands.Act):
            self._connections.refuse(number, command, code, detail)
        if not isinstance(command, Enter):
            return  # it is its sender's entry that leads nowhere
        if code not in _FINAL and was_inside(command):
            self._connections.lose(number, [command.connection])
        else:
            self._connections.forget(number, [command.connection])

    # --- finding out ----------------------------------------------------------------------------------------------

    def seek(self, number: int) -> None:
        """Find out where a room is, now and again until that is known."""
        self._tick_later()
        if self._is_coming(number):
            return
        primary = self._store.primary_of(number)
        if number in self._recalling.get(primary, ()):
            return
        if primary not in self._sought:
            self._sought[primary] = {}
            self.tasks.begin(self._seek(primary))
        self._sought[primary][number] = None

    def seek_if_wanted(self, number: int) -> None:
        """Find out where a room is, if somebody waits for it."""
        if number in self._waiting or self.is_homeless(number):
            self.seek(number)

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
                    self._sought_out(number, whereabouts)
            await self._store.list_again(self._ownerless(numbers, found))
            self._away.discard(primary)
        except UnavailableError:
            self._away.add(primary)  # whoever waits goes on to do so, and the room is looked for again

    def _ownerless(self, numbers: Sequence[int], found: Sequence[Whereabouts | None]) -> list[Orphan]:
        """Return the rooms that are to be taken in by somebody if their owners, whom nobody reaches, are dead."""
        return [
            (number, room.owner, room.epoch)
            for number, room in zip(numbers, found, strict=True)
            if room is not None and room.owner != self._owner and not self.is_reachable(room.owner)
        ]

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
                if ended is not None and ended.owner != self._owner and self.is_reachable(ended.owner):
                    del waiting[number]
                    self._lead_away(number, ended)
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
            self._sought_out(number, None)
        else:
            self.seek(number)

    def _sought_out(self, number: int, found: Whereabouts | None) -> None:
        if number in self._room_host or (found is None and self._is_early()):
            return
        if found is None or (found.owner == self._owner and self._is_broken(number)):
            self.turn_all_away(number, codes.ROOM_UNKNOWN, self._end_notice(number))
            self.gone(number)
        elif self._is_coming(number):
            return
        elif found.owner == self._owner:
            self._take_in(number, found.epoch)
        elif self.is_reachable(found.owner):
            self._lead_away(number, found)

    def reached(self, number: int, found: Whereabouts) -> None:
        """Lead everybody who waits for a room to the node that says to have it."""
        if number in self._waiting and number not in self._room_host and not self._is_coming(number):
            self._lead_away(number, found)

    def _lead_away(self, number: int, found: Whereabouts) -> None:
        for command in self._waiting.pop(number, []):
            if command.connection < 0:
                self._connections.forget(number, [command.connection])  # its own node will find the room as well
            elif not isinstance(command, Enter):
                self._room_host.tell(number, command)
            elif command.connection in self._connections:
                self.lead(number, command)
        self.found(number, found)

    def _tick_later(self) -> None:
        if not self._is_ticking:
            self._is_ticking = True
            self._timers.call_at(self._clock.now() + SEEK_MS, self._tick)

    def _tick(self) -> None:
        self._is_ticking = False
        for number in self.wanted():
            self.seek(number)
