"""What the laws of a game share."""

from typing import Any

from warroom_games.api import AnyGame, IllegalActionError, Seat


class LawBrokenError(AssertionError):
    """A game does not keep a law; the message says what was seen."""


def hold(claim: object, message: str) -> None:
    """Raise `LawBrokenError` unless *claim* is true.

    The message is made either way: what would spell out states or views in it, many times a match, had better raise
    the error itself.
    """
    if not claim:
        raise LawBrokenError(message)


def viewers(seats: int) -> tuple[Seat | None, ...]:
    """Return everybody who may look: a spectator (None) and each seat."""
    return (None, *range(seats))


def refusal(game: AnyGame, state: Any, seat: Seat, action: Any) -> IllegalActionError | None:
    """Return what `check` raises, or None if the action is legal."""
    try:
        game.check(state, seat, action)
    except IllegalActionError as error:
        return error
    return None
