"""The effects of one command, in order."""

from warroom_protocol.codec import encode
from warroom_protocol.messages import ServerMessage
from warroom_server.room.effects import Effect, Send, SendAll, SendSeat
from warroom_server.room.viewer_kinds import Destination, Viewer
from warroom_server.room.work_counters import RoomCounters


class Outbox:
    """Collects effects. Each message is encoded once, however many viewers get it."""

    def __init__(self, work: RoomCounters) -> None:
        self._work = work
        self._effects: list[Effect] = []

    def take(self) -> list[Effect]:
        """Return the collected effects, and start again."""
        effects, self._effects = self._effects, []
        return effects

    def add(self, effect: Effect) -> None:
        """Add *effect*."""
        self._effects.append(effect)

    def send(self, viewer: Destination, message: ServerMessage) -> None:
        """Send to one viewer. A message with a ref answers a request."""
        self._effects.append(Send(viewer, self._encode(message), getattr(message, "ref", None)))

    def send_seat(self, seat: int, message: ServerMessage, to: tuple[Viewer, ...]) -> None:
        """Send to all viewers of a seat."""
        self._effects.append(SendSeat(seat, self._encode(message), to))

    def send_all(self, message: ServerMessage, to: tuple[Destination, ...]) -> None:
        """Send to all of *to*."""
        self._effects.append(SendAll(self._encode(message), to))

    def _encode(self, message: ServerMessage) -> bytes:
        self._work.messages += 1
        return encode(message)
