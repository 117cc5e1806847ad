"""Which node leads people who want the same into one room, and the way to ask it."""

import asyncio
from collections.abc import Callable
from hashlib import blake2b
from typing import Final

import msgspec

from warroom_server.cluster.messages import Lead, Led, Message
from warroom_server.lobby.matchmaker import Matchmaker
from warroom_server.lobby.open_rooms import Kind
from warroom_server.ports.peers import Peers
from warroom_server.session.effects import CreateRoom

PATIENCE_S: Final = 3.0
"""How long another node may take to lead somebody; then this one does it."""


class Meeting:
    """Finds for each kind of rooms the one node that leads people to them: the same on every node.

    While nodes do not agree on who there is, two may lead people who want the same: then there are two rooms.
    """

    def __init__(
        self, *, own: str, matchmaker: Matchmaker, peers: Peers[Message], nodes: Callable[[], list[str]]
    ) -> None:
        self._own = own
        self._matchmaker = matchmaker
        self._peers = peers
        self._nodes = nodes
        self._count = 0
        self._asked: dict[int, tuple[str, asyncio.Future[bytes | None]]] = {}
        matchmaker.elsewhere = self.ask

    @property
    def is_waiting(self) -> bool:
        """Whether another node was asked and has not answered yet."""
        return bool(self._asked)

    async def ask(self, kind: Kind, wish: CreateRoom, address: str) -> bytes | None:
        """Return the encoded answer of the node that leads to such rooms; None if that is this one, or is gone."""
        peer = self._leader(kind)
        self._count += 1
        number = self._count
        if peer == self._own or not self._peers.send(peer, Lead(number, wish, address)):
            return None
        answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._asked[number] = peer, answer
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await answer
        except TimeoutError:
            return None
        finally:
            del self._asked[number]

    def received(self, peer: str, message: Lead | Led) -> None:
        """Lead somebody for another node, or take its answer."""
        if isinstance(message, Lead):
            number = message.number
            self._matchmaker.find_for(
                message.wish,
                message.address,
                answer=lambda payload: self._peers.send(peer, Led(number, payload)),
                is_last=True,
            )
            return
        asked = self._asked.get(message.number)
        if asked is not None and asked[0] == peer and not asked[1].done():
            asked[1].set_result(message.payload)

    def lost(self, peer: str) -> None:
        """Expect nothing more of a node."""
        for asked, answer in self._asked.values():
            if asked == peer and not answer.done():
                answer.set_result(None)

    def _leader(self, kind: Kind) -> str:
        key = msgspec.msgpack.encode(kind)
        return max([self._own, *self._nodes()], key=lambda node: blake2b(node.encode() + key, digest_size=8).digest())
