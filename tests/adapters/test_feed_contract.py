"""What every line to a broker promises, on the broker in memory and on a real mosquitto alike."""

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

import pytest
from cutting_proxy import CuttingProxy, cutting_proxy
from memory_feed import MemoryBroker, MemoryFeed
from mosquitto import Mosquitto, mosquitto
from wait_until import until

from warroom_protocol.brokers import Broker
from warroom_server.adapters.mqtt import MqttFeed
from warroom_server.ports.feed import Feed, FeedError, Publication

WILL = Publication("w/node/one", retained=True, qos=1)
HERE = Publication("w/node/one", b"here", retained=True, qos=1)
FILTERS = ("w/node/+", "w/room/+/about")


class Bench(Protocol):
    """A broker on which lines can be made and broken."""

    async def line(self, name: str) -> Feed:
        """Return a line that is not open."""
        ...

    async def break_off(self, line: Feed) -> None:
        """Break a line without a goodbye."""
        ...

    async def go_away(self) -> None:
        """Let the broker vanish."""
        ...

    async def come_back(self) -> None:
        """Let it be there again."""
        ...


class MemoryBench:
    def __init__(self) -> None:
        self.broker = MemoryBroker()
        self.connections: list[MemoryFeed] = []

    async def line(self, name: str) -> Feed:
        self.connections.append(MemoryFeed(self.broker))
        return self.connections[-1]

    async def break_off(self, line: Feed) -> None:
        assert isinstance(line, MemoryFeed)
        line.break_off()

    async def go_away(self) -> None:
        self.broker.is_away = True
        for line in self.connections:
            line.break_off()

    async def come_back(self) -> None:
        self.broker.is_away = False


class MosquittoBench:
    def __init__(self, broker: Mosquitto, proxy: CuttingProxy, port: int) -> None:
        self.broker = broker
        self.proxy = proxy
        self.port = port

    async def line(self, name: str) -> Feed:
        port = self.port if name == "one" else self.broker.port
        return MqttFeed(Broker("127.0.0.1", port, is_tls=False), identifier=name)

    async def break_off(self, line: Feed) -> None:
        self.proxy.cut_requests(1)
        with pytest.raises(FeedError):
            await line.publish(Publication("w/x", b"never arrives", qos=1))

    async def go_away(self) -> None:
        self.broker.kill()

    async def come_back(self) -> None:
        self.broker.start()


@pytest.fixture(params=["memory", "mosquitto"])
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    if request.param == "memory":
        yield MemoryBench()
        return
    with mosquitto() as broker:
        async with cutting_proxy(broker.port) as (proxy, port):
            yield MosquittoBench(broker, proxy, port)


async def found(line: Feed, marker: bytes = b"marker") -> dict[str, bytes]:
    """Return what is retained, as a line finds it while somebody waits for its end."""
    waiting = asyncio.create_task(line.lost())
    try:
        return dict(await line.retained(FILTERS, Publication("w/node/looking", marker, qos=1)))
    finally:
        waiting.cancel()


async def test_what_is_retained_is_found_until_it_is_taken_back(bench: Bench) -> None:
    line, other = await bench.line("one"), await bench.line("two")
    await line.open(WILL)
    await other.open(Publication("w/node/two", retained=True))
    await line.publish(Publication("w/room/1/about", b"one", retained=True, qos=1))
    await line.publish(Publication("w/room/1/about", b"newer", retained=True, qos=1))
    await line.publish(Publication("w/room/1/snapshot", b"not asked for", retained=True, qos=1))
    await line.publish(Publication("w/room/2/about", b"not retained", qos=1, expires_s=3))
    for number in range(100, 200):
        await line.publish(Publication(f"w/room/{number}/about", b"one of many", retained=True, qos=1))
    assert await found(other) == {
        "w/room/1/about": b"newer",
        **{f"w/room/{number}/about": b"one of many" for number in range(100, 200)},
    }
    for number in range(100, 200):
        await line.publish(Publication(f"w/room/{number}/about", retained=True, qos=1))
    await line.publish(Publication("w/room/1/about", retained=True, qos=1))
    assert await found(other, b"again") == {}
    for each in (line, other):
        await each.close()


async def test_a_line_that_breaks_leaves_its_will_and_one_that_is_closed_does_not(bench: Bench) -> None:
    line, other = await bench.line("one"), await bench.line("two")
    await other.open(Publication("w/node/two", retained=True))
    await line.open(WILL)
    await line.publish(HERE)
    await line.close()
    assert await found(other) == {"w/node/one": b"here"}
    await line.open(WILL)
    await line.publish(HERE)
    await bench.break_off(line)
    await line.lost()
    await line.close()

    async def is_gone() -> bool:
        return await found(other) == {}

    await until(is_gone)
    await other.close()


async def test_a_broker_that_vanishes_is_noticed_and_comes_back(bench: Bench) -> None:
    line = await bench.line("two")
    await line.open(Publication("w/node/two", retained=True))
    watching = asyncio.create_task(line.lost())
    await bench.go_away()
    async with asyncio.timeout(10):
        await watching
    with pytest.raises(FeedError):
        await line.publish(HERE)
    await line.close()
    with pytest.raises(FeedError):
        await line.open(WILL)
    await line.close()
    await bench.come_back()
    await line.open(WILL)
    await line.publish(HERE)
    await line.close()


async def test_without_a_line_nothing_is_published(bench: Bench) -> None:
    line = await bench.line("two")
    await line.close()
    with pytest.raises(FeedError):
        await line.publish(HERE)
