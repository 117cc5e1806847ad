"""The annotated session of docs/PROTOCOL.md: one connection's side of a short match of sealed bids.

Views, patches, events and checksums come from the game itself; the remarks explain them.
"""

from hashlib import sha256
from typing import Any, NamedTuple

from msgspec import Raw, to_builtins
from msgspec.msgpack import encode
from sealed_bids import GAME, Bid, Options, Peek, State
from wire_examples import ADA, BOB, CHAIN, CODE, IDENTITY, ROOM, SEAT_TOKEN, Direction

from warroom_games.rng import Rng
from warroom_protocol import codes
from warroom_protocol.canonical import checksum
from warroom_protocol.messages import (
    About,
    Act,
    ClientMessage,
    Clock,
    Create,
    Created,
    Ended,
    Expired,
    Hello,
    Join,
    Joined,
    Legal,
    LegalList,
    Position,
    Private,
    Prompt,
    Receipt,
    Resumed,
    Seats,
    SeatState,
    ServerMessage,
    Snapshot,
    Update,
    Verdict,
    Welcome,
)
from warroom_protocol.patches import diff

ADA_SEAT, BOB_SEAT = 0, 1
SEED = bytes(range(16))
OPTIONS = Options(rounds=2, cards=4, peeks=1)
TURN_MS = 30_000
ABOUT = About(
    game=GAME.info.id,
    rules_version=GAME.info.rules_version,
    seats=2,
    options=to_builtins(OPTIONS),
    room_options={"turn_ms": TURN_MS, "seating": "as_joined"},
    commitment=sha256(SEED).hexdigest(),
)
CREATE_REF = 7_015_338_841_250_961
PEEK_ID, STALE_ID, BID_ID = 5_160_417_342_181_943, 1_820_911_700_246_518, 8_700_112_493_358_001


class Line(NamedTuple):
    """One message of the session, and what a reader should notice about it."""

    direction: Direction
    message: ClientMessage | ServerMessage
    remark: str


