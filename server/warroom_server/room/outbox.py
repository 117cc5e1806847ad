"""The effects of one command, gathered in the order in which they are to happen."""

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Error, ServerMessage
from warroom_server.room.commands import ConnectionId
from warroom_server.room.counters import RoomCounters
from warroom_server.room.effects import Effect, Send, SendAll, SendSeat


class Outbox:
    """Effects to come. Each message is encoded once, however many read it."""

    def __init__(self, work: RoomCounters) -> None:
        self._work = work
        self._effects: list[Effect] = []

    def take(self) -> list[Effect]:
        """Return what was gathered, and begin anew."""
        effects, self._effects = self._effects, []
        return effects

    def add(self, effect: Effect) -> None:
        """Ask for *effect*."""
        self._effects.append(effect)

    def send(self, connection: ConnectionId, message: ServerMessage) -> None:
        """Tell one connection."""
        self._effects.append(Send(connection, self._encode(message)))

    def send_seat(self, seat: int, message: ServerMessage, to: tuple[ConnectionId, ...]) -> None:
        """Tell every connection of a seat."""
        self._effects.append(SendSeat(seat, self._encode(message), to))

    def send_all(self, message: ServerMessage, to: tuple[ConnectionId, ...]) -> None:
        """Tell everyone."""
        self._effects.append(SendAll(self._encode(message), to))

    def refuse(self, connection: ConnectionId, ref: int, code: str, detail: str = "") -> None:
        """Refuse a request; without *detail* the answer says what the code means."""
        self.send(connection, Error(ref, code, detail or codes.REFUSALS[code]))

    def _encode(self, message: ServerMessage) -> bytes:
        self._work.messages += 1
        return encode(message)
