"""How long somebody has been away, or a pause has lasted, as only the owner of a room knows: no log says so."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from warroom_games.api import Seat

Milliseconds: TypeAlias = Annotated[int, Meta(ge=0)]


class Elapsed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What goes along with a room that is handed over, so that the next owner begins nothing anew.

    These are lengths and no moments: room time goes back to the last entry when a room changes hands.
    """

    away: dict[Seat, Milliseconds] = {}
    """By seat, for how long those have been away who left by themselves: the clock does not wait for them."""
    paused_ms: Milliseconds = 0
    """For how long the match has been in a pause that its players agreed on."""


AFRESH: Final = Elapsed()
"""Nobody knows how long anything has lasted, so it begins now."""
