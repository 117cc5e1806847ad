"""Watching line by line and chatting, against a scripted server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from console_double import Typist
from scripted_server import ABOUT, CLOCK, Peer, Script, scripted, snapshot
from wait_until import until

from warroom_client import Client, Ended
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_terminal.spectator_chat import SpectatorChat

ROOM = 7
END = wire.Ended(ROOM, (2, 1), "victory", "00", "11", "", True)


def seats() -> wire.Seats:
    ada, bob = (wire.SeatState(seat, name.lower(), name, True, False) for seat, name in enumerate(("Ada", "Bob")))
    return wire.Seats(ROOM, "playing", "ada", (ada, bob), 1)


@asynccontextmanager
async def in_the_gallery(
    script: Script, typist: Typist, *, stays: bool = False
) -> AsyncIterator[asyncio.Task[Ended | None]]:
    """Run a spectator in the scripted room; yield its task and console."""

    async def greeted(peer: Peer) -> None:
        await peer.welcome()
        watch = await peer.expect(wire.Watch)
        await peer.send(
            wire.Joined(watch.ref, ROOM, "0000007", 1, None, None, ABOUT), snapshot(ROOM, {"n": 0}), seats()
        )
        await script(peer)
        await peer.until_closed()

    async with scripted(greeted) as url, Client(url, name="Eve") as client:
        task = asyncio.create_task(SpectatorChat(await client.watch(ROOM), typist).follow(stays=stays))
        try:
            yield task
        finally:
            task.cancel()


async def test_typed_text_is_sent_and_events_are_printed() -> None:
    typist = Typist(ticks=True)
    said: list[wire.ClientMessage] = []

    async def script(peer: Peer) -> None:
        for answer in (True, True, False):
            say = await peer.expect(wire.Say)
            said.append(say)
            await peer.send(wire.Done(say.ref) if answer else wire.Error(say.ref, codes.CHAT_OFF, "nobody may talk"))
        clock = wire.Clock(0, 2, 60_000)
        await peer.send(wire.Update(ROOM, 2, [(("n",), 1)], ({"type": "counted", "n": 1},), clock, None))
        await peer.send(wire.Said(ROOM, None, "zoe", "Zoe", None, "look!"), wire.Update(ROOM, 3, [], (), CLOCK, None))
        mute = await peer.expect(wire.Mute)
        said.append(mute)
        await peer.send(wire.Done(mute.ref), END)

    async with in_the_gallery(script, typist) as watching:
        await typist.sees("  0 Ada")
        await until(lambda: typist.prompt.startswith("watching, "))
        typist.type("hello there", "'you", "", "/say all")
        await typist.sees("nobody may talk (chat.off)")
        await typist.sees("counted: n 1")
        await typist.sees("Zoe (watching): look!")
        typist.type("/mute nobody", "/frown", "/board", "/seats", "/mute Zoe")
        ended = await watching
    assert ended is not None
    assert [message.text for message in said if isinstance(message, wire.Say)] == ["hello there", "you", "all"]
    assert [message.player for message in said if isinstance(message, wire.Mute)] == ["zoe"]
    assert sum("who? give a seat" in line for line in typist.lines) == 1
    assert "unknown command /frown" in typist.lines
    assert typist.lines[-2:] == ["  1. Bob", "  2. Ada"]


@pytest.mark.parametrize("typed", ["/quit", None])
async def test_quitting_ends_it_without_a_result(typed: str | None) -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        pass

    async with in_the_gallery(script, typist) as watching:
        typist.type("/help", typed)
        assert await watching is None
    assert "type to chat with the other spectators; players do not see it" in typist.lines


async def test_a_spectator_who_stays_can_chat_until_a_rematch() -> None:
    typist = Typist()

    async def script(peer: Peer) -> None:
        await peer.send(END)
        say = await peer.expect(wire.Say)
        await peer.send(wire.Done(say.ref), wire.Said(ROOM, 5, "ada", "Ada", 0, "again?"))
        await peer.send(wire.Moved(ROOM, 8, "0000008", None))

    async with in_the_gallery(script, typist, stays=True) as watching:
        await typist.sees("Match over")
        typist.type("well played")
        ended = await watching
    assert ended is not None
    assert "Ada: again?" in typist.lines
