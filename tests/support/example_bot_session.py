"""The second annotated exchange of docs/PROTOCOL.md: a person fills up with a bot that a worker brings."""

from example_server import ANY_BOT, Line, World
from sealed_bids import GAME

from warroom_protocol.messages import Claim, Create, Fill, Hello, Join, Plays, Summon, Work

ADA, WORKER, BOT = 1, 2, 3
"""Connections."""


def _open(world: World) -> int:
    """Let a worker and Ada come, and Ada sit down in a room for two; return its number."""
    world.connect(WORKER)
    world.hear(WORKER, Hello(1, (1,), "worker", None, "example 1.0", key=world.signer.bot_key()))
    world.skip()
    world.say(
        WORKER,
        Work(2, (Plays(GAME.info.id, (ANY_BOT,)),), 16),
        "A worker, which showed the operator's key in `hello`, says what it plays, and for how many seats at a time.",
        "It is on the list, and `games` names its bots from now on.",
    )
    world.connect(ADA)
    world.hear(ADA, Hello(1, (1,), "Ada", None, "example 1.0"))
    world.hear(ADA, Create(7_015_338_841_250_961, GAME.info.id, 2, {}, {"seating": "as_joined"}))
    assert world.room is not None
    world.hear(ADA, Join(2, world.room.number))
    world.skip()
    return world.room.number


def _fill(world: World, room: int) -> int:
    """Let Ada ask for bots; return the ticket that the worker is sent."""
    world.say(
        ADA,
        Fill(3, room),
        "Ada, who is the host, wants a bot on every open seat, whichever there is.",
        "The seat has a ticket. The worker has three seconds to come with it; nobody waits for it longer.",
        "There is such a bot, and it was sent for.",
    )
    return next(line.message.ticket for line in world.connections if isinstance(line.message, Summon))


def _come(world: World, room: int, ticket: int) -> None:
    """Let the bot come on a connection of its own, and take the seat."""
    world.connect(BOT)
    world.say(
        BOT,
        Hello(1, (1,), "Greedy", None, "example 1.0", bot=ANY_BOT, key=world.signer.bot_key()),
        "The worker opens one connection for each seat. Every bot is a player of its own, and shows the key again.",
        "From here on it is a client like any other.",
    )
    world.send(BOT, Claim(2, room, ticket), "It claims the seat.")
    world.read_first(BOT, "A claim is answered like a `join`; a snapshot and `seats` follow.")
    world.read_first(ADA, "All see who came. The room is full now, so the match begins, as in the session above.")
    world.skip()


def _filling() -> tuple[Line, ...]:
    world = World({ADA: "Ada", WORKER: "worker", BOT: "bot"})
    room = _open(world)
    ticket = _fill(world, room)
    _come(world, room, ticket)
    return tuple(world.connections)


FILLING = _filling()
