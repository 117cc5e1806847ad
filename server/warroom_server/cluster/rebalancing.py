"""Moving matches from nodes that have many to nodes that have few, such as one that came back empty."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import islice
from math import inf
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.registry import RulesVersion
from warroom_protocol.rooms import room_code
from warroom_server.cluster.drain import HOUSED_MS, Way, way_to
from warroom_server.cluster.heirs import Heirs
from warroom_server.cluster.load_shares import gifts, is_uneven
from warroom_server.cluster.messages import Load, Offer
from warroom_server.cluster.peers import Peers
from warroom_server.cluster.room_directory import RoomDirectory
from warroom_server.counters import Counters
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.clock import Clock, Timers

logger = logging.getLogger(__name__)

LOOK_MS: Final = 1_000
"""How often a node tells the others how many matches it has, and looks at what they tell."""
PATIENCE: Final = 5
"""Nodes have to be uneven at so many looks in a row: one that has just come or gone changes everything."""
AT_ONCE: Final = 8
"""How many matches may be on their way."""
LOOKED_AT: Final = 128
"""Among how many that may go it is chosen which ones do."""
FRESH_MS: Final = 3 * LOOK_MS
"""How long what a node told of itself counts."""
REST_MS: Final = 60_000
"""How long a node is given nothing that did not take something in time."""


class _Told(Struct, frozen=True):
    """What a node told of itself: how many matches it has, to which nodes it has links, and when that was."""

    matches: int
    peers: frozenset[str]
    at: int


class Leveller:
    """Gives matches to nodes with fewer, once that was worth it for a while; each stands still for milliseconds.

    What nobody says to have within `HOUSED_MS` is taken back, and the store decides if somebody has it all the same.
    *has_rules* says whether a node has the rules of a match.
    """

    def __init__(
        self,
        owner: str,
        *,
        room_host: RoomHost,
        directory: RoomDirectory,
        links: Peers,
        heirs: Heirs,
        events: RoomEvents,
        counters: Counters,
        clock: Clock,
        timers: Timers,
        has_rules: Callable[[str, RulesVersion], bool],
    ) -> None:
        self._owner = owner
        self._room_host = room_host
        self._directory = directory
        self._links = links
        self._heirs = heirs
        self._counters = counters
        self._clock = clock
        self._timers = timers
        self._has_rules = has_rules
        self._told: dict[str, _Told] = {}
        self._uneven = 0
        """At how many looks in a row there was something to give."""
        self._left = 0
        """How many may still be given of what there was to give when that was worth it."""
        self._ways: dict[int, Way] = {}
        self._rests: dict[str, int] = {}
        """Until when nodes are given nothing."""
        self._is_on = False
        events.owned_elsewhere.append(self._arrived)

    def start(self) -> None:
        """Begin to look at the others, and to be seen by them."""
        self._is_on = True
        self._look_later()

    def stop(self) -> dict[int, Way]:
        """Give nothing more away; return what is on its way, after which nobody looks here any more."""
        self._is_on = False
        ways, self._ways = self._ways, {}
        return ways

    def pause(self) -> None:
        """Give nothing until that has been worth it for a while again.

        A store that lost the end of a log is told it again by the owner, and whoever gives a match away forgets it.
        """
        self._uneven = self._left = 0

    def heard(self, node: str, load: Load) -> None:
        """Take note of what a node tells of itself."""
        if self._is_on:
            self._told[node] = _Told(load.matches, frozenset(load.peers), self._clock.now())

    def _look_later(self) -> None:
        self._timers.call_at(self._clock.now() + LOOK_MS, self._look)

    def _look(self) -> None:
        if not self._is_on:
            return
        self._look_later()
        if self._room_host.is_silent or self._counters.primaries_away or self._directory.orphans:
            self.pause()  # nobody could claim what is given now, or the numbers are about to change
            return
        matches = list(self._matches())
        self._links.broadcast(Load(len(matches), tuple(self._links.peers())))
        if not self._ways:  # else they are in nobody's number
            self._plan(matches)

    def _matches(self) -> Iterator[HostedRoom]:
        return (
            each for each in self._room_host if each.room.match.phase == "playing" and not each.room.is_publicly_over
        )

    # --- what is to go where ----------------------------------------------------------------------------------------

    def _plan(self, matches: Sequence[HostedRoom]) -> None:
        loads = self._loads(matches)
        planned = gifts(self._owner, loads)
        if not self._left and self._is_worth_it(loads, planned):
            self._left, self._uneven = len(planned), 0
        self._give(planned[: self._left])

    def _loads(self, matches: Sequence[HostedRoom]) -> dict[str, int]:
        """Return how many matches this node has, and each that can take some of them."""
        now, heirs = self._clock.now(), self._heirs.peers()
        self._told = {node: told for node, told in self._told.items() if node in heirs and now - told.at < FRESH_MS}
        self._rests = {node: until for node, until in self._rests.items() if until > now}
        return {self._owner: len(matches)} | {
            node: told.matches
            for node, told in self._told.items()
            if node not in self._rests and any(self._can_take(node, each) for each in matches)
        }

    def _is_worth_it(self, loads: Mapping[str, int], planned: Sequence[str]) -> bool:
        self._uneven = self._uneven + 1 if planned and is_uneven(loads) else 0
        return self._uneven >= PATIENCE

    def _give(self, planned: Sequence[str]) -> None:
        """Give a match to some of these; once there is none to give, it has to be worth it again."""
        for heir, count in Counter(planned).items():
            for hosted in self._choose(heir, min(count, AT_ONCE - len(self._ways))):
                self._give_to(heir, hosted)
        self._left = self._left - len(self._ways) if self._ways else 0

    def _give_to(self, heir: str, hosted: HostedRoom) -> None:
        number, way = hosted.room.number, way_to(heir, hosted, self._clock)
        logger.info("room given room=%s epoch=%d to=%s", room_code(number), hosted.epoch, heir)
        self._counters.rooms_given += 1
        self._ways[number] = way
        self._directory.given.add(number)
        self._room_host.lose(hosted)
        self._links.send(heir, Offer(((number, hosted.epoch, way.handoff_state),)))
        self._timers.call_at(self._clock.now() + HOUSED_MS, lambda: self._take_back(number, way))

    def _choose(self, heir: str, count: int) -> list[HostedRoom]:
        """Return the matches that go with the least harm: seen from there rather than here, with time left."""
        may_go = (each for each in self._matches() if _is_calm(each) and self._can_take(heir, each))
        looked_at = islice(may_go, LOOKED_AT)
        return nsmallest(count, looked_at, key=lambda each: (self._distance(each, heir), -self._left_ms(each)))

    def _can_take(self, heir: str, hosted: HostedRoom) -> bool:
        """Whether a match can be played on a node: it has the rules, and no viewer is where nobody reaches it from."""
        near = self._told[heir].peers | {heir}
        return self._has_rules(heir, hosted.rules) and hosted.room.audience.by_node().keys() <= near

    def _distance(self, hosted: HostedRoom, heir: str) -> int:
        """Return how many more viewers of a room are connected here than to another node."""
        audience = hosted.room.audience
        elsewhere = audience.by_node()
        return len(audience.viewers()) - elsewhere.total() - elsewhere[heir]

    def _left_ms(self, hosted: HostedRoom) -> float:
        """Return how long it is until the clock of a room has something to do."""
        return inf if hosted.wake_at is None else hosted.wake_at - self._clock.now()

    # --- what became of it ------------------------------------------------------------------------------------------

    def _arrived(self, room: int, epoch: int) -> None:
        way = self._ways.get(room)
        if way is not None and way.is_over_by(epoch):
            del self._ways[room]
            self._directory.given.discard(room)
            if (told := self._told.get(way.heir)) is not None:
                self._told[way.heir] = replace(told, matches=told.matches + 1)

    def _take_back(self, room: int, way: Way) -> None:
        if self._ways.get(room) is not way:
            return
        del self._ways[room]
        self._rests[way.heir] = self._clock.now() + REST_MS
        self._directory.given.discard(room)
        self._directory.take_over([(room, self._owner, way.epoch)], {room: way.handoff_state})


def _is_calm(hosted: HostedRoom) -> bool:
    """Whether a match can go without anybody waiting longer for it than it takes to go."""
    is_halted = hosted.is_waiting or hosted.holds or hosted.has_failed or hosted.room.match.is_halted
    return not is_halted and not hosted.absent
