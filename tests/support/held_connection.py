"""A tab's connection to its server, under the control of a test."""

import re
from collections.abc import Callable
from typing import Any

import msgpack
from playwright.sync_api import Page, WebSocketRoute


class ControlledConnection:
    """A controlled connection of one tab: it can hold back or change messages of the server, and be cut."""

    def __init__(self, page: Page) -> None:
        self.said: list[Any] = []
        """The decoded messages of the tab."""
        self.heard: list[Any] = []
        """The decoded messages of the server."""
        self._kept: list[Callable[[], None]] | None = None
        self._kind: str | None = None
        self._falsify: Callable[[Any], Any] | None = None
        self._rewrite: Callable[[Any], Any] | None = None
        self._is_once = False
        self._open: WebSocketRoute | None = None
        page.route_web_socket(re.compile("/ws$"), self._connect)

    def cut(self) -> None:
        assert self._open is not None
        self._open.close(code=1011, reason="cut")

    def falsify(self, change: Callable[[Any], Any]) -> None:
        """Change every message for which *change* returns a value."""
        self._falsify, self._is_once = change, False

    def falsify_once(self, change: Callable[[Any], Any]) -> None:
        """Change the next message for which *change* returns a value."""
        self._falsify, self._is_once = change, True

    def rewrite(self, change: Callable[[Any], Any]) -> None:
        """Change every message of the tab for which *change* returns a value."""
        self._rewrite = change

    def be_true(self) -> None:
        """Stop changing messages."""
        self._falsify = None

    def stop(self, kind: str | None = None) -> None:
        """Hold back the server's messages from now on, or those of one kind."""
        self._kept, self._kind = [], kind

    def go_on(self) -> None:
        kept, self._kept = self._kept or [], None
        for tell in kept:
            tell()

    def _connect(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        self._open = line

        def say(message: str | bytes) -> None:
            self.said.append(said := decoded(message))
            changed = self._rewrite(said) if self._rewrite else None
            server.send(message if changed is None else msgpack.packb(changed))

        def hear(message: str | bytes) -> None:
            self.heard.append(heard := decoded(message))
            told = self._changed(message)
            # A page without an answer to its ping considers the connection dead.
            if self._kept is None or heard[0] == "pong" or self._kind not in (None, heard[0]):
                line.send(told)
            else:
                self._kept.append(lambda: line.send(told))

        line.on_message(say)
        server.on_message(hear)

    def _changed(self, message: str | bytes) -> str | bytes:
        if self._falsify is None or not isinstance(message, bytes):
            return message
        changed = self._falsify(decoded(message))
        if changed is None:
            return message
        if self._is_once:
            self.be_true()
        false: bytes = msgpack.packb(changed)
        return false


def decoded(message: str | bytes) -> Any:
    return msgpack.unpackb(message) if isinstance(message, bytes) else message
