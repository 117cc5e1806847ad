"""Hands a new room to a node with fewer rooms, if this node has far more than its share."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
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
"""A node that exceeds the mean by fewer rooms keeps new ones."""
PART: Final = 4
"""So does a node that exceeds it by less than this part of the mean."""
_NEW_REV: Final = 1


def is_overloaded(own: int, others: Sequence[int]) -> bool:
    """Whether a node with *own* rooms hands new ones on, compared to *others*."""
    mean = (own + sum(others)) / (1 + len(others))
    return own - mean >= max(LEAST, mean / PART)


@dataclass(frozen=True, eq=False)
class Placement:
    """Decides for each new room whether it stays. Running matches never move for this."""

    _nodes: LeasedNodes
    _handover: Handover
    _room_host: RoomHost
    _entropy: Entropy
    _counters: Counters

    async def place(self, number: int) -> None:
        """Give a new room to another node, if this one has too many; return once it is on its way."""
        hosted, own = self._room_host.get(number), self._nodes.own
        if hosted is None or hosted.room.match.rev > _NEW_REV or own is None:
            return
        node = self._choose(hosted, own)
        self._nodes.add_load(node.owner)
        if node is not own:
            self._counters.rooms_placed += 1
            logger.info("room given room=%s epoch=%d to=%s", room_code(number), hosted.epoch, node.owner)
            await asyncio.wait(self._handover.give([(hosted, node.owner)]))

    def _choose(self, hosted: HostedRoom, own: NodeLease) -> NodeLease:
        """Return the node for a new room: this one, or the emptier of two random ones that have the rules.

        Not the emptiest of all: loads are up to a second old, and all nodes would choose the same one.
        """
        load, able = self._nodes.load, self._nodes.with_rules(hosted.rules)
        if not able or not is_overloaded(load(own), [load(lease) for lease in self._nodes.staying()]):
            return own
        first = able.pop(self._below(len(able)))
        second = able[self._below(len(able))] if able else first
        node = min(first, second, key=load)
        return node if load(node) < load(own) else own

    def _below(self, count: int) -> int:
        return int.from_bytes(self._entropy.bytes(8), "big") % count
