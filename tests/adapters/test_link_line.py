"""The lines of links on real sockets."""

import asyncio
from functools import partial

import pytest
from little_node import CountingEntropy
from manual_time import ManualTime
from waiting import until

from warroom_server.adapters.link_line import dial
from warroom_server.ports.store import NodeLease
from warroom_server.runtime.links import LONGEST_PAUSE_MS, Links


async def test_a_node_that_takes_a_line_and_never_answers_is_dialled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warroom_server.adapters.link_line.DIAL_S", 0.01)
    knocks: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: knocks.append(writer), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    time = ManualTime()
    links = Links(
        own="node-a",
        key=b"key",
        dial=partial(dial, max_bytes=1 << 20),
        clock=time,
        timers=time,
        entropy=CountingEntropy(1),
    )
    links.know([NodeLease("node-b", f"ws://{host}:{port}/link", 0)])

    def is_dialled_again() -> bool:
        time.advance(LONGEST_PAUSE_MS)
        return len(knocks) > 1

    await until(is_dialled_again)
    await links.close()
    server.close()
    for writer in knocks:
        writer.close()
