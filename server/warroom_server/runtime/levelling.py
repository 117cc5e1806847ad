"""Moving matches from nodes that have many to nodes that have few, such as one that came back empty."""

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import islice
from math import inf
from typing import Final

from msgspec import Struct

from warroom_protocol.rooms import room_code
from warroom_server.cluster.messages import Load, Offer
from warroom_server.cluster.shares import gifts
from warroom_server.ports import Clock, Timers
from warroom_server.runtime.directory import Directory
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.handover import HOUSED_MS
from warroom_server.runtime.hosted import Hosted
from warroom_server.runtime.links import Links
from warroom_server.runtime.metrics import Counters
from warroom_server.runtime.relay import Relay

logger = logging.getLogger(__name__)

LOOK_MS: Final = 1_000
"""How often a node tells the others how many matches it has, and looks at what they tell."""
PATIENCE: Final = 5
"""Nodes have to be uneven at so many looks in a row: one that has just come or gone changes everything."""
AT_ONCE: Final = 8
"""How many matches may be on their way."""
LOOKED_AT: Final = 512
"""Among how many it is chosen which ones move."""
FRESH_MS: Final = 3 * LOOK_MS
"""How long what a node told of itself counts."""
REST_MS: Final = 60_000
"""How long a node is given nothing that did not take something in time."""


class _Way(Struct, frozen=True):
    """A room that was given away: to whom, under which epoch, and since when."""

    heir: str
    epoch: int
    since: int


class Leveller:
    """Gives matches to nodes with fewer, once that was worth it for a while; each stands still for milliseconds.

    What nobody says to have within `HOUSED_MS` is taken back, and the store decides if somebody has it all the same.
    *has_rules* says whether a node has the rules of a match.
    """

    def __init__(
        self,
        owner: str,
        *,
        driver: Driver,
        directory: Directory,
        links: Links,
        relay: Relay,
        counters: Counters,
        clock: Clock,
        timers: Timers,
        has_rules: Callable[[str, tuple[str, int]], bool],
    ) -> None:
        self._owner = owner
        self._driver = driver
        self._directory = directory
        self._links = links
        self._relay = relay
        self._counters = counters
        self._clock = clock
        self._timers = timers
        self._has_rules = has_rules
        self._told: dict[str, tuple[int, int]] = {}
        """By node, how many matches it said to have, and when."""
        self._uneven = 0
        """At how many looks in a row there was something to give."""
        self._heirs: deque[str] = deque()
        """Who is to get one match each."""
        self._ways: dict[int, _Way] = {}
        self._rests: dict[str, int] = {}
        """Until when nodes are given nothing."""
        self._is_on = False

    def start(self) -> None:
        """Begin to look at the others, and to be seen by them."""
        self._is_on = True
        self._relay.on_owned = self._arrived
        self._look_later()

    def stop(self) -> None:
        """Give nothing more away."""
        self._is_on = False

    def heard(self, node: str, matches: int) -> None:
        """Take note of how many matches a node has."""
        self._told[node] = matches, self._clock.now()

    def _look_later(self) -> None:
        self._timers.call_at(self._clock.now() + LOOK_MS, self._look)

    def _look(self) -> None:
        if not self._is_on:
            return
        self._look_later()
        self._take_back_late()
        if self._driver.is_silent or self._counters.primaries_away:
            self._uneven = 0  # nobody could claim what is given now
            return
        own = sum(1 for _ in self._matches())
        self._links.broadcast(Load(own))
        if not self._heirs:
            self._plan(own)
        self._give()

    def _matches(self) -> Iterator[Hosted]:
        return (each for each in self._driver if each.room.match.phase == "playing" and not each.room.is_publicly_over)

    # --- what is to go where ----------------------------------------------------------------------------------------

    def _plan(self, own: int) -> None:
        now, heirs = self._clock.now(), self._relay.heirs()
        self._told = {node: told for node, told in self._told.items() if node in heirs and now - told[1] < FRESH_MS}
        self._rests = {node: until for node, until in self._rests.items() if until > now}
        loads = {node: matches for node, (matches, _) in self._told.items() if node not in self._rests}
        planned = [] if self._ways or self._directory.orphans else gifts(self._owner, {self._owner: own, **loads})
        self._uneven = self._uneven + 1 if planned else 0
        if self._uneven >= PATIENCE:
            self._uneven = 0
            self._heirs.extend(planned)
            logger.info("levelling matches=%d giving=%s", own, dict(Counter(heir[:8] for heir in planned)))

    def _give(self) -> None:
        heirs = set(self._relay.heirs())
        while self._heirs and len(self._ways) < AT_ONCE:
            heir = self._heirs.popleft()
            hosted = self._choose(heir) if heir in heirs else None
            if hosted is None:
                self._heirs.clear()  # things have changed, or no match may go: it is planned anew
            else:
                self._give_to(heir, hosted)

    def _give_to(self, heir: str, hosted: Hosted) -> None:
        number = hosted.room.number
        logger.info("room given room=%s epoch=%d to=%s", room_code(number), hosted.epoch, heir)
        self._counters.rooms_given += 1
        self._ways[number] = _Way(heir, hosted.epoch, self._clock.now())
        self._directory.given.add(number)
        self._relay.leave(hosted)
        self._links.send(heir, Offer(((number, hosted.epoch),)))

    def _choose(self, heir: str) -> Hosted | None:
        """Return the match that goes with the least harm: seen from there rather than here, with time left."""
        may_go = (each for each in islice(self._matches(), LOOKED_AT) if self._may_go(each, heir))
        return min(may_go, key=lambda each: (self._distance(each, heir), -self._left_ms(each)), default=None)

    def _may_go(self, hosted: Hosted, heir: str) -> bool:
        info = hosted.room.match.opened
        is_calm = not hosted.is_waiting and not hosted.holds and not hosted.has_failed
        return is_calm and self._has_rules(heir, (info.game, info.rules_version))

    def _distance(self, hosted: Hosted, heir: str) -> int:
        """Return how many more viewers of a room are connected here than to another node."""
        peers = Counter(map(self._relay.visitors.peer_of, hosted.room.audience.everyone()))
        return peers[None] - peers[heir]

    def _left_ms(self, hosted: Hosted) -> float:
        """Return how long it is until the clock of a room has something to do."""
        return inf if hosted.wake_at is None else hosted.wake_at - self._clock.now()

    # --- what became of it ------------------------------------------------------------------------------------------

    def _arrived(self, room: int) -> None:
        if self._ways.pop(room, None) is not None:
            self._directory.given.discard(room)

    def _take_back_late(self) -> None:
        late = [room for room, way in self._ways.items() if self._clock.now() - way.since >= HOUSED_MS]
        for room in late:
            way = self._ways.pop(room)
            self._heirs.clear()
            self._rests[way.heir] = self._clock.now() + REST_MS
            self._directory.given.discard(room)
            self._directory.take_over([(room, self._owner, way.epoch)])
