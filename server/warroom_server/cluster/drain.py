"""Gives all rooms of a node to others before it stops, so that players hardly notice."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import Final

from warroom_games.registry import RulesVersion
from warroom_server.cluster.handover import Handover
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost

logger = logging.getLogger(__name__)

STEP_S: Final = 0.01
"""How often the drain looks for rooms that may go."""
AT_ONCE: Final = 32
"""How many rooms are on their way to one node: players wait for these, and not for all rooms that there are."""


class Drain:
    """Hands every room over once the store owes it no answer, to a node that has its rules.

    Nodes with most of a room's viewers come first, then those with the fewest rooms. If no node has
    the rules, one keeps the room for a node that has them later.
    """

    def __init__(
        self,
        *,
        room_host: RoomHost,
        handover: Handover,
        nodes: LeasedNodes,
    ) -> None:
        self._room_host = room_host
        self._handover = handover
        self._nodes = nodes
        self._loads: dict[str, int] = {}
        """By node, how many rooms it had when it was seen first, and was given since."""

    async def run(self) -> None:
        """Return once other nodes own all rooms, or there is none left to take them.

        All others find what nobody takes, once the lease of this node is given up.
        """
        before = len(self._unfinished())
        while self._nodes.staying():
            rooms = self._unfinished()
            if not rooms and not self._handover:
                break
            self._offer_again()
            self._handover.give(self._choices(rooms))
            await asyncio.sleep(STEP_S)
        if before:
            logger.info("rooms handed over rooms=%d left=%d", before, len(self._unfinished()))

    def _unfinished(self) -> list[HostedRoom]:
        return [hosted for hosted in self._room_host if not hosted.room.is_publicly_over]

    def _choices(self, rooms: Iterable[HostedRoom]) -> list[tuple[HostedRoom, str]]:
        """Return which rooms go where now."""
        busy, chosen = self._handover.by_node(), list[tuple[HostedRoom, str]]()
        free = {lease.owner for lease in self._nodes.staying() if busy[lease.owner] < AT_ONCE}
        for hosted in rooms:
            if not free:
                break
            number = hosted.room.number
            if hosted.is_waiting or self._handover.is_asked(number) or self._room_host.is_in_doubt(number):
                continue
            node = self._best(hosted)
            if node in free:
                chosen.append((hosted, node))
                self._loads[node] += 1
                busy[node] += 1
                if busy[node] == AT_ONCE:
                    free.remove(node)
        return chosen

    def _best(self, hosted: HostedRoom) -> str:
        viewers = hosted.room.audience.by_node()
        return min(self._able(hosted.rules), key=lambda node: (-viewers[node], self._loads[node]))

    def _able(self, rules: RulesVersion) -> Sequence[str]:
        """Return the nodes that can go on with a room; all if none can."""
        leases = self._nodes.takers(rules) or self._nodes.staying()
        for lease in leases:
            self._loads.setdefault(lease.owner, lease.facts.load)
        return [lease.owner for lease in leases]

    def _offer_again(self) -> None:
        """Offer rooms once more whose new owner is gone or silent."""
        again: dict[int, str] = {}
        vain: list[int] = []
        for room, gift in self._handover.overdue().items():
            others = [node for node in self._able(gift.rules) if node != gift.node]
            if gift.is_second or not others:
                vain.append(room)
            else:
                again[room] = min(others, key=self._loads.__getitem__)
                self._loads[again[room]] += 1
        self._handover.give_up(vain)
        self._handover.offer_again(again)