class Script:
    """The lines so far, and the match as the server knows it."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.state: State | None = None
        self.p = self.q = 0
        self.at, self.turn, self.deadline = 0, 0, 0

    def client(self, message: ClientMessage, remark: str) -> None:
        self.lines.append(Line("client", message, remark))

    def server(self, message: ServerMessage, remark: str) -> None:
        self.lines.append(Line("server", message, remark))

    def step(self, state: State, events: tuple[Any, ...], *, at: int, remarks: tuple[str, str]) -> None:
        """Go on to *state* and show it as a room does: the private step, then the public one."""
        old, self.state, self.at = self.state, state, at
        began = old is None or GAME.turn(state) != self.turn
        if began:
            self.turn, self.deadline = GAME.turn(state), at + TURN_MS
        public = diff(old and GAME.public(old), GAME.public(state))
        private = diff(old and GAME.private(old, ADA_SEAT), GAME.private(state, ADA_SEAT))
        shown = tuple(event.public for event in events if event.public is not None)
        own = tuple(view for event in events for seat, view in event.private if seat == ADA_SEAT)
        joint = bool(public or shown)
        self.p += joint
        if private or own:
            self.q += 1
            total = checksum(GAME.private(state, ADA_SEAT)) if began else None
            self.server(Private(ROOM, self.q, self.p, joint, private, own, total), remarks[0])
        if joint:
            total = checksum(GAME.public(state)) if began else None
            clock = Clock(at, self.turn, self.deadline if GAME.to_act(state) else None)
            self.server(Update(ROOM, self.p, public, shown, clock, total), remarks[1])


def _seats(phase: str, *, bob: bool) -> Seats:
    players = (
        SeatState(ADA_SEAT, ADA, "Ada", connected=True, out=False),
        SeatState(BOB_SEAT, BOB if bob else None, "Bob" if bob else "", connected=bob, out=False),
    )
    return Seats(ROOM, phase, ADA, players, watching=0)


def _raw(action: object) -> Raw:
    return Raw(encode(action))


def _enter(script: Script) -> None:
    """Say hello, create a room and sit down in it."""
    script.client(Hello(1, (1,), "Ada", None, "example 1.0"), "The first message. No token: a new player.")
    script.server(
        Welcome(1, 1, ADA, IDENTITY, "Ada", "warroom 0.1.0"),
        "Version 1 was chosen. `player` is public; `token` is the secret that makes Ada the same player next time.",
    )
    options = {"rounds": 2, "cards": 4, "peeks": 1}
    create = Create(CREATE_REF, GAME.info.id, 2, options, {"turn_ms": TURN_MS, "seating": "as_joined"})
    script.client(
        create,
        "A room for two. Its ref is random, because a player's ref names one room: if no answer came, Ada would send "
        "the same bytes again and get the same room.",
    )
    script.server(Created(CREATE_REF, ROOM, CODE), "The room has a number, and a code that she can read out to Bob.")
    script.client(Join(3, ROOM), "Creating is not sitting down. Fields at the end that have a default may be left nil.")
    script.server(Joined(3, ROOM, CODE, 1, ADA_SEAT, SEAT_TOKEN, ABOUT), "She has seat 0. A snapshot always follows.")
    nothing = checksum(None)
    script.server(
        Snapshot(ROOM, 1, 0, 0, None, None, Clock(0, 0, None), nothing, nothing),
        "Before the match both views are nil, both streams stand at 0 and no clock runs.",
    )
    script.server(_seats("lobby", bob=False), "Seat 1 is open. The latest `seats` holds.")


def _begin(script: Script) -> None:
    """Let Bob sit down, which starts the match."""
    script.server(
        _seats("playing", bob=True), "Bob took the last open seat on his own connection, so the match begins."
    )
    script.step(
        GAME.setup(2, OPTIONS, Rng(SEED)),
        (),
        at=0,
        remarks=(
            "Ada's own part comes first. `joint` says: keep it back until update `p` 1 is in, then show both at once. "
            "The patch sets the root, the empty path.",
            "The public part, the same bytes for everybody. It begins a turn, so it carries a checksum, and the clock "
            "says until when: room time 30000.",
        ),
    )
    script.server(Prompt(ROOM, ADA_SEAT, 1, 0, script.deadline), "Ada is asked: decision 1 of her seat.")


def _play(script: Script) -> None:
    """Peek, be late with an old token, and bid."""
    script.client(Legal(4, ROOM), "What may she do? Asking is optional.")
    assert script.state is not None
    legal = tuple(to_builtins(action) for action in GAME.legal_actions(script.state, ADA_SEAT))
    script.server(LegalList(4, ROOM, 1, True, legal), "Each one can be sent as it is in `act`.")

    script.client(
        Act(ROOM, PEEK_ID, 1, _raw(Peek())), "An action: 53 random bits name it, `turn` is the prompt's token."
    )
    peeked = GAME.apply(script.state, ADA_SEAT, Peek())
    script.step(
        peeked.state,
        peeked.events,
        at=4_210,
        remarks=("Nobody else may notice a peek: not `joint`, no update follows, and `p` stays 1.", ""),
    )
    script.server(Verdict(ROOM, PEEK_ID, None, None, 1, 2, None), "Accepted: it is stored and applied.")
    script.server(Prompt(ROOM, ADA_SEAT, 2, 4_210, script.deadline), "She still has to bid: decision 2, same deadline.")

    card = script.state.secrets[ADA_SEAT].hand[-1]
    script.client(Act(ROOM, STALE_ID, 1, _raw(Bid(card))), "A mistake: the token of decision 1, which is over.")
    script.server(
        Verdict(ROOM, STALE_ID, codes.ACT_STALE, codes.REFUSALS[codes.ACT_STALE], 1, 2, None),
        "Refused, and nothing has changed.",
    )
    script.client(Act(ROOM, BID_ID, 2, _raw(Bid(card))), "The same action for decision 2, under a new id.")
    bid = GAME.apply(peeked.state, ADA_SEAT, Bid(card))
    script.step(bid.state, bid.events, at=9_875, remarks=("Her bid is in; that too is hers alone to know.", ""))
    script.server(Verdict(ROOM, BID_ID, None, None, 1, 3, None), "Accepted. No prompt: she has nothing to decide now.")


def _come_back(script: Script) -> None:
    """Lose the connection, miss a step, and resume."""
    script.client(
        Hello(1, (1,), "Ada", IDENTITY, "example 1.0"),
        "The connection broke. On a new one Ada shows her token. Refs start again as she likes.",
    )
    script.server(Welcome(1, 1, ADA, IDENTITY, "Ada", "warroom 0.1.0"), "The same player.")
    script.client(
        Join(2, ROOM, position=Position(1, 1, 3)),
        "Back to her seat: she has seen life 1 up to `p` 1 and `q` 3.",
    )
    script.server(
        Resumed(2, ROOM, CODE, 1, ADA_SEAT, SEAT_TOKEN, ABOUT),
        "`resumed`, not `joined`: no snapshot, but every frame she missed.",
    )
    assert script.state is not None
    bid = GAME.apply(script.state, BOB_SEAT, Bid(script.state.secrets[BOB_SEAT].hand[0]))
    script.step(
        bid.state,
        bid.events,
        at=12_480,
        remarks=(
            "Bob bid while she was away, which resolved the round. Her hand and bid changed with it,",
            "and this is the public half. These are the bytes she would have got at the time.",
        ),
    )
    script.server(_seats("playing", bob=True), "Who sits there, as whenever somebody comes in.")
    script.server(Verdict(ROOM, BID_ID, None, None, 1, 3, None), "The verdict on her last action, once more.")
    script.server(Prompt(ROOM, ADA_SEAT, 3, 12_480, script.deadline), "And what is open: decision 3.")


def _end(script: Script) -> None:
    """Let the clock play the last card."""
    assert script.state is not None
    waiting = GAME.apply(script.state, BOB_SEAT, Bid(script.state.secrets[BOB_SEAT].hand[0]))
    default = GAME.default_action(waiting.state, ADA_SEAT)
    last = GAME.apply(waiting.state, ADA_SEAT, default)
    script.state = waiting.state
    script.step(
        last.state,
        last.events,
        at=script.deadline + 3,
        remarks=(
            "Bob's bid came and she saw nothing of it. Then her time ran out and the clock bid for her.",
            "The last round. Nobody is to act, so there is no deadline.",
        ),
    )
    receipt = Receipt(script.deadline, 0, None, script.deadline + 3)
    script.server(
        Expired(ROOM, ADA_SEAT, 3, receipt), "Why: the deadline, and that nothing had arrived when it was judged."
    )
    result = GAME.result(last.state)
    assert result is not None
    script.server(
        Ended(ROOM, result.ranks, result.reason, SEED.hex(), CHAIN),
        "The ranks by seat. SHA-256 of the 16 bytes of `seed` is the commitment she was shown at the start.",
    )


def _session() -> tuple[Line, ...]:
    script = Script()
    for scene in (_enter, _begin, _play, _come_back, _end):
        scene(script)
    return tuple(script.lines)


SESSION = _session()
