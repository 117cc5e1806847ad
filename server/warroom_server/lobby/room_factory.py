"""Makes rooms. The same wish makes the same room, however often it is told and whatever got lost on the way."""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from warroom_games.fingerprint import fingerprint
from warroom_games.log import Opened, encode_entry
from warroom_games.match import Match
from warroom_games.registry import Registry
from warroom_games.rng import KEY_BYTES
from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Created
from warroom_protocol.rooms import invitation, room_code
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.quota import Quota
from warroom_server.loop.crashpoints import points
from warroom_server.loop.tasks import Tasks
from warroom_server.networks import address_of
from warroom_server.ports.clock import Clock
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.store import Append, Store, StoredRoom, UnavailableError
from warroom_server.room.log_fold import LogFold
from warroom_server.room.room import Room
from warroom_server.session.effects import CreateRoom
from warroom_server.session.identity import Signer
from warroom_server.session.replies import error
from warroom_server.session.room_request import Declined, Proposal, consider

logger = logging.getLogger(__name__)

FIRST_EPOCH = 1
ATTEMPTS = 16
"""How many numbers are tried for a new room; among 2^32 even the third is hardly ever needed."""
WISHES = 256
"""How many rooms may be on their way to the store at a time."""


class Placement(Protocol):
    """Decides where new rooms go on."""

    async def place(self, number: int) -> None:
        """Give a new room to another node, if this one has too many."""
        ...


