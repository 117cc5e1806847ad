"""Messages about a match that need nothing but the match."""

import msgspec

from warroom_games.api import Seat
from warroom_games.log import commitment
from warroom_games.match import Match
from warroom_protocol.messages import About, Ended, Prompt


def about(match: Match) -> About:
    """Return what never changes about a room."""
    opened = match.opened
    return About(
        game=opened.game,
        rules_version=opened.rules_version,
        seats=opened.seats,
        options=msgspec.to_builtins(match.options),
        room_options={**msgspec.to_builtins(opened.room_options), "turn_ms": match.turn_ms},
        commitment=commitment(opened.seed).hex(),
    )


def prompt(match: Match, seat: Seat, at: int) -> Prompt | None:
    """Return what *seat* is asked at room time *at*; None if it is not to act."""
    if seat not in match.asked or match.deadline is None:
        return None
    return Prompt(match.opened.room, seat, match.decisions[seat], at, match.deadline)


def ended(match: Match) -> Ended | None:
    """Return how the match ended, with its seed and chain; None while it has not."""
    if match.result is None:
        return None
    return Ended(match.opened.room, match.result.ranks, match.result.reason, match.opened.seed.hex(), match.chain.hex())
