"""A transport without a socket, for counting what a connection does to it."""

import asyncio


class TransportDouble(asyncio.Transport):
    """Notes every write; *unsent* is what a test claims that the kernel has not taken, *peer* where the client is."""

    def __init__(self, peer: tuple[str, int] | None = None) -> None:
        super().__init__({"peername": peer})
        self.writes: list[bytes] = []
        self.unsent = 0
        self.is_ended = False
        self.is_aborted = False
        self.reads = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.writes.append(bytes(data))

    def write_eof(self) -> None:
        self.is_ended = True

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def is_closing(self) -> bool:
        return self.is_aborted

    def close(self) -> None:
        self.is_aborted = True

    def abort(self) -> None:
        self.is_aborted = True

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True
