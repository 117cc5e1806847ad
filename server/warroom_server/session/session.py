"""One connection's conversation, from `hello` on: who speaks, what goes where, and the rate limit."""

from typing import Final, TypeAlias

from warroom_protocol import codes, messages
from warroom_protocol.codec import decode_act, decode_client, encode
from warroom_protocol.errors import InvalidActError, VersionError, WireError
from warroom_protocol.messages import Act, Hello, Join
from warroom_protocol.names import clean_name
from warroom_protocol.versions import choose_version
from warroom_server.ports.entropy import Entropy
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Local
from warroom_server.session.effects import Close, Confirm, Errand, ErrandRequest, Reply, SessionEffect, ToRoom, Wait
from warroom_server.session.limits import COSTS, Limits
from warroom_server.session.replies import error
from warroom_server.session.signer import PLAYER_BYTES, Identity, Signer, player_id
from warroom_server.session.translation import PlainRequest, command_of

_Does: TypeAlias = list[SessionEffect]
_Request: TypeAlias = ErrandRequest | messages.Ping | Join | messages.Watch | messages.Claim | Act | PlainRequest

LOOKUPS: Final = 16
"""Seat tokens that the store checks at a time for one connection."""
CONFIRMING_MS: Final = 50
"""How long nothing is read after the first message that waits for the hello; it doubles with each further message.

So a connection says at most eight things within the hello timeout.
"""
LEAST_SECRET_REF: Final = 2**32
"""A ref below this is no 53 random bits, except once in two million times.

A client that repeats a rotation with the old token and the same ref gets the new token, so the ref is a secret too.
"""

_NO_ROOMS: Final[tuple[int, ...]] = ()
_TOO_FAST = messages.Notice(room=None, code=codes.NOTICE_RATE, detail=codes.NOTICES[codes.NOTICE_RATE])


