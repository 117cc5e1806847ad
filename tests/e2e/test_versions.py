"""Clients and servers of different protocol versions, on the wire: both learn the versions of both."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from msgspec import msgpack
from scripted_server import Peer, scripted
from server_process import ServerProcess
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from warroom_client import VersionError
from warroom_client.connection import open_connection
from warroom_protocol import codes
from warroom_protocol import messages as wire

WARROOM = Path(sys.executable).with_name("warroom")
NEWER = "the server speaks protocol 1, the client 99: update the server"
OLDER = "the server speaks protocol 1, the client 0: update the client"


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        pytest.param(["hello", 7, [99], "Ada"], NEWER, id="a newer client"),
        pytest.param(["hello", 7, [0], "Ada"], OLDER, id="an older client"),
        pytest.param(["hello", 7, [99], {"name": "Ada"}, *range(9)], NEWER, id="a newer client with other fields"),
        pytest.param(["hello", 7, [0]], OLDER, id="an older client with fewer fields"),
    ],
)
def test_a_client_of_another_version_hears_both_versions_twice(
    shared_server: ServerProcess, hello: list[object], said: str
) -> None:
    with connect(shared_server.url) as socket:
        socket.send(msgpack.encode(hello))
        assert msgpack.decode(socket.recv(decode=False)) == ["error", 7, codes.HELLO_VERSION, said]
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv()
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (codes.CLOSE_VERSION, said)


def test_a_client_that_speaks_several_versions_gets_the_one_in_common(shared_server: ServerProcess) -> None:
    with connect(shared_server.url) as socket:
        socket.send(msgpack.encode(["hello", 7, [0, 1, 99], "Ada"]))
        assert msgpack.decode(socket.recv(decode=False))[:3] == ["welcome", 7, 1]


def test_a_message_that_the_server_does_not_know_costs_only_itself(shared_server: ServerProcess) -> None:
    with connect(shared_server.url) as socket:
        socket.send(msgpack.encode(["hello", 7, [1], "Ada"]))
        socket.recv()
        socket.send(msgpack.encode(["conquer", 8, "everything"]))
        socket.send(msgpack.encode(["ping", 9]))
        refusal = msgpack.decode(socket.recv(decode=False))
        assert refusal == ["error", 8, codes.MESSAGE_UNKNOWN, "no message is called 'conquer'"]
        assert msgpack.decode(socket.recv(decode=False)) == ["pong", 9]


async def test_the_sdk_reports_the_refusal_of_a_server(shared_server: ServerProcess) -> None:
    link = await open_connection(shared_server.url)
    with pytest.raises(VersionError, match=NEWER):
        await link.greet(wire.Hello(7, (99,), "Ada"))
    await link.close()


async def of_a_newer_server(peer: Peer) -> None:
    """Refuse the client as a server without version 1 would."""
    hello = msgpack.decode(await peer.socket.recv(decode=False))
    await peer.socket.send(msgpack.encode(["error", hello[1], codes.HELLO_VERSION, "the server speaks protocol 9"]))
    await peer.socket.close(codes.CLOSE_VERSION)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["play", "tile_blitz"], id="the terminal"),
        pytest.param(["watch", "0000007"], id="a spectator"),
        pytest.param(["bot", "tile_blitz"], id="a bot"),
        pytest.param(["worker"], id="a bot worker"),
    ],
)
async def test_a_program_ends_with_one_line_that_names_both_versions(command: list[str], tmp_path: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}
    environment = {**inherited, "HOME": str(tmp_path), "WARROOM_BOT_KEY": "a key of the operator's workers"}
    async with scripted(of_a_newer_server) as url, asyncio.timeout(20):
        program = await asyncio.create_subprocess_exec(
            WARROOM, *command, "--url", url, env=environment,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, errors = await program.communicate()
    assert program.returncode == 1
    said = f"{url} refused protocol 1 of this client: the server speaks protocol 9"
    assert errors.decode() == f"warroom {command[0]}: {said}\n"
