"""The line to a real mosquitto: versions, certificates, users, and a broker that stops reading."""

import asyncio
import gc
import os
import ssl
from pathlib import Path

import aiomqtt
import pytest
from certificates import make_certificate
from mosquitto import Mosquitto, mosquitto
from mqtt_subscriber import BrokerEar
from wait_until import until

from warroom_protocol.brokers import Broker, parse_broker
from warroom_server.adapters.mqtt import TIMEOUT_S, MqttFeed
from warroom_server.ports.feed import FeedError, Publication

WILL = Publication("w/node/one", retained=True, qos=1)
NEWS = Publication("w/news", b"x" * 1000, qos=1)
MQTT_5, MQTT_3 = 5, 4
PROTOCOL_LEVEL_AT = 8
"""Where a CONNECT packet says its version, after the header, the length and the name of the protocol."""
UNACCEPTABLE = bytes.fromhex("20 02 00 01")
"""What a broker that speaks 3.1.1 alone answers to anything newer."""


def line_to(port: int, timeout_s: float = TIMEOUT_S) -> MqttFeed:
    return MqttFeed(Broker("127.0.0.1", port, is_tls=False), identifier="one", timeout_s=timeout_s)


async def test_the_newest_version_is_spoken_and_expiry_with_it() -> None:
    with mosquitto() as broker, BrokerEar(broker.port, "w/#") as ear:
        line = line_to(broker.port)
        await line.open(WILL)
        await line.publish(Publication("w/wanted", b"soon over", qos=1, expires_s=3))
        assert line.version == MQTT_5
        await asyncio.to_thread(ear.until, lambda: ear.of("w/wanted"))
        await line.close()


async def test_with_a_broker_that_knows_3_1_1_alone_that_is_spoken() -> None:
    with mosquitto() as broker:
        versions: list[int] = []
        ended: list[int] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            hello = await reader.read(1024)
            versions.append(hello[PROTOCOL_LEVEL_AT])
            if versions[-1] == MQTT_5:
                writer.write(UNACCEPTABLE)
            else:
                upstream_reader, upstream = await asyncio.open_connection("127.0.0.1", broker.port)
                upstream.write(hello)
                await asyncio.gather(_copy(reader, upstream), _copy(upstream_reader, writer))
            writer.close()
            await writer.wait_closed()
            ended.append(versions[-1])

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            line = line_to(server.sockets[0].getsockname()[1])
            await line.open(WILL)
            await line.publish(Publication("w/wanted", b"no expiry there", retained=True, qos=1, expires_s=3))
            assert await line.retained(["w/+"], Publication("w/marker", b"m", qos=1)) == [
                ("w/wanted", b"no expiry there")
            ]
            await line.close()
            await line.open(WILL)
            await line.close()
            await until(lambda: len(ended) == len(versions))
        assert versions == [MQTT_5, MQTT_3, MQTT_3]


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(65_536):
        writer.write(chunk)
    writer.close()
    await writer.wait_closed()


async def publish_on_and_on(line: MqttFeed, qos: int) -> None:
    for _ in range(100_000):
        await line.publish(Publication("w/news", b"x" * 10_000, qos=qos))


@pytest.mark.parametrize("qos", [0, 1])
async def test_a_broker_that_stops_reading_costs_one_line_and_no_memory(qos: int) -> None:
    with mosquitto() as broker:
        others = clients()
        line = line_to(broker.port, timeout_s=1.5)
        await line.open(WILL)
        await line.publish(NEWS)
        before = len(os.listdir("/proc/self/fd"))
        broker.stop_reading()
        try:
            with pytest.raises(FeedError):
                await publish_on_and_on(line, qos)
            await line.close()
        finally:
            broker.read_on()
        await line.open(WILL)
        await line.publish(NEWS)
        assert len(os.listdir("/proc/self/fd")) <= before
        await line.close()
        await until(lambda: clients() <= others)


def clients() -> set[int]:
    """Return the clients that were not thrown away with all that they hold."""
    gc.collect()
    return {id(each) for each in gc.get_objects() if isinstance(each, aiomqtt.Client)}


class TestTls:
    @staticmethod
    def broker(folder: Path) -> Mosquitto:
        certificate, key = make_certificate(folder)
        broker = Mosquitto(folder, scheme="mqtts")
        broker.configuration = (
            f"listener {broker.port} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}\nallow_anonymous true\n"
        )
        return broker

    async def test_a_certificate_that_is_trusted_opens_the_line(self, tmp_path: Path) -> None:
        broker = self.broker(tmp_path)
        broker.start()
        try:
            tls = ssl.create_default_context(cafile=str(tmp_path / "broker.crt"))
            line = MqttFeed(parse_broker(broker.url), identifier="one", tls=tls)
            await line.open(WILL)
            for _ in range(50):
                await line.publish(Publication("w/room/1/about", b"x" * 50_000, retained=True, qos=1))
            found = await line.retained(["w/room/+/about"], Publication("w/room/2/about", b"marker", qos=1))
            assert [topic for topic, _ in found] == ["w/room/1/about"]
            await line.close()
        finally:
            broker.kill()

    # paho leaves the socket of a handshake that failed to the garbage collector, which closes it with a warning.
    @pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
    async def test_any_other_does_not(self, tmp_path: Path) -> None:
        broker = self.broker(tmp_path)
        broker.start()
        other, _ = make_certificate(tmp_path, "other")
        try:
            for cafile in (None, str(other)):
                tls = ssl.create_default_context(cafile=cafile)
                line = MqttFeed(parse_broker(broker.url), identifier="one", tls=tls)
                with pytest.raises(FeedError, match="certificate"):
                    await line.open(WILL)
                await line.close()
        finally:
            broker.kill()


async def test_who_is_not_let_in_is_told_why(tmp_path: Path) -> None:
    with mosquitto("allow_anonymous false\n") as broker:
        line = line_to(broker.port)
        with pytest.raises(FeedError, match="authori"):
            await line.open(WILL)
        await line.close()
