"""A room on its node, with the reasons to stop its clock."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from msgspec.structs import replace

from warroom_games.registry import RulesVersion
from warroom_protocol import codes
from warroom_server.ports.store import Append
from warroom_server.ports.time import Timer
from warroom_server.room.commands import Pause
from warroom_server.room.handoff_state import HandoffState
from warroom_server.room.room import Room


class Hold(Enum):
    """A reason to stop a room's clock; the value starts with the reason that viewers see."""

    OUTAGE = (codes.PAUSE_STORE, "an append has no answer")
    LEASE = (codes.PAUSE_STORE, "the node's lease could not be renewed")
    RESTART = (codes.PAUSE_RESTART, "the players of a restored room are on their way back")
    EDGE = (codes.PAUSE_RESTART, "the node that some players were connected to is gone")

    @property
    def reason(self) -> str:
        """The reason that viewers see."""
        return self.value[0]


AWAITING: Final = frozenset({Hold.RESTART, Hold.EDGE})
"""The reasons that wait for players."""


@dataclass(eq=False, slots=True)
class HostedRoom:
    """One room of this node, and what the node knows about it."""

    room: Room
    epoch: int
    timer: Timer | None = None
    wake_at: int | None = None
    has_all_moments: bool = False
    """Whether the timer covers everything that the room may want to do by itself."""
    holds: frozenset[Hold] = frozenset()
    """The reasons to stop the room's clock; it runs without any."""
    awaits_until: int = 0
    """Until when the clock waits for players who lost their connections through no fault."""
    missing: frozenset[int] = frozenset()
    """The seats for which the clock does not wait: they were empty before, or their players came back."""
    pending: tuple[Append, ...] = ()
    """The appends that the store has not answered, in order; only then can requests wait inside the room."""
    has_failed: bool = False
    is_archived: bool = False
    empty_since: int | None = None
    over_since: int | None = None

    @property
    def rules(self) -> RulesVersion:
        """The game and version of its rules."""
        opened = self.room.match.opened
        return opened.game, opened.rules_version

    @property
    def absent(self) -> frozenset[int]:
        """The seats whose players still play and are not connected, bots of workers apart, which come by themselves."""
        match, audience = self.room.match, self.room.audience
        if match.phase != "playing":
            return frozenset()
        seats = (seat for seat in range(len(match.seats)) if seat not in match.out)
        return frozenset(seat for seat in seats if not match.holder(seat).hired and not audience.of_seat(seat))

    @property
    def pause(self) -> Pause | None:
        """The pause for viewers: the first reason, in the order of `Hold`."""
        why = next((why for why in Hold if why in self.holds), None)
        return None if why is None else Pause(why.reason, is_for_players=self.is_awaiting)

    @property
    def is_awaiting(self) -> bool:
        """Whether the clock waits for players."""
        return not self.holds.isdisjoint(AWAITING)

    @property
    def unexpected(self) -> frozenset[int]:
        """The seats of absent players for whom nobody waits, because they left by themselves."""
        return self.absent & self.missing if self.is_awaiting else self.absent

    def handoff_state(self, now: int) -> HandoffState:
        """Return the state for the next owner; players who are waited for do not count as away."""
        handoff_state, awaited = self.room.handoff_state(now), self.absent - self.unexpected
        return replace(handoff_state, away={seat: ms for seat, ms in handoff_state.away.items() if seat not in awaited})
