"""A room with a store beside it that answers at once, or on demand, in virtual time."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_games.codec import decode_options, encode
from warroom_games.log import Acted, Opened, RoomOptions, TimedOut, decode_entry
from warroom_games.match import Match
from warroom_protocol import messages as wire
from warroom_protocol.codec import decode_server
from warroom_server.ports.store import Append, Committed, LogEntry, StoredRoom
from warroom_server.room import commands
from warroom_server.room.effects import (
    Archive,
    Drop,
    Effect,
    Entered,
    Exited,
    Rematch,
    Save,
    Send,
    SendAll,
    Summon,
)
from warroom_server.room.log_fold import LogFold
from warroom_server.room.room import Room
from warroom_server.room.viewer_addresses import Destination, Local, Viewer

M = TypeVar("M")
Who: TypeAlias = int | Viewer
"""A connection by its number, or any other viewer."""

ALICE, BOB, CAROL, DAVE = range(4)
"""Seats; with `as_joined` seating also the connections of those who sit there."""

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank")
SPECTATOR = 100
ROOM = 4_711
SEED = bytes(range(16))


class Outcome(Struct):
    """What one command, and the store's answers to it, led to."""

    effects: list[Effect]
    acted: list[tuple[int, str]]
    """Who acted: the seat, and `player` or `clock`."""
    messages: list[tuple[int | Destination, wire.ServerMessage]]
    """What was sent to whom, in order."""

    def sent(self, connection: Who) -> list[wire.ServerMessage]:
        return [message for to, message in self.messages if to == connection]