class RoomFactory:
    """Stores new rooms and hands them to *host*, with the room itself if nothing has happened in it before.

    A number whose fate is unknown, because the store did not answer or the lease ended meanwhile, goes to *doubtful*.
    *is_moving* says whether a room is being taken in, so that it must not be hosted in another way.
    """

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        room_host: RoomHost,
        connections: Connections,
        signer: Signer,
        registry: Registry,
        entropy: Entropy,
        clock: Clock,
        quota: Quota,
        host: Callable[[StoredRoom, Room | None], None],
        doubtful: Callable[[int], None],
        is_moving: Callable[[int], bool],
        placement: Placement,
    ) -> None:
        self._owner = owner
        self._store = store
        self._room_host = room_host
        self._connections = connections
        self._signer = signer
        self._registry = registry
        self._entropy = entropy
        self._clock = clock
        self._quota = quota
        self._host = host
        self._doubtful = doubtful
        self._is_moving = is_moving
        self._placement = placement
        self._considering = asyncio.Lock()
        self.tasks = Tasks()

    def create(self, wish: CreateRoom, connection: int) -> None:
        """Make the room that is wished for, or find the one made before; answer the connection either way."""
        if len(self.tasks) >= WISHES:
            self._connections.answer(connection, error(wish.ref, codes.STORE_UNAVAILABLE))
            return
        self.tasks.begin(
            self._create(wish, connection, self.address_of(connection)),
            on_bug=lambda: self._connections.answer(connection, error(wish.ref, codes.INTERNAL)),
        )

    def address_of(self, connection: int) -> str:
        """Return the address for which a room counts that *connection* wishes for; to be asked before it is gone."""
        client = self._connections.get(connection)
        return "" if client is None else address_of(client.connection.peer)

    def origin_of(self, number: int) -> str:
        """Return the address for which a room counts; empty if nobody knows."""
        return self._quota.address_of(number)

    async def _create(self, wish: CreateRoom, connection: int, address: str) -> None:
        proposal = await self.consider(wish)
        if isinstance(proposal, Declined):
            answer = error(wish.ref, proposal.code, proposal.detail)
        else:
            made = await self.make(wish.player, wish.ref, proposal, address)
            if isinstance(made, int):
                await self._placement.place(made)  # before anybody can enter
            answer = self.answer(wish.ref, made, proposal)
        self._connections.answer(connection, answer)

    async def consider(self, wish: CreateRoom) -> Proposal | Declined:
        """Return the room that is wished for, or what is wrong with it."""
        # To set up a game may take milliseconds: one in a turn of the loop, however many are wished for at a time.
        async with self._considering:
            await asyncio.sleep(0)
            return consider(wish, self._registry)

    def answer(self, ref: int, made: int | Declined, proposal: Proposal) -> bytes:
        """Return the encoded answer to whoever wished for a room: its number, or why there is none."""
        if isinstance(made, Declined):
            return error(ref, made.code, made.detail)
        hosted = self._room_host.get(made)
        # A room that was made before may be on its way back to this node: then it is what was wished for.
        room_options = proposal.room_options if hosted is None else hosted.room.match.opened.room_options
        key = self._signer.room_key(made) if room_options.private else None
        return encode(Created(ref=ref, room=made, code=invitation(made, key), key=key))

    def number_for(self, player: str, ref: int) -> int:
        """Return the number that a new room has, but for one in millions whose number is taken."""
        return self._signer.room_number(player, ref, 0)

    async def make(self, player: str, ref: int, proposal: Proposal, address: str) -> int | Declined:
        """Take the first number that is free, or that this very wish has taken before; count it for *address*."""
        try:
            for attempt in range(ATTEMPTS):
                number = self._signer.room_number(player, ref, attempt)
                hosted = self._room_host.get(number)
                if hosted is None:
                    if refusal := self._quota.refusal(player, number, address):
                        return Declined(codes.ROOM_LIMIT, refusal)
                    self._quota.add(player, number, address)
                    is_placed = await self._reserved(number, player, ref, proposal)
                else:
                    opened = hosted.room.match.opened
                    is_placed = (opened.creator, opened.ref) == (player, ref)
                if is_placed:
                    return number
        except UnavailableError:
            return Declined(codes.STORE_UNAVAILABLE, "")
        raise AssertionError(f"{ATTEMPTS} room numbers in a row were taken")

    async def _reserved(self, number: int, player: str, ref: int, proposal: Proposal) -> bool:
        """Open a room that counts as one of its creator's already; if that fails, it counts no longer."""
        is_certain = False
        try:
            is_placed = await self._open(number, player, ref, proposal)
            is_certain = True
            return is_placed
        finally:
            self._quota.discard(player, number)
            if not is_certain:
                # The store may have it all the same; then somebody has to go on with it.
                self._doubtful(number)

    async def _open(self, number: int, player: str, ref: int, proposal: Proposal) -> bool:
        """Store a new room and host it; False if the number belongs to another room."""
        match = self._match(number, player, ref, proposal)
        first = Append(
            room=number,
            owner=self._owner,
            epoch=FIRST_EPOCH,
            rev=match.rev,
            nonce=self._signer.create_nonce(player, ref),
            entry=encode_entry(match.opened),
            chain=match.chain,
            rules=fingerprint(proposal.game),
        )
        term = self._room_host.term
        points.reached("before_create")
        if not await self._store.create(first):
            return False
        points.reached("after_create")
        stored = await self._store.load(number)
        is_elsewhere = stored is None or stored.owner != self._owner or self._is_moving(number)
        if not is_elsewhere and (term is None or self._room_host.term != term):
            self._doubtful(number)  # others may have taken it since
        elif stored is not None and not is_elsewhere and number not in self._room_host:
            # The same wish may have made the room before, with another seed: what the store has is what holds.
            is_new = [logged.entry for logged in stored.entries] == [first.entry]
            self._host(stored, Room(LogFold(match), now=self._clock.now()) if is_new else None)
            game = proposal.game.info.id
            logger.info("room created room=%s game=%s seats=%d", room_code(number), game, proposal.seats)
        return True

    def _match(self, number: int, player: str, ref: int, proposal: Proposal) -> Match:
        opened = Opened(
            room=number,
            game=proposal.game.info.id,
            rules_version=proposal.game.info.rules_version,
            seats=proposal.seats,
            options=proposal.options,
            room_options=proposal.room_options,
            creator=player,
            ref=ref,
            seed=self._entropy.bytes(KEY_BYTES),
            opened_ms=self._clock.wall_ms(),
            reserved=proposal.reserved,
            bots=proposal.bots,
            follows=proposal.follows,
        )
        return Match.open(opened, proposal.game)
