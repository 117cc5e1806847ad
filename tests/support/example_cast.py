"""The cast of the examples in docs/PROTOCOL_REFERENCE.md: two players, a bot, a room, its views and its clock."""

from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Raw, to_builtins
from msgspec.msgpack import encode

from warroom_games.log import RoomOptions
from warroom_protocol.messages import About, ClientMessage, Clock, ListedPlayer, Receipt, ServerMessage
from warroom_protocol.rooms import room_code

Direction: TypeAlias = Literal["client", "server"]


class Example(NamedTuple):
    """A message, who sends it, and a name for it; the first example of a message stands in the document."""

    name: str
    direction: Direction
    message: ClientMessage | ServerMessage


GAME = "sealed_bids"
ROOM, NEXT_ROOM = 2_718_281_828, 3_141_592_653
CODE = room_code(ROOM)
ROOM_KEY = "k3v5rm2a"
CREATE_REF = 7_015_338_841_250_961
ACTION_ID = 0x0B5E_55ED_C0FF_EE
TICKET = 86_400_017
ADA, BOB, BOT = "c5xk2qj7m3vway4e", "h7dzt4o2nbgr5m3q", "x2m6p4qd7rjh3wka"
IDENTITY = f"{ADA}.0.q8Zr1uUtB2m6Wc0yXkVbJA"
SEAT_TOKEN = f"{ADA}.0.Yf3nT6sQ0dLk9vGhWm2RzA"
BOT_KEY = "Jx0bq4T9vKpW2sYc7LmA1g"
CHAIN = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
SEED = bytes(range(16)).hex()
COMMITMENT = sha256(bytes.fromhex(SEED)).hexdigest()
ABOUT = About(
    game=GAME,
    rules_version=1,
    seats=2,
    options={"rounds": 2, "cards": 4, "peeks": 1},
    room_options=to_builtins(RoomOptions(turn_ms=30_000, seating="as_joined")),
    commitment=COMMITMENT,
)
PLAYERS = (ListedPlayer(player=ADA, name="Ada", bot=None), ListedPlayer(player=BOT, name="Greedy", bot="greedy"))
TABLE = {"round": 1, "row": [2], "scores": [0, 0]}
HAND = {"hand": [1, 4], "bid": None, "peeks": 1}
CLOCK = Clock(at=0, turn=1, deadline=30_000)
IDLE = Clock(at=0, turn=0, deadline=None)
RECEIPT = Receipt(deadline=30_000, credit=60, arrived=None, judged=30_064)


def action(**fields: object) -> Raw:
    """Return an action as it stands in `act`."""
    return Raw(encode(fields))


def from_client(name: str, message: ClientMessage) -> Example:
    """Return an example that a client sends."""
    return Example(name, "client", message)


def from_server(name: str, message: ServerMessage) -> Example:
    """Return an example that the server sends."""
    return Example(name, "server", message)
