"""What the players of a run sent and received; times are seconds since the start of the run."""

from msgspec import Struct

from warroom_protocol.messages import Receipt


class Move(Struct):
    """An action of a bot, and its verdict."""

    id: int
    turn: int
    action: object
    sent_s: float
    judged_s: float | None = None
    code: str | None = None
    """The refusal code; None if the action was accepted or has no verdict yet."""
    receipt: Receipt | None = None
    failure: str | None = None
    """The error that came instead of a verdict."""

    @property
    def is_accepted(self) -> bool:
        """Whether the server accepted the action."""
        return self.judged_s is not None and self.code is None


class Expiry(Struct, frozen=True):
    """A time-out of any seat, as a bot saw it."""

    at_s: float
    seat: int
    receipt: Receipt


class Ending(Struct, frozen=True):
    """The end of the match, as a bot saw it."""

    at_s: float
    reason: str
    ranks: tuple[int, ...]
    chain: str
    detail: str


class SeatNotes(Struct):
    """The notes of one bot in one match."""

    player: str
    seat: int | None = None
    commitment: str | None = None
    moves: list[Move] = []
    expiries: list[Expiry] = []
    pauses: list[tuple[float, str | None]] = []
    """Times of pauses with their reason, and of their ends (None)."""
    breaks: list[float] = []
    """Times of disconnects."""
    drifts: list[float] = []
    """Times at which the client found its view to be wrong for good."""
    ending: Ending | None = None


class MatchNotes(Struct):
    """The notes of one match; a table plays several in a row."""

    table: int
    game: str
    began_s: float
    room: int | None = None
    code: str = ""
    seats: list[SeatNotes] = []
    failure: str | None = None
    """The error that ended the match early."""
    failed_s: float | None = None
    """The time of that error."""
