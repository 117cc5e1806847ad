"""A reconnecting MQTT subscription for programs that only listen."""

import asyncio
import logging
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NoReturn, Protocol

import aiomqtt
from aiomqtt import ProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode

from warroom_client.backoff import backoff
from warroom_client.errors import ClientError
from warroom_protocol.brokers import Broker, parse_broker
from warroom_protocol.errors import BrokerUrlError

TIMEOUT_S: Final = 5.0
KEEPALIVE_S: Final = 10
LOOK_S: Final = 5.0
"""Interval at which a listener is asked whether retained messages are missing."""
UNSUPPORTED: Final = 132
FINAL: Final = frozenset({133, 134, 135, 138})
"""Reason codes that a reconnect cannot fix: the broker rejects our identity."""
_REFUSED: Final = 128

_silent = logging.getLogger(f"{__name__}.client")
_silent.setLevel(logging.CRITICAL)  # errors that matter are raised


class Listener(Protocol):
    """The receiver of messages."""

    def heard(self, topic: str, payload: bytes) -> None:
        """Take one message."""
        ...

    def opened(self) -> None:
        """Note that the connection is open; retained messages follow."""
        ...

    def lost(self, reason: str) -> None:
        """Note that the connection is lost."""
        ...

    def is_missing_something(self) -> bool:
        """Whether the retained messages should be sent again."""
        ...


class MqttSubscription:
    """Listens to some topics of one broker until cancelled."""

    def __init__(self, url: str, filters: Sequence[str], *, ca: str | None = None) -> None:
        try:
            self._broker: Broker = parse_broker(url)
            self._tls = ssl.create_default_context(cafile=ca or None) if self._broker.is_tls else None
        except BrokerUrlError as error:
            raise ClientError(f"the broker: {error}") from error
        except OSError as error:
            raise ClientError(f"cannot read certificates from {ca}: {error}") from error
        self._filters = [(topic, 1) for topic in filters]
        self._version = ProtocolVersion.V5

    def __str__(self) -> str:
        return str(self._broker)

    async def run(self, listener: Listener) -> NoReturn:
        """Listen; raise `ClientError` only if a reconnect cannot help."""
        delays = backoff()
        while True:
            try:
                async with self._client() as client:
                    await self._subscribe(client)
                    delays = backoff()
                    listener.opened()
                    await self._listen(client, listener)
            except aiomqtt.MqttCodeError as error:
                if error.rc == UNSUPPORTED and self._version is ProtocolVersion.V5:
                    self._version = ProtocolVersion.V311
                    continue
                if any(error.rc == code for code in FINAL):
                    raise ClientError(f"{self} refused the connection: {error}") from error
                listener.lost(str(error))
            except aiomqtt.MqttError as error:
                listener.lost(str(error))
            await asyncio.sleep(next(delays))

    async def _listen(self, client: aiomqtt.Client, listener: Listener) -> None:
        looking = asyncio.create_task(self._look(client, listener))
        try:
            async for message in client.messages:
                if isinstance(message.payload, bytes):
                    listener.heard(message.topic.value, message.payload)
        finally:
            looking.cancel()

    async def _look(self, client: aiomqtt.Client, listener: Listener) -> None:
        """Subscribe again for the retained messages while something is missing."""
        with suppress(aiomqtt.MqttError):
            while True:
                await asyncio.sleep(LOOK_S)
                if listener.is_missing_something():
                    await client.subscribe(self._filters)

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        answers = await client.subscribe(self._filters)
        for (topic, _), answer in zip(self._filters, answers, strict=True):
            if _is_refusal(answer):
                raise ClientError(f"{self} denies read access to {topic}")

    def _client(self) -> aiomqtt.Client:
        broker = self._broker
        return aiomqtt.Client(
            broker.host,
            broker.port,
            username=broker.user,
            password=broker.password,
            protocol=self._version,
            logger=_silent,
            timeout=TIMEOUT_S,
            keepalive=KEEPALIVE_S,
            tls_context=self._tls,
        )


def _is_refusal(answer: object) -> bool:
    number = answer.value if isinstance(answer, ReasonCode) else answer
    return isinstance(number, int) and number >= _REFUSED
