"""The annotated session of docs/PROTOCOL.md: one connection's side of a short match of sealed bids.

The server's messages come from the real sessions and the real room, in virtual time; the remarks explain them. There is
one remark for each message, so that a change in what is sent is noticed here.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from msgspec import Raw
from msgspec.msgpack import encode as pack
from sealed_bids import GAME, Bid, Options, Peek, State
from wire_examples import Direction

from warroom_games.codec import encode as canonical_action
from warroom_games.log import Opened, RoomOptions
from warroom_games.match import Match
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import (
    Act,
    ClientMessage,
    Create,
    Created,
    Hello,
    Join,
    Legal,
    Position,
    ServerMessage,
    Welcome,
)
from warroom_protocol.rooms import room_code
from warroom_server.rooms import commands
from warroom_server.rooms.effects import Append, Effect, Send, SendAll, SendSeat
from warroom_server.rooms.room import Room
from warroom_server.session.effects import Confirm, CreateRoom, Reply, SessionEffect, ToRoom
from warroom_server.session.identity import Signer
from warroom_server.session.limits import Limits
from warroom_server.session.names import server_name
from warroom_server.session.session import Session

ADA, BOB, ADA_AGAIN = 1, 2, 3
"""Connections."""

ADA_SEAT, BOB_SEAT = 0, 1
SEED = bytes(range(16))
TURN_MS = 30_000
CREATE_REF = 7_015_338_841_250_961
PEEK_ID, STALE_ID, BID_ID = 5_160_417_342_181_943, 1_820_911_700_246_518, 8_700_112_493_358_001
BOBS_IDS = (3_141_592_653_589_793, 2_718_281_828_459_045)


class Line(NamedTuple):
    """One message of the session, and what a reader should notice about it."""

    direction: Direction
    message: ClientMessage | ServerMessage
    remark: str


class _Entropy:
    """Bytes that are the same in every run."""

    def __init__(self) -> None:
        self._count = 0

    def bytes(self, count: int) -> bytes:
        self._count += 1
        return blake2b(self._count.to_bytes(4, "big"), digest_size=count).digest()


class World:
    """A server of one room whose store answers at once, and what Ada's connections were sent."""

    def __init__(self) -> None:
        self.now = 0
        self.room: Room | None = None
        self.lines: list[Line] = []
        self._unread: list[bytes] = []
        self._signer = Signer(b"a secret of this document")
        self._entropy = _Entropy()
        self._sessions: dict[int, Session] = {}

    def connect(self, connection: int) -> None:
        """Open a connection."""
        self._sessions[connection] = Session(
            connection,
            signer=self._signer,
            entropy=self._entropy,
            limits=Limits(),
            server=server_name("0.1.0"),
            now=self.now,
        )

    def cut(self, connection: int) -> None:
        """Lose a connection."""
        self.tell(commands.Detach(connection))

    def say(self, message: ClientMessage, remark: str, *answers: str, connection: int = ADA) -> None:
        """Let Ada send a message, and read what the server sends her for it."""
        self.lines.append(Line("client", message, remark))
        self.hear(connection, message)
        self.read(*answers)

    def hear(self, connection: int, message: ClientMessage) -> None:
        """Let the server take a message."""
        for effect in self._sessions[connection].receive(encode(message), now=self.now, arrived=self.now):
            self._resolve(connection, effect)

    def tell(self, command: commands.Command) -> None:
        """Give the room a command."""
        assert self.room is not None
        self._do(self.room.handle(command, self.now))

    def read(self, *remarks: str) -> None:
        """Read what the server has sent to Ada, with one remark for each message."""
        messages = [decode_server(payload) for payload in self._unread]
        self._unread.clear()
        names = [type(message).__name__ for message in messages]
        assert len(messages) == len(remarks), f"the server sent {names}"
        self.lines += (Line("server", *pair) for pair in zip(messages, remarks, strict=True))

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
            case CreateRoom():
                self._deliver([connection], encode(self._create(effect)))
            case Confirm():
                for answer in self._sessions[connection].confirmed(effect, is_valid=True, now=self.now):
                    self._resolve(connection, answer)
            case _:
                pass

    def _create(self, wish: CreateRoom) -> Created:
        number = self._signer.room_number(wish.player, wish.ref, 0)
        opened = Opened(
            room=number,
            game=GAME.info.id,
            rules_version=GAME.info.rules_version,
            seats=wish.seats or GAME.info.usual_seats,
            options=canonical_action(Options(**wish.options)),  # type: ignore[arg-type]
            room_options=RoomOptions(**wish.room_options),  # type: ignore[arg-type]
            creator=wish.player,
            ref=wish.ref,
            seed=SEED,
            opened_ms=0,
        )
        self.room = Room(GAME, Match.open(opened, GAME), now=self.now)
        return Created(ref=wish.ref, room=number, code=room_code(number))

    def _do(self, effects: Sequence[Effect]) -> None:
        appended = []
        for effect in effects:
            match effect:
                case Append(rev=rev):
                    appended.append(rev)
                case Send(connection=connection, payload=payload):
                    self._deliver([connection], payload)
                case SendSeat(payload=payload, to=to) | SendAll(payload=payload, to=to):
                    self._deliver(to, payload)
                case _:
                    pass
        for rev in appended:
            self.tell(commands.Committed(rev))

    def _deliver(self, to: Sequence[int], payload: bytes) -> None:
        if ADA in to or ADA_AGAIN in to:
            self._unread.append(payload)


