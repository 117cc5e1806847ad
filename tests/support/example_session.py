"""The annotated session of docs/PROTOCOL.md: one connection's side of a short match of sealed bids.

The server's messages come from the real sessions and the real room, in virtual time; the remarks explain them. There is
one remark for each message, so that a change in what is sent is noticed here.
"""

from example_server import Line, World
from msgspec import Raw
from msgspec.msgpack import encode as pack
from sealed_bids import GAME, Bid, Peek

from warroom_protocol.messages import Act, Create, Hello, Join, Legal, Options, Position, Welcome
from warroom_server.room import commands

ADA, BOB, ADA_AGAIN = 1, 2, 3
"""Connections."""

ADA_SEAT, BOB_SEAT = 0, 1
TURN_MS = 30_000
CREATE_REF = 7_015_338_841_250_961
PEEK_ID, STALE_ID, BID_ID = 5_160_417_342_181_943, 1_820_911_700_246_518, 8_700_112_493_358_001
BOBS_IDS = (3_141_592_653_589_793, 2_718_281_828_459_045)


def _enter(world: World) -> int:
    """Say hello, create a room and sit down in it; return the room's number."""
    world.connect(ADA)
    world.say(
        ADA,
        Hello(1, (1,), "Ada", None, "example 1.0"),
        "The first message. No token: a new player.",
        "`player` is public. `token` is the secret that makes Ada the same player next time.",
    )
    options: Options = {"rounds": 2, "cards": 4, "peeks": 1}
    world.say(
        ADA,
        Create(CREATE_REF, GAME.info.id, 2, options, {"turn_ms": TURN_MS, "seating": "as_joined"}),
        "A room for two. The ref is random because it names the room for good: sent again, it returns the same room.",
        "The room's number, and a code that Ada can read out to Bob.",
    )
    assert world.room is not None
    world.say(
        ADA,
        Join(2, world.room.number),
        "`create` does not enter the room.",
        "Ada has seat 0. A snapshot always follows.",
        "Before the match both views are nil, both streams are at 0, and no turn is running.",
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
        "Bob has taken the last open seat on his own connection.",
        "The match begins. Seats may have been shuffled: Ada finds hers by her player id.",
        "Ada's private view comes first. `joint` is true: hold it back until update 1 is in, and show both together. "
        "The patch sets the root, the empty path.",
        "The public view, the same bytes for everyone. It begins a turn, so it has a checksum; the clock has the "
        "deadline.",
        "Ada must decide: decision 1 of her seat.",
    )


def _play(world: World, room: int) -> None:
    """Peek, be late with an old token, and bid."""
    world.say(
        ADA,
        Legal(3, room),
        "What may she do? Asking is optional.",
        "Each action can be sent in `act` as it is.",
    )
    world.now += 4_210
    world.say(
        ADA,
        Act(room, PEEK_ID, 1, _action(Peek())),
        "An action: its id is 53 random bits, and 1 is the turn token of the prompt.",
        "A peek is secret: `joint` is false, no update follows, and `p` stays 1. The steps 3 and 2 are positions among "
        "the sorted keys `bid`, `hand`, `next_prize`, `peeks`.",
        "Accepted: it is stored and applied.",
        "She still has to bid: decision 2, with the same deadline.",
    )
    world.now += 3_000
    card = world.hand(ADA_SEAT)[-1]
    world.say(
        ADA,
        Act(room, STALE_ID, 1, _action(Bid(card))),
        "A mistake: the token of decision 1, which is over.",
        "Refused, and nothing has changed.",
    )
    world.say(
        ADA,
        Act(room, BID_ID, 2, _action(Bid(card))),
        "The same action for decision 2, with a new id.",
        "Her bid is in; that is secret, too.",
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
        ADA_AGAIN,
        Hello(1, (1,), "Ada", token, "example 1.0"),
        "The connection broke. Ada opens a new one and shows her token.",
        "The same player.",
    )
    world.say(
        ADA_AGAIN,
        Join(2, room, position=Position(1, 1, 3)),
        "Back to her seat: she has applied everything up to `p` 1 and `q` 3 of life 1.",
        "No snapshot, but every frame that she missed.",
        "Bob bid while she was away, which resolved the round and changed her hand and bid.",
        "The public half. These are the bytes that she would have got at the time.",
        "Decision 3 is open. 15210 is the room time now.",
        "The verdict on her last action again, in case it was lost.",
        "Who sits there.",
        "The room time now. No reason: time runs.",
        "Nothing is offered.",
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
        "Bob's bid is secret. Then Ada's time ran out, and the clock bid for her.",
        "The last round. Nobody is to act, so there is no deadline.",
        "The receipt: the deadline, no credit, nothing arrived, and when it was judged.",
        "The ranks by seat, and the seed: its SHA-256 is the commitment that `joined` had.",
        "The phase has changed. The room stays for a while.",
    )


def _action(action: object) -> Raw:
    return Raw(pack(action))


def _session() -> tuple[Line, ...]:
    world = World({ADA: "", ADA_AGAIN: ""})
    room = _enter(world)
    _begin(world, room)
    _play(world, room)
    token = next(line.message.token for line in world.connections if isinstance(line.message, Welcome))
    _come_back(world, room, token)
    _end(world, room)
    return tuple(world.connections)


SESSION = _session()
