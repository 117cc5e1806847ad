"""Handing a node's rooms over to others before it stops, so that whoever plays hardly notices."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.registry import RulesVersion
from warroom_server.cluster.heirs import Heirs
from warroom_server.cluster.messages import Draining, Offer, Offered
from warroom_server.cluster.peers import Peers
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.crashpoints import points
from warroom_server.ports.clock import Clock
from warroom_server.room.handoff_state import HandoffState

logger = logging.getLogger(__name__)

STEP_S = 0.01
"""How often it is looked for rooms that may go."""
AT_ONCE = 16
"""How many rooms go to a node at a time: whoever plays waits for these, and not for all rooms that there are."""
HOUSED_MS = 1_000
"""How long a node may take to say that it has a room, before another one is asked."""


class Way(Struct, frozen=True):
    """A room that was given away: to whom, under which epoch, since when, and whether it is the second attempt.

    It is played by these *rules*, and what is *handoff_state* of it goes along.
    """

    heir: str
    epoch: int
    rules: RulesVersion
    handoff_state: HandoffState
    since_ms: int
    is_second: bool = False

    def is_over_by(self, epoch: int) -> bool:
        """Whether a node that has the room under *epoch* has it since; what was said before may come late."""
        return epoch >= self.epoch


def way_to(heir: str, hosted: HostedRoom, clock: Clock) -> Way:
    """Return the way of a room that is given to *heir* now."""
    return Way(heir, hosted.epoch, hosted.rules, hosted.handoff_state(clock.now()), clock.steady_ms())


async def hand_over(
    room_host: RoomHost,
    peers: Peers,
    heirs: Heirs,
    events: RoomEvents,
    clock: Clock,
    *,
    on_their_way: Mapping[int, Way],
    has_rules: Callable[[str, RulesVersion], bool],
) -> None:
    """Give every room to a living node as soon as the store owes it no answer, and wait until the new owners have them.

    So is seen to it that those arrive that were given away already, and are *on_their_way*. Nodes of which *has_rules*
    says that they have those of a room come before all others, which could only pass it on.
    Whoever is connected here resumes through this node. Returns as soon as there is no other node; what nobody takes is
    found by all others once the lease of this one is given up.
    """
    peers.broadcast(Draining())
    removal = _Removal(room_host, peers, heirs, clock, on_their_way=on_their_way, has_rules=has_rules)
    events.owned_elsewhere.append(removal.arrived)
    while heirs.peers():
        running = [hosted for hosted in room_host if not hosted.room.is_publicly_over]
        if not running and not removal.is_under_way:
            break
        removal.go_on(running)
        await asyncio.sleep(STEP_S)
    if removal.total:
        logger.info("rooms handed over rooms=%d", removal.total)


class _Removal:
    """The rooms that are on their way to other nodes."""

    def __init__(
        self,
        room_host: RoomHost,
        peers: Peers,
        heirs: Heirs,
        clock: Clock,
        *,
        on_their_way: Mapping[int, Way],
        has_rules: Callable[[str, RulesVersion], bool],
    ) -> None:
        self.total = 0
        self._room_host = room_host
        self._peers = peers
        self._heirs = heirs
        self._clock = clock
        self._ways = dict(on_their_way)
        self._has_rules = has_rules

    @property
    def is_under_way(self) -> bool:
        """Whether some node has not said yet that it has what it was given."""
        return bool(self._ways)

    def arrived(self, room: int, epoch: int) -> None:
        """Take note of a room that a node says to have."""
        way = self._ways.get(room)
        if way is not None and way.is_over_by(epoch):
            del self._ways[room]

    def go_on(self, running: Iterable[HostedRoom]) -> None:
        """Give away as many rooms as may be on the way, those first that did not arrive."""
        heirs = self._heirs.peers()
        offers: dict[str, list[Offered]] = {}
        self._give_again(heirs, offers)
        busy = Counter(way.heir for way in self._ways.values())
        free = {heir for heir in heirs if busy[heir] < AT_ONCE}
        for hosted in running:
            if not free:
                break
            able = self._able(hosted.rules, heirs)
            heir = self._nearest(hosted, able) or min(able, key=lambda each: (busy[each], each))
            if hosted.is_waiting or heir not in free:
                continue
            self._give(hosted.room.number, way_to(heir, hosted, self._clock), offers)
            self._room_host.lose(hosted)
            self.total += 1
            busy[heir] += 1
            if busy[heir] == AT_ONCE:
                free.remove(heir)
        for heir, rooms in offers.items():
            points.reached("during_drain")
            self._peers.send(heir, Offer(tuple(rooms)))

    def _give(self, room: int, way: Way, offers: dict[str, list[Offered]]) -> None:
        offers.setdefault(way.heir, []).append((room, way.epoch, way.handoff_state))
        self._ways[room] = way

    def _give_again(self, heirs: list[str], offers: dict[str, list[Offered]]) -> None:
        """Offer rooms to another node whose heir is gone or silent; if both claim one, the store decides."""
        now_ms = self._clock.steady_ms()
        for room, way in list(self._ways.items()):
            if way.heir in heirs and way.since_ms > now_ms - HOUSED_MS:
                continue
            others = self._able(way.rules, [heir for heir in heirs if heir != way.heir])
            if way.is_second or not others:
                del self._ways[room]
            else:
                heir = others[room % len(others)]
                self._give(room, replace(way, heir=heir, since_ms=now_ms, is_second=True), offers)

    def _able(self, rules: RulesVersion, heirs: Sequence[str]) -> Sequence[str]:
        """Return the nodes that can go on with a room; all if none can: one of them keeps it for whoever can later."""
        return [heir for heir in heirs if self._has_rules(heir, rules)] or heirs

    def _nearest(self, hosted: HostedRoom, heirs: Sequence[str]) -> str | None:
        """Return the node with most of a room's viewers, so that they are nearest to it; None if no node has any."""
        peers = hosted.room.audience.by_node()
        best = max(heirs, key=lambda heir: peers[heir])
        return best if peers[best] else None
