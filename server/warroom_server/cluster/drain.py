"""Hands all rooms of a node to others before it stops, so that players hardly notice."""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from warroom_server.cluster.handover import Handover
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost

logger = logging.getLogger(__name__)

STEP_S: Final = 0.01
"""How often the drain looks for rooms that can go."""
AT_ONCE: Final = 32
"""Rooms on their way to one node. Players wait only for these, and not for all rooms."""
RELINK_STEPS: Final = 100
"""Steps in a row without any link before the drain gives up: a link that broke is usually back within half a second."""
RESUME_STEPS: Final = 50
"""Steps at the end in which no more clients of this node resume, before the drain waits no longer for the rest."""


@dataclass(frozen=True, eq=False)
class Drain:
    """Hands each room over as soon as the store owes it no answer.

    A room goes to the node with most of its viewers, and among equals to the one with the fewest rooms. If no node has
    its rules, any node keeps it for one that has them later.
    """

    _connections: Connections
    _room_host: RoomHost
    _handover: Handover
    _nodes: LeasedNodes

    async def run(self) -> None:
        """Return once other nodes own all rooms, or no node is left to take them.

        Rooms that nobody takes are found by the others once the lease of this node is released.
        """
        before, unlinked = len(self._unfinished()), 0
        while self._nodes.has_others() and unlinked < RELINK_STEPS:
            rooms = self._unfinished()
            if not rooms and not self._handover:
                break
            # Without a link nothing is offered: a room whose offer was lost with the link is offered when it is back.
            unlinked = 0 if self._nodes.staying() else unlinked + 1
            if not unlinked:
                self._handover.offer_again()
                self._handover.give(self._choices(rooms))
            await asyncio.sleep(STEP_S)
        if not self._handover:  # else rooms without an owner wait for the end of this node's lease
            await self._let_clients_resume()
        if before:
            logger.info("rooms handed over rooms=%d left=%d", before, len(self._unfinished()))

    async def _let_clients_resume(self) -> None:
        """Wait until clients of this node have resumed in rooms that moved.

        The new owner of a match holds its clock until all players are back. A player whose connection is closed before
        comes back only after a reconnect, and all players of the match would have to wait for that.
        """
        before, steps = 0, 0
        while (lost := sum(bool(client.session.lost) for client in self._connections)) and steps < RESUME_STEPS:
            steps = steps + 1 if lost == before else 0
            before = lost
            await asyncio.sleep(STEP_S)

    def _unfinished(self) -> list[HostedRoom]:
        return [hosted for hosted in self._room_host if not hosted.room.is_publicly_over]

    def _choices(self, rooms: Iterable[HostedRoom]) -> list[tuple[HostedRoom, str]]:
        """Return the rooms that go now, each with its next node."""
        busy, chosen = self._handover.by_node(), list[tuple[HostedRoom, str]]()
        nodes = [lease.owner for lease in self._nodes.staying()]
        for hosted in rooms:
            if all(busy[node] >= AT_ONCE for node in nodes):
                break
            number = hosted.room.number
            if hosted.pending or self._handover.is_asked(number) or self._room_host.is_in_doubt(number):
                continue
            node = self._best(hosted)
            if busy[node] < AT_ONCE:
                chosen.append((hosted, node))
                self._nodes.add_load(node)
                busy[node] += 1
        return chosen

    def _best(self, hosted: HostedRoom) -> str:
        viewers, able = hosted.room.audience.by_node(), self._nodes.able(hosted.rules)
        return min(able, key=lambda lease: (-viewers[lease.owner], self._nodes.load(lease))).owner
