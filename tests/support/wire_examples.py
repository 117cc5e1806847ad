"""One example of every message, and messages at the edges of what may be sent.

The golden frames and the examples in docs/PROTOCOL.md are made from these; running `wire_documents` writes both.
"""

from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Raw, json
from msgspec.msgpack import encode
from sealed_bids import GAME as SEALED_BIDS

from warroom_games.codec import action_schema, options_schema
from warroom_games.log import RoomOptions
from warroom_protocol import codes
from warroom_protocol.canonical import checksum
from warroom_protocol.messages import (
    About,
    Act,
    ClientMessage,
    Clock,
    Create,
    Created,
    Done,
    Ended,
    Error,
    Expired,
    GameList,
    GameListing,
    Games,
    Hello,
    Join,
    Joined,
    Leave,
    Legal,
    LegalList,
    Notice,
    Paused,
    Ping,
    Pong,
    Position,
    Private,
    Prompt,
    Receipt,
    Resign,
    Resumed,
    Resync,
    RoomList,
    RoomListing,
    Rooms,
    Seats,
    SeatState,
    ServerMessage,
    Snapshot,
    Start,
    Update,
    Verdict,
    Watch,
    Welcome,
)
from warroom_protocol.rooms import room_code
from warroom_server.session.names import server_name

Direction: TypeAlias = Literal["client", "server"]


class Example(NamedTuple):
    """A message, who sends it, and a name for it; the first example of a message stands in the document."""

    name: str
    direction: Direction
    message: ClientMessage | ServerMessage


ROOM = 2_718_281_828
CODE = room_code(ROOM)
ACTION_ID = 0x0B5E_55ED_C0FF_EE
ADA, BOB = "c5xk2qj7m3vway4e", "h7dzt4o2nbgr5m3q"
IDENTITY = f"{ADA}.q8Zr1uUtB2m6Wc0yXkVbJA"
SEAT_TOKEN = f"{ADA}.Yf3nT6sQ0dLk9vGhWm2RzA"
CHAIN = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
SEED = bytes(range(16)).hex()
COMMITMENT = sha256(bytes.fromhex(SEED)).hexdigest()
ABOUT = About(
    game="sealed_bids",
    rules_version=1,
    seats=2,
    options={"rounds": 2, "cards": 4, "peeks": 1},
    room_options={"turn_ms": 30_000, "seating": "as_joined"},
    commitment=COMMITMENT,
)
TABLE = {"round": 1, "row": [2], "scores": [0, 0]}
HAND = {"hand": [1, 4], "bid": None, "peeks": 1}
CLOCK = Clock(at=0, turn=1, deadline=30_000)
IDLE = Clock(at=0, turn=0, deadline=None)
RECEIPT = Receipt(deadline=30_000, credit=0, arrived=None, judged=30_004)


def _action(**fields: object) -> Raw:
    return Raw(encode(fields))


def _client(name: str, message: ClientMessage) -> Example:
    return Example(name, "client", message)


def _server(name: str, message: ServerMessage) -> Example:
    return Example(name, "server", message)


CLIENT = (
    _client("hello", Hello(ref=1, versions=(1,), name="Ada", token=None, agent="example 1.0")),
    _client("games", Games(ref=2)),
    _client("rooms", Rooms(ref=3, game="sealed_bids")),
    _client(
        "create",
        Create(
            ref=7_015_338_841_250_961,
            game="sealed_bids",
            seats=2,
            options={"rounds": 2},
            room_options={"turn_ms": 30_000},
        ),
    ),
    _client("join", Join(ref=5, room=ROOM, seat=None, seat_token=None, position=None)),
    _client("watch", Watch(ref=6, room=ROOM, position=None)),
    _client("leave", Leave(ref=7, room=ROOM)),
    _client("start", Start(ref=8, room=ROOM)),
    _client("act", Act(room=ROOM, id=ACTION_ID, turn=1, action=_action(type="bid", card=4))),
    _client("legal", Legal(ref=9, room=ROOM)),
    _client("resync", Resync(ref=10, room=ROOM, reason=codes.VIEW_DRIFT)),
    _client("resign", Resign(ref=11, room=ROOM)),
    _client("ping", Ping(ref=12)),
)

