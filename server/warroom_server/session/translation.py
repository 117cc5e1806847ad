"""What messages of the wire mean: commands for rooms, and errands for the node."""

from collections.abc import Callable
from typing import TypeAlias

from warroom_protocol.errors import InvalidActError
from warroom_protocol.messages import (
    Act,
    Create,
    Fill,
    Games,
    Kick,
    Leave,
    Legal,
    Matches,
    Mute,
    Offer,
    Older,
    Quick,
    Ranking,
    Reclaim,
    Replay,
    Resign,
    Resync,
    Rooms,
    Say,
    Start,
    Work,
)
from warroom_server.room import commands
from warroom_server.room.viewers import Viewer
from warroom_server.session.effects import (
    CreateRoom,
    Employ,
    Errand,
    FetchReplay,
    FindRoom,
    ListGames,
    ListMatches,
    ListRooms,
    ShowRanking,
)
from warroom_server.session.names import clean_line

PlainRequest: TypeAlias = Leave | Start | Fill | Kick | Legal | Resync | Resign | Reclaim | Offer | Say | Mute
"""What a room is asked for by somebody who is there."""
ErrandRequest: TypeAlias = Games | Rooms | Older | Create | Quick | Matches | Replay | Ranking | Work
"""What needs no room that exists."""

_BARE: dict[type, Callable[[Viewer, int], commands.Request]] = {
    Leave: commands.Leave,
    Start: commands.Start,
    Resign: commands.Resign,
    Reclaim: commands.Reclaim,
}


def errand_of(request: ErrandRequest, player: str, is_room_key: Callable[[int, str | None], bool]) -> Errand:
    """Return what the node is to do itself."""
    match request:
        case Games():
            return ListGames(request.ref)
        case Rooms() | Older():
            return ListRooms(request)
        case Create():
            return _creation(request, player)
        case Quick():
            return FindRoom(_creation(request, player))
        case Matches():
            return ListMatches(request)
        case Replay():
            return FetchReplay(request, player, is_room_key(request.room, request.key))
        case Ranking():
            return ShowRanking(request)
        case Work():
            return Employ(request, player)


def command_of(request: PlainRequest, viewer: Viewer, player: str, name: str) -> commands.Request:
    """Return the command that says what the message says."""
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


def action_of(act: Act, viewer: Viewer, arrived: int) -> commands.Act:
    """Return an action as its room takes it."""
    return commands.Act(viewer=viewer, id=act.id, turn=act.turn, action=bytes(act.action), arrived=arrived)


def invalid_action(problem: InvalidActError, viewer: Viewer, arrived: int) -> commands.Act:
    """Return an action that is none as its room takes it: the room alone knows whether its id has a verdict."""
    return commands.Act(viewer, problem.id, turn=0, action=b"", arrived=arrived, problem=problem.detail)


def _creation(create: Create | Quick, player: str) -> CreateRoom:
    return CreateRoom(
        ref=create.ref,
        player=player,
        game=create.game,
        seats=create.seats,
        options=create.options,
        room_options=create.room_options,
    )
