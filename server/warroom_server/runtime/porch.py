"""Before the gate: requests for rooms of which nobody can tell whether they are still this node's."""

from collections.abc import Callable

from warroom_protocol import codes
from warroom_server.cluster.edge import MOVING_MS
from warroom_server.cluster.guest import REENTRY_REF, was_inside
from warroom_server.cluster.messages import Entering
from warroom_server.ports import Clock, Timers
from warroom_server.rooms import commands
from warroom_server.runtime.gate import Gate
from warroom_server.runtime.lines import Lines


class Porch:
    """Lets commands wait until the gate opens; then *tell* gets them, in order.

    An action waits for as long as it takes, since it may be one that counts already: only its room can give it the one
    verdict that it has. Whoever asks for anything else is told after a while that the store does not answer, and
    nothing of it is done. *is_inside* says whether a connection is in a room here.
    """

    def __init__(
        self,
        gate: Gate,
        *,
        lines: Lines,
        clock: Clock,
        timers: Timers,
        tell: Callable[[int, commands.Command], None],
        is_inside: Callable[[int, int], bool],
    ) -> None:
        self._gate = gate
        self._lines = lines
        self._clock = clock
        self._timers = timers
        self._tell = tell
        self._is_inside = is_inside
        self._requests: dict[tuple[int, int], dict[int, commands.Request]] = {}
        """By room and connection, what was asked for, by its ticket at the gate."""

    def keep(self, number: int, command: commands.Command) -> None:
        """Let a command wait; a request that finds no place is refused, an action is to be sent again."""
        if not isinstance(command, commands.Request):
            self._gate.keep(lambda: self._tell(number, command), is_vital=True)
            return
        ticket = self._gate.keep(lambda: self._let_pass(number, command))
        if ticket is not None:
            self._requests.setdefault((number, command.connection), {})[ticket] = command
            self._limit(number, ticket, command)
        elif isinstance(command, commands.Act):
            self._send_away(number, command)
        else:
            self._lines.refuse(number, command, codes.ROOM_BUSY)

    def _let_pass(self, number: int, command: commands.Request) -> None:
        waiting = self._requests[number, command.connection]
        self._forget(number, command.connection, next(iter(waiting)))  # all pass in the order in which they came
        self._tell(number, command)

    def _forget(self, number: int, connection: int, ticket: int) -> commands.Request:
        waiting = self._requests[number, connection]
        command = waiting.pop(ticket)
        if not waiting:
            del self._requests[number, connection]
        return command

    def _send_away(self, number: int, act: commands.Act) -> None:
        """Let somebody come in again, and act again, when less waits: the action may be one that counts already."""
        is_inside = self._lines.follows(number, act.connection)
        if act.connection >= 0:  # a guest's own node finds its way back by itself
            self._lines.send_back(number, act)
        if is_inside:
            self._lines.lose(number, [act.connection])
            self.keep(number, commands.Detach(act.connection))

    # --- patience -------------------------------------------------------------------------------------------------

    def _limit(self, number: int, ticket: int, command: commands.Request) -> None:
        # Who is led back without having asked knows that the room stands still, and has to ask for nothing.
        if not isinstance(command, commands.Act) and command.ref != REENTRY_REF:
            self._timers.call_at(self._clock.now() + MOVING_MS, lambda: self._grow_impatient(number, ticket, command))

    def _grow_impatient(self, number: int, ticket: int, command: commands.Request) -> None:
        connection = command.connection
        if ticket not in self._requests.get((number, connection), ()) or connection not in self._lines:
            return
        if not isinstance(command, Entering) or self._is_inside(number, connection):
            self._turn_away(number, connection, ticket)
            return
        for each in list(self._requests[number, connection]):
            self._turn_away(number, connection, each)
        leave = self._lines.lose if was_inside(command) else self._lines.forget
        leave(number, [connection])

    def _turn_away(self, number: int, connection: int, ticket: int) -> None:
        """Refuse what waits; an action without an answer is sent again."""
        self._gate.withdraw(ticket)
        command = self._forget(number, connection, ticket)
        if not isinstance(command, commands.Act):
            self._lines.refuse(number, command, codes.STORE_UNAVAILABLE)