SERVER = (
    _server("welcome", Welcome(ref=1, version=1, player=ADA, token=IDENTITY, name="Ada", server=server_name("0.1.0"))),
    _server(
        "games",
        GameList(
            ref=2,
            games=(
                GameListing(
                    game="sealed_bids",
                    name="Sealed Bids",
                    summary="Bid in secret for prizes",
                    rules_version=1,
                    min_seats=2,
                    max_seats=4,
                    usual_seats=3,
                    turn_ms=10_000,
                    complete=True,
                    options=options_schema(SEALED_BIDS),
                    actions=action_schema(SEALED_BIDS),
                ),
            ),
            room_options=json.schema(RoomOptions),
        ),
    ),
    _server(
        "rooms",
        RoomList(
            ref=3,
            rooms=(
                RoomListing(
                    room=ROOM,
                    code=CODE,
                    game="sealed_bids",
                    phase="lobby",
                    seats=2,
                    taken=1,
                    watching=0,
                    turn_ms=30_000,
                ),
            ),
        ),
    ),
    _server("created", Created(ref=7_015_338_841_250_961, room=ROOM, code=CODE)),
    _server(
        "joined",
        Joined(ref=5, room=ROOM, code=CODE, life=1, seat=0, seat_token=SEAT_TOKEN, about=ABOUT),
    ),
    _server(
        "resumed",
        Resumed(ref=5, room=ROOM, code=CODE, life=1, seat=0, seat_token=SEAT_TOKEN, about=ABOUT),
    ),
    _server(
        "snapshot",
        Snapshot(
            room=ROOM,
            life=1,
            p=1,
            q=1,
            public=TABLE,
            private=HAND,
            clock=CLOCK,
            public_sum=checksum(TABLE),
            private_sum=checksum(HAND),
        ),
    ),
    _server(
        "update",
        Update(
            room=ROOM,
            p=2,
            patch=[[["round"], 2], [["row"], 0, [1]], [["scores", 0], 2]],
            events=({"type": "resolved", "bids": [4, 3], "winner": 0},),
            clock=Clock(at=12_480, turn=2, deadline=42_480),
            sum=checksum({"round": 2, "row": [1], "scores": [2, 0]}),
        ),
    ),
    _server(
        "private",
        Private(
            room=ROOM,
            q=2,
            p=1,
            joint=False,
            patch=[[["bid"], 4]],
            events=({"type": "committed", "card": 4},),
            sum=None,
        ),
    ),
    _server("prompt", Prompt(room=ROOM, seat=0, turn=1, at=0, deadline=30_000)),
    _server("verdict", Verdict(room=ROOM, id=ACTION_ID, code=None, detail=None, p=1, q=2, receipt=None)),
    _server("expired", Expired(room=ROOM, seat=0, turn=2, receipt=RECEIPT)),
    _server(
        "legal",
        LegalList(
            ref=9,
            room=ROOM,
            turn=1,
            complete=True,
            actions=({"type": "bid", "card": 1}, {"type": "bid", "card": 4}, {"type": "peek"}),
        ),
    ),
    _server(
        "seats",
        Seats(
            room=ROOM,
            phase="playing",
            host=ADA,
            seats=(
                SeatState(seat=0, player=ADA, name="Ada", connected=True, out=False),
                SeatState(seat=1, player=BOB, name="Bob", connected=False, out=False),
            ),
            watching=3,
        ),
    ),
    _server("paused", Paused(room=ROOM, at=12_480, reason=codes.PAUSE_STORE)),
    _server("ended", Ended(room=ROOM, ranks=(1, 2), reason=codes.END_VICTORY, seed=SEED, chain=CHAIN)),
    _server("done", Done(ref=8)),
    _server(
        "notice",
        Notice(room=None, code=codes.NOTICE_DRAINING, detail=codes.NOTICES[codes.NOTICE_DRAINING]),
    ),
    _server("pong", Pong(ref=12)),
    _server("error", Error(ref=5, code=codes.ROOM_FULL, detail=codes.REFUSALS[codes.ROOM_FULL])),
)

EDGES = (
    _client("hello: an old friend", Hello(ref=0, versions=(1, 2), name="Zoë 🎲", token=IDENTITY, agent="")),
    _client("join: a second device comes back", Join(2**53 - 1, 0, 63, SEAT_TOKEN, Position(1, 2**53 - 1, 0))),
    _client("watch: resume", Watch(ref=6, room=2**32 - 1, position=Position(life=1, p=300, q=0))),
    _client("act: the largest numbers", Act(2**32 - 1, 2**53 - 1, 2**53 - 1, _action(n=2**53 - 1, m=-(2**53) + 1))),
    _client("act: the deepest action", Act(ROOM, 0, 0, _action(a=[{"b": [{"c": None}]}]))),
    _server("snapshot: nothing yet", Snapshot(ROOM, 1, 0, 0, None, None, IDLE, checksum(None), checksum(None))),
    _server("update: events only", Update(ROOM, 128, [], ({"type": "passed", "seat": 1},), IDLE, None)),
    _server("update: each kind", Update(ROOM, 3, [[[], {}], [["a"], [1]], [["a"], 1, ["é"]], [["a"]]], (), IDLE, 0)),
    _server("private: joint", Private(ROOM, 3, 2, True, [[["bid"], None], [["hand"], 1, []]], (), 2**32 - 1)),
    _server("verdict: refused", Verdict(ROOM, ACTION_ID, "act.stale", "decision 1 is over, 2 is open", 1, 2, None)),
    _server("verdict: too late", Verdict(ROOM, 7, "act.late", "too late", 1, 2, Receipt(30_000, 0, 30_003, 30_004))),
    _server("paused: it goes on", Paused(room=ROOM, at=12_480, reason=None)),
    _server("error: of the connection", Error(ref=None, code=codes.HELLO_FIRST, detail="say hello first")),
)  # fmt: skip
