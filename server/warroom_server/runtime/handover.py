"""Handing a node's rooms over to others before it stops, so that whoever plays hardly notices."""

import asyncio
import logging
from itertools import cycle

from warroom_server.cluster.messages import MAX_ROOMS, Draining, Offer
from warroom_server.runtime.crashpoints import points
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.hosted import Hosted
from warroom_server.runtime.links import Links
from warroom_server.runtime.relay import Relay

logger = logging.getLogger(__name__)

STEP_S = 0.01
"""How often it is looked for rooms that the store owes no answer to any more."""
HOUSED_STEPS = 100
"""For so many of these it is waited until the guests here have followed their rooms."""


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
    given = 0
    while running := [hosted for hosted in driver if not hosted.room.is_publicly_over]:
        offers: dict[str, list[tuple[int, int]]] = {}
        for hosted in running:
            if not hosted.is_waiting:
                heir = _nearest(hosted, relay, heirs) or next(turns)
                offers.setdefault(heir, []).append((hosted.room.number, hosted.epoch))
                relay.leave(hosted)
        for heir, rooms in offers.items():
            points.reached("during_drain")
            given += len(rooms)
            for first in range(0, len(rooms), MAX_ROOMS):
                links.send(heir, Offer(tuple(rooms[first : first + MAX_ROOMS])))
        await asyncio.sleep(STEP_S)
    logger.info("rooms handed over rooms=%d nodes=%d", given, len(heirs))
    for _ in range(HOUSED_STEPS):
        if not relay.edge.homeless():
            break
        await asyncio.sleep(STEP_S)


def _nearest(hosted: Hosted, relay: Relay, heirs: list[str]) -> str | None:
    """Return the node with most of a room's viewers, so that they are nearest to it; None if no node has any."""
    guests = {heir: relay.visitors.count(heir, hosted.room.number) for heir in heirs}
    best = max(heirs, key=lambda heir: guests[heir])
    return best if guests[best] else None
