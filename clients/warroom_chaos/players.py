"""Bots that play match after match during the faults, and record what they send and receive."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from traceback import extract_tb
from typing import Final, TypeVar

from msgspec import Struct

from warroom_bots.api import Action, Bot, Decision
from warroom_bots.registry import find_bot
from warroom_bots.runner import CROWDED, Runner, Think
from warroom_chaos.match_notes import Ending, Expiry, MatchNotes, Move, SeatNotes
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
"""Longer than any fault: a turn that times out means that a player lost time."""
SEATS: Final = 2
PATIENCE_S: Final = 60.0
"""Time limit for creating and joining a room."""
RETRY_S: Final = 0.25
ARRIVING: Final = 32
"""Number of tables that are seated at the same time; the run tests play, not a rush of joins."""
PASSING: Final = CROWDED | {codes.SERVER_DRAINING}
"""Temporary refusals of a room request."""

GAMES: Final[tuple[tuple[str, Mapping[str, object]], ...]] = (
    ("graph_battle", {"max_rounds": 8}),
    ("tile_blitz", {"max_rounds": 4}),
)
"""The games, with options that keep matches short, so that many start and end during faults."""


class Stage:
    """The shared state of all tables."""

    def __init__(self, url: str, now_s: Callable[[], float], *, tables: int) -> None:
        self.url = url
        self.now_s = now_s
        self.matches: list[MatchNotes] = []
        self.accepted = 0
        """Number of accepted actions."""
        self.is_full = asyncio.Event()
        """Set once every table has started a match."""
        self.door = asyncio.Semaphore(ARRIVING)
        """Held by a table while its players connect and join."""
        self.is_closing = asyncio.Event()
        """Set when no more matches start and bots act without delay."""
        self._tables = tables
        self._taken: set[int] = set()

    def sat_down(self, table: int) -> None:
        """Note that a table starts a match."""
        self._taken.add(table)
        if len(self._taken) == self._tables:
            self.is_full.set()

    @property
    def finished(self) -> int:
        """Number of finished matches."""
        return sum(1 for match in self.matches if match.seats and all(seat.ending for seat in match.seats))


class _TableGame(Struct, frozen=True):
    """The game of a table, with its options."""

    game: str
    options: Mapping[str, object]


class Table:
    """Two bots that play one match after another."""

    def __init__(self, number: int, stage: Stage, rng: Rng) -> None:
        self._number = number
        self._stage = stage
        self._rng = rng
        self._game = _TableGame(*GAMES[number % len(GAMES)])
        self._clients: list[Client] = []

    async def play(self) -> None:
        """Play until the stage closes, and finish the last match."""
        try:
            while not self._stage.is_closing.is_set():
                await self._play_match()
        finally:
            await self._hang_up()

    async def _play_match(self) -> None:
        notes = MatchNotes(self._number, self._game.game, self._stage.now_s())
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
        game = self._game
        room_options = {"turn_ms": TURN_MS, "rated": False}
        created: Created = await self._persist(
            lambda: self._clients[0].create(game.game, seats=SEATS, options=game.options, room_options=room_options)
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

    async def _persist(self, request: Callable[[], Awaitable[T]]) -> T:
        """Repeat a request until it succeeds; raise a permanent refusal."""
        until_s = self._stage.now_s() + PATIENCE_S
        while True:
            try:
                return await request()
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
            find_bot(self._game.game, "random").make(own),
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
    """Delays each action for a while, until the stage closes."""

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
    """Sends the actions of one seat, and records the verdicts."""

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
    """Records the other events of one seat."""

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
