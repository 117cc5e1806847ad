"""Coming and going: who is let in, and what everybody who enters or comes back is told."""

from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_games.log import FIRST_LIFE
from warroom_protocol import codes
from warroom_protocol.messages import About, Done, Joined, Notice, Resumed
from warroom_protocol.rooms import room_code
from warroom_server.rooms.commands import FEED, Claim, ConnectionId, Join, Leave, Resync, Watch
from warroom_server.rooms.deadlines import Deadlines
from warroom_server.rooms.effects import Send
from warroom_server.rooms.facts import about, ended, prompt
from warroom_server.rooms.floor import Floor
from warroom_server.rooms.gallery import Gallery
from warroom_server.rooms.manners import Manners
from warroom_server.rooms.pausing import Pausing
from warroom_server.rooms.seats import seats_message
from warroom_server.rooms.streams import Streams


class Door:
    """Lets viewers in and out. A spectator sees the room through its gallery, which may be behind."""

    def __init__(
        self, floor: Floor, *, deadlines: Deadlines, pausing: Pausing, manners: Manners, gallery: Gallery
    ) -> None:
        self._floor = floor
        self._deadlines = deadlines
        self._pausing = pausing
        self._manners = manners
        self._gallery = gallery
        self._about = about(floor.match)

    def watch(self, watch: Watch, now: int) -> None:
        """Let somebody in who only wants to look on, where that is allowed."""
        shown = self._floor.match.opened.room_options.watch
        if shown == "nobody":
            refusal = codes.WATCH_NOBODY
        elif shown == "all" and self._floor.is_seated(watch.player):
            refusal = codes.WATCH_SEATED
        else:
            self._admit(watch, None, now)
            return
        if not watch.is_quiet:
            self._floor.refuse(watch, refusal)

    def welcome(self, join: Join | Claim, now: int) -> None:
        """Let a player in who has a seat."""
        self._admit(join, join.player, now)

    def part(self, leave: Leave) -> None:
        """Let a viewer go."""
        self.forget(leave.connection)
        self._floor.out.send(leave.connection, Done(leave.ref))

    def vacated(self, player: str) -> None:
        """Let the other connections of somebody go who gave a place up, where nobody may look on."""
        if self._floor.match.opened.room_options.watch == "nobody":
            notice = Notice(self._floor.room, codes.NOTICE_LEFT, codes.NOTICES[codes.NOTICE_LEFT])
            for connection in self._floor.audience.of_player(player):
                self._floor.out.send(connection, notice)
                self.forget(connection)

    def forget(self, connection: ConnectionId) -> None:
        """Take note that a connection is gone."""
        self._deadlines.forget(connection)
        self._manners.chat.forget(connection)
        if self._floor.audience.detach(connection):
            self._floor.presence.changed()

    def refresh(self, connection: ConnectionId, now: int) -> None:
        """Send a viewer everything anew for whom frames were left out, those without a number included."""
        if connection in self._floor.audience:
            seat = self._floor.seat_of(connection)
            self._floor.out.add(Send(connection, self.streams(seat).snapshot(seat)))
            self._tell_current(connection, seat, now, is_unaware=True)

    def resync(self, resync: Resync, now: int) -> None:
        """Send a viewer a snapshot whose copy went wrong."""
        connection = resync.connection
        if connection not in self._floor.audience:
            self._floor.refuse(resync, codes.ROOM_NOT_HERE)
            return
        seat = self._floor.seat_of(connection)
        self._floor.out.add(Send(connection, self.streams(seat).snapshot(seat)))
        self._tell_time(connection, seat, now)
        self._floor.out.send(connection, Done(resync.ref))

    def streams(self, seat: Seat | None) -> Streams:
        """Return the streams that a seat, or a spectator, follows."""
        return self._gallery.streams if seat is None else self._floor.ledger.streams

    def _admit(self, request: Join | Claim | Watch, player: str | None, now: int) -> None:
        """Let a viewer in, with what it missed or with everything, and with what is pending."""
        floor, connection = self._floor, request.connection
        floor.audience.attach(connection, player)
        if player is not None:
            floor.absences.came(player)
        if not isinstance(request, Watch):
            self._deadlines.measured(connection, request.rtt_ms, request.relay_ms)
        if connection != FEED:
            floor.presence.changed()
        seat = floor.seat_of(connection)
        streams = self.streams(seat)
        position = None if isinstance(request, Claim) else request.position
        frames = None if position is None else streams.missed(seat, position)
        answer = Joined if frames is None else Resumed
        token = None if isinstance(request, Watch) else request.seat_token
        code, known = room_code(floor.room), self._known(seat)
        is_quiet = not isinstance(request, Claim) and request.is_quiet
        if not is_quiet:
            floor.out.send(connection, answer(request.ref, floor.room, code, floor.match.life, seat, token, known))
        for frame in [streams.snapshot(seat)] if frames is None else frames:
            floor.out.add(Send(connection, frame))
        if frames is None and floor.match.life != FIRST_LIFE:
            notice = Notice(floor.room, codes.NOTICE_ROLLED_BACK, codes.NOTICES[codes.NOTICE_ROLLED_BACK])
            floor.out.send(connection, notice)
        heard = None if isinstance(request, Claim) else request.heard
        is_back = position is not None and not is_quiet
        self._tell_current(connection, seat, now, is_back=is_back, is_unaware=is_quiet, heard=heard)

    def _known(self, seat: Seat | None) -> About:
        """Return what never changes about the room, as far as it is known at a seat, or to a spectator."""
        # The match before may go on for spectators who are behind: that there is a rematch would tell its end.
        is_behind = seat is None and self._floor.match.opened.room_options.delay > 0
        return replace(self._about, follows=None) if is_behind else self._about

    def _tell_current(
        self,
        connection: ConnectionId,
        seat: Seat | None,
        now: int,
        *,
        is_back: bool = False,
        is_unaware: bool = False,
        heard: int | None = None,
    ) -> None:
        """Tell a viewer what has no number and holds now; one that *is_unaware* does not know that it missed any."""
        floor = self._floor
        if seat is None:
            seats = self._gallery.seats()
        else:
            self._tell_decision(connection, seat, now, is_back=is_back, is_unaware=is_unaware)
            seats = seats_message(floor.match, floor.audience, floor.absences)
        floor.out.send(connection, seats)
        if connection in floor.audience.live():
            floor.presence.told(connection, seats)
        self._tell_time(connection, seat, now)
        if (end := ended(floor.public_match if seat is None else floor.match)) is not None:
            floor.out.send(connection, end)
        self._manners.greet(connection, heard)

    def _tell_decision(
        self, connection: ConnectionId, seat: Seat, now: int, *, is_back: bool, is_unaware: bool
    ) -> None:
        """Ask what the seat was asked before; one who comes back may have lost a verdict, too."""
        floor = self._floor
        if (asked := prompt(floor.match, seat, floor.time.at(now))) is not None:
            floor.out.send(connection, asked)
        elif is_unaware and floor.match.phase == "playing":
            floor.out.send(connection, Notice(floor.room, codes.NOTICE_DECIDED, codes.NOTICES[codes.NOTICE_DECIDED]))
        player = floor.audience.player_of(connection)
        verdicts = floor.ledger.verdicts_of(player) if is_back else None
        if verdicts is not None and verdicts.last is not None:
            floor.out.send(connection, verdicts.last)

    def _tell_time(self, connection: ConnectionId, seat: Seat | None, now: int) -> None:
        """Say what time it is: numbered frames tell the time of their entry, which may be long ago.

        Whoever is behind is told nothing of the present time.
        """
        if seat is None and self._floor.audience.is_delayed:
            return
        if self._floor.match.phase == "playing" or self._pausing.reason is not None:
            self._floor.out.send(connection, self._pausing.message(now))
