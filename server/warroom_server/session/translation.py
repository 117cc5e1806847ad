"""The commands for rooms that messages of the wire stand for."""

from collections.abc import Callable
from typing import Final, TypeAlias, get_args

from msgspec.structs import astuple

from warroom_protocol.messages import Fill, Kick, Leave, Legal, Mute, Offer, Reclaim, Resign, Resync, Say, Start
from warroom_protocol.names import clean_line
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Viewer

PlainRequest: TypeAlias = Leave | Start | Fill | Kick | Legal | Resync | Resign | Reclaim | Offer | Say | Mute
"""Requests to a room by a viewer inside it."""

_COMMANDS: Final[dict[type, Callable[..., commands.Request]]] = {
    kind: getattr(commands, kind.__name__) for kind in get_args(PlainRequest)
}


def command_of(request: PlainRequest, viewer: Viewer, player: str, name: str) -> commands.Request:
    """Return the command for a message: the viewer and the ref, then the fields of the message after the room."""
    if isinstance(request, Say):
        return commands.Say(viewer, request.ref, player, name, clean_line(request.text))
    ref, _, *fields = astuple(request)
    return _COMMANDS[type(request)](viewer, ref, *fields)
