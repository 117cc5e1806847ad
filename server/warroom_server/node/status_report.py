"""The status that a node reports to its operator: itself, the other nodes, and the owner of each room."""

from dataclasses import dataclass

from msgspec import Struct

from warroom_protocol.codes import PAUSE_AGREED
from warroom_protocol.rooms import room_code
from warroom_server.cluster.lease import Lease
from warroom_server.cluster.messages import Links
from warroom_server.counters import Counters
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.store import Store, UnavailableError
from warroom_server.room.viewer_addresses import Local


class NodeStatus(Struct, frozen=True, kw_only=True):
    """One node. Fields that only the node itself knows are None in the report of another."""

    node: str
    """The id of the node since its start."""
    address: str
    """Where other nodes reach it."""
    rooms: int
    link_ms: int | None = None
    """The last round trip from the reporting node; None for itself, and without a link."""
    connections: int | None = None
    store_ms: float | None = None
    """How long the store took on average to answer an append."""
    stalls: int | None = None
    """How often its loop stood still."""
    is_sure: bool = True
    """Whether it holds its lease, as far as it knows."""


class RoomStatus(Struct, frozen=True, kw_only=True):
    """One room. Fields that only its owner knows are None in the report of another node."""

    code: str
    node: str
    """Its owner."""
    game: str | None = None
    phase: str | None = None
    connected: int | None = None
    """Seats whose players are connected."""
    seats: int | None = None
    watching: int | None = None
    paused: str | None = None
    lag_ms: int | None = None
    """The slowest connection among players who are connected to the owner itself."""


class Status(Struct, frozen=True):
    """The report of one node."""

    teller: str
    nodes: tuple[NodeStatus, ...]
    rooms: tuple[RoomStatus, ...]
    trouble: str | None = None
    """Why the report covers the reporting node only."""


@dataclass(frozen=True, eq=False)
class StatusReporter:
    """Builds the report on request."""

    _owner: str
    _store: Store
    _room_host: RoomHost
    _connections: Connections
    _links: Links
    _lease: Lease
    _counters: Counters

    async def status(self, *, stalls: int) -> Status:
        """Return what the node knows of itself, and the store of the others."""
        own = tuple(self._room(hosted) for hosted in self._room_host if not hosted.room.is_publicly_over)
        me = self._myself(len(own), stalls)
        try:
            leases = [lease for lease in await self._store.nodes() if lease.owner != self._owner]
            listed = await self._store.rooms_of([lease.owner for lease in leases])
        except UnavailableError as error:
            return Status(self._owner, (me,), own, str(error))
        nodes, others = [me], [*own]
        for lease, rooms in zip(leases, listed, strict=True):
            node = lease.owner
            link_ms = self._links.rtt(node).last_ms if node in self._links.nodes() else None
            nodes.append(NodeStatus(node=node, address=lease.address, rooms=len(rooms), link_ms=link_ms))
            others += [RoomStatus(code=room_code(number), node=node) for number in rooms]
        return Status(self._owner, tuple(nodes), tuple(others))

    def _myself(self, rooms: int, stalls: int) -> NodeStatus:
        appends = self._counters.append_ms
        count = sum(appends.counts)
        return NodeStatus(
            node=self._owner,
            address=self._lease.address,
            rooms=rooms,
            connections=len(self._connections),
            store_ms=round(appends.total / count, 2) if count else None,
            stalls=stalls,
            is_sure=not self._lease.is_lost,
        )

    def _room(self, hosted: HostedRoom) -> RoomStatus:
        room = hosted.room
        match, audience = room.match, room.audience
        here = [viewer.connection for viewer in audience.players() if isinstance(viewer, Local)]
        lags = [
            client.rtt_ms for connection in here if (client := self._connections.clients.get(connection)) is not None
        ]
        return RoomStatus(
            code=room_code(room.number),
            node=self._owner,
            game=match.opened.game,
            phase=match.phase,
            connected=sum(1 for seat in range(len(match.seats)) if audience.of_seat(seat)),
            seats=len(match.seats),
            watching=audience.watching,
            paused=hosted.pause.reason if hosted.pause else PAUSE_AGREED if match.is_halted else None,
            lag_ms=max(lags, default=None),
        )
