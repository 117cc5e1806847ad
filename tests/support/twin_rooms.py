"""Two rooms that differ only in what one viewer cannot know, and all that this viewer is sent by either of them.

The rooms are real ones; each begins with a position of a match, one with that position as it was, the other with one
that the viewer can imagine, and each with a seed of its own. Then everybody asks, errs, comes again, plays on, is
replaced by a bot, takes the seat back and leaves in both rooms alike, as far as the viewer can tell. What the viewer
and a spectator are sent must stay the same bytes, until the first room takes a step that nothing in the other one looks
like.
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import count
from typing import Any, ClassVar, cast

import msgspec
from bot_claims import summons
from msgspec import Struct
from room_table import SPECTATOR, Outcome, Table

from warroom_games.api import AnyGame, IllegalActionError, OptionsError, Seat, Step, View
from warroom_games.codec import decode_options, encode, tag_of
from warroom_games.law import viewers
from warroom_games.log import commitment
from warroom_games.playthrough import Playthrough, play
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol import messages as wire
from warroom_protocol.canonical import canonical, plain
from warroom_server.room.commands import Claim, Expire, Join, Legal, Reclaim, Resign, Resync, Summoned
from warroom_server.room.viewer_addresses import Destination, Local

SECRECY_CASES = "secrecy cases of"
"""The property under which a test tells how many cases of a game it has compared, the game's id after it."""

LIFE = 1
TURN_MS = 60_000
GRACE_MS = 1_000
LATE_MS = TURN_MS - 10 * GRACE_MS
"""So late in a turn nobody is lost any more, so that the clock acts when a test says so."""
STEPS = 8
TRIED = 4
"""So many actions are tried in the other room for one that looks like the one of the first room."""

NEWCOMER, SECOND_DEVICE, RETURNED, RETURNED_SPECTATOR = range(200, 204)
FIRST_BOT = 300
SEEDS = (bytes(range(16)), bytes(range(16, 32)))


class Mailbox(Table):
    """A table that keeps what was sent as it was sent."""

    def _deliver(self, to: Sequence[Destination], payload: bytes, outcome: Outcome) -> None:
        for viewer in to:
            self.payloads[viewer.connection if isinstance(viewer, Local) else viewer].append(payload)


class Case(Struct, frozen=True):
    """A position, who looks at it, and another one that looks the same to this viewer."""

    match: Playthrough
    number: int
    """Which state of the match it is."""
    viewer: Seat | None
    twin: Any
    choices: Rng

    @property
    def state(self) -> Any:
        """The position as it was."""
        return self.match.moves[self.number].state

    @property
    def is_otherwise(self) -> bool:
        """Whether something besides the room's seed differs."""
        return encode(self.state) != encode(self.twin)

    def __str__(self) -> str:
        match = self.match
        options = msgspec.json.encode(match.options).decode()
        where = (
            f"state {self.number} of the match with key {match.key.hex()}, {match.seats} seats and options {options}"
        )
        return f"{match.game.info.id}, {'a spectator' if self.viewer is None else f'seat {self.viewer}'}: {where}"


