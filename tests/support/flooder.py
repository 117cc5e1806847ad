"""A process that floods a server: each connection sends one kind of message at ten times the allowed rate.

It reads every answer, so that it is held back for what it sends and for nothing else. It runs until its standard input
ends, and then prints, as JSON, how many messages of each kind it could send and how many answers it got.
"""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import msgpack
from websocket_peer import BINARY, HANDSHAKE, PING, PONG, frame

PER_S = 1_000
"""Ten times what a connection may send."""
VOLLEYS_PER_S = 20


class Flooding:
    """A flood by a process of its own, from `with` to the end of it; then *told* has what became of it."""

    def __init__(self, port: int, kinds: Sequence[Sequence[object]]) -> None:
        self._arguments = [str(port), json.dumps(kinds)]
        self._process: subprocess.Popen[bytes] | None = None
        self.told: dict[str, dict[str, int]] = {}

    def __enter__(self) -> "Flooding":
        command = [sys.executable, str(Path(__file__)), *self._arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"flooding\n"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._process is not None
        told, _ = self._process.communicate(timeout=30)
        assert self._process.returncode == 0
        self.told = json.loads(told)


async def _flood(port: int, kind: Sequence[object], sent: Counter[str], heard: Counter[str]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HANDSHAKE + frame(BINARY, msgpack.packb(["hello", 0, [1], "Mallory"])))
    await reader.readuntil(b"\r\n\r\n")
    volley = PER_S // VOLLEYS_PER_S * frame(BINARY, msgpack.packb(list(kind)))
    listening = asyncio.create_task(_listen(reader, writer, str(kind[0]), heard))
    try:
        while True:
            writer.write(volley)
            await writer.drain()
            sent[str(kind[0])] += PER_S // VOLLEYS_PER_S
            await asyncio.sleep(1 / VOLLEYS_PER_S)
    finally:
        listening.cancel()
        writer.transport.abort()


async def _listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kind: str, heard: Counter[str]) -> None:
    while True:
        first, size = await reader.readexactly(2)
        if size == 126:
            size = int.from_bytes(await reader.readexactly(2), "big")
        elif size == 127:
            size = int.from_bytes(await reader.readexactly(8), "big")
        payload = await reader.readexactly(size)
        if first & 0x0F == PING:
            writer.write(frame(PONG, payload))
        elif first & 0x0F == BINARY:
            heard[kind] += 1


async def _main(port: int, kinds: Sequence[Sequence[object]]) -> None:
    sent: Counter[str] = Counter()
    heard: Counter[str] = Counter()
    floods = [asyncio.create_task(_flood(port, kind, sent, heard)) for kind in kinds]
    _tell("flooding")
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for flood in floods:
        flood.cancel()
    ended = await asyncio.gather(*floods, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ended), ended
    _tell(json.dumps({"sent": sent, "heard": heard}))


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), json.loads(sys.argv[2])))
