"""The annotated exchange of docs/PROTOCOL_REFERENCE.md: a host fills a seat with a bot that a worker brings."""

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
        "A worker, with the key in its `hello`, says what it plays and how many seats it can hold.",
        "It is registered, and `games` names its bots from now on.",
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
        "Ada, the host, wants any bot on every open seat.",
        "The worker has three seconds to claim this ticket.",
        "There is such a bot, and it was summoned.",
    )
    return next(line.message.ticket for line in world.connections if isinstance(line.message, Summon))


def _come(world: World, room: int, ticket: int) -> None:
    """Let the bot come on a connection of its own, and take the seat."""
    world.connect(BOT)
    world.say(
        BOT,
        Hello(1, (1,), "Greedy", None, "example 1.0", bot=ANY_BOT, key=world.signer.bot_key()),
        "The worker opens one connection per seat. Every bot is a player of its own, and has the key in `hello`.",
        "From here on it is a client like any other.",
    )
    world.send(BOT, Claim(2, room, ticket), "It claims the seat.")
    world.read_first(BOT, "The answer is that of `join`; a snapshot and `seats` follow.")
    world.read_first(ADA, "Everyone sees the bot. The room is full, so the match begins.")
    world.skip()


def _filling() -> tuple[Line, ...]:
    world = World({ADA: "Ada", WORKER: "worker", BOT: "bot"})
    room = _open(world)
    ticket = _fill(world, room)
    _come(world, room, ticket)
    return tuple(world.connections)


FILLING = _filling()
