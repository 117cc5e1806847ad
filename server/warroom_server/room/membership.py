"""Admission of viewers, and what they are told when they enter or return."""

from dataclasses import dataclass

from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_games.log import FIRST_LIFE
from warroom_protocol import codes
from warroom_protocol.messages import About, Done, Joined, Paused, Resumed
from warroom_protocol.rooms import room_code
from warroom_server.room.clock.pauses import Pauses
from warroom_server.room.clock.timeouts import Timeouts
from warroom_server.room.commands import Claim, Join, Leave, Resync, Watch
from warroom_server.room.context import RoomContext
from warroom_server.room.delayed_view import DelayedView
from warroom_server.room.effects import Entered, Exited, Send
from warroom_server.room.match_messages import about, ended, prompt
from warroom_server.room.presence import seats_message
from warroom_server.room.social.chat import Chat
from warroom_server.room.social.offers import MatchOffers
from warroom_server.room.streams import Streams
from warroom_server.room.viewer_addresses import FEED, Destination, RemoteSpectators, Viewer


@dataclass(eq=False, slots=True)
class Membership:
    """Lets viewers in and out. Spectators see the room through `DelayedView`."""

    _context: RoomContext
    _timeouts: Timeouts
    _pauses: Pauses
    _chat: Chat
    _offers: MatchOffers
    _delayed_view: DelayedView

    def watch(self, watch: Watch, now: int) -> None:
        """Admit a spectator if the room allows spectators."""
        shown = self._context.match.opened.room_options.watch
        if shown == "nobody":
            refusal = codes.WATCH_NOBODY
        elif shown == "all" and watch.player in self._context.log.actors:  # a player must not see the other hands
            refusal = codes.WATCH_SEATED
        else:
            self._admit(watch, None, now)
            return
        self._context.refuse(watch, refusal)

    def welcome(self, join: Join | Claim, now: int) -> None:
        """Admit a viewer of a seated player."""
        self._admit(join, join.player, now)

    def part(self, leave: Leave) -> None:
        """Answer a viewer that leaves, and remove it."""
        self._context.out.send(leave.viewer, Done(leave.ref))
        self.forget(leave.viewer)

    def vacated(self, player: str) -> None:
        """Remove the remaining viewers of a player who left a place, if the room allows no spectators."""
        if self._context.match.opened.room_options.watch == "nobody":
            self.show_out(player, codes.NOTICE_LEFT)

    def notify(self, player: str, code: str) -> None:
        """Send a notice to all viewers of a player."""
        for viewer in self._context.audience.of_player(player):
            self._context.out.send(viewer, self._context.notice(code))

    def show_out(self, player: str, code: str) -> None:
        """Send a notice to all viewers of a player, and remove them from the room."""
        self.notify(player, code)
        for viewer in self._context.audience.of_player(player):
            self.forget(viewer)

    def forget(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self._timeouts.forget(viewer)
        self._chat.forget(viewer)
        if self._context.audience.detach(viewer):
            self._context.presence.changed()
            self._context.out.add(Exited(viewer))

    def refresh(self, viewer: Destination, now: int) -> None:
        """Send a viewer everything again after it was too slow for some frames."""
        if viewer in self._context.audience:
            self._entered(viewer)  # from here on the driver sends to it again
            seat = self._context.seat_of(viewer)
            self._context.out.add(Send(viewer, self.streams(seat).snapshot(seat)))
            self._tell_current(viewer, seat, now, is_unaware=True)

    def resync(self, resync: Resync, now: int) -> None:
        """Send a snapshot to a viewer whose copy is wrong."""
        viewer = resync.viewer
        if viewer not in self._context.audience:
            self._context.refuse(resync, codes.ROOM_NOT_HERE)
            return
        seat = self._context.seat_of(viewer)
        self._context.out.add(Send(viewer, self.streams(seat).snapshot(seat)))
        self._tell_time(viewer, seat, now)
        self._context.out.send(viewer, Done(resync.ref))

    def streams(self, seat: Seat | None) -> Streams:
        """Return the streams that a seat or a spectator (None) follows."""
        return self._delayed_view.streams if seat is None else self._context.log.streams

    def _entered(self, viewer: Destination) -> None:
        if not isinstance(viewer, RemoteSpectators):
            self._context.out.add(Entered(viewer, self._context.audience.is_together(viewer)))

    def _admit(self, request: Join | Claim | Watch, player: str | None, now: int) -> None:
        """Admit a viewer: send the frames that it missed or a snapshot, and then the current messages."""
        context, viewer = self._context, request.viewer
        # The driver must know the viewer before the first message to it.
        context.audience.attach(viewer, player)
        self._entered(viewer)
        if player is not None:
            context.absences.came(player)
        if not isinstance(request, Watch):
            self._timeouts.measured(viewer, request.rtt_ms, request.relay_ms)
        if viewer != FEED:
            context.presence.changed()
        seat = context.seat_of(viewer)
        streams = self.streams(seat)
        position = None if isinstance(request, Claim) else request.position
        frames = None if position is None else streams.missed(seat, position)
        answer = Joined if frames is None else Resumed
        token = None if isinstance(request, Watch) else request.seat_token
        code, known = room_code(context.room), self._known(seat)
        context.out.send(viewer, answer(request.ref, context.room, code, context.match.life, seat, token, known))
        for frame in [streams.snapshot(seat)] if frames is None else frames:
            context.out.add(Send(viewer, frame))
        if frames is None and context.match.life != FIRST_LIFE:
            context.out.send(viewer, context.notice(codes.NOTICE_ROLLED_BACK))
        self._tell_current(viewer, seat, now, is_back=position is not None)

    def _known(self, seat: Seat | None) -> About:
        """Return the constant facts of the room that a seat or a spectator (None) may know."""
        # For delayed spectators the previous match may still run. A rematch would reveal that it has ended.
        is_behind = seat is None and self._context.match.opened.room_options.delay > 0
        known = about(self._context.match)
        return replace(known, follows=None) if is_behind else known

    def _tell_current(
        self, viewer: Destination, seat: Seat | None, now: int, *, is_back: bool = False, is_unaware: bool = False
    ) -> None:
        """Send the messages without a number. A viewer that *is_unaware* does not know that it missed some."""
        context = self._context
        if seat is None:
            seats = self._delayed_view.seats()
        else:
            self._tell_decision(viewer, seat, now, is_back=is_back, is_unaware=is_unaware)
            seats = seats_message(context.match, context.audience, context.absences)
        context.out.send(viewer, seats)
        if viewer in context.audience.live():
            # The next announcement skips this viewer if nothing has changed by then.
            context.presence.told(viewer, seats)
        self._tell_time(viewer, seat, now, is_back=is_back)
        if (end := ended(context.public_match if seat is None else context.match)) is not None:
            context.out.send(viewer, end)
        self._chat.recall(viewer)
        self._offers.greet(viewer)

    def _tell_decision(self, viewer: Destination, seat: Seat, now: int, *, is_back: bool, is_unaware: bool) -> None:
        """Repeat the prompt of a seat. A returning viewer may also have lost a verdict."""
        context = self._context
        if (asked := prompt(context.match, seat, context.time.at(now))) is not None:
            context.out.send(viewer, asked)
        elif is_unaware and context.match.phase == "playing":
            context.out.send(viewer, context.notice(codes.NOTICE_DECIDED))
        player = context.audience.player_of(viewer)
        verdicts = context.log.verdicts_of(player) if is_back else None
        if verdicts is not None and verdicts.last is not None:
            context.out.send(viewer, verdicts.last)

    def _tell_time(self, viewer: Destination, seat: Seat | None, now: int, *, is_back: bool = False) -> None:
        """Send the current time: numbered frames carry the time of their entry, which may be long ago.

        A returning viewer may remember a pause that is over. Delayed spectators must not learn the current time.
        """
        if seat is None and self._context.audience.delayed_match is not None:
            if is_back:
                self._context.out.send(viewer, Paused(self._context.room, None, None))
        elif is_back or self._context.match.phase == "playing" or self._pauses.reason is not None:
            self._context.out.send(viewer, self._pauses.message(now))
