"""Gives rooms of this node to others: releases them in the store, then offers them over the links.

The release stores the state that is not in the log, and the next claim returns it. So a lost offer loses no state.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.registry import RulesVersion
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.cluster.messages import Links, Offer
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.crashpoints import points
from warroom_server.loop.tasks import Tasks, undisturbed
from warroom_server.ports.store import Orphan, RoomRelease, Store, UnavailableError
from warroom_server.ports.time import Clock
from warroom_server.room.handoff_state import HandoffState, encode_handoff
from warroom_server.storage.archiver import Rewriter

logger = logging.getLogger(__name__)

TAKEN_MS: Final = 500
"""How long a node may take to own an offered room, before the room is offered to all nodes or taken back."""
OFFERS: Final = 3
"""How often a room is offered at most."""
RETRY_S: Final = 0.2
"""How long rooms are left alone that the store could not release."""


class _Release(Struct, frozen=True):
    """A room for another node, as it was when the store was asked to release it."""

    hosted: HostedRoom
    node: str
    rev: int
    state: HandoffState

    def is_up_to_date(self, now: int) -> bool:
        """Whether nothing has changed since, except that time passed."""
        hosted = self.hosted
        is_same = _without_times(hosted.handoff_state(now)) == _without_times(self.state)
        return is_same and hosted.room.match.rev == self.rev and not hosted.pending


class _Gift(Struct, frozen=True):
    """A released room: the nodes that it is offered to, and since when."""

    nodes: tuple[str, ...]
    epoch: int
    rules: RulesVersion
    since_ms: int
    offers: int = 1


@dataclass(eq=False)
class Handover:
    """The rooms that are on their way from this node to others."""

    _store: Store
    _owner: str
    _room_host: RoomHost
    _nodes: LeasedNodes
    _links: Links
    _clock: Clock
    _log_repair: Rewriter

    def __post_init__(self) -> None:
        self.tasks = Tasks()
        self._asked: dict[int, str] = {}
        """By room whose release the store has not answered, the node that it is for."""
        self._gifts: dict[int, _Gift] = {}
        """By room that was released, until its new owner is known."""

    def __contains__(self, room: object) -> bool:
        return room in self._gifts

    def __len__(self) -> int:
        return len(self._asked) + len(self._gifts)

    def is_asked(self, room: int) -> bool:
        """Whether the store has not answered the release of a room yet."""
        return room in self._asked

    def by_node(self) -> Counter[str]:
        """Return how many rooms are on their way to each node."""
        return Counter([*self._asked.values(), *(node for gift in self._gifts.values() for node in gift.nodes)])

    # --- giving rooms -----------------------------------------------------------------------------------------

    def give(self, rooms: Iterable[tuple[HostedRoom, str]]) -> list[asyncio.Task[None]]:
        """Give each room to a node once the store has released it; one task for each primary."""
        now, by_primary = self._clock.now(), dict[str, list[_Release]]()
        for hosted, node in rooms:
            number = hosted.room.number
            self._asked[number] = node
            release = _Release(hosted, node, hosted.room.match.rev, hosted.handoff_state(now))
            by_primary.setdefault(self._store.primary_of(number), []).append(release)
        return [self.tasks.begin(self._release(part)) for part in by_primary.values()]

    async def _release(self, part: Sequence[_Release]) -> None:
        asked = [
            RoomRelease(each.hosted.room.number, self._owner, each.hosted.epoch, encode_handoff(each.state))
            for each in part
        ]
        try:
            kept = self._offer_released(part, await undisturbed(self._store.release_rooms(asked)))
            # Writing their last entries once more tells who owns them.
            await self._log_repair.rewrite(kept)
        except UnavailableError as error:
            logger.warning("rooms not released rooms=%d reason=%r", len(part), str(error))
            await asyncio.sleep(RETRY_S)
        finally:
            for release in asked:
                del self._asked[release.room]

    def _offer_released(self, part: Sequence[_Release], answers: Sequence[bool]) -> dict[int, int]:
        """Offer rooms that the store released; return the other ones, each with its epoch.

        A room that has changed since stays, and may go later.
        """
        kept: dict[int, int] = {}
        for each, is_released in zip(part, answers, strict=True):
            hosted, number = each.hosted, each.hosted.room.number
            if self._room_host.get(number) is not hosted or self._room_host.is_in_doubt(number):
                continue
            if not is_released:
                kept[number] = hosted.epoch
            elif each.node in self._links.nodes() and each.is_up_to_date(self._clock.now()):
                self._gifts[number] = _Gift((each.node,), hosted.epoch, hosted.rules, self._clock.steady_ms())
                self._room_host.lose(hosted)
                self._offer(each.node, number, hosted.epoch)
        return kept

    def _offer(self, node: str, room: int, epoch: int) -> None:
        points.reached("during_drain")
        self._links.send(node, Offer(room, epoch))

    async def pass_on(self, release: RoomRelease, rules: RulesVersion) -> None:
        """Release and offer a room that this node cannot host, if another node has its *rules*."""
        if able := self._nodes.with_rules(rules):
            await self._store.release_rooms([release])
            self._offer(able[0].owner, release.room, release.epoch)

    # --- the new owners ---------------------------------------------------------------------------------------

    def arrived(self, room: int, epoch: int) -> None:
        """Note that another node owns a room under *epoch*. The message may be late."""
        gift = self._gifts.get(room)
        if gift is not None and epoch >= gift.epoch:
            del self._gifts[room]

    def offer_again(self) -> None:
        """Offer rooms whose new owner is gone or silent to all nodes that can take them; the store decides."""
        for room, gift in self._overdue().items():
            if gift.offers == OFFERS:
                del self._gifts[room]
                continue
            nodes = tuple(lease.owner for lease in self._nodes.able(gift.rules))
            since_ms = self._clock.steady_ms()
            self._gifts[room] = replace(gift, nodes=nodes, since_ms=since_ms, offers=gift.offers + 1)
            for node in nodes:
                self._offer(node, room, gift.epoch)

    def take_back(self) -> list[Orphan]:
        """Return rooms whose new owner is gone or silent, for this node to claim them."""
        return [(room, self._owner, self._gifts.pop(room).epoch) for room in self._overdue()]

    def _overdue(self) -> dict[int, _Gift]:
        until, linked = self._clock.steady_ms() - TAKEN_MS, self._links.nodes()
        return {
            room: gift
            for room, gift in self._gifts.items()
            if gift.since_ms <= until or not any(node in linked for node in gift.nodes)
        }


def _without_times(state: HandoffState) -> HandoffState:
    return replace(state, away=dict.fromkeys(state.away, 0), paused_ms=0, waited_ms=0)
