"""Which rooms there are: makes them, finds them, lists them, takes over those whose owner is gone."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import islice
from typing import TypeAlias

from warroom_games.log import LogError, Opened, decode_entry, encode_entry
from warroom_games.match import Match
from warroom_games.registry import Registry
from warroom_games.rng import KEY_BYTES
from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Created, RoomListing
from warroom_protocol.rooms import room_code
from warroom_server.ports import AppendRequest, Clock, Entropy, Store, StoredRoom, Timers, UnavailableError
from warroom_server.rooms import commands
from warroom_server.rooms.room import Room
from warroom_server.runtime.crashpoints import points
from warroom_server.runtime.driver import Driver, Hold, Hosted
from warroom_server.runtime.lines import Lines
from warroom_server.session.effects import CreateRoom
from warroom_server.session.identity import Signer
from warroom_server.session.proposals import Declined, Proposal, consider
from warroom_server.session.refusals import error

logger = logging.getLogger(__name__)

FIRST_EPOCH = 1
ATTEMPTS = 16
"""How many numbers are tried for a new room; among 2^32 even the third is hardly ever needed."""
LISTED = 100
"""How many rooms a listing shows."""
SEARCHES = 256
"""How many requests may wait for the store at a time."""
MOVING_MS = 5_000
"""How long somebody who wants to enter a room waits for its new owner."""
RETURN_MS = 10_000
"""How long the clock of a room that was taken over waits for its players."""
LINGER_MS = 300_000
"""How long a finished room can still be looked at."""

Enter: TypeAlias = commands.Join | commands.Watch


class Directory:
    """The rooms of this node by number, and the way to all others."""

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        driver: Driver,
        lines: Lines,
        signer: Signer,
        registry: Registry,
        entropy: Entropy,
        clock: Clock,
        timers: Timers,
        max_rooms: int,
        rooms_per_player: int,
        idle_ms: int,
    ) -> None:
        self._owner = owner
        self._store = store
        self._driver = driver
        self._lines = lines
        self._signer = signer
        self._registry = registry
        self._entropy = entropy
        self._clock = clock
        self._timers = timers
        self._max_rooms = max_rooms
        self._rooms_per_player = rooms_per_player
        self._idle_ms = idle_ms
        self._tasks: set[asyncio.Task[None]] = set()
        self._at_the_door: dict[int, list[Enter]] = {}
        self._broken: set[int] = set()
        self._created: dict[str, set[int]] = {}

    async def close(self) -> None:
        """Stop whatever waits for the store."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def listing(self, game: str | None = None) -> tuple[RoomListing, ...]:
        """Return the rooms whose match is not over, of one game or of all, the newest first."""
        rooms = [hosted.room for hosted in self._driver if not hosted.room.is_over]
        rooms.sort(key=lambda room: room.match.opened.opened_ms, reverse=True)
        listings = (room.listing() for room in rooms if game in (None, room.match.opened.game))
        return tuple(islice(listings, LISTED))

    # --- making a room ----------------------------------------------------------------------------------------

    def create(self, wish: CreateRoom, connection: int) -> None:
        """Make the room that is wished for, or find the one made before; answer the connection either way."""
        refuse = partial(self._decline, wish, connection)
        self._spawn(self._create(wish, connection), refuse)

    async def _create(self, wish: CreateRoom, connection: int) -> None:
        proposal = consider(wish, self._registry)
        if isinstance(proposal, Declined):
            self._decline(wish, connection, proposal.code, proposal.detail)
            return
        try:
            answer = await self._place(wish, proposal)
        except UnavailableError:
            self._decline(wish, connection, codes.STORE_UNAVAILABLE)
        else:
            self._lines.answer(connection, answer)

    def _decline(self, wish: CreateRoom, connection: int, code: str, detail: str = "") -> None:
        self._lines.answer(connection, error(wish.ref, code, detail))

    async def _place(self, wish: CreateRoom, proposal: Proposal) -> bytes:
        """Take the first number that is free, or that this very wish has taken before."""
        for attempt in range(ATTEMPTS):
            number = self._signer.room_number(wish.player, wish.ref, attempt)
            hosted = self._driver.get(number)
            if hosted is None:
                if refusal := self._over_limit(wish):
                    return refusal
                is_placed = await self._open(number, wish, proposal)
            else:
                opened = hosted.room.match.opened
                is_placed = (opened.creator, opened.ref) == (wish.player, wish.ref)
            if is_placed:
                return encode(Created(ref=wish.ref, room=number, code=room_code(number)))
        raise AssertionError(f"{ATTEMPTS} room numbers in a row were taken")

    def _over_limit(self, wish: CreateRoom) -> bytes | None:
        if len(self._driver) >= self._max_rooms:
            return error(wish.ref, codes.ROOM_LIMIT, f"this server holds at most {self._max_rooms} rooms")
        if len(self._unfinished(wish.player)) >= self._rooms_per_player:
            limit = self._rooms_per_player
            return error(wish.ref, codes.ROOM_LIMIT, f"a player may have {limit} unfinished rooms")
        return None

    def _unfinished(self, player: str) -> set[int]:
        """Return the rooms that *player* created here and that are not over."""
        created = self._created.get(player, set())
        hosted = ((number, self._driver.get(number)) for number in created)
        running = {number for number, room in hosted if room is not None and not room.room.is_over}
        self._created[player] = running
        return running

    async def _open(self, number: int, wish: CreateRoom, proposal: Proposal) -> bool:
        """Store a new room and host it; False if the number belongs to another room."""
        opened = Opened(
            room=number,
            game=proposal.game.info.id,
            rules_version=proposal.game.info.rules_version,
            seats=proposal.seats,
            options=proposal.options,
            room_options=proposal.room_options,
            creator=wish.player,
            ref=wish.ref,
            seed=self._entropy.bytes(KEY_BYTES),
            opened_ms=self._clock.wall_ms(),
        )
        request = AppendRequest(
            room=number,
            owner=self._owner,
            epoch=FIRST_EPOCH,
            rev=1,
            nonce=self._signer.create_nonce(wish.player, wish.ref),
            entry=encode_entry(opened),
            chain=Match.open(opened, proposal.game).chain,
        )
        points.reached("before_create")
        if not await self._store.create(request):
            return False
        points.reached("after_create")
        # The same wish may have made the room before, with another seed: what the store has is what holds.
        stored = await self._store.load(number)
        if stored is not None and stored.owner == self._owner:
            await self._host(stored)
            logger.info("room created room=%s game=%s seats=%d", room_code(number), opened.game, opened.seats)
        return True

    # --- finding a room ---------------------------------------------------------------------------------------

    def enter(self, number: int, command: Enter) -> None:
        """Lead somebody into a room, if need be once this node has taken it over."""
        if number in self._driver:
            self._admit(number, command)
        else:
            self._spawn(self._look_for(number, command), partial(self._turn_away, number, command))

    async def _look_for(self, number: int, command: Enter) -> None:
        try:
            stored = await self._store.load(number)
        except UnavailableError:
            self._turn_away(number, command, codes.STORE_UNAVAILABLE)
            return
        if number in self._driver:
            self._admit(number, command)
        elif stored is None or number in self._broken:
            self._turn_away(number, command, codes.ROOM_UNKNOWN)
        else:
            self._wait_at_the_door(number, command)

    def _wait_at_the_door(self, number: int, command: Enter) -> None:
        self._at_the_door.setdefault(number, []).append(command)
        self._timers.call_at(self._clock.now() + MOVING_MS, lambda: self._send_home(number, command))

    def _send_home(self, number: int, command: Enter) -> None:
        waiting = self._at_the_door.pop(number, [])
        others = [other for other in waiting if other is not command]
        if others:
            self._at_the_door[number] = others
        if len(others) < len(waiting):
            self._turn_away(number, command, codes.ROOM_MOVING)

    def _admit(self, number: int, command: Enter) -> None:
        if command.connection not in self._lines:
            return
        self._driver.tell(number, command)
        hosted = self._driver.get(number)
        if hosted is not None and Hold.RESTART in hosted.holds:
            self._look_who_is_back(hosted)

    def _turn_away(self, number: int, command: Enter, code: str) -> None:
        self._lines.forget(number, [command.connection])
        self._driver.refuse(number, command, code)

    # --- taking a room over -----------------------------------------------------------------------------------

    async def adopt(self, room: int, owner: str, epoch: int) -> None:
        """Take a room over from an owner whose lease is gone, if nobody was faster; its clock goes on where it was."""
        if (
            room in self._broken
            or await self._store.claim(room, owner=owner, epoch=epoch, claimant=self._owner) is None
        ):
            return
        stored = await self._store.load(room)
        hosted = None if stored is None else await self._host(stored)
        if hosted is None:
            # It stays in the store as it is, for a server that can read it.
            self._broken.add(room)
            return
        logger.info("room adopted room=%s epoch=%d rev=%d", room_code(room), hosted.epoch, hosted.room.match.rev)
        if hosted.room.match.phase == "playing":
            self._await_players(hosted)

    async def _host(self, stored: StoredRoom) -> Hosted | None:
        """Go on with a room that this node owns; None if that cannot be done."""
        log = stored.entries if stored.snapshot is None else await self._store.log(stored.room)
        if stored.room not in self._driver:
            self._driver.attempt(stored.room, lambda: self._restore(stored, log[0].entry))
        for command in self._at_the_door.pop(stored.room, []):
            self._admit(stored.room, command)
        return self._driver.get(stored.room)

    def _restore(self, stored: StoredRoom, first_entry: bytes) -> None:
        opened = decode_entry(first_entry)
        if not isinstance(opened, Opened):
            raise LogError(f"the log begins with {opened}, not with the opening of a room")
        game = self._registry.get(opened.game, opened.rules_version)
        self._driver.host(Room.restore(game, stored, self._clock.now()), stored.epoch)
        self._created.setdefault(opened.creator, set()).add(stored.room)

    def _await_players(self, hosted: Hosted) -> None:
        """Let the clock stand still until the players are back, who lost their connections through no fault."""
        self._driver.hold(hosted, Hold.RESTART)
        self._timers.call_at(self._clock.now() + RETURN_MS, lambda: self._driver.release(hosted, Hold.RESTART))

    def _look_who_is_back(self, hosted: Hosted) -> None:
        match, audience = hosted.room.match, hosted.room.audience
        if all(audience.of_seat(seat) for seat in range(len(match.seats)) if seat not in match.out):
            self._driver.release(hosted, Hold.RESTART)

    # --- letting rooms go -------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """End rooms that nobody has followed for long, and forget those that ended long ago."""
        now = self._clock.now()
        for hosted in self._driver:
            if hosted.room.is_over:
                hosted.over_since = now if hosted.over_since is None else hosted.over_since
                if hosted.is_archived and now - hosted.over_since >= LINGER_MS:
                    self._driver.remove(hosted)
                    self._forget_creator(hosted.room.match.opened.creator)
            elif any(True for _ in hosted.room.audience.everyone()):
                hosted.empty_since = None
            elif hosted.empty_since is None:
                hosted.empty_since = now
            elif now - hosted.empty_since >= self._idle_ms:
                self._driver.tell(hosted.room.number, commands.Void(codes.END_LEFT))

    def _forget_creator(self, player: str) -> None:
        if not self._unfinished(player):
            del self._created[player]

    # --- waiting for the store --------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[None, None, None], refuse: Callable[[str], None]) -> None:
        """Do *work* beside everything else; *refuse* answers with a code if it cannot be done."""
        if len(self._tasks) >= SEARCHES:
            work.close()
            refuse(codes.STORE_UNAVAILABLE)
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(partial(self._finish, refuse))

    def _finish(self, refuse: Callable[[str], None], task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (bug := task.exception()) is not None:
            logger.error("request failed", exc_info=bug)
            refuse(codes.INTERNAL)
