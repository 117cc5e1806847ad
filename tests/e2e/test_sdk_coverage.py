"""One evening with the SDK, in which every message of the protocol crosses a real wire."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from msgspec import msgpack
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from warroom_client import Client, Ended, Moved, Prompted, Reconnected, RejectedError, Room, TimedOut
from warroom_protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES

KEY = "a key of the operator's own"
PATIENCE_S = 60.0
BIDS = {"rounds": 2, "cards": 4, "peeks": 0}


class Recorder:
    """Stands between clients and a server, and notes the names of the messages of both sides."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lines: set[ServerConnection] = set()
        self._dropped = ""
        self.said: set[str] = set()
        self.heard: set[str] = set()

    def drop(self, name: str) -> None:
        """Lose the next message of the server with that name."""
        self._dropped = name

    async def cut(self) -> None:
        """Break all connections."""
        await asyncio.gather(*(line.close(1011) for line in tuple(self._lines)))

    async def relay(self, line: ServerConnection) -> None:
        """Relay one connection until either side ends it."""
        self._lines.add(line)
        async with connect(self._url, compression=None) as server, asyncio.TaskGroup() as ways:
            ways.create_task(self._pass_on(line, server, self.said))
            ways.create_task(self._pass_on(server, line, self.heard))
        self._lines.discard(line)

    async def _pass_on(self, source: Any, target: Any, names: set[str]) -> None:
        with suppress(ConnectionClosed):
            async for message in source:
                name = msgpack.decode(message)[0]
                if names is self.heard and name == self._dropped:
                    self._dropped = ""
                    continue
                names.add(name)
                await target.send(message)
        await target.close()


@asynccontextmanager
async def recording(url: str) -> AsyncIterator[tuple[Recorder, str]]:
    """Run a recorder for the length of a block; yield it and its address."""
    recorder = Recorder(url)
    async with serve(recorder.relay, "127.0.0.1", 0, compression=None) as server:
        yield recorder, f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/ws"


async def play(room: Room) -> None:
    async for event in room:
        if isinstance(event, Prompted) and room.prompt is not None and room.prompt.turn == event.turn:
            legal = await room.legal()
            await room.act(legal.actions[0], turn=legal.turn)


async def told(room: Room, kind: type) -> None:
    """Wait until a room tells an event of that kind."""
    async for event in room:
        if isinstance(event, kind):
            return
    raise AssertionError(f"the match ended without {kind.__name__}")


async def look_around(ada: Client) -> None:
    """Ask for everything that can be asked outside of a room."""
    await ada.games()
    await ada.ping()
    live = await ada.live_rooms("sealed_bids")
    assert (await anext(live)).rooms == ()
    quick = await ada.quick("sealed_bids", room_options={"fill_after_ms": 3_600_000})
    assert [listing.room for listing in (await anext(live)).rooms] == [quick.number]
    await ada.rooms("sealed_bids", before=quick.number)
    await quick.leave()


async def test_every_message_is_sent_or_received_by_a_program(new_server: Callable[..., ServerProcess]) -> None:
    server = new_server(*SEALED_BIDS, bot_key=KEY)
    server.start()
    async with (
        asyncio.timeout(PATIENCE_S),
        recording(server.url) as (recorder, url),
        Client(url, name="Ada") as ada,
        Client(url, name="Bob") as bob,
        Client(url, name="Eve") as eve,
        Client(url, name="worker", bot="worker", key=KEY) as worker,
    ):
        await look_around(ada)
        await play_with_a_bot(ada, bob, worker, url)
        await play_with_people(ada, bob, eve, recorder)
    assert recorder.said == CLIENT_MESSAGES.keys()
    assert recorder.heard == SERVER_MESSAGES.keys()


async def play_with_a_bot(ada: Client, bob: Client, worker: Client, url: str) -> None:
    """Remove a person from a seat, and let a worker's bot take it."""
    summons = await worker.work({"sealed_bids": ["first"]}, seats=1)
    created = await ada.create("sealed_bids", seats=3, options=BIDS)
    mine, theirs = await ada.join(created.room), await bob.join(created.room)
    await mine.kick(1)
    await until(lambda: theirs.seat is None)
    await theirs.leave()
    await mine.fill(1)
    summon = await anext(summons)
    async with Client(url, name="first", bot="first", key=KEY) as bot:
        claimed = await bot.claim(summon.room, summon.ticket)
        await mine.start()
        await asyncio.gather(play(mine), play(claimed))
    while not (matches := await ada.matches("sealed_bids")):
        continue  # it is put away a moment after the end
    assert await ada.replay(matches[0].code)
    await ada.ranking("sealed_bids")


async def play_with_people(ada: Client, bob: Client, eve: Client, recorder: Recorder) -> None:
    """Talk, pause, lose the connection and an update, run out of time, resign, and move on to a rematch."""
    created = await ada.create("sealed_bids", seats=2, room_options={"turn_ms": 1_000, "seating": "as_joined"})
    watched = await eve.watch(created.code)
    mine, theirs = await ada.join(created.code), await bob.join(created.code)
    await mine.say("good luck")
    await mine.mute(eve.player)
    await asyncio.gather(mine.offer("pause"), theirs.offer("pause"))
    await until(lambda: mine.paused is not None)
    await recorder.cut()
    await asyncio.gather(*(told(room, Reconnected) for room in (mine, theirs)))
    await asyncio.gather(mine.legal(), theirs.legal())  # waits until requests may follow
    recorder.drop("update")
    await asyncio.gather(mine.offer("resume"), theirs.offer("resume"))
    await told(mine, TimedOut)
    await until(lambda: "resync" in recorder.said)  # the next update shows the gap
    await until(lambda: watched.phase == "playing")
    with suppress(RejectedError):  # unless a bot stands in
        await mine.reclaim()
    await mine.resign()
    assert isinstance([event async for event in theirs][-1], Ended)
    await asyncio.gather(mine.offer("rematch"), theirs.offer("rematch"))
    await anext(event async for event in theirs.afterwards() if isinstance(event, Moved))
    await bob.move_on(theirs)
