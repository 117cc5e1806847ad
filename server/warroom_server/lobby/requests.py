"""Answers what clients ask of the lobby: games, rooms, new rooms, quick matches, and work for bots."""

import asyncio
from dataclasses import dataclass
from typing import Final

from warroom_games.registry import Registry
from warroom_protocol.messages import Create, Games, Older, Quick, Rooms, Work
from warroom_server.hosting.connections import Client, Connections
from warroom_server.hosting.store_requests import RequestTasks
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.lobby.catalog import Catalog
from warroom_server.lobby.matchmaker import Matchmaker, quick_proposal
from warroom_server.lobby.room_factory import RoomFactory
from warroom_server.lobby.room_lists import LiveRoomLists
from warroom_server.session.replies import error
from warroom_server.session.room_proposal import Declined, consider

CREATIONS: Final = 256
"""How many requests for new rooms may wait for the store at a time."""
SEARCHES: Final = 1_024
"""How many players may wait for a quick match at a time."""


@dataclass(eq=False)
class LobbyRequests:
    """Answers each request exactly once."""

    _connections: Connections
    _registry: Registry
    _catalog: Catalog
    _room_lists: LiveRoomLists
    _room_factory: RoomFactory
    _matchmaker: Matchmaker
    _bot_workers: BotWorkers

    def __post_init__(self) -> None:
        self._checking = asyncio.Lock()
        self.creations = RequestTasks(self._connections, CREATIONS)
        self.searches = RequestTasks(self._connections, SEARCHES)

    async def close(self) -> None:
        """Cancel what waits for the store."""
        for tasks in (self._room_lists, self.creations, self.searches):
            await tasks.close()

    def gone(self, connection: int) -> None:
        """Forget a closed connection."""
        self._bot_workers.gone(connection)
        self._room_lists.forget(connection)

    def ask(self, request: Games | Rooms | Older | Create | Quick | Work, player: str, client: Client) -> None:
        """Answer a request of *player*."""
        connection = client.connection.id
        match request:
            case Create() | Quick():
                tasks = self.searches if isinstance(request, Quick) else self.creations
                tasks.begin(connection, request.ref, lambda: self._find(request, player, client))
            case Games():
                self._connections.answer(connection, self._catalog.message(request.ref))
            case Rooms() | Older():
                self._room_lists.ask(request, connection)
            case Work():
                self._bot_workers.employ(request, player, connection)

    async def _find(self, wish: Create | Quick, player: str, client: Client) -> bytes:
        """Return the encoded answer: the room that was found or made, or why there is none."""
        # The setup of a game may take milliseconds, so only one runs in each turn of the loop.
        async with self._checking:
            await asyncio.sleep(0)
            check = quick_proposal if isinstance(wish, Quick) else consider
            proposal = check(wish, self._registry)
        if isinstance(proposal, Declined):
            return error(wish.ref, proposal.code, proposal.detail)
        if isinstance(wish, Quick):
            found = await self._matchmaker.find(player, wish.ref, proposal, client)
        else:
            found = await self._room_factory.make(player, wish.ref, proposal, client.address)
        return self._room_factory.answer(wish.ref, found, proposal)
