"""Handing a node's rooms over to others before it stops, so that whoever plays hardly notices."""

import asyncio
import logging
from itertools import cycle
from time import monotonic

from warroom_server.cluster.messages import Draining, Offer
from warroom_server.runtime.crashpoints import points
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.hosted import Hosted
from warroom_server.runtime.links import Links
from warroom_server.runtime.relay import Relay

logger = logging.getLogger(__name__)

STEP_S = 0.01
"""How often it is looked for rooms that may go."""
AT_ONCE = 16
"""How many rooms go to a node at a time: whoever plays waits for these, and not for all rooms that there are."""
HOUSED_S = 1.0
"""So long it is waited until a room's new owner says that it has it."""


async def hand_over(driver: Driver, links: Links, relay: Relay) -> None:
    """Give every room to a living node as soon as the store owes it no answer, and wait until the new owners have them.

    Whoever is connected here follows them as a guest. Returns at once if there is no other node; what nobody takes is
    found by all others once the lease of this one is given up.
    """
    links.broadcast(Draining())
    heirs = relay.heirs()
    if not heirs:
        return
    turns = cycle(heirs)
    given = _Given()
    relay.on_owned = given.arrived
    while running := [hosted for hosted in driver if not hosted.room.is_publicly_over]:
        offers: dict[str, list[tuple[int, int]]] = {}
        for hosted in running:
            heir = _nearest(hosted, relay, heirs) or next(turns)
            if not hosted.is_waiting and given.may_go_to(heir):
                offers.setdefault(heir, []).append((hosted.room.number, hosted.epoch))
                given.goes(hosted.room.number, heir)
                relay.leave(hosted)
        for heir, rooms in offers.items():
            points.reached("during_drain")
            links.send(heir, Offer(tuple(rooms)))
        await asyncio.sleep(STEP_S)
    logger.info("rooms handed over rooms=%d nodes=%d", given.total, len(heirs))
    await given.settled()


class _Given:
    """The rooms that were given away, until their new owners say that they have them or had the time to."""

    def __init__(self) -> None:
        self.total = 0
        self._on_the_way: dict[int, tuple[str, float]] = {}
        """By room, to whom it goes, and since when."""

    def goes(self, room: int, heir: str) -> None:
        """Take note of a room that is given to a node."""
        self.total += 1
        self._on_the_way[room] = (heir, monotonic())

    def arrived(self, room: int) -> None:
        """Take note of a room that a node says to have."""
        self._on_the_way.pop(room, None)

    def may_go_to(self, heir: str) -> bool:
        """Whether a node is ready for one room more."""
        return sum(1 for each in self._under_way() if each == heir) < AT_ONCE

    async def settled(self) -> None:
        """Wait for the last ones."""
        for _ in range(round(HOUSED_S / STEP_S)):
            if not self._under_way():
                return
            await asyncio.sleep(STEP_S)

    def _under_way(self) -> list[str]:
        late_s = monotonic() - HOUSED_S
        return [heir for heir, given_s in self._on_the_way.values() if given_s > late_s]


def _nearest(hosted: Hosted, relay: Relay, heirs: list[str]) -> str | None:
    """Return the node with most of a room's viewers, so that they are nearest to it; None if no node has any."""
    guests = {heir: relay.visitors.count(heir, hosted.room.number) for heir in heirs}
    best = max(heirs, key=lambda heir: guests[heir])
    return best if guests[best] else None
