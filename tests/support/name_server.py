"""A name server for tests, which knows one name and says where it is at the moment."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

HEAD = struct.Struct("!6H")
A_RECORD = b"\x00\x01\x00\x01"
ANSWER = 0x8180
NO_SUCH_NAME = 3
POINT_TO_QUESTION = b"\xc0\x0c"
TTL_S = 600


class NameServer:
    """Answers whoever asks for *name* with *addresses*, which a test may change; as Docker's does, for containers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.addresses: list[str] = []
        self.asked = 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop answering."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                query, whose = self._socket.recvfrom(512)
            except OSError:
                return
            if not query:
                return
            self.asked += 1
            self._socket.sendto(self._answer(query), whose)

    def _answer(self, query: bytes) -> bytes:
        number, *_ = HEAD.unpack_from(query)
        labels_end = query.index(0, HEAD.size) + 1
        question = query[HEAD.size : labels_end + len(A_RECORD)]
        wanted = b"".join(bytes([len(label)]) + label.encode() for label in self.name.split(".")) + b"\0"
        addresses = self.addresses if question == wanted + A_RECORD else []
        flags = ANSWER if addresses else ANSWER | NO_SUCH_NAME
        records = [
            POINT_TO_QUESTION + A_RECORD + struct.pack("!IH", TTL_S, 4) + socket.inet_aton(address)
            for address in addresses
        ]
        return HEAD.pack(number, flags, 1, len(records), 0, 0) + question + b"".join(records)


@contextmanager
def name_server(name: str) -> Iterator[NameServer]:
    """Run a server for the length of a block."""
    running = NameServer(name)
    try:
        yield running
    finally:
        running.close()
