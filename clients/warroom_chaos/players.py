"""Bots at their tables: they play match after match while all around them breaks, and note what they are told."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from traceback import extract_tb
from typing import Final, TypeVar

from msgspec import Struct

from warroom_bots.api import Action, Bot, Decision
from warroom_bots.registry import find_bot
from warroom_bots.runner import CROWDED, Runner, Think
from warroom_chaos.notes import Ending, Expiry, MatchNotes, Move, SeatNotes
from warroom_client import (
    Client,
    ClientError,
    Created,
    Disconnected,
    DisconnectedError,
    Drifted,
    Ended,
    Event,
    Paused,
    RejectedError,
    Room,
    TimedOut,
    Unpaused,
)
from warroom_client.requests import new_ref
from warroom_games.rng import Rng
from warroom_protocol import codes

T = TypeVar("T")

THINK: Final = Think(300, 1_000)
TURN_MS: Final = 30_000
"""Longer than any fault lasts: a turn that runs out all the same is one that somebody lost time in."""
SEATS: Final = 2
PATIENCE_S: Final = 60.0
"""How long a bot tries to get what it asks for before a match."""
RETRY_S: Final = 0.25
ARRIVING: Final = 32
"""How many tables at a time let players in: what is tried is play, not a run on the door."""
PASSING: Final = CROWDED | {codes.SERVER_DRAINING}
"""Refusals of a wish for a room that another attempt may overcome."""

GAMES: Final[tuple[tuple[str, Mapping[str, object]], ...]] = (
    ("graph_battle", {"max_rounds": 8}),
    ("tile_blitz", {"max_rounds": 4}),
)
"""What is played, with options that make matches short: many begin and end while things break."""


class Stage:
    """What all tables have in common."""

    def __init__(self, url: str, now_s: Callable[[], float], *, tables: int) -> None:
        self.url = url
        self.now_s = now_s
        self.matches: list[MatchNotes] = []
        self.accepted = 0
        """How many actions were accepted so far."""
        self.is_full = asyncio.Event()
        """Set once a match was begun at every table."""
        self.door = asyncio.Semaphore(ARRIVING)
        """Held by a table while its players come and sit down."""
        self.is_closing = asyncio.Event()
        """Set when no match begins any more, and nobody thinks any longer."""
        self._tables = tables
        self._taken: set[int] = set()

    def sat_down(self, table: int) -> None:
        """Take note that a match begins at a table."""
        self._taken.add(table)
        if len(self._taken) == self._tables:
            self.is_full.set()

    @property
    def finished(self) -> int:
        """How many matches are over."""
        return sum(1 for match in self.matches if match.seats and all(seat.ending for seat in match.seats))


class _Wish(Struct, frozen=True):
    """What a table plays."""

    game: str
    options: Mapping[str, object]


class Table:
    """Two bots that play one match after the other."""

    def __init__(self, number: int, stage: Stage, rng: Rng) -> None:
        self._number = number
        self._stage = stage
        self._rng = rng
        self._wish = _Wish(*GAMES[number % len(GAMES)])
        self._clients: list[Client] = []

    async def play(self) -> None:
        """Play until the stage closes, and the last match to its end."""
        try:
            while not self._stage.is_closing.is_set():
                await self._play_match()
        finally:
            await self._hang_up()

    async def _play_match(self) -> None:
        notes = MatchNotes(self._number, self._wish.game, self._stage.now_s())
        self._stage.matches.append(notes)
        try:
            async with self._stage.door:
                rooms = await self._sit_down(notes)
            self._stage.sat_down(self._number)
            async with asyncio.TaskGroup() as seats:
                for room, seat in zip(rooms, notes.seats, strict=True):
                    seats.create_task(self._runner(room, seat).play(_Noting(self._stage, room, seat).note))
            for room in rooms:
                with suppress(ClientError):
                    await room.leave()
        except ClientError as error:
            await self._give_up(notes, error)
        except ExceptionGroup as group:
            _, others = group.split(ClientError)
            if others is not None:
                raise
            await self._give_up(notes, group.exceptions[0])

    async def _sit_down(self, notes: MatchNotes) -> list[Room]:
        for _ in range(SEATS - len(self._clients)):
            self._clients.append(await self._arrive())
        wish = self._wish
        room_options = {"turn_ms": TURN_MS, "rated": False}
        created: Created = await self._persist(
            lambda: self._clients[0].create(wish.game, seats=SEATS, options=wish.options, room_options=room_options)
        )
        notes.room, notes.code = created.room, created.code
        rooms = []
        for client in self._clients:
            rooms.append(await self._persist(lambda client=client: client.join(created.room)))  # type: ignore[misc]
            about = rooms[-1].about
            notes.seats.append(SeatNotes(client.player, commitment=about.commitment if about else None))
        return rooms

    async def _arrive(self) -> Client:
        async def enter() -> Client:
            return await Client(self._stage.url, name=f"Bot {self._number}", patience_s=PATIENCE_S).__aenter__()

        return await self._persist(enter)

    async def _persist(self, wish: Callable[[], Awaitable[T]]) -> T:
        """Ask until it is granted; only what passes is asked again."""
        until_s = self._stage.now_s() + PATIENCE_S
        while True:
            try:
                return await wish()
            except (RejectedError, DisconnectedError) as error:
                is_passing = isinstance(error, DisconnectedError) or error.code in PASSING
                if not is_passing or self._stage.now_s() > until_s:
                    raise
            await asyncio.sleep(RETRY_S)

    def _runner(self, room: Room, seat: SeatNotes) -> Runner:
        own, self._rng = self._rng.spawn()
        pace, self._rng = self._rng.spawn()
        thinking = _Thinking(self._stage, pace)
        acting = _Acting(self._stage, room, seat)
        return Runner(
            room,
            find_bot(self._wish.game, "random").make(own),
            pace,
            think=Think(),
            choose=thinking.choose,
            act=acting.act,
        )

    async def _give_up(self, notes: MatchNotes, error: BaseException) -> None:
        place = extract_tb(error.__traceback__)[-1]
        notes.failure = f"{type(error).__name__} in {place.name}: {error}"
        notes.failed_s = self._stage.now_s()
        await self._hang_up()

    async def _hang_up(self) -> None:
        clients, self._clients = self._clients, []
        for client in clients:
            with suppress(ClientError):
                await client.close()


class _Thinking:
    """Takes its time over each action, until the stage closes."""

    def __init__(self, stage: Stage, rng: Rng) -> None:
        self._stage = stage
        self._rng = rng

    async def choose(self, bot: Bot, decision: Decision, left_s: float | None) -> tuple[Bot, Action]:
        wanted_ms, self._rng = THINK.draw(self._rng)
        with suppress(TimeoutError):
            async with asyncio.timeout(wanted_ms / 1000):
                await self._stage.is_closing.wait()
        return bot, bot.choose(decision)


class _Acting:
    """Sends the actions of one seat, and notes what they are answered."""

    def __init__(self, stage: Stage, room: Room, seat: SeatNotes) -> None:
        self._stage = stage
        self._room = room
        self._seat = seat

    async def act(self, action: Action, turn: int) -> None:
        stage = self._stage
        move = Move(new_ref(), turn, action, stage.now_s())
        self._seat.seat = self._room.seat
        self._seat.moves.append(move)
        try:
            await self._room.act(action, turn=turn, id=move.id)
        except RejectedError as refused:
            move.judged_s, move.code, move.receipt = stage.now_s(), refused.code, refused.receipt
            raise
        except ClientError as error:
            move.failure = str(error)
            raise
        move.judged_s = stage.now_s()
        stage.accepted += 1


class _Noting:
    """Notes what one seat is told besides."""

    def __init__(self, stage: Stage, room: Room, seat: SeatNotes) -> None:
        self._now_s = stage.now_s
        self._room = room
        self._seat = seat

    def note(self, event: Event) -> None:
        seat, now_s = self._seat, self._now_s()
        match event:
            case TimedOut(seat=late, receipt=receipt):
                seat.expiries.append(Expiry(now_s, late, receipt))
            case Paused(reason=reason):
                seat.pauses.append((now_s, reason))
            case Unpaused():
                seat.pauses.append((now_s, None))
            case Disconnected():
                seat.breaks.append(now_s)
            case Drifted():
                seat.drifts.append(now_s)
            case Ended():
                seat.seat = self._room.seat
                seat.ending = Ending(now_s, event.reason, event.ranks, event.chain, event.detail)
            case _:
                pass
