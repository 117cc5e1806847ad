"""A match in this process, whose rooms get the same messages as from a server.

The rules, views, numbers and patches are those of a server; what a server adds (clocks, chat, a store) is missing. The
room time stands still, so nobody runs out of time.
"""

from collections.abc import Mapping, Sequence

from warroom_client.errors import ClientError
from warroom_client.room import Incoming, Room
from warroom_games.api import AnyGame, Event, IllegalActionError, MalformedActionError, Seat
from warroom_games.codec import check_seats, decode_action, decode_options, encode
from warroom_games.log import FIRST_LIFE, Acted, Opened, Resigned, RoomOptions, Sat, Started, commitment
from warroom_games.match import Advanced, Match
from warroom_games.noting import notes_on
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum, plain
from warroom_protocol.codec import decode_server
from warroom_protocol.codec import encode as encode_message
from warroom_protocol.patches import diff
from warroom_protocol.rooms import room_code


class LocalRoom(Room):
    """A room without a clock."""

    def decision_ms(self) -> int | None:
        """Return None: a decision may take as long as it likes."""
        return None


class LocalMatch:
    """The match, with a room for each of its *players*, who sit in this order unless seats are dealt.

    Raise `OptionsError` if the options or the number of players do not fit the game.
    """

    def __init__(
        self,
        game: AnyGame,
        players: Sequence[Sat],
        *,
        options: Mapping[str, object],
        is_dealt: bool,
        seed: bytes,
        number: int = 1,
    ) -> None:
        check_seats(game, len(players))
        opened = Opened(
            room=number,
            game=game.info.id,
            rules_version=game.info.rules_version,
            seats=len(players),
            options=encode(decode_options(game, options)),
            room_options=RoomOptions(seating="random" if is_dealt else "as_joined", rated=False),
            creator=players[0].player,
            ref=0,
            seed=seed,
            opened_ms=0,
        )
        match = Match.open(opened, game)
        for player in players:
            match = match.advance(player).match
        self._match = match = match.advance(Started(0)).match
        self.p: int = 0
        """The number of the last public update."""
        self._followers = tuple(_Follower(self, seat, number) for seat in range(len(players)))
        for follower in self._followers:
            follower.enter(match)

    @property
    def match(self) -> Match:
        """The match as it is."""
        return self._match

    def room_of(self, player: str) -> LocalRoom:
        """Return the room as a player sees it."""
        seat = self._match.seat_of(player)
        assert seat is not None, f"{player} does not play"
        return self._followers[seat].room

    def act(self, seat: Seat, act: wire.Act) -> None:
        """Judge an action of a seat, and tell everybody what follows from it."""
        code, match = _problem(self._match, seat, act.turn), self._match
        if code is not None:
            self._refuse(seat, act, code, codes.REFUSALS[code])
            return
        try:
            action = encode(decode_action(match.game, bytes(act.action)))
            advanced = match.advance(Acted(match.at, seat, act.id, action, match.at))
        except MalformedActionError as error:
            self._refuse(seat, act, codes.ACT_MALFORMED, str(error))
        except IllegalActionError as error:
            self._refuse(seat, act, error.code, error.detail)
        else:
            self._show(advanced, seat, act)

    def resign(self, seat: Seat) -> None:
        """Take a seat out of the match; raise `ClientError` if it is out, or the match is over."""
        match = self._match
        if match.is_over or seat in match.out:
            raise ClientError(codes.REFUSALS[codes.ROOM_ENDED if match.is_over else codes.SEAT_OUT])
        self._show(match.advance(Resigned(match.at, seat)))

    def offer_rematch(self) -> None:
        """Tell everybody of the next room, because there is nobody to wait for; raise `ClientError` before the end."""
        if not self._match.is_over:
            raise ClientError("there is a rematch after the end of the match")
        for follower in self._followers:
            following = follower.room.number + 1
            follower.send(wire.Moved(follower.room.number, following, room_code(following), None))

    def _refuse(self, seat: Seat, act: wire.Act, code: str, detail: str) -> None:
        follower = self._followers[seat]
        follower.send(wire.Verdict(act.room, act.id, code, detail, self.p, follower.q, None))

    def _show(self, advanced: Advanced, actor: Seat | None = None, act: wire.Act | None = None) -> None:
        """Adopt a step and tell everybody: views and events, the verdict, who decides next, and the end."""
        before, self._match = self._match, advanced.match
        update = _update(before, self._match, advanced.events, self.p + 1)
        self.p += update is not None
        for follower in self._followers:
            follower.advance(before, self._match, advanced.events, update)
            if act is not None and follower.seat == actor:
                follower.send(wire.Verdict(act.room, act.id, None, None, self.p, follower.q, None))
        for follower in self._followers:
            follower.follow(before, self._match)


