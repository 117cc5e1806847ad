"""One example of every message from the server."""

from example_cast import (
    ABOUT,
    ACTION_ID,
    ADA,
    BOB,
    CHAIN,
    CLOCK,
    CODE,
    CREATE_REF,
    GAME,
    HAND,
    IDENTITY,
    NEXT_ROOM,
    PLAYERS,
    RECEIPT,
    ROOM,
    SEAT_TOKEN,
    SEED,
    TABLE,
    TICKET,
    from_server,
)
from sealed_bids import GAME as SEALED_BIDS

from warroom_games.log import RoomOptions
from warroom_games.schemas import action_schema, options_schema, schema_of
from warroom_protocol import codes
from warroom_protocol.canonical import checksum
from warroom_protocol.messages import (
    Clock,
    Created,
    Done,
    Ended,
    Error,
    Expired,
    GameList,
    GameListing,
    Joined,
    LegalList,
    Listed,
    MatchList,
    MatchSummary,
    Moved,
    Notice,
    Offers,
    Paused,
    Pong,
    Private,
    Prompt,
    RankingList,
    Rated,
    ReplayPart,
    Resumed,
    RoomList,
    RoomListing,
    Said,
    Seats,
    SeatState,
    Snapshot,
    Summon,
    Update,
    Verdict,
    Welcome,
)
from warroom_protocol.names import server_name
from warroom_protocol.rooms import room_code

SERVER = (
    from_server(
        "welcome", Welcome(ref=1, version=1, player=ADA, token=IDENTITY, name="Ada", server=server_name("0.1.0"))
    ),
    from_server(
        "games",
        GameList(
            ref=2,
            games=(
                GameListing(
                    game=GAME,
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
                    has_draws=False,
                    bots=("greedy",),
                ),
            ),
            room_options=schema_of(RoomOptions),
        ),
    ),
    from_server(
        "rooms",
        RoomList(
            ref=3,
            rooms=(
                RoomListing(
                    room=ROOM,
                    code=CODE,
                    game=GAME,
                    phase="lobby",
                    seats=2,
                    taken=1,
                    watching=0,
                    turn_ms=30_000,
                    players=PLAYERS[:1],
                    watch="public",
                    delay=0,
                    rated=True,
                ),
            ),
        ),
    ),
    from_server("listed", Listed(rooms=(), gone=(ROOM,))),
    from_server("created", Created(ref=CREATE_REF, room=ROOM, code=CODE, key=None)),
    from_server(
        "joined",
        Joined(ref=5, room=ROOM, code=CODE, life=1, seat=0, seat_token=SEAT_TOKEN, about=ABOUT),
    ),
    from_server(
        "resumed",
        Resumed(ref=5, room=ROOM, code=CODE, life=1, seat=0, seat_token=SEAT_TOKEN, about=ABOUT),
    ),
    from_server(
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
    from_server(
        "update",
        Update(
            room=ROOM,
            p=2,
            patch=[[[0], 2], [[1], 0, [1]], [[2, 0], 2]],
            events=({"type": "resolved", "bids": [4, 3], "winner": 0},),
            clock=Clock(at=12_480, turn=2, deadline=42_480),
            sum=checksum({"round": 2, "row": [1], "scores": [2, 0]}),
        ),
    ),
    from_server(
        "private",
        Private(
            room=ROOM,
            q=2,
            p=1,
            joint=False,
            patch=[[[0], 4]],
            events=({"type": "committed", "card": 4},),
            sum=None,
        ),
    ),
    from_server("prompt", Prompt(room=ROOM, seat=0, turn=1, at=0, deadline=30_000)),
    from_server("verdict", Verdict(room=ROOM, id=ACTION_ID, code=None, detail=None, p=1, q=2, receipt=None)),
    from_server("expired", Expired(room=ROOM, seat=0, turn=2, receipt=RECEIPT, acted=False, left=2)),
    from_server(
        "legal",
        LegalList(
            ref=9,
            room=ROOM,
            turn=1,
            complete=True,
            actions=({"type": "bid", "card": 1}, {"type": "bid", "card": 4}, {"type": "peek"}),
            notes=("", "", "1 of 2 looks"),
        ),
    ),
    from_server(
        "seats",
        Seats(
            room=ROOM,
            phase="playing",
            host=ADA,
            seats=(
                SeatState(seat=0, player=ADA, name="Ada", connected=True, out=False),
                SeatState(
                    seat=1, player=BOB, name="Bob", connected=False, out=False, bot="greedy", stood_in=True, grace=None
                ),
            ),
            watching=3,
        ),
    ),
    from_server("paused", Paused(room=ROOM, at=12_480, reason=codes.PAUSE_AGREED, left_ms=300_000)),
    from_server("offers", Offers(room=ROOM, offers=(("draw", (1,)), ("pause", (0, 1))))),
    from_server("said", Said(room=ROOM, at=12_480, player=ADA, name="Ada", seat=0, text="Good luck!")),
    from_server("moved", Moved(room=ROOM, to=NEXT_ROOM, code=room_code(NEXT_ROOM), key=None)),
    from_server(
        "ended",
        Ended(room=ROOM, ranks=(1, 2), reason=codes.END_VICTORY, seed=SEED, chain=CHAIN, detail="", rated=True),
    ),
    from_server(
        "matches",
        MatchList(
            ref=19,
            matches=(
                MatchSummary(
                    room=ROOM,
                    code=CODE,
                    game=GAME,
                    rules_version=1,
                    players=PLAYERS,
                    ranks=(1, 2),
                    reason=codes.END_VICTORY,
                    ended_ms=1_800_000_042_480,
                    turns=2,
                    rated=True,
                ),
            ),
        ),
    ),
    from_server("replay", ReplayPart(ref=20, room=ROOM, offset=0, size=345, data=b"WARROOM\n\x01\x92\xc4\x20")),
    from_server(
        "ranking",
        RankingList(
            ref=21,
            game=GAME,
            size=214,
            players=(
                Rated(
                    place=1, player=ADA, name="Ada", bot=None, score=21_406, skill=27_853, uncertainty=2_149, matches=40
                ),
            ),
        ),
    ),
    from_server("summon", Summon(room=ROOM, ticket=TICKET, game=GAME, bot="greedy")),
    from_server("done", Done(ref=8)),
    from_server(
        "notice",
        Notice(room=None, code=codes.NOTICE_DRAINING, detail=codes.NOTICES[codes.NOTICE_DRAINING]),
    ),
    from_server("pong", Pong(ref=12)),
    from_server("error", Error(ref=5, code=codes.ROOM_FULL, detail=codes.REFUSALS[codes.ROOM_FULL])),
)
