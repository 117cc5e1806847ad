"""One connection of an edge in a room that lives on another node."""

from collections import deque
from typing import Final, TypeAlias
from zlib import crc32

from msgspec.structs import replace

from warroom_protocol.messages import Position
from warroom_server.cluster import frame_heads as peek
from warroom_server.room import commands
from warroom_server.room.commands import REENTRY_REF, Entering, was_inside

AT_ONCE: Final = 16
"""Requests that a guest may have unanswered, its actions counted in."""
ACTS_AT_ONCE: Final = 256
"""With so many a guest may still act: an action must not be refused here, for it may be one that counts already."""
TOLD: Final = ACTS_AT_ONCE
"""Verdicts that are remembered, so that none is told twice: of all that could be on their way at once."""

_Key: TypeAlias = tuple[bool, int]


class Guest:
    """What the edge knows of it: where it is, what it has seen, and what it waits for."""

    __slots__ = (
        "_sent",
        "_told",
        "at",
        "connection",
        "entering",
        "has_missed",
        "heard",
        "home",
        "is_behind",
        "is_inside",
        "is_over",
        "is_playing",
        "is_stranded",
        "life",
        "not_before",
        "number",
        "owner",
        "p",
        "q",
        "room",
        "since",
        "unanswered",
        "wants_rematch",
        "was_inside",
    )

    def __init__(self, room: int, entering: Entering, *, now: int) -> None:
        self.room = room
        self.connection = entering.connection
        self.entering = entering
        """As what it is here, or wants to be."""
        self.number = -1
        """Its number on the link; another one each time it enters."""
        self.owner: str | None = None
        """The node where it is, or has asked to be; None while that is being looked for."""
        self.home: str | None = None
        """The node that it lost sight of, which may still have a room that is over and so in the store no more."""
        self.is_inside = False
        self.was_inside = False
        """Whether it has been in the room, so that coming back is the edge's affair."""
        self.since = now
        """Since when it has had no owner."""
        self.not_before = 0
        """When it may be led to an owner again that could not let it in."""
        self.is_stranded = False
        """Whether the room has no rules, as its owner says."""
        self.is_playing = self.is_over = False
        self.wants_rematch = False
        """Whether it asked for another match, and waits to be told where that is."""
        self.is_behind = False
        """Whether it sees the match some turns late, and must not learn what time it is."""
        self.has_missed = False
        """Whether it needs a snapshot when it comes back."""
        self.heard: int | None = None
        """The CRC-32 of the last line that it was told."""
        self.life = self.p = self.q = self.at = 0
        self.unanswered: dict[_Key, commands.Request] = {}
        self._sent: set[_Key] = set()
        self._told: deque[int] = deque(maxlen=TOLD)

    # --- what it asks for ---------------------------------------------------------------------------------------

    def wait(self, request: commands.Request) -> bool:
        """Let a request wait for its answer; False if too many do. One that waits already may be sent again."""
        most = ACTS_AT_ONCE if isinstance(request, commands.Act) else AT_ONCE
        if len(self.unanswered) >= most and _key(request) not in self.unanswered:
            return False
        self.unanswered[_key(request)] = request
        if isinstance(request, commands.Offer) and request.what == "rematch":
            self.wants_rematch = request.on
        return True

    def send(self, request: commands.Request) -> None:
        """Note that a request is on its way to the owner."""
        self._sent.add(_key(request))

    def has_sent(self, request: commands.Request) -> bool:
        """Whether a request is on its way to the owner, and has no answer."""
        return _key(request) in self._sent

    def unsent(self) -> list[commands.Request]:
        """Return what waits and is not on its way, in order."""
        return [request for key, request in self.unanswered.items() if key not in self._sent]

    def answered(self, ref: int | None) -> commands.Request | None:
        """Return the request that a reply answers, which waits no longer."""
        if ref is None:
            return None
        self._sent.discard((False, ref))
        return self.unanswered.pop((False, ref), None)

    def judged(self, action: int) -> bool:
        """Note the verdict on an action; return whether the client is to be told."""
        self._sent.discard((True, action))
        is_awaited = self.unanswered.pop((True, action), None) is not None
        if action in self._told:
            return is_awaited
        self._told.append(action)
        return is_awaited or not self._is_back

    @property
    def _is_back(self) -> bool:
        """Whether it was the edge that entered, so that a verdict nobody waits for is one that was told before."""
        return self.was_inside and self.entering.ref == REENTRY_REF

    @property
    def is_stranger(self) -> bool:
        """Whether nothing tells that it has ever been in the room."""
        return not self.was_inside and not was_inside(self.entering)

    @property
    def has_acted(self) -> bool:
        """Whether an action of it waits for its verdict."""
        return any(is_act for is_act, _ in self.unanswered)

    @property
    def is_content(self) -> bool:
        """Whether it has all that a match which is over had to tell it."""
        return self.is_over and not self.has_acted and not self.wants_rematch

    def take_wish(self) -> Entering | None:
        """Return what else it asked to enter with, which waits no longer."""
        wish = next((request for request in self.unanswered.values() if isinstance(request, Entering)), None)
        if wish is not None:
            del self.unanswered[_key(wish)]
        return wish

    def take_doubtful(self) -> list[commands.Request]:
        """Return the requests of which nobody knows what became, the owner being gone; they wait no longer.

        Actions go on waiting: their id makes it safe to send them again.
        """
        doubtful = [key for key in self._sent if not key[0] and key in self.unanswered]
        self._sent.clear()
        return [self.unanswered.pop(key) for key in doubtful]

    # --- what it has seen ---------------------------------------------------------------------------------------

    def saw(self, head: peek.Shown | peek.Answer, payload: bytes) -> None:
        """Take note of how far it has come with a message that is passed on."""
        match head:
            case peek.Update(p=p, clock=clock):
                self.p, self.at = p, clock.at
            case peek.Private(q=q):
                self.q = q
            case peek.Snapshot(life=life, p=p, q=q, clock=clock):
                self.life, self.p, self.q, self.at = life, p, q, clock.at
                self.has_missed = False
            case peek.Paused(at=at):
                self.at = at
            case peek.Seats(phase=phase):
                self.is_playing = phase == "playing"
            case peek.Ended():
                self.is_over = True
            case peek.Moved():
                self.wants_rematch = False
            case peek.Said():
                self.heard = crc32(payload)
            case _:
                pass

    def way_back(self, *, is_stale: bool, rtt_ms: int, is_quiet: bool = False) -> Entering:
        """Return what it enters with: its own wish, or (once it was inside) what leads it back to where it was.

        *is_quiet* says that the room is here and need not answer.
        """
        wish = self.entering
        if not self.was_inside:
            return wish if isinstance(wish, commands.Watch) else replace(wish, rtt_ms=rtt_ms)
        position = None if is_stale or self.has_missed else Position(self.life, self.p, self.q)
        if isinstance(wish, commands.Watch):
            return replace(wish, ref=REENTRY_REF, position=position, has_key=True, is_quiet=is_quiet, heard=self.heard)
        return commands.Join(
            connection=wish.connection,
            ref=REENTRY_REF,
            player=wish.player,
            name=wish.name,
            seat=None,
            seat_token=wish.seat_token,
            position=position,
            bot=wish.bot,
            has_key=True,
            rtt_ms=rtt_ms,
            is_return=True,
            is_quiet=is_quiet,
            heard=self.heard,
        )


def _key(request: commands.Request) -> _Key:
    return (True, request.id) if isinstance(request, commands.Act) else (False, request.ref)
