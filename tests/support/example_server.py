"""A small server for the annotated exchanges of the protocol's documents: real sessions and a real room."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import msgspec
from example_cast import Direction
from sealed_bids import GAME, Options, State

from warroom_games.codec import encode as canonical_action
from warroom_games.log import Opened, RoomOptions
from warroom_games.match import Match
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import ClientMessage, Create, Created, Done, ServerMessage, Summon, Work
from warroom_protocol.names import server_name
from warroom_protocol.rooms import room_code
from warroom_server.ports.store import Append, Committed
from warroom_server.room import commands, effects
from warroom_server.room.log_fold import LogFold
from warroom_server.room.room import Room
from warroom_server.room.viewer_addresses import Destination, Local
from warroom_server.session.effects import Confirm, Errand, Reply, SessionEffect, ToRoom
from warroom_server.session.limits import Limits
from warroom_server.session.session import Session
from warroom_server.session.signer import Signer

SEED = bytes(range(16))
ANY_BOT = "greedy"


class Line(NamedTuple):
    """One message of the session, and what a reader should notice about it."""

    direction: Direction
    message: ClientMessage | ServerMessage
    remark: str
    who: str = ""
    """Whose connection it goes over, where that is not clear."""


class _Entropy:
    """Bytes that are the same in every run."""

    def __init__(self) -> None:
        self._count = 0

    def bytes(self, count: int) -> bytes:
        self._count += 1
        return blake2b(self._count.to_bytes(4, "big"), digest_size=count).digest()


class World:
    """A server of one room whose store answers at once, and what was sent over the connections that are *shown*."""

    def __init__(self, shown: Mapping[int, str]) -> None:
        self.now = 0
        self._shown = shown
        self.room: Room | None = None
        self.connections: list[Line] = []
        self._unread: list[tuple[int, bytes]] = []
        self._workers: list[int] = []
        self.signer = Signer(b"a secret of this document")
        self._entropy = _Entropy()
        self._sessions: dict[int, Session] = {}

    def connect(self, connection: int) -> None:
        """Open a connection."""
        self._sessions[connection] = Session(
            connection,
            signer=self.signer,
            entropy=self._entropy,
            limits=Limits(),
            server=server_name("0.1.0"),
        )

    def cut(self, connection: int) -> None:
        """Lose a connection."""
        self.tell(commands.Detach(Local(connection)))

    def say(self, connection: int, message: ClientMessage, remark: str, *answers: str) -> None:
        """Let a shown connection send a message, and read what the server sends for it."""
        self.send(connection, message, remark)
        self.read(*answers)

    def send(self, connection: int, message: ClientMessage, remark: str) -> None:
        """Let a shown connection send a message, whose answers are read later."""
        self.connections.append(Line("client", message, remark, self._shown[connection]))
        self.hear(connection, message)

    def hear(self, connection: int, message: ClientMessage) -> None:
        """Let the server take a message."""
        for effect in self._sessions[connection].receive(encode(message), now=self.now, arrived=self.now):
            self._resolve(connection, effect)

    def tell(self, command: commands.Command) -> None:
        """Give the room a command."""
        assert self.room is not None
        self._do(self.room.handle(command, self.now))

    def read(self, *remarks: str) -> None:
        """Read what the server has sent over shown connections, with one remark for each message."""
        messages = [(self._shown[connection], decode_server(payload)) for connection, payload in self._unread]
        self._unread.clear()
        names = [f"{who} {type(message).__name__}".strip() for who, message in messages]
        assert len(messages) == len(remarks), f"the server sent {names}"
        for (who, message), remark in zip(messages, remarks, strict=True):
            self.connections.append(Line("server", message, remark, who))

    def read_first(self, connection: int, remark: str) -> None:
        """Read the first message that the server has sent over one connection, and leave out what came before it."""
        while (unread := self._unread.pop(0))[0] != connection:
            pass
        self.connections.append(Line("server", decode_server(unread[1]), remark, self._shown[connection]))

    def skip(self) -> None:
        """Leave out what the server has sent so far."""
        self._unread.clear()

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return the cards that a seat holds, the lowest first."""
        assert self.room is not None
        state: State = self.room.match.state
        return state.secrets[seat].hand

    def _resolve(self, connection: int, effect: SessionEffect) -> None:
        match effect:
            case Reply(payload=payload):
                self._deliver([connection], payload)
            case ToRoom(command=command):
                self.tell(command)
            case Errand(request=Create() as wish, player=player):
                self._deliver([connection], encode(self._create(wish, player)))
            case Confirm():
                for answer in self._sessions[connection].confirmed(effect, is_valid=True):
                    self._resolve(connection, answer)
            case Errand(request=Work() as work):
                self._workers.append(connection)
                self._deliver([connection], encode(Done(work.ref)))
            case _:
                pass

    def _create(self, wish: Create, player: str) -> Created:
        number = self.signer.room_number(player, wish.ref, 0)
        opened = Opened(
            room=number,
            game=GAME.info.id,
            rules_version=GAME.info.rules_version,
            seats=wish.seats or GAME.info.usual_seats,
            options=canonical_action(msgspec.convert(wish.options, Options)),
            room_options=msgspec.convert(wish.room_options, RoomOptions),
            creator=player,
            ref=wish.ref,
            seed=SEED,
            opened_ms=0,
        )
        self.room = Room(LogFold(Match.open(opened, GAME)), now=self.now)
        return Created(ref=wish.ref, room=number, code=room_code(number))

    def _do(self, done: Sequence[effects.Effect]) -> None:
        appended, summons = [], []
        for effect in done:
            match effect:
                case Append(rev=rev):
                    appended.append(rev)
                case effects.Send(viewer=viewer, payload=payload):
                    self._deliver(_connections([viewer]), payload)
                case effects.SendAll(payload=payload, to=to):
                    self._deliver(_connections(to), payload)
                case effects.Summon():
                    summons.append(effect)
                case _:
                    pass
        for rev in appended:
            self.tell(Committed(rev))
        for summon in summons:
            self._summon(summon)

    def _summon(self, wanted: effects.Summon) -> None:
        """Ask the worker for a bot, as the node does."""
        assert self.room is not None
        bot = wanted.bot or ANY_BOT
        self._deliver(self._workers, encode(Summon(self.room.number, wanted.ticket, GAME.info.id, bot)))
        self.tell(commands.Summoned(wanted.ticket, is_known=bool(self._workers)))

    def _deliver(self, to: Sequence[int], payload: bytes) -> None:
        self._unread += ((connection, payload) for connection in to if connection in self._shown)


def _connections(to: Sequence[Destination]) -> list[int]:
    return [viewer.connection for viewer in to if isinstance(viewer, Local)]
