"""Messages of one kind that belong to no room, for a program to iterate over."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Generic, Self, TypeVar

from warroom_client.errors import ClientError
from warroom_protocol import messages as wire

M = TypeVar("M", bound=wire.Summon | wire.Notice)

LIMIT: Final = 256
"""A reader that is further behind loses the oldest messages."""


class MessageStream(Generic[M]):
    """The messages of one kind in order: `async for message in stream`.

    Connection breaks are waited out. It ends with `stop`, or with the error that ended the client. A *request* that
    asked for these messages is sent again on each new connection.
    """

    def __init__(
        self, kind: type[M], end: Callable[["MessageStream[Any]"], None], request: wire.Work | None = None
    ) -> None:
        self.request: wire.Work | None = request
        self._kind = kind
        self._end = end
        self._messages: deque[M] = deque(maxlen=LIMIT)
        self._news = asyncio.Event()
        self._is_closed = False
        self._error: ClientError | None = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> M:
        while not self._messages:
            if self._is_closed:
                raise self._error or StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._messages.popleft()

    def stop(self) -> None:
        """End the stream after the messages that have arrived."""
        self._end(self)
        self.close(None)

    # --- for the client ---------------------------------------------------------------------------------------------

    def receive(self, message: wire.ServerMessage) -> None:
        """Take a message of this kind; ignore all others."""
        if isinstance(message, self._kind):
            self._messages.append(message)
            self._news.set()

    def close(self, error: ClientError | None) -> None:
        """End the stream after the messages that have arrived, with *error* if given."""
        self._is_closed = True
        self._error = self._error or error
        self._news.set()