class Meter:
    """Two token buckets of one connection, for messages and bytes. They may go into debt, which says how long to wait.

    Each bucket is kept as the moment at which it is full again, in thousandths of what a millisecond refills.
    """

    __slots__ = ("bytes", "limits", "messages")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.messages = self.bytes = 0

    def take(self, size_bytes: int, now: int, *, cost: int = 1) -> int:
        """Count one message as *cost* messages and return for how many milliseconds to read no further."""
        limits = self.limits
        messages_now, bytes_now = now * limits.messages_per_s, now * limits.bytes_per_s
        self.messages = messages = (self.messages if self.messages > messages_now else messages_now) + cost * 1000
        self.bytes = size = (self.bytes if self.bytes > bytes_now else bytes_now) + size_bytes * 1000
        messages_left = messages_now + limits.messages_burst * 1000 - messages
        bytes_left = bytes_now + limits.bytes_burst * 1000 - size
        if messages_left >= 0 and bytes_left >= 0:
            return 0
        return max(-(messages_left // limits.messages_per_s), -(bytes_left // limits.bytes_per_s), 0)


class Session:
    """What the server knows about one connection: its player and its rooms.

    It follows every room that it is *inside*, is *entering*, or has *lost*: a lost room left its node, and the
    connection is expected to enter it again. Tuples, because most connections are in one room.
    """

    __slots__ = (
        "_closed", "_early", "_entropy", "_lent", "_lookups", "_meter", "_server", "_signer",
        "_was_held", "bot", "debt_ms", "entering", "identity", "inside", "is_worker", "lost", "name",
        "viewer"
    )  # fmt: skip

    def __init__(self, connection: int, *, signer: Signer, entropy: Entropy, limits: Limits, server: str) -> None:
        self.viewer = Local(connection)
        self.identity: Identity | None = None
        """The player and token generation; None before the hello was accepted."""
        self.name = ""
        self.bot: str | None = None
        """The bot that the player claims to be."""
        self.is_worker = False
        """Whether the connection showed the key of bot workers."""
        self.entering = self.inside = self.lost = _NO_ROOMS
        self._signer = signer
        self._entropy = entropy
        self._meter = Meter(limits)
        self.debt_ms = 0
        """For how long nothing may be read after the last message."""
        self._was_held = False
        self._server = server
        self._closed = False
        self._lent: tuple[tuple[int, Identity], ...] = ()
        """Rooms, each with the other player whose seat token the connection used there."""
        self._lookups: tuple[Join, ...] = ()
        """Joins with seat tokens of other players that the store is checking."""
        self._early: list[tuple[messages.ClientMessage | WireError, int]] | None = None
        """Messages that came while the store checks the hello, each with its arrival; None at other times."""

    @property
    def player(self) -> str | None:
        """The player; None before the hello was accepted."""
        return None if self.identity is None else self.identity.player

    @property
    def identities(self) -> tuple[Identity, ...]:
        """All players that the connection acts for: its own, and those whose seat tokens it used."""
        return (() if self.identity is None else (self.identity,)) + tuple(identity for _, identity in self._lent)

    @property
    def following(self) -> frozenset[int]:
        """The rooms that the connection is in, enters or has lost."""
        return frozenset((*self.inside, *self.entering, *self.lost))

    def entered(self, room: int) -> None:
        """Note that the connection is in *room*."""
        self._leave(room)
        self.inside += (room,)

    def forget(self, room: int) -> None:
        """Note that the connection is not in *room*, and is not about to be."""
        self._leave(room)
        self._lent = tuple(lent for lent in self._lent if lent[0] != room)

    def lose(self, room: int) -> None:
        """Note that *room* left this node while the connection was in it or about to enter."""
        self._leave(room)
        self.lost += (room,)

    def _leave(self, room: int) -> None:
        self.inside = tuple(other for other in self.inside if other != room)
        self.entering = tuple(other for other in self.entering if other != room)
        self.lost = tuple(other for other in self.lost if other != room)

    def receive_act(self, message: bytes, now: int) -> Act | None:
        """Return the action in a message, which only its room has to answer; None: `receive` handles the message.

        If the action came too fast, `hold_back` says what follows.
        """
        if self.identity is None or self._early is not None or self._closed:
            return None
        act = decode_act(message)
        if act is not None:
            self.debt_ms = self._meter.take(len(message), now)
        return act

    def receive(self, message: bytes, *, now: int, arrived: int) -> list[SessionEffect]:
        """Handle one whole message that was read at *arrived*, and return the effects."""
        if self._closed:
            return []
        request = _read(message)
        # By *now*: delayed messages keep their time of arrival, by which the buckets would never refill.
        self.debt_ms = self._meter.take(len(message), now, cost=COSTS.get(type(request), 1))
        if self._early is not None:
            self._early.append((request, arrived))
            return [Wait(max(self.debt_ms, CONFIRMING_MS << len(self._early) - 1))]
        effects = self._answer(request, arrived)
        return [*effects, *self.hold_back()] if self.debt_ms and not self._closed else effects

    def hold_back(self) -> list[SessionEffect]:
        """Read nothing for a while, and tell the client once why it is slowed down."""
        said: _Does = [] if self._was_held else [Reply(encode(_TOO_FAST))]
        self._was_held = True
        return [*said, Wait(self.debt_ms)]

    def _answer(self, request: messages.ClientMessage | WireError, arrived: int) -> _Does:
        if isinstance(request, WireError):
            return self._wrong(request, arrived)
        if isinstance(request, Hello):
            return self._hello(request)
        if self.identity is None:
            ref = None if isinstance(request, Act) else request.ref
            return self._close(codes.CLOSE_HELLO, error(ref, codes.HELLO_FIRST))
        return self._serve(request, self.identity, arrived)

    def _wrong(self, problem: WireError, arrived: int) -> _Does:
        if isinstance(problem, InvalidActError) and self.identity is not None:
            # Only the room knows whether the id of the action has a verdict already.
            invalid = commands.Act(self.viewer, problem.id, 0, b"", arrived, problem=problem.detail)
            return [ToRoom(problem.room, invalid)]
        said = error(problem.ref, problem.code, problem.detail)
        close_code = problem.close_code
        if close_code is None and self.player is None:
            close_code = codes.CLOSE_HELLO
        return [Reply(said)] if close_code is None else self._close(close_code, said, problem.close_reason)

    def _close(self, code: int, said: bytes, reason: str = "") -> _Does:
        self._closed = True
        return [Reply(said), Close(code, reason or codes.CLOSES[code])]

    # --- hello ----------------------------------------------------------------------------------------------------

    def _hello(self, hello: Hello) -> _Does:
        if self.identity is not None:
            return [Reply(error(hello.ref, codes.HELLO_AGAIN))]
        try:
            choose_version(hello.versions)
        except VersionError as problem:
            return self._close(codes.CLOSE_VERSION, error(hello.ref, problem.code, problem.detail), problem.detail)
        if hello.key is not None and not self._signer.is_bot_key(hello.key):
            return self._close(codes.CLOSE_HELLO, error(hello.ref, codes.HELLO_KEY))
        if hello.token is None:
            return self._welcome(hello, Identity(player_id(self._entropy.bytes(PLAYER_BYTES))))
        if hello.rotate and hello.ref < LEAST_SECRET_REF:
            guessable = f"a hello that rotates needs a ref of 53 random bits, and {hello.ref} can be guessed"
            return self._close(codes.CLOSE_HELLO, error(hello.ref, codes.MESSAGE_INVALID, guessable))
        identity = self._signer.identity_of(hello.token)
        if identity is None:
            return self._close(codes.CLOSE_HELLO, error(hello.ref, codes.HELLO_TOKEN))
        self._early = []
        return [Confirm(identity, hello)]

    def confirmed(self, asked: Confirm, *, is_valid: bool) -> list[SessionEffect]:
        """Continue once it is known whether a token is of its player's latest generation."""
        if self._closed:
            return []
        if isinstance(asked.of, Join):
            self._end_lookup(asked.of)
            return self._join_as(asked.of, asked.identity) if is_valid else [_wrong_seat_token(asked.of)]
        early, self._early = self._early, None
        if not is_valid:
            return self._close(codes.CLOSE_HELLO, error(asked.of.ref, codes.HELLO_TOKEN))
        generation = asked.identity.generation + asked.of.rotate
        effects = self._welcome(asked.of, Identity(asked.identity.player, generation))
        for request, arrived in early or ():
            effects += [] if self._closed else self._answer(request, arrived)
        return effects

    def unconfirmed(self, asked: Confirm, code: str) -> list[SessionEffect]:
        """Refuse with *code* because a token cannot be checked, unless it was checked meanwhile."""
        if isinstance(asked.of, Join) and not self._closed and self._end_lookup(asked.of):
            return [Reply(error(asked.of.ref, code))]
        if isinstance(asked.of, Hello) and self._early is not None:
            return self._close(codes.CLOSE_INTERNAL, error(asked.of.ref, code))
        return []

    def _end_lookup(self, join: Join) -> bool:
        """Note that a join is no longer checked; return whether it was."""
        if join not in self._lookups:
            return False
        at = self._lookups.index(join)
        self._lookups = self._lookups[:at] + self._lookups[at + 1 :]
        return True

    def _welcome(self, hello: Hello, identity: Identity) -> _Does:
        self.identity = identity
        self.name = clean_name(hello.name, fallback=f"Player {identity.player[:4]}")
        self.bot = None if hello.bot is None else clean_name(hello.bot, fallback="bot")
        self.is_worker = hello.key is not None
        welcome = messages.Welcome(
            ref=hello.ref,
            version=choose_version(hello.versions),
            player=identity.player,
            token=self._signer.identity_token(identity),
            name=self.name,
            server=self._server,
        )
        return [Reply(encode(welcome))]

    # --- requests -------------------------------------------------------------------------------------------------

    def _serve(self, request: _Request, identity: Identity, arrived: int) -> _Does:
        match request:
            case Act():
                action = commands.Act(self.viewer, request.id, request.turn, bytes(request.action), arrived)
                return [ToRoom(request.room, action)]
            case messages.Ping():
                return [Reply(encode(messages.Pong(request.ref)))]
            case messages.Work() | messages.Claim() if not self.is_worker:
                return [Reply(error(request.ref, codes.CLAIM_WORKERS))]
            case Join():
                return self._join(request, identity)
            case messages.Watch():
                return self._enter(request.ref, request.room, self._watch(request, identity))
            case messages.Claim():
                return self._enter(request.ref, request.room, self._claim(request, identity))
            case _ if isinstance(request, ErrandRequest):
                has_key = isinstance(request, messages.Replay) and self._signer.is_room_key(request.room, request.key)
                return [Errand(request, identity.player, has_key)]
            case _:
                return [ToRoom(request.room, command_of(request, self.viewer, identity.player, self.name))]

    def _join(self, join: Join, identity: Identity) -> _Does:
        if join.seat_token is None:
            return self._join_as(join, identity)
        holder = self._signer.seat_holder(join.room, join.seat_token)
        if holder == identity:
            return self._join_as(join, identity)
        if holder is None or holder.player == identity.player:
            return [_wrong_seat_token(join)]
        if len(self._lookups) >= LOOKUPS:
            return [Reply(error(join.ref, codes.ROOM_BUSY))]
        self._lookups += (join,)
        return [Confirm(holder, join)]

    def _join_as(self, join: Join, identity: Identity) -> _Does:
        command = commands.Join(
            viewer=self.viewer,
            ref=join.ref,
            player=identity.player,
            name=self.name,
            seat=join.seat,
            seat_token=self._signer.seat_token(join.room, identity),
            position=join.position,
            bot=self.bot,
            has_key=self._signer.is_room_key(join.room, join.key),
        )
        effects = self._enter(join.ref, join.room, command)
        if identity != self.identity and join.room in self.following:
            self._lent = (*(lent for lent in self._lent if lent[0] != join.room), (join.room, identity))
        return effects

    def _enter(self, ref: int, room: int, command: commands.Request) -> _Does:
        if room not in self.following:
            if len(self.following) >= (limit := self._meter.limits.rooms_per_connection):
                return [Reply(error(ref, codes.ROOM_LIMIT, f"a connection may follow {limit} rooms"))]
            self.entering += (room,)
        return [ToRoom(room, command)]

    def _watch(self, watch: messages.Watch, identity: Identity) -> commands.Watch:
        has_key = self._signer.is_room_key(watch.room, watch.key)
        return commands.Watch(self.viewer, watch.ref, watch.position, identity.player, self.name, has_key)

    def _claim(self, claim: messages.Claim, identity: Identity) -> commands.Claim:
        token, bot = self._signer.seat_token(claim.room, identity), self.bot or "bot"
        return commands.Claim(self.viewer, claim.ref, identity.player, self.name, claim.ticket, token, bot=bot)


def _read(message: bytes) -> messages.ClientMessage | WireError:
    try:
        return decode_client(message)
    except WireError as problem:
        return problem


def _wrong_seat_token(join: Join) -> Reply:
    return Reply(error(join.ref, codes.SEAT_TOKEN))
