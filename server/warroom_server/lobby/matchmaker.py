"""Quick matches: people who want the same are sent to the same room, and bots fill it if nobody else comes."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from msgspec.structs import replace

from warroom_protocol import codes
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.open_rooms import kind_of_proposal
from warroom_server.lobby.room_factory import RoomFactory
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock
from warroom_server.ports.directory import Directory, QuickRequest
from warroom_server.ports.store import Store, UnavailableError
from warroom_server.session.effects import CreateRoom
from warroom_server.session.replies import error
from warroom_server.session.room_request import Declined, Proposal

SEARCHES = 1_024
"""How many people may wait for a room at a time."""
MAKING_S = 0.05
"""How often it is looked whether a room is there that another node makes."""
RETRY_S = 1.0
"""How often a room within the player's window is asked for."""
GIVE_UP_MS = 30_000
"""How long a search goes on in which one room after the other turns out not to be there."""

Skills: TypeAlias = Callable[[str, Sequence[str]], Awaitable[Mapping[str, int]]]
"""Return the skills of players in a game, in thousandths, as far as they are known."""

_AWAY = Declined(codes.STORE_UNAVAILABLE, "")


class Matchmaker:
    """Asks the directory for rooms and makes those that are to be made; *nodes* returns the nodes with a lease."""

    def __init__(
        self,
        directory: Directory,
        *,
        owner: str,
        store: Store,
        room_host: RoomHost,
        room_factory: RoomFactory,
        connections: Connections,
        clock: Clock,
        nodes: Callable[[], Collection[str]],
        skills: Skills,
    ) -> None:
        self.tasks = Tasks()
        self._directory = directory
        self._owner = owner
        self._store = store
        self._room_host = room_host
        self._room_factory = room_factory
        self._connections = connections
        self._clock = clock
        self._nodes = nodes
        self._skills = skills

    def find(self, wish: CreateRoom, connection: int) -> None:
        """Send somebody to a room of the kind that is wished for; answer the connection once."""
        if len(self.tasks) >= SEARCHES:
            self._connections.answer(connection, error(wish.ref, codes.STORE_UNAVAILABLE))
            return
        self.tasks.begin(
            self._find(wish, connection, self._room_factory.address_of(connection)),
            on_bug=lambda: self._connections.answer(connection, error(wish.ref, codes.INTERNAL)),
        )

    async def _find(self, wish: CreateRoom, connection: int, address: str) -> None:
        proposal = await self._room_factory.consider(_rateable(wish))
        if isinstance(proposal, Proposal):
            proposal = _quickly(proposal)
        if isinstance(proposal, Declined):
            self._connections.answer(connection, error(wish.ref, proposal.code, proposal.detail))
            return
        try:
            found = await self._search(wish, proposal, connection, address)
        except UnavailableError:
            found = _AWAY
        self._connections.answer(connection, self._room_factory.answer(wish.ref, found, proposal))

    async def _search(self, wish: CreateRoom, proposal: Proposal, connection: int, address: str) -> int | Declined:
        """Ask until there is a room, or the connection closes."""
        kind, began_ms = kind_of_proposal(proposal).key, self._clock.steady_ms()
        request = await self._request(wish, proposal)
        while connection in self._connections and request.waited_ms < GIVE_UP_MS:
            found = await self._directory.quick_match(kind, request)
            if found.verdict == "make":
                making = self._room_factory.make(wish.player, wish.ref, proposal, address)
                return await self._make(kind, found.room, making)
            if found.verdict == "wait":
                await asyncio.sleep(RETRY_S)
            elif await self._is_there(found.room):
                return found.room
            elif found.verdict == "making":
                await asyncio.sleep(MAKING_S)
            request = replace(
                request,
                waited_ms=self._clock.steady_ms() - began_ms,
                owners=self._nodes(),
                excluded=self._room_host.doubtful,
                missing=found.room if found.verdict == "join" else None,
            )
        return _AWAY

    async def _request(self, wish: CreateRoom, proposal: Proposal) -> QuickRequest:
        skills: Mapping[str, int] = {}
        if proposal.room_options.rated:
            skills = await self._skills(wish.game, [wish.player])
        return QuickRequest(
            player=wish.player,
            ref=wish.ref,
            room=self._room_factory.number_for(wish.player, wish.ref),
            owner=self._owner,
            seats=proposal.seats,
            skill=skills.get(wish.player),
            owners=self._nodes(),
            excluded=self._room_host.doubtful,
        )

    async def _make(self, kind: str, room: int, making: Awaitable[int | Declined]) -> int | Declined:
        """Make a room; if that fails, nobody is to wait for it."""
        made: int | Declined | None = None
        try:
            made = await making
            return made
        finally:
            if made != room:
                with suppress(UnavailableError):
                    await self._directory.publish_open(kind, self._owner, (), [room])

    async def _is_there(self, room: int) -> bool:
        return room in self._room_host or (await self._store.whereabouts([room]))[0] is not None


def _rateable(wish: CreateRoom) -> CreateRoom:
    """Return the wish with spectators who see no hands unless it asks for others: where they do, nothing is rated."""
    told = wish.room_options
    return wish if "watch" in told or "delay" in told else replace(wish, room_options={"watch": "public", **told})


def _quickly(proposal: Proposal) -> Proposal | Declined:
    """Return the room of a quick match: one that anybody may enter, and that bots fill after a while."""
    options = proposal.room_options
    if options.private:
        return Declined(codes.ROOM_OPTIONS, "a quick match is open to everybody, so private cannot be true")
    if options.fill_after_ms is None:
        options = replace(options, fill_after_ms=proposal.game.info.fill_after_ms)
    return replace(proposal, room_options=options)