class _Follower:
    """A seat: its private stream, and in place of a server the line of its room."""

    round_trip_s = 0.0

    def __init__(self, match: LocalMatch, seat: Seat, number: int) -> None:
        self.seat = seat
        self.q = 0
        self._host = match
        self.room = LocalRoom(self, number, player=match.match.sitter_at(seat).player)

    # --- from the room -------------------------------------------------------------------------------------------

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        """Answer a request; raise `ClientError` if it needs a server."""
        match message:
            case wire.Legal():
                return self._legal(message)
            case wire.Resign():
                self._host.resign(self.seat)
            case wire.Offer(what="rematch", on=True):
                self._host.offer_rematch()
            case wire.Leave():
                pass
            case _:
                raise ClientError("this is not possible in a local match; it needs a server")
        return wire.Done(message.ref)

    async def tell(self, message: wire.ClientMessage) -> None:
        """Play an action."""
        assert isinstance(message, wire.Act), "a room tells nothing else"
        self._host.act(self.seat, message)

    def forget(self, room: Room) -> None:
        """Do nothing: nobody sends anything that could be ignored."""

    def _legal(self, asked: wire.Legal) -> wire.LegalList:
        match, game = self._host.match, self._host.match.game
        actions = tuple(game.legal_actions(match.state, self.seat)) if self.seat in match.asked else ()
        notes = notes_on(game, match.state, self.seat, actions) if asked.notes else None
        turn = match.decisions[self.seat]
        return wire.LegalList(asked.ref, asked.room, turn, game.info.complete, tuple(map(plain, actions)), notes)

    # --- to the room ---------------------------------------------------------------------------------------------

    def enter(self, match: Match) -> None:
        """Tell what a player learns who enters a match that has just begun."""
        number, opened = self.room.number, match.opened
        about = wire.About(
            opened.game,
            opened.rules_version,
            len(match.seats),
            plain(match.options),
            {},
            commitment(opened.seed).hex(),
        )
        public, private = plain(match.game.public(match.state)), plain(match.game.private(match.state, self.seat))
        self.send(wire.Joined(0, number, room_code(number), FIRST_LIFE, self.seat, None, about))
        sums = checksum(public), checksum(private)
        self.send(wire.Snapshot(number, FIRST_LIFE, 0, 0, public, private, _clock(match), *sums))
        self._prompt(None, match)
        self.send(_seats(match, number))

    def advance(self, before: Match, after: Match, events: Sequence[Event], update: wire.Update | None) -> None:
        """Tell how the views of this seat changed in one step, the private part first."""
        game, seat = after.game, self.seat
        private = game.private(after.state, seat)
        patch = diff(game.private(before.state, seat), private)
        secrets = tuple(form for event in events for to, form in event.private if to == seat)
        if patch or secrets:
            self.q += 1
            p = self._host.p if update is None else update.p
            total = checksum(plain(private))
            self.send(wire.Private(self.room.number, self.q, p, update is not None, patch, secrets, total))
        if update is not None:
            self.send(update)

    def follow(self, before: Match, after: Match) -> None:
        """Tell what follows from a step: who is out, the next decision, and the end."""
        if before.out != after.out:
            self.send(_seats(after, self.room.number))
        self._prompt(before, after)
        if (result := after.result) is not None:
            seed, chain = after.opened.seed.hex(), after.chain.hex()
            self.send(wire.Ended(self.room.number, result.ranks, result.reason, seed, chain, result.detail))

    def send(self, message: wire.ServerMessage) -> None:
        """Send a message to the room, through the codec: it holds the same plain values as after a network."""
        received = decode_server(encode_message(message))
        assert isinstance(received, Incoming), "a room takes these"
        self.room.receive(received)

    def _prompt(self, before: Match | None, after: Match) -> None:
        turn = after.decisions[self.seat]
        is_new = before is None or self.seat not in before.asked or before.decisions[self.seat] != turn
        if self.seat in after.asked and is_new:
            self.send(wire.Prompt(self.room.number, self.seat, turn, after.at, after.due(self.seat)))


def _problem(match: Match, seat: Seat, turn: int) -> str | None:
    """Return the code of an action that the rules need not judge."""
    if match.is_over:
        return codes.ROOM_ENDED
    if seat in match.out:
        return codes.SEAT_OUT
    return None if seat in match.asked and match.decisions[seat] == turn else codes.ACT_STALE


def _update(before: Match, after: Match, events: Sequence[Event], p: int) -> wire.Update | None:
    """Return the public part of a step; None if it has none."""
    view = after.game.public(after.state)
    patch = diff(after.game.public(before.state), view)
    told = tuple(event.public for event in events if event.public is not None)
    if not patch and not told and before.turn == after.turn:
        return None
    return wire.Update(after.opened.room, p, patch, told, _clock(after), checksum(plain(view)))


def _clock(match: Match) -> wire.Clock:
    return wire.Clock(match.at, match.turn, None)


def _seats(match: Match, number: int) -> wire.Seats:
    sitters = [match.sitter_at(seat) for seat in range(len(match.seats))]
    states = tuple(
        wire.SeatState(seat, sitter.player, sitter.name, True, seat in match.out, sitter.bot, hired=sitter.hired)
        for seat, sitter in enumerate(sitters)
    )
    return wire.Seats(number, match.phase, match.opened.creator, states, 0)