class Table:
    """A room, its store and what its connections were sent."""

    def __init__(
        self,
        game: AnyGame,
        *,
        seats: int = 2,
        turn_ms: int | None = 10_000,
        seating: str = "as_joined",
        options: dict[str, object] | None = None,
        room_options: dict[str, object] | None = None,
        reserved: tuple[str | None, ...] = (),
        bots: tuple[str | None, ...] = (),
        seed: bytes = SEED,
        answers: bool = True,
    ) -> None:
        self.game = game
        self.answers = answers
        """Whether the store answers at once."""
        self.now = 0
        self.log: list[LogEntry] = []
        self.snapshots: list[tuple[int, bytes]] = []
        self.waiting: list[Append] = []
        """Appends that the store has not answered."""
        self.payloads: defaultdict[int | Destination, list[bytes]] = defaultdict(list)
        self.is_archived = False
        self.is_dropped = False
        self._ids = iter(range(1, 1_000_000))
        policies: dict[str, object] = {"turn_ms": turn_ms, "seating": seating, **(room_options or {})}
        opened = Opened(
            room=ROOM,
            game=game.info.id,
            rules_version=game.info.rules_version,
            seats=seats,
            options=encode(decode_options(game, options or {})),
            room_options=msgspec.convert(policies, RoomOptions),
            creator=NAMES[0],
            ref=1,
            seed=seed,
            opened_ms=0,
            reserved=reserved,
            bots=bots,
        )
        match = Match.open(opened, game)
        self.log.append(LogEntry(1, encode(opened), match.chain))
        self.room = Room(LogFold(match), now=self.now)

    @classmethod
    def playing(cls, game: AnyGame, seats: int = 2, **settings: Any) -> "Table":
        """Return a table at which everybody sits and the match has just started."""
        table = cls(game, seats=seats, **settings)
        for seat in range(seats):
            table.join(seat)
        return table

    # --- commands -----------------------------------------------------------------------------------------------

    def tell(self, command: commands.Command, at: int | None = None) -> Outcome:
        """Give the room a command, and what the store answers."""
        if at is not None:
            assert at >= self.now
            self.now = at
        before = len(self.log)
        outcome = Outcome([], [], [])
        self._do(self.room.handle(command, self.now), outcome)
        while self.waiting and self.answers:
            self._do(self._answer(), outcome)
        for logged in self.log[before:]:
            entry = decode_entry(logged.entry)
            if isinstance(entry, Acted | TimedOut):
                outcome.acted.append((entry.seat, "player" if isinstance(entry, Acted) else "clock"))
        return outcome

    def join(
        self,
        player: int,
        *,
        connection: Who | None = None,
        seat: int | None = None,
        position: wire.Position | None = None,
    ) -> Outcome:
        name = NAMES[player]
        to = player if connection is None else connection
        return self.tell(
            commands.Join(viewer(to), next(self._ids), name, name.title(), seat, f"token of {name}", position)
        )

    def watch(self, connection: Who = SPECTATOR, position: wire.Position | None = None) -> Outcome:
        return self.tell(commands.Watch(viewer(connection), next(self._ids), position))

    def act(
        self,
        connection: Who,
        action: object,
        *,
        at: int | None = None,
        id: int | None = None,
        turn: int | None = None,
        arrived: int | None = None,
    ) -> Outcome:
        """Play for the open decision of the seat that *connection* holds, or for decision *turn*."""
        if at is not None:
            self.now = at
        seat = self.seat_of(connection)
        if turn is None:
            turn = 0 if seat is None or not self.room.match.decisions else self.room.match.decisions[seat]
        action_id = next(self._ids) if id is None else id
        data = action if isinstance(action, bytes) else encode(action)
        return self.tell(
            commands.Act(viewer(connection), action_id, turn, data, self.now if arrived is None else arrived)
        )

    def expire(self, at: int) -> Outcome:
        return self.tell(commands.Expire(), at)

    def detach(self, connection: Who) -> Outcome:
        return self.tell(commands.Detach(viewer(connection)))

    def request(self, kind: Any, connection: Who, **fields: Any) -> Outcome:
        """Send a request that has nothing but a connection and a ref."""
        return self.tell(kind(viewer(connection), next(self._ids), **fields))

    # --- the store ----------------------------------------------------------------------------------------------

    def commit(self) -> Outcome:
        """Let the store say yes to what is on its way."""
        append = self.waiting.pop(0)
        self.write(append)
        return self.tell(Committed(append.rev))

    def stored(self, snapshot: int | None = None) -> StoredRoom:
        """Return the room as the store has it, from its snapshot number *snapshot* on."""
        if snapshot is None:
            return StoredRoom(ROOM, "node", 1, None, tuple(self.log))
        rev, data = self.snapshots[snapshot]
        past = tuple(logged.entry for logged in self.log[:rev])
        return StoredRoom(ROOM, "node", 1, (rev, data), tuple(self.log[rev:]), past)

    def restart(self, snapshot: int | None = None) -> None:
        """Let another node go on with the room; every connection is lost."""
        self.waiting.clear()
        self.room = Room.restore(self.game, self.stored(snapshot), self.now)

    def hand_over(self) -> None:
        """Let another node go on with the room, which is told what the log does not say."""
        assert not self.waiting, "a room goes once the store owes it nothing"
        self.room = Room.restore(
            self.game, self.stored(None), self.now, handoff_state=self.room.handoff_state(self.now)
        )

    def _answer(self) -> list[Effect]:
        append = self.waiting.pop(0)
        self.write(append)
        return self.room.handle(Committed(append.rev), self.now)

    def write(self, append: Append) -> None:
        """Put an entry into the log without answering."""
        assert append.rev == len(self.log) + 1
        self.log.append(LogEntry(append.rev, append.entry, append.chain))

    def _do(self, effects: Sequence[Effect], outcome: Outcome) -> None:
        outcome.effects.extend(effects)
        has_appends = bool(self.waiting)
        for effect in effects:
            match effect:
                case Append():
                    assert not has_appends, "entries go to the store together, or after each other"
                    assert effect.rev == len(self.log) + len(self.waiting) + 1
                    self.waiting.append(effect)
                case Save(rev=rev, snapshot=snapshot):
                    self.snapshots.append((rev, snapshot))
                case Send(viewer=to_one, payload=payload):
                    self._deliver((to_one,), payload, outcome)
                case SendAll(payload=payload, to=to):
                    self._deliver(to, payload, outcome)
                case Archive():
                    self.is_archived = True
                case Drop():
                    self.is_dropped = True
                case Summon() | Rematch() | Entered() | Exited():
                    pass  # the node's business: a test finds them among the effects

    def _deliver(self, to: Sequence[Destination], payload: bytes, outcome: Outcome) -> None:
        for destination in to:
            connection = destination.connection if isinstance(destination, Local) else destination
            self.payloads[connection].append(payload)
            outcome.messages.append((connection, decode_server(payload)))

    # --- what was sent ------------------------------------------------------------------------------------------

    def seat_of(self, connection: Who) -> int | None:
        player = self.room.audience.player_of(viewer(connection))
        return None if player is None else self.room.match.seat_of(player)

    def messages(self, connection: Who) -> list[wire.ServerMessage]:
        return [decode_server(payload) for payload in self.payloads[connection]]

    def clear(self) -> None:
        """Forget what was sent so far."""
        self.payloads.clear()


def viewer(who: Who) -> Viewer:
    """Return a viewer as the room knows it."""
    return Local(who) if isinstance(who, int) else who


def clock_of(match: Match) -> wire.Clock:
    """Return the public clock of a match."""
    options = match.opened.room_options
    banks = tuple(clock.bank for clock in match.clocks) if options.bank_ms or options.increment_ms else ()
    return wire.Clock(match.at, match.turn, match.deadline, banks)


def kinds(messages: Sequence[wire.ServerMessage]) -> list[str]:
    """Return the names of messages, in order."""
    return [type(message).__name__ for message in messages]


def only(messages: Sequence[wire.ServerMessage], kind: type[M]) -> M:
    """Return the one message of a kind."""
    [found] = [message for message in messages if isinstance(message, kind)]
    return found