def _enter(world: World) -> int:
    """Say hello, create a room and sit down in it; return the room's number."""
    world.connect(ADA)
    world.say(
        Hello(1, (1,), "Ada", None, "example 1.0"),
        "The first message. No token: a new player.",
        "Version 1 was chosen. `player` is public; `token` is the secret that makes Ada the same player next time.",
    )
    options = {"rounds": 2, "cards": 4, "peeks": 1}
    world.say(
        Create(CREATE_REF, GAME.info.id, 2, options, {"turn_ms": TURN_MS, "seating": "as_joined"}),
        "A room for two. Its ref is random, because a player's ref names one room: if no answer came, Ada would send "
        "the same bytes again and get the same room.",
        "The room has a number, and a code that she can read out to Bob.",
    )
    assert world.room is not None
    world.say(
        Join(2, world.room.number),
        "Creating is not sitting down.",
        "She has seat 0. A snapshot always follows.",
        "Before the match both views are nil, both streams stand at 0 and no turn is running.",
        "Seat 1 is open. The latest `seats` holds.",
    )
    return world.room.number


def _begin(world: World, room: int) -> None:
    """Let Bob sit down, which starts the match."""
    world.now += 5_000
    world.connect(BOB)
    world.hear(BOB, Hello(1, (1,), "Bob", None, "example 1.0"))
    world.hear(BOB, Join(2, room))
    world.read(
        "Bob took the last open seat on his own connection,",
        "so the match begins. Seats may have been dealt anew: Ada finds hers by her player id.",
        "Ada's own part comes first. `joint` says: keep it back until update `p` 1 is in, then show both at once. The "
        "patch sets the root, the empty path.",
        "The public part, the same bytes for everybody. It begins a turn, so it carries a checksum, and the clock says "
        "when the turn runs out.",
        "Ada is asked: decision 1 of her seat.",
    )


def _play(world: World, room: int) -> None:
    """Peek, be late with an old token, and bid."""
    world.say(
        Legal(3, room), "What may she do? Asking is optional.", "Each of the actions can be sent as it is in `act`."
    )
    world.now += 4_210
    world.say(
        Act(room, PEEK_ID, 1, _action(Peek())),
        "An action: 53 random bits name it, and `turn` is the token of the prompt.",
        "Nobody else may notice a peek: it is not `joint`, no update follows, and `p` stays 1.",
        "Accepted: it is stored and applied.",
        "She still has to bid: decision 2, with the same deadline.",
    )
    world.now += 3_000
    card = world.hand(ADA_SEAT)[-1]
    world.say(
        Act(room, STALE_ID, 1, _action(Bid(card))),
        "A mistake: the token of decision 1, which is over.",
        "Refused, and nothing has changed.",
    )
    world.say(
        Act(room, BID_ID, 2, _action(Bid(card))),
        "The same action for decision 2, under a new id.",
        "Her bid is in; that too is hers alone to know.",
        "Accepted. No prompt: she has nothing to decide now.",
    )


def _come_back(world: World, room: int, token: str) -> None:
    """Lose the connection, miss a step, and resume."""
    world.cut(ADA)
    world.now += 2_000
    world.hear(BOB, Act(room, BOBS_IDS[0], 1, _action(Bid(world.hand(BOB_SEAT)[0]))))
    world.now += 1_000
    world.connect(ADA_AGAIN)
    world.say(
        Hello(1, (1,), "Ada", token, "example 1.0"),
        "The connection broke. On a new one Ada shows her token.",
        "The same player.",
        connection=ADA_AGAIN,
    )
    world.say(
        Join(2, room, position=Position(1, 1, 3)),
        "Back to her seat: of life 1 she has seen everything up to `p` 1 and `q` 3.",
        "`resumed`, not `joined`: no snapshot, but every frame that she missed.",
        "Bob bid while she was away, which resolved the round. Her hand and bid changed with it,",
        "and this is the public half. These are the bytes that she would have got at the time.",
        "What is open: decision 3. `at` is the room time of this moment.",
        "The verdict on her last action once more, in case it was lost.",
        "Who sits there.",
        "What time it is: the frames above tell the time at which they were made. No reason: the clock runs.",
        connection=ADA_AGAIN,
    )


def _end(world: World, room: int) -> None:
    """Let the clock play the last card."""
    assert world.room is not None
    world.now += 1_500
    world.hear(BOB, Act(room, BOBS_IDS[1], 2, _action(Bid(world.hand(BOB_SEAT)[0]))))
    wake_at = world.room.wake_at
    assert wake_at is not None
    world.now = wake_at + 2
    world.tell(commands.Expire())
    world.read(
        "Bob's bid came and she saw nothing of it. Then her time ran out, and the clock bid for her.",
        "The last round. Nobody is to act, so there is no deadline.",
        "Why: the deadline, and that nothing had arrived when it was judged.",
        "The ranks by seat. SHA-256 of the 16 bytes of `seed` is the commitment that she was shown at the start.",
        "The phase has changed. The room can be looked at for a while yet.",
    )


def _action(action: object) -> Raw:
    return Raw(pack(action))


def _session() -> tuple[Line, ...]:
    world = World()
    room = _enter(world)
    _begin(world, room)
    _play(world, room)
    token = next(line.message.token for line in world.lines if isinstance(line.message, Welcome))
    _come_back(world, room, token)
    _end(world, room)
    return tuple(world.lines)


SESSION = _session()