class Fork:
    """A game that begins with a given position, and is the game it is made of otherwise."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self._game = game
        self._state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def setup(self, seats: int, options: object, rng: Rng) -> Any:
        return self._state


def drawn_matches(game: AnyGame, name: str) -> Iterator[Playthrough]:
    """Yield random matches without end, at any table that the game allows; the same name yields the same ones."""
    for number in count():
        key = blake2b(f"{game.info.id} {name} {number}".encode(), digest_size=KEY_BYTES).digest()
        more, rng = Rng(key).below(game.info.max_seats - game.info.min_seats + 1)
        try:
            yield play(game, game.info.min_seats + more, _drawn_options(game, rng), key)
        except OptionsError:
            continue


def _drawn_options(game: AnyGame, rng: Rng) -> Any:
    """Return options of which about every second one is another than usual."""
    chosen: dict[str, object] = {}
    for field in msgspec.structs.fields(game.options_type):
        is_usual, rng = rng.below(2)
        value, rng = rng.choice(_values(msgspec.inspect.type_info(field.type)))
        if not is_usual:
            chosen[field.name] = value
    return decode_options(game, chosen)


def _values(kind: msgspec.inspect.Type) -> Sequence[object]:
    match kind:
        case msgspec.inspect.Metadata():
            return _values(kind.type)
        case msgspec.inspect.IntType():
            return range(kind.ge or 0, (kind.le or 0) + 1)
        case msgspec.inspect.LiteralType():
            return tuple(kind.values)
        case _:
            return (False, True)


def cases_of(match: Playthrough, *, positions: int) -> Iterator[Case]:
    """Yield cases of one match: some of its positions, each from the view of everybody who may look."""
    game = match.game
    numbers, rng = Rng(match.key).sample(range(len(match.moves)), min(positions, len(match.moves)))
    for number in sorted(numbers):
        state = match.moves[number].state
        for viewer in viewers(match.seats):
            dreams, rng = rng.spawn()
            choices, rng = rng.spawn()
            private = None if viewer is None else plain(game.private(state, viewer))
            twin = game.imagine(plain(game.public(state)), private, viewer, dreams)
            yield Case(match, number, viewer, twin, choices)


class TwinRooms:
    """Both rooms of a case, and what its viewer was sent."""

    mailbox: ClassVar[type[Mailbox]] = Mailbox

    def __init__(self, case: Case) -> None:
        self.case = case
        self.game = case.match.game
        self.viewer = case.viewer
        self.compared = 0
        """How many pairs of positions the viewer could not tell apart by anything."""
        self._rng = case.choices
        self._id = 0
        self._bots = count(FIRST_BOT)
        options = msgspec.to_builtins(case.match.options)
        self.tables = tuple(
            self.mailbox.playing(
                cast("AnyGame", Fork(self.game, state)),
                case.match.seats,
                turn_ms=TURN_MS,
                options=options,
                room_options={"grace_ms": GRACE_MS},
                seed=seed,
            )
            for state, seed in zip((case.state, case.twin), SEEDS, strict=True)
        )

        one, other = (table.room.match for table in self.tables)
        self._odd_turn = one.turn if one.asked != other.asked else None
        """The turn in the middle of which the rooms begin, if they ask others there: all know who begins a turn."""

    def compare(self) -> None:
        """Let everything happen in both rooms, and hold them to the same bytes all the time."""
        for table in self.tables:
            table.watch()
        self._hold_same("they came")
        self._ask_everything()
        while self.compared <= STEPS and self._step_alike():
            self._hold_same("a step")
            self._ask_everything()
        self._restart()

    # --- asking -------------------------------------------------------------------------------------------------

    def _ask_everything(self) -> None:
        """Let the viewer and spectators ask, err, and come again with and without what they knew."""
        refused = self._refused_actions()
        self._id += len(refused) + 3
        for table in self.tables:
            for connection in (SPECTATOR,) if self.viewer is None else (SPECTATOR, self.viewer):
                table.tell(Legal(Local(connection), 1, notes=True))
                table.tell(Resync(Local(connection), 2, ""))
                table.act(connection, b"\xc1", id=self._id)
                table.act(connection, {"type": "no such type"}, id=self._id - 1)
                table.act(connection, self.case.match.moves[0].action, id=self._id - 2, turn=999)
                for number, action in enumerate(refused, start=3):
                    table.act(connection, action, id=self._id - number)
            table.watch(NEWCOMER)
            table.watch(RETURNED_SPECTATOR, wire.Position(LIFE, 0, 0))
            if self.viewer is not None:
                table.join(self.viewer, connection=SECOND_DEVICE)
                table.join(self.viewer, connection=RETURNED, position=wire.Position(LIFE, 0, 0))
        self._hold_same("questions")
        self.compared += 1

    def _refused_actions(self) -> list[Any]:
        """Return some actions of the match that the viewer may not play now."""
        moves = self.case.match.moves
        state = self._states()[0]
        actions = [move.action for move in moves[:: max(len(moves) // 3, 1)]]
        return [action for action in actions if self.viewer is None or not self._may(state, self.viewer, action)]

    def _restart(self) -> None:
        """Let another node go on with both rooms, and everybody come again.

        Room time goes on from the last entry, so that it differs where the last thing that happened was unseen.
        """
        one, other = (table.room.match.at for table in self.tables)
        if one != other:
            return
        for table in self.tables:
            table.restart()
            table.clear()
            table.watch()
            table.watch(RETURNED_SPECTATOR, wire.Position(LIFE, 0, 0))
            if self.viewer is not None:
                table.join(self.viewer)
                table.join(self.viewer, connection=RETURNED, position=wire.Position(LIFE, 0, 0))
                table.tell(Legal(Local(self.viewer), 1, notes=True))
        self._hold_same("a restart")

    # --- playing on ---------------------------------------------------------------------------------------------

    def _step_alike(self) -> bool:
        """Go one step on in both rooms; return False if there is none that looks the same in both."""
        for table in self.tables:
            table.now += 10
        kind, self._rng = self._rng.below(10)
        if kind == 0:
            return self._time_out()
        if kind == 1:
            return self._resign()
        acted = self._act_unseen() if kind <= 5 else None
        if kind in (4, 6):
            self._replace(acted)
        elif kind in (5, 7):
            self._reclaim(acted)
        return self._act()

    def _act(self) -> bool:
        here, there = self._states()
        seat, self._rng = self._rng.choice(sorted(self.game.to_act(here)))
        if seat not in self.game.to_act(there):
            return False
        action, self._rng = self._rng.choice(list(self.game.legal_actions(here, seat)))
        looks = self._looks(self.game.apply(here, seat, action))
        for twin in [action] if seat == self.viewer else self._alike(there, seat, action):
            if looks is not None and looks == self._looks(self.game.apply(there, seat, twin)):
                self._id += 1
                for table, played in zip(self.tables, (action, twin), strict=True):
                    self._play(table, seat, played)
                return True
        return False

    def _alike(self, state: Any, seat: Seat, action: Any) -> list[Any]:
        """Return actions that others may take for *action*: itself if it is legal, and some of its kind."""
        listed = [other for other in self.game.legal_actions(state, seat) if tag_of(other) == tag_of(action)]
        some, self._rng = self._rng.sample(listed, min(len(listed), TRIED))
        return [*([action] if self._may(state, seat, action) else []), *some]

    def _act_unseen(self) -> Seat | None:
        """Take a step in the first room alone, if one of the others has one of which the viewer sees nothing.

        Return the seat that took it, if any did.
        """
        here = self._states()[0]
        others = sorted(self.game.to_act(here) - {self.viewer})
        if not others:
            return None
        seat, self._rng = self._rng.choice(others)
        action, self._rng = self._rng.choice(list(self.game.legal_actions(here, seat)))
        if self._looks(self.game.apply(here, seat, action)) != self._looks(Step(here)):
            return None
        self._id += 1
        self._play(self.tables[0], seat, action)
        self._hold_same("an unseen step")
        return seat

    def _play(self, table: Table, seat: Seat, action: Any) -> None:
        """Let whoever plays at a seat act."""
        match = table.room.match
        [connection, *_] = table.room.audience.of_player(match.holder(seat).player)
        table.act(connection, action, id=self._id, turn=match.decisions[seat])

    def _replace(self, rather: Seat | None) -> None:
        """Let one of the others be lost, a bot come if one is wanted, and the other one come back."""
        match = self.tables[0].room.match
        others = self._others()
        is_late = match.deadline is None or match.deadline - self.tables[0].now < TURN_MS - LATE_MS
        if not others or is_late or match.turn == self._odd_turn:
            return
        seat, self._rng = self._rng.choice(others if rather is None else [rather])
        bot = next(self._bots)
        for table in self.tables:
            table.detach(table.room.audience.of_player(table.room.match.holder(seat).player)[0])
            table.now += 2 * GRACE_MS
            for summon in summons(table.tell(Expire())):
                table.tell(Summoned(summon.ticket, is_known=True))
                table.tell(Claim(Local(bot), 6, f"bot {bot}", "Robot", summon.ticket, "token"))
            table.join(seat)
            holder = table.room.match.holder(seat)
            if not table.room.audience.has(holder.player):
                table.tell(Join(Local(bot), 6, holder.player, holder.name, None, "token", None))
        self._hold_same("somebody was lost")

    def _reclaim(self, rather: Seat | None) -> None:
        """Let one of the others take the seat back, if a bot stands in."""
        match = self.tables[0].room.match
        others = self._others() if rather is None or match.stand_in(rather) is None else [rather]
        replaced = [seat for seat in others if match.stand_in(seat) is not None and match.turn != self._odd_turn]
        if replaced:
            seat, self._rng = self._rng.choice(replaced)
            for table in self.tables:
                table.tell(Reclaim(Local(seat), 7))
            self._hold_same("somebody wanted the seat back")

    def _others(self) -> list[Seat]:
        """Return the seats that are in the match, but for the viewer's."""
        gone = self.tables[0].room.match.out
        return [seat for seat in range(self.case.match.seats) if seat not in gone and seat != self.viewer]

    def _time_out(self) -> bool:
        """Let the clock play for all seats that are late, if that looks the same."""
        here, there = self._states()
        late = self.game.to_act(here)
        if late != self.game.to_act(there):
            return False
        for seat in sorted(late):
            here, there = (
                self.game.apply(state, seat, self.game.default_action(state, seat)) for state in (here, there)
            )
            if (looks := self._looks(here)) is None or looks != self._looks(there):
                return False
            here, there = here.state, there.state
        for table in self.tables:
            table.expire(table.now + TURN_MS)
        return True

    def _resign(self) -> bool:
        """Let one of the others give up."""
        here, there = self._states()
        seat, self._rng = self._rng.choice(self._others())
        steps = [self.game.remove(state, seat) for state in (here, there)]
        if (looks := self._looks(steps[0])) is None or looks != self._looks(steps[1]):
            return False
        for table in self.tables:
            table.tell(Resign(Local(seat), 5))
        return True

    def _looks(self, step: Step) -> object:
        """Return all that the rules show the viewer of a step; None if it ends the match, when everything is told."""
        game, viewer, state = self.game, self.viewer, step.state
        if game.result(state) is not None:
            return None
        private = None if viewer is None else game.private(state, viewer)
        asked = viewer in game.to_act(state)
        return canonical(game.public(state)), canonical(private), encode(_told(step, viewer)), game.turn(state), asked

    def _may(self, state: Any, seat: Seat, action: Any) -> bool:
        try:
            self.game.check(state, seat, action)
        except IllegalActionError:
            return False
        return True

    def _states(self) -> list[Any]:
        return [table.room.match.state for table in self.tables]

    # --- what was sent ------------------------------------------------------------------------------------------

    def _hold_same(self, after: str) -> None:
        """Compare what both rooms sent to the viewer and to spectators since the last look."""
        sent = [self._received(table, seed) for table, seed in zip(self.tables, SEEDS, strict=True)]
        assert sent[0] == sent[1], f"after {after} the bytes differ for {self.case}"
        one, other = (table.room.listing() for table in self.tables)
        assert one == other, f"after {after} the rooms are listed otherwise for {self.case}"
        for table in self.tables:
            table.clear()

    def _received(self, table: Table, seed: bytes) -> list[list[bytes]]:
        """Return what each connection got, with one commitment in the place of each room's own."""
        watching = [SPECTATOR, NEWCOMER, RETURNED_SPECTATOR]
        playing = [] if self.viewer is None else [self.viewer, SECOND_DEVICE, RETURNED]
        own = commitment(seed).hex().encode()
        return [
            [payload.replace(own, b"commitment") for payload in table.payloads[connection]]
            for connection in (*watching, *playing)
        ]


def _told(step: Step, viewer: Seat | None) -> list[View]:
    forms = [(event.public, *(form for seat, form in event.private if seat == viewer)) for event in step.events]
    return [form for event in forms for form in event if form is not None]
