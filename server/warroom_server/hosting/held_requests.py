"""Before the gate: requests for rooms of which nobody can tell whether they are still this node's."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct, field

from warroom_protocol import codes
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.ports.clock import Clock, Timers
from warroom_server.room import commands
from warroom_server.room.commands import MOVING_MS, REENTRY_REF, Entering, was_inside

_NEWS: Final = (commands.Lag, commands.Refresh, commands.Crowd)
"""What comes again and again: of each only the latest matters, in the place of the first."""


class _Queue(Struct):
    """What waits for one room and one connection, by its ticket at the gate; *is_newcomer* wants to come in first."""

    is_newcomer: bool
    waiting: dict[int, commands.Command] = field(default_factory=dict)


class HeldRequests:
    """Lets commands wait until the gate opens; then *tell* gets them, in order.

    An action waits for as long as it takes, since it may be one that counts already: only its room can give it the one
    verdict that it has. Whoever asks for anything else is told after a while that the store does not answer, and
    nothing of it is done. *is_inside* says whether a connection is in a room here, None where
    that is not known.
    """

    def __init__(
        self,
        gate: OwnershipGate,
        *,
        connections: Connections,
        clock: Clock,
        timers: Timers,
        tell: Callable[[int, commands.Command], None],
        is_inside: Callable[[int, int], bool | None],
    ) -> None:
        self._gate = gate
        self._connections = connections
        self._clock = clock
        self._timers = timers
        self._tell = tell
        self._is_inside = is_inside
        self._queues: dict[tuple[int, int | None], _Queue] = {}
        """By room and connection, None for what comes from no connection."""

    def keep(self, number: int, command: commands.Command) -> None:
        """Let a command wait; a request that finds no place is refused, an action is to be sent again."""
        if isinstance(command, commands.Request):
            self._keep_request(number, command)
        elif isinstance(command, commands.Detach) and self._is_newcomer(number, command.connection):
            self._withdraw_all(number, command.connection)
        elif not (isinstance(command, _NEWS) and self._replace(number, command)):
            self._wait(number, command, is_vital=True)

    def _keep_request(self, number: int, command: commands.Request) -> None:
        ticket = self._wait(number, command)
        if ticket is not None:
            self._limit(number, ticket, command)
        elif isinstance(command, commands.Act):
            self._send_away(number, command)
        else:
            self._connections.refuse(number, command, codes.ROOM_BUSY)

    def _wait(self, number: int, command: commands.Command, *, is_vital: bool = False) -> int | None:
        connection = _connection_of(command)
        ticket = self._gate.keep(number, lambda: self._let_pass(number, connection), is_vital=is_vital)
        if ticket is not None:
            queue = self._queues.get((number, connection))
            if queue is None:
                is_newcomer = isinstance(command, Entering) and not self._is_inside(number, command.connection)
                queue = self._queues[number, connection] = _Queue(is_newcomer)
            queue.waiting[ticket] = command
        return ticket

    def _replace(self, number: int, command: commands.Command) -> bool:
        """Put a command in the place of one of its kind that waits; False if there is none."""
        queue = self._queues.get((number, _connection_of(command)), _Queue(is_newcomer=False))
        for ticket, other in queue.waiting.items():
            if type(other) is type(command):
                queue.waiting[ticket] = command
                return True
        return False

    def _let_pass(self, number: int, connection: int | None) -> None:
        queue = self._queues[number, connection]
        # All pass in the order in which they came.
        self._tell(number, self._forget(number, connection, next(iter(queue.waiting))))

    def _forget(self, number: int, connection: int | None, ticket: int) -> commands.Command:
        queue = self._queues[number, connection]
        command = queue.waiting.pop(ticket)
        if not queue.waiting:
            del self._queues[number, connection]
        return command

    def _is_newcomer(self, number: int, connection: int) -> bool:
        """Whether somebody only waits to come in, and has not come in since, here or elsewhere."""
        queue = self._queues.get((number, connection))
        return queue is not None and queue.is_newcomer and self._is_inside(number, connection) is False

    def _send_away(self, number: int, act: commands.Act) -> None:
        """Let somebody come in again, and act again, when less waits: the action may be one that counts already."""
        is_inside = self._connections.follows(number, act.connection)
        if act.connection >= 0:  # a guest's own node finds its way back by itself
            self._connections.send_back(number, act)
        if is_inside:
            self._connections.lose(number, [act.connection])
            self._wait(number, commands.Detach(act.connection), is_vital=True)

    # --- patience -------------------------------------------------------------------------------------------------

    def _limit(self, number: int, ticket: int, command: commands.Request) -> None:
        # Who is led back without having asked knows that the room stands still, and has to ask for nothing; nor does
        # the feed, which asks once.
        is_patient = isinstance(command, commands.Act) or command.ref == REENTRY_REF
        if not is_patient and command.connection != commands.FEED:
            self._timers.call_at(self._clock.now() + MOVING_MS, lambda: self._grow_impatient(number, ticket, command))

    def _grow_impatient(self, number: int, ticket: int, command: commands.Request) -> None:
        connection = command.connection
        queue = self._queues.get((number, connection))
        if queue is None or ticket not in queue.waiting:
            return
        if not isinstance(command, Entering) or self._is_inside(number, connection):
            self._turn_away(number, connection, ticket)
            return
        for each in [each for each, other in queue.waiting.items() if isinstance(other, commands.Request)]:
            self._turn_away(number, connection, each)
        leave = self._connections.lose if was_inside(command) else self._connections.forget
        leave(number, [connection])

    def _turn_away(self, number: int, connection: int, ticket: int) -> None:
        """Refuse what waits; an action without an answer is sent again."""
        command = self._withdraw(number, connection, ticket)
        if not isinstance(command, commands.Act):
            self._connections.refuse(number, command, codes.STORE_UNAVAILABLE)

    def _withdraw_all(self, number: int, connection: int) -> None:
        """Forget who came to the door and is gone: nobody is there to be answered, or to be let out."""
        for ticket in list(self._queues[number, connection].waiting):
            self._withdraw(number, connection, ticket)

    def _withdraw(self, number: int, connection: int, ticket: int) -> commands.Command:
        self._gate.withdraw(ticket)
        return self._forget(number, connection, ticket)


def _connection_of(command: commands.Command) -> int | None:
    return getattr(command, "connection", None)
