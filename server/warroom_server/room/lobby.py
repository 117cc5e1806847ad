"""The lobby: joining, kicking and starting the match."""

from warroom_games.api import OptionsError
from warroom_games.log import Kicked, Sat, Started
from warroom_protocol import codes
from warroom_server.room.commands import Fill, Join, Kick, Start
from warroom_server.room.context import RoomContext
from warroom_server.room.log_fold import Candidate


class Lobby:
    """Prepares the entries that fill or free places and start the match, or refuses the request."""

    def __init__(self, context: RoomContext) -> None:
        self._context = context

    def join(self, join: Join) -> Candidate | None:
        """Seat a new player."""
        place = self._place_for(join)
        if isinstance(place, str):
            self._context.refuse(join, place)
            return None
        return self._context.log.prepare(Sat(place, join.player, join.name, join.bot))

    def _place_for(self, join: Join) -> int | str:
        """Return a place for a player, or the code that refuses it."""
        match = self._context.match
        if match.opened.room_options.private and not join.has_key:
            return codes.ROOM_UNKNOWN
        if match.phase != "lobby":
            return codes.ROOM_ENDED if self._context.public_match.is_over else codes.ROOM_STARTED
        if join.player in match.kicked:
            return codes.ROOM_KICKED
        if match.is_full:
            return codes.ROOM_FULL
        place = match.free_place(join.player)
        if place is None:
            return codes.ROOM_KEPT
        if join.seat is None or join.seat == place:
            return place
        if join.seat >= len(match.seats):
            return codes.SEAT_UNKNOWN
        is_open = match.seats[join.seat] is None and match.kept_for(join.seat) in (None, join.player)
        return join.seat if is_open else codes.SEAT_TAKEN

    def start(self, start: Start, now: int) -> Candidate | None:
        """Start the match with the seated players, if the host asks for it."""
        match = self._context.match
        if not self.is_hosted_by(start):
            return None
        if len(match.seats) - match.seats.count(None) < match.game.info.min_seats:
            self._context.refuse(start, codes.ROOM_TOO_FEW)
            return None
        try:
            return self._context.log.prepare(Started(self._context.time.at(now)))
        except OptionsError as error:
            self._context.refuse(start, codes.GAME_OPTIONS, str(error))
        return None

    def kick(self, kick: Kick) -> Candidate | None:
        """Remove the player at a place, if the host asks for it."""
        match = self._context.match
        if not self.is_hosted_by(kick):
            return None
        if kick.seat >= len(match.seats):
            self._context.refuse(kick, codes.SEAT_UNKNOWN)
        elif match.seats[kick.seat] is None or kick.seat == self._context.owned_seat(kick.viewer):
            self._context.refuse(kick, codes.SEAT_NONE, "there is no other player at that place")
        else:
            return self._context.log.prepare(Kicked(kick.seat))
        return None

    def is_hosted_by(self, request: Start | Kick | Fill) -> bool:
        """Whether the sender is the host of a lobby; refuse the request otherwise."""
        code = self._denial(request)
        if code is not None:
            self._context.refuse(request, code)
        return code is None

    def _denial(self, request: Start | Kick | Fill) -> str | None:
        context = self._context
        if request.viewer not in context.audience:
            return codes.ROOM_NOT_HERE
        if context.match.phase != "lobby":
            return codes.ROOM_NOT_LOBBY
        return None if context.is_host(request.viewer) else codes.ROOM_NOT_HOST
