"""The commands for rooms that messages of the wire stand for."""

from collections.abc import Callable
from typing import TypeAlias

from warroom_protocol import messages
from warroom_protocol.errors import InvalidActError
from warroom_protocol.messages import Fill, Kick, Leave, Legal, Mute, Offer, Reclaim, Resign, Resync, Say, Start
from warroom_server.room import commands
from warroom_server.room.viewer_kinds import Viewer
from warroom_server.session.names import clean_line

PlainRequest: TypeAlias = Leave | Start | Fill | Kick | Legal | Resync | Resign | Reclaim | Offer | Say | Mute
"""Requests to a room by a viewer inside it."""

_BARE: dict[type, Callable[[Viewer, int], commands.Request]] = {
    Leave: commands.Leave,
    Start: commands.Start,
    Resign: commands.Resign,
    Reclaim: commands.Reclaim,
}


def command_of(request: PlainRequest, viewer: Viewer, player: str, name: str) -> commands.Request:
    """Return the command for a message."""
    ref = request.ref
    match request:
        case Fill():
            return commands.Fill(viewer, ref, request.seat, request.bot)
        case Kick():
            return commands.Kick(viewer, ref, request.seat)
        case Legal():
            return commands.Legal(viewer, ref, request.notes)
        case Resync():
            return commands.Resync(viewer, ref, request.reason)
        case Offer():
            return commands.Offer(viewer, ref, request.what, request.on)
        case Say():
            return commands.Say(viewer, ref, player, name, clean_line(request.text))
        case Mute():
            return commands.Mute(viewer, ref, request.player, request.on, request.everybody)
        case _:
            return _BARE[type(request)](viewer, ref)


def action_of(act: messages.Act, viewer: Viewer, arrived: int) -> commands.Act:
    """Return the command for an action."""
    return commands.Act(viewer=viewer, id=act.id, turn=act.turn, action=bytes(act.action), arrived=arrived)


def invalid_action(problem: InvalidActError, viewer: Viewer, arrived: int) -> commands.Act:
    """Return the command for an invalid action: only the room knows whether its id has a verdict already."""
    return commands.Act(viewer, problem.id, turn=0, action=b"", arrived=arrived, problem=problem.detail)
