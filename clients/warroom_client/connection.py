"""One websocket to a server, from hello to close."""

import asyncio
import os
from typing import Final, Literal, Protocol
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, WebSocketException

from warroom_client.errors import ClientError, DisconnectedError, RejectedError, VersionError
from warroom_client.message_limits import check
from warroom_games.invocation import program
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.errors import UnknownMessageError, WireError
from warroom_protocol.errors import VersionError as WireVersionError
from warroom_protocol.limits import MAX_SERVER_BYTES
from warroom_protocol.versions import SUPPORTED, mismatch

OPEN_TIMEOUT_S: Final = 10
CLOSE_TIMEOUT_S: Final = 2

FINAL_CLOSES: Final = frozenset(
    {
        codes.CLOSE_PROTOCOL,
        codes.CLOSE_TEXT,
        codes.CLOSE_MALFORMED,
        codes.CLOSE_TOO_LARGE,
        codes.CLOSE_HELLO,
        codes.CLOSE_VERSION,
        codes.CLOSE_ROTATED,
    }
)
"""Close codes that a reconnect cannot fix."""

PASSING_REFUSALS: Final = frozenset(
    {
        codes.SERVER_DRAINING,
        codes.STORE_UNAVAILABLE,
        codes.ROOM_BUSY,
        codes.ROOM_MOVING,
        codes.RULES_UNAVAILABLE,
    }
)
"""Refusals during a reconnect that are worth another attempt."""


class Socket(Protocol):
    """What a link needs of a websocket."""

    async def send(self, message: bytes) -> None:
        """Send one binary message; raise `ConnectionClosed` if the websocket is closed."""
        ...

    async def recv(self, decode: Literal[False]) -> bytes:
        """Return the next message; raise `ConnectionClosed` at the end."""
        ...

    async def close(self) -> None:
        """Close the websocket."""
        ...

    @property
    def latency(self) -> float:
        """The round trip of the last websocket ping in seconds; 0 before the first."""
        ...


class Connection:
    """A welcomed connection. One task may receive; any may send."""

    def __init__(self, socket: Socket, url: str) -> None:
        self._socket = socket
        self._url = url
        self._greeting_s = 0.0

    @property
    def round_trip_s(self) -> float:
        """The last measured round trip to the server: of a websocket ping, or of the hello before the first ping."""
        return self._socket.latency or self._greeting_s

    async def greet(self, hello: wire.Hello) -> wire.Welcome:
        """Say hello and return the welcome; raise `VersionError` or `RejectedError` if it is refused."""
        check(hello)
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        await self.send(hello)
        while True:
            match await self.receive():
                case wire.Welcome(version=version) as welcome:
                    if version not in hello.versions:
                        raise VersionError(f"{self._url}: {mismatch(server=[version], client=hello.versions)}")
                    self._greeting_s = loop.time() - began_s
                    return welcome
                case wire.Error(code=code, detail=detail):
                    raise _refused(self._url, code, detail)
                case _:
                    continue

    async def send(self, message: wire.ClientMessage) -> None:
        """Send one message, waiting while the buffer is full; raise `DisconnectedError` if the connection is lost."""
        try:
            await self._socket.send(encode(message))
        except ConnectionClosed as closed:
            raise self._lost(closed) from closed

    async def receive(self) -> wire.ServerMessage:
        """Return the next message, skipping those of a newer protocol.

        Raise `DisconnectedError` at the end, and `VersionError` for the welcome of another version.
        """
        while True:
            try:
                return decode_server(await self._socket.recv(decode=False))
            except UnknownMessageError:
                continue
            except WireVersionError as error:
                raise VersionError(f"{self._url}: {error.detail}") from error
            except WireError as error:
                message = f"{self._url} sent an invalid message: {error}"
                raise DisconnectedError(message, codes.CLOSE_MALFORMED) from error
            except ConnectionClosed as closed:
                raise self._lost(closed) from closed

    async def close(self) -> None:
        """Close the websocket; harmless if it is already closed."""
        await self._socket.close()

    def _lost(self, closed: ConnectionClosed) -> DisconnectedError:
        code = closed.rcvd.code if closed.rcvd else None
        reason = closed.rcvd.reason if closed.rcvd else ""
        meaning = reason or codes.CLOSES.get(code or 0, "no close message")
        return DisconnectedError(f"connection to {self._url} lost: {meaning}", code)


async def open_connection(url: str) -> Connection:
    """Open a websocket; raise `DisconnectedError` if there is no Warroom server at the address."""
    try:
        socket = await connect(
            url,
            compression=None,
            max_size=MAX_SERVER_BYTES,
            open_timeout=OPEN_TIMEOUT_S,
            close_timeout=CLOSE_TIMEOUT_S,
            # A proxy cannot reach a server on this machine.
            proxy=None if _is_loopback(url) else True,
        )
    except InvalidURI as error:
        raise ClientError(f"{url!r} is not a websocket address, such as ws://127.0.0.1:8000/ws") from error
    except ConnectionRefusedError as error:
        hint = f"`{program(os.environ)} serve` starts a server"
        raise DisconnectedError(f"cannot reach {url}: connection refused; {hint}") from error
    except InvalidStatus as error:
        wait_s = _retry_after(error)
        raise DisconnectedError(f"cannot reach {url}: {error}", retry_after_s=wait_s) from error
    except (OSError, WebSocketException) as error:
        raise DisconnectedError(f"cannot reach {url}: {error or type(error).__name__}") from error
    return Connection(socket, url)


def is_final(error: ClientError) -> bool:
    """Whether a reconnect cannot help."""
    if isinstance(error, DisconnectedError):
        return error.code in FINAL_CLOSES
    return not (isinstance(error, RejectedError) and error.code in PASSING_REFUSALS)


def _refused(url: str, code: str, detail: str) -> ClientError:
    if code == codes.HELLO_VERSION:
        own = ", ".join(map(str, sorted(SUPPORTED)))
        return VersionError(f"{url} refused protocol {own} of this client: {detail}")
    return RejectedError(code, detail)


def _retry_after(error: InvalidStatus) -> float:
    """Return the seconds that a server at its limit asks to wait."""
    value = error.response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 0.0


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")
