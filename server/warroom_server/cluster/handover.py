"""Gives rooms of this node to others: released in the store first, offered over the link second.

The store keeps what the log does not hold, so no lost message can lose it: the next claim returns it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.registry import RulesVersion
from warroom_server.cluster.messages import Offer
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.crashpoints import points
from warroom_server.loop.tasks import Tasks, undisturbed
from warroom_server.ports.clock import Clock
from warroom_server.ports.store import Orphan, RoomRelease, Store, UnavailableError
from warroom_server.room.handoff_state import HandoffState, encode_handoff
from warroom_server.storage.archiver import Rewriter

logger = logging.getLogger(__name__)

TAKEN_MS: Final = 500
"""How long a node may take to say that it owns a room, before the room is offered to another or taken back."""

RETRY_S: Final = 0.2
"""How long rooms are left alone that the store could not release."""


class OfferLinks(Protocol):
    """The links to nodes that rooms are offered to."""

    def nodes(self) -> list[str]:
        """Return the nodes that can be reached."""
        ...

    def send(self, node: str, message: Offer) -> bool:
        """Send an offer; False if there is no link."""
        ...


class Gift(Struct, frozen=True):
    """A room that was given up: to whom it is offered since when, under which epoch it was this node's."""

    node: str
    epoch: int
    rules: RulesVersion
    since_ms: int
    is_second: bool = False
    """Whether another node was offered it before."""


class _Released(Struct, frozen=True):
    """A room as it was when the store was asked to release it."""

    hosted: HostedRoom
    node: str
    rev: int
    state: HandoffState

    def is_up_to_date(self, now: int) -> bool:
        """Whether nothing happened since but that time passed."""
        hosted = self.hosted
        is_same = _without_times(hosted.handoff_state(now)) == _without_times(self.state)
        return is_same and hosted.room.match.rev == self.rev and not hosted.is_waiting


class Handover:
    """The rooms that are on their way from this node to others."""

    def __init__(
        self, store: Store, *, owner: str, room_host: RoomHost, links: OfferLinks, clock: Clock, log_repair: Rewriter
    ) -> None:
        self._store = store
        self._owner = owner
        self._room_host = room_host
        self._links = links
        self._clock = clock
        self._log_repair = log_repair
        self._tasks = Tasks()
        self._asked: dict[int, str] = {}
        """By room whose release the store has not answered, the node that it is for."""
        self._gifts: dict[int, Gift] = {}
        """By room that was given up, what is known of it; until its new owner is known."""

    def __contains__(self, room: int) -> bool:
        return room in self._gifts

    def __len__(self) -> int:
        return len(self._asked) + len(self._gifts)

    def is_asked(self, room: int) -> bool:
        """Whether the store owes an answer to the release of a room."""
        return room in self._asked

    def by_node(self) -> Counter[str]:
        """Return how many rooms are on their way to each node."""
        return Counter([*self._asked.values(), *(gift.node for gift in self._gifts.values())])

    async def close(self) -> None:
        """Stop waiting for the store."""
        await self._tasks.close()

    # --- giving -----------------------------------------------------------------------------------------------

    def give(self, rooms: Iterable[tuple[HostedRoom, str]]) -> list[asyncio.Task[None]]:
        """Give each room to a node as soon as the store has released it; each primary is asked by a task of its own."""
        now, by_primary = self._clock.now(), dict[str, list[_Released]]()
        for hosted, node in rooms:
            number = hosted.room.number
            self._asked[number] = node
            released = _Released(hosted, node, hosted.room.match.rev, hosted.handoff_state(now))
            by_primary.setdefault(self._store.primary_of(number), []).append(released)
        return [self._tasks.begin(self._release(part)) for part in by_primary.values()]

    async def _release(self, part: Sequence[_Released]) -> None:
        asked = [
            RoomRelease(each.hosted.room.number, self._owner, each.hosted.epoch, encode_handoff(each.state))
            for each in part
        ]
        try:
            answers = await undisturbed(self._store.release_rooms(asked))
        except UnavailableError as error:
            logger.warning("rooms not released rooms=%d reason=%r", len(part), str(error))
            answers = []
            await asyncio.sleep(RETRY_S)
        finally:
            for release in asked:
                del self._asked[release.room]
        offers: dict[str, list[tuple[int, int]]] = {}
        for each, is_released in zip(part, answers, strict=False):
            if self._let_go(each, is_released=is_released):
                offers.setdefault(each.node, []).append((each.hosted.room.number, each.hosted.epoch))
        self._offer(offers)
        await self._look_up([each.hosted for each, is_released in zip(part, answers, strict=False) if not is_released])

    async def _look_up(self, kept: Sequence[HostedRoom]) -> None:
        """Find out whose rooms are that the store did not release: the answer to their last entries says so."""
        epochs = {hosted.room.number: hosted.epoch for hosted in kept if self._is_here(hosted)}
        try:
            await self._log_repair.rewrite(epochs)
        except UnavailableError as error:
            logger.warning("rooms not looked up rooms=%d reason=%r", len(epochs), str(error))

    def _is_here(self, hosted: HostedRoom) -> bool:
        number = hosted.room.number
        return self._room_host.get(number) is hosted and not self._room_host.is_in_doubt(number)

    def _let_go(self, released: _Released, *, is_released: bool) -> bool:
        """Let a room go that the store has released, unless it changed meanwhile: then it stays, and may go later."""
        hosted, number = released.hosted, released.hosted.room.number
        if not is_released or not self._is_here(hosted):
            return False
        if released.node not in self._links.nodes() or not released.is_up_to_date(self._clock.now()):
            return False
        self._gifts[number] = Gift(released.node, hosted.epoch, hosted.rules, self._clock.steady_ms())
        self._room_host.lose(hosted)
        return True

    def _offer(self, offers: Mapping[str, Sequence[tuple[int, int]]]) -> None:
        for node, rooms in offers.items():
            points.reached("during_drain")
            self._links.send(node, Offer(tuple(rooms)))

    # --- what became of them ----------------------------------------------------------------------------------

    def arrived(self, rooms: Iterable[tuple[int, int]]) -> None:
        """Take note of rooms that another node says to own, each under its epoch; old news may come late."""
        for room, epoch in rooms:
            gift = self._gifts.get(room)
            if gift is not None and epoch >= gift.epoch:
                del self._gifts[room]

    def overdue(self) -> dict[int, Gift]:
        """Return the rooms whose new owner is gone, or took too long."""
        until, linked = self._clock.steady_ms() - TAKEN_MS, self._links.nodes()
        return {room: gift for room, gift in self._gifts.items() if gift.since_ms <= until or gift.node not in linked}

    def offer_again(self, rooms: Mapping[int, str]) -> None:
        """Offer each room to another node; if both claim it, the store decides."""
        offers: dict[str, list[tuple[int, int]]] = {}
        for room, node in rooms.items():
            gift = self._gifts[room] = replace(
                self._gifts[room], node=node, since_ms=self._clock.steady_ms(), is_second=True
            )
            offers.setdefault(node, []).append((room, gift.epoch))
        self._offer(offers)

    def give_up(self, rooms: Iterable[int]) -> list[Orphan]:
        """Follow rooms no longer; return what is needed to claim them."""
        return [(room, self._owner, self._gifts.pop(room).epoch) for room in rooms]


def _without_times(state: HandoffState) -> HandoffState:
    return replace(state, away=dict.fromkeys(state.away, 0), paused_ms=0, waited_ms=0)
