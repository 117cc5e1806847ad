"""The inspector of the page, for debugging: it answers questions about local matches, which exist only there."""

import asyncio
from collections import deque
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Final

import msgspec

from warroom_games.inspection import RULES_FAILED, Refused, answer
from warroom_games.registry import Registry
from warroom_protocol.codes import CLOSE_INTERNAL
from warroom_server.ports.connections import Connection
from warroom_server.ports.time import Timer, Timers

THREADS: Final = 2
"""Questions that are asked at once; more threads would slow the loop down."""
LIMIT_MS: Final = 30_000
"""How long the rules may take for one question."""
MOST_OVERDUE: Final = 4
"""Threads past that limit, which nothing can end, before the inspector refuses to start more."""
MOST_HELD: Final = 16
"""Questions of one connection that wait, behind the one that is asked."""
BUSY: Final = "inspector.busy"
_PAUSE_MS: Final = 10
"""How long nothing is read after a question, so that a flood of them costs the loop little."""


class Inspector:
    """The handler of connections to the inspector, with one question of each under way at a time.

    Rules may never come back from an odd state. So daemon threads ask them: neither the loop nor the end of the
    process waits for those, and unlike the loop's own threads nobody else needs them.
    """

    def __init__(self, games: Registry, timers: Timers) -> None:
        self._games = games
        self._timers = timers
        self._held: dict[Connection, deque[bytes]] = {}
        """By open connection, its questions that wait; first the connection that had its turn longest ago."""
        self._asked: dict[Connection, Timer] = {}
        """By connection with a question that is asked, what ends the wait for the answer."""
        self._overdue = 0

    def opened(self, connection: Connection) -> None:
        """Expect questions."""
        self._held[connection] = deque()

    def received(self, connection: Connection, message: bytes, arrived: int, now: int) -> int:
        """Ask a question as soon as it is its turn."""
        self._held[connection].append(message)
        self._start()
        if len(self._held.get(connection, ())) > MOST_HELD:
            self._give_up(connection, f"more than {MOST_HELD} questions of this connection wait")
        return _PAUSE_MS

    def drained(self, connection: Connection) -> None:
        """Do nothing."""

    def measured(self, connection: Connection, rtt_ms: int) -> None:
        """Do nothing."""

    def closed(self, connection: Connection) -> None:
        """Drop the questions that wait; the answer to the one that is asked goes nowhere."""
        self._held.pop(connection, None)

    def _start(self) -> None:
        for connection, held in tuple(self._held.items()):
            if held and connection not in self._asked and len(self._asked) < THREADS:
                if self._overdue >= MOST_OVERDUE:
                    stuck = f"{self._overdue} earlier questions still keep the rules busy; restart the server"
                    self._give_up(connection, stuck)
                    continue
                self._held[connection] = self._held.pop(connection)
                self._asked[connection] = self._timers.call_after(LIMIT_MS, partial(self._overrun, connection))
                asked = connection, held.popleft(), asyncio.get_running_loop()
                Thread(target=self._ask, args=asked, name="inspector", daemon=True).start()

    def _ask(self, connection: Connection, question: bytes, loop: asyncio.AbstractEventLoop) -> None:
        try:
            found = answer(question, self._games)
        except BaseException as error:  # noqa: BLE001 - the rules may raise SystemExit
            found = _refusal(RULES_FAILED, f"the rules ended the thread that asked them: {type(error).__name__}")
        with suppress(RuntimeError):  # the loop is closed: the server has stopped
            loop.call_soon_threadsafe(self._found, connection, found)

    def _found(self, connection: Connection, found: bytes) -> None:
        if (timer := self._asked.pop(connection, None)) is None:
            self._overdue -= 1
        else:
            timer.cancel()
            connection.send(found)
        self._start()

    def _overrun(self, connection: Connection) -> None:
        del self._asked[connection]
        self._overdue += 1
        self._give_up(connection, f"the rules took more than {LIMIT_MS // 1000} s for this question")
        self._start()

    def _give_up(self, connection: Connection, text: str) -> None:
        self._held.pop(connection, None)
        connection.send(_refusal(BUSY, text))
        connection.close(CLOSE_INTERNAL, text)


def _refusal(code: str, text: str) -> bytes:
    return msgspec.json.encode(Refused(None, code, text))
