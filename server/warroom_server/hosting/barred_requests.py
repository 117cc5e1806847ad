"""Requests for rooms that may have another owner: refused or left unanswered, but never kept."""

from collections.abc import Callable

from warroom_protocol import codes
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.room import commands
from warroom_server.room.commands import Entering
from warroom_server.room.viewer_addresses import FEED, Destination
from warroom_server.session.replies import notice


class BarredRequests:
    """Refuses requests that the gate bars; *hosted* returns a room of this node.

    An action stays unanswered: it may be in the log already, which only its room knows. When the gate opens, its viewer
    is told to resume, and sends the action again.
    """

    def __init__(self, gate: OwnershipGate, delivery: Delivery, hosted: Callable[[int], HostedRoom | None]) -> None:
        self._gate = gate
        self._delivery = delivery
        self._hosted = hosted
        self._unserved: dict[int, dict[Destination, None]] = {}
        """By room, viewers to be told to resume."""
        gate.opened.append(self._send_back)

    def refuse(self, number: int, command: commands.Command) -> bool:
        """Refuse or drop a command of a viewer; return False for other commands, which have to wait instead."""
        if isinstance(command, commands.Lag):
            return True  # the connection is measured again soon
        if not isinstance(command, commands.Request | commands.Refresh) or command.viewer == FEED:
            return False
        hosted = self._hosted(number)
        if isinstance(command, commands.Act | commands.Refresh):
            self._unserved.setdefault(number, {})[command.viewer] = None
        elif isinstance(command, Entering) and (hosted is None or command.viewer not in hosted.room.audience):
            self._delivery.turn_away(number, command, codes.STORE_UNAVAILABLE)
        else:
            self._delivery.refuse(number, command, codes.STORE_UNAVAILABLE)
        return True

    def _send_back(self) -> None:
        for number in [number for number in self._unserved if not self._gate.bars(number)]:
            hosted, viewers = self._hosted(number), self._unserved.pop(number)
            for viewer in viewers:
                if hosted is not None and viewer in hosted.room.audience:
                    self._delivery.answer(number, viewer, notice(number, codes.NOTICE_MOVED))
