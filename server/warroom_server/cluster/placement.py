"""Hands a new room to a less loaded node, where this one has far more rooms than its share."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from warroom_protocol.rooms import room_code
from warroom_server.cluster.handover import Handover
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.counters import Counters
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.store import NodeLease

logger = logging.getLogger(__name__)

LEAST: Final = 8
"""A node with fewer rooms than this above the mean keeps what is made there."""
PART: Final = 4
"""So does one that is above it by less than this part of the mean."""
_NEW_REV: Final = 1


def is_overloaded(own: int, others: Sequence[int]) -> bool:
    """Whether a node with *own* rooms hands new ones on, beside *others*."""
    mean = (own + sum(others)) / (1 + len(others))
    return own - mean >= max(LEAST, mean / PART)


class Placement:
    """Decides for each new room whether it stays. Running matches never move for this."""

    def __init__(
        self, *, nodes: LeasedNodes, handover: Handover, room_host: RoomHost, entropy: Entropy, counters: Counters
    ) -> None:
        self._nodes = nodes
        self._handover = handover
        self._room_host = room_host
        self._entropy = entropy
        self._counters = counters
        self._counted: Sequence[NodeLease] = ()
        """The leases that say how many rooms each node had."""
        self._added: Counter[str] = Counter()
        """By node, the rooms that it got from here since."""

    async def place(self, number: int) -> None:
        """Give a room that was just made to another node, if this one has too many; return once it is on its way."""
        hosted = self._room_host.get(number)
        if hosted is None or hosted.room.match.rev > _NEW_REV or self._nodes.own is None:
            return
        if (node := self._choose(hosted, self._nodes.own)) is None:
            self._added[self._nodes.own.owner] += 1
            return
        self._added[node] += 1
        self._counters.rooms_placed += 1
        logger.info("room given room=%s epoch=%d to=%s", room_code(number), hosted.epoch, node)
        await asyncio.wait(self._handover.give([(hosted, node)]))

    def _choose(self, hosted: HostedRoom, own: NodeLease) -> str | None:
        """Return the emptier of two nodes that have the rules, drawn by chance; None if the room is to stay."""
        if self._nodes.leases is not self._counted:
            self._counted = self._nodes.leases
            self._added.clear()
        loads = {lease.owner: lease.facts.load + self._added[lease.owner] for lease in (own, *self._nodes.staying())}
        own_load = loads.pop(own.owner)
        takers = [lease.owner for lease in self._nodes.takers(hosted.rules)]
        if not takers or not is_overloaded(own_load, list(loads.values())):
            return None
        node = self._emptier(takers, loads)
        return node if loads[node] < own_load else None

    def _emptier(self, takers: list[str], loads: Mapping[str, int]) -> str:
        first = takers.pop(self._below(len(takers)))
        second = takers[self._below(len(takers))] if takers else first
        return min(first, second, key=loads.__getitem__)

    def _below(self, count: int) -> int:
        return int.from_bytes(self._entropy.bytes(8), "big") % count
