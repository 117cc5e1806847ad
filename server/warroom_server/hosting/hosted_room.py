"""A room as its node holds it, and why its clock may stand still."""

from enum import Enum
from typing import Final

from msgspec.structs import replace

from warroom_games.registry import RulesVersion
from warroom_protocol import codes
from warroom_server.ports.clock import Timer
from warroom_server.ports.store import Append
from warroom_server.room.commands import Pause
from warroom_server.room.handoff_state import HandoffState
from warroom_server.room.room import Room


class Hold(Enum):
    """Why a room's clock stands still; the value is the reason that its viewers are told."""

    OUTAGE = (codes.PAUSE_STORE, "an append has no answer")
    LEASE = (codes.PAUSE_STORE, "the node's lease could not be renewed")
    RESTART = (codes.PAUSE_RESTART, "the players of a restored room are on their way back")
    EDGE = (codes.PAUSE_RESTART, "the node that some players were connected to is gone")

    @property
    def reason(self) -> str:
        """What viewers are told."""
        return self.value[0]


AWAITING: Final = frozenset({Hold.RESTART, Hold.EDGE})
"""While one of these holds, players are waited for."""


class HostedRoom:
    """One room of this node, and what the driver keeps beside it."""

    __slots__ = (
        "awaits_until",
        "empty_since",
        "epoch",
        "has_failed",
        "holds",
        "is_archived",
        "missing",
        "over_since",
        "pending",
        "room",
        "timer",
        "wake_at",
    )

    def __init__(self, room: Room, epoch: int) -> None:
        self.room = room
        self.epoch = epoch
        self.timer: Timer | None = None
        self.wake_at: int | None = None
        self.holds: frozenset[Hold] = frozenset()
        """Why the room's clock stands still; it runs when there is no reason left."""
        self.awaits_until = 0
        """Until when the clock waits for players who lost their connections through no fault."""
        self.missing: frozenset[int] = frozenset()
        """The seats at which nobody was when the clock began to wait: it does not wait for those."""
        self.pending: Append | None = None
        """What the store owes an answer to."""
        self.has_failed = False
        self.is_archived = False
        self.empty_since: int | None = None
        self.over_since: int | None = None

    @property
    def rules(self) -> RulesVersion:
        """The rules by which it is played."""
        opened = self.room.match.opened
        return opened.game, opened.rules_version

    @property
    def is_waiting(self) -> bool:
        """Whether the store owes an answer; only then can requests wait inside the room."""
        return self.pending is not None

    @property
    def absent(self) -> frozenset[int]:
        """The seats whose players still play and are not here; a bot that a worker brought comes by itself."""
        match, audience = self.room.match, self.room.audience
        if match.phase != "playing":
            return frozenset()
        seats = (seat for seat in range(len(match.seats)) if seat not in match.out)
        return frozenset(seat for seat in seats if not match.holder(seat).hired and not audience.of_seat(seat))

    @property
    def pause(self) -> Pause | None:
        """What holds the room: the first reason, in the order in which they stand above, is the one that is told."""
        why = next((why for why in Hold if why in self.holds), None)
        return None if why is None else Pause(why.reason, is_for_players=self.is_awaiting)

    @property
    def is_awaiting(self) -> bool:
        """Whether the clock stands still until players are back."""
        return not self.holds.isdisjoint(AWAITING)

    @property
    def unexpected(self) -> frozenset[int]:
        """The seats whose players are absent, and nobody waits for them: they left by themselves."""
        return self.absent & self.missing if self.is_awaiting else self.absent

    def handoff_state(self, now: int) -> HandoffState:
        """Return what the next owner has to be told; whoever is still waited for has not been away."""
        handoff_state, awaited = self.room.handoff_state(now), self.absent - self.unexpected
        return replace(handoff_state, away={seat: ms for seat, ms in handoff_state.away.items() if seat not in awaited})
