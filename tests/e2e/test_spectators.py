"""Spectators who see all hands, against a real server over real sockets: what they know is old, until the end."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
from server_process import ServerProcess
from wait_until import until

from warroom_client import Client, Ended, RejectedError, Room
from warroom_protocol import codes

PATIENCE_S = 60.0
AFTER_THE_END_S = 30.0
"""Far less than the turns that are left; tests in virtual time hold the ten seconds."""
TURNS = 14
"""So many turns are played."""


@pytest.mark.parametrize(
    ("game", "seats", "delay"),
    [
        pytest.param("timberwall", 2, 1, id="two in turn"),
        pytest.param("graph_battle", 5, 2, id="five in turn"),
        pytest.param("sealed_bids", 3, 1, id="all together"),
    ],
)
async def test_too_small_a_delay_is_refused(shared_server: ServerProcess, game: str, seats: int, delay: int) -> None:
    least = 2 if game == "sealed_bids" else seats
    async with Client(shared_server.url, name="Ada") as ada, asyncio.timeout(PATIENCE_S):
        for ask in (ada.create, ada.quick):
            with pytest.raises(RejectedError) as refused:
                await ask(game, seats=seats, room_options={"watch": "all", "delay": delay})
            assert refused.value.code == codes.WATCH_DELAY
            assert f"at least {least} turns in a room of {seats} seats, got {delay}" in refused.value.detail
        assert await ada.create(game, seats=seats, room_options={"watch": "all", "delay": least})


class Match:
    """A match between people with somebody who watches, and the truth at the beginning of each turn."""

    def __init__(self, clients: list[Client], rooms: list[Room], watched: Room) -> None:
        self.clients = clients
        self.rooms = rooms
        self.watched = watched
        self.truth: dict[int, object] = {}
        self.completed: dict[int, int] = {}
        """By seat, the last turn that it has completed."""
        self.seen: list[int] = []
        """Of which turns the beginning was the newest that was seen, at each decision."""

    async def sync(self) -> None:
        """Let everything arrive that was sent."""
        await asyncio.gather(*(client.ping() for client in self.clients))

    async def look(self) -> Room:
        """Return who is to decide, and hold what the spectator knows against the last turn of each rival."""
        await until(lambda: any(room.prompt for room in self.rooms))
        await self.sync()
        (deciding,) = [room for room in self.rooms if room.prompt is not None]
        self.truth.setdefault(
            deciding.turn, {"public": deciding.public, "seats": [room.private for room in self._by_seat()]}
        )
        last = [self.completed.get(room.seat) for room in self.rooms if room is not deciding and room.seat is not None]
        if self.watched.public is not None:
            assert None not in last, "nobody sees anything before each rival has completed a turn"
            newest = max(turn for turn, state in self.truth.items() if state == self.watched.public)
            assert newest <= min(turn for turn in last if turn is not None)
            self.seen.append(newest)
        return deciding

    def _by_seat(self) -> list[Room]:
        return sorted(self.rooms, key=lambda room: room.seat or 0)

    async def play_turn(self) -> None:
        """Let whose turn it is do something, and end the turn."""
        deciding = await self.look()
        turn, seat = deciding.turn, deciding.seat
        for choice in (0, -1):
            if self.rooms[0].turn == turn:
                deciding = await self.look()
                legal = await deciding.legal()
                await deciding.act(legal.actions[choice], turn=legal.turn)
                await self.sync()
        assert seat is not None
        assert deciding.turn > turn
        self.completed[seat] = turn


async def begin(stack: AsyncExitStack, url: str, game: str, seats: int, room_options: dict[str, Any]) -> Match:
    """Sit down and begin a match that Eve watches."""
    clients = [await stack.enter_async_context(Client(url, name=name)) for name in ("Ada", "Bob", "Cai")[:seats]]
    created = await clients[0].create(game, seats=seats, room_options={"turn_ms": 600_000, **room_options})
    eve = await stack.enter_async_context(Client(url, name="Eve"))
    watched = await eve.watch(created.code)
    return Match([*clients, eve], [await client.join(created.code) for client in clients], watched)


@pytest.mark.parametrize(
    ("game", "seats", "room_options"),
    [
        pytest.param("timberwall", 2, {}, id="timberwall as it comes"),
        pytest.param("timberwall", 2, {"watch": "all", "delay": 2}, id="timberwall"),
        pytest.param("tile_blitz", 3, {"watch": "all", "delay": 3}, id="tile blitz: another begins each round"),
    ],
)
async def test_what_a_spectator_has_seen_is_older_than_the_last_turn_of_each_rival(
    shared_server: ServerProcess, game: str, seats: int, room_options: dict[str, Any]
) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE_S):
        match = await begin(stack, shared_server.url, game, seats, room_options)
        for _ in range(TURNS):
            await match.play_turn()
        assert match.seen[-1] >= TURNS + 1 - 2 * seats, "they are not left behind further than rounds can be apart"
        assert match.seen == sorted(match.seen)


async def test_the_end_is_seen_and_the_replay_is_there_soon_though_all_players_have_gone(
    shared_server: ServerProcess,
) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE_S):
        match = await begin(stack, shared_server.url, "timberwall", 2, {})
        for _ in range(5):
            await match.play_turn()
        *players, eve = match.clients
        await match.rooms[0].resign()
        for player in players:
            await player.close()
        async with asyncio.timeout(AFTER_THE_END_S):
            with pytest.raises(RejectedError) as early:
                await eve.replay(match.watched.code, "all")
            assert early.value.code == codes.REPLAY_RUNNING
            assert isinstance([event async for event in match.watched][-1], Ended)
            assert await eve.replay(match.watched.code, "all")


async def test_a_match_that_nobody_watches_can_be_replayed_at_once_when_all_have_gone(
    shared_server: ServerProcess,
) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE_S):
        match = await begin(stack, shared_server.url, "timberwall", 2, {})
        *players, eve = match.clients
        await match.play_turn()
        await match.watched.leave()
        await match.rooms[0].resign()
        for player in players:
            await player.close()
        assert await eve.replay(match.watched.code, "all")
