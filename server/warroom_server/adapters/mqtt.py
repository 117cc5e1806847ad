"""The feed on an MQTT broker.

Measured: paho keeps unacknowledged messages without limit, and repeats them by itself. So only one publication is
under way at a time, and a client that does not deliver it in time is discarded with all that it holds.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Coroutine, Sequence
from contextlib import suppress
from typing import Final, TypeVar

import aiomqtt
from aiomqtt import ProtocolVersion
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from warroom_protocol.brokers import Broker
from warroom_server.loop.tasks import end
from warroom_server.ports.feed import FeedError, Publication

R = TypeVar("R")

TIMEOUT_S: Final = 5.0
"""How long the broker may take to answer."""
KEEPALIVE_S: Final = 10
GOODBYE_S: Final = 0.5
CUT_TURNS: Final = 100
"""How often to check, within that time, whether the client has closed its socket."""
RETAINED: Final = 100_000
"""How many retained messages are read at a time,"""
RETAINED_BYTES: Final = 4_096
"""and of how many bytes each: longer ones are not ours."""
UNSUPPORTED: Final = 132
"""The reason code of brokers that speak no MQTT 5; paho also takes older answers for it."""
_REFUSED: Final = 128
"""Reason codes from here on are refusals."""

_silent = logging.getLogger(f"{__name__}.client")
_silent.setLevel(logging.CRITICAL)  # errors are raised, and logged once


class MqttFeed:
    """A connection to one broker as *identifier*, with MQTT 5 unless the broker refuses it."""

    def __init__(
        self, broker: Broker, *, identifier: str, tls: ssl.SSLContext | None = None, timeout_s: float = TIMEOUT_S
    ) -> None:
        self._broker = broker
        self._identifier = identifier
        self._tls = tls
        self._timeout_s = timeout_s
        self._version = ProtocolVersion.V5
        self._client: aiomqtt.Client | None = None
        self._reader: asyncio.Task[None] | None = None
        """Reads from the connection, and ends when it is broken."""
        self._gathering: _Gathering | None = None

    @property
    def version(self) -> int:
        """The version of MQTT: 5, or 4 for 3.1.1."""
        return int(self._version)

    async def open(self, will: Publication) -> None:
        """Connect, with an older version if the broker asks for that."""
        try:
            await self._connect(will)
        except aiomqtt.MqttCodeError as error:
            if self._version is ProtocolVersion.V311 or error.rc != UNSUPPORTED:
                raise FeedError(str(error)) from error
            await self.close()
            self._version = ProtocolVersion.V311
            await self._ask(self._connect(will))
        except (aiomqtt.MqttError, OSError, ValueError) as error:
            raise FeedError(str(error)) from error

    async def publish(self, publication: Publication) -> None:
        """Publish, and wait until it is sent (QoS 0) or acknowledged (QoS 1)."""
        publishing = self._line.publish(
            publication.topic,
            publication.payload,
            qos=publication.qos,
            retain=publication.retained,
            properties=self._properties(publication),
        )
        # QoS 0 is nearly always sent at once; a task for each would cost more than the rest.
        await (self._ask(publishing) if publication.qos == 0 else self._answered(publishing))

    async def retained(self, filters: Sequence[str], marker: Publication) -> list[tuple[str, bytes]]:
        """Subscribe, publish *marker*, and gather until it comes back: retained messages come before it."""
        line = self._line
        gathering = self._gathering = _Gathering(marker)
        answers = await self._answered(line.subscribe([(topic, 0) for topic in filters]))
        if any((answer if isinstance(answer, int) else answer.value) >= _REFUSED for answer in answers):
            raise FeedError(f"the broker does not let {self._identifier} read what is retained there")
        await self.publish(marker)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timeout_s):
                await self._answered(gathering.is_done.wait())
        self._gathering = None
        await self._answered(line.unsubscribe(list(filters)))
        return gathering.found

    async def lost(self) -> None:
        """Return once the connection is broken."""
        if self._reader is not None:
            await asyncio.wait([self._reader])

    async def close(self) -> None:
        """Discard the client: gracefully if the broker still reads, else by closing the socket."""
        client, self._client = self._client, None
        if client is None:
            return
        await end(self._reader)
        self._reader = self._gathering = None
        client.timeout = GOODBYE_S
        paho = client._client
        sock = paho.socket()
        if paho.is_connected():
            with suppress(aiomqtt.MqttError):
                await client.__aexit__(None, None, None)
        if paho.socket() is not None:
            _cut(sock)
            await _let_go(paho)

    # --- the client -------------------------------------------------------------------------------------------------

    @property
    def _line(self) -> aiomqtt.Client:
        if self._client is None:
            raise FeedError("there is no line to the broker")
        return self._client

    async def _connect(self, will: Publication) -> None:
        broker = self._broker
        client = aiomqtt.Client(
            broker.host,
            broker.port,
            username=broker.user,
            password=broker.password,
            identifier=self._identifier,
            protocol=self._version,
            will=aiomqtt.Will(will.topic, will.payload, will.qos, will.retained),
            # In MQTT 5 that is "clean start", which is the default.
            clean_session=True if self._version is ProtocolVersion.V311 else None,
            logger=_silent,
            timeout=self._timeout_s,
            keepalive=KEEPALIVE_S,
            max_queued_incoming_messages=RETAINED,
            tls_context=self._tls if broker.is_tls else None,
        )
        client.pending_calls_threshold = RETAINED
        # Set before it is connected, so that a half-connected client is discarded too.
        self._client = client
        await client.__aenter__()
        self._reader = asyncio.get_running_loop().create_task(self._read(client), name="feed reader")

    async def _read(self, client: aiomqtt.Client) -> None:
        with suppress(aiomqtt.MqttError):
            async for message in client.messages:
                if self._gathering is not None:
                    self._gathering.take(message)

    def _properties(self, publication: Publication) -> Properties | None:
        if publication.expires_s is None or self._version is not ProtocolVersion.V5:
            return None
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.MessageExpiryInterval = publication.expires_s
        return properties

    async def _ask(self, call: Awaitable[R]) -> R:
        try:
            return await call
        except (aiomqtt.MqttError, OSError, ValueError) as error:
            raise FeedError(str(error)) from error

    async def _answered(self, call: Coroutine[None, None, R]) -> R:
        """Wait for an answer of the broker, or for the end of the connection, which the client overlooks."""
        asking = asyncio.get_running_loop().create_task(call)
        try:
            await asyncio.wait([asking, *([self._reader] if self._reader else [])], return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise FeedError("the line broke before the broker answered")
            return await self._ask(asking)
        finally:
            asking.cancel()


class _Gathering:
    """The retained messages, until *marker* comes back."""

    def __init__(self, marker: Publication) -> None:
        self.found: list[tuple[str, bytes]] = []
        self.is_done = asyncio.Event()
        self._marker = marker

    def take(self, message: aiomqtt.Message) -> None:
        """Take one message; those published meanwhile are not retained ones."""
        topic, payload = message.topic.value, message.payload
        if not message.retain:
            if (topic, payload) == (self._marker.topic, self._marker.payload):
                self.is_done.set()
        elif isinstance(payload, bytes) and len(self.found) < RETAINED:
            self.found.append((topic, payload if len(payload) <= RETAINED_BYTES else b""))


def _cut(sock: object) -> None:
    """Shut down the socket of a client, which then closes it and drops what it holds."""
    if isinstance(sock, socket.socket):
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


async def _let_go(paho: PahoClient) -> None:
    """Wait until a client has closed its socket."""
    for _ in range(CUT_TURNS):
        if paho.socket() is None:
            return
        await asyncio.sleep(GOODBYE_S / CUT_TURNS)
