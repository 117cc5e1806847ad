"""What everybody in a run was told, noted as it came; times are seconds since the run began."""

from msgspec import Struct

from warroom_protocol.messages import Receipt


class Move(Struct):
    """An action that a bot sent, and what it was answered."""

    id: int
    turn: int
    action: object
    sent_s: float
    judged_s: float | None = None
    code: str | None = None
    """Why it was refused; None while nothing came, and when it was accepted."""
    receipt: Receipt | None = None
    failure: str | None = None
    """Why no answer came."""

    @property
    def is_accepted(self) -> bool:
        """Whether the bot was told that its action counts."""
        return self.judged_s is not None and self.code is None


class Expiry(Struct, frozen=True):
    """A time-out of any seat, as a bot was told of it."""

    at_s: float
    seat: int
    receipt: Receipt


class Ending(Struct, frozen=True):
    """How the match ended, as a bot was told."""

    at_s: float
    reason: str
    ranks: tuple[int, ...]
    chain: str
    detail: str


class SeatNotes(Struct):
    """One bot in one match."""

    player: str
    seat: int | None = None
    commitment: str | None = None
    moves: list[Move] = []
    expiries: list[Expiry] = []
    pauses: list[tuple[float, str | None]] = []
    """When the room was said to stand still and why, or (None) to go on."""
    breaks: list[float] = []
    """When the line broke."""
    drifts: list[float] = []
    """When its copy of the view was given up as wrong."""
    ending: Ending | None = None


class MatchNotes(Struct):
    """One match: a table plays several, one after the other."""

    table: int
    game: str
    began_s: float
    room: int | None = None
    code: str = ""
    seats: list[SeatNotes] = []
    failure: str | None = None
    """Why the bots could not play it to its end."""
    failed_s: float | None = None
    """When they found out."""
