"""Somebody who listens to a broker, and says things there, with nothing but paho: no code of ours."""

import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode

PATIENCE_S = 60.0


class BrokerEar:
    """One client, in a thread of its own; notes all that it hears, in order."""

    def __init__(
        self,
        port: int,
        *filters: str,
        user: str | None = None,
        password: str | None = None,
        will: tuple[str, bytes] | None = None,
        tls: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
        version: MQTTProtocolVersion = MQTTProtocolVersion.MQTTv5,
    ) -> None:
        self.heard: list[tuple[str, bytes, bool]] = []
        self.granted: list[int] = []
        self.refusal: ReasonCode | None = None
        self._answered = threading.Event()
        self._subscribed = threading.Event()
        self._filters = filters
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=version, reconnect_on_failure=False)
        self._client.on_connect = self._connected
        self._client.on_message = self._message
        self._client.on_subscribe = self._granted
        if user is not None:
            self._client.username_pw_set(user, password)
        if will is not None:
            self._client.will_set(*will, qos=1, retain=True)
        if tls is not None:
            self._client.tls_set_context(tls)
        self._client.connect(host, port, keepalive=30)
        self._client.loop_start()
        assert self._answered.wait(PATIENCE_S)
        if filters and self.refusal is None:
            assert self._subscribed.wait(PATIENCE_S)

    @property
    def kept(self) -> dict[str, bytes]:
        """What is retained by now, as far as it was heard: the last word on each topic."""
        kept = {topic: payload for topic, payload, _ in list(self.heard)}
        return {topic: payload for topic, payload in kept.items() if payload}

    def of(self, topic: str) -> list[bytes]:
        """Return what was heard on one topic."""
        return [payload for heard, payload, _ in list(self.heard) if heard == topic]

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> int:
        """Publish, and return the broker's answer: 0 for yes."""
        info = self._client.publish(topic, payload, qos=1, retain=retain)
        info.wait_for_publish(PATIENCE_S)
        return int(info.rc)

    def until(self, condition: Callable[[], Any], within_s: float = PATIENCE_S) -> Any:
        """Wait until *condition* says something other than nothing, and return that."""
        end = time.monotonic() + within_s
        while not (found := condition()):
            assert time.monotonic() < end, f"not in time; heard on {sorted({topic for topic, _, _ in self.heard})}"
            time.sleep(0.02)
        return found

    def vanish(self) -> None:
        """Break the line without a goodbye, so that the broker publishes the will."""
        self._client.loop_stop()
        sock: Any = self._client.socket()
        sock.close()

    def close(self) -> None:
        """Hang up."""
        self._client.disconnect()
        with suppress(AttributeError):  # its thread ends by itself, and paho may be about to wait for it just then
            self._client.loop_stop()

    def __enter__(self) -> "BrokerEar":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connected(self, client: Client, _: Any, __: Any, answer: ReasonCode, ___: Any) -> None:
        if answer.is_failure:
            self.refusal = answer
        elif self._filters:
            client.subscribe([(wanted, 1) for wanted in self._filters])
        self._answered.set()

    def _granted(self, _: Client, __: Any, ___: int, answers: list[ReasonCode], ____: Any) -> None:
        self.granted = [answer.value for answer in answers]
        self._subscribed.set()

    def _message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        self.heard.append((message.topic, bytes(message.payload), message.retain))
