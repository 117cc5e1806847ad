"""What holds in a room and is in no log: only its owner knows it, and tells whoever goes on with the room."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from warroom_games.api import Seat

Milliseconds: TypeAlias = Annotated[int, Meta(ge=0)]


class Unwritten(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What goes along with a room that is handed over, so that nothing of it begins anew.

    Times are lengths and no moments: room time goes back to the last entry when a room changes hands.
    """

    away: dict[Seat, Milliseconds] = {}
    """By seat, for how long those have been away who left by themselves: the clock does not wait for them."""
    paused_ms: Milliseconds = 0
    """For how long the match has been in a pause that its players agreed on."""


AFRESH: Final = Unwritten()
"""Nobody knows any of it, so all of it begins anew."""
