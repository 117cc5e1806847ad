"""The lobby: prepares the entries that fill or free places and start the match, or refuses the request."""

from warroom_games.api import OptionsError
from warroom_games.log import Kicked, Sat, Started
from warroom_protocol import codes
from warroom_server.room.commands import Fill, Join, Kick, Start
from warroom_server.room.context import RoomContext
from warroom_server.room.log_fold import Candidate


def join(context: RoomContext, request: Join) -> Candidate | None:
    """Seat a new player."""
    place = _place_for(context, request)
    if isinstance(place, str):
        context.refuse(request, place)
        return None
    return context.log.prepare(Sat(place, request.player, request.name, request.bot))


def _place_for(context: RoomContext, request: Join) -> int | str:
    """Return a place for a player, or the code that refuses it."""
    match = context.match
    if match.opened.room_options.private and not request.has_key:
        return codes.ROOM_UNKNOWN
    if match.phase != "lobby":
        return codes.ROOM_ENDED if context.public_match.is_over else codes.ROOM_STARTED
    if request.player in match.kicked:
        return codes.ROOM_KICKED
    if match.is_full:
        return codes.ROOM_FULL
    place = match.free_place(request.player)
    if place is None:
        return codes.ROOM_KEPT
    if request.seat is None or request.seat == place:
        return place
    if request.seat >= len(match.seats):
        return codes.SEAT_UNKNOWN
    is_open = match.seats[request.seat] is None and match.kept_for(request.seat) in (None, request.player)
    return request.seat if is_open else codes.SEAT_TAKEN


def start(context: RoomContext, request: Start, now: int) -> Candidate | None:
    """Start the match with the seated players, if the host asks for it."""
    match = context.match
    if not is_hosted_by(context, request):
        return None
    if len(match.seats) - match.seats.count(None) < match.game.info.min_seats:
        context.refuse(request, codes.ROOM_TOO_FEW)
        return None
    try:
        return context.log.prepare(Started(context.time.at(now)))
    except OptionsError as error:
        context.refuse(request, codes.GAME_OPTIONS, str(error))
    return None


def kick(context: RoomContext, request: Kick) -> Candidate | None:
    """Remove the player at a place, if the host asks for it."""
    match = context.match
    if not is_hosted_by(context, request):
        return None
    if request.seat >= len(match.seats):
        context.refuse(request, codes.SEAT_UNKNOWN)
    elif match.seats[request.seat] is None or request.seat == context.owned_seat(request.viewer):
        context.refuse(request, codes.SEAT_NONE, "there is no other player at that place")
    else:
        return context.log.prepare(Kicked(request.seat))
    return None


def is_hosted_by(context: RoomContext, request: Start | Kick | Fill) -> bool:
    """Whether the sender is the host of a lobby; refuse the request otherwise."""
    if request.viewer not in context.audience:
        code = codes.ROOM_NOT_HERE
    elif context.match.phase != "lobby":
        code = codes.ROOM_NOT_LOBBY
    elif not context.is_host(request.viewer):
        code = codes.ROOM_NOT_HOST
    else:
        return True
    context.refuse(request, code)
    return False
