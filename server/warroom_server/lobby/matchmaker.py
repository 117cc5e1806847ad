"""Quick matches: sends players who want the same to the same room; bots fill it if nobody else comes."""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from warroom_games.registry import Registry
from warroom_protocol import codes
from warroom_protocol.messages import Create, Quick
from warroom_server.hosting.connections import Client, Connections
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.quick_match_rooms import OpenRooms, kind_of_proposal
from warroom_server.lobby.room_factory import RoomFactory
from warroom_server.ports.listings import QuickRequest
from warroom_server.ports.store import Store, UnavailableError
from warroom_server.ports.time import Clock
from warroom_server.session.room_proposal import Declined, Proposal, consider

MAKING_S: Final = 0.05
"""How often to look for a room that another node is making."""
RETRY_S: Final = 1.0
"""How often to ask for a room within the player's skill window."""
GIVE_UP_MS: Final = 30_000
"""How long a search goes on while the rooms it finds turn out to be gone."""

_UNAVAILABLE: Final = Declined(codes.STORE_UNAVAILABLE)


@dataclass(frozen=True, eq=False)
class Matchmaker:
    """Asks the directory for open rooms, and makes a room if there is none.

    *owners* returns the nodes whose rooms are shown: those with a lease, and this one.
    """

    _open_rooms: OpenRooms
    _store: Store
    _room_host: RoomHost
    _room_factory: RoomFactory
    _connections: Connections
    _owners: Callable[[], Collection[str]]
    _clock: Clock

    async def find(self, player: str, ref: int, proposal: Proposal, client: Client) -> int | Declined:
        """Search until there is a room like *proposal*, or the connection closes."""
        kind, began_ms = kind_of_proposal(proposal), self._clock.steady_ms()
        request = await self._request(player, ref, proposal)
        while client.is_open and request.waited_ms < GIVE_UP_MS:
            excluded = self._room_host.doubtful | self._connections.refusing(client)
            request = replace(request, owners=self._owners(), excluded=excluded)
            found = await self._open_rooms.directory.quick_match(kind, request)
            if found.verdict == "make":
                return await self._make(kind, request, proposal, client.address)
            if found.verdict == "wait":
                await asyncio.sleep(RETRY_S)
            elif found.room in self._room_host or (await self._store.whereabouts([found.room]))[0] is not None:
                return found.room
            elif found.verdict == "making":
                await asyncio.sleep(MAKING_S)
            missing = found.room if found.verdict == "join" else None
            request = replace(request, waited_ms=self._clock.steady_ms() - began_ms, missing=missing)
        return _UNAVAILABLE

    async def _request(self, player: str, ref: int, proposal: Proposal) -> QuickRequest:
        is_rated = proposal.room_options.rated
        skills = await self._open_rooms.skills(proposal.game.info.id, [player]) if is_rated else {}
        return QuickRequest(
            player=player,
            ref=ref,
            room=self._room_factory.number_for(player, ref),
            owner=self._open_rooms.owner,
            seats=proposal.seats,
            skill=skills.get(player),
        )

    async def _make(self, kind: str, request: QuickRequest, proposal: Proposal, address: str) -> int | Declined:
        """Make the room of a request; if that fails, let nobody wait for it."""
        made: int | Declined | None = None
        try:
            made = await self._room_factory.make(request.player, request.ref, proposal, address)
            return made
        finally:
            if made != request.room:
                with suppress(UnavailableError):
                    await self._open_rooms.close(kind, request.room)


def quick_proposal(wish: Create | Quick, registry: Registry) -> Proposal | Declined:
    """Check a request for a quick match: its room is open to everybody, and bots fill it after a while."""
    proposal = consider(wish, registry)
    if isinstance(proposal, Declined):
        return proposal
    options = proposal.room_options
    if options.private:
        return Declined(codes.ROOM_OPTIONS, "a quick match is open to everybody, so private cannot be true")
    if options.fill_after_ms is None:
        options = replace(options, fill_after_ms=proposal.game.info.fill_after_ms)
    return replace(proposal, room_options=options)
