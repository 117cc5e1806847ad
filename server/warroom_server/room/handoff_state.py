"""What holds in a room and is in no log: only its owner knows it, and tells whoever goes on with the room."""

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
    """Who is not heard."""

    silenced: Muted = ()
    """Whom the host silenced for everybody."""
    by_player: dict[PlayerId, Muted] = {}
    """By player who sits, which others who sit that player does not want to hear."""


class Terms(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What is offered in a running match."""

    offers: dict[OfferName, tuple[Seat, ...]] = {}
    draw_since: int = 0
    """The turn in which a draw was offered first."""


class HandoffState(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What goes along with a room that is handed over, so that nothing of it begins anew or is forgotten.

    Times are lengths and no moments: room time goes back to the last entry when a room changes hands.
    """

    away: dict[Seat, Milliseconds] = {}
    """By seat, for how long those have been away who left by themselves: the clock does not wait for them."""
    paused_ms: Milliseconds = 0
    """For how long the match has been in a pause that its players agreed on."""
    waited_ms: Milliseconds = 0
    """For how long the open places of a lobby have waited for people."""
    mutes: Mutes = Mutes()
    terms: Terms = Terms()


NO_HANDOFF_STATE: Final = HandoffState()
"""Nobody knows any of it, so all of it begins anew."""

_decoder: Final = Decoder(HandoffState)
encode_handoff: Final[Callable[[HandoffState], bytes]] = Encoder().encode
"""Return the bytes that the store keeps of it."""


def decode_handoff(kept: bytes) -> HandoffState:
    """Return what the owner before left; nothing if it left nothing, or what a node of another version cannot read."""
    try:
        return _decoder.decode(kept) if kept else NO_HANDOFF_STATE
    except MsgspecError:
        return NO_HANDOFF_STATE
