"""Quick matches: people who want the same are led into the same room, and bots fill it if nobody else comes."""

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.codec import encode
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_server.ports import Clock
from warroom_server.rooms.room import Room
from warroom_server.runtime.chores import Chores
from warroom_server.runtime.driver import Driver, Hosted
from warroom_server.runtime.lines import Lines
from warroom_server.runtime.making import WISHES, Maker
from warroom_server.session.effects import CreateRoom
from warroom_server.session.proposals import Declined, Proposal
from warroom_server.session.refusals import error

HELD_MS = 5_000
"""How long a seat is held for somebody who was led to it and has not sat down yet."""

SWEEP = 256
"""After how many new rooms, at least, those that have started or gone are forgotten."""

REMEMBERED = 16_384
"""How many wishes are remembered, to be led to the same room when they are told again; the oldest are forgotten."""


class _Kind(Struct, frozen=True):
    """What people must agree on to be led into one room."""

    game: str
    rules_version: int
    seats: int
    options: bytes
    room_options: bytes


class Matchmaker:
    """Leads people to open rooms of their kind, one at a time for each kind, and makes a room when there is none."""

    def __init__(self, *, driver: Driver, maker: Maker, lines: Lines, clock: Clock) -> None:
        self.chores = Chores()
        self._driver = driver
        self._maker = maker
        self._lines = lines
        self._clock = clock
        self._rooms: defaultdict[_Kind, dict[int, None]] = defaultdict(dict)
        self._waiting: dict[_Kind, list[tuple[CreateRoom, int, Proposal]]] = {}
        self._led: dict[tuple[str, int], int] = {}
        """By player and ref, the room that somebody was led to."""
        self._coming: defaultdict[int, dict[str, int]] = defaultdict(dict)
        """By room, who was led there, and until which moment of the node's clock a seat is held for each."""
        self._spare = SWEEP
        """How many more rooms are noted until those that have started or gone are forgotten."""

    def find(self, wish: CreateRoom, connection: int) -> None:
        """Lead somebody into a room of the kind that is wished for; answer the connection once."""
        if len(self.chores) >= WISHES:
            self._lines.answer(connection, error(wish.ref, codes.STORE_UNAVAILABLE))
            return
        self.chores.begin(
            self._find(wish, connection),
            on_bug=lambda: self._lines.answer(connection, error(wish.ref, codes.INTERNAL)),
        )

    def hosted(self, hosted: Hosted) -> None:
        """Take note of a room that this node hosts from now on."""
        match = hosted.room.match
        if match.phase == "lobby" and _is_quick(match):
            self._rooms[_kind_of(match)][hosted.room.number] = None
            self._spare -= 1
            if self._spare <= 0:
                self._sweep()

    def __len__(self) -> int:
        """How many rooms are remembered."""
        return len(self._coming.keys() | {number for rooms in self._rooms.values() for number in rooms})

    def _sweep(self) -> None:
        """Forget rooms of kinds that nobody asks for any more, or whoever invents kinds would fill the memory."""
        lobbies = {room.number for kind in tuple(self._rooms) for room in self._lobbies(kind)}
        for number in self._coming.keys() - lobbies:
            del self._coming[number]
        self._spare = max(len(lobbies), SWEEP)

    async def _find(self, wish: CreateRoom, connection: int) -> None:
        proposal = await self._maker.consider(wish)
        if isinstance(proposal, Proposal):
            proposal = _quickly(proposal)
        if isinstance(proposal, Declined):
            self._lines.answer(connection, error(wish.ref, proposal.code, proposal.detail))
            return
        kind = _kind(proposal)
        waiting = self._waiting.get(kind)
        if waiting is not None:
            # Somebody of this kind is being led already: two who come together must not get two rooms.
            waiting.append((wish, connection, proposal))
            return
        queue = self._waiting[kind] = [(wish, connection, proposal)]
        try:
            while queue:
                await self._lead(kind, *queue.pop(0))
        finally:
            del self._waiting[kind]
            for left, at, _ in queue:
                self._lines.answer(at, error(left.ref, codes.INTERNAL))

    async def _lead(self, kind: _Kind, wish: CreateRoom, connection: int, proposal: Proposal) -> None:
        found: int | Declined | None = self._place_of(wish) or self._open_room(kind, wish.player)
        if found is None:
            found = await self._maker.make(wish.player, wish.ref, proposal, self._maker.address_of(connection))
        if isinstance(found, int):
            self._hold(wish, found)
        self._lines.answer(connection, self._maker.answer(wish.ref, found, proposal))

    def _place_of(self, wish: CreateRoom) -> int | None:
        """Return where the same wish was led to before, as long as that room is here."""
        number = self._led.get((wish.player, wish.ref))
        return number if number is not None and number in self._driver else None

    def _open_room(self, kind: _Kind, player: str) -> int | None:
        """Return an open room of a kind: the one where *player* sits already, else the fullest with a free seat."""
        rooms = list(self._lobbies(kind))
        for room in rooms:
            if room.match.seat_of(player) is not None:
                return room.number
        fitting = [room for room in rooms if self._has_seat_for(room, player)]
        return max(fitting, key=lambda room: _taken(room.match)).number if fitting else None

    def _lobbies(self, kind: _Kind) -> Iterator[Room]:
        """Return the rooms of a kind that have not started, and forget the others."""
        for number in self._rooms.pop(kind, {}):
            hosted = self._driver.get(number)
            if hosted is not None and hosted.room.match.phase == "lobby":
                self._rooms[kind][number] = None
                yield hosted.room
            else:
                self._coming.pop(number, None)

    def _has_seat_for(self, room: Room, player: str) -> bool:
        match, now = room.match, self._clock.now()
        if player in match.kicked or match.free_place(player) is None:
            return False
        held = self._coming[room.number]
        coming = [who for who, until in held.items() if until > now and match.seat_of(who) is None and who != player]
        return _taken(match) + len(coming) < len(match.seats)

    def _hold(self, wish: CreateRoom, number: int) -> None:
        """Remember where somebody was led to, and hold a seat there for a while."""
        if len(self._led) >= REMEMBERED:
            del self._led[next(iter(self._led))]
        self._led[wish.player, wish.ref] = number
        self._coming[number][wish.player] = self._clock.now() + HELD_MS


def _quickly(proposal: Proposal) -> Proposal | Declined:
    """Return the room of a quick match: one that anybody may enter, and that bots fill after a while."""
    options = proposal.room_options
    if options.private:
        return Declined(codes.ROOM_OPTIONS, "a quick match is open to everybody, so private cannot be true")
    if options.fill_after_ms is None:
        options = replace(options, fill_after_ms=proposal.game.info.fill_after_ms)
    return replace(proposal, room_options=options)


def _kind(proposal: Proposal) -> _Kind:
    info = proposal.game.info
    return _Kind(info.id, info.rules_version, proposal.seats, proposal.options, encode(proposal.room_options))


def _kind_of(match: Match) -> _Kind:
    opened = match.opened
    return _Kind(opened.game, opened.rules_version, opened.seats, opened.options, encode(opened.room_options))


def _is_quick(match: Match) -> bool:
    opened = match.opened
    return opened.room_options.fill_after_ms is not None and not opened.room_options.private and not opened.reserved


def _taken(match: Match) -> int:
    return len(match.seats) - match.seats.count(None)
