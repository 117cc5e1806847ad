"""The state of a room that is not in its log. Its owner hands it over to the next one."""

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, MsgspecError, Struct
from msgspec.msgpack import Decoder, Encoder

from warroom_games.api import Seat
from warroom_protocol.messages import OfferName, PlayerId

MUTED: Final = 64
"""How many people one viewer may mute, and the host for everybody."""

Milliseconds: TypeAlias = Annotated[int, Meta(ge=0)]
Muted: TypeAlias = Annotated[tuple[PlayerId, ...], Meta(max_length=MUTED)]


class Mutes(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The mutes of a room."""

    silenced: Muted = ()
    """Players whom the host muted for everybody."""
    by_player: dict[PlayerId, Muted] = {}
    """By seated player, the other seated players that it muted."""


class Terms(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The offers of a running match."""

    offers: dict[OfferName, tuple[Seat, ...]] = {}
    draw_since: int = 0
    """The turn in which a draw was first offered."""


class HandoffState(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The state that a room keeps when it changes owners.

    Times are durations and not moments, because room time goes back to the last entry when a room changes owners.
    """

    away: dict[Seat, Milliseconds] = {}
    """By seat, how long a player who left has been away. The node does not wait for these players."""
    paused_ms: Milliseconds = 0
    """How long an agreed pause has lasted."""
    waited_ms: Milliseconds = 0
    """How long the open places of a lobby have waited for people."""
    mutes: Mutes = Mutes()
    terms: Terms = Terms()


NO_HANDOFF_STATE: Final = HandoffState()
"""The state of a room whose last owner handed nothing over."""

_decoder: Final = Decoder(HandoffState)
encode_handoff: Final[Callable[[HandoffState], bytes]] = Encoder().encode
"""Return the bytes that the store keeps."""


def decode_handoff(kept: bytes) -> HandoffState:
    """Return the state that the last owner left; none if it is missing or of another version."""
    try:
        return _decoder.decode(kept) if kept else NO_HANDOFF_STATE
    except MsgspecError:
        return NO_HANDOFF_STATE
