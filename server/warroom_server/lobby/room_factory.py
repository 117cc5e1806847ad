"""Creates rooms. The same request creates the same room, however often it is sent and whatever messages get lost."""

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, Protocol

from warroom_games.fingerprint import fingerprint
from warroom_games.log import Opened, encode_entry
from warroom_games.match import Match
from warroom_games.rng import KEY_BYTES
from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Created
from warroom_protocol.rooms import invitation, room_code
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.quota import Quota
from warroom_server.loop.crashpoints import points
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.store import Append, Store, StoredRoom, UnavailableError
from warroom_server.ports.time import Clock
from warroom_server.room.log_fold import LogFold
from warroom_server.room.room import Room
from warroom_server.session.replies import error
from warroom_server.session.room_proposal import Declined, Proposal
from warroom_server.session.signer import Signer

logger = logging.getLogger(__name__)

FIRST_EPOCH: Final = 1
ATTEMPTS: Final = 16
"""How many numbers are tried for a new room; among 2^32 even the third is hardly ever needed."""


class RoomOwnership(Protocol):
    """Knows which rooms belong to this node."""

    def host_new(self, stored: StoredRoom, room: Room | None) -> None:
        """Host a stored room of this node; *room* is the room itself if nothing has happened in it before."""

    def track(self, number: int) -> None:
        """Find out whether a room exists, and whose it is: the store did not answer, or the lease ended."""

    def __contains__(self, number: int) -> bool:
        """Whether this node is taking a room over, so that nothing else may host it."""


class Placement(Protocol):
    """Decides where new rooms are hosted."""

    async def place(self, number: int) -> None:
        """Give a new room to another node, if this one has too many."""


@dataclass(frozen=True, eq=False)
class RoomOpener:
    """Stores new rooms and hosts them."""

    _store: Store
    _owner: str
    _room_host: RoomHost
    _ownership: RoomOwnership
    _signer: Signer
    _entropy: Entropy
    _clock: Clock

    async def open(self, number: int, player: str, ref: int, proposal: Proposal) -> bool:
        """Open a room under *number*; return False if that belongs to another room."""
        with ExitStack() as on_failure:
            on_failure.callback(self._ownership.track, number)  # the store may have it all the same
            is_open = await self._open(number, player, ref, proposal)
            on_failure.pop_all()
        return is_open

    async def _open(self, number: int, player: str, ref: int, proposal: Proposal) -> bool:
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
        is_elsewhere = stored is None or stored.owner != self._owner or number in self._ownership
        if not is_elsewhere and (term is None or self._room_host.term != term):
            self._ownership.track(number)  # others may have taken it since
        elif stored is not None and not is_elsewhere and number not in self._room_host:
            # The same request may have created the room before, with another seed: the stored one counts.
            is_new = [logged.entry for logged in stored.entries] == [first.entry]
            self._ownership.host_new(stored, Room(LogFold(match), now=self._clock.now()) if is_new else None)
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


@dataclass(frozen=True, eq=False)
class RoomFactory:
    """Chooses the number of each new room, within the quota, and the node that hosts it."""

    _opener: RoomOpener
    _room_host: RoomHost
    _quota: Quota
    _placement: Placement
    _signer: Signer

    def number_for(self, player: str, ref: int) -> int:
        """Return the number that a new room gets, except for one in millions whose number is taken."""
        return self._signer.room_number(player, ref, 0)

    def origin_of(self, number: int) -> str:
        """Return the address that a room counts for; empty if it is unknown."""
        return self._quota.address_of(number)

    async def make(self, player: str, ref: int, proposal: Proposal, address: str) -> int | Declined:
        """Open a room under the first number that is free, or that this request took before; count it for *address*."""
        try:
            for attempt in range(ATTEMPTS):
                number = self._signer.room_number(player, ref, attempt)
                hosted = self._room_host.get(number)
                if hosted is not None:
                    opened = hosted.room.match.opened
                    is_made = (opened.creator, opened.ref) == (player, ref)
                elif refusal := self._quota.refusal(player, number, address):
                    return Declined(codes.ROOM_LIMIT, refusal)
                else:
                    with self._quota.reserve(player, number, address):
                        is_made = await self._opener.open(number, player, ref, proposal)
                if is_made:
                    await self._place(number, proposal)
                    return number
        except UnavailableError:
            return Declined(codes.STORE_UNAVAILABLE)
        raise AssertionError(f"{ATTEMPTS} room numbers in a row were taken")

    async def _place(self, number: int, proposal: Proposal) -> None:
        """Let a less loaded node host a new room, before anybody can enter it."""
        before = None if proposal.follows is None else self._room_host.get(proposal.follows)
        # Only the node of the last match knows whether its end is still secret, and with it the rematch.
        if before is None or before.room.is_publicly_over:
            await self._placement.place(number)

    def answer(self, ref: int, made: int | Declined, proposal: Proposal) -> bytes:
        """Return the encoded answer to a request for a room: its number, or why there is none."""
        if isinstance(made, Declined):
            return error(ref, made.code, made.detail)
        hosted = self._room_host.get(made)
        # A room that was made before may be on its way back to this node: then the proposal describes it.
        room_options = proposal.room_options if hosted is None else hosted.room.match.opened.room_options
        key = self._signer.room_key(made) if room_options.private else None
        return encode(Created(ref=ref, room=made, code=invitation(made, key), key=key))
